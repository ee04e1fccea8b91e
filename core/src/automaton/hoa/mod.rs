//! HOA
