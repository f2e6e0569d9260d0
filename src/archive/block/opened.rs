//! A block whose columns are decoded. One that stands in a single section has one page, and is read like any other.

use std::io::{Read, Seek};
use std::ops::Range;

use plyzip_codec::block::{
    Columns, LayoutPrior, PageSource, PageText, PageWatch, Repeat, RepeatSources, Repeated, Run,
    SourceDecoder, WithModel, decode_columns, decode_columns_until, decode_watched_page,
    page_ranges,
};
use shakmaty::Move;

use super::header::Header;
use super::read_page;
use crate::archive::format::section::{BlockHeader, ColumnsHeader, PageHeader};
use crate::archive::format::source::Source;
use crate::archive::moves_index::{BlockMoves, PageRecord};
use crate::pgn::{self, Item};
use crate::{Error, Result, varint};

/// A block whose columns are decoded.
#[derive(Debug)]
pub struct OpenBlock {
    /// Its items, as far as the columns have them, and what layouts begin with.
    pub columns: Columns,
    /// Games of each page but the last, at least 1.
    pub page_games: u64,
    /// At least one.
    pub pages: Vec<OpenPage>,
    /// What games repeat of those of other pages: as the model has decoded it, and as an index has, which may be wrong.
    sources: RepeatSources,
    known_sources: RepeatSources,
}

/// What decoding a page takes of an archive: the numbers of pages, its own and those that its games repeat, and their
/// streams. Those that the block has itself are not among them.
#[derive(Debug, Clone, Default)]
pub struct PagePayload(Vec<(usize, Vec<u8>)>);

/// A page, and where it is.
#[derive(Debug)]
pub struct OpenPage {
    pub header: PageHeader,
    /// Its items among those of the columns.
    items: Range<usize>,
    content: Content,
}

/// Where the moves, comments and layout of a page are.
#[derive(Debug)]
enum Content {
    /// In a section that begins at this byte of the archive.
    Section(u64),
    /// Here, coded.
    Coded(Vec<u8>),
    /// Here, as they were.
    Stored(PageText),
    /// It has none: its items are text, and that is all of it.
    Text,
}

impl OpenBlock {
    pub(super) fn new(
        header: Header,
        payloads: Vec<Vec<u8>>,
        end: u64,
        pages: u64,
    ) -> Result<OpenBlock> {
        let mut payloads = payloads.into_iter();
        let first = payloads.next().unwrap_or_default();
        match header {
            Header::Section(header) => OpenBlock::of_section(header, first),
            Header::Columns(header) => OpenBlock::of_pages(&header, &first, payloads, end, pages),
        }
    }

    fn of_section(header: BlockHeader, payload: Vec<u8>) -> Result<OpenBlock> {
        let length = header.original_length()?;
        let (columns, content) = match (header.is_stored(), header.games) {
            (true, Some(_)) => {
                let pgn::Document { items, ranges, .. } = pgn::parse(&payload);
                let games = items.iter().zip(ranges).filter(|(item, _)| item.game().is_some());
                let games = games.map(|(_, range)| range).collect();
                let columns = Columns { items, layout: LayoutPrior::usual()?, repeats: vec![] };
                (columns, Content::Stored(PageText { bytes: payload, games }))
            }
            // All of it is text by its kind, whatever it looks like.
            (true, None) => {
                let items = vec![Item::Text(payload)];
                (Columns { items, layout: LayoutPrior::usual()?, repeats: vec![] }, Content::Text)
            }
            (false, None) => (decode_columns(&payload, 0, length)?, Content::Text),
            (false, Some(stats)) => {
                let mut rest = &payload[..];
                let columns = varint::take_length(&mut rest)?;
                let (columns, page) = rest
                    .split_at_checked(columns)
                    .ok_or_else(|| Error::damaged("columns longer than their block"))?;
                let columns = decode_columns(columns, stats.games, length)?;
                (columns, Content::Coded(page.to_vec()))
            }
        };
        let BlockHeader { original_bytes, payload_bytes, original_crc, .. } = header;
        let header = PageHeader { original_bytes, payload_bytes, original_crc };
        let page = OpenPage { header, items: 0..columns.items.len(), content };
        Ok(OpenBlock::of(columns, u64::MAX, vec![page]))
    }

