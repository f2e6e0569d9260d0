//! PGN with what moves cost, in comments.

use plyzip::pgn::{self, Item};
use plyzip::unstable::pgn::{AtomKind, atoms};
use plyzip::{Error, Result};

use super::annotated::{Annotated, AnnotatedPly, percent};

/// The game as it stood, with a comment after each move of the game as it was played, and a line for each of them:
/// their comments are long.
pub fn annotated(game: &Annotated) -> Result<Vec<u8>> {
    let document = pgn::parse(&game.bytes);
    let place = document.items.iter().position(|item| matches!(item, Item::Game(_)));
    let found =
        place.and_then(|place| Some((document.items[place].game()?, &atoms(&document)[place])));
    let (read, atoms) =
        found.ok_or_else(|| Error::Internal("a game that is none by itself".into()))?;
    if read.lines.first().map(|line| &line.moves) != game.game.lines.first().map(|line| &line.moves)
    {
        return Err(Error::Internal("a game that is another one by itself".into()));
    }
    let mut text = Vec::with_capacity(2 * game.bytes.len());
    let (mut copied, mut depth) = (0, 0);
    let mut plies = game.plies.iter();
    let mut waiting: Option<&AnnotatedPly> = None;
    for atom in atoms {
        // A move's glyphs belong to it.
        if !matches!(atom.kind, AtomKind::Suffix | AtomKind::Dollar)
            && let Some(ply) = waiting.take()
        {
            let gap = &game.bytes[copied..atom.range().start];
            text.extend(comment(ply));
            // `%` at the beginning of a line would be something else.
            match gap.strip_prefix(b" ") {
                Some(rest) if game.bytes.get(atom.range().start) != Some(&b'%') => {
                    text.push(b'\n');
                    text.extend_from_slice(rest);
                }
                Some(_) => text.extend_from_slice(gap),
                None if gap.is_empty() => text.push(b' '),
                None => text.extend_from_slice(gap),
            }
            copied = atom.range().start;
        }
        text.extend_from_slice(&game.bytes[copied..atom.range().end]);
        copied = atom.range().end;
        match atom.kind {
            AtomKind::Open => depth += 1,
            AtomKind::Close => depth -= 1,
            AtomKind::Move if depth == 0 => waiting = plies.next(),
            _ => {}
        }
    }
    text.extend(waiting.map(comment).unwrap_or_default());
    text.extend_from_slice(&game.bytes[copied..]);
    Ok(text)
}

/// The comment on a move. Nothing in it could end it.
fn comment(ply: &AnnotatedPly) -> Vec<u8> {
    let likelier = ply.others.first().filter(|other| other.probability > ply.probability());
    let expected = match likelier {
        Some(other) => format!("expected {} {}", other.named.san, percent(other.probability)),
        None if ply.cost.legal == 1 => "forced".into(),
        None => format!("expected, {}", percent(ply.probability())),
    };
    format!(" {{ [%surprisal {:.1}] {expected} }}", ply.cost.bits()).into_bytes()
}

#[cfg(test)]
mod tests {
    use super::super::annotated::Explained;
    use super::*;
    use plyzip::{GameHeader, Model};

    fn comments(text: &str) -> String {
        let game = pgn::parse(text.as_bytes()).into_games().next().unwrap();
        let header = GameHeader::from_tags(&game).unwrap();
        let costs = Some(Model::none().costs(&header, &game.lines[0].moves).unwrap());
        let bytes = text.as_bytes().to_vec();
        let explained = Explained { number: 0, bytes, game, costs, model: "none".into() };
        String::from_utf8(annotated(&Annotated::new(explained, true)).unwrap()).unwrap()
    }

    /// The text without what was inserted.
    fn without(text: &str) -> String {
        let mut parts = text.split(" { [%surprisal ");
        let mut rest = parts.next().unwrap().to_owned();
        for part in parts {
            rest += part.split_once(" }").unwrap().1;
        }
        rest
    }

    #[test]
    fn all_else_stays_as_it_was() {
        for text in [
            "[White \"a {b}\"]\n\n1. e4 e5 2. Nf3 $1 Nc6 {good} (2... d6 3. d4 (3. Bc4)) 3. Bb5 a6 1-0\n\n",
            "[Event \"?\"]\n\n1.e4(1.d4 d5)e5 {x} 2.Ke2! ; why\n2...Ke7 3. Ke1",
            "[Event \"?\"]\n1. e4 %no\n e5 *\n",
            "[Event \"?\"]\n1. e4 e5 and so on",
            "[FEN \"7k/8/8/8/8/8/5q2/K7 b - - 0 1\"]\n\n1... Kg7 *\n",
        ] {
            let annotated = comments(text);
            let words = |text: &str| text.split_whitespace().collect::<String>();
            assert_eq!(words(&without(&annotated)), words(text), "{annotated}");
            let read = |text: &str| {
                let game = pgn::parse(text.as_bytes()).into_games().next().unwrap();
                (game.tags, game.lines)
            };
            assert_eq!(read(&annotated), read(text), "{annotated}");
            let moves = read(text).1[0].moves.len();
            assert_eq!(annotated.matches("[%surprisal ").count(), moves, "{annotated}");
            assert!(!annotated.contains("\n%"), "{annotated}");
        }
    }
}
