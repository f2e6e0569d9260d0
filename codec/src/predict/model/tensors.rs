//! Parts of a model that are not its network: tensors that no node of the graph uses.

use std::sync::Arc;

use super::super::board_policy::BoardPolicy;
use super::super::book::{self, Book};
use super::super::mixer_scales::MixerScales;
use crate::analysis::{Effort, MAX_RERANKER_SIZE, Reranker, SEARCH_FEATURES, SearchModel};
use crate::board_network::BoardNetwork;
use crate::engine::{MAX_NUMBERS, Nnue};
use crate::network::onnx::{DataType, ModelProto};
use crate::network::{take_numbers, take_tensor, take_up_to};
use crate::{Error, Result};

// Names in files are those that the first models had.

/// The tensor with the opening book.
pub const BOOK: &str = "plyzip.book";
/// The tensor with the repertoires: a book by position and player
/// ([`Player::repertoire`](crate::predict::Player::repertoire)).
pub const REPERTOIRES: &str = "plyzip.repertoires";
/// The metadata with the effort of the search.
pub const SEARCH: &str = "plyzip.search";
/// The tensor with the network that evaluates positions.
pub const NNUE: &str = "plyzip.values";
/// The tensor with the initial weights of the search features.
pub const SEARCH_FEATURE_WEIGHTS: &str = "plyzip.verdicts";
/// The tensor with the reranker, which a model may lack.
pub const RERANKER: &str = "plyzip.second_look";
/// The tensor with the scales that the mixer begins with, which a model may lack.
pub const MIXER_SCALES: &str = "plyzip.mixer";
/// The tensor with the file of the board network, which a model may lack.
pub const BOARD: &str = "plyzip.board";
/// The tensor with the weights of the board network's outputs, and perhaps bounds; models that have the one have the
/// other.
pub const BOARD_WEIGHTS: &str = "plyzip.board_weights";
/// The metadata with the BLAKE3 of the book that is built in, in hexadecimal digits, for models that use it.
pub const BUILT_IN_BOOK: &str = "plyzip.built_in_book";

/// Takes the tensors of the search out of the graph; `None` in a model without `plyzip.search` among its metadata.
///
/// # Errors
/// [`Error::Model`] if one of them is missing or malformed.
pub(super) fn take_search_model(proto: &mut ModelProto) -> Result<Option<SearchModel>> {
    let searches = proto.metadata_props.iter().find(|property| property.key == SEARCH);
    let Some(searches) = searches else { return Ok(None) };
    let effort = Effort::parse(&searches.value)
        .ok_or_else(|| Error::Model(format!("`{SEARCH}` is not the effort of a search")))?;
    let unknown_shape = |name: &str| {
        Error::Model(format!(
            "`{name}` is of a shape that is not known, or has numbers that are too large"
        ))
    };
    let lacks = |name: &str| Error::Model(format!("a model that searches and has no `{name}`"));
    let weights = take_numbers(proto, SEARCH_FEATURE_WEIGHTS, &[SEARCH_FEATURES])?
        .ok_or_else(|| lacks(SEARCH_FEATURE_WEIGHTS))?;
    let nnue = take_up_to(proto, NNUE, MAX_NUMBERS)?.ok_or_else(|| lacks(NNUE))?;
    let nnue = Nnue::new(&nnue).ok_or_else(|| unknown_shape(NNUE))?;
    let reranker = take_up_to(proto, RERANKER, MAX_RERANKER_SIZE)?
        .map(|numbers| Reranker::new(&numbers).ok_or_else(|| unknown_shape(RERANKER)))
        .transpose()?;
    Ok(Some(SearchModel { effort, nnue: Arc::new(nnue), weights, reranker }))
}

/// Takes the scales of the mixer out of the graph of a model that searches.
///
/// # Errors
/// [`Error::Model`] if the tensor is not one of scales.
pub(super) fn take_mixer_scales(proto: &mut ModelProto) -> Result<Option<MixerScales>> {
    let numbers = take_numbers(proto, MIXER_SCALES, &[MixerScales::COUNT])?;
    let scales = numbers.map(|numbers| {
        MixerScales::from_numbers(&numbers)
            .ok_or_else(|| Error::Model(format!("`{MIXER_SCALES}` has scales that are too large")))
    });
    scales.transpose()
}

/// Takes the board network and its weights out of the graph.
///
/// # Errors
/// [`Error::Model`] if one of them is missing or malformed; [`Error::Limit`] if the network is too large.
pub(super) fn take_board_policy(proto: &mut ModelProto) -> Result<BoardPolicy> {
    let lacks = |name: &str| Error::Model(format!("a model with a board network has no `{name}`"));
    let file = take_bytes(proto, BOARD, usize::MAX)?.ok_or_else(|| lacks(BOARD))?;
    let counts = [BoardPolicy::WEIGHTS, BoardPolicy::WEIGHTS_AND_BOUNDS];
    let weights =
        take_numbers(proto, BOARD_WEIGHTS, &counts)?.ok_or_else(|| lacks(BOARD_WEIGHTS))?;
    let out_of_range =
        || Error::Model(format!("`{BOARD_WEIGHTS}` has weights or bounds out of their range"));
    BoardPolicy::new(BoardNetwork::from_bytes(&file)?, &weights).ok_or_else(out_of_range)
}

/// Takes a vector of at most `most` bytes, a tensor that no node uses, out of the graph.
///
/// # Errors
/// [`Error::Model`] if the tensor of this name is none.
fn take_bytes(proto: &mut ModelProto, name: &str, most: usize) -> Result<Option<Vec<u8>>> {
    let Some(tensor) = take_tensor(proto, name) else { return Ok(None) };
    let size = tensor.raw_data.len();
    if tensor.data_type != DataType::Uint8 as i32 || tensor.dims[..] != [size as i64] || size > most
    {
        return Err(Error::Model(format!("`{name}` is not a vector of bytes")));
    }
    Ok(Some(tensor.raw_data))
}

/// Takes a book, a tensor of bytes that no node uses, out of the graph.
///
/// # Errors
/// [`Error::Model`] if the tensor of this name is not a book.
pub(super) fn take_book(proto: &mut ModelProto, name: &str) -> Result<Option<Book>> {
    take_bytes(proto, name, book::MAX_SIZE)?.map(Book::from_bytes).transpose()
}

/// The book that is built in, if the model's metadata name it.
///
/// # Errors
/// [`Error::Model`] if they name a book that is not in this program.
pub(super) fn named_book(proto: &ModelProto) -> Result<Option<Arc<Book>>> {
    let named = proto.metadata_props.iter().find(|property| property.key == BUILT_IN_BOOK);
    let Some(named) = named else { return Ok(None) };
    if named.value != book::built_in_hash().to_hex().as_str() {
        return Err(Error::Model(format!("its opening book, {}, is not built in", named.value)));
    }
    Ok(Some(Book::built_in()))
}
