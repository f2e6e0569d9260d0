"""The container: members, sections, index (docs/format.md)."""

from dataclasses import dataclass, field
from zlib import crc32

from . import blake3
from .errors import Damaged, Unsupported
from .fields import Fields

MAGIC = b"\xc1PLZ"
VERSION, GENERATION = 3, 1
HEADER_BYTES = 7
MODEL, GAMES, TEXT, END, COLUMNS, PAGE, MODEL_FILE, END_WITH_FILE = range(1, 9)
STREAMS = ("tags", "moves", "structure", "comments", "layout", "text")


@dataclass
class Figures:
    """What a block or a member says of itself, for people."""

    games: int = 0
    moves: int = 0
    streams: list = field(default_factory=lambda: [0] * len(STREAMS))

    @classmethod
    def read(cls, games, fields):
        figures = cls(games, fields.varint())
        present = fields.byte()
        if present >> len(STREAMS):
            raise Unsupported("streams of figures")
        for stream in range(len(STREAMS)):
            if present >> stream & 1:
                figures.streams[stream] = fields.varint()
                if figures.streams[stream] == 0:
                    raise Damaged("a stream that is there has no bytes")
        return figures

    def add(self, other):
        self.games += other.games
        self.moves += other.moves
        self.streams = [a + b for a, b in zip(self.streams, other.streams)]


@dataclass
class Page:
    """A page of a block: its payload, and the bytes of the original that it holds."""

    payload: bytes
    original_bytes: int
    original_crc: int


@dataclass
class Block:
    """A run of the original."""

    original_bytes: int
    games: int = 0
    # The original as it is, if the block is stored.
    stored: bytes | None = None
    columns: bytes = b""
    pages: list = field(default_factory=list)
    # Games of each page but the last.
    page_games: int = 0
    # Of a block without pages.
    original_crc: int | None = None
    figures: Figures = field(default_factory=Figures)
    section_bytes: int = 0


@dataclass
class Model:
    """The model that blocks need."""

    name: str
    hash: bytes
    file: bytes | None = None


@dataclass
class Member:
    """An archive; several of them may follow each other."""

    blocks: list = field(default_factory=list)
    model: Model | None = None
    # Blocks before the model's section, and the bytes of that.
    model_position: int = 0
    model_bytes: int = 0
    original_hash: bytes = b""
    file_name: str | None = None
    modified: int | None = None

    def check(self, original):
        """Makes sure that this is the original of the whole member."""
        if blake3.digest(original) != self.original_hash:
            raise Damaged("the original of a member is another one")


def check_crc(original, crc):
    """Makes sure that these are the bytes that were encoded."""
    if crc32(original) != crc:
        raise Damaged("a block that is sound, but decodes to other bytes")


def read_members(data):
    """All members of an archive, from its first byte to its last."""
    fields = Fields(data)
    members = [_read_member(fields)]
    while not fields.ended():
        members.append(_read_member(fields))
    return members


def _read_member(fields):
    if fields.bytes(4) != MAGIC:
        raise Damaged("it does not begin like an archive")
    if (fields.byte(), fields.byte()) != (VERSION, GENERATION):
        raise Unsupported("another version or generation")
    if fields.byte():
        raise Unsupported("flags of the header")
    member = Member()
    while True:
        begin = fields.at
        kind = fields.byte()
        if kind in (MODEL, MODEL_FILE):
            _read_model(kind, fields, member)
            _end_section(fields, begin)
            member.model_bytes = fields.at - begin
        elif kind in (GAMES, TEXT):
            block = _read_whole_block(kind, fields)
            _end_section(fields, begin)
            _add_block(member, block, fields.at - begin)
        elif kind == COLUMNS:
            block = _read_columns(fields)
            _end_section(fields, begin)
            for page in block.pages:
                page_begin = fields.at
                if fields.byte() != PAGE:
                    raise Damaged("a section that is no page")
                page.payload = fields.bytes(page.payload)
                _end_section(fields, page_begin)
            _add_block(member, block, fields.at - begin)
        elif kind in (END, END_WITH_FILE):
            _read_end(kind, fields, member)
            _end_section(fields, begin)
            end_bytes = fields.at - begin
            if fields.u32() != end_bytes:
                raise Damaged("its last four bytes do not lead to the index")
            return member
        elif kind == PAGE:
            raise Damaged("a page without its block")
        else:
            raise Unsupported(f"kind {kind} of a section")


