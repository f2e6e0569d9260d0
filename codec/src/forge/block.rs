//! A block of made-up content.

use super::Below;
use super::choices::{Plan, forging, marked, piece};
use crate::pgn::{Game, Item};
use crate::predict::Model;
use crate::split_mix::SplitMix;
use crate::streams::{
    self, decode_columns, decode_page, encode_block, join, page_ranges, split, text,
};

/// What the original of a page or a block may have while it is made.
const ROOM: usize = 1 << 14;

/// A block whose streams serve as bases, of one page.
pub struct Base {
    columns: Vec<Vec<u8>>,
    page: Vec<Vec<u8>>,
}

/// Games of every kind that a stream has something for.
const SEEDS: [&str; 6] = [
    "[Event \"A\"]\n[White \"Anderssen, A\"]\n[Black \"Kieseritzky, L\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. f4 exf4 3. Bc4 \
     Qh4+ 4. Kf1 b5 5. Bxb5 Nf6 1-0\n\n[Event \"B\"]\n[Result \"0-1\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n",
    "[Event \"C\"]\n[ECO \"C20\"]\n\n1. e4 $1 e5 {a comment} (1... c5 2. Nf3 (2. c3 d5 $14) 2... d6) 2. Nf3!? Nc6 ; \
     rest\n% escape\n3. Bb5 a6 *\n\n[Event \"D\"]\n\n1. d4 { [%clk 0:03:00] [%eval 0.2] } d5 { [%clk 0:02:58] } *\n",
    "[FEN \"4k3/P7/8/8/8/8/8/4K2R w K - 0 1\"]\n[SetUp \"1\"]\n\n1. a8=Q+ Kd7 2. O-O 1/2-1/2\n\nno game at all\n",
    "1.e2-e4 e7e5 2.Ng1f3 *\r\n\r\n[A \"b\"]*[B \"c \"d\" e\"]\r\n\r\n1. e4 (1. d4 x) (1. c4 {) 1... e5 ",
    "[Event \"Rated Blitz game\"]\n[Site \"https://lichess.org/abcd1234\"]\n[White \"x\"]\n[Black \"y\"]\n\
     [WhiteElo \"1500\"]\n[BlackElo \"1510\"]\n[TimeControl \"180+2\"]\n[ECO \"B01\"]\n[Opening \"Scandinavian \
     Defense\"]\n[PlyCount \"4\"]\n\n1. e4 { [%eval 0.3] [%clk 0:03:00] } 1... d5 { [%eval 0.9] [%clk 0:03:00] } 2. \
     exd5 { [%eval 0.8] [%clk 0:02:59.9] } 2... Qxd5 { [%eval #-3] [%clk 0:00:00] } 1-0\n\n",
    "[Event \"F\"]\n[Variant \"Chess960\"]\n[FEN \"1r1k1r2/8/8/8/8/8/8/1R3KR1 w GBfb - 0 1\"]\n\n1. O-O-O+ Kc7 2. Rg7+ \
     {a longer comment, of so many words that its lines have to break somewhere, as they do in most programs} 2... \
     Kd6 (2... Kc8 3. Rg8+) 3. Rd1+ *\n\n",
];

/// Blocks of one page each.
pub fn bases() -> Vec<Base> {
    let base = |text: &str| {
        let block = encode_block(text.as_bytes(), &Model::none(), 1000).unwrap();
        let columns = split::<7>(&block.columns).unwrap().map(<[u8]>::to_vec).to_vec();
        let page = split::<7>(&block.pages[0].payload).unwrap().map(<[u8]>::to_vec).to_vec();
        Base { columns, page }
    };
    SEEDS.iter().map(|text| base(text)).chain([base(&SEEDS.concat())]).collect()
}

/// A block that was made.
pub struct Block {
    pub columns: Vec<u8>,
    pub page_games: u64,
    /// Each page's payload, and what it decodes to.
    pub pages: Vec<(Vec<u8>, Vec<u8>)>,
    pub games: u64,
}

fn plan(random: &mut SplitMix, base: &[u8]) -> Plan {
    let base = if random.one_in(3) { vec![] } else { base.to_vec() };
    let wild = [0, 0, 0, 20, 60, 300, 1500, 6000, 65_536][random.below(9)];
    Plan { base, wild, most: 1 << (12 + random.below(5)) }
}

