//! A folder to run the program in.

// Not each file of tests uses all of it.
#![allow(dead_code)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use assert_cmd::Command;
use tempfile::TempDir;

/// A folder of its own, gone when it is dropped.
pub struct Folder(TempDir);

impl Folder {
    pub fn new() -> Folder {
        Folder(TempDir::new().unwrap())
    }

    pub fn root(&self) -> &Path {
        self.0.path()
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.root().join(name)
    }

    pub fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        fs::write(self.path(name), bytes).unwrap();
    }

    pub fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap()
    }

    /// The names of all files, sorted.
    pub fn files(&self) -> Vec<String> {
        let names = fs::read_dir(self.root()).unwrap();
        let mut names: Vec<String> =
            names.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    /// The program with words from `line`, which finds models of no one else. What stands between single quotes is one
    /// word.
    pub fn command(&self, line: &str) -> Command {
        let mut command = Command::cargo_bin("plyzip").unwrap();
        command.current_dir(self.root()).args(words(line));
        command.env_remove("PLYZIP_MODELS");
        command.env("XDG_DATA_HOME", self.path("data")).env("HOME", self.root());
        command
    }

    pub fn run(&self, line: &str) -> Output {
        self.command(line).output().unwrap()
    }

    /// Runs the program with words from `line` and `stdin`.
    pub fn run_with(&self, line: &str, stdin: &[u8]) -> Output {
        self.command(line).write_stdin(stdin).output().unwrap()
    }

    /// Runs the program, which must succeed, and returns what it prints.
    pub fn ok(&self, line: &str) -> Vec<u8> {
        let output = self.run(line);
        assert_eq!(output.status.code(), Some(0), "{line}: {}", stderr(&output));
        output.stdout
    }

    /// Runs the program, which must end with this status, and returns what it tells.
    pub fn fails(&self, status: i32, line: &str) -> String {
        let output = self.run(line);
        assert_eq!(output.status.code(), Some(status), "{line}: {}", stderr(&output));
        assert!(output.stdout.is_empty(), "{line}");
        stderr(&output)
    }
}

pub fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

fn words(line: &str) -> Vec<String> {
    let mut words = vec![];
    for (part, text) in line.split('\'').enumerate() {
        match part % 2 {
            1 => words.push(text.to_owned()),
            _ => words.extend(text.split_whitespace().map(String::from)),
        }
    }
    words
}
