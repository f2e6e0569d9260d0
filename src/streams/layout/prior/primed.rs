//! Layouts that are known before the first game.

use std::sync::Arc;

use crate::Result;
use crate::entropy::Silent;
use crate::pgn::Item;
use crate::streams::layout::page::Page;
use crate::streams::layout::spelling::Script;
use crate::streams::layout::{Layout, Original};
use crate::streams::warm::{self, MadeOnce};

/// So many games of each form are seen: a first one, and then others that are as expected.
const TIMES: usize = 3;

/// The state before the first game, after games in the forms of the common sources. No output is too long for it.
///
/// # Errors
/// None, but for games that do not parse.
pub(super) fn primed() -> Result<Arc<Layout>> {
    static PRIMED: MadeOnce<Arc<Layout>> = MadeOnce::new();
    let primed = PRIMED.get(|| {
        let mut layout = Layout::new(usize::MAX);
        let text = warm::LAYOUTS;
        let document = warm::layouts()?;
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
        Ok(layout.into())
    })?;
    Ok(Arc::clone(primed))
}