def _end_section(fields, begin):
    crc = crc32(fields.data[begin : fields.at])
    if fields.u32() != crc:
        raise Damaged("a section's checksum")


def _add_block(member, block, section_bytes):
    block.section_bytes = section_bytes
    if block.games == 0:
        block.figures.streams[STREAMS.index("text")] = section_bytes
    member.blocks.append(block)


def _text(fields, length):
    try:
        return fields.bytes(length).decode()
    except UnicodeDecodeError as error:
        raise Damaged("a name that is no UTF-8") from error


def _read_model(kind, fields, member):
    if member.model:
        raise Damaged("it names two models")
    length = fields.varint()
    if length > 64:
        raise Damaged("a model's name that is too long")
    member.model = Model(_text(fields, length), fields.bytes(16))
    if kind == MODEL_FILE:
        member.model.file = fields.bytes(fields.varint())
    member.model_position = len(member.blocks)


def _read_whole_block(kind, fields):
    """A block in one section."""
    block = Block(fields.varint())
    payload_bytes = fields.varint()
    block.original_crc = fields.u32()
    if kind == GAMES:
        block.games = fields.varint()
        block.figures = Figures.read(block.games, fields)
        if not 0 < block.games <= block.original_bytes or block.figures.moves > block.original_bytes:
            raise Damaged("a block has impossible figures")
    payload = fields.bytes(payload_bytes)
    if payload_bytes == block.original_bytes:
        block.stored = payload
    elif kind == TEXT:
        block.columns = payload
    else:
        streams = Fields(payload)
        block.columns = streams.bytes(streams.varint())
        block.page_games = block.games
        block.pages = [Page(streams.rest(), block.original_bytes, block.original_crc)]
    return block


def _read_columns(fields):
    """The columns of a block with pages, whose payloads are only known by their length yet."""
    block = Block(fields.varint())
    columns_bytes = fields.varint()
    block.games, block.page_games = fields.varint(), fields.varint()
    block.figures = Figures.read(block.games, fields)
    if not 0 < block.page_games < block.games or block.games > block.original_bytes:
        raise Damaged("a block has impossible figures")
    left = block.original_bytes
    count = -(-block.games // block.page_games)
    for number in range(1, count + 1):
        payload_bytes = fields.varint()
        original_bytes = fields.varint() if number < count else left
        left -= original_bytes
        if left < 0:
            raise Damaged("pages larger than their block")
        block.pages.append(Page(payload_bytes, original_bytes, fields.u32()))
    block.columns = fields.bytes(columns_bytes)
    return block


def _read_end(kind, fields, member):
    """The index, compared with the sections."""
    found = [fields.varint(), fields.varint()]
    expected = [len(member.blocks), 0]
    if member.model:
        expected[1:] = [member.model_position + 1, member.model_bytes]
        found.append(fields.varint())
    total = Figures()
    for block in member.blocks:
        found.append((fields.varint(), fields.varint(), fields.varint()))
        expected.append((block.section_bytes, block.original_bytes, block.games))
        total.add(block.figures)
    # Those of a single block stand in the block.
    if total.games and len(member.blocks) > 1:
        found.append(Figures.read(total.games, fields))
        expected.append(total)
    if found != expected:
        raise Damaged("an index of other sections")
    member.original_hash = fields.bytes(16)
    if kind == END_WITH_FILE:
        there = fields.byte()
        if there == 0 or there > 3:
            raise Unsupported("fields of a file")
        if there & 1:
            member.file_name = _text(fields, fields.varint())
        if there & 2:
            member.modified = fields.i64()
