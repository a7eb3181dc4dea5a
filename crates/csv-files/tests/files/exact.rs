//! Each row is read exactly as it was written, or the file is refused.

use csv_files::Line;
use proptest::prelude::*;

use crate::dialects::{Dialect, Sheet, files, lines_in, with_stray_marks};
use crate::grammar;
use crate::read::read;

/// The rows that the grammar finds in a text with a known separator; `None` if the text does not fit.
fn expected(text: &str, dialect: &Dialect, columns: usize) -> Option<Vec<Line>> {
    // The line that names the separator is parsed as a separate table.
    let (before, table) = match dialect.named {
        Some(_) => text.split_at(text.find(['\r', '\n']).unwrap_or(text.len())),
        None => ("", text),
    };
    let rows = grammar::rows(table, dialect.separator)?;
    let filled = rows.into_iter().filter(|(_, cells)| cells.iter().any(|cell| !cell.is_empty()));
    let lines = filled.skip(1).map(|(number, mut cells)| {
        while cells.len() > columns && cells.last().is_some_and(String::is_empty) {
            cells.pop();
        }
        Line { number: number + lines_in(before), cells }
    });
    Some(lines.collect())
}

/// The offset of the text after the header.
fn after_header(dialect: &Dialect, sheet: &Sheet) -> usize {
    let alone = Sheet { header: sheet.header.clone(), rows: Vec::new() };
    Dialect { ends: true, ..dialect.clone() }.write(&alone).0.len()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn a_table_is_the_same_in_every_dialect((sheet, dialect) in files()) {
        let (text, lines) = dialect.write(&sheet);
        prop_assert_eq!(read(&dialect.encode(&text)), Ok(lines), "{:?}", text);
    }

    #[test]
    fn stray_quotation_marks_are_read_in_one_way_or_refused(
        (sheet, dialect) in files(),
        strays in prop::collection::vec(any::<(prop::sample::Index, bool)>(), 1..4),
    ) {
        let dialect = Dialect { ends: true, ..dialect };
        let (text, _) = dialect.write(&sheet);
        let (header, rows) = text.split_at(after_header(&dialect, &sheet).min(text.len()));
        let text = format!("{header}{}", with_stray_marks(rows, &strays));
        let result = read(&dialect.encode(&text));
        if let Some(lines) = expected(&text, &dialect, sheet.header.len()) {
            prop_assert_eq!(result, Ok(lines), "{:?}", text);
        } else {
            let reason = result.unwrap_err();
            // The error names a line of the file.
            let line: u64 = reason.split(' ').nth(1).unwrap().parse().unwrap();
            prop_assert!((1..=1 + lines_in(&text)).contains(&line), "{:?}: {}", text, reason);
        }
    }

    /// For example, lists of goods with sizes in inches.
    #[test]
    fn one_stray_mark_never_joins_rows(
        rows in prop::collection::vec(prop::collection::vec("[a-c é]{1,4}", 3), 1..5),
        place in any::<prop::sample::Index>(),
    ) {
        let text: String = rows.iter().map(|row| row.join(",") + "\n").collect();
        let stray = with_stray_marks(&text, &[(place, true)]);
        let literal: Vec<Vec<_>> = stray.lines().map(|line| line.split(',').collect()).collect();
        if let Ok(lines) = read(format!("a,b,c\n{stray}").as_bytes()) {
            let cells: Vec<Vec<_>> = lines.iter().map(|line| line.cells.iter().map(String::as_str).collect()).collect();
            prop_assert_eq!(cells, literal, "{:?}", stray);
        }
    }

    #[test]
    fn undecodable_bytes_are_refused((sheet, dialect) in files(), place in any::<prop::sample::Index>()) {
        let (text, _) = dialect.write(&sheet);
        let mut file = text.into_bytes();
        file.insert(place.index(file.len() + 1), 0xff);
        prop_assert!(read(&file).is_err(), "{:?}", file);
    }
}
