//! Observers, which see the plies while moves are coded.

use shakmaty::Move;

/// A ply as it was coded.
#[derive(Debug, Clone, Copy)]
pub struct CodedPly<'a> {
    /// The number of the line among the jobs.
    pub job: usize,
    /// The legal moves in canonical order.
    pub legal: &'a [Move],
    /// The probability that the line ends here, in units of 2<sup>-16</sup>, if that was coded.
    pub end: Option<u32>,
    /// The table that the move was coded with, and its place in it; `None` if the line ends here. The table is empty if
    /// no other move is legal.
    pub played: Option<(&'a [u32], usize)>,
}

/// Watches how moves are coded, and changes no bit of it.
pub trait PlyObserver {
    /// The next ply was coded, of whatever line: those of a line come in order.
    fn coded(&mut self, ply: &CodedPly<'_>);

    /// Whether no plies are needed any more, so that reading may stop.
    fn is_done(&self) -> bool {
        false
    }
}

/// For those who let somebody else watch: `None` is nobody.
pub type Watching<'a> = Option<&'a mut dyn PlyObserver>;
