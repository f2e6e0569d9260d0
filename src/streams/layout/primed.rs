//! Layouts that are known before the first game.

use super::page::Page;
use super::spelling::Script;
use super::{Layout, Original};
use crate::Result;
use crate::entropy::Silent;
use crate::pgn::{self, Item};
use crate::streams::warm;

/// So many games of each form are seen: a first one, and then others that are as expected.
const TIMES: usize = 3;

impl Layout {
    /// The state before the first game, after games in the forms of the common sources.
    ///
    /// # Errors
    /// None, but for games that do not parse.
    pub(super) fn primed(limit: usize) -> Result<Layout> {
        // What is known beforehand may be longer than the block.
        let mut layout = Layout::new(usize::MAX);
        let text = warm::LAYOUTS;
        let document = pgn::parse(text);
        for ((item, atoms), range) in
            document.items.iter().zip(&document.atoms).zip(&document.ranges)
        {
            let Item::Game(game) = item else { continue };
            let original = Original {
                script: Script::read(game, text, atoms)?,
                page: Page { text, atoms },
                range: range.clone(),
            };
            for _ in 0..TIMES {
                layout.write_game(&mut Silent, game, &original)?;
            }
        }
        layout.set_limit(limit);
        Ok(layout)
    }
}
