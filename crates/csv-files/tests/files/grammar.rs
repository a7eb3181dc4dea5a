//! The grammar of RFC 4180, written as simply as possible: with the whole text in memory, and backtracking at the end of a cell.
//!
//! A cell is either quoted, with quotation marks in its text doubled, or does not begin with a mark, not even after spaces. A
//! separator, a line ending or the end of the text follows. Any other text is refused.

use crate::dialects::lines_in;

/// The rows of a text with their line numbers; `None` if the text does not fit the grammar.
pub(crate) fn rows(text: &str, separator: char) -> Option<Vec<(u64, Vec<String>)>> {
    let mut rows = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        if let Some(remainder) = after_line_end(rest) {
            rest = remainder;
            continue;
        }
        let number = 1 + lines_in(&text[..text.len() - rest.len()]);
        let mut cells = Vec::new();
        loop {
            let (cell, remainder) = cell(rest, separator)?;
            cells.push(cell);
            let Some(next) = remainder.strip_prefix(separator) else {
                rest = if remainder.is_empty() { remainder } else { after_line_end(remainder)? };
                break;
            };
            rest = next;
        }
        rows.push((number, cells));
    }
    Some(rows)
}

fn after_line_end(text: &str) -> Option<&str> {
    text.strip_prefix("\r\n").or_else(|| text.strip_prefix(['\r', '\n']))
}

/// A cell and the text after it.
fn cell(text: &str, separator: char) -> Option<(String, &str)> {
    if let Some(mut rest) = text.strip_prefix('"') {
        let mut cell = String::new();
        loop {
            let (part, remainder) = rest.split_once('"')?;
            cell.push_str(part);
            let Some(next) = remainder.strip_prefix('"') else { return Some((cell, remainder)) };
            cell.push('"');
            rest = next;
        }
    }
    let length = text.find([separator, '\r', '\n']).unwrap_or(text.len());
    let (cell, rest) = text.split_at(length);
    (!cell.trim_start_matches([' ', '\t']).starts_with('"')).then(|| (cell.to_owned(), rest))
}
