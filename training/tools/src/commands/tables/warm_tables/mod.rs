//! Makes the tables that models of tags begin with: what is usual, learned from many games.
//!
//! Small archives are made out of games, whose tags are like those of tournament digests and databases, and of forms
//! of other sources; the mixers learn from these.

mod forms;
mod openings;
mod random;
mod words;

use std::collections::BTreeMap;
use std::path::PathBuf;

use clap::Args;
use plyzip::pgn::{self, Game};
use plyzip::unstable::streams::tags::train;
use plyzip::unstable::streams::warm::{Trainer, WarmTables};

use self::forms::Forms;
use self::openings::Openings;
use self::random::Random;
use self::words::Words;

/// So many bytes are parsed at a time.
const CHUNK: usize = 8 << 20;
/// Games are kept for documents in runs of so many, every so many games.
const RUN: usize = 400;
const EVERY: usize = 4000;
/// A slot is kept if so many documents have used it.
const LEAST_DOCUMENTS: u32 = 4;
/// Slots by mixer.
const SLOTS: [(&str, usize); 9] = [
    ("tags.roster", 800),
    ("tags.candidates", 3600),
    ("tags.players", 1500),
    ("tags.numbers", 4000),
    ("tags.players.new", 4000),
    ("tags.spelling", 2500),
    ("late.named", 1500),
    ("late.candidates", 800),
    ("late.spelling", 600),
];

/// A game without what its tags do not need.
fn tags_and_opening(mut game: Game) -> Game {
    game.tokens.clear();
    game.lines.truncate(1);
    game
}

/// Make codec/tables/tags.bin: what the models of tags, layout and structure begin with
///
/// Frequent words, and openings by position, are counted in the games of GAMES; then mixers learn from small archives
/// that are made of these games and of the forms of other sources. It takes some minutes.
#[derive(Args)]
pub struct Arguments {
    /// PGN, such as train.pgn
    games: PathBuf,

    /// The file to write, such as codec/tables/tags.bin
    out: PathBuf,

    /// Small archives to learn from
    #[arg(long, default_value_t = 6000)]
    documents: usize,
}

pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let documents = arguments.documents;
    let text = std::fs::read(&arguments.games)?;
    let mut words = Words::default();
    // Half of the games for the openings that documents see, and all for those that are shipped: so the mixers
    // learn how far to trust openings that other games have taught.
    let mut openings = [Openings::default(), Openings::default()];
    let (mut runs, mut digest): (Vec<Vec<Game>>, Vec<Game>) = Default::default();
    let mut number = 0;
    let mut rest = &text[..];
    while !rest.is_empty() {
        let end = rest
            .windows(8)
            .enumerate()
            .skip(CHUNK.min(rest.len()))
            .find_map(|(at, window)| (window == b"\n[Event ").then_some(at + 1));
        let (chunk, tail) = rest.split_at(end.unwrap_or(rest.len()));
        rest = tail;
        let place = 1.0 - rest.len() as f64 / text.len() as f64;
        for game in pgn::parse(chunk).into_games() {
            let game = tags_and_opening(game);
            words.count(&game, place);
            openings[1].count(&game);
            if number % 2 == 0 {
                openings[0].count(&game);
            } else if game.tag("WhiteFideId").is_some() {
                digest.push(game.clone());
            }
            if number % EVERY == 0 {
                runs.push(Vec::with_capacity(RUN));
            }
            if number % EVERY < RUN
                && let Some(run) = runs.last_mut()
            {
                run.push(game);
            }
            number += 1;
        }
    }
    eprintln!("{number} games");

    let shipped = words.sections();
    let mut learning: Vec<(String, Vec<u8>)> = shipped.clone();
    learning.push(("late.positions".into(), openings[0].section()));
    let file = WarmTables::write(&learning);
    let tables = WarmTables::read(&file)?;

    let mut trainer = Trainer::default();
    let mut random = Random::new(1);
    let forms = Forms::new(&words, &openings[1]);
    for document in 0..documents {
        let games = forms.document(&runs, &digest, &mut random);
        train(&mut trainer, &tables, &games)?;
        if document % 500 == 499 {
            eprintln!("{} documents", document + 1);
        }
    }
    let most: BTreeMap<String, usize> =
        SLOTS.iter().map(|&(name, slots)| (name.to_owned(), slots)).collect();
    let mut sections = shipped;
    sections.push(("late.positions".into(), openings[1].section()));
    sections.extend(trainer.sections(&most, LEAST_DOCUMENTS));
    // What helps while mixers learn, but does not pay for its bytes (experiment 045).
    sections.retain(|(name, _)| name != "words:Event");
    for (name, section) in &sections {
        eprintln!("{:>8} {name}", section.len());
    }
    std::fs::write(&arguments.out, WarmTables::write(&sections))?;
    Ok(())
}
