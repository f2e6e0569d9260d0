//! Positions that one core evaluates: `cargo bench -p plyzip-board --bench positions`.
//!
//! Networks have random weights from a fixed seed, and the positions are those of famous games.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use plyzip_board::{GameContext, Network, Seen, Sizes, View, sample};
use plyzip_codec::pgn;
use shakmaty::Chess;

/// The views of all positions of the games in `samples/famous.pgn`.
fn views() -> Vec<View> {
    let mut views = vec![];
    for game in pgn::parse(include_bytes!("../../samples/famous.pgn")).into_games() {
        let context = GameContext::from_tags(&game);
        let mut seen = Seen::new(game.start().expect("a start"));
        for &played in &game.lines[0].moves {
            views.push(seen.view(&context));
            seen.play(played);
        }
    }
    views
}

fn positions(criterion: &mut Criterion) {
    let views = views();
    let mut group = criterion.benchmark_group("board");
    for (name, sizes, count) in [("small", Sizes::SMALL, 64), ("large", Sizes::LARGE, 8)] {
        let network = Network::from_bytes(&sample(&sizes, 1)).expect("a network");
        let views = &views[100..100 + count];
        group.throughput(Throughput::Elements(count as u64));
        group.bench_function(name, |bencher| bencher.iter(|| network.evaluate(black_box(views))));
        if name == "small" {
            let portably = format!("{name}/portable");
            group.bench_function(portably, |bencher| {
                bencher.iter(|| network.evaluate_portably(black_box(views)));
            });
        }
    }
    let (context, seen) = (GameContext::new(), Seen::new(Chess::default()));
    group.throughput(Throughput::Elements(1));
    group.bench_function("view", |bencher| bencher.iter(|| black_box(&seen).view(&context)));
    group.finish();
}

criterion_group!(benches, positions);
criterion_main!(benches);
