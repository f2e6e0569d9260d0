//! The kind of a file, by the bytes that it begins with.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use plyzip::archive::MAGIC;

/// How many bytes are looked at.
const HEAD: u64 = 1 << 10;

/// A format that a PGN may be compressed in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// Of gzip.
    Gzip,
    /// Of bzip2.
    Bzip2,
    /// Of xz.
    Xz,
    /// Of Zstandard.
    Zstd,
    /// Of zip, with members.
    Zip,
}

impl Format {
    /// The format of what begins with `head`.
    fn of(head: &[u8]) -> Option<Format> {
        let is_bzip2 = |head: &[u8]| {
            let (magic, block) = (head.get(..4)?, head.get(4..10)?);
            // A block, or the end of a stream without any.
            let known = [*b"\x31\x41\x59\x26\x53\x59", *b"\x17\x72\x45\x38\x50\x90"];
            let level = magic[3].is_ascii_digit() && magic[3] != b'0';
            (magic.starts_with(b"BZh") && level && known.iter().any(|known| known == block))
                .then_some(())
        };
        match head {
            [0x1F, 0x8B, 8, ..] => Some(Format::Gzip),
            [0xFD, b'7', b'z', b'X', b'Z', 0, ..] => Some(Format::Xz),
            // A frame, or one to be skipped.
            [0x28, 0xB5, 0x2F, 0xFD, ..] | [0x50..=0x5F, 0x2A, 0x4D, 0x18, ..] => {
                Some(Format::Zstd)
            }
            // A member, or the directory of an archive without any.
            [b'P', b'K', 3, 4, ..] | [b'P', b'K', 5, 6, ..] => Some(Format::Zip),
            _ => is_bzip2(head).map(|()| Format::Bzip2),
        }
    }

    /// Its name in messages.
    pub fn name(self) -> &'static str {
        match self {
            Format::Gzip => "gzip",
            Format::Bzip2 => "bzip2",
            Format::Xz => "xz",
            Format::Zstd => "zstd",
            Format::Zip => "zip",
        }
    }

    /// The command that writes what is inside to standard output.
    pub fn unpacker(self) -> &'static str {
        match self {
            Format::Gzip => "gzip -dc",
            Format::Bzip2 => "bzip2 -dc",
            Format::Xz => "xz -dc",
            Format::Zstd => "zstd -dc --long=31",
            Format::Zip => "unzip -p",
        }
    }

    /// The extensions of such files.
    pub fn extensions(self) -> &'static [&'static str] {
        match self {
            Format::Gzip => &["gz"],
            Format::Bzip2 => &["bz2"],
            Format::Xz => &["xz"],
            Format::Zstd => &["zst", "zstd"],
            Format::Zip => &["zip"],
        }
    }

    /// Whether a file of this name says that it has this format.
    pub fn is_named_by(self, path: &Path) -> bool {
        let extension = path.extension().unwrap_or_default();
        self.extensions().iter().any(|known| extension.eq_ignore_ascii_case(known))
    }

    /// All formats.
    pub const ALL: [Format; 5] =
        [Format::Gzip, Format::Bzip2, Format::Xz, Format::Zstd, Format::Zip];
}

/// The kind of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// An archive of plyzip.
    Archive,
    /// Something that another program has compressed.
    Packed(Format),
    /// A PGN.
    Pgn,
    /// Something else.
    Other,
}

impl Kind {
    /// The kind of a file that begins with `head`.
    pub fn of(head: &[u8]) -> Kind {
        if head.starts_with(&MAGIC) {
            return Kind::Archive;
        }
        if let Some(format) = Format::of(head) {
            return Kind::Packed(format);
        }
        let text = head.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(head).trim_ascii_start();
        let is_tag = matches!(text, [b'[', letter, ..] if letter.is_ascii_alphabetic());
        match is_tag || text.starts_with(b"1. ") || text.starts_with(b"1.e4") {
            true => Kind::Pgn,
            false => Kind::Other,
        }
    }

    /// The kind of the file at `path`, if it is one that can be read.
    pub fn of_file(path: &Path) -> Option<Kind> {
        let file = File::open(path).ok()?;
        if !file.metadata().ok()?.is_file() {
            return None;
        }
        Some(Kind::of(&head(file).ok()?))
    }
}

/// The first bytes of `source`, as many as it takes to know what it is.
pub fn head(source: impl Read) -> io::Result<Vec<u8>> {
    let mut head = vec![];
    source.take(HEAD).read_to_end(&mut head)?;
    Ok(head)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_known_by_their_first_bytes() {
        for (head, kind) in [
            (&b"\xC1PLZ\x03"[..], Kind::Archive),
            (b"[Event \"A\"]", Kind::Pgn),
            (b"\xEF\xBB\xBF\r\n[Event \"A\"]", Kind::Pgn),
            (b"\x1F\x8B\x08\0", Kind::Packed(Format::Gzip)),
            (b"\x1F\x8B\x07\0", Kind::Other),
            (b"BZh91AY&SY..", Kind::Packed(Format::Bzip2)),
            (b"BZh9\x17\x72\x45\x38\x50\x90", Kind::Packed(Format::Bzip2)),
            (b"BZh9 is how a text begins", Kind::Other),
            (b"\xFD7zXZ\0", Kind::Packed(Format::Xz)),
            (b"\x28\xB5\x2F\xFD", Kind::Packed(Format::Zstd)),
            (b"\x50\x2A\x4D\x18", Kind::Packed(Format::Zstd)),
            (b"PK\x03\x04", Kind::Packed(Format::Zip)),
            (b"PK are letters", Kind::Other),
            (b"", Kind::Other),
            (b"[", Kind::Other),
        ] {
            assert_eq!(Kind::of(head), kind, "{head:?}");
        }
    }
}
