"""The tactical features of moves and their relations (docs/format/features.md)."""

from bisect import bisect_right

from ..bitboards import BETWEEN, FILES, KING, PAWN, PAWN_ATTACKS, attacks, squares
from ..exchange import VALUES, exchange, least_valuable
from ..plain_features import PlainFeatures, displacement, value_bucket
from .board_features import attacked_by, passed_pawns

KINDS = (0, 0, 1, 1, 2, 2, 3)


def class_(value, *bounds):
    return bisect_right(bounds, value)


def move_features(history, tactics):
    """For each legal move its features, slot by slot."""
    plain = PlainFeatures(history).of_moves()
    relations = _Relations(history, tactics)
    found = []
    for features, move, of_move in zip(plain, history.position.legal_moves(), tactics.moves):
        found.append(features + _tactical(move.role - 1, of_move, tactics) + relations.of_move(move, of_move))
    return found


def _tactical(role, of_move, tactics):
    loss = value_bucket(tactics.best - of_move.value) - 10
    threat = value_bucket(of_move.threat) - 10
    concession = value_bucket(of_move.concession) - 10
    kind = 2 if of_move.check else int(of_move.capture)
    better = sum(other.eval_delta > of_move.eval_delta for other in tactics.moves)
    eval_loss = class_(tactics.best_eval_delta - of_move.eval_delta, 1, 7, 15, 25, 40, 60, 90, 140, 220, 400, 5000)
    motive = 2 * (4 * (11 * role + loss) + class_(of_move.threat, 50, 200, 450)) + (tactics.fears >= 50)
    standing = 7 * (8 * role + class_(better, 1, 2, 3, 5, 8, 13, 20))
    return [
        10433 + 11 * value_bucket(of_move.value) + loss,
        10664 + 2 * (11 * threat + concession) + of_move.check,
        10906 + motive,
        11434 + 3 * (4 * eval_loss + class_(tactics.phase, 8, 15, 21)) + kind,
        11578 + standing + class_(of_move.eval_delta, -60, -20, 0, 15, 35, 80),
    ]


