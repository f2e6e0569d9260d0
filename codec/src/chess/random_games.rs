//! Positions to test with; the tests of other packages include this file.

use plyzip_codec::unstable::chess::legal_moves;
use plyzip_codec::unstable::split_mix;
use shakmaty::{CastlingMode, Chess, Position, fen::Fen};

/// Calls `each` with the positions of games in which any moves are played.
pub fn random_games(mut each: impl FnMut(&Chess, u64)) {
    for (number, fen) in [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/pppp2P1/8/3Pp3/8/1n6/P1PPPP2/R3K2R w KQkq e6 0 1",
        "8/1PPPk3/8/8/2pP4/8/1p2K1pp/5R2 b - d3 0 1",
    ]
    .into_iter()
    .cycle()
    .take(30)
    .enumerate()
    {
        let mut position: Chess =
            fen.parse::<Fen>().unwrap().into_position(CastlingMode::Standard).unwrap();
        for ply in 0..100 {
            let seed = number as u64 * 1000 + ply;
            each(&position, seed);
            let moves = legal_moves(&position);
            if moves.is_empty() {
                break;
            }
            position.play_unchecked(moves[(split_mix(seed) % moves.len() as u64) as usize]);
        }
    }
}
