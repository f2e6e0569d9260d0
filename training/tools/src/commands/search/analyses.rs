//! Analyses of searched positions, as `search-positions` writes and `search-features` reads them.
//!
//! All numbers are little-endian. One position is: legal moves, the place of the one played (u8 each; 255: the game ended
//! here), plies played (u16), phase, result, pace, whether there is a check (u8 each), ratings of the mover and of the
//! other (u16 each), for each of the last two moves what the best was worth (i16; -32768: nothing is known) and what the
//! one played lost (i16), depths (u8), the network's log-odds that the game ends (i32, 2^-16 nat), what else speaks for it
//! (i16, 2^-8 nat), numbers of a move's vector (u16); then for each legal move its logit (i32), its kind, whether it was
//! looked at not at all, thoroughly or at a glance (u8 each), and if at all its marks (u16), its value at each depth
//! (i16), of the reply to it the packed move (u16), kind, effort and state (u8 each), whether it was expected (u8), and
//! its vector (u8).

use std::io::{self, Write};

use plyzip::Pace;
use plyzip::unstable::analysis::{Analysis, Before, MARKS};
use plyzip::unstable::engine::{INFINITE, Reply, RootScores};

const NOT_AT_ALL: u8 = 0;
const THOROUGHLY: u8 = 1;
const AT_A_GLANCE: u8 = 2;

/// In place of the place of the move played.
const ENDED: u8 = 255;

/// A searched position, and what came of it.
pub struct Searched {
    pub analysis: Analysis,
    /// The place of the move played; `None` if the game ended.
    pub played: Option<usize>,
    /// The network's log-odds that the game ends, in units of 2<sup>-16</sup> nat.
    pub end: i32,
    /// What plies and material say of that, weighted as the program begins, in units of 2<sup>-8</sup> nat.
    pub others: i16,
}

/// Numbers of a move's vector.
fn vector_width(analysis: &Analysis) -> usize {
    analysis.vectors.len() / analysis.logits.len().max(1)
}

/// Writes a position.
pub fn write(out: &mut impl Write, searched: &Searched) -> io::Result<()> {
    let Searched { analysis, played, end, others } = searched;
    let played = played.map_or(ENDED, |played| played as u8);
    let vector = vector_width(analysis);
    out.write_all(&[analysis.logits.len() as u8, played])?;
    out.write_all(&analysis.ply.to_le_bytes())?;
    out.write_all(&[analysis.phase, analysis.result, analysis.pace, analysis.check.into()])?;
    for elo in analysis.elo {
        out.write_all(&elo.to_le_bytes())?;
    }
    for before in analysis.before {
        let (best, loss) = before.map_or((i16::MIN, 0), |b| (b.best as i16, b.loss as i16));
        out.write_all(&best.to_le_bytes())?;
        out.write_all(&loss.to_le_bytes())?;
    }
    out.write_all(&[analysis.scores.values.len() as u8])?;
    out.write_all(&end.to_le_bytes())?;
    out.write_all(&others.to_le_bytes())?;
    out.write_all(&(vector as u16).to_le_bytes())?;
    let mut looks = vec![NOT_AT_ALL; analysis.logits.len()];
    analysis.searched().for_each(|place| looks[place] = AT_A_GLANCE);
    analysis.fully_searched().for_each(|place| looks[place] = THOROUGHLY);
    for (place, (logit, look)) in analysis.logits.iter().zip(looks).enumerate() {
        out.write_all(&logit.to_le_bytes())?;
        out.write_all(&[analysis.kinds[place], look])?;
        if look != NOT_AT_ALL {
            out.write_all(&analysis.marks[place].map(u16::to_le_bytes).concat())?;
            for values in &analysis.scores.values {
                out.write_all(&(values[place] as i16).to_le_bytes())?;
            }
            let Reply { packed, kind, effort, state } = analysis.scores.replies[place];
            out.write_all(&packed.to_le_bytes())?;
            out.write_all(&[kind, effort, state, analysis.expected[place]])?;
            out.write_all(&analysis.vectors[place * vector..][..vector])?;
        }
    }
    Ok(())
}

/// The position at the beginning of `bytes`, and the bytes that follow; `None` where they are cut short.
pub fn read(bytes: &[u8]) -> Option<(Searched, &[u8])> {
    let (head, mut rest) = bytes.split_first_chunk::<29>()?;
    let number = |at: usize| i16::from_le_bytes([head[at], head[at + 1]]);
    let before = |at: usize| {
        let (best, loss) = (number(at), number(at + 2).into());
        (best != i16::MIN).then_some(Before { best: best.into(), loss })
    };
    let (moves, depths) = (usize::from(head[0]), usize::from(head[20]));
    let vector = usize::from(number(27) as u16);
    let mut scores = RootScores {
        values: vec![vec![-INFINITE; moves]; depths],
        fully_searched: vec![false; moves],
        replies: vec![Reply::default(); moves],
        nodes: 0,
    };
    let (mut logits, mut kinds, mut marks) = (vec![], vec![], vec![[0; MARKS]; moves]);
    let (mut expected, mut vectors) = (vec![0; moves], vec![0; moves * vector]);
    for place in 0..moves {
        let (&[a, b, c, d, kind, look], after) = rest.split_first_chunk()?;
        rest = after;
        logits.push(i32::from_le_bytes([a, b, c, d]));
        kinds.push(kind);
        scores.fully_searched[place] = look == THOROUGHLY;
        let mut next = || {
            let (&bytes, after) = rest.split_first_chunk()?;
            rest = after;
            Some(u16::from_le_bytes(bytes))
        };
        if look != NOT_AT_ALL {
            for mark in &mut marks[place] {
                *mark = next()?;
            }
            for values in &mut scores.values {
                values[place] = (next()? as i16).into();
            }
            let packed = next()?;
            let ([kind, effort], [state, whether]) = (next()?.to_le_bytes(), next()?.to_le_bytes());
            scores.replies[place] = Reply { packed, kind, effort, state };
            expected[place] = whether;
            let (own, after) = rest.split_at_checked(vector)?;
            vectors[place * vector..][..vector].copy_from_slice(own);
            rest = after;
        }
    }
    let analysis = Analysis {
        ply: number(2) as u16,
        phase: head[4],
        result: head[5],
        pace: Some(head[6]).filter(|&pace| usize::from(pace) < Pace::ALL.len())?,
        check: head[7] != 0,
        elo: [number(8) as u16, number(10) as u16],
        before: [before(12), before(16)],
        logits,
        kinds,
        marks,
        vectors,
        expected,
        scores,
    };
    let end = i32::from_le_bytes([head[21], head[22], head[23], head[24]]);
    let played = Some(head[1]).filter(|&played| played != ENDED).map(usize::from);
    Some((Searched { analysis, played, end, others: number(25) }, rest))
}
