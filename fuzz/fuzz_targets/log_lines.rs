#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| scorer_fuzz::log_lines(bytes));
