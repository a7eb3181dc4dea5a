//! What `cargo xtask sdks` generates.

#[cfg(test)]
#[rustfmt::skip]
#[allow(clippy::match_same_arms, clippy::too_many_lines, reason = "a line for each operation")]
pub(crate) mod answers;
#[rustfmt::skip]
pub(crate) mod operations;
#[rustfmt::skip]
#[allow(clippy::doc_markdown, clippy::too_many_lines, reason = "summaries are those of the service")]
pub mod resources;
#[rustfmt::skip]
#[allow(
    clippy::doc_markdown,
    clippy::struct_excessive_bools,
    clippy::too_many_lines,
    clippy::struct_field_names,
    clippy::default_trait_access,
    reason = "names and descriptions are those of the service"
)]
pub mod types;
