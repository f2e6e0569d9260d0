//! Text of files, archives and models on its way to a terminal: the only place that makes it harmless.
//!
//! Names and messages may hold anything. Control characters move the cursor, change colours or type on the keyboard;
//! format characters turn the direction of writing, or cannot be seen. Both are shown as escapes, such as `\u{1b}`.

use std::borrow::Cow;
use std::io::{self, Write};
use std::path::Path;

/// The most letters of a message; what is left out of a longer one is in its middle.
const LONGEST: usize = 1000;

/// What a terminal would not show as a letter: control characters of C0 and C1, DEL, and format characters, which are
/// Unicode's categories Cc, Cf, Zl and Zp.
fn is_unsafe(letter: char) -> bool {
    letter.is_control() || FORMATS.iter().any(|&(first, last)| (first..=last).contains(&letter))
}

/// The categories Cf, Zl and Zp of Unicode 16. Of plane 14 all counts that cannot be seen, assigned or not.
const FORMATS: [(char, char); 20] = [
    ('\u{ad}', '\u{ad}'),
    ('\u{600}', '\u{605}'),
    ('\u{61c}', '\u{61c}'),
    ('\u{6dd}', '\u{6dd}'),
    ('\u{70f}', '\u{70f}'),
    ('\u{890}', '\u{891}'),
    ('\u{8e2}', '\u{8e2}'),
    ('\u{180e}', '\u{180e}'),
    ('\u{200b}', '\u{200f}'),
    ('\u{2028}', '\u{202e}'),
    ('\u{2060}', '\u{2064}'),
    ('\u{2066}', '\u{206f}'),
    ('\u{feff}', '\u{feff}'),
    ('\u{fff9}', '\u{fffb}'),
    ('\u{110bd}', '\u{110bd}'),
    ('\u{110cd}', '\u{110cd}'),
    ('\u{13430}', '\u{1343f}'),
    ('\u{1bca0}', '\u{1bca3}'),
    ('\u{1d173}', '\u{1d17a}'),
    ('\u{e0000}', '\u{e0fff}'),
];

/// A piece of text, with escapes for what is not shown as a letter; the ends of lines are among that.
pub fn shown(text: &str) -> Cow<'_, str> {
    if !text.contains(is_unsafe) {
        return text.into();
    }
    let mut safe = String::with_capacity(text.len() + 16);
    for letter in text.chars() {
        match is_unsafe(letter) {
            true => safe.extend(letter.escape_unicode()),
            false => safe.push(letter),
        }
    }
    safe.into()
}

/// [`shown`] for text of several lines, whose ends stay.
pub fn shown_lines(text: &str) -> String {
    text.split('\n').map(shown).collect::<Vec<_>>().join("\n")
}

/// [`shown`] for a path.
pub fn shown_path(path: &Path) -> String {
    shown(&path.display().to_string()).into_owned()
}

/// A text of at most so many letters: of a longer one the beginning and the end, with an ellipsis between them.
pub fn cut(text: &str, letters: usize) -> Cow<'_, str> {
    let count = text.chars().count();
    if count <= letters {
        return text.into();
    }
    let end = letters / 3;
    let begin = letters.saturating_sub(end + 1);
    let place = |letter| text.char_indices().nth(letter).map_or(text.len(), |(place, _)| place);
    format!("{}…{}", &text[..place(begin)], &text[place(count - end)..]).into()
}

/// Prints a message on stderr, as one line of a readable length. If nobody can read it, the work goes on all the same.
pub fn tell(message: &str) {
    let line = format!("{}\n", cut(&shown(message), LONGEST));
    let _ = io::stderr().lock().write_all(line.as_bytes());
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn what_is_no_letter_is_escaped() {
        for (text, wanted) in [
            ("Ding, Liren – Непо 李 😀 é", "Ding, Liren – Непо 李 😀 é"),
            ("\x1b[31mE\n\t\x07", "\\u{1b}[31mE\\u{a}\\u{9}\\u{7}"),
            ("\x7f\u{9b}2J", "\\u{7f}\\u{9b}2J"),
            ("x\u{202e}gnp.exe", "x\\u{202e}gnp.exe"),
            ("\u{2028}\u{2029}\u{feff}\u{ad}", "\\u{2028}\\u{2029}\\u{feff}\\u{ad}"),
            ("a\u{200b}b\u{2066}c\u{e0041}", "a\\u{200b}b\\u{2066}c\\u{e0041}"),
        ] {
            assert_eq!(shown(text), wanted);
        }
        assert_eq!(shown_lines("a\nb\x1b\n"), "a\nb\\u{1b}\n");
    }

    #[test]
    fn long_text_keeps_its_ends() {
        assert_eq!(cut("short", 5), "short");
        assert_eq!(cut("0123456789", 6), "012…89");
        assert_eq!(cut("ééééééé", 3), "é…é");
        assert_eq!(cut(&"x".repeat(100_000), LONGEST).chars().count(), LONGEST);
    }

    proptest! {
        /// Whatever the text, what is shown has no such letter, and says which ones there were.
        #[test]
        fn nothing_unsafe_is_shown(text in ".*|[\\x00-\\x1f\\u{7f}-\\u{9f}\\u{2000}-\\u{2070}a-z\\n]*") {
            let safe = shown(&text);
            prop_assert!(!safe.contains(is_unsafe));
            let letters = text.chars().filter(|&letter| !is_unsafe(letter));
            let escapes = text.chars().filter(|&letter| is_unsafe(letter)).map(|letter| letter.escape_unicode().count());
            prop_assert_eq!(safe.chars().count(), letters.count() + escapes.sum::<usize>());
            prop_assert_eq!(shown(&safe), &*safe);
            let lines = shown_lines(&text);
            prop_assert!(!lines.replace('\n', "").contains(is_unsafe));
            prop_assert_eq!(lines.matches('\n').count(), text.matches('\n').count());
        }

        #[test]
        fn cut_text_is_short(text in ".*", letters in 1_usize..50) {
            let cut = cut(&text, letters);
            prop_assert!(cut.chars().count() <= letters);
            prop_assert_eq!(*cut == *text, text.chars().count() <= letters);
        }
    }
}
