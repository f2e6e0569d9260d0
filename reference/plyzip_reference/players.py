"""Who plays whom (docs/format/tags.md)."""

from .integers import clamped, divided
from .interner import NO_ID
from .mixing import MASK32, ContextMixer, hash32
from .player_order import Order, View, round_bit

# So many players of an event are tried.
MOST_TRIED = 160
# Kinds of binary events; WHO is followed by the same for Black.
AMONG, WHO = 0, 1
WHITE, BLACK = 0, 1
# By place of a result: twice the points of White and of Black.
POINTS = ((2, 0), (0, 2), (1, 1))


class Entrant:
    """A player in an event."""

    def __init__(self, player):
        self.player = player
        self.games = 0
        # His last colour and his last round.
        self.side = self.last_round = 0
        # Twice the points in the event.
        self.points = 0
        # The first 64 rounds as bits.
        self.rounds = 0
        # The rating in the last game.
        self.elo = None


def free_class(entrants, number):
    """How many of some players have no game in a round yet, in classes; 99 for rounds without a number."""
    bit = round_bit(number)
    if bit == 0:
        return 99
    free = sum(entrant.rounds & bit == 0 for entrant in entrants)
    return free if free <= 8 else 5 + free.bit_length()


class Players:
    """The players of every event, and when they played."""

    def __init__(self, slot_bits):
        self.mixing = ContextMixer(slot_bits, 8, 4, 256)
        # By event: the players, the most recent first.
        self.events = {}
        # How often pairs have met in an event: event, White, Black.
        self.met = {}
        # The players of the last two games, the last first.
        self.last = [(NO_ID, NO_ID)] * 2
        # Whether players were found among those of their event, the last in bit 0.
        self.found = 0
        self.elos = {}
        self.order = Order()

    def code(self, coder, side, event, number, white, told=None):
        """One of those who have played in the event; None if it is none of them. `white` is White when Black is coded,
        `number` the first number of the round."""
        entrants = self.events.get(event)
        if entrants is None:
            return None
        white_entrant = next((entrant for entrant in entrants if entrant.player == white), None)
        white_kind = 0
        if side == BLACK:
            white_kind = 1
            if white_entrant:
                white_kind = 2 + (white in self.last[0]) + min(white_entrant.games, 3) * 2
        games = sum(entrant.games for entrant in entrants)
        size = len(entrants).bit_length()
        fullness = games * 4 // max(len(entrants), 1)
        colour = min(white_kind, 2)
        contexts = [
            hash32(size, white_kind),
            hash32(self.found & 15, white_kind),
            hash32(event, colour),
            hash32(min(fullness, 40), white_kind),
            hash32(self.found & 3, hash32(size, min(fullness, 16))),
            hash32(hash32(event, number), colour),
            hash32(min(games, 255), colour),
            hash32(free_class(entrants, number), hash32(white_kind, min(number, 20))),
        ]
        among = told != white and any(entrant.player == told for entrant in entrants)
        among = self.mixing.code(coder, contexts, AMONG, white_kind, among)
        self.found = (self.found << 1 | among) & MASK32
        return self.who(coder, side, event, number, white, white_entrant, told) if among else None

    def who(self, coder, side, event, number, white, white_entrant, told):
        """Which of the players of an event."""
        entrants = self.events[event]
        size = len(entrants).bit_length()
        bit = round_bit(number)
        white_elo = self.elos.get(white)
        # A player whose points are not those of others is not their opponent, as a rule; the leaders come first.
        most = max((entrant.points for entrant in entrants if entrant.rounds & bit == 0), default=0)
        measure = white_entrant.points if white_entrant else most
        white_place = 0 if white is None else 1 + (white in self.last[0]) + 2 * (white in self.last[1])
        view = View(side, number, measure, white_elo)
        chances = self.order.chances(view, entrants, white)
        for rank, (score, entrant, _) in enumerate(chances):
            player = entrant.player
            if rank == len(chances) - 1:
                self.order.learn(side, chances, rank)
                return player
            # How much likelier than the next, and how likely among all, the entrant looks.
            lead = min(score - chances[rank + 1][0], 1023)
            place = _recent(player, self.last[0]) * 3 + _recent(player, self.last[1])
            playing = int(entrant.rounds & bit != 0)
            gap = clamped(number - entrant.last_round, -3, 3)
            colour = int(entrant.side == side)
            meetings = 0
            if white is not None:
                met = [min(self.met.get(pair, 0), 2) for pair in ((event, white, player), (event, player, white))]
                meetings = 1 + met[0] + 3 * met[1]
            difference = 99
            if white_elo is not None and entrant.elo is not None:
                difference = clamped(divided(entrant.elo - white_elo, 40), -12, 12)
            behind = clamped(measure - entrant.points, -6, 12)
            contexts = [
                hash32(hash32(place << 8 | playing << 7 | colour << 6, white_place), gap),
                hash32(min(rank, 40), hash32(playing, hash32(size, behind))),
                hash32(player, white or 0),
                hash32(meetings, hash32(playing, gap)),
                hash32(difference, hash32(playing, meetings)),
                hash32(event, hash32(playing, meetings)),
                hash32(behind, hash32(colour << 1 | playing, hash32(meetings, (difference + 2 & MASK32) // 4))),
                hash32(min(rank, 20), hash32(lead // 64, divided(score, 128))),
            ]
            detail = (min(rank, 15) << 1 | playing) * 2 + side
            if self.mixing.code(coder, contexts, WHO + side, detail, told == player):
                self.order.learn(side, chances, rank)
                return player
        return None

    def learn(self, event, number, players, result):
        """Takes note of a game; `result` is the place of its result, or None."""
        points = POINTS[result] if result is not None and result < 3 else (0, 0)
        entrants = self.events.setdefault(event, [])
        for side, player in enumerate(players):
            entrant = next((entrant for entrant in entrants if entrant.player == player), None)
            if entrant:
                entrants.remove(entrant)
            else:
                entrant = Entrant(player)
            entrant.games += 1
            entrant.points += points[side]
            entrant.side = side
            entrant.elo = self.elos.get(player)
            entrant.last_round = number
            entrant.rounds |= round_bit(number)
            entrants.insert(0, entrant)
        del entrants[MOST_TRIED:]
        pair = (event, *players)
        self.met[pair] = self.met.get(pair, 0) + 1
        self.last = [tuple(players), self.last[0]]

    def free(self, event, number):
        """How many players of an event have no game in a round yet, in classes."""
        return free_class(self.events[event], number) if event in self.events else 99


def _recent(player, game):
    return 1 if player == game[0] else 2 if player == game[1] else 0
