//! The same archive on every kind of processor: tract is told to leave out the kernels of newer ones.

use std::process::Command;

#[test]
fn kernels_do_not_change_a_bit() {
    let folder = tempfile::tempdir().unwrap();
    let sample = concat!(env!("CARGO_MANIFEST_DIR"), "/samples/famous.pgn");
    let archive = |number: usize, isa: &str| {
        let out = folder.path().join(format!("{number}.plz"));
        let status = Command::new(env!("CARGO_BIN_EXE_plyzip"))
            .args(["compress", "-q", sample, "-o"])
            .arg(&out)
            .env("TRACT_CPU_ISA", isa)
            .status()
            .unwrap();
        assert!(status.success(), "{isa}");
        std::fs::read(out).unwrap()
    };
    let ours = archive(0, "");
    let older = [
        "-avx512f,-avx512vnni",
        "-avx512f,-avx512vnni,-fma,-avx2",
        "-avx512f,-avx512vnni,-fma,-avx2,-avx,-f16c",
    ];
    for (number, isa) in older.into_iter().enumerate() {
        assert_eq!(archive(number + 1, isa), ours, "{isa}");
    }
}
