//! `plyzip list --arrow`, read back.

use std::io::Cursor;

use crate::folder::Folder;
use arrow_array::cast::AsArray;
use arrow_array::types::{Date32Type, Int16Type, Int32Type, UInt64Type};
use arrow_array::{Array, RecordBatch};
use arrow_ipc::reader::FileReader;

use crate::pgn;

fn read(folder: &Folder, name: &str) -> Vec<RecordBatch> {
    FileReader::try_new(Cursor::new(folder.read(name)), None).unwrap().map(Result::unwrap).collect()
}

/// A column of texts.
fn texts(batch: &RecordBatch, name: &str) -> Vec<Option<String>> {
    let column = batch.column_by_name(name).unwrap().as_string::<i32>();
    column.iter().map(|text| text.map(String::from)).collect()
}

fn folder() -> Folder {
    let folder = Folder::new();
    let mut games = pgn::games(6);
    games.push(
        b"[Event \"a \\\"b\\\"\"]\n[White \"M\xfcller\"]\n[Date \"1851.06.21\"]\n[WhiteElo \"2500\"]\n\
          [BlackElo \"99999999\"]\n[ECO \"C33\"]\n\n1. e4 e5 2. f4 *\n\n"
            .to_vec(),
    );
    games.push(b"[Event \"?\"]\n[Date \"2023.02.30\"]\n[WhiteElo \"-1\"]\n\n*\n\n".to_vec());
    folder.write("games.pgn", games.concat());
    folder.ok("compress games.pgn -o games.plz --model none --block-games 5 --page-games 2 -q");
    folder
}

#[test]
fn columns_hold_what_the_games_say() {
    let folder = folder();
    folder.ok("list games.plz --arrow games.arrow --full");
    let batches = read(&folder, "games.arrow");
    let [batch] = &batches[..] else { panic!("{} batches", batches.len()) };
    assert_eq!(batch.num_rows(), 8);
    let fields = batch.schema();
    let names: Vec<&str> = fields.fields().iter().map(|field| &field.name()[..]).collect();
    assert_eq!(
        names,
        [
            "game",
            "date",
            "date_text",
            "white",
            "black",
            "white_elo",
            "black_elo",
            "result",
            "eco",
            "plies",
            "event",
            "site",
            "round"
        ]
    );
    let numbers = batch.column_by_name("game").unwrap().as_primitive::<UInt64Type>();
    assert!(numbers.values().iter().copied().eq(1..=8));
    let dates = batch.column_by_name("date").unwrap().as_primitive::<Date32Type>();
    assert_eq!((dates.value(0), dates.value(6), dates.is_null(7)), (19_723, -43_293, true));
    assert_eq!(
        texts(batch, "date_text")[6..],
        [Some("1851.06.21".into()), Some("2023.02.30".into())]
    );
    assert_eq!(texts(batch, "white")[6..], [Some("Müller".into()), None]);
    assert_eq!(texts(batch, "event")[6], Some("a \"b\"".into()));
    assert_eq!(texts(batch, "eco")[5..], [None, Some("C33".into()), None]);
    let elos = |name| batch.column_by_name(name).unwrap().as_primitive::<Int16Type>();
    assert_eq!((elos("white_elo").value(6), elos("white_elo").is_null(7)), (2500, true));
    assert!(elos("black_elo").is_null(6));
    let plies = batch.column_by_name("plies").unwrap().as_primitive::<Int32Type>();
    assert_eq!((plies.value(6), plies.value(7)), (3, 0));
    assert!(plies.value(0) >= 10);
    let table =
        String::from_utf8(folder.ok("list games.plz --full --tags Result,Round,Plies")).unwrap();
    for (number, line) in table.lines().take(6).enumerate() {
        let values = [texts(batch, "result"), texts(batch, "round")]
            .map(|column| column[number].clone().unwrap());
        assert_eq!(
            line,
            format!("{}\t{}\t{}\t{}", number + 1, values[0], values[1], plies.value(number))
        );
    }
}

#[test]
fn pages_and_filters_are_as_asked() {
    let folder = folder();
    folder.ok("list games.plz --arrow few.arrow --event Random --games 3-");
    let batches = read(&folder, "few.arrow");
    let numbers = batches[0].column_by_name("game").unwrap().as_primitive::<UInt64Type>();
    assert_eq!(numbers.values()[..], [3, 4, 5, 6]);
    for name in ["eco", "plies"] {
        assert_eq!(batches[0].column_by_name(name).unwrap().null_count(), 4);
    }
    folder.ok("list games.plz --arrow none.arrow --player nobody");
    assert!(read(&folder, "none.arrow").is_empty());
    folder.fails(1, "list games.plz --arrow few.arrow");
    folder.ok("list games.plz --arrow few.arrow -f");
    for wrong in [
        "--arrow x --csv",
        "--arrow x --json",
        "--arrow x --tags White",
        "-f",
        "--arrow games.plz -f",
    ] {
        folder.fails(2, &format!("list games.plz {wrong}"));
    }
}
