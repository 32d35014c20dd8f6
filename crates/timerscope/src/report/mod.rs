//! One model of an answer, several renderers.
