//! How fast positions are coded: `cargo bench --bench position`.
//!
//! The positions are made up from a fixed seed, and so are the games for the code that needs
//! them; times are for all of them.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use plyzip::Model;
use plyzip_history::bits::BitString;
use plyzip_history::position::{self, LeadingGame};
use random::{Material, Random, made_up, random_game};
use shakmaty::{Chess, Move};

#[allow(dead_code)]
#[path = "../tests/position/random.rs"]
mod random;

fn positions(criterion: &mut Criterion) {
    let mut random = Random(1);
    let positions: Vec<Chess> = (0..1000).map(|_| made_up(Material::Any, &mut random)).collect();
    let mut group = criterion.benchmark_group("position");
    for code in position::all() {
        // Some have no code for nine pieces of a kind.
        let positions: Vec<&Chess> =
            positions.iter().filter(|position| code.encode(position).is_ok()).collect();
        let encode = || -> Vec<BitString> {
            positions.iter().filter_map(|position| code.encode(position).ok()).collect()
        };
        let coded = encode();
        group.throughput(Throughput::Elements(positions.len() as u64));
        group.bench_function(format!("{}/encode", code.id()), |bencher| {
            bencher.iter(|| black_box(encode()));
        });
        group.bench_function(format!("{}/decode", code.id()), |bencher| {
            bencher.iter(|| coded.iter().filter(|bits| code.decode(bits).is_ok()).count());
        });
    }
    group.finish();
}

fn games(criterion: &mut Criterion) {
    let mut random = Random(2);
    let games: Vec<Vec<Move>> = (0..20).map(|_| random_game(40, &mut random)).collect();
    let code = LeadingGame::new(Model::none());
    let encode =
        || -> Vec<BitString> { games.iter().filter_map(|game| code.encode(game).ok()).collect() };
    let coded = encode();
    let mut group = criterion.benchmark_group("position");
    group.throughput(Throughput::Elements(games.len() as u64));
    group.bench_function("RP none/encode", |bencher| bencher.iter(|| black_box(encode())));
    group.bench_function("RP none/decode", |bencher| {
        bencher.iter(|| coded.iter().filter(|bits| code.decode(bits).is_ok()).count());
    });
    group.finish();
}

criterion_group!(benches, positions, games);
criterion_main!(benches);