class _Relations:
    def __init__(self, history, tactics):
        self.history, self.tactics = history, tactics
        self.position = position = history.position
        self.turn = turn = position.turn
        self.flip = 56 * turn
        self.own, self.enemy = position.by_color[turn], position.by_color[1 - turn]
        self.attacked = attacked_by(position, 1 - turn)
        self._find_danger()
        self._find_pawns()
        self.pursued = self.abandoned = self.prepared = 0
        last, last_own = history.last(0), history.last(1)
        if last is not None:
            arrival = last.arrival()
            self.pursued = self._attacks_of(arrival)
            before = position.occupied | 1 << last.departure
            if not last.capture:
                before &= ~(1 << arrival)
            self.abandoned = attacks(last.role, 1 - turn, last.departure, before) & ~self.pursued
        if last_own is not None:
            self.prepared = self._attacks_of(last_own.arrival())
        self.runners = []
        for color in (turn, 1 - turn):
            passed = passed_pawns(position, color)
            self.runners.append(None if not passed else passed[-1] if color == 0 else passed[0])

    def _attacks_of(self, square):
        position = self.position
        if not position.roles[square]:
            return 0
        return attacks(position.roles[square], position.color_at(square), square, position.occupied)

    def _find_danger(self):
        position = self.position
        self.danger, dangers, most = None, 0, 0
        for victim in squares(self.attacked & self.own):
            enemies = position.attackers(victim, position.occupied) & self.enemy
            found = least_valuable(position, enemies)
            if found is None:
                continue
            attacker, role = found
            worth = VALUES[position.roles[victim]]
            value = exchange(position, attacker, victim, 1 - self.turn, VALUES[role], worth)
            if value > 0:
                dangers += 1
                if value > most:
                    most = value
                    self.danger = attacker, victim, 1 + class_(value, 200, 450)
        self.second = int(dangers > 1)

    def _find_pawns(self):
        position, enemy = self.position, 1 - self.turn
        reach = after_step = 0
        for square in squares(position.by_role[PAWN] & self.enemy):
            reach |= PAWN_ATTACKS[enemy][square]
            step = square + (8, -8)[enemy]
            if 0 <= step < 64 and not position.occupied >> step & 1:
                after_step |= PAWN_ATTACKS[enemy][step]
        for _ in range(7):
            reach |= reach << 8 & (1 << 64) - 1 if enemy == 0 else reach >> 8
        self.pawn_reach, self.pawn_next = reach, after_step

    def of_move(self, move, of_move):
        role, departure, arrival = move.role - 1, move.departure, move.arrival()
        position = self.position
        after = position.occupied & ~(1 << departure) | 1 << arrival
        hits = attacks(move.placed(), self.turn, arrival, after)
        last_own = self.history.last(1)
        relative = lambda square: self._relative(move.role, arrival, square)
        before, then = self.tactics.evaluation, of_move.after
        parts = class_(then.own_mobility - before.own_mobility, -25, -9, -2, 3, 10, 26)
        for change in (
            then.enemy_mobility - before.enemy_mobility,
            then.kings - before.kings,
            then.structure - before.structure,
        ):
            parts = 5 * parts + class_(change, -14, -3, 4, 15)
        return [
            11914 + self._past(departure, arrival),
            12170 + 64 * role + self._place(departure, arrival),
            12554 + self._contest(move, departure, arrival, hits),
            13706 + relative(None if last_own is None else last_own.arrival()),
            14607 + relative(self.runners[0]),
            15508 + relative(self.runners[1]),
            16409 + self._answer(departure, arrival, hits, of_move),
            16657 + parts,
        ]

    def _past(self, departure, arrival):
        path = BETWEEN[departure][arrival] | 1 << arrival
        last, last_own, before = (self.history.last(n) for n in (0, 1, 3))
        flags = (
            last_own is not None and self.prepared >> arrival & 1 and last_own.arrival() != departure,
            last_own is not None and path >> last_own.departure & 1,
            last_own is not None and last_own.departure == arrival,
            last is not None and path >> last.departure & 1,
            self.pursued >> departure & 1,
            self.abandoned >> arrival & 1,
            self.pursued >> arrival & 1,
            before is not None and before.arrival() == departure,
        )
        return sum(bool(flag) << bit for bit, flag in enumerate(flags))

    def _place(self, departure, arrival):
        pawns = self.position.by_role[PAWN]

        def on_file(square):
            of_file = pawns & FILES[square & 7]
            return bool(of_file & self.own) + 2 * bool(of_file & self.enemy)

        files = 4 * (4 * on_file(departure) + on_file(arrival))
        return files + (self.pawn_reach >> arrival & 1) + 2 * (self.pawn_next >> arrival & 1)

    def _contest(self, move, departure, arrival, hits):
        position = self.position
        at_arrival = position.attackers(arrival, position.occupied & ~(1 << departure))
        guards = min(3, (at_arrival & self.own & ~(1 << departure)).bit_count())
        threats = min(3, (at_arrival & self.enemy).bit_count())
        guarded = attacks(move.role, self.turn, departure, position.occupied) & self.own & self.attacked
        left = min(2, (guarded & ~hits & ~position.by_role[KING]).bit_count())
        hit = min(3, (hits & self.enemy & ~(1 << arrival)).bit_count())
        return 4 * (3 * (4 * (4 * (move.role - 1) + guards) + threats) + left) + hit

    def _relative(self, role, arrival, square):
        if square is None:
            return 900
        return 225 * KINDS[role] + displacement(arrival ^ self.flip, square ^ self.flip)

    def _answer(self, departure, arrival, hits, of_move):
        answer = 0
        if self.danger is not None:
            attacker, victim, danger_class = self.danger
            if departure == victim:
                how = 1
            elif arrival == attacker:
                how = 2
            elif BETWEEN[attacker][victim] >> arrival & 1:
                how = 3
            else:
                how = 4 * (hits >> victim & 1)
            answer = 1 + 2 * (5 * (danger_class - 1) + how) + self.second
        return 2 * (4 * answer + class_(of_move.concession, 1, 150, 400)) + (of_move.check or of_move.capture)
