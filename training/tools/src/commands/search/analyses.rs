//! Analyses of searched positions, as `search-positions` writes and `search-features` reads them.
//!
//! All numbers are little-endian. One position is: legal moves, the place of the one played (u8 each), plies played
//! (u16), phase, result, pace, whether there is a check (u8 each), ratings of the mover and of the other (u16 each), for
//! each of the last two moves what the best was worth (i16; -32768: nothing is known) and what the one played lost
//! (i16), depths (u8); then for each legal move its logit (i32), its kind, whether it was looked at not at all,
//! thoroughly or at a glance (u8 each), and if at all its marks (u16) and its value at each depth (i16).

use std::io::{self, Write};

use plyzip::Pace;
use plyzip::unstable::analysis::{Analysis, Before, MARKS};
use plyzip::unstable::engine::{INFINITE, RootScores};

const NOT_AT_ALL: u8 = 0;
const THOROUGHLY: u8 = 1;
const AT_A_GLANCE: u8 = 2;

/// Writes what was found where the move at `played` was played.
pub fn write(out: &mut impl Write, findings: &Analysis, played: usize) -> io::Result<()> {
    out.write_all(&[findings.logits.len() as u8, played as u8])?;
    out.write_all(&findings.ply.to_le_bytes())?;
    out.write_all(&[findings.phase, findings.result, findings.pace, findings.check.into()])?;
    for elo in findings.elo {
        out.write_all(&elo.to_le_bytes())?;
    }
    for before in findings.before {
        let (best, loss) = before.map_or((i16::MIN, 0), |b| (b.best as i16, b.loss as i16));
        out.write_all(&best.to_le_bytes())?;
        out.write_all(&loss.to_le_bytes())?;
    }
    out.write_all(&[findings.scores.values.len() as u8])?;
    let mut looks = vec![NOT_AT_ALL; findings.logits.len()];
    findings.searched().for_each(|place| looks[place] = AT_A_GLANCE);
    findings.fully_searched().for_each(|place| looks[place] = THOROUGHLY);
    for (place, (logit, look)) in findings.logits.iter().zip(looks).enumerate() {
        out.write_all(&logit.to_le_bytes())?;
        out.write_all(&[findings.kinds[place], look])?;
        if look != NOT_AT_ALL {
            out.write_all(&findings.marks[place].map(u16::to_le_bytes).concat())?;
            for values in &findings.scores.values {
                out.write_all(&(values[place] as i16).to_le_bytes())?;
            }
        }
    }
    Ok(())
}

/// The analysis at the beginning of `bytes`, the place of the move played, and the bytes that follow; `None` where they
/// are cut short.
pub fn read(bytes: &[u8]) -> Option<(Analysis, usize, &[u8])> {
    let (head, mut rest) = bytes.split_first_chunk::<21>()?;
    let number = |at: usize| i16::from_le_bytes([head[at], head[at + 1]]);
    let before = |at: usize| {
        let (best, loss) = (number(at), number(at + 2).into());
        (best != i16::MIN).then_some(Before { best: best.into(), loss })
    };
    let (moves, depths) = (usize::from(head[0]), usize::from(head[20]));
    let mut found = RootScores {
        values: vec![vec![-INFINITE; moves]; depths],
        fully_searched: vec![false; moves],
        nodes: 0,
    };
    let (mut logits, mut kinds, mut marks) = (vec![], vec![], vec![[0; MARKS]; moves]);
    for place in 0..moves {
        let (&[a, b, c, d, kind, look], after) = rest.split_first_chunk()?;
        rest = after;
        logits.push(i32::from_le_bytes([a, b, c, d]));
        kinds.push(kind);
        found.fully_searched[place] = look == THOROUGHLY;
        let mut next = || {
            let (&bytes, after) = rest.split_first_chunk()?;
            rest = after;
            Some(u16::from_le_bytes(bytes))
        };
        if look != NOT_AT_ALL {
            for mark in &mut marks[place] {
                *mark = next()?;
            }
            for values in &mut found.values {
                values[place] = (next()? as i16).into();
            }
        }
    }
    let findings = Analysis {
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
        scores: found,
    };
    Some((findings, head[1].into(), rest))
}
