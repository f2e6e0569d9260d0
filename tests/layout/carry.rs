//! Carries a document through the streams of structure, layout and text; moves, tags and
//! comments are handed over as they are.

use plyzip::Result;
use plyzip::pgn::{self, Document, Game, Item, Line, Token};
use plyzip::unstable::streams::{layout, structure, text};

/// What the streams wrote, and what they need from others.
pub struct Carried {
    pub layout: Vec<u8>,
    pub structure: Vec<u8>,
    pub items: Vec<u8>,
    pub text: text::RawText,
    /// The document as other streams would code it.
    pub document: Document,
    pub len: usize,
}

fn games(items: &[Item]) -> Vec<Game> {
    let games = items.iter().filter_map(|item| match item {
        Item::Game(game) => Some(game.clone()),
        Item::Text(_) => None,
    });
    games.collect()
}

pub fn encode(input: &[u8]) -> Result<Carried> {
    let mut document = pgn::parse(input);
    let layout = layout::encode(input, &mut document)?;
    let structure = structure::encode(&games(&document.items))?;
    let items = text::encode_items(&document.items)?;
    let text = text::collect(&document.items)?;
    Ok(Carried { layout, structure, items, text, document, len: input.len() })
}

pub fn decode(carried: &Carried) -> Result<Vec<u8>> {
    let mut items = text::decode_items(&carried.items, carried.len)?;
    let known = games(&carried.document.items);
    let mut read: Vec<Game> = known
        .iter()
        .map(|game| Game {
            tags: game.tags.clone(),
            lines: vec![Line { branch: None, moves: game.lines[0].moves.clone() }],
            tokens: Vec::new(),
        })
        .collect();
    let lengths = structure::decode(&carried.structure, &mut read, carried.len)?;
    for ((game, known), lengths) in read.iter_mut().zip(&known).zip(lengths) {
        let variations = known.lines.iter().zip(&mut game.lines).skip(1).zip(lengths);
        for ((known, line), len) in variations {
            line.moves = known.moves.iter().copied().take(len as usize).collect();
        }
        for (known, token) in known.tokens.iter().zip(&mut game.tokens) {
            if let (
                Token::Comment(known) | Token::LineComment(known) | Token::Escape(known),
                Token::Comment(bytes) | Token::LineComment(bytes) | Token::Escape(bytes),
            ) = (known, token)
            {
                bytes.clone_from(known);
            }
        }
    }
    let mut read = read.into_iter();
    for item in &mut items {
        if let Item::Game(game) = item {
            *game = read.next().unwrap_or_default();
        }
    }
    text::distribute(&carried.text, &mut items)?;
    layout::decode(&carried.layout, &items, carried.len)
}
