//! The page of `plyzip explain --html` in a real browser, if there is one: stepped through by keys and clicks.

#![cfg(unix)]

#[path = "cli/folder.rs"]
mod folder;

use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use std::{env, fs, thread};

use folder::Folder;

/// Programs that can show a page without a window.
const BROWSERS: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "chrome"];

/// How long one may take.
const PATIENCE: Duration = Duration::from_secs(60);

fn browser() -> Option<PathBuf> {
    let folders = env::var_os("PATH").unwrap_or_default();
    let folders: Vec<PathBuf> = env::split_paths(&folders).collect();
    let files =
        BROWSERS.iter().flat_map(|name| folders.iter().map(move |folder| folder.join(name)));
    files.into_iter().find(|file| file.is_file())
}

/// The document after a script was run in the page.
fn after(browser: &PathBuf, folder: &Folder, page: &str, script: &str) -> String {
    let page = page.replace("</body>", &format!("<script>{script}</script></body>"));
    folder.write("page.html", page);
    let out = fs::File::create(folder.path("out.html")).unwrap();
    let mut child = Command::new(browser)
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--dump-dom"])
        .arg(format!("--user-data-dir={}", folder.path("profile").display()))
        .arg(format!("file://{}", folder.path("page.html").display()))
        .stdout(out)
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let begun = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if begun.elapsed() > PATIENCE {
            child.kill().unwrap();
            child.wait().unwrap();
            panic!("the browser did not end within {PATIENCE:?}");
        }
        thread::sleep(Duration::from_millis(50));
    }
    String::from_utf8(folder.read("out.html")).unwrap()
}

/// A script that presses keys.
fn keys(names: &[&str]) -> String {
    let press = |name: &&str| {
        format!(
            "document.body.dispatchEvent(new KeyboardEvent('keydown', {{key: '{name}', bubbles: true}}));"
        )
    };
    names.iter().map(press).collect()
}

#[test]
fn a_game_is_stepped_through() {
    let Some(browser) = browser() else {
        eprintln!(
            "SKIPPED: none of {BROWSERS:?} is installed, so that no page was looked at in a browser"
        );
        return;
    };
    let folder = Folder::new();
    let game = "[White \"<script>document.title = 'broken'</script>\"]\n[Black \"<b>\"]\n\n\
                1. e4 e5 2. Ke2 Nf6 3. Ke3 Bc5+ 4. d4 exd4+ 5. Kd3 O-O 1-0\n";
    folder.write("game.pgn", game);
    let page = folder.ok("explain game.pgn --html --model none");
    let page = String::from_utf8(page).unwrap();
    let see = |script: &str| after(&browser, &folder, &page, script);
    // What is on the board after so many plies.
    let shows = |document: &str, ply: usize, name: &str| {
        assert!(document.contains(&format!("data-ply=\"{ply}\"")), "{name}: {document}");
        assert!(document.contains(&format!("<h2 id=\"move\">{name}</h2>")), "{name}: {document}");
        assert_eq!(document.matches("aria-current=\"true\"").count(), usize::from(ply > 0));
    };
    // It opens at the first surprise, with an arrow to what was expected.
    let opened = see("");
    shows(&opened, 3, "2. Ke2");
    assert!(opened.contains("class=\"arrow\""));
    let start = see(&keys(&["Home"]));
    shows(&start, 0, "Start");
    assert_eq!(start.matches("<use ").count(), 32);
    assert!(start.contains("<title>&lt;script&gt;document.title"), "{start}");
    assert!(!start.contains("<title>broken"));
    shows(&see(&keys(&["Home", "ArrowRight", "ArrowRight"])), 2, "1... e5");
    shows(
        &see(&keys(&["Home", "ArrowRight", "ArrowRight", "ArrowLeft", "ArrowLeft", "ArrowLeft"])),
        0,
        "Start",
    );
    let end = see(&keys(&["End", "ArrowRight"]));
    shows(&end, 10, "5... O-O");
    // A pawn is gone; king and rook of Black have castled to g8 and f8.
    assert_eq!(end.matches("<use ").count(), 31);
    let piece = |href: &str, x: usize, y: usize| {
        format!("href=\"#piece-{href}\" x=\"{}\" y=\"{}\"", 45 * x, 45 * y)
    };
    assert!(end.contains(&piece("k", 6, 0)) && end.contains(&piece("r", 5, 0)), "{end}");
    let turned = see(&keys(&["End", "f"]));
    assert!(turned.contains(&piece("k", 1, 7)), "{turned}");
    shows(&see(&keys(&["End", "Home"])), 0, "Start");
    // From before the first surprise to it, and on to the next.
    shows(&see(&keys(&["Home", "ArrowDown"])), 3, "2. Ke2");
    shows(&see(&keys(&["ArrowDown"])), 5, "3. Ke3");
    shows(&see("document.querySelectorAll('#moves button')[4].click()"), 5, "3. Ke3");
    shows(&see("document.getElementById('next').click()"), 4, "2... Nf6");
    let click =
        "document.querySelectorAll('#curve .place')[1].dispatchEvent(new MouseEvent('click'))";
    shows(&see(click), 2, "1... e5");
}

#[test]
fn several_games_are_chosen_from() {
    let Some(browser) = browser() else { return };
    let folder = Folder::new();
    let games = "[White \"One\"]\n\n1. e4 e5 2. Ke2 *\n\n[White \"<Two>\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Ke2 *\n\n\
                 [White \"Three\"]\n\n1. e4 *\n";
    folder.write("games.pgn", games);
    let page = folder.ok("explain games.pgn --html --model none");
    let page = String::from_utf8(page).unwrap();
    assert!(page.contains("<title>3 games</title>"));
    let first = after(&browser, &folder, &page, "");
    assert!(first.contains("<h1 id=\"title\">One – ?</h1>"), "{first}");
    let second = "const choose = document.getElementById('choose'); choose.value = '1';\
                  choose.dispatchEvent(new Event('change'));";
    let second = after(&browser, &folder, &page, second);
    assert!(second.contains("<h1 id=\"title\">&lt;Two&gt; – ?</h1>"), "{second}");
    assert!(second.contains("<h2 id=\"move\">3. Ke2</h2>"), "{second}");
    assert_eq!(second.matches("<option").count(), 3);
    // The moves of the first are gone.
    assert_eq!(second.matches("<button type=\"button\" title").count(), 5);
    // Only some of them.
    let some =
        String::from_utf8(folder.ok("explain games.pgn --html --model none --games 2-3")).unwrap();
    assert!(some.contains("<title>2 games</title>") && !some.contains("\"title\":\"One"));
    let many = "[White \"A\"]\n\n1. e4 *\n\n".repeat(201);
    folder.write("many.pgn", many);
    assert!(folder.fails(2, "explain many.pgn --html --model none").contains("at most 200 games"));
}
