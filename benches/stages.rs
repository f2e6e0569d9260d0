//! Where the time of a ply goes, stage by stage, on one thread: `cargo bench --bench stages`.
//!
//! The plies are those of `samples/famous.pgn`. Each stage gets what the stage before it has made. `all before coding`
//! is their sum, with what has no stage of its own: the reranker, and what a position is looked up by.

use std::hint::black_box;

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use plyzip::unstable::chess::{History, legal_moves};
use plyzip::unstable::entropy::{Coder, Encoder};
use plyzip::unstable::network::Scores;
use plyzip::unstable::predict::{Pipeline, Predictor, Prepared};
use plyzip::{GameContext, ModelStore, Player, Result, pgn};
use shakmaty::Move;

/// A ply that is to be coded.
struct Ply {
    /// Its game.
    game: usize,
    history: History,
    context: GameContext,
    played: Move,
}

/// The plies of the games in `samples/famous.pgn`.
fn plies() -> Vec<Ply> {
    let mut plies = vec![];
    for (game, read) in pgn::parse(include_bytes!("../samples/famous.pgn")).into_games().enumerate()
    {
        let context = GameContext::from_tags(&read);
        let mut history = History::new(read.start().expect("a start"));
        for &played in &read.lines[0].moves {
            plies.push(Ply { game, history: history.clone(), context, played });
            history.play(played);
        }
    }
    plies
}

/// A coder that stores nothing, so that what is left is the time of its models.
struct Nowhere;

impl Coder for Nowhere {
    const DECODING: bool = false;

    fn bit(&mut self, p_true: u32, bit: bool) -> Result<bool> {
        black_box(p_true);
        Ok(bit)
    }

    fn symbol(&mut self, cumulative: &[u32], symbol: usize) -> Result<usize> {
        black_box(cumulative);
        Ok(symbol)
    }
}

/// A coder that keeps the frequencies of all symbols, and which of them were coded.
#[derive(Default)]
struct Kept(Vec<(Vec<u32>, usize)>);

impl Coder for Kept {
    const DECODING: bool = false;

    fn bit(&mut self, _: u32, bit: bool) -> Result<bool> {
        Ok(bit)
    }

    fn symbol(&mut self, cumulative: &[u32], symbol: usize) -> Result<usize> {
        self.0.push((cumulative.to_vec(), symbol));
        Ok(symbol)
    }
}

/// The plies in the order of the games, each with its number and whether it is the first of its game.
fn in_order(plies: &[Ply]) -> impl Iterator<Item = (usize, &Ply, bool)> {
    let first = |number: usize| number == 0 || plies[number - 1].game != plies[number].game;
    plies.iter().enumerate().map(move |(number, ply)| (number, ply, first(number)))
}

/// The scores of prepared positions, as many together as a page has games.
fn score(pipeline: &Pipeline, prepared: &[Prepared]) -> Vec<Option<Scores>> {
    let prepared: Vec<&Prepared> = prepared.iter().collect();
    prepared.chunks(128).flat_map(|some| pipeline.score(some).expect("scores")).collect()
}

