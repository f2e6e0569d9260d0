//! Reading from what gives ranges of bytes, such as a web server, with few and small requests.

use std::collections::{HashMap, VecDeque};
use std::fmt;
use std::io::{self, Read, Seek, SeekFrom};
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

/// Bytes that are kept or not kept together. Requests begin and end at multiples of it.
const BLOCK: u64 = 1 << 12;
/// The shortest request: a shorter one takes about as long.
const SHORTEST: u64 = 2 * BLOCK;
/// The longest request.
const LONGEST: u64 = 1 << 20;
/// A request that goes on where the last one ended asks for this part of all bytes that were read in a row, so that no
/// more than it is fetched in vain.
const READ_AHEAD: u64 = 4;
/// Bytes that are kept. The oldest go first.
const KEPT: u64 = 64 << 20;

/// [`Read`] and [`Seek`] over a function that fetches ranges of bytes, as a web server serves them: an
/// [`IndexedReader`](super::IndexedReader) that reads from it fetches what it needs of an archive, and a
/// [`MovesIndex`](super::MovesIndex) of its index.
///
/// What was fetched is kept, up to 64 MiB, and clones share it. A request asks for 8 KiB at least, and for more where
/// reading goes on from one request to the next: a quarter of what was read in a row, and 1 MiB at most.
///
/// ```
/// use std::io::Cursor;
/// use std::ops::Range;
/// use plyzip::archive::{ArchiveWriter, IndexedReader, RangeReader};
/// # use plyzip::Model;
/// # let mut writer = ArchiveWriter::new(Vec::new(), Model::none())?;
/// # writer.push(b"[Event \"A\"]\n\n1. e4 *\n\n[Event \"B\"]\n\n1. d4 *\n")?;
/// # let archive = writer.finish()?.0;
/// let length = archive.len() as u64;
/// let fetch = move |range: Range<u64>| Ok(archive[range.start as usize..range.end as usize].to_vec());
/// let mut reader = IndexedReader::open(RangeReader::new(length, fetch))?;
/// assert_eq!(reader.game(1)?, b"[Event \"B\"]\n\n1. d4 *\n");
/// # Ok::<(), plyzip::Error>(())
/// ```
pub struct RangeReader<F> {
    fetched: Arc<Mutex<Fetched<F>>>,
    length: u64,
    position: u64,
}

/// What was fetched, and what fetches more.
struct Fetched<F> {
    fetch: F,
    length: u64,
    /// By number; the last one may be shorter than the others.
    blocks: HashMap<u64, Box<[u8]>>,
    /// The numbers of those that are kept, the oldest first.
    order: VecDeque<u64>,
    /// The bytes that the last requests fetched in a row.
    run: Range<u64>,
}

impl<F> fmt::Debug for RangeReader<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let RangeReader { length, position, .. } = self;
        f.debug_struct("RangeReader")
            .field("length", length)
            .field("position", position)
            .finish_non_exhaustive()
    }
}

/// A reader of the same bytes with a position of its own. Both share what either fetches.
impl<F> Clone for RangeReader<F> {
    fn clone(&self) -> RangeReader<F> {
        RangeReader { fetched: self.fetched.clone(), length: self.length, position: self.position }
    }
}

impl<F: FnMut(Range<u64>) -> io::Result<Vec<u8>>> RangeReader<F> {
    /// A reader of `length` bytes. `fetch` is asked for ranges of them that are not empty, and has to give all bytes of
    /// a range, or an error. What it does again after an error, such as another request, is its own affair.
    pub fn new(length: u64, fetch: F) -> RangeReader<F> {
        let (blocks, order) = (HashMap::new(), VecDeque::new());
        let fetched = Fetched { fetch, length, blocks, order, run: 0..0 };
        RangeReader { fetched: Arc::new(Mutex::new(fetched)), length, position: 0 }
    }

    /// Takes the first bytes, if they are known already. Those beyond the last whole block are passed over.
    pub fn with_head(self, head: &[u8]) -> RangeReader<F> {
        let mut fetched = self.fetched.lock().unwrap_or_else(PoisonError::into_inner);
        let head = &head[..head.len().min(usize::try_from(self.length).unwrap_or(usize::MAX))];
        let whole = match head.len() as u64 == self.length {
            true => head.len(),
            false => head.len() - head.len() % BLOCK as usize,
        };
        fetched.keep(0, &head[..whole]);
        fetched.run = 0..whole as u64;
        drop(fetched);
        self
    }
}

