//! The only file in a zip.

use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::Path;

use flate2::bufread::DeflateDecoder;
use plyzip::{Error, Result};
use rawzip::{CompressionMethod, RECOMMENDED_BUFFER_SIZE, ZipArchive, ZipArchiveEntryWayfinder};

use super::super::named::at;
use super::{AS_IS, Counted, Taken, Unpacking};
use crate::cli::shown::cut;

/// More names than this are not listed.
const LISTED: usize = 10;

/// Longer names are cut, in letters.
const LONGEST_NAME: usize = 60;

/// A member of the archive.
struct Member {
    place: ZipArchiveEntryWayfinder,
    method: CompressionMethod,
    compressed_bytes: u64,
    encrypted: bool,
}

/// Has `work` read the only file in `zip`; it is also told how many compressed bytes that takes.
///
/// # Errors
/// Those of `work`; [`Error::Usage`] if there are several files, or none; [`Error::Io`] if the zip is damaged, or if
/// the file is encrypted or compressed in another way than by deflate.
pub fn read_only_member<T>(
    zip: File,
    name: &Path,
    unpacking: Unpacking,
    taken: &Taken,
    work: impl FnOnce(&mut dyn Read, Option<u64>) -> Result<T>,
) -> Result<T> {
    let advice = unpacking.advice(AS_IS);
    let damaged = |error: rawzip::Error| wrong(name, &format!("damaged zip: {error}{advice}"));
    let length = zip.metadata().map_err(|error| at(name, &error))?.len();
    let mut buffer = vec![0; RECOMMENDED_BUFFER_SIZE];
    let archive = ZipArchive::from_file(zip, &mut buffer).map_err(damaged)?;
    if archive.end_offset() != length {
        return Err(wrong(name, &format!("damaged zip: something follows its end{advice}")));
    }
    let (mut first, mut seen) = (u64::MAX, 0);
    let (mut only, mut names, mut files) = (None, vec![], 0);
    let mut entries = archive.entries(&mut buffer);
    while let Some(entry) = entries.next_entry().map_err(damaged)? {
        seen += 1;
        first = first.min(entry.local_header_offset());
        let path = entry.file_path();
        let path: &[u8] = path.as_ref();
        // What macOS adds to each file is of no use elsewhere.
        if entry.is_dir() || path.starts_with(b"__MACOSX/") {
            continue;
        }
        files += 1;
        if names.len() < LISTED {
            names.push(cut(&String::from_utf8_lossy(path), LONGEST_NAME).into_owned());
        }
        only = Some(Member {
            place: entry.wayfinder(),
            method: entry.compression_method(),
            compressed_bytes: entry.compressed_size_hint(),
            encrypted: entry.flags().is_encrypted(),
        });
    }
    // What is in the file and not in its directory would be lost without a word.
    if seen != archive.entries_hint() || first != 0 && seen > 0 {
        return Err(wrong(
            name,
            &format!("damaged zip: its directory does not have all that is in it{advice}"),
        ));
    }
    let Some(member) = only.filter(|_| files == 1) else {
        return Err(not_one(name, unpacking, files, &names));
    };
    if member.encrypted {
        return Err(wrong(name, "is an encrypted zip (unzip it first)"));
    }
    let entry = archive.get_entry(member.place).map_err(damaged)?;
    let source = BufReader::new(Counted { source: entry.reader(), taken });
    let length = Some(member.compressed_bytes);
    match member.method {
        CompressionMethod::STORE => work(&mut entry.verifying_reader(source), length),
        CompressionMethod::DEFLATE => {
            work(&mut entry.verifying_reader(DeflateDecoder::new(source)), length)
        }
        _ => Err(wrong(name, "is a zip that is not compressed by deflate (unzip it first)")),
    }
}

/// What is said of a zip that has not exactly one file in it.
fn not_one(name: &Path, unpacking: Unpacking, files: u64, names: &[String]) -> Error {
    let name = name.display();
    if files == 0 {
        let advice = unpacking.advice(" (--as-is keeps it)");
        return Error::Usage(format!("{name}: is a zip with no file in it{advice}"));
    }
    let more = if files > names.len() as u64 { ", ..." } else { "" };
    let advice = match unpacking {
        Unpacking::Always => "unzip it first",
        _ => "unzip them to compress each, --as-is keeps the zip",
    };
    Error::Usage(format!(
        "{name}: is a zip of {files} files: {}{more} ({advice})",
        names.join(", ")
    ))
}

fn wrong(name: &Path, what: &str) -> Error {
    at(name, &io::Error::new(io::ErrorKind::InvalidData, what))
}
