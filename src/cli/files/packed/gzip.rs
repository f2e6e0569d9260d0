//! A reader of all members of a gzip file.

use std::io::{self, BufRead, Read};

use flate2::bufread::GzDecoder;

/// Decompresses members that follow each other. Zeros behind the last, which tapes and some copies have, are passed
/// over, as gzip does.
pub struct Members<R> {
    /// `None` once all is read.
    member: Option<GzDecoder<R>>,
}

impl<R: BufRead> Members<R> {
    /// The members in `source`, at least one.
    pub fn new(source: R) -> Members<R> {
        Members { member: Some(GzDecoder::new(source)) }
    }
}

impl<R: BufRead> Read for Members<R> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        loop {
            let Some(member) = &mut self.member else { return Ok(0) };
            let read = member.read(bytes)?;
            if read > 0 || bytes.is_empty() {
                return Ok(read);
            }
            let Some(mut source) = self.member.take().map(GzDecoder::into_inner) else {
                return Ok(0);
            };
            match begin(&mut source)? {
                None => {}
                Some(0) => only_zeros(source)?,
                Some(_) => self.member = Some(GzDecoder::new(source)),
            }
        }
    }
}

/// The next byte, which stays where it is.
fn begin(source: &mut impl BufRead) -> io::Result<Option<u8>> {
    loop {
        match source.fill_buf() {
            Ok(bytes) => return Ok(bytes.first().copied()),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

/// Reads zeros up to the end.
fn only_zeros(mut source: impl BufRead) -> io::Result<()> {
    while begin(&mut source)?.is_some() {
        let bytes = source.fill_buf()?;
        if bytes.iter().any(|&byte| byte != 0) {
            let what = "something follows the zeros behind its end";
            return Err(io::Error::new(io::ErrorKind::InvalidData, what));
        }
        let length = bytes.len();
        source.consume(length);
    }
    Ok(())
}
