//! Positions that one core evaluates with a board network: `cargo bench --bench board_network`.
//!
//! Networks have random weights from a fixed seed, and the positions are those of famous games.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use plyzip::GameContext;
use plyzip::pgn;
use plyzip::unstable::board_network::{BoardNetwork, Sizes, View, sample};
use plyzip::unstable::chess::{History, legal_moves};
use shakmaty::Chess;

/// The views of all positions of the games in `samples/famous.pgn`.
fn views() -> Vec<View> {
    let mut views = vec![];
    for game in pgn::parse(include_bytes!("../samples/famous.pgn")).into_games() {
        let context = GameContext::from_tags(&game);
        let mut history = History::new(game.start().expect("a start"));
        for &played in &game.lines[0].moves {
            views.push(View::new(&history, &context, &legal_moves(history.position())));
            history.play(played);
        }
    }
    views
}

fn positions(criterion: &mut Criterion) {
    let views = views();
    let mut group = criterion.benchmark_group("board");
    for (name, sizes, count) in [("small", Sizes::SMALL, 64), ("large", Sizes::LARGE, 8)] {
        let network = BoardNetwork::from_bytes(&sample(&sizes, 1)).expect("a network");
        let views: Vec<&View> = views[100..100 + count].iter().collect();
        group.throughput(Throughput::Elements(count as u64));
        group.bench_function(name, |bencher| bencher.iter(|| network.evaluate(black_box(&views))));
        if name == "small" {
            let portably = format!("{name}/portable");
            group.bench_function(portably, |bencher| {
                bencher.iter(|| network.evaluate_portably(black_box(&views)));
            });
        }
    }
    let (context, history) = (GameContext::new(), History::new(Chess::default()));
    let legal = legal_moves(history.position());
    group.throughput(Throughput::Elements(1));
    group.bench_function("view", |bencher| {
        bencher.iter(|| View::new(black_box(&history), &context, &legal));
    });
    group.finish();
}

criterion_group!(benches, positions);
criterion_main!(benches);