/// The stages before a ply is coded, which are the same for every game.
fn before_coding(criterion: &mut Criterion, plies: &[Ply]) {
    let mut group = criterion.benchmark_group("stages");
    group.throughput(Throughput::Elements(plies.len() as u64)).sample_size(20);
    group.bench_function("legal moves", |bencher| {
        bencher.iter(|| {
            for ply in plies {
                black_box(legal_moves(ply.history.position()));
            }
        });
    });
    let store = ModelStore::default();
    let pipeline = |name: &str| Pipeline::new(&store.open(name).expect("a model"));
    let prepare = |pipeline: &Pipeline| -> Vec<Prepared> {
        plies.iter().map(|ply| pipeline.prepare(&ply.history, &ply.context)).collect()
    };
    // Those of `none` are followed by its linear policy.
    for name in ["none", "standard@0", "standard"] {
        let pipeline = pipeline(name);
        group.bench_function(format!("features, legal moves too/{name}"), |bencher| {
            bencher.iter(|| black_box(prepare(&pipeline)));
        });
    }
    let standard = pipeline("standard");
    let prepared = prepare(&standard);
    for name in ["standard@0", "standard"] {
        let pipeline = pipeline(name);
        group.bench_function(format!("networks/{name}"), |bencher| {
            bencher.iter(|| black_box(score(&pipeline, &prepared)));
        });
    }
    let scores = score(&standard, &prepared);
    let mut searcher = standard.searcher().expect("a search");
    for name in ["standard@100x5", "standard"] {
        let pipeline = pipeline(name);
        group.bench_function(format!("search/{name}"), |bencher| {
            bencher.iter(|| {
                let mut state = pipeline.search_state().expect("a search");
                for (number, ply, first) in in_order(plies) {
                    if first {
                        state = pipeline.search_state().expect("a search");
                    }
                    let (prepared, Some(scores)) = (&prepared[number], &scores[number]) else {
                        continue;
                    };
                    let input = prepared.analysis_input(&ply.history, &ply.context, scores);
                    black_box(pipeline.examine(&mut searcher, &mut state, &input));
                }
            });
        });
    }
    let games: Vec<&[Ply]> = plies.chunk_by(|one, next| one.game == next.game).collect();
    let longest = games.iter().map(|game| game.len()).max().unwrap_or(0);
    for name in ["none", "standard@0", "standard"] {
        let pipeline = pipeline(name);
        group.bench_function(format!("all before coding/{name}"), |bencher| {
            bencher.iter(|| {
                let line = |game: &&[Ply]| pipeline.line(game[0].history.clone(), game[0].context);
                let mut lines: Vec<_> = games.iter().map(line).collect();
                let mut evidence = vec![];
                // As in a page: all games go on by a ply together.
                for number in 0..longest {
                    let under_way = lines.iter_mut().zip(&games);
                    let under_way = under_way.filter(|(_, game)| number < game.len());
                    let mut under_way: Vec<_> = under_way
                        .map(|(line, game)| {
                            line.played = number.checked_sub(1).map(|last| game[last].played);
                            line
                        })
                        .collect();
                    pipeline.next_plies(&mut under_way, &mut evidence).expect("evidence");
                }
                evidence.len()
            });
        });
    }
    group.finish();
}

/// The stages in which a ply is coded: the models that learn, and the coder itself.
fn coding(criterion: &mut Criterion, plies: &[Ply]) {
    let mut group = criterion.benchmark_group("stages");
    group.throughput(Throughput::Elements(plies.len() as u64)).sample_size(20);
    for name in ["none", "standard"] {
        let model = ModelStore::default().open(name).expect("a model");
        let pipeline = Pipeline::new(&model);
        let mut evidence = vec![];
        let mut line = None;
        for (_, ply, first) in in_order(plies) {
            let line = match &mut line {
                Some(line) if !first => line,
                line => line.insert(pipeline.line(ply.history.clone(), ply.context)),
            };
            let mut next = vec![];
            pipeline.next_plies(&mut [&mut *line], &mut next).expect("evidence");
            evidence.append(&mut next);
            line.played = Some(ply.played);
        }
        let evidence: Vec<_> = evidence.iter().map(|evidence| evidence.view()).collect();
        let played = |number: usize| {
            let legal = legal_moves(plies[number].history.position());
            legal.iter().position(|&legal| legal == plies[number].played).expect("a legal move")
        };
        let played: Vec<usize> = (0..plies.len()).map(played).collect();
        // Moves alone: whether a game ends is one binary event more for each.
        let mut kept = Kept::default();
        let mut predictor = Predictor::new(&model);
        for (evidence, &played) in evidence.iter().zip(&played) {
            predictor.code_move(&mut kept, Player::default(), evidence, played).expect("coded");
        }
        group.bench_function(format!("mixing/{name}"), |bencher| {
            bencher.iter_batched_ref(
                || Predictor::new(&model),
                |predictor| {
                    for (evidence, &played) in evidence.iter().zip(&played) {
                        let player = Player::default();
                        predictor.code_move(&mut Nowhere, player, evidence, played).expect("coded");
                    }
                },
                BatchSize::PerIteration,
            );
        });
        group.bench_function(format!("coding/{name}"), |bencher| {
            bencher.iter(|| {
                let mut encoder = Encoder::new();
                for (cumulative, symbol) in &kept.0 {
                    encoder.symbol(black_box(cumulative), *symbol).expect("coded");
                }
                encoder.finish()
            });
        });
    }
    group.finish();
}

fn stages(criterion: &mut Criterion) {
    // All that asks for threads finds this one.
    let one = rayon::ThreadPoolBuilder::new().num_threads(1).use_current_thread();
    let _one = one.build().expect("a pool");
    let plies = plies();
    before_coding(criterion, &plies);
    coding(criterion, &plies);
}

criterion_group!(benches, stages);
criterion_main!(benches);
