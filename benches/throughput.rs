//! Games per second, each way.

use std::hint::black_box;
use std::time::Duration;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use plyzip::Model;
use plyzip::archive::{ArchiveReader, ArchiveWriter, WriterOptions};

#[path = "../tests/pgn/mod.rs"]
mod pgn;

/// Games in the generated set: enough for the codec to code many at once.
const GAMES: u64 = 256;

fn compress(original: &[u8], model: &Model) -> Vec<u8> {
    let options = WriterOptions::new().verify(false);
    let mut writer = ArchiveWriter::with_options(Vec::new(), model.clone(), options).unwrap();
    writer.push(original).unwrap();
    writer.finish().unwrap().0
}

fn decompress(archive: &[u8]) -> Vec<u8> {
    let mut original = Vec::new();
    ArchiveReader::new(archive).unwrap().copy_to(&mut original).unwrap();
    original
}

fn throughput(criterion: &mut Criterion) {
    let original = pgn::games(GAMES).concat();
    let mut group = criterion.benchmark_group("games");
    group.throughput(Throughput::Elements(GAMES));
    group.sample_size(10).measurement_time(Duration::from_secs(10));
    for model in [Model::none(), Model::embedded().unwrap()] {
        let archive = compress(&original, &model);
        group.bench_function(BenchmarkId::new("compress", model.name()), |bencher| {
            bencher.iter(|| compress(black_box(&original), &model));
        });
        group.bench_function(BenchmarkId::new("decompress", model.name()), |bencher| {
            bencher.iter(|| decompress(black_box(&archive)));
        });
    }
}

criterion_group!(benches, throughput);
criterion_main!(benches);
