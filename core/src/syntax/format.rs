//! placeholder
use alloc::string::String;
/// x
pub fn format(source: &str) -> String {
    source.into()
}
