//! The keys of a player's name, by which counts and repertoires are kept.

use crate::split_mix::split_mix;

/// Keys of a player's name.
///
/// ```
/// use plyzip::Player;
///
/// let champion = Player::named(b"Carlsen, Magnus");
/// assert_eq!(champion.repertoire(), Player::named(b"Carlsen,M").repertoire());
/// assert_eq!(champion.repertoire(), Player::named(b"Magnus Carlsen").repertoire());
/// assert_ne!(champion, Player::named(b"Carlsen,M"));
/// assert_eq!(Player::named(b"?").repertoire(), None);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Player {
    spelling: u64,
    repertoire: Option<u64>,
}

/// An unknown player.
impl Default for Player {
    fn default() -> Player {
        Player::named(b"")
    }
}

impl Player {
    /// The player whom a tag calls `name`.
    pub fn named(name: &[u8]) -> Player {
        let key = |bytes: &mut dyn Iterator<Item = u8>| {
            bytes.fold(1, |key, byte| split_mix(key ^ u64::from(byte))).max(1)
        };
        let (surname, given) = surname_and_given(name);
        let initial = letters(given).next();
        let known = letters(surname).next().is_some();
        let repertoire = key(&mut letters(surname).chain([b',']).chain(initial));
        Player { spelling: key(&mut name.iter().copied()), repertoire: known.then_some(repertoire) }
    }

    /// The key of the name as the tag spells it, for the counts of the player's moves in an
    /// archive. Never 0, which would mix them with the counts of all players.
    pub fn spelling(self) -> u64 {
        self.spelling
    }

    /// The key of surname and initial, by which repertoires are found, since archives spell names in many
    /// ways; `None` where there is no name.
    pub fn repertoire(self) -> Option<u64> {
        self.repertoire
    }
}

/// `Surname, Given` or `Given Surname`; a name of one word is a surname.
fn surname_and_given(name: &[u8]) -> (&[u8], &[u8]) {
    let name = name.trim_ascii();
    if let Some(comma) = name.iter().position(|&byte| byte == b',') {
        return (&name[..comma], &name[comma + 1..]);
    }
    match name.iter().rposition(|&byte| byte == b' ') {
        Some(space) => (&name[space + 1..], &name[..space]),
        None => (name, b""),
    }
}

/// Letters and digits in lower case, and all that is not ASCII as it is.
fn letters(name: &[u8]) -> impl Iterator<Item = u8> {
    let kept = name.iter().filter(|byte| byte.is_ascii_alphanumeric() || !byte.is_ascii());
    kept.map(u8::to_ascii_lowercase)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn repertoire(name: &str) -> Option<u64> {
        Player::named(name.as_bytes()).repertoire()
    }

    #[test]
    fn spellings_of_a_name_share_a_repertoire() {
        for other in ["Vachier Lagrave,M", "Vachier-Lagrave, Maxime", "VACHIER LAGRAVE , M."] {
            assert_eq!(repertoire(other), repertoire("Vachier-Lagrave,Maxime"), "{other}");
        }
        assert_eq!(repertoire("Fischer, Robert James"), repertoire("Robert Fischer"));
        assert_eq!(repertoire("DrNykterstein"), repertoire("drnykterstein"));
        let names = ["Polgar,J", "Polgar,S", "Polgar", "Polga,rJ", "user1", "user2", "Müller,K"];
        for (place, name) in names.iter().enumerate() {
            for other in &names[..place] {
                assert_ne!(repertoire(name), repertoire(other), "{name} {other}");
            }
        }
    }

    #[test]
    fn nobody_has_no_repertoire() {
        for name in ["", " ", "?", ",", ", J", "???,?", "- -"] {
            assert_eq!(repertoire(name), None, "{name}");
        }
    }

    #[test]
    fn keys_of_names_are_never_0() {
        assert!(Player::named(b"").spelling() != 0);
    }
}
