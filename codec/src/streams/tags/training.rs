//! Functions for the training tools: learning from the tags of many games, and the cost of each tag.

use super::new_players::NewPlayers;
use super::noted_in;
use super::openings::{Openings, column_name};
use super::tagger::Tagger;
use crate::Result;
use crate::entropy::{Coder, Meter};
use crate::pgn::Game;
use crate::streams::values::Interner;
use crate::streams::warm::{Trainer, WarmTables};

/// The cost of the tags of `games` in all, in bits, by the names of the tags; `names` stands for the
/// names themselves. Models begin with `tables`.
///
/// # Errors
/// None that a caller could cause.
pub fn surprisal(games: &[Game], tables: &WarmTables<'_>) -> Result<Meter> {
    let mut meter = Meter::default();
    let mut tagger = Tagger::new(games.len(), usize::MAX, tables)?;
    let mut openings = Openings::new(games.len(), usize::MAX, tables)?;
    let mut names = Vec::new();
    for game in games {
        tagger.early(&mut meter, &game.tags, None, &mut noted_in(&mut names))?;
        openings.code(&mut meter, game)?;
    }
    meter.enter(b"new players");
    let mut new_players = NewPlayers::new(games.len(), tables)?;
    for name in names {
        new_players.code(&mut meter, &name, usize::MAX)?;
    }
    Ok(meter)
}

/// Has the mixers of a trainer learn from the tags of `games`, as a document of its own.
///
/// # Errors
/// [`Error::Model`](crate::Error::Model) if the tables are no such tables.
pub fn train(trainer: &mut Trainer, tables: &WarmTables<'_>, games: &[Game]) -> Result<()> {
    let mut meter = Meter::default();
    let mut tagger = Tagger::new(games.len(), usize::MAX, tables)?;
    trainer.swap(&mut tagger);
    let mut names = Vec::new();
    for game in games {
        tagger.early(&mut meter, &game.tags, None, &mut noted_in(&mut names))?;
    }
    trainer.swap(&mut tagger);
    let mut new_players = NewPlayers::new(games.len(), tables)?;
    trainer.swap(&mut new_players);
    for name in names {
        new_players.code(&mut meter, &name, usize::MAX)?;
    }
    trainer.swap(&mut new_players);
    let mut openings = Openings::new(games.len(), usize::MAX, tables)?;
    trainer.swap(&mut openings);
    for game in games {
        openings.code(&mut meter, game)?;
    }
    trainer.swap(&mut openings);
    Ok(())
}

/// The number under which tables keep what positions are called in a column.
pub fn column(tag: &[u8], online: bool) -> u32 {
    Interner::default().intern(&column_name(tag, online))
}
