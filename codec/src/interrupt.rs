//! Ending work under way.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::{Error, Result};

/// Ends coding that is under way on other threads: a block may take minutes. Clones are the same flag.
///
/// A [`GameCodec`](crate::GameCodec), and a reader or writer of archives, that was given one gives
/// [`Error::Interrupted`] soon after the flag is set.
///
/// ```
/// use plyzip::archive::ArchiveWriter;
/// use plyzip::{Error, Interrupt, Model};
///
/// let interrupt = Interrupt::default();
/// let mut writer = ArchiveWriter::new(Vec::new(), Model::none())?;
/// writer.set_interrupt(&interrupt);
/// writer.push(b"1. e4 e5 *\n")?;
/// interrupt.set(); // by another thread
/// assert!(matches!(writer.finish(), Err(Error::Interrupted)));
/// # Ok::<(), Error>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Ends the work.
    pub fn set(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Lets new work begin. An `IndexedReader` goes on after this, other readers and
    /// writers do not.
    pub fn clear(&self) {
        self.0.store(false, Ordering::Relaxed);
    }

    /// True if the work is to end.
    pub fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// Gives an error if the work is to end.
    ///
    /// # Errors
    /// [`Error::Interrupted`]
    pub fn check(&self) -> Result<()> {
        match self.is_set() {
            true => Err(Error::Interrupted),
            false => Ok(()),
        }
    }
}
