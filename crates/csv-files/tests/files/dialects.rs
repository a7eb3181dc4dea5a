//! Random tables, and the dialects in which programs write them.

use csv_files::Line;
use proptest::prelude::*;

#[derive(Debug, Clone, Copy)]
pub(crate) enum Quotes {
    /// Only where they are needed.
    Needed,
    /// Around every cell.
    Always,
    /// Around every second cell, and where they are needed.
    Sometimes,
}

#[derive(Debug, Clone, Copy)]
pub(crate) enum Encoding {
    Utf8,
    Utf8Mark,
    Utf16Little,
    Utf16Big,
}

/// The way in which a program writes a table.
#[derive(Debug, Clone)]
pub(crate) struct Dialect {
    pub(crate) separator: char,
    pub(crate) line_end: &'static str,
    pub(crate) quotes: Quotes,
    pub(crate) encoding: Encoding,
    /// The text before and after the separator in a line before the header.
    pub(crate) named: Option<(&'static str, &'static str)>,
    /// Whether the last row ends with a line ending.
    pub(crate) ends: bool,
    /// Extra content per row, applied in turn: empty cells after the row, rows of separators after it, and empty lines.
    pub(crate) surplus: Vec<(usize, usize, usize)>,
}

/// A table with a header.
#[derive(Debug, Clone)]
pub(crate) struct Sheet {
    pub(crate) header: Vec<String>,
    pub(crate) rows: Vec<Vec<String>>,
}

/// Cell texts with characters that have a meaning in CSV.
const CELL: &str = "([a-c,;|'= \"\t\r\n]|é|日|😀|\r\n|\"\"|','){0,5}";

/// A sheet, and the dialect in which it is written.
pub(crate) fn files() -> impl Strategy<Value = (Sheet, Dialect)> {
    (sheets(), dialects()).prop_map(|(sheet, mut dialect)| {
        // With a single column, the header does not show the separator.
        if sheet.header.len() == 1 && dialect.named.is_none() {
            dialect.separator = ',';
        }
        (sheet, dialect)
    })
}

fn sheets() -> impl Strategy<Value = Sheet> {
    (1_usize..5).prop_flat_map(|columns| {
        let rows = prop::collection::vec(prop::collection::vec(CELL, columns), 0..6);
        let name = prop::sample::select(vec!["a", "a b", "a\nb", "a\"b", "é"]);
        let header = prop::collection::vec(name, columns);
        (header, rows)
            .prop_map(|(header, rows)| Sheet { header: header.into_iter().map(str::to_owned).collect(), rows })
    })
}

fn dialects() -> impl Strategy<Value = Dialect> {
    let named = prop::sample::select(vec![None, Some(("sep=", "")), Some(("\"SEP=", "\"")), Some(("Sep=", ""))]);
    let encoding =
        prop::sample::select(vec![Encoding::Utf8, Encoding::Utf8Mark, Encoding::Utf16Little, Encoding::Utf16Big]);
    let surplus = prop::collection::vec((0_usize..3, 0_usize..2, 0_usize..2), 6);
    (
        prop::sample::select(vec![',', ';', '\t', '|']),
        prop::sample::select(vec!["\n", "\r\n", "\r"]),
        prop::sample::select(vec![Quotes::Needed, Quotes::Always, Quotes::Sometimes]),
        encoding,
        named,
        any::<bool>(),
        surplus,
    )
        .prop_map(|(separator, line_end, quotes, encoding, named, ends, surplus)| {
            // This separator is not detected from a header.
            let named = if separator == '|' { named.or(Some(("sep=", ""))) } else { named };
            Dialect { separator, line_end, quotes, encoding, named, ends, surplus }
        })
}

impl Dialect {
    /// The text of a sheet, and the rows in it.
    pub(crate) fn write(&self, sheet: &Sheet) -> (String, Vec<Line>) {
        let (mut text, mut lines) = (String::new(), Vec::new());
        if let Some((before, behind)) = self.named {
            text = [before, &self.separator.to_string(), behind, self.line_end].concat();
        }
        self.write_row(&sheet.header, 0, &mut text);
        for (index, row) in sheet.rows.iter().enumerate() {
            let (cells, blank, empty) = self.surplus[index % self.surplus.len()];
            if row.iter().any(|cell| !cell.is_empty()) {
                lines.push(Line { number: 1 + lines_in(&text), cells: row.clone() });
            }
            self.write_row(row, cells, &mut text);
            (0..blank).for_each(|_| self.write_row(&vec![String::new(); row.len()], cells, &mut text));
            (0..empty).for_each(|_| text += self.line_end);
        }
        if !self.ends {
            text.truncate(text.trim_end_matches(self.line_end).len());
        }
        (text, lines)
    }

    fn write_row(&self, cells: &[String], surplus: usize, text: &mut String) {
        let cells = cells.iter().enumerate().map(|(index, cell)| {
            let is_quoted = match self.quotes {
                Quotes::Always => true,
                Quotes::Sometimes if index % 2 == 0 => true,
                _ => cell.contains(['"', '\r', '\n', self.separator]),
            };
            if is_quoted { format!("\"{}\"", cell.replace('"', "\"\"")) } else { cell.clone() }
        });
        let cells = cells.chain((0..surplus).map(|_| String::new())).collect::<Vec<_>>();
        *text += &cells.join(&self.separator.to_string());
        *text += self.line_end;
    }

    pub(crate) fn encode(&self, text: &str) -> Vec<u8> {
        let marked = format!("\u{feff}{text}");
        match self.encoding {
            Encoding::Utf8 => text.as_bytes().to_vec(),
            Encoding::Utf8Mark => marked.into_bytes(),
            Encoding::Utf16Little => marked.encode_utf16().flat_map(u16::to_le_bytes).collect(),
            Encoding::Utf16Big => marked.encode_utf16().flat_map(u16::to_be_bytes).collect(),
        }
    }
}

/// The number of line endings in a text.
pub(crate) fn lines_in(text: &str) -> u64 {
    text.replace("\r\n", "\n").replace('\r', "\n").matches('\n').count() as u64
}

/// Inserts or removes quotation marks at offsets counted in characters.
pub(crate) fn with_stray_marks(text: &str, strays: &[(prop::sample::Index, bool)]) -> String {
    let mut letters: Vec<char> = text.chars().collect();
    for (place, is_added) in strays {
        let marks: Vec<_> = (0..letters.len()).filter(|place| letters[*place] == '"').collect();
        if *is_added || marks.is_empty() {
            letters.insert(place.index(letters.len() + 1), '"');
        } else {
            letters.remove(marks[place.index(marks.len())]);
        }
    }
    letters.into_iter().collect()
}
