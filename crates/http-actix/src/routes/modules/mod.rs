//! `/api/modules`: other programs report what happened to records that they keep.

mod report;

pub(crate) use report::Report;
