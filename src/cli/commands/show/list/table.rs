//! Lists on a terminal: aligned, with a header, no wider than the terminal.

use std::borrow::Cow;
use std::io::Write;

use console::Style;
use plyzip::Result;
use plyzip::pgn::tag_text;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use super::{Before, PLIES, Row, Sheet};
use crate::cli::shown::shown;

/// Rows that are looked at before the first is printed, so that columns are as wide as their values.
const LOOKED_AT: usize = 1000;
/// Between columns.
const GAP: usize = 2;
/// No column becomes narrower than this, nor wider than that.
const NARROWEST: usize = 4;
const WIDEST: usize = 60;

/// A table for people.
pub(super) struct TableSheet<W> {
    out: W,
    /// Letters of a line.
    width: usize,
    colour: bool,
    columns: Vec<Column>,
    /// Tags of the columns behind file and number.
    names: Vec<String>,
    before: Before,
    /// Rows that wait for the widths.
    waiting: Vec<Vec<String>>,
    /// Whether the widths are known and the header is printed.
    begun: bool,
}

/// A column.
#[derive(Debug, Clone)]
struct Column {
    title: String,
    width: usize,
    /// Whether its values are numbers, which stand at the right.
    right: bool,
    /// Whether its values say nothing if something is cut off.
    whole: bool,
}

impl<W: Write> TableSheet<W> {
    /// A table of these tags behind the number and what else stands `before`, in lines of `width` letters.
    pub fn new(out: W, names: Vec<String>, before: Before, width: usize, colour: bool) -> Self {
        let file = before.file.then(|| "File".to_owned());
        let repeats = before.repeats.then(|| "Repeats".to_owned());
        let titles = file.into_iter().chain(["#".to_owned()]).chain(repeats);
        let titles = titles.chain(names.iter().map(|name| title(name).to_owned()));
        let columns = titles.map(|title| {
            let right = ["#", "Elo", PLIES].contains(&&title[..]);
            let whole = right || ["Date", "UTCDate", "Result", "ECO"].contains(&&title[..]);
            Column { width: title.width(), title, right, whole }
        });
        let columns = columns.collect();
        TableSheet { out, width, colour, columns, names, before, waiting: vec![], begun: false }
    }

    /// Prints the header and the rows that wait.
    fn begin(&mut self) -> Result<()> {
        self.begun = true;
        let waiting = std::mem::take(&mut self.waiting);
        for row in &waiting {
            for (column, value) in self.columns.iter_mut().zip(row) {
                column.width = column.width.max(value.width()).min(WIDEST);
            }
        }
        fit(&mut self.columns, self.width);
        if waiting.is_empty() {
            return Ok(());
        }
        let titles: Vec<String> = self.columns.iter().map(|column| column.title.clone()).collect();
        self.line(&titles, true)?;
        waiting.iter().try_for_each(|row| self.line(row, false))
    }

    fn line(&mut self, values: &[String], header: bool) -> Result<()> {
        let last = values.len() - 1;
        let number = usize::from(self.before.file);
        for (place, (value, column)) in values.iter().zip(&self.columns).enumerate() {
            let value = cut(value, column.width);
            let space = " ".repeat(column.width.saturating_sub(value.width()));
            let style = match (header, place == number) {
                (true, _) => Style::new().bold().underlined(),
                (false, true) => Style::new().dim(),
                (false, false) => Style::new(),
            };
            let value = style.force_styling(self.colour).apply_to(&value);
            match (column.right, place == last) {
                (true, _) => write!(self.out, "{space}{value}")?,
                (false, true) => write!(self.out, "{value}")?,
                (false, false) => write!(self.out, "{value}{space}")?,
            }
            if place < last {
                write!(self.out, "{:GAP$}", "")?;
            }
        }
        Ok(writeln!(self.out)?)
    }
}

