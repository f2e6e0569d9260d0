"""Positions as FEN (docs/format/chess.md)."""

from .bitboards import (
    BACK_RANKS,
    BLACK,
    KING,
    PAWN,
    RANK_1,
    RANK_8,
    ROOK,
    WHITE,
    first,
    last,
)
from .position import Position

LETTERS = "pnbrqk"
MAX_NUMBER = (1 << 32) - 1
BACK_RANK = (RANK_1, RANK_8)


class NoPosition(Exception):
    """Text that is no FEN, or a position that no game starts from."""


def read(text, chess960):
    """The position of a FEN, as bytes."""
    parts = [part for part in text.replace(b"_", b" ").split(b" ") if part]
    if not parts:
        raise NoPosition
    position = _read_board(_without_pocket(parts[0]))
    parts = iter(parts[1:])
    turn = next(parts, b"w")
    if turn not in (b"w", b"b"):
        raise NoPosition
    position.turn = BLACK if turn == b"b" else WHITE
    rights = _read_castling(position, next(parts, b"-"))
    en_passant = next(parts, b"-")
    if en_passant != b"-":
        position.en_passant = _read_square(en_passant)
    halfmoves = next(parts, None)
    has_checks = halfmoves is not None and _are_checks(halfmoves)
    if has_checks:
        halfmoves = next(parts, None)
    position.halfmoves = 0 if halfmoves is None else _read_number(halfmoves)
    fullmoves = next(parts, None)
    if fullmoves is not None:
        position.fullmoves = max(_read_number(fullmoves), 1)
    rest = next(parts, None)
    if rest is not None and not has_checks and _are_checks(rest):
        rest = next(parts, None)
    if rest is not None:
        raise NoPosition
    _set_rooks(position, rights, chess960)
    _check(position)
    return position


def _without_pocket(board):
    """Pieces in hand may stand behind the board: they are read and have no meaning."""
    if board.endswith(b"]"):
        board, bracket, pocket = board[:-1].partition(b"[")
        if not bracket:
            raise NoPosition
    elif board.count(b"/") > 7:
        ranks = board.split(b"/")
        board, pocket = b"/".join(ranks[:8]), b"/".join(ranks[8:])
    else:
        return board
    if len(pocket) > 64 or any(chr(letter).lower() not in LETTERS for letter in pocket):
        raise NoPosition
    return board


def _read_board(text):
    position = Position()
    rank, file = 7, 0
    may_be_promoted = False
    for byte in text:
        letter = chr(byte)
        if letter == "~" and may_be_promoted:
            may_be_promoted = False
            continue
        may_be_promoted = False
        if letter == "/" and file == 8:
            rank, file = rank - 1, 0
            if rank < 0:
                raise NoPosition
        elif letter in "12345678":
            file += int(letter)
            if file > 8:
                raise NoPosition
        elif letter.lower() in LETTERS and file < 8:
            color = WHITE if letter.isupper() else BLACK
            position.put(rank * 8 + file, color, LETTERS.index(letter.lower()) + 1)
            file += 1
            may_be_promoted = True
        else:
            raise NoPosition
    if (rank, file) != (0, 8):
        raise NoPosition
    return position


def _read_castling(position, text):
    """The squares of the rooks that may castle, as far as the text goes."""
    rights = 0
    if text == b"-":
        return rights
    for byte in text:
        letter = chr(byte)
        color = WHITE if "A" <= letter <= "Z" else BLACK
        letter = letter.lower() if byte < 128 else letter
        home = BACK_RANK[color]
        rooks = position.by_role[ROOK]
        candidates = position.by_color[color] & (rooks | position.by_role[KING]) & home
        if letter == "k":
            square = last(candidates) if candidates and rooks >> last(candidates) & 1 else last(home)
        elif letter == "q":
            square = first(candidates) if candidates and rooks >> first(candidates) & 1 else first(home)
        elif "a" <= letter <= "h":
            square = first(home) + ord(letter) - ord("a")
        else:
            raise NoPosition
        rights |= 1 << square
    if any((rights & home).bit_count() > 2 for home in BACK_RANK):
        raise NoPosition
    return rights


def _read_square(text):
    if len(text) != 2 or not (b"a" <= text[:1] <= b"h" and b"1" <= text[1:] <= b"8"):
        raise NoPosition
    return text[0] - ord("a") + 8 * (text[1] - ord("1"))


