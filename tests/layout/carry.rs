//! Carries a document through the streams of items, structure and layout; moves, tags, comments and texts are handed
//! over as they are.

use plyzip::Result;
use plyzip::pgn::{self, Document, Game, Item, Line, Token};
use plyzip::unstable::pgn::{atoms, parts};
use plyzip::unstable::streams::layout::LayoutPrior;
use plyzip::unstable::streams::{layout, structure, text};

/// What the streams wrote, and what they need from others.
#[derive(Clone)]
pub struct Carried {
    /// What layouts of pages begin with; empty if this is the only page.
    pub prior: Vec<u8>,
    pub layout: Vec<u8>,
    pub structure: Vec<u8>,
    pub items: Vec<u8>,
    pub texts: Vec<Vec<u8>>,
    /// The document as other streams would code it.
    pub document: Document,
    pub len: usize,
}

fn games(items: &[Item]) -> Vec<&Game> {
    items.iter().filter_map(Item::game).collect()
}

/// The document as one page.
pub fn encode(input: &[u8]) -> Result<Carried> {
    carry(input, vec![], &LayoutPrior::usual()?)
}

/// The document as one page of a block whose layouts begin with what all of its pages have in common.
pub fn encode_with_prior(input: &[u8]) -> Result<Carried> {
    let document = pgn::parse(input);
    let (coded, prior) =
        LayoutPrior::encode(input, &document.items, &document.ranges, atoms(&document))?;
    carry(input, coded, &prior)
}

fn carry(input: &[u8], coded_prior: Vec<u8>, prior: &LayoutPrior) -> Result<Carried> {
    let mut document = pgn::parse(input);
    let (items, ranges, atoms) = parts(document.clone());
    let (layout, reflowed) = layout::encode(input, &items, &ranges, &atoms, prior)?;
    reflowed.into_iter().for_each(|comment| comment.put_into(&mut document.items));
    let structure = structure::encode(&games(&document.items))?;
    let items = text::encode_items(&document.items)?;
    let texts = document.items.iter().flat_map(|item| match item {
        Item::Text(text) => vec![text.clone()],
        Item::Game(game) => {
            game.tokens.iter().filter_map(Token::text).map(<[u8]>::to_vec).collect()
        }
    });
    let texts = texts.collect();
    Ok(Carried { prior: coded_prior, layout, structure, items, texts, document, len: input.len() })
}

pub fn decode(carried: &Carried) -> Result<Vec<u8>> {
    let known = games(&carried.document.items);
    let mut items = text::decode_items(&carried.items, known.len() as u64, carried.len)?;
    let mut read: Vec<&mut Game> = items.iter_mut().filter_map(Item::game_mut).collect();
    for (game, known) in read.iter_mut().zip(&known) {
        game.tags = known.tags.clone();
        game.lines = vec![Line { branch: None, moves: known.lines[0].moves.clone() }];
    }
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
    let places = items.iter_mut().flat_map(|item| match item {
        Item::Text(text) => vec![text],
        Item::Game(game) => game.tokens.iter_mut().filter_map(Token::text_mut).collect(),
    });
    for (place, text) in places.zip(&carried.texts) {
        place.clone_from(text);
    }
    let prior = match &carried.prior[..] {
        [] => LayoutPrior::usual()?,
        coded => LayoutPrior::decode(coded, carried.len)?,
    };
    Ok(layout::decode(&carried.layout, &items, carried.len, &prior)?.0)
}