impl<F: FnMut(Range<u64>) -> io::Result<Vec<u8>>> Fetched<F> {
    /// Block `number`, which is within the length.
    fn block(&mut self, number: u64) -> io::Result<&[u8]> {
        if !self.blocks.contains_key(&number) {
            let range = self.request(number);
            let bytes = (self.fetch)(range.clone())?;
            if bytes.len() as u64 != range.end - range.start {
                let what = format!(
                    "{} bytes came where {} were asked for",
                    bytes.len(),
                    range.end - range.start
                );
                return Err(io::Error::new(io::ErrorKind::InvalidData, what));
            }
            self.keep(range.start / BLOCK, &bytes);
            self.run = match self.run.end == range.start {
                true => self.run.start..range.end,
                false => range,
            };
        }
        let block = self.blocks.get(&number);
        block.map(|block| &block[..]).ok_or_else(|| io::Error::other("a block that was not kept"))
    }

    /// What is to be fetched when block `number` is needed.
    fn request(&self, number: u64) -> Range<u64> {
        let mut start = number * BLOCK;
        let run = match self.run.end == start {
            true => self.run.end - self.run.start,
            false => 0,
        };
        let wanted = (run / READ_AHEAD / BLOCK * BLOCK).clamp(SHORTEST, LONGEST);
        // At the end, what is before it is as likely to be read.
        if self.length - start < SHORTEST {
            start = self.length.saturating_sub(SHORTEST).next_multiple_of(BLOCK).min(start);
        }
        // Nothing is fetched again.
        while start < number * BLOCK && self.blocks.contains_key(&(start / BLOCK)) {
            start += BLOCK;
        }
        let mut end = (number + 1) * BLOCK;
        while end < start + wanted && !self.blocks.contains_key(&(end / BLOCK)) {
            end += BLOCK;
        }
        start..end.min(self.length)
    }

    /// Keeps the blocks from `first` on that `bytes` are.
    fn keep(&mut self, first: u64, bytes: &[u8]) {
        for (number, block) in (first..).zip(bytes.chunks(BLOCK as usize)) {
            if self.blocks.insert(number, block.into()).is_none() {
                self.order.push_back(number);
            }
        }
        while self.order.len() as u64 > KEPT / BLOCK {
            let oldest = self.order.pop_front();
            oldest.and_then(|oldest| self.blocks.remove(&oldest));
        }
    }
}

impl<F: FnMut(Range<u64>) -> io::Result<Vec<u8>>> Read for RangeReader<F> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.position >= self.length || buffer.is_empty() {
            return Ok(0);
        }
        let mut fetched = self.fetched.lock().unwrap_or_else(PoisonError::into_inner);
        let block = fetched.block(self.position / BLOCK)?;
        // No more than is there without another request.
        let rest = block.get((self.position % BLOCK) as usize..).unwrap_or_default();
        let count = rest.len().min(buffer.len());
        buffer[..count].copy_from_slice(&rest[..count]);
        self.position += count as u64;
        Ok(count)
    }
}

