//! Game codecs of the past, for comparison: what was proposed for storing games in few
//! bits from 1993 on, each from its text, all under one trait.
//!
//! | ids | who | what |
//! |---|---|---|
//! | R0 to R4 | [`Robison`], 1993 | ordinals of legal moves, in the end the likeliest first |
//! | RE | [`Ending`] | how R0 to R2 tell where a game ends |
//! | RT | [`Termination`] | how a game ended, in six bits |
//! | M0 to M3 | [`Mallett`], 1994 | PGC's byte; groups of bits that can be extended |
//! | P2 to P5 | [`Parikh`], 2011 | ordinals in whole bits, and what to do with codes left over |
//! | B6 to B8 | [`Baeldung`] | squares of departure and arrival |
//! | SAN, 2B, Scid | [`Familiar`] | text, or whole bytes for each ply |
//! | plyzip-* | [`Ours`] | probabilities and an entropy coder, each game alone |
//!
//! `docs/history.md` tells what each contributes and how they compare. None of them is used in
//! archives.
//!
//! ```
//! use plyzip_history::ordinal;
//! use shakmaty::{Chess, Position};
//!
//! let start = Chess::default();
//! let moves = [plyzip_codec::unstable::chess::legal_moves(&start)[0]];
//! for code in ordinal::historical() {
//!     let bits = code.encode(&start, &moves)?;
//!     assert_eq!(code.decode(&start, &bits)?, moves, "{}", code.id());
//! }
//! # Ok::<(), plyzip_codec::Error>(())
//! ```

mod baeldung;
mod code;
mod count;
mod familiar;
mod likelihood;
mod mallett;
mod order;
mod ours;
mod parikh;
mod robison;
mod symbols;
mod termination;

use std::sync::Arc;

pub use baeldung::Baeldung;
pub use code::GameCode;
pub use count::width as count_bits;
pub use familiar::Familiar;
pub use likelihood::{Likelihood, NetworkPolicy, Ranked};
pub use mallett::{Mallett, group_bits};
pub use order::{Order, Walk, ordinal};
pub use ours::Ours;
pub use parikh::{Parikh, Stored, spare_codes};
use plyzip_codec::{Model, Result};
pub use robison::{Ending, Robison};
pub use symbols::whole_bits;
pub use termination::Termination;

/// The systems of the texts. Where one wants the likeliest moves first, rules of thumb
/// order them.
pub fn historical() -> Vec<Box<dyn GameCode>> {
    let rules = || Order::Likely(Likelihood::Rules);
    let [seven, three, by_complexity] = [
        "Robison 3: seven likeliest, by rules",
        "Robison 3: three likeliest, by rules",
        "Robison 4: width by complexity, by rules",
    ];
    vec![
        Box::new(Robison::bytes()),
        Box::new(Robison::bits()),
        Box::new(Robison::integer()),
        Box::new(Robison::seven_likeliest("R3a", seven, rules())),
        Box::new(Robison::three_likeliest("R3b", three, rules())),
        Box::new(Robison::by_complexity("R4", by_complexity, rules())),
        Box::new(Mallett::pgc()),
        Box::new(Mallett::mgc()),
        Box::new(Mallett::mgc5()),
        Box::new(Mallett::knowledge(false, false)),
        Box::new(Mallett::knowledge(true, false)),
        Box::new(Mallett::knowledge(false, true)),
        Box::new(Mallett::knowledge(true, true)),
        Box::new(Parikh::games1()),
        Box::new(Parikh::games2()),
        Box::new(Parikh::games3()),
        Box::new(Parikh::games4()),
        Box::new(Baeldung::from_to()),
        Box::new(Baeldung::algebraic()),
        Box::new(Baeldung::target_first()),
        Box::new(Familiar::San),
        Box::new(Familiar::TwoBytes),
        Box::new(Familiar::Scid),
    ]
}

/// RE: Robison's first three systems under each way to tell where a game ends. One number in
/// mixed radix has no third row, for its count is always the shorter way.
pub fn endings() -> Vec<Robison> {
    use Ending::{Count, Possibility, Shorter};
    vec![
        Robison::bytes().ending("RE-R0-count", "end of R0: the number of bits in front", Count),
        Robison::bytes().ending("RE-R0-move", "end of R0: one more possibility", Possibility),
        Robison::bytes().ending("RE-R0", "end of R0: the shorter way, and a bit", Shorter),
        Robison::bits().ending("RE-R1-count", "end of R1: the number of bits in front", Count),
        Robison::bits().ending("RE-R1-move", "end of R1: one more possibility", Possibility),
        Robison::bits().ending("RE-R1", "end of R1: the shorter way, and a bit", Shorter),
        Robison::integer().ending("RE-R2-count", "end of R2: the number of bits in front", Count),
        Robison::integer().ending("RE-R2-move", "end of R2: one more possibility too", Possibility),
    ]
}

/// The systems of the texts that ask for a "really good predictor", with the network of `model` as
/// that: what Robison could only guess at.
pub fn with_network(model: &Model) -> Vec<Box<dyn GameCode>> {
    let policy = Arc::new(NetworkPolicy::new(model));
    let order = || Order::Likely(Likelihood::Network(Arc::clone(&policy)));
    let [seven, three, by_complexity] = [
        "Robison 3: seven likeliest, by network",
        "Robison 3: three likeliest, by network",
        "Robison 4: width by complexity, by network",
    ];
    vec![
        Box::new(Robison::seven_likeliest("R3a-network", seven, order())),
        Box::new(Robison::three_likeliest("R3b-network", three, order())),
        Box::new(Robison::by_complexity("R4-network", by_complexity, order())),
    ]
}

/// All game codecs: the systems of the texts, then ours without and with the embedded network.
///
/// # Errors
/// Those of [`Model::embedded`].
pub fn all() -> Result<Vec<Box<dyn GameCode>>> {
    let mut codes = historical();
    codes.push(Box::new(Ours::new(Model::none())));
    codes.push(Box::new(Ours::new(Model::embedded()?)));
    Ok(codes)
}
