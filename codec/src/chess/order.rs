//! The canonical order of legal moves.

use shakmaty::{Chess, Move, MoveList, Position};

/// The legal moves of `position` in plyzip's own order: by square of departure
/// (a1, b1, …, h8), then by square of arrival (the rook's for castling, as in
/// Chess960), then by promotion (none, knight, bishop, rook, queen).
///
/// The order is part of the format: it does not follow the order in which
/// shakmaty happens to generate moves.
///
/// ```
/// use shakmaty::{Chess, san::San};
/// let start = Chess::default();
/// let moves = plyzip::unstable::chess::legal_moves(&start);
/// let first: Vec<String> =
///     moves[..6].iter().map(|&m| San::from_move(&start, m).to_string()).collect();
/// assert_eq!(first, ["Na3", "Nc3", "Nf3", "Nh3", "a3", "a4"]);
/// ```
pub fn legal_moves(position: &Chess) -> MoveList {
    let moves = position.legal_moves();
    // Keys with places sort faster than moves, whose keys take a few branches to find.
    // No board has more than 270.
    let mut order = [0; 512];
    let order = &mut order[..moves.len()];
    for (place, candidate) in moves.iter().enumerate() {
        order[place] = key(candidate) << 9 | place as u32;
    }
    order.sort_unstable();
    order.iter().map(|&entry| moves[(entry & 0x1ff) as usize]).collect()
}

fn key(candidate: &Move) -> u32 {
    let from = candidate.from().map_or(64, u32::from);
    let promotion = candidate.promotion().map_or(0, u32::from);
    // A castling move and a king's step could share both squares in no position:
    // the king never steps onto its own rook.
    from << 9 | u32::from(candidate.to()) << 3 | promotion
}