impl<F> Seek for RangeReader<F> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let position = match to {
            SeekFrom::Start(position) => Some(position),
            SeekFrom::End(offset) => self.length.checked_add_signed(offset),
            SeekFrom::Current(offset) => self.position.checked_add_signed(offset),
        };
        let before =
            || io::Error::new(io::ErrorKind::InvalidInput, "a place before the first byte");
        self.position = position.ok_or_else(before)?;
        Ok(self.position)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LENGTH: u64 = 1_000_000;

    /// The byte at a place.
    fn byte(place: u64) -> u8 {
        (place * 7 + place / 251) as u8
    }

    type Asked = Arc<Mutex<Vec<Range<u64>>>>;
    type Fetch = Box<dyn FnMut(Range<u64>) -> io::Result<Vec<u8>>>;

    /// A reader of so many bytes, and what it asks for.
    fn reader(length: u64) -> (RangeReader<Fetch>, Asked) {
        let asked = Asked::default();
        let log = asked.clone();
        let fetch = move |range: Range<u64>| {
            assert!(range.start < range.end && range.end <= length, "{range:?}");
            log.lock().unwrap().push(range.clone());
            Ok(range.map(byte).collect())
        };
        (RangeReader::new(length, Box::new(fetch)), asked)
    }

    fn read<R: Read + Seek>(reader: &mut R, range: Range<u64>) {
        reader.seek(SeekFrom::Start(range.start)).unwrap();
        let mut bytes = vec![0; (range.end - range.start) as usize];
        reader.read_exact(&mut bytes).unwrap();
        assert!(bytes.into_iter().eq(range.clone().map(byte)), "{range:?}");
    }

    #[test]
    fn reads_what_is_there() {
        for length in [0, 1, BLOCK - 1, BLOCK, SHORTEST, SHORTEST + 1, 3 * BLOCK + 5] {
            let (mut reader, asked) = reader(length);
            let mut bytes = vec![];
            reader.read_to_end(&mut bytes).unwrap();
            assert!(bytes.into_iter().eq((0..length).map(byte)), "{length}");
            let asked: u64 =
                asked.lock().unwrap().iter().map(|range| range.end - range.start).sum();
            assert_eq!(asked, length);
        }
    }

    #[test]
    fn nothing_is_fetched_twice() {
        let (mut first, asked) = reader(LENGTH);
        let mut second = first.clone();
        read(&mut first, 500_000..500_100);
        read(&mut second, 499_990..500_100);
        read(&mut first, 490_000..520_000);
        read(&mut second, 0..LENGTH);
        let mut asked = asked.lock().unwrap().clone();
        let before = asked.len();
        asked.sort_by_key(|range| range.start);
        assert_eq!((asked[0].start, asked[before - 1].end), (0, LENGTH));
        assert!(asked.windows(2).all(|pair| pair[0].end == pair[1].start), "{asked:?}");
    }

    #[test]
    fn little_is_fetched_in_vain() {
        // A list of games: the end, then the columns.
        let (mut one, asked) = reader(LENGTH);
        read(&mut one, LENGTH - 4..LENGTH);
        read(&mut one, LENGTH - 200..LENGTH);
        read(&mut one, 0..37_000);
        let ranges = asked.lock().unwrap().clone();
        let bytes: u64 = ranges.iter().map(|range| range.end - range.start).sum();
        assert!(ranges.len() <= 6 && bytes <= 37_000 + 2 * SHORTEST, "{ranges:?}");
        // Much in a row: few requests, and no more than a part of it too much.
        let (mut all, asked) = reader(100 * LENGTH);
        read(&mut all, 0..40 * LENGTH);
        let ranges = asked.lock().unwrap().clone();
        let bytes: u64 = ranges.iter().map(|range| range.end - range.start).sum();
        assert!(ranges.len() < 80 && bytes <= 40 * LENGTH + LONGEST, "{}: {bytes}", ranges.len());
    }

    #[test]
    fn the_end_comes_with_what_is_before_it() {
        let length = 100 * BLOCK + 3;
        let (mut reader, asked) = reader(length);
        read(&mut reader, length - 2..length);
        read(&mut reader, length - 1000..length);
        assert_eq!(asked.lock().unwrap().as_slice(), std::slice::from_ref(&(99 * BLOCK..length)));
    }

    #[test]
    fn what_is_kept_has_a_limit() {
        let (mut reader, _) = reader(3 * KEPT / 2);
        read(&mut reader, 0..3 * KEPT / 2);
        let fetched = reader.fetched.lock().unwrap();
        let kept: usize = fetched.blocks.values().map(|block| block.len()).sum();
        assert_eq!((kept as u64, fetched.order.len() as u64), (KEPT, KEPT / BLOCK));
    }

    #[test]
    fn a_head_is_not_fetched() {
        let head: Vec<u8> = (0..SHORTEST + 100).map(byte).collect();
        let (one, asked) = reader(LENGTH);
        let mut one = one.with_head(&head);
        read(&mut one, 0..SHORTEST + 1);
        assert_eq!(
            asked.lock().unwrap().as_slice(),
            std::slice::from_ref(&(SHORTEST..2 * SHORTEST))
        );
        // A head that is all, or more than all.
        let (small, asked) = reader(100);
        read(&mut small.with_head(&head), 0..100);
        assert_eq!(*asked.lock().unwrap(), []);
    }

    #[test]
    fn errors_are_told_and_tried_again() {
        let mut calls = 0;
        let fetch = |range: Range<u64>| {
            calls += 1;
            match calls {
                1 => Err(io::Error::other("cut")),
                2 => Ok(vec![0; 5]),
                3 => Ok(vec![0; (range.end - range.start) as usize + 1]),
                _ => Ok(range.map(byte).collect()),
            }
        };
        let mut reader = RangeReader::new(LENGTH, fetch);
        let mut buffer = [0; 10];
        assert_eq!(reader.read(&mut buffer).unwrap_err().to_string(), "cut");
        for _ in 0..2 {
            let error = reader.read(&mut buffer).unwrap_err();
            assert_eq!(error.kind(), io::ErrorKind::InvalidData);
        }
        read(&mut reader, 0..10);
    }

    #[test]
    fn places_are_counted_from_all_ends() {
        let (mut reader, _) = reader(LENGTH);
        assert_eq!(reader.seek(SeekFrom::End(-10)).unwrap(), LENGTH - 10);
        assert_eq!(reader.seek(SeekFrom::Current(-5)).unwrap(), LENGTH - 15);
        assert!(reader.seek(SeekFrom::Current(i64::MIN)).is_err());
        assert_eq!(reader.stream_position().unwrap(), LENGTH - 15);
        // Behind the end there is nothing.
        reader.seek(SeekFrom::End(5)).unwrap();
        assert_eq!(reader.read(&mut [0; 4]).unwrap(), 0);
    }
}
