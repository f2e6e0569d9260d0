//! Positions with all that the bag network is trained on, and batches of them.

use std::io::{self, Write};

use plyzip::GameContext;
use plyzip::unstable::chess::{History, legal_moves};
use plyzip::unstable::features::{
    BoardIndices, MoveIndices, Tactics, board_features, move_features,
};
use shakmaty::Chess;

/// One position with everything that training looks at.
pub struct Sample {
    pub board: BoardIndices,
    pub ply: u16,
    /// The place of the move played among the legal moves, or [`END`].
    pub target: u16,
    pub moves: Vec<MoveIndices>,
    /// A teacher's policy: the share of each move in 65,535; empty without a teacher.
    pub shares: Vec<u16>,
}

/// No move was played: the game ended here.
pub const END: u16 = u16::MAX;

/// All positions of a game that have something to be learned: of a game with these places of moves in the canonical
/// order; `cut` if moves are missing at its end.
pub fn samples(context: &GameContext, cut: bool, moves: &[u8], out: &mut Vec<Sample>) {
    let mut history = History::new(Chess::default());
    for ply in 0..=moves.len() {
        let legal = legal_moves(history.position());
        if legal.is_empty() || (ply == moves.len() && cut) {
            break;
        }
        let tactics = Tactics::new(&history, &legal);
        let mut sample = Sample {
            board: board_features(&history, context, &tactics),
            ply: ply as u16,
            target: moves.get(ply).map_or(END, |&place| place.into()),
            moves: vec![],
            shares: vec![],
        };
        move_features(&history, &legal, Some(&tactics), &mut sample.moves);
        out.push(sample);
        if let Some(&place) = moves.get(ply) {
            history.play(legal[usize::from(place)]);
        }
    }
}

/// Writes a batch as `training/bag/train.py` reads it.
pub fn write_batch(out: &mut impl Write, samples: &[Sample]) -> io::Result<()> {
    let rows: usize = samples.iter().map(|sample| sample.moves.len()).sum();
    let mut buffer: Vec<u8> = vec![];
    buffer.extend((samples.len() as u32).to_le_bytes());
    buffer.extend((rows as u32).to_le_bytes());
    let boards = samples.iter().flat_map(|sample| sample.board);
    let counts = samples.iter().map(|sample| sample.moves.len() as u16);
    let targets = samples.iter().map(|sample| sample.target);
    let plies = samples.iter().map(|sample| sample.ply);
    let moves = samples.iter().flat_map(|sample| &sample.moves).flatten().copied();
    let shares = samples.iter().flat_map(|sample| &sample.shares).copied();
    let all = boards.chain(counts).chain(targets).chain(plies).chain(moves).chain(shares);
    buffer.extend(all.flat_map(u16::to_le_bytes));
    out.write_all(&buffer)
}
