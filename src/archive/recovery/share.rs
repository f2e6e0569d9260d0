//! The share of parity that is asked for.

use std::fmt;
use std::str::FromStr;

/// A share of an archive's bytes, from a thousandth to all of them. Its text is a percentage such as `1%` or `0.5%`.
///
/// ```
/// use plyzip::archive::Share;
/// let share: Share = "3%".parse()?;
/// assert_eq!(share.of(1_000), 30);
/// assert!("200%".parse::<Share>().is_err());
/// # Ok::<(), String>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Share {
    /// Hundredths of a percent, from 10 to 10,000.
    hundredths: u32,
}

impl Share {
    /// What `parity` is of `bytes`, rounded, as far as it is a share.
    pub(crate) fn of_bytes(parity: u64, bytes: u64) -> Share {
        let hundredths = (u128::from(parity) * 20_000 / u128::from(bytes.max(1))).div_ceil(2);
        Share { hundredths: hundredths.clamp(10, 10_000) as u32 }
    }

    /// So many bytes of `bytes`, rounded up.
    pub fn of(self, bytes: u64) -> u64 {
        let share = (u128::from(bytes) * u128::from(self.hundredths)).div_ceil(10_000);
        u64::try_from(share).unwrap_or(u64::MAX)
    }
}

impl Default for Share {
    /// 1 %.
    fn default() -> Share {
        Share { hundredths: 100 }
    }
}

impl fmt::Display for Share {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.hundredths / 100)?;
        match self.hundredths % 100 {
            0 => {}
            rest if rest % 10 == 0 => write!(f, ".{}", rest / 10)?,
            rest => write!(f, ".{rest:02}")?,
        }
        f.write_str("%")
    }
}

impl FromStr for Share {
    type Err = String;

    fn from_str(text: &str) -> Result<Share, String> {
        let wrong = || "a share is 0.1% to 100%".to_owned();
        let number = text.strip_suffix('%').unwrap_or(text);
        let (whole, fraction) = number.split_once('.').unwrap_or((number, "0"));
        let digits =
            |text: &str| (1..=5).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_digit());
        if !digits(whole) || !digits(fraction) || fraction.len() > 2 {
            return Err(wrong());
        }
        let whole: u32 = whole.parse().map_err(|_| wrong())?;
        let fraction: u32 = format!("{fraction:0<2}").parse().map_err(|_| wrong())?;
        let hundredths = whole * 100 + fraction;
        match (10..=10_000).contains(&hundredths) {
            true => Ok(Share { hundredths }),
            false => Err(wrong()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_percentages() {
        for (text, bytes) in [("1%", 10), ("0.1%", 1), ("3", 30), ("12.5%", 125), ("100%", 1000)] {
            let share: Share = text.parse().unwrap();
            assert_eq!(share.of(1000), bytes, "{text}");
            assert_eq!(share.to_string().parse::<Share>(), Ok(share));
        }
        for text in ["", "%", "0%", "0.09%", "100.1%", "-1%", "1.234%", "1e1", ".5%", "999999%"] {
            assert!(text.parse::<Share>().is_err(), "{text}");
        }
    }
}
