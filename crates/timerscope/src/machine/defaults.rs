//! What need not be written in a workload, because it is the usual.

pub(super) fn one<T: From<u8>>() -> T {
    T::from(1)
}

pub(super) fn is_one<T: From<u8> + PartialEq>(count: &T) -> bool {
    *count == T::from(1)
}

pub(super) fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}
