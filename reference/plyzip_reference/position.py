"""A position and its legal moves (docs/format/chess.md)."""

from .bitboards import (
    BACK_RANKS,
    BETWEEN,
    BISHOP,
    BLACK,
    KING,
    KING_ATTACKS,
    KNIGHT,
    KNIGHT_ATTACKS,
    LINES,
    PAWN,
    PAWN_ATTACKS,
    QUEEN,
    RANK_1,
    ROOK,
    WHITE,
    attacks,
    bishop_attacks,
    first,
    rook_attacks,
    squares,
)
from .moves import CASTLING, EN_PASSANT, NORMAL, Move, castling

MAX_HALFMOVES = (1 << 32) - 1
# Files of king and rook after castling on the king's side and on the queen's side.
CASTLED_FILES = ((6, 5), (2, 3))


class Position:
    """Pieces on squares, the side to move, castling rights, the square of en passant and the clock of halfmoves."""

    __slots__ = (
        "roles",
        "by_role",
        "by_color",
        "occupied",
        "turn",
        "rooks",
        "en_passant",
        "halfmoves",
        "fullmoves",
        "_legal",
        "_in_check",
    )

    def __init__(self):
        # By square: the role, 0 for none.
        self.roles = [0] * 64
        # By role; place 0 is not used.
        self.by_role = [0] * 7
        self.by_color = [0, 0]
        self.occupied = 0
        self.turn = WHITE
        # By colour: the squares of the rooks that may castle on the king's side and on the queen's side, or None.
        self.rooks = [[None, None], [None, None]]
        # The square that a pawn has just passed over, or None.
        self.en_passant = None
        self.halfmoves = 0
        # The number of the first move, as a FEN has it; it does not change with moves.
        self.fullmoves = 1
        self._legal = self._in_check = None

    def copy(self):
        other = Position.__new__(Position)
        other.roles = self.roles[:]
        other.by_role = self.by_role[:]
        other.by_color = self.by_color[:]
        other.occupied = self.occupied
        other.turn = self.turn
        other.rooks = [self.rooks[0][:], self.rooks[1][:]]
        other.en_passant = self.en_passant
        other.halfmoves = self.halfmoves
        other.fullmoves = self.fullmoves
        other._legal = other._in_check = None
        return other

    def put(self, square, color, role):
        """Puts a piece on an empty square."""
        bit = 1 << square
        self.roles[square] = role
        self.by_role[role] |= bit
        self.by_color[color] |= bit
        self.occupied |= bit

    def remove(self, square):
        """Takes the piece from a square, if there is one."""
        bit = 1 << square
        self.by_role[self.roles[square]] &= ~bit
        self.roles[square] = 0
        self.by_color[WHITE] &= ~bit
        self.by_color[BLACK] &= ~bit
        self.occupied &= ~bit

    def color_at(self, square):
        """The colour of the piece on a square that is not empty."""
        return self.by_color[BLACK] >> square & 1

    def king(self, color):
        """The square of a king."""
        return first(self.by_role[KING] & self.by_color[color])

    def attackers(self, square, occupied):
        """The pieces of both sides that attack a square when `occupied` blocks lines."""
        by_role = self.by_role
        queens, pawns = by_role[QUEEN], by_role[PAWN]
        return (
            rook_attacks(square, occupied) & (by_role[ROOK] | queens)
            | bishop_attacks(square, occupied) & (by_role[BISHOP] | queens)
            | KNIGHT_ATTACKS[square] & by_role[KNIGHT]
            | KING_ATTACKS[square] & by_role[KING]
            | PAWN_ATTACKS[BLACK][square] & pawns & self.by_color[WHITE]
            | PAWN_ATTACKS[WHITE][square] & pawns & self.by_color[BLACK]
        )

    def checkers(self):
        """The pieces that attack the king of the side to move."""
        return self.attackers(self.king(self.turn), self.occupied) & self.by_color[1 - self.turn]

    def is_check(self):
        if self._in_check is None:
            self._in_check = bool(self.checkers())
        return self._in_check

    def legal_moves(self):
        """The legal moves in the canonical order."""
        if self._legal is None:
            self._legal = sorted(self._find_legal_moves(), key=Move.order)
        return self._legal

    def legal_en_passant(self):
        """The square on which a legal move captures en passant, or None."""
        if self.en_passant is None or not self._en_passant_moves():
            return None
        return self.en_passant

    def _find_legal_moves(self):
        own, enemy = self.by_color[self.turn], self.by_color[1 - self.turn]
        king = self.king(self.turn)
        checkers = self.checkers()
        moves = self._en_passant_moves()
        without_king = self.occupied ^ 1 << king
        for to in squares(KING_ATTACKS[king] & ~own):
            if not self.attackers(to, without_king) & enemy:
                moves.append(Move(king, to, 0, KING, self.roles[to], NORMAL))
        if checkers & (checkers - 1):
            return moves
        if checkers:
            # Only what captures the piece that gives check or stands in its way.
            allowed = BETWEEN[king][first(checkers)] | checkers
        else:
            allowed = ~own
            moves += self._castling_moves(king)
        pinned = self._blockers(king)
        for departure in squares(own & ~(1 << king)):
            role = self.roles[departure]
            if role == PAWN:
                reached = self._pawn_targets(departure)
            else:
                reached = attacks(role, self.turn, departure, self.occupied) & ~own
            reached &= allowed
            if pinned >> departure & 1:
                reached &= LINES[king][departure]
            for to in squares(reached):
                capture = self.roles[to]
                if role == PAWN and BACK_RANKS >> to & 1:
                    for promotion in (KNIGHT, BISHOP, ROOK, QUEEN):
                        moves.append(Move(departure, to, promotion, PAWN, capture, NORMAL))
                else:
                    moves.append(Move(departure, to, 0, role, capture, NORMAL))
        return moves

    def _pawn_targets(self, departure):
        """Where a pawn can go but for en passant."""
        ahead = departure + (8 if self.turn == WHITE else -8)
        targets = PAWN_ATTACKS[self.turn][departure] & self.by_color[1 - self.turn]
        if not self.occupied >> ahead & 1:
            targets |= 1 << ahead
            if departure >> 3 == (1 if self.turn == WHITE else 6):
                further = 2 * ahead - departure
                targets |= (1 << further) & ~self.occupied
        return targets

    def _blockers(self, king):
        """Pieces that stand alone between the king and an enemy's rook, bishop or queen."""
        queens = self.by_role[QUEEN]
        snipers = rook_attacks(king, 0) & (self.by_role[ROOK] | queens)
        snipers |= bishop_attacks(king, 0) & (self.by_role[BISHOP] | queens)
        blockers = 0
        for sniper in squares(snipers & self.by_color[1 - self.turn]):
            between = BETWEEN[king][sniper] & self.occupied
            if between & (between - 1) == 0:
                blockers |= between
        return blockers

    def _en_passant_moves(self):
        """The legal captures en passant."""
        if self.en_passant is None:
            return []
        to, king, enemy = self.en_passant, self.king(self.turn), self.by_color[1 - self.turn]
        captured = 1 << (to ^ 8)
        moves = []
        for departure in squares(PAWN_ATTACKS[1 - self.turn][to] & self.by_role[PAWN] & self.by_color[self.turn]):
            after = self.occupied ^ (1 << departure) ^ captured | 1 << to
            if not self.attackers(king, after) & enemy & ~captured:
                moves.append(Move(departure, to, 0, PAWN, PAWN, EN_PASSANT))
        return moves

    def _castling_moves(self, king):
        """The legal castling moves, if the king is not in check."""
        enemy, rank = self.by_color[1 - self.turn], king & 56
        moves = []
        for rook, (king_file, rook_file) in zip(self.rooks[self.turn], CASTLED_FILES):
            if rook is None:
                continue
            king_to, rook_to = rank | king_file, rank | rook_file
            king_way = BETWEEN[king][king_to] | 1 << king_to
            rook_way = BETWEEN[rook][rook_to] | 1 << rook_to
            if (king_way | rook_way) & ~(1 << king | 1 << rook) & self.occupied:
                continue
            without_king = self.occupied ^ 1 << king
            passed = squares(BETWEEN[king][king_to] | 1 << king)
            if any(self.attackers(square, without_king) & enemy for square in passed):
                continue
            if self.attackers(king_to, without_king ^ 1 << rook ^ 1 << rook_to) & enemy:
                continue
            moves.append(castling(king, rook))
        return moves

    def play(self, move):
        """Plays a legal move."""
        color = self.turn
        self.en_passant = None
        self._legal = self._in_check = None
        quiet = move.role != PAWN and not move.capture
        self.halfmoves = min(self.halfmoves + 1, MAX_HALFMOVES) if quiet else 0
        if move.kind == CASTLING:
            king_file, rook_file = CASTLED_FILES[0 if move.to_king_side() else 1]
            rank = move.departure & 56
            self.remove(move.departure)
            self.remove(move.target)
            self.put(rank | rook_file, color, ROOK)
            self.put(rank | king_file, color, KING)
            self.rooks[color] = [None, None]
        else:
            if move.kind == EN_PASSANT:
                self.remove(move.target ^ 8)
            elif move.role == PAWN and abs(move.target - move.departure) == 16:
                self.en_passant = (move.target + move.departure) // 2
            elif move.role == KING:
                self.rooks[color] = [None, None]
            elif move.role == ROOK:
                self._lose_right(color, move.departure)
            if move.capture == ROOK:
                self._lose_right(1 - color, move.target)
            self.remove(move.departure)
            if self.roles[move.target]:
                self.remove(move.target)
            self.put(move.target, color, move.placed())
        self.turn = 1 - color

    def _lose_right(self, color, square):
        self.rooks[color] = [None if rook == square else rook for rook in self.rooks[color]]

    def is_checkmate(self):
        return self.is_check() and not self.legal_moves()

    def is_stalemate(self):
        return not self.is_check() and not self.legal_moves()


def initial():
    """The position before the first move of a usual game."""
    position = Position()
    for file, role in enumerate((ROOK, KNIGHT, BISHOP, QUEEN, KING, BISHOP, KNIGHT, ROOK)):
        position.put(file, WHITE, role)
        position.put(8 + file, WHITE, PAWN)
        position.put(48 + file, BLACK, PAWN)
        position.put(56 + file, BLACK, role)
    position.rooks = [[7, 0], [63, 56]]
    assert position.by_color[WHITE] == RANK_1 | RANK_1 << 8
    return position