/// A stream that is marked, and what it is based on; or one whose bytes are as they are.
fn stream(random: &mut SplitMix, number: usize, plan: &Plan) -> Vec<u8> {
    if !random.one_in(12) {
        return marked(number);
    }
    let mut bytes = plan.base.clone();
    if random.one_in(2) {
        bytes = (0..random.below(300)).map(|_| random.next() as u8).collect();
    } else if !bytes.is_empty() {
        let place = random.below(bytes.len());
        bytes[place] ^= 1 << random.below(8);
    }
    bytes
}

/// Makes a block; `None` if what was chosen is no block.
pub fn block(random: &mut SplitMix, model: &Model, bases: &[Base]) -> Option<Block> {
    let base = &bases[random.below(bases.len())];
    let games = 1 + random.below(4) as u64;
    let page_games = if random.one_in(2) { games } else { 1 + random.below(games as usize) as u64 };
    let mut items = vec![];
    for _ in 0..games {
        if random.one_in(8) {
            items.push(Item::Text(vec![]));
        }
        items.push(Item::Game(Game::default()));
    }
    if random.one_in(8) {
        items.push(Item::Text(vec![]));
    }
    let kinds = text::encode_items(&items).unwrap();
    let plans = vec![plan(random, &base.columns[1]), plan(random, &[])];
    let tags = stream(random, 0, &plans[0]);
    let prior = if random.one_in(4) { stream(random, 1, &plans[1]) } else { vec![] };
    let payload = join::<7>([&kinds, &tags, &[], &[], &[], &prior, &[]]);
    let seed = SplitMix(random.next());
    let (columns, mut made) = forging(seed, plans, || decode_columns(&payload, games, ROOM));
    let columns = columns.ok()?;
    let tags = made.streams[0].take().unwrap_or(tags);
    let prior = made.streams[1].take().unwrap_or(prior);
    let texts = made.texts.as_ref().map(|texts| (&texts.lengths[..], &texts.bytes[..]));
    let (lengths, texts) = texts.unwrap_or_default();
    let coded = join::<7>([&kinds, &tags, &made.names, lengths, texts, &prior, &[]]);
    let mut pages = vec![];
    for range in page_ranges(&columns.items, page_games) {
        let mut items = columns.items[range].to_vec();
        pages.push(page(random, &mut items, &columns.layout, model, base)?);
    }
    Some(Block { columns: coded, page_games, pages, games })
}

/// Makes a page, and what it decodes to.
fn page(
    random: &mut SplitMix,
    items: &mut [Item],
    layout: &streams::layout::LayoutPrior,
    model: &Model,
    base: &Base,
) -> Option<(Vec<u8>, Vec<u8>)> {
    // The structure of comments, without what stands before and behind it.
    let commented = base.page[2]
        .split_first()
        .map_or(&[][..], |(&length, rest)| &rest[..usize::from(length & 127).min(rest.len())]);
    let plans = vec![
        plan(random, &base.page[0]),
        plan(random, &base.page[1]),
        plan(random, commented),
        plan(random, &base.page[3]),
        plan(random, &base.page[4]),
    ];
    let mut parts: Vec<Vec<u8>> =
        plans.iter().enumerate().map(|(number, plan)| stream(random, number, plan)).collect();
    let mut prose = vec![];
    for _ in 0..random.below(30) {
        prose.extend(piece(random).into_iter().map(|byte| byte.max(2)));
        prose.push(0);
    }
    let framed = streams::comments::framed(&parts[2], &prose).ok()?;
    let payload = join::<7>([&parts[0], &parts[1], &framed, &parts[3], &parts[4], &[], &[]]);
    let seed = SplitMix(random.next());
    let (text, mut made) =
        forging(seed, plans, || decode_page(&payload, items, layout, ROOM, model));
    let text = text.ok()?.bytes;
    for (part, stream) in parts.iter_mut().zip(&mut made.streams) {
        *part = stream.take().unwrap_or_else(|| std::mem::take(part));
    }
    let framed = streams::comments::framed(&parts[2], &prose).ok()?;
    let texts = made.texts.as_ref().map(|texts| (&texts.lengths[..], &texts.bytes[..]));
    let (lengths, texts) = texts.unwrap_or_default();
    let page = join::<7>([&parts[0], &parts[1], &framed, &parts[3], &parts[4], lengths, texts]);
    Some((page, text))
}
