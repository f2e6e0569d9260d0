use proptest::prelude::*;

use super::*;

fn written(parts: &Parts) -> Vec<u8> {
    let (mut numbers, mut prose) = (parts.numbers.iter(), parts.prose.iter());
    let mut out = Vec::new();
    for element in elements(&parts.template) {
        match element {
            Element::Byte(byte) => out.push(byte),
            Element::Prose => out.extend_from_slice(prose.next().unwrap()),
            number => number.spell(*numbers.next().unwrap(), &mut out),
        }
    }
    assert!(numbers.next().is_none() && prose.next().is_none());
    out
}

fn parts(comment: &[u8]) -> Parts {
    let parts = Parts::of(comment, Habits::of([comment].into_iter()));
    assert_eq!(written(&parts), comment);
    parts
}

#[test]
fn every_spelling_comes_back() {
    for clock in [
        "0:05:00",
        "00:05:00",
        "0:05:00.0",
        "1:02:03.45",
        "0:59:59.999",
        "12:00:00",
        "0:5:00",
        "0:05:60",
        "5:00",
        "",
        "0:00:00.1234",
        "0:05:0x",
        "-0:00:01",
        "0:05:00.",
        "999999:00:00",
    ] {
        parts(format!(" [%clk {clock}] ").as_bytes());
    }
    for eval in [
        "0.17", "-0.39", "0.1", "0.10", "0.0", "0.00", "-0.00", "#3", "#-2", "#0", "+1.2", "1",
        "-1.5,20", ".5", "1.234", "#", "99999.99",
    ] {
        parts(format!("[%eval {eval}] [%clk 0:00:01]").as_bytes());
    }
    for odd in
        ["[%", "[%clk", "[%clk ]", "[%eval 0.1", "a [%b] c ]", "[%csl Ga1,Rb2][%cal Ga1b2] x", ""]
    {
        parts(odd.as_bytes());
    }
    parts(b"\x01\x02 [%clk 0:05:00]");
}

#[test]
fn usual_templates_are_those_of_usual_comments() {
    for (place, comment) in [
        (0, " [%clk 0:03:00] "),
        (1, "[%clk 1:30:54]"),
        (2, " [%eval 0.17] [%clk 0:03:00] "),
        (3, " [%eval #-3] [%clk 0:03:00] "),
        (4, "A novelty"),
        (5, "[%clk 0:02:59.9]"),
        (8, "[%emt 0:00:05]"),
        (9, "[%emt 00:00:05]"),
        (12, "[%eval -1.5]"),
        (13, "[%clk 01:30:54]"),
        (14, " (0.2 → 0.9) Inaccuracy. [%eval 0.9] [%clk 0:03:00] "),
    ] {
        assert_eq!(parts(comment.as_bytes()).template, USUAL_TEMPLATES[place], "{comment}");
    }
}

#[test]
fn clocks_and_evaluations_are_numbers() {
    let both = parts(b" [%eval -0.39] [%clk 0:05:09] ");
    assert_eq!((both.numbers, both.prose.len()), (vec![-39, 309], 0));
    let tenths = Habits::of([&b"[%clk 0:00:59.9]"[..]].into_iter());
    assert_eq!(Parts::of(b"[%clk 0:01:00]", tenths).numbers, [600]);
}

proptest! {
    #[test]
    fn anything_comes_back(comment in proptest::collection::vec(any::<u8>(), 0..80)) {
        parts(&comment);
    }

    #[test]
    fn anything_like_a_command_comes_back(comment in r"(\[%(clk|eval|emt|csl) [-#0-9:., ]{0,9}\] ?){1,3}") {
        parts(comment.as_bytes());
    }
}
