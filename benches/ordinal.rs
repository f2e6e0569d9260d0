//! Plies per second of the historical game codecs and of ours on single games, each way: on
//! generated games, and on those of the file that `PLYZIP_BENCH_PGN` names.

use std::hint::black_box;
use std::time::Duration;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use plyzip::pgn;
use plyzip_history::bits::BitString;
use plyzip_history::ordinal;
use shakmaty::{Chess, Move};

#[path = "../tests/pgn/mod.rs"]
mod generated;

/// Games in the generated set.
const GENERATED: u64 = 32;

/// Games taken from a file.
const FROM_FILE: usize = 100;

type Game = (Chess, Vec<Move>);

fn games(input: &[u8]) -> Vec<Game> {
    let game = |game: &pgn::Game| Some((game.start()?, game.lines.first()?.moves.clone()));
    pgn::parse(input).games().filter_map(game).collect()
}

fn codes(criterion: &mut Criterion, set: &str, games: &[Game]) {
    let mut group = criterion.benchmark_group(set);
    group.throughput(Throughput::Elements(games.iter().map(|game| game.1.len() as u64).sum()));
    group.sample_size(10).measurement_time(Duration::from_secs(2));
    for code in ordinal::all().unwrap() {
        let encode = || -> Vec<BitString> {
            games.iter().map(|(start, moves)| code.encode(start, moves).unwrap()).collect()
        };
        let encoded = encode();
        group.bench_function(BenchmarkId::new("encode", code.id()), |bencher| {
            bencher.iter(|| black_box(encode()));
        });
        group.bench_function(BenchmarkId::new("decode", code.id()), |bencher| {
            bencher.iter(|| {
                for ((start, _), bits) in games.iter().zip(&encoded) {
                    black_box(code.decode(start, bits).unwrap());
                }
            });
        });
    }
}

fn generated_games(criterion: &mut Criterion) {
    codes(criterion, "ordinal/generated", &games(&generated::games(GENERATED).concat()));
}

fn games_of_a_file(criterion: &mut Criterion) {
    if let Some(path) = std::env::var_os("PLYZIP_BENCH_PGN") {
        let mut games = games(&std::fs::read(path).unwrap());
        games.truncate(FROM_FILE);
        codes(criterion, "ordinal/file", &games);
    }
}

criterion_group!(benches, generated_games, games_of_a_file);
criterion_main!(benches);
