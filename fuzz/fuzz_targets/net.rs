#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| mazurka_fuzz::net(bytes));
