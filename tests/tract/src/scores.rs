//! The network scores moves as tract does, which runs the same file in its own way.

use plyzip_codec::GameContext;
use plyzip_codec::unstable::chess::{History, legal_moves};
use plyzip_codec::unstable::features::{
    BOARD_SLOTS, MOVE_SLOTS, MoveIndices, Tactics, board_features, move_features,
};
use plyzip_codec::unstable::network::{Network, Query, Scores};
use shakmaty::Chess;
use tract_onnx::prelude::*;

/// The slots of a move's squares: where it comes from, and where it goes.
const SQUARES: [usize; 2] = [0, 1];

/// The positions of games in which both play now the first legal move and now another.
fn queries(count: usize) -> Vec<Query> {
    let mut history = History::new(Chess::default());
    let mut queries = vec![];
    while queries.len() < count {
        let legal = legal_moves(history.position());
        if legal.is_empty() || history.ply() > 150 {
            history = History::new(Chess::default());
            continue;
        }
        let tactics = Tactics::new(&history, &legal);
        let board = board_features(&history, &GameContext::default(), &tactics);
        let mut moves = vec![];
        move_features(&history, &legal, Some(&tactics), &mut moves);
        queries.push(Query { board, moves });
        history.play(legal[history.ply() * 7 % legal.len()]);
    }
    queries
}

/// What tract computes of the graph as the file has it, all positions and moves in one batch.
fn run_by_tract(file: &[u8], queries: &[Query]) -> Vec<Scores> {
    let rows: Vec<(usize, &MoveIndices)> = queries
        .iter()
        .enumerate()
        .flat_map(|(position, query)| query.moves.iter().map(move |row| (position, row)))
        .collect();
    let tensor = |shape: &[usize], indices: &mut dyn Iterator<Item = usize>| {
        let indices: Vec<i64> = indices.map(|index| index as i64).collect();
        Tensor::from_shape(shape, &indices).unwrap()
    };
    let square = |position: usize, index: u16| position * 768 + usize::from(index);
    let inputs = [
        tensor(
            &[queries.len(), BOARD_SLOTS],
            &mut queries.iter().flat_map(|query| query.board).map(usize::from),
        ),
        tensor(
            &[rows.len(), MOVE_SLOTS],
            &mut rows.iter().flat_map(|&(_, row)| *row).map(usize::from),
        ),
        tensor(&[rows.len()], &mut rows.iter().map(|&(position, _)| position)),
        tensor(
            &[rows.len(), 2],
            &mut rows
                .iter()
                .flat_map(|&(position, row)| SQUARES.map(|slot| square(position, row[slot]))),
        ),
    ];
    let mut model = tract_onnx::onnx().model_for_read(&mut &*file).unwrap();
    for (place, input) in inputs.iter().enumerate() {
        model.set_input_fact(place, i64::fact(input.shape()).into()).unwrap();
    }
    let plan = model.into_optimized().unwrap().into_runnable().unwrap();
    let outputs = plan.run(inputs.into_iter().map(TValue::from).collect()).unwrap();
    let numbers = |place: usize| -> Vec<i32> {
        let view = outputs[place].to_plain_array_view::<f32>().unwrap();
        view.iter().map(|&number: &f32| number as i32).collect()
    };
    let mut logits = numbers(0).into_iter();
    let scores = queries.iter().zip(numbers(1)).map(|(query, end)| Scores {
        moves: logits.by_ref().take(query.moves.len()).collect(),
        end,
        vectors: vec![],
    });
    scores.collect()
}

#[test]
fn tract_computes_the_same() {
    let file = include_bytes!("../../../models/standard.onnx");
    let queries = queries(20);
    let all: Vec<&Query> = queries.iter().collect();
    let scores = Network::from_bytes(file).unwrap().score(&all, false);
    assert!(scores.iter().any(|other| other.end != scores[0].end));
    assert_eq!(scores, run_by_tract(file, &queries));
}
