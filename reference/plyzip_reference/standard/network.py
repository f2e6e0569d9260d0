"""The network, run in exact arithmetic of 32-bit floats (docs/format/network.md)."""

import numpy as np

from ..errors import Damaged
from .generator import SplitMix
from .model_hash import file_hash

F32 = np.float32
OPERATIONS = {
    "Cast": lambda value: value.astype(F32),
    "Mul": lambda a, b: a * b,
    "Add": lambda a, b: a + b,
    "Sub": lambda a, b: a - b,
    "MatMul": lambda a, b: a @ b,
    "Clip": lambda value, low, high: np.minimum(np.maximum(value, low), high),
    "Gather": lambda table, indices: table[indices],
    "ReduceSum": lambda value, axes: value.sum(axis=int(axes[0]), dtype=F32),
    "Reshape": lambda value, shape: value.reshape(shape),
}


class Network:
    """The graph of a model's file."""

    def __init__(self, file):
        self.constants = {name: tensor for name, tensor in file.tensors.items() if not name.startswith("plyzip.")}
        self.nodes = []
        for node in file.nodes:
            if all(name in self.constants for name in node.inputs):
                inputs = [self.constants[name] for name in node.inputs]
                self.constants[node.output] = OPERATIONS[node.operation](*inputs)
            else:
                self.nodes.append(node)
        # The value that is the vector of a move, and its width: the first input of the last product of what depends on
        # moves.
        of_moves, self.vector, self.vector_width = {"moves", "squares"}, None, 0
        for node in self.nodes:
            if of_moves.intersection(node.inputs):
                of_moves.add(node.output)
                if node.operation == "MatMul":
                    self.vector, self.vector_width = node.inputs[0], len(self.constants[node.inputs[1]])

    def scores(self, board, moves, with_vectors=False):
        """A logit for each move of a position with these features, the log-odds that the game ends here, and the moves'
        vectors, if they are wanted."""
        moves = np.array(moves, np.int64)
        values = {
            "boards": np.array([board], np.int64),
            "moves": moves,
            "rows": np.zeros(len(moves), np.int64),
            "squares": moves[:, :2],
        }
        values.update(self.constants)
        for node in self.nodes:
            values[node.output] = OPERATIONS[node.operation](*(values[name] for name in node.inputs))
        vectors = values[self.vector] if with_vectors and self.vector is not None else None
        return [int(logit) for logit in values["logits"]], int(values["ends"][0]), vectors

    def check(self, expected):
        """Makes sure that the graph computes of a generated input what it must; `expected` are hexadecimal digits."""
        random = SplitMix(1).below
        boards = [[random(3802) for _ in range(67)] for _ in range(4)]
        moves, places = [[] for _ in boards], []
        for _ in range(160):
            features = [random(17532) for _ in range(27)]
            features[0] %= 384
            features[1] = features[1] % 384 + 384
            position = random(4)
            places.append((position, len(moves[position])))
            moves[position].append(features)
        scores = [self.scores(board, of_board) for board, of_board in zip(boards, moves)]
        numbers = [scores[position][0][place] for position, place in places] + [end for _, end, _ in scores]
        if file_hash(np.array(numbers, "<i4").tobytes()).hex() != expected[:32]:
            raise Damaged("a network that does not compute what it must")
