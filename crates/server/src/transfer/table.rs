//! Opens the file of an import.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use anyhow::{Context, ensure};
use csv_files::Table;
use domain::transfer::{has_report_columns, is_report_row};
use ring::digest::{self, SHA256};

/// Facts about a whole file.
#[derive(Debug)]
pub(crate) struct Summary {
    pub(crate) sha256: [u8; 32],
    pub(crate) rows: u64,
}

/// The number of bytes read to recognize files of another format.
const START_BYTES: u64 = 64;

pub(crate) fn open(file: &Path) -> anyhow::Result<Table<File>> {
    let read_error = || format!("cannot read {}", file.display());
    let mut start = Vec::new();
    let input = File::open(file).with_context(read_error)?;
    // The file is read several times.
    let is_file = input.metadata().with_context(read_error)?.is_file();
    ensure!(is_file, "{} is not a regular file: save its content to a file and import that", file.display());
    input.take(START_BYTES).read_to_end(&mut start).with_context(read_error)?;
    let is_json = start.trim_ascii_start().starts_with(b"{");
    ensure!(!is_json, "{} is a JSON Lines file: import the CSV export instead", file.display());
    Table::new(File::open(file).with_context(read_error)?).with_context(read_error)
}

/// Whether a file has the columns of a report of refused rows, and all of its rows look like rows of a report.
pub(crate) fn is_report(file: &Path) -> anyhow::Result<bool> {
    let mut table = open(file)?;
    if !has_report_columns(table.header()) {
        return Ok(false);
    }
    while let Some(line) = table.next().with_context(|| format!("cannot read {}", file.display()))? {
        if !is_report_row(&line.cells) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Refuses to let the report of an import replace anything but an earlier report.
pub(crate) fn check_replaceable(report: &Path, imported: &Path) -> anyhow::Result<()> {
    let Ok(existing) = std::fs::metadata(report) else { return Ok(()) };
    let source = std::fs::metadata(imported).with_context(|| format!("cannot read {}", imported.display()))?;
    let is_imported = (existing.dev(), existing.ino()) == (source.dev(), source.ino());
    ensure!(
        !is_imported,
        "the report of refused rows would overwrite the imported file: name another file with --report"
    );
    ensure!(
        is_report(report).unwrap_or(false),
        "{} is not a report of refused rows and would be overwritten by one: name another file with --report",
        report.display()
    );
    Ok(())
}

/// Reads the whole file once, so that errors are found before anything is written.
pub(crate) fn summary(file: &Path) -> anyhow::Result<Summary> {
    let read_error = || format!("cannot read {}", file.display());
    let mut table = open(file)?;
    let mut rows = 0;
    while table.next().with_context(read_error)?.is_some() {
        rows += 1;
    }
    let mut context = digest::Context::new(&SHA256);
    let mut input = BufReader::new(File::open(file).with_context(read_error)?);
    loop {
        let part = input.fill_buf().with_context(read_error)?;
        if part.is_empty() {
            break;
        }
        context.update(part);
        let read = part.len();
        input.consume(read);
    }
    let sha256 = context.finish().as_ref().try_into().context("a hash has 32 bytes")?;
    Ok(Summary { sha256, rows })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_report_of_refused_rows_is_recognized_as_one() {
        let file = tempfile::NamedTempFile::new().unwrap();
        for (content, expected) in [
            ("a,line,reason\n1,2,why\n1,x,3,why\n", true),
            ("a,line,reason\n", true),
            ("a,line,reason\n1,2,why\n1,Red Line,sold\n", false),
            ("a,line,reason\n1,2,\n", false),
            ("a,line\n1,2\n", false),
        ] {
            std::fs::write(file.path(), content).unwrap();
            assert_eq!(is_report(file.path()).unwrap(), expected, "{content}");
        }
    }

    #[test]
    fn a_summary_counts_the_rows() {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), b"a\n1\n2\n").unwrap();
        let summary = summary(file.path()).unwrap();
        assert_eq!(summary.rows, 2);
        assert_eq!(summary.sha256, *digest::digest(&SHA256, b"a\n1\n2\n").as_ref());
    }
}
