use plyzip::{entropy::*, pgn::*, predict::*, streams::moves::*};
use shakmaty::*;
use std::time::*;
fn load(p: &str) -> Vec<(GameContext, Vec<u8>)> {
    let b = std::fs::read(p).unwrap();
    let mut o = vec![];
    let mut a = 0;
    while a < b.len() {
        let u = |a: usize| u16::from_le_bytes([b[a], b[a + 1]]);
        let n = u(a + 6) as usize;
        o.push((
            GameContext {
                elo: [u(a), u(a + 2)],
                result: [None, Some(Outcome::White), Some(Outcome::Black), Some(Outcome::Draw)]
                    [b[a + 4] as usize],
            },
            b[a + 8..a + 8 + n].to_vec(),
        ));
        a += 8 + n;
    }
    o
}
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let n: usize = a[3].parse().unwrap();
    let model = if a[2] == "none" { Model::none() } else { Model::open(a[2].as_ref()).unwrap() };
    let games = load(&a[1]);
    let jobs: Vec<LineJob> = games
        .iter()
        .take(n)
        .map(|(c, m)| {
            let mut p = Chess::default();
            let mut v = vec![];
            for &i in m {
                let l = legal_moves(&p);
                v.push(l[i as usize]);
                p.play_unchecked(l[i as usize]);
            }
            LineJob::new(Chess::default(), *c, [1, 2], v)
        })
        .collect();
    let plies: usize = jobs.iter().map(|j| j.moves.len()).sum();
    let n = jobs.len();
    let mut pr = Predictor::new(&model);
    let mut e = Encoder::new();
    let mut j = jobs.clone();
    let t = Instant::now();
    code(&mut e, &mut pr, &mut j, 0).unwrap();
    let d = t.elapsed();
    let bytes = e.finish();
    println!(
        "encode {n} games {plies} plies {:.4} bits/ply {:.1} games/s",
        bytes.len() as f64 * 8. / plies as f64,
        n as f64 / d.as_secs_f64()
    );

    let mut pr = Predictor::new(&model);
    let mut e = Decoder::new(&bytes);
    let mut j = jobs.clone();
    for x in &mut j {
        x.moves.clear()
    }
    let t = Instant::now();
    code(&mut e, &mut pr, &mut j, plies).unwrap();
    let d = t.elapsed();
    assert!(j.iter().zip(&jobs).all(|(a, b)| a.moves == b.moves));
    println!("decode {:.1} games/s", n as f64 / d.as_secs_f64());
}
