#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| orbitscope_fuzz_bodies::link(data));
