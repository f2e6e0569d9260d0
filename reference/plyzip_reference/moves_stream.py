"""The stream of moves: main lines, then variations (docs/format/moves.md)."""

from .coder import Decoder
from .errors import Damaged
from .game_context import GameContext
from .history import History
from .lines import Line
from .player import player_key
from .predictor import Predictor
from .start import start_of

# Lines under way at once.
WINDOW = 256
# Variations of games are coded together until there are so many.
MAX_LINES = 1 << 16


class _Job:
    """A line that is decoded."""

    def __init__(self, history, context, players, length):
        self.history = history
        self.context = context
        # The keys of White's name and of Black's.
        self.players = players
        # Number of moves; None where the line's end is coded.
        self.length = length
        self.moves = []
        self.surprisals = []


class MovesStream:
    """Decodes the moves of a page."""

    def __init__(self, data):
        self.coder = Decoder(data)
        self.predictor = Predictor()

    def main_lines(self, games, limit):
        """Fills in the lines that games were played in, at most `limit` moves in all; gives each game's surprisals."""
        jobs = []
        for game in games:
            start = start_of(game)
            job = None
            if start is not None:
                players = [player_key(game.tag(side) or b"") for side in ("White", "Black")]
                job = _Job(History(start), GameContext(game), players, None)
            jobs.append(job)
        self._code([job for job in jobs if job is not None], limit)
        for game, job in zip(games, jobs):
            game.lines = [Line(None, job.moves if job else [])]
        return [job.surprisals if job else [] for job in jobs]

    def variations(self, games, lengths):
        """Fills in the moves of all variations; `lengths` are their numbers of moves, by game."""
        group, lines = [], 0
        for game, of_game in zip(games, lengths):
            if lines >= MAX_LINES:
                self._code_group(group)
                group, lines = [], 0
            group.append((game, of_game))
            lines += len(game.lines) - 1
        self._code_group(group)

    def _code_group(self, group):
        """Codes the variations of some games by depth, since each begins in a position of its parent."""
        levels = []
        starts = {}
        for number, (game, _) in enumerate(group):
            depths = [0] * len(game.lines)
            if len(game.lines) > 1:
                start = start_of(game)
                if start is not None:
                    starts[number, 0] = History(start)
            for line, variation in enumerate(game.lines[1:], 1):
                parent, _ = variation.branch
                if parent >= line:
                    raise Damaged("a variation before its parent")
                depths[line] = depths[parent] + 1
                if len(levels) < depths[line]:
                    levels.append([])
                levels[depths[line] - 1].append((number, line))
        for level in levels:
            jobs = {}
            for number, line in level:
                game, lengths = group[number]
                history = self._branch(game, number, line, starts)
                jobs[number, line] = _Job(history, GameContext(game), [player_key(b"")] * 2, lengths[line - 1])
            starts = {place: job.history.copy() for place, job in jobs.items()}
            self._code(list(jobs.values()), sum(job.length for job in jobs.values()))
            for (number, line), job in jobs.items():
                group[number][0].lines[line].moves = job.moves

    def _branch(self, game, number, line, starts):
        """The game up to the first move of a variation."""
        parent, ply = game.lines[line].branch
        if (number, parent) not in starts:
            raise Damaged("a variation without a start")
        history = starts[number, parent].copy()
        moves = game.lines[parent].moves
        if ply > len(moves):
            raise Damaged("a variation beyond the end of its parent")
        for move in moves[:ply]:
            history.play(move)
        return history

    def _code(self, jobs, limit):
        """Decodes lines in lockstep: one ply of each at every step. At most `limit` moves are read."""
        waiting = iter(jobs)
        under_way = []
        left = limit
        while True:
            while len(under_way) < WINDOW:
                job = next(waiting, None)
                if job is None:
                    break
                if job.length != 0:
                    under_way.append(job)
            if not under_way:
                return
            still_under_way = []
            for job in under_way:
                if self._code_ply(job):
                    left -= 1
                    if left < 0:
                        raise Damaged("more moves than announced")
                    if len(job.moves) != job.length:
                        still_under_way.append(job)
            under_way = still_under_way

    def _code_ply(self, job):
        """Decodes the next ply of a line; whether there was one."""
        history = job.history
        if job.length is None and self.predictor.code_end(self.coder, history, job.context):
            return False
        legal = history.position.legal_moves()
        if not legal:
            raise Damaged("a line goes on where no move is legal")
        player = job.players[history.position.turn]
        index, surprisal = self.predictor.code_move(self.coder, history, job.context, player)
        job.moves.append(legal[index])
        job.surprisals.append(surprisal)
        history.play(legal[index])
        return True
