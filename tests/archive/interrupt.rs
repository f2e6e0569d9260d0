//! Work that another thread ends.

use std::io::Cursor;
use std::thread;
use std::time::Duration;

use plyzip::archive::{ArchiveReader, ArchiveWriter, IndexedReader, ReaderOptions};
use plyzip::{Error, Interrupt, Model};

const GAME: &[u8] = b"[Event \"A\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 *\n\n";

fn is_interrupted<T>(result: Result<T, Error>) -> bool {
    matches!(result, Err(Error::Interrupted))
}

#[test]
fn writing_ends_within_a_block() {
    for model in [Model::none(), Model::embedded().unwrap()] {
        let interrupt = Interrupt::default();
        let mut writer = ArchiveWriter::new(Vec::new(), model).unwrap();
        writer.set_interrupt(&interrupt);
        // Minutes with a network, and half a minute without.
        writer.push(&GAME.repeat(19_000)).unwrap();
        thread::scope(|scope| {
            scope.spawn(|| {
                thread::sleep(Duration::from_millis(300));
                interrupt.set();
            });
            assert!(is_interrupted(writer.finish()));
        });
    }
}

#[test]
fn reading_ends_and_a_reader_with_an_index_goes_on_later() {
    for model in [Model::none(), Model::embedded().unwrap()] {
        let mut writer = ArchiveWriter::new(Vec::new(), model).unwrap();
        writer.push(&GAME.repeat(3)).unwrap();
        let (archive, _) = writer.finish().unwrap();
        let interrupt = Interrupt::default();
        let options = ReaderOptions::new().interrupt(&interrupt);
        let in_order = ArchiveReader::with_options(&archive[..], options.clone()).unwrap();
        let mut indexed = IndexedReader::with_options(Cursor::new(&archive), options).unwrap();
        interrupt.set();
        assert!(is_interrupted(in_order.copy_to(&mut Vec::new())));
        assert!(is_interrupted(indexed.game(1)));
        interrupt.clear();
        assert_eq!(indexed.game(1).unwrap(), GAME);
        interrupt.set();
        assert!(is_interrupted(indexed.block(0)));
    }
}
