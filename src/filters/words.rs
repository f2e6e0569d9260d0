//! Words as people look for them: without regard to accents, case and punctuation.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// Words that a text has to hold, in any order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Words(Vec<String>);

impl Words {
    /// Whether each of the words begins a word of `text`.
    pub(super) fn matches(&self, text: &str) -> bool {
        let folded = fold(text);
        let found = |word: &String| words(&folded).any(|found| found.starts_with(&word[..]));
        self.0.iter().all(found)
    }
}

/// Reads words.
pub(super) fn parse(text: &str) -> Result<Words, String> {
    let words: Vec<String> = words(&fold(text)).map(String::from).collect();
    match words.is_empty() {
        true => Err("at least one letter or digit is wanted".into()),
        false => Ok(Words(words)),
    }
}

/// The words of a text in which [`fold`] has left letters, digits and what separates them.
pub(super) fn words(folded: &str) -> impl Iterator<Item = &str> {
    folded.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty())
}

/// The text in small letters without accents.
pub(super) fn fold(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    if text.is_ascii() {
        folded.push_str(text);
        folded.make_ascii_lowercase();
        return folded;
    }
    for letter in text.chars().flat_map(char::to_lowercase).nfkd() {
        match letter {
            // Letters of their own in some languages, and the same as these in others.
            'ß' => folded.push_str("ss"),
            'æ' => folded.push_str("ae"),
            'œ' => folded.push_str("oe"),
            'þ' => folded.push_str("th"),
            'ø' => folded.push('o'),
            'ł' => folded.push('l'),
            'đ' | 'ð' => folded.push('d'),
            'ħ' => folded.push('h'),
            'ı' => folded.push('i'),
            'ς' => folded.push('σ'),
            letter if is_combining_mark(letter) => {}
            letter => folded.push(letter),
        }
    }
    folded
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accents_and_case_do_not_count() {
        for (text, folded) in [
            ("Müller, KARSTEN", "muller, karsten"),
            ("Đoković Ćirić Łódź", "dokovic ciric lodz"),
            ("Großmeister Bjørn Æsir Þór", "grossmeister bjorn aesir thor"),
            ("İstanbul ışık", "istanbul isik"),
            ("Алёхин ΑΛΕΞΗΣ Αλέξης", "алехин αλεξησ αλεξησ"),
            ("ﬁnal ２０２３", "final 2023"),
        ] {
            assert_eq!(fold(text), folded);
        }
    }

    #[test]
    fn each_word_begins_one_of_the_text() {
        let name = "Nepomniachtchi, Ian";
        for found in ["nepo", "ian nepomniachtchi", "NEPOMNIACHTCHI,I", "Ían"] {
            assert!(parse(found).unwrap().matches(name), "{found}");
        }
        for other in ["an", "pomni", "nepo x", "ian2"] {
            assert!(!parse(other).unwrap().matches(name), "{other}");
        }
        for nothing in ["", " ", ", -"] {
            assert!(parse(nothing).is_err(), "{nothing:?}");
        }
    }
}
