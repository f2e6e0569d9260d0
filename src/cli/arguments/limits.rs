//! Options that limit what an archive may ask for.

use clap::Args;
use plyzip::ModelStore;
use plyzip::archive::{Limits, ReaderOptions};

/// Limits for archives of strangers.
#[derive(Debug, Clone, Copy, Default, Args)]
pub struct LimitArguments {
    /// Refuse archives of more than N bytes of PGN, or of those before they are written. N may end with K, M or G
    /// (powers of 1024), as in 2G
    #[arg(long, value_name = "N", value_parser = bytes, help_heading = "Limits")]
    pub max_output: Option<u64>,
    /// Refuse archives of more than N games
    #[arg(long, value_name = "N", help_heading = "Limits")]
    pub max_games: Option<u64>,
    /// Refuse blocks of more than N bytes of PGN, which the memory depends on [default: 64M]
    #[arg(long, value_name = "N", value_parser = bytes, help_heading = "Limits")]
    pub max_block: Option<u64>,
}

impl LimitArguments {
    /// The options of a reader: these limits, the models of the system, and the one of this name or path.
    pub(in crate::cli) fn reader_options(
        self,
        model: Option<&str>,
    ) -> plyzip::Result<ReaderOptions> {
        let store = ModelStore::of_system();
        let model = model.map(|model| store.open(model)).transpose()?;
        Ok(ReaderOptions::new().limits(self.limits()).model(model).store(store))
    }

    /// The limits of the library, lowered or raised.
    pub(in crate::cli) fn limits(self) -> Limits {
        let usual = Limits::default();
        let block = self.max_block.unwrap_or(usual.block_original);
        // What does not shrink may grow a little.
        let more = usual.block_payload - usual.block_original;
        usual
            .original(self.max_output.unwrap_or(usual.original))
            .games(self.max_games.unwrap_or(usual.games))
            .block_original(block)
            .block_payload(block.saturating_add(more))
    }
}

/// A number of bytes.
fn bytes(text: &str) -> Result<u64, String> {
    let (digits, unit) = match text.char_indices().last() {
        Some((end, 'k' | 'K')) => (&text[..end], 10),
        Some((end, 'm' | 'M')) => (&text[..end], 20),
        Some((end, 'g' | 'G')) => (&text[..end], 30),
        _ => (text, 0),
    };
    let number: Option<u64> = digits.parse().ok();
    let number = number.and_then(|number| number.checked_mul(1 << unit));
    number.ok_or_else(|| "a number of bytes is digits, and perhaps K, M or G".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_have_units() {
        let found = ["0", "17", "3K", "64m", "2G"].map(|text| bytes(text).unwrap());
        assert_eq!(found, [0, 17, 3 << 10, 64 << 20, 2 << 30]);
        for text in ["", "K", "-1", "1.5G", "1 K", "1KB", "99999999999G", "1é"] {
            assert!(bytes(text).is_err(), "{text}");
        }
    }

    #[test]
    fn without_options_the_limits_are_the_librarys() {
        assert_eq!(LimitArguments::default().limits(), Limits::default());
    }
}
