"""PGN of made games, for tests: legal, hasty, with captures that a network can learn to expect."""

import random

import chess
import chess.pgn

VALUES = {chess.PAWN: 1, chess.KNIGHT: 3, chess.BISHOP: 3, chess.ROOK: 5, chess.QUEEN: 9, chess.KING: 0}


def chosen(board, source):
    """Likes to take what is dear and to go to the middle of the board."""

    def liking(move):
        taken = board.piece_type_at(move.to_square)
        if taken:
            return 1.5 * VALUES[taken]
        middle = 3.5 - max(abs(chess.square_file(move.to_square) - 3.5), abs(chess.square_rank(move.to_square) - 3.5))
        return 0.4 * middle

    moves = list(board.legal_moves)
    return source.choices(moves, [2.0 ** (2 * liking(move)) for move in moves])[0]


def game(source, number, plies):
    board, record = chess.Board(), chess.pgn.Game()
    node = record
    while board.ply() < plies and not board.is_game_over(claim_draw=True):
        move = chosen(board, source)
        node = node.add_variation(move)
        board.push(move)
    result = board.result(claim_draw=True)
    if result == "*":
        result = source.choice(["1-0", "0-1", "1/2-1/2"])
    for name, value in {
        "Event": "Made games",
        "Site": "?",
        "Date": f"{1990 + number % 35}.01.01",
        "Round": str(number),
        "White": f"Player {source.randrange(20)}",
        "Black": f"Player {source.randrange(20)}",
        "Result": result,
        "WhiteElo": str(source.randrange(1200, 2800)),
        "BlackElo": str(source.randrange(1200, 2800)),
    }.items():
        record.headers[name] = value
    return str(record)


def write(path, games, seed=1, plies=60):
    source = random.Random(seed)
    with open(path, "w") as file:
        for number in range(games):
            file.write(game(source, number, source.randrange(20, plies)) + "\n\n")