def _read_number(text):
    """A number of 32 bits; of a greater one only the digits are looked at by which it becomes too great."""
    value = 0
    for byte in text:
        if not 48 <= byte <= 57:
            raise NoPosition
        if value * 10 > MAX_NUMBER:
            return MAX_NUMBER
        value = min(value * 10 + byte - 48, MAX_NUMBER)
    return value


def _are_checks(text):
    """Whether the text says how many checks are left, which has no meaning here: `3+3` or `+0+0`."""
    parts = text.split(b"+", 2)
    if len(parts) == 2:
        return all(_is_small(part) for part in parts)
    if len(parts) == 3 and parts[0] == b"":
        black = parts[2]
        if black[:1] == b"+":
            black = black[1:]
        elif black[:1] == b"-":
            return _is_small(parts[1]) and black[1:].isdigit() and not black[1:].strip(b"0")
        return _is_small(parts[1]) and _is_small(black)
    return False


def _is_small(digits):
    return digits.isdigit() and digits.lstrip(b"0") in (b"", b"1", b"2", b"3")


def _set_rooks(position, rights, chess960):
    """Finds the rooks that may castle; all of `rights` must be such rooks."""
    found = 0
    for color in (WHITE, BLACK):
        kings = position.by_role[KING] & position.by_color[color] & BACK_RANK[color]
        rooks = rights & position.by_role[ROOK] & position.by_color[color] & BACK_RANK[color]
        if kings.bit_count() != 1 or not rooks:
            continue
        king = first(kings)
        sides = ((last(rooks), 7), (first(rooks), 0))
        for side, (rook, file) in enumerate(sides):
            right_side = rook > king if side == 0 else rook < king
            usual = king & 7 == 4 and rook & 7 == file
            if right_side and (usual or chess960):
                position.rooks[color][side] = rook
                found |= 1 << rook
    if found != rights:
        raise NoPosition


def _check(position):
    """Refuses what can be no position of a game. Too many pieces are no reason, nor are impossible checks."""
    kings, pawns = position.by_role[KING], position.by_role[PAWN]
    if any((kings & side).bit_count() != 1 for side in position.by_color) or pawns & BACK_RANKS:
        raise NoPosition
    own, enemy = position.by_color[position.turn], position.by_color[1 - position.turn]
    if position.attackers(position.king(1 - position.turn), position.occupied) & own:
        raise NoPosition
    if position.en_passant is not None:
        square = position.en_passant
        rank = 5 if position.turn == WHITE else 2
        behind, ahead = square ^ 24, square ^ 8
        if square >> 3 != rank or not pawns & enemy & 1 << ahead:
            raise NoPosition
        if position.occupied & (1 << square | 1 << behind):
            raise NoPosition


def write(position):
    """The FEN of a position without its two counters, as servers write it."""
    ranks = []
    for rank in range(7, -1, -1):
        text, empty = "", 0
        for square in range(8 * rank, 8 * rank + 8):
            role = position.roles[square]
            if not role:
                empty += 1
                continue
            letter = LETTERS[role - 1]
            text += (str(empty) if empty else "") + (letter if position.color_at(square) else letter.upper())
            empty = 0
        ranks.append(text + (str(empty) if empty else ""))
    rights = "".join(_written_rights(position, color) for color in (WHITE, BLACK)) or "-"
    en_passant = position.legal_en_passant()
    square = "-" if en_passant is None else "abcdefgh"[en_passant & 7] + str((en_passant >> 3) + 1)
    return f"{'/'.join(ranks)} {'wb'[position.turn]} {rights} {square}"


def _written_rights(position, color):
    """K and Q for the outermost rooks of the king's sides, the file's letter for others."""
    king = position.king(color)
    outer = position.by_role[ROOK] & position.by_color[color] & BACK_RANK[color]
    text = ""
    for rook in sorted((rook for rook in position.rooks[color] if rook is not None), reverse=True):
        if rook == first(outer) and rook < king:
            letter = "Q"
        elif rook == last(outer) and rook > king:
            letter = "K"
        else:
            letter = "ABCDEFGH"[rook & 7]
        text += letter if color == WHITE else letter.lower()
    return text
