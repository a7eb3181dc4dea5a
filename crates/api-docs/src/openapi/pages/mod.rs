//! Documentation pages in Markdown, generated from the same declarations as the OpenAPI document.

mod access;
mod events;

pub use access::access;
pub use events::event_types;

/// The note below each page's title.
const ORIGIN: &str = "<!-- Made from the code by `cargo xtask openapi`. -->\n";

/// A table with these columns.
fn table(columns: &[&str], rows: impl IntoIterator<Item = Vec<String>>) -> String {
    let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
    let head = line(columns.iter().map(|&name| name.to_owned()).collect());
    let rule = line(columns.iter().map(|_| "---".to_owned()).collect());
    rows.into_iter().fold(head + &rule, |text, row| text + &line(row))
}

/// Names as code, separated by commas.
fn names(all: impl IntoIterator<Item = impl ToString>) -> String {
    all.into_iter().map(|one| format!("`{}`", one.to_string())).collect::<Vec<_>>().join(", ")
}
