//! The models that were released as files of their own.

/// A model that was released as the file `NAME.onnx`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Released {
    /// Its name.
    pub name: &'static str,
    /// Bytes of its file.
    pub bytes: u64,
    /// BLAKE3 of its file, in hexadecimal.
    pub blake3: &'static str,
}

/// All of them, of every release.
const RELEASED: &[Released] = &[
    // `standard` and `max` of version 1.0.0.
    Released {
        name: "standard-1",
        bytes: 7_424_339,
        blake3: "ccde8ebd3e754d5f1fa98decd4103638d3b5d12bbdf051fa1ac01fe5c1191be8",
    },
    Released {
        name: "max-1",
        bytes: 32_754_370,
        blake3: "1d3cebd17a2a6f9355e14cc5498d8bccad065b6bfdb6c73f5d1a6741e3eaa8b7",
    },
    Released {
        name: "max",
        bytes: 38_860_033,
        blake3: "0e46909b98cce7749b1aedc6dcbf5a154d727acb16ba1506bce390b2ea928d85",
    },
];

/// Where the program comes from, as Cargo.toml says; it has no files before it has an address.
const REPOSITORY: &str = env!("CARGO_PKG_REPOSITORY");

/// A model that is asked for and not at hand.
#[derive(Debug, Clone, Copy)]
pub enum Needed<'a> {
    /// By its name.
    Named(&'a str),
    /// By the beginning of its BLAKE3 in hexadecimal, as archives name it.
    Hashed(&'a str),
}

impl Released {
    /// The released model with this BLAKE3 in hexadecimal.
    pub fn of_hash(blake3: &str) -> Option<Released> {
        RELEASED.iter().copied().find(|model| model.blake3 == blake3)
    }

    /// The newest released model of this name.
    pub fn of_name(name: &str) -> Option<Released> {
        RELEASED.iter().copied().rev().find(|model| model.name == name)
    }

    /// The released model that is needed.
    pub fn of(needed: Needed) -> Option<Released> {
        match needed {
            Needed::Named(name) => Released::of_name(name),
            Needed::Hashed(begin) => {
                RELEASED.iter().copied().find(|model| model.blake3.starts_with(begin))
            }
        }
    }

    /// Advice where to get its file, and how to put it in place.
    pub fn advice(&self) -> String {
        let Released { name, bytes, .. } = self;
        let place = match REPOSITORY.contains(".invalid/") {
            true => String::new(),
            false => format!(", {REPOSITORY}/releases"),
        };
        format!(
            "`{name}` is a file of its own, {name}.onnx of {} MB, that comes with each release{place}: `plyzip models \
             add {name}.onnx` puts it in place",
            bytes.div_ceil(1_000_000)
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn models_are_found_by_name_and_by_hash() {
        let max = Released::of_name("max").unwrap();
        assert_eq!(Released::of_hash(max.blake3), Some(max));
        assert_eq!(Released::of(Needed::Hashed(&max.blake3[..32])), Some(max));
        assert_eq!(Released::of(Needed::Named("max")), Some(max));
        let other = "0".repeat(32);
        for needed in [Needed::Named("standard"), Needed::Named(""), Needed::Hashed(&other)] {
            assert_eq!(Released::of(needed), None);
        }
        assert!(max.advice().contains("max.onnx of 39 MB"), "{}", max.advice());
    }
}