    fn of_pages(
        header: &ColumnsHeader,
        columns: &[u8],
        payloads: impl Iterator<Item = Vec<u8>>,
        end: u64,
        mut offset: u64,
    ) -> Result<OpenBlock> {
        let length = usize::try_from(header.original_bytes)
            .map_err(|_| Error::Limit("a block is larger than memory".into()))?;
        let page_games = header.page_games.max(1);
        // A page decodes with the tags of all of its games.
        let end = end.div_ceil(page_games).saturating_mul(page_games);
        let columns = decode_columns_until(columns, header.stats.games, length, end)?;
        // Once for all pages, of which a block can have a million.
        let ranges = page_ranges(&columns.items, page_games);
        if ranges.len() != header.pages.len() {
            return Err(Error::damaged("another number of pages than its games need"));
        }
        let mut pages = Vec::with_capacity(ranges.len());
        let mut payloads = payloads.fuse();
        for (&header, items) in header.pages.iter().zip(ranges) {
            let content = payloads.next().map_or(Content::Section(offset), Content::Coded);
            offset = offset.saturating_add(header.section_bytes());
            pages.push(OpenPage { header, items, content });
        }
        Ok(OpenBlock::of(columns, page_games, pages))
    }

    fn of(columns: Columns, page_games: u64, pages: Vec<OpenPage>) -> OpenBlock {
        let sources = || RepeatSources::new(&columns.repeats, page_games, pages.len());
        let (sources, known_sources) = (sources(), sources());
        OpenBlock { columns, page_games, pages, sources, known_sources }
    }

    /// Whether decoding takes the model of the archive.
    pub fn needs_model(&self) -> bool {
        self.pages.first().is_some_and(OpenPage::needs_model)
    }

    /// A page.
    ///
    /// # Errors
    /// [`Error::Damaged`] if there is no such page.
    pub fn page(&self, number: usize) -> Result<&OpenPage> {
        self.pages.get(number).ok_or_else(|| Error::damaged("a page that its block does not have"))
    }

    /// The items of a page as the columns have them.
    fn items(&self, page: &OpenPage) -> Result<&[Item]> {
        let items = self.columns.items.get(page.items.clone());
        items.ok_or_else(|| Error::damaged("a page without items"))
    }

    /// Whether a page has games that repeat others: what watches its moves does not see theirs.
    pub fn has_repeats(&self, number: usize) -> bool {
        self.sources.has_repeats(number)
    }

    /// What the games of a page repeat; empty if no game of the block repeats anything.
    pub fn repeats(&self, number: usize) -> &[Option<Repeat>] {
        self.sources.of_page(number)
    }

    /// What decoding a page takes of the archive.
    ///
    /// # Errors
    /// Those of [`OpenPage::payload`].
    pub fn payload<R: Read + Seek>(
        &self,
        number: usize,
        archive: &mut Source<R>,
    ) -> Result<PagePayload> {
        let pages = self.sources.missing(number).into_iter().chain([number]);
        let streams = pages.map(|page| Ok((page, self.page(page)?.payload(archive)?)));
        Ok(PagePayload(streams.collect::<Result<_>>()?))
    }

    /// The original bytes of a page, whose [`payload`](OpenBlock::payload) this is, where the games lie in them, and its
    /// items with all that they say. No bytes if who watches is done before: then the games have the moves until there.
    /// Of a stored page nobody sees anything.
    ///
    /// # Errors
    /// [`Error::Damaged`] and its like, [`Error::Model`] if the network fails.
    pub fn decode_page(
        &self,
        number: usize,
        payload: &PagePayload,
        run: &Run,
        watch: PageWatch<'_>,
    ) -> Result<(Option<PageText>, Vec<Item>)> {
        let source = |number: usize| self.source(number, payload);
        let decoder = WithModel { sources: &self.sources, run, page: source };
        let repeated = self.sources.repeated(number, &decoder)?;
        let page = self.page(number)?;
        let PageSource { items, payload: streams, length } = source(number)?;
        let mut items = items.to_vec();
        let text = match &page.content {
            Content::Stored(text) => text.clone(),
            Content::Text => {
                let bytes = items.iter().filter_map(Item::text).flatten().copied().collect();
                PageText { bytes, games: vec![] }
            }
            Content::Section(_) | Content::Coded(_) => {
                let layout = &self.columns.layout;
                let text = decode_watched_page(
                    streams, &mut items, &repeated, layout, length, run, watch,
                )?;
                let Some(text) = text else { return Ok((None, items)) };
                text
            }
        };
        page.header.verify(&text.bytes)?;
        self.sources.keep(number, &items);
        Ok((Some(text), items))
    }

    /// A page, of which `payload` has the streams, if they are not here.
    pub fn source<'a>(&'a self, number: usize, payload: &'a PagePayload) -> Result<PageSource<'a>> {
        let page = self.page(number)?;
        let read = payload.0.iter().find(|(page, _)| *page == number);
        let streams = read.map_or_else(|| page.coded(), |(_, streams)| streams);
        let length = page.header.original_length()?;
        Ok(PageSource { items: self.items(page)?, payload: streams, length })
    }

