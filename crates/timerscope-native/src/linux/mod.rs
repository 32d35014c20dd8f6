//! Linux.

pub mod facts;
