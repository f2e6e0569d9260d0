//! Lists the games of an archive on a web server, or extracts one, and fetches no more of the archive than that takes:
//!
//! ```sh
//! cargo run --release --example http_ranges -- http://localhost:8000/games.plz       # the players of all games
//! cargo run --release --example http_ranges -- http://localhost:8000/games.plz 17    # the 17th game
//! ```
//!
//! The server has to serve ranges, as nginx, Apache and Caddy do. With an index beside the archive (`plyzip index`) a
//! game takes no model.

use std::env;
use std::error::Error;
use std::io::{self, Write};
use std::ops::Range;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use plyzip::ModelStore;
use plyzip::archive::{AllGames, IndexedReader, MovesIndex, RangeReader, ReaderOptions};
use plyzip::pgn::tag_text;

/// Seconds that the server may take for an answer.
const PATIENCE: u64 = 30;

/// Bytes that have come from the server.
type Fetched = Arc<AtomicUsize>;

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let (address, game) = match &arguments[..] {
        [address] => (address, None),
        [address, game] => (address, Some(game)),
        _ => {
            eprintln!("usage: http_ranges ADDRESS [GAME]");
            return ExitCode::FAILURE;
        }
    };
    match run(address, game.map(String::as_str)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{address}: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(address: &str, game: Option<&str>) -> Result<(), Box<dyn Error>> {
    let fetched = Fetched::default();
    let source = open(address, &fetched)?;
    let mut out = io::stdout().lock();
    match game {
        None => {
            IndexedReader::open(source)?.select(&AllGames).tags(|number, tags| {
                let value = |name: &str| {
                    let tag = tags.iter().find(|tag| tag.name == name.as_bytes());
                    tag.map(|tag| tag_text(&tag.value)).unwrap_or_default()
                };
                let (white, black) = (value("White"), value("Black"));
                Ok(writeln!(out, "{} {white} - {black} {}", number + 1, value("Result"))?)
            })?;
        }
        Some(game) => {
            let number: u64 = game.parse()?;
            // Whatever is wrong with an index, the archive answers without it.
            let index = open(&format!("{address}.idx"), &fetched);
            let index = index.ok().and_then(|source| MovesIndex::open(source).ok());
            let store = ModelStore::of_system();
            let options = ReaderOptions::new().index(index).store(store);
            let mut reader = IndexedReader::with_options(source, options)?;
            out.write_all(&reader.game(number.checked_sub(1).ok_or("games count from 1 on")?)?)?;
        }
    }
    eprintln!("{} bytes fetched", fetched.load(Ordering::Relaxed));
    Ok(())
}

/// What tells a version of a file from others.
#[derive(Debug, PartialEq, Eq)]
struct Version([Option<String>; 2]);

impl Version {
    fn of(response: &minreq::Response) -> Version {
        Version(["ETag", "Last-Modified"].map(|name| header(response, name).map(str::to_owned)))
    }
}

fn header<'a>(response: &'a minreq::Response, name: &'a str) -> Option<&'a str> {
    response.headers(name).next()
}

/// Fetches a range of bytes.
type Fetch = Box<dyn FnMut(Range<u64>) -> io::Result<Vec<u8>> + Send>;

/// A reader of the file at an address.
fn open(address: &str, fetched: &Fetched) -> io::Result<RangeReader<Fetch>> {
    let response = minreq::head(address).with_timeout(PATIENCE).send().map_err(io::Error::other)?;
    if response.status_code != 200 {
        return Err(io::Error::other(format!("status {}", response.status_code)));
    }
    let length = header(&response, "Content-Length").and_then(|length| length.parse().ok());
    let length: u64 = length.ok_or_else(|| io::Error::other("a file of unknown length"))?;
    let version = Version::of(&response);
    let (address, fetched) = (address.to_owned(), fetched.clone());
    let fetch = move |range: Range<u64>| {
        let bytes = format!("bytes={}-{}", range.start, range.end - 1);
        let request = minreq::get(&address).with_header("Range", &bytes).with_timeout(PATIENCE);
        let response = request.send().map_err(io::Error::other)?;
        match response.status_code {
            206 if Version::of(&response) == version => {}
            206 | 416 => return Err(io::Error::other("the file has changed meanwhile")),
            200 => return Err(io::Error::other("the server serves no ranges")),
            status => return Err(io::Error::other(format!("status {status}"))),
        }
        let bytes = response.into_bytes();
        fetched.fetch_add(bytes.len(), Ordering::Relaxed);
        Ok(bytes)
    };
    Ok(RangeReader::new(length, Box::new(fetch)))
}
