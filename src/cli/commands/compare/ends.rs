//! Bits for the end of a game (RE) and for the way in which it ended (RT).

use plyzip::Result;
use plyzip_history::bits::BitString;
use plyzip_history::ordinal::{Termination, endings};
use shakmaty::Position;

use super::games::{Game, measure as measure_games};
use super::row::{Row, Size};

/// A row for each way in which Robison's first three systems tell where a game ends: bits of a game
/// beyond those of its moves. And one for the code of how it ended.
///
/// # Errors
/// Those of [`GameCode::encode`](plyzip_history::ordinal::GameCode::encode).
pub fn measure(games: &[Game]) -> Result<Vec<Row>> {
    let mut rows = vec![];
    for code in endings() {
        let row = measure_games(&code, games, |covered| {
            let mut bits = 0.0;
            for covered in covered {
                let moves = code.move_bits(&covered.game.start, &covered.game.moves)?;
                bits += covered.bits as f64 - moves;
            }
            Ok(Size::End { bits_per_game: bits / covered.len() as f64 })
        })?;
        rows.push(Row { bytes_per_game: None, ..row });
    }
    rows.push(terminations(games));
    Ok(rows)
}

/// RT: six bits for how a game ended, as far as its last position and its result tell.
fn terminations(games: &[Game]) -> Row {
    let (mut bits, mut known, mut same) = (0, 0, true);
    for game in games {
        let mut last = game.start.clone();
        game.moves.iter().for_each(|&played| last.play_unchecked(played));
        let termination = Termination::of(&last, game.outcome);
        let mut code = BitString::new();
        termination.write(&mut code);
        let mut reader = code.reader();
        same &= Termination::read(&mut reader).ok() == Some(termination) && reader.finish().is_ok();
        bits += code.len();
        known += usize::from(termination != Termination::Unknown);
    }
    Row {
        id: "RT".into(),
        name: format!("how the game ended, in six bits (the board tells it of {known} games)"),
        estimate: Some("6 bits".into()),
        size: Some(Size::End { bits_per_game: bits as f64 / games.len() as f64 }),
        games: games.len() as u64,
        round_trip: (!games.is_empty()).then_some(same),
        ..Row::default()
    }
}
