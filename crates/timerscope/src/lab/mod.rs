//! Experiments, one file each: `workload()` and `figures()`.
