//! The numbers behind samples.