    /// The same with the moves of an index. The page has this `number`.
    ///
    /// # Errors
    /// [`Error::Damaged`] if the moves are others, or if the page is stored or has no games, so that nobody needs moves.
    pub fn known_page(
        &self,
        number: usize,
        payload: &PagePayload,
        moves: &BlockMoves,
    ) -> Result<(PageText, Vec<Item>)> {
        let page = self.page(number)?;
        if !page.needs_model() {
            return Err(Error::damaged("an index of a block without coded games"));
        }
        let known = moves.whole_page(number)?;
        let PageSource { items, payload: streams, length } = self.source(number, payload)?;
        let (mut items, layout) = (items.to_vec(), &self.columns.layout);
        let decoder = WithIndex { block: self, payload, moves };
        let repeated = self.known_sources.repeated(number, &decoder)?;
        let text = moves.index.with_openings(|all| {
            known.decode(streams, &mut items, &repeated, layout, length, all)
        })?;
        page.header.verify(&text.bytes)?;
        self.known_sources.keep(number, &items);
        Ok((text, items))
    }

    /// The original bytes of a block of which all pages were read.
    ///
    /// # Errors
    /// Those of [`decode_page`](OpenBlock::decode_page).
    pub fn decode(&self, run: &Run) -> Result<Vec<u8>> {
        let here = PagePayload::default();
        let texts = self.sources.in_parallel(self.pages.len(), |number| {
            self.decode_page(number, &here, run, PageWatch::Nobody)?.0.ok_or_else(given_up)
        })?;
        Ok(joined(texts))
    }

    /// The same, and what an index keeps of each page.
    pub(super) fn decode_recorded(
        &self,
        run: &Run,
        records: &mut Vec<PageRecord>,
    ) -> Result<Vec<u8>> {
        let here = PagePayload::default();
        let decoded = self.sources.in_parallel(self.pages.len(), |number| {
            let page = self.page(number)?;
            let mut surprisals = vec![];
            let watch = PageWatch::Surprisals(&mut surprisals);
            let (text, items) = self.decode_page(number, &here, run, watch)?;
            let record = match page.needs_model() {
                true => {
                    let repeats = self.repeats(number);
                    Some(PageRecord::of_page(page.coded(), &items, repeats, &surprisals)?)
                }
                false => None,
            };
            Ok((text.ok_or_else(given_up)?, record))
        })?;
        let (texts, found): (Vec<_>, Vec<_>) = decoded.into_iter().unzip();
        records.extend(found.into_iter().flatten());
        Ok(joined(texts))
    }

    /// The original bytes, without a model: `moves` has the moves.
    ///
    /// # Errors
    /// Those of [`known_page`](OpenBlock::known_page).
    pub fn decode_known(&self, moves: &BlockMoves) -> Result<Vec<u8>> {
        let here = PagePayload::default();
        let texts = self
            .known_sources
            .in_parallel(self.pages.len(), |number| Ok(self.known_page(number, &here, moves)?.0))?;
        Ok(joined(texts))
    }
}

/// Decodes pages with the moves of an index, as far as others repeat them.
struct WithIndex<'a> {
    block: &'a OpenBlock,
    payload: &'a PagePayload,
    moves: &'a BlockMoves,
}

impl SourceDecoder for WithIndex<'_> {
    fn lines(&self, _: usize) -> Result<Option<Vec<Vec<Move>>>> {
        // The index has all main lines.
        Ok(None)
    }

    fn games(&self, page: usize, repeated: &Repeated) -> Result<Vec<Item>> {
        let WithIndex { block, payload, moves } = self;
        let known = moves.whole_page(page)?;
        let PageSource { items, payload, length } = block.source(page, payload)?;
        let mut items = items.to_vec();
        moves.index.with_openings(|all| {
            known.decode_repeated(payload, &mut items, repeated, length, all)
        })?;
        Ok(items)
    }
}

impl OpenPage {
    /// Whether decoding takes the model of the archive.
    pub fn needs_model(&self) -> bool {
        matches!(self.content, Content::Section(_) | Content::Coded(_))
    }

    /// The streams of the page, from its section or from what was read before; none if it is stored or has no games.
    ///
    /// # Errors
    /// [`Error::Io`], and [`Error::Damaged`] if there is no such section.
    pub fn payload<R: Read + Seek>(&self, source: &mut Source<R>) -> Result<Vec<u8>> {
        match self.content {
            Content::Section(offset) => {
                source.seek(offset)?;
                read_page(&self.header, source)
            }
            _ => Ok(self.coded().to_vec()),
        }
    }

    /// The streams, if they are here.
    fn coded(&self) -> &[u8] {
        match &self.content {
            Content::Coded(payload) => payload,
            Content::Section(_) | Content::Stored(_) | Content::Text => &[],
        }
    }
}

fn joined(texts: Vec<PageText>) -> Vec<u8> {
    let mut texts = texts.into_iter().map(|text| text.bytes);
    let mut all = texts.next().unwrap_or_default();
    texts.for_each(|bytes| all.extend(bytes));
    all
}

fn given_up() -> Error {
    Error::Internal("a block was given up".into())
}