impl<W: Write> Sheet for TableSheet<W> {
    fn row(&mut self, row: &Row<'_>) -> Result<()> {
        let value = |name: &String| match (row.plies, &name[..]) {
            (Some(plies), PLIES) => plies.to_string(),
            (_, name) => row.tag(name).map_or(Cow::Borrowed(""), tag_text).into_owned(),
        };
        let file = row.file.map(str::to_owned).into_iter();
        let repeats = row.repeats.map(str::to_owned);
        let values = file.chain([row.number.to_string()]).chain(repeats);
        let values = values.chain(self.names.iter().map(value));
        // Nothing that moves the cursor.
        let values: Vec<String> = values.map(|value| shown(&value).into_owned()).collect();
        if self.begun {
            return self.line(&values, false);
        }
        self.waiting.push(values);
        match self.waiting.len() {
            LOOKED_AT => self.begin(),
            _ => Ok(()),
        }
    }

    fn finish(mut self: Box<Self>) -> Result<()> {
        if !self.begun {
            self.begin()?;
        }
        Ok(self.out.flush()?)
    }
}

/// The title of a tag's column.
fn title(name: &str) -> &str {
    match name {
        "WhiteElo" | "BlackElo" => "Elo",
        name => name,
    }
}

/// Makes the widest columns narrower until a line has at most `width` letters, as far as that goes.
fn fit(columns: &mut [Column], width: usize) {
    let gaps = GAP * columns.len().saturating_sub(1);
    let mut sum = gaps + columns.iter().map(|column| column.width).sum::<usize>();
    while sum > width {
        let texts = columns.iter_mut().filter(|column| !column.whole);
        let Some(widest) = texts.max_by_key(|column| column.width) else { return };
        if widest.width <= NARROWEST {
            return;
        }
        widest.width -= 1;
        sum -= 1;
    }
}

/// The beginning of a text that is no wider than `width`, with a mark where something is missing.
fn cut(text: &str, width: usize) -> Cow<'_, str> {
    if text.width() <= width {
        return text.into();
    }
    let (mut used, mut kept) = (1, String::new());
    for letter in text.chars() {
        used += letter.width().unwrap_or(0);
        if used > width {
            break;
        }
        kept.push(letter);
    }
    (kept + "…").into()
}

#[cfg(test)]
mod tests {
    use plyzip::pgn::Tag;

    use super::*;

    fn table(width: usize, colour: bool) -> String {
        let tags = |white: &str, elo: &str, event: &str| {
            [("White", white), ("WhiteElo", elo), ("Event", event)]
                .map(|(name, value)| Tag { name: name.into(), value: value.into() })
        };
        let names = ["White", "WhiteElo", "Event"].map(String::from).to_vec();
        let mut out = vec![];
        let mut sheet =
            Box::new(TableSheet::new(&mut out, names, Before::default(), width, colour));
        for (number, tags) in [
            tags("Morphy, Paul", "", "Paris"),
            tags("李", "2712", "A very long event of many words\u{1b}[2J"),
        ]
        .iter()
        .enumerate()
        {
            let number = number as u64 + 9;
            let row = Row { file: None, number, repeats: None, tags, plies: None };
            sheet.row(&row).unwrap();
        }
        sheet.finish().unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn columns_are_aligned_and_cut_to_the_width() {
        let wanted = " #  White          Elo  Event\n 9  Morphy, Paul        Paris\n10  李            2712  \
                      A very long event o…\n";
        assert_eq!(table(44, false), wanted);
        assert!(table(30, false).lines().all(|line| line.width() <= 30), "{}", table(30, false));
        // A terminal too narrow for anything gets what there is.
        assert!(table(3, false).contains("2712"));
    }

    #[test]
    fn colours_are_asked_for_and_nothing_else_moves_the_cursor() {
        assert!(!table(80, false).contains('\u{1b}'));
        let coloured = table(80, true);
        assert!(coloured.contains("\u{1b}[1m") && !coloured.contains("\u{1b}[2J"), "{coloured:?}");
        assert_eq!(console::strip_ansi_codes(&coloured), table(80, false));
    }
}
