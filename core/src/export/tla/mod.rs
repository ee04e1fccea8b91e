//! placeholder
pub fn tla(_r: &super::Request<'_>) -> Result<alloc::string::String, crate::text::Diagnostic> { Ok(alloc::string::String::new()) }
