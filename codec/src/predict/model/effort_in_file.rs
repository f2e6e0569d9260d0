//! A model's file with another effort of the search: the same network, faster or denser.

use super::tensors::SEARCH;
use super::{FEATURES, NAME, WITH_BOARD};
use crate::analysis::Effort;
use crate::network::onnx::{Field, Value};
use crate::{Error, Result};

/// Field of ONNX's `ModelProto` with the metadata, a message for each property.
const METADATA: usize = 14;
/// Fields of a property.
const KEY: usize = 1;
const VALUE: usize = 2;

/// What separates a model's name from an effort.
const SEPARATOR: char = '@';
/// What follows an effort that leaves the board network out.
const WITHOUT_BOARD: &str = "-board";

/// What a name such as `standard@800x8` says of the effort of a model.
#[derive(Debug)]
pub struct NamedEffort {
    /// The model's property for its search, nodes, moves and perhaps a margin; `None` if it does not search.
    search: Option<String>,
    /// Whether the board network, if the model has one, is evaluated.
    board: bool,
}

impl NamedEffort {
    /// Reads what follows the `@` of a name. Each effort has one spelling.
    fn parse(spelt: &str) -> Option<NamedEffort> {
        if spelt == "0" {
            return Some(NamedEffort { search: None, board: false });
        }
        let (numbers, board) = match spelt.strip_suffix(WITHOUT_BOARD) {
            Some(numbers) => (numbers, false),
            None => (spelt, true),
        };
        let search = Effort::parse(&numbers.replace('x', " "))?.to_string();
        (search.replace(' ', "x") == numbers).then_some(NamedEffort { search: Some(search), board })
    }
}

/// Splits a name such as `standard@800x8` into the name of a model and an effort: nodes, moves and perhaps a margin,
/// with `-board` behind them if the board network is left out, or `@0` for neither a search nor a board network.
/// `None` for names of another form.
///
/// The form is part of generation 1: archives name models by it.
pub fn split_name(name: &str) -> Option<(&str, NamedEffort)> {
    let (base, spelt) = name.rsplit_once(SEPARATOR)?;
    let effort = NamedEffort::parse(spelt)?;
    (!base.is_empty()).then_some((base, effort))
}

/// The model's file `file` under the name `name`, with the effort that the name says, instead of its own; `None` if the
/// name says none.
///
/// The properties `plyzip.name` and `plyzip.search` are spelt anew where they stand, or the latter left out for `@0`.
/// `plyzip.features` says no more that there is a board network for `@0` and `-board`. All other bytes are those of
/// `file`. So every program derives the same bytes, and the same hash.
///
/// # Errors
/// [`Error::Model`] if `file` is no ONNX file, or of a model that does not search.
pub fn with_effort(file: &[u8], name: &str) -> Result<Option<Vec<u8>>> {
    let Some((_, effort)) = split_name(name) else { return Ok(None) };
    let mut out = Vec::with_capacity(file.len() + name.len() + 16);
    let mut searches = false;
    let mut rest = file;
    while !rest.is_empty() {
        let field = take(&mut rest)?;
        let [key, value] = match field.value {
            Value::Bytes(content) if field.number == METADATA => property(content)?,
            _ => [None; 2],
        };
        let without_board = value.and_then(|version| version.strip_suffix(WITH_BOARD));
        match (key, without_board) {
            (Some(NAME), _) => put_property(&mut out, NAME, name),
            (Some(SEARCH), _) => {
                searches = true;
                if let Some(search) = &effort.search {
                    put_property(&mut out, SEARCH, search);
                }
            }
            (Some(FEATURES), Some(version)) if !effort.board => {
                put_property(&mut out, FEATURES, version);
            }
            _ => out.extend(field.bytes),
        }
    }
    if !searches {
        return Err(Error::Model("a model that does not search has no effort".into()));
    }
    Ok(Some(out))
}

/// The key and the value of a property.
fn property(mut rest: &[u8]) -> Result<[Option<&str>; 2]> {
    let mut parts = [None; 2];
    while !rest.is_empty() {
        let field = take(&mut rest)?;
        if let (KEY | VALUE, Value::Bytes(content)) = (field.number, field.value) {
            parts[field.number - KEY] = std::str::from_utf8(content).ok();
        }
    }
    Ok(parts)
}

fn put_property(out: &mut Vec<u8>, key: &str, value: &str) {
    let mut content = vec![];
    for (number, text) in [(KEY, key), (VALUE, value)] {
        put_field(&mut content, number, text.as_bytes());
    }
    put_field(out, METADATA, &content);
}

