"""A model's file (docs/format/standard.md)."""

from functools import cache

from .. import opening_book
from ..errors import Damaged, Unsupported
from ..files import ROOT
from .analysis import Effort
from .board_network import BoardNetwork, BoardPolicy
from .derived_file import with_effort
from .mixer import scales_are_sound
from .model_hash import file_hash
from .network import Network
from .nnue import Nnue
from .onnx_file import OnnxFile
from .reranker import Reranker

FEATURES_VERSION = "8"


class NetworkModel:
    """What predicts moves: a network, books, perhaps a search and a reranker."""

    def __init__(self, data):
        file = OnnxFile(data)
        self.board_policy = None
        match file.metadata.get("plyzip.features", "").split(" "):
            case [version, "board"] if version == FEATURES_VERSION:
                board = BoardNetwork(file.tensors["plyzip.board"].tobytes())
                self.board_policy = BoardPolicy(board, file.numbers("plyzip.board_weights"))
            case [version] if version == FEATURES_VERSION:
                pass
            case _:
                raise Unsupported("another version of the features")
        self.network = Network(file)
        self.network.check(file.metadata["plyzip.check"])
        built_in = opening_book.built_in() if "plyzip.built_in_book" in file.metadata else None
        self.books = [book for book in (self._book(file, "plyzip.book"), built_in) if book is not None]
        self.repertoires = self._book(file, "plyzip.repertoires")
        self.effort = self.nnue = self.search_weights = self.reranker = self.mixer_scales = None
        if "plyzip.search" in file.metadata:
            self.effort = Effort(file.metadata["plyzip.search"])
            self.nnue = Nnue(file.numbers("plyzip.values"))
            self.search_weights = file.numbers("plyzip.verdicts")
            self.mixer_scales = file.numbers("plyzip.mixer")
            if self.mixer_scales is not None and not scales_are_sound(self.mixer_scales):
                raise Damaged("scales of the mixer that are too many, too few or too large")
            numbers = file.numbers("plyzip.second_look")
            self.reranker = None if numbers is None else Reranker(numbers)
            if self.reranker is not None and self.reranker.vector not in (0, self.network.vector_width):
                raise Damaged("a reranker of another network")

    def _book(self, file, name):
        return opening_book.OpeningBook(file.tensors[name].tobytes()) if name in file.tensors else None


def network_model(model):
    """The model that a section of an archive names: the file that it holds, or the one of the project with its hash."""
    if model.file is not None:
        if file_hash(model.file) != model.hash:
            raise Damaged("a model's file that is not the one that its section names")
        return _loaded(bytes(model.file))
    files = [path.read_bytes() for path in sorted((ROOT / "models").glob("*.onnx"))]
    files += [derived for derived in (with_effort(data, model.name) for data in files) if derived is not None]
    for data in files:
        if file_hash(data) == model.hash:
            return _loaded(data)
    raise Unsupported(f"the model {model.name}, whose file is not there")


@cache
def _loaded(data):
    return NetworkModel(data)
