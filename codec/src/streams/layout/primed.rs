//! The state of the layout model before the first game.

use std::sync::Arc;

use super::page::Page;
use super::spelling::Script;
use super::{Layout, Original};
use crate::Result;
use crate::entropy::{Coder, Silent};
use crate::pgn::Item;
use crate::streams::warm::{self, MadeOnce};

/// Games of each form that are seen: a first one, and then others that are as expected.
const TIMES: usize = 3;

/// The state before the first game, after games in the forms of the common sources. No output is too long for it.
///
/// # Errors
/// None, but for games that do not parse.
pub(super) fn primed() -> Result<Arc<Layout>> {
    static PRIMED: MadeOnce<Arc<Layout>> = MadeOnce::new();
    let primed = PRIMED.get(|| {
        let mut layout = Layout::new(usize::MAX);
        prime(&mut layout, &mut Silent)?;
        Ok(layout.into())
    })?;
    Ok(Arc::clone(primed))
}

/// Sees the known games, which `coder` is told.
fn prime<C: Coder>(layout: &mut Layout, coder: &mut C) -> Result<()> {
    let text = warm::LAYOUTS;
    let document = warm::layouts()?;
    for ((item, atoms), range) in document.items.iter().zip(&document.atoms).zip(&document.ranges) {
        let Item::Game(game) = item else { continue };
        let original = Original {
            script: Script::read(game, text, atoms)?,
            page: Page { text, atoms },
            range: range.clone(),
        };
        for _ in 0..TIMES {
            layout.write_game(coder, game, &original)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Keeps the events themselves.
    struct Recorder(Vec<bool>);

    impl Coder for Recorder {
        const DECODING: bool = false;

        fn bit(&mut self, _: u32, bit: bool) -> Result<bool> {
            self.0.push(bit);
            Ok(bit)
        }

        fn symbol(&mut self, _: &[u32], symbol: usize) -> Result<usize> {
            Ok(symbol)
        }
    }

    /// Other decoders need not know how this one chooses profiles and rules: `layouts.events` tells them, a bit an event.
    /// With `PLYZIP_WRITE_EVENTS` set, this test writes the file.
    #[test]
    fn the_events_of_the_known_games_are_those_of_the_file() {
        let mut recorder = Recorder(vec![]);
        prime(&mut Layout::new(usize::MAX), &mut recorder).unwrap();
        let byte = |bits: &[bool]| {
            let shifted = bits.iter().enumerate().map(|(at, &bit)| u8::from(bit) << (7 - at));
            shifted.sum::<u8>()
        };
        let events: Vec<u8> = recorder.0.chunks(8).map(byte).collect();
        if std::env::var_os("PLYZIP_WRITE_EVENTS").is_some() {
            let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/streams/warm/layouts.events");
            std::fs::write(path, &events).unwrap();
        }
        assert!(events == include_bytes!("../warm/layouts.events"));
    }
}