fn put_field(out: &mut Vec<u8>, number: usize, content: &[u8]) {
    crate::varint::put_length(out, number << 3 | 2);
    crate::varint::put_length(out, content.len());
    out.extend(content);
}

/// The next field of a message. ONNX has no groups.
fn take<'a>(message: &mut &'a [u8]) -> Result<Field<'a>> {
    let field =
        Field::take(message).filter(|field| matches!(field.value, Value::Number | Value::Bytes(_)));
    field.ok_or_else(|| Error::Model("not an ONNX file: a field that breaks off".into()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Model;

    #[test]
    fn names_have_one_spelling_for_an_effort() {
        let split = |name| {
            let (base, NamedEffort { search, board }) = split_name(name)?;
            Some((base.to_owned(), search.unwrap_or_default(), board))
        };
        assert_eq!(split("standard@800x8"), Some(("standard".into(), "800 8".into(), true)));
        assert_eq!(split("standard@80x4-board"), Some(("standard".into(), "80 4".into(), false)));
        assert_eq!(split("max@9000x12x40"), Some(("max".into(), "9000 12 40".into(), true)));
        assert_eq!(split("a@b@0"), Some(("a@b".into(), String::new(), false)));
        for name in [
            "standard",
            "@0",
            "a@",
            "a@00",
            "a@0800x8",
            "a@800",
            "a@800x8x",
            "a@+800x8",
            "a@1000001x8",
            "a@0-board",
            "a@-board",
            "a@800x8-board-board",
            "a@800x8-bag",
        ] {
            assert_eq!(split(name), None, "{name}");
        }
    }

    #[test]
    fn a_derived_file_differs_by_its_name_and_effort_alone() {
        let file = crate::predict::Model::embedded_files()[0].1;
        let derived = with_effort(file, "standard@50x4").unwrap().unwrap();
        // The name is five bytes longer, `50 4` two bytes shorter than `600 10`.
        assert_eq!(derived.len(), file.len() + 5 - 2);
        let model = Model::from_bytes(&derived).unwrap();
        assert_eq!(model.name(), "standard@50x4");
        let again = with_effort(&derived, "standard@1800x12").unwrap().unwrap();
        assert_eq!(with_effort(&again, "standard@50x4").unwrap().unwrap(), derived);
        assert_eq!(with_effort(file, "standard").unwrap(), None);
    }

    /// Archives name this hash, and docs/format/standard.md has it.
    #[test]
    fn the_bytes_of_a_derived_file_are_pinned() {
        let file = crate::network::model_file("standard-1.onnx");
        let derived = with_effort(&file, "standard@800x8").unwrap().unwrap();
        assert!(blake3::hash(&derived).to_hex().starts_with("35ab44888f3dca1ede2343035afca7c7"));
    }

    #[test]
    fn without_a_search_the_network_alone_predicts() {
        let file = crate::predict::Model::embedded_files()[0].1;
        let alone = with_effort(file, "standard@0").unwrap().unwrap();
        let model = Model::from_bytes(&alone).unwrap();
        assert!(model.search_model().is_none() && model.board_policy().is_none());
        assert!(with_effort(&alone, "standard@0").is_err());
    }

    #[test]
    fn a_search_may_do_without_the_board_network() {
        let file = crate::predict::Model::embedded_files()[0].1;
        let [whole, alone] = ["standard@50x4", "standard@50x4-board"].map(|name| {
            let model = Model::from_bytes(&with_effort(file, name).unwrap().unwrap()).unwrap();
            assert_eq!(model.name(), name);
            assert_eq!(model.search_model().unwrap().effort.nodes, 50);
            model
        });
        assert!(whole.board_policy().is_some() && alone.board_policy().is_none());
        // From a model that has none, `-board` takes nothing.
        let before = crate::network::model_file("standard-1.onnx");
        let [without, direct] =
            [&with_effort(&before, "standard@50x4-board").unwrap().unwrap(), &before]
                .map(|file| with_effort(file, "standard@50x4").unwrap().unwrap());
        assert_eq!(without, direct);
    }

    #[test]
    fn what_is_no_file_of_fields_is_an_error() {
        let file = crate::predict::Model::embedded_files()[0].1;
        for bytes in [
            &b"\x0a\xff"[..],
            b"\x0b",
            b"\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff",
            &file[..100_000],
        ] {
            assert!(matches!(with_effort(bytes, "standard@0"), Err(Error::Model(_))));
        }
    }
}
