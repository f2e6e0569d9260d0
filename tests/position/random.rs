//! Random positions: from games and made up.

use plyzip::unstable::chess::legal_moves;
use shakmaty::{
    Bitboard, Board, CastlingMode, Chess, Color, File, FromSetup, Move, Position, PositionError,
    Rank, Role, Setup, Square,
};

#[allow(dead_code)]
#[path = "../games/mod.rs"]
pub mod games;

pub use games::Random;

/// A game of random legal moves, at most `longest`; promotions are taken more often than not.
pub fn random_game(longest: usize, random: &mut Random) -> Vec<Move> {
    let mut position = Chess::default();
    let mut moves = vec![];
    while moves.len() < longest {
        let legal = legal_moves(&position);
        if legal.is_empty() {
            break;
        }
        let promotions: Vec<Move> = legal.iter().copied().filter(|m| m.is_promotion()).collect();
        let among =
            if promotions.is_empty() || random.one_in(3) { &legal[..] } else { &promotions };
        let played = among[random.below(among.len())];
        position.play_unchecked(played);
        moves.push(played);
    }
    moves
}

/// All positions of a game, the initial one first.
pub fn positions(moves: &[Move]) -> Vec<Chess> {
    let mut position = Chess::default();
    let mut positions = vec![position.clone()];
    for &played in moves {
        position.play_unchecked(played);
        positions.push(position.clone());
    }
    positions
}

/// How much stands on a made-up board.
#[derive(Debug, Clone, Copy)]
pub enum Material {
    /// What could be left of the initial pieces after any promotions.
    Any,
    /// As many pieces as there can be, all pawns that are missing being promoted.
    Full,
    /// All 32 of the initial pieces.
    Initial,
}

/// A legal position of pieces that stand anywhere, often with castling rights or an
/// en passant capture.
pub fn made_up(material: Material, random: &mut Random) -> Chess {
    loop {
        if let Some(position) = try_to_make_up(material, random) {
            return position;
        }
    }
}

fn try_to_make_up(material: Material, random: &mut Random) -> Option<Chess> {
    let mut board = Board::empty();
    let mut castling_rights = Bitboard::EMPTY;
    let turn = Color::from_white(random.one_in(2));
    // A pawn that has just advanced two squares, the squares behind it, a pawn beside it.
    let step = File::new(random.below(8) as u32);
    let beside = if random.one_in(2) { step.offset(1) } else { step.offset(-1) };
    let step_on = |rank| Square::from_coords(step, turn.relative_rank(rank));
    let passed = [step_on(Rank::Sixth), step_on(Rank::Seventh)];
    let en_passant = random.one_in(3).then_some(beside).flatten();
    let home = random.one_in(2);
    for color in Color::ALL {
        let mut roles = pieces_of_a_side(material, random);
        if home && random.one_in(2) {
            board.set_piece_at(Square::from_coords(File::E, color.backrank()), color.king());
            roles.retain(|&role| role != Role::King);
            for file in [File::A, File::H] {
                let corner = Square::from_coords(file, color.backrank());
                if random.one_in(2)
                    && let Some(rook) = roles.iter().position(|&role| role == Role::Rook)
                {
                    roles.swap_remove(rook);
                    board.set_piece_at(corner, color.rook());
                    castling_rights.add(corner);
                }
            }
        }
        if let Some(beside) = en_passant
            && let Some(pawn) = roles.iter().position(|&role| role == Role::Pawn)
        {
            roles.swap_remove(pawn);
            let file = if color == turn { beside } else { step };
            let square = Square::from_coords(file, turn.relative_rank(Rank::Fifth));
            board.set_piece_at(square, color.pawn());
        }
        for role in roles {
            let mut forbidden =
                if role == Role::Pawn { Bitboard::BACKRANKS } else { Bitboard::EMPTY };
            if en_passant.is_some() {
                forbidden |= Bitboard::from_iter(passed);
            }
            let free: Vec<Square> = (!board.occupied() & !forbidden).into_iter().collect();
            let square = *free.get(random.below(free.len().max(1)))?;
            board.set_piece_at(square, role.of(color));
        }
    }
    let mut setup = Setup { board, turn, castling_rights, ..Setup::empty() };
    setup.halfmoves = random.below(128) as u32;
    setup.ep_square = en_passant.map(|_| passed[0]);
    let position = |setup: &Setup| {
        Chess::from_setup(setup.clone(), CastlingMode::Standard)
            .or_else(PositionError::ignore_impossible_check)
            .ok()
    };
    position(&setup).or_else(|| {
        setup.ep_square = None;
        position(&setup)
    })
}

fn pieces_of_a_side(material: Material, random: &mut Random) -> Vec<Role> {
    let mut roles = vec![Role::King];
    let officers = [
        Role::Queen,
        Role::Rook,
        Role::Rook,
        Role::Bishop,
        Role::Bishop,
        Role::Knight,
        Role::Knight,
    ];
    let keep = 1 + random.below(8);
    for role in officers.into_iter().chain([Role::Pawn; 8]) {
        if matches!(material, Material::Any) && random.below(8) >= keep {
            continue;
        }
        let promoted = match material {
            Material::Initial => false,
            Material::Any => random.one_in(4),
            Material::Full => true,
        };
        if role == Role::Pawn && promoted {
            // Often all to the same kind.
            let kind = if random.one_in(2) { keep } else { random.below(8) };
            roles.push([Role::Knight, Role::Queen, Role::Rook, Role::Bishop][kind % 4]);
        } else {
            roles.push(role);
        }
    }
    roles
}

/// A FEN's position; anything that shakmaty can play from is good enough.
#[allow(dead_code)]
pub fn fen(fen: &str) -> Chess {
    let setup = fen.parse::<shakmaty::fen::Fen>().unwrap().into_setup();
    Chess::from_setup(setup, CastlingMode::Standard)
        .or_else(PositionError::ignore_too_much_material)
        .unwrap()
}
