//! The subcommands that need plyzip's own code, a file each, by what they make.

mod board;
mod corpus;
mod measure;
mod nnue;
mod pgn_games;
mod positions;
mod random;
mod schema;
mod search;
mod softmax;
mod tables;

use clap::Subcommand;

use board::{offsets, outputs, sample, weights};
use corpus::{batches, pack, split};
use measure::{bits_by_ply, bits_by_tag, position_or_game};
use nnue::{check_teacher, label, train};
use search::{mixer_scales, nnue_positions, play_match, search_features, search_positions};
use tables::{
    book, clock_weights, evaluation_terms, game_ends, linear_policy, repertoires, warm_tables,
};

/// What to make.
#[derive(Subcommand)]
pub enum Command {
    Pack(pack::Arguments),
    Split(split::Arguments),
    Batches(batches::Arguments),
    Book(book::Arguments),
    Repertoires(repertoires::Arguments),
    LinearPolicy(linear_policy::Arguments),
    EvaluationTerms(evaluation_terms::Arguments),
    NnuePositions(nnue_positions::Arguments),
    NnueLabel(label::Arguments),
    NnueCheckTeacher(check_teacher::Arguments),
    NnueTrain(train::Arguments),
    SearchPositions(search_positions::Arguments),
    SearchFeatures(search_features::Arguments),
    MixerScales(mixer_scales::Arguments),
    PlayMatch(play_match::Arguments),
    BoardOffsets(offsets::Arguments),
    BoardOutputs(outputs::Arguments),
    BoardSample(sample::Arguments),
    BoardWeights(weights::Arguments),
    BitsByPly(bits_by_ply::Arguments),
    BitsByTag(bits_by_tag::Arguments),
    WarmTables(warm_tables::Arguments),
    GameEnds(game_ends::Arguments),
    ClockWeights(clock_weights::Arguments),
    PositionOrGame(position_or_game::Arguments),
    Schema(schema::Arguments),
}

pub fn run(command: &Command) -> anyhow::Result<()> {
    match command {
        Command::Pack(arguments) => pack::run(arguments),
        Command::Split(arguments) => split::run(arguments),
        Command::Batches(arguments) => batches::run(arguments),
        Command::Book(arguments) => book::run(arguments),
        Command::Repertoires(arguments) => repertoires::run(arguments),
        Command::LinearPolicy(arguments) => linear_policy::run(arguments),
        Command::EvaluationTerms(arguments) => evaluation_terms::run(arguments),
        Command::NnuePositions(arguments) => nnue_positions::run(arguments),
        Command::NnueLabel(arguments) => label::run(arguments),
        Command::NnueCheckTeacher(arguments) => check_teacher::run(arguments),
        Command::NnueTrain(arguments) => train::run(arguments),
        Command::SearchPositions(arguments) => search_positions::run(arguments),
        Command::SearchFeatures(arguments) => search_features::run(arguments),
        Command::MixerScales(arguments) => mixer_scales::run(arguments),
        Command::PlayMatch(arguments) => play_match::run(arguments),
        Command::BoardOffsets(arguments) => offsets::run(arguments),
        Command::BoardOutputs(arguments) => outputs::run(arguments),
        Command::BoardSample(arguments) => sample::run(arguments),
        Command::BoardWeights(arguments) => weights::run(arguments),
        Command::BitsByPly(arguments) => bits_by_ply::run(arguments),
        Command::BitsByTag(arguments) => bits_by_tag::run(arguments),
        Command::WarmTables(arguments) => warm_tables::run(arguments),
        Command::GameEnds(arguments) => game_ends::run(arguments),
        Command::ClockWeights(arguments) => clock_weights::run(arguments),
        Command::PositionOrGame(arguments) => position_or_game::run(arguments),
        Command::Schema(arguments) => schema::run(arguments),
    }
}
