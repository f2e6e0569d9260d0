"""Short texts, letter by letter (docs/format/tags.md)."""

from .dictionary import match_class, odds
from .letter_codes import END, ESCAPE, kind, trees
from .mixing import ContextMixer, Nodes, hash32

# Kinds of binary events.
TURN, BYTE = 0, 1
# Weights differ by the node, of which so many are told apart, and by how much is known.
NODES, CLASSES = 256, 5
# All contexts of a letter. The last two tell nothing where a text has neither key nor guide.
CONTEXTS = 8
# What tells the nodes of an escaped byte from those of a tree.
ESCAPED = 1


class Spelling:
    """Codes short texts by what texts in the same place looked like."""

    def __init__(self, slot_bits, contexts=CONTEXTS):
        # Letters have the first `contexts` of their contexts.
        self.mixing = ContextMixer(slot_bits, contexts, 2, CLASSES * NODES)

    def code(self, coder, column, key, guide=b"", words=None, told=b""):
        """A text. Texts of one column look alike, those with one key are likely to be the same, a text may start like
        its guide, and `words` is a dictionary of words that are frequent here."""
        if not coder.learning:
            return told
        mixing = self.mixing
        matching = words.all() if words else None
        done = bytearray()
        prefix = hash32(column, 1)
        word = 0
        guided = 1
        while True:
            place = len(done)

            def past(n):
                result = n
                for byte in done[max(place - n, 0) :]:
                    result = result << 8 | byte
                return result

            order1 = past(1)
            sign = guide[place] if place < len(guide) else 256
            advice = sign << 2 | guided << 1 | (len(guide) == place + 1)
            contexts = [
                prefix,
                hash32(order1, column),
                hash32(past(2), column),
                hash32(past(3), 3),
                hash32(past(4), 4),
                hash32(word, column),
                hash32(prefix, key),
                hash32(advice, hash32(column, order1)),
            ]
            matches = match_class(matching) if words else 0
            trust = 1 + matches if matches else guided
            nodes = Nodes(contexts[: mixing.contexts])
            tree = trees()[kind(done[-1] if done else None)]
            letter = self.letter(coder, nodes, tree, trust, seen(tree, words, matching) if words else {})
            if letter == END:
                return bytes(done)
            if letter == ESCAPE:
                letter = mixing.byte_at(coder, nodes, ESCAPED, BYTE, trust)
            if words:
                matching = words.next(matching, letter)
            guided &= sign == letter
            prefix = hash32(prefix, letter)
            word = hash32(word, letter) if bytes([letter]).isalpha() or letter >= 128 else 0
            done.append(letter)

    def letter(self, coder, nodes, tree, trust, turns):
        """The next letter: the way from the root of a tree to a leaf."""
        node = 0
        while node >= 0:
            no, yes = turns.get(node, (0, 0))
            here = nodes.at(*tree.places[node])
            turn = self.mixing.event(coder, here, odds(yes, no), TURN, trust * NODES + node)
            node = tree.branches[node][turn]
        return -1 - node


def seen(tree, words, matching):
    """By node: how often the words that match take each turn."""
    turns = {}
    for letter, weight in words.following(matching):
        letter = END if letter is None else letter
        for node, turn in tree.ways.get(letter, tree.ways[ESCAPE]):
            turns.setdefault(node, [0, 0])[turn] += weight
    return turns
