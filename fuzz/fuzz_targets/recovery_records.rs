//! See `tests/fuzz/targets`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| plyzip_fuzz::recovery_records(data));
