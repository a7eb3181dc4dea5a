//! Opens the file of an import.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use anyhow::Context;
use csv_files::{Table, delimiter_of};
use domain::transfer::MAX_ROW_BYTES;
use ring::digest::{self, SHA256};

/// What is known of a whole file.
#[derive(Debug)]
pub(crate) struct Summary {
    pub(crate) sha256: [u8; 32],
    pub(crate) rows: u64,
}

/// # Errors
/// Those of the file, and of its header.
pub(crate) fn open(file: &Path) -> anyhow::Result<Table<File>> {
    let cannot = || format!("cannot read {}", file.display());
    let mut start = Vec::new();
    let limit = MAX_ROW_BYTES as u64;
    let input = File::open(file).with_context(cannot)?;
    BufReader::new(input).take(limit).read_until(b'\n', &mut start).with_context(cannot)?;
    Table::new(File::open(file).with_context(cannot)?, delimiter_of(&start)).with_context(cannot)
}

/// Reads the file once to its end: what cannot be read is known before anything is written.
///
/// # Errors
/// Those of the file.
pub(crate) fn summary(file: &Path) -> anyhow::Result<Summary> {
    let cannot = || format!("cannot read {}", file.display());
    let mut table = open(file)?;
    let mut rows = 0;
    while table.next().with_context(cannot)?.is_some() {
        rows += 1;
    }
    let mut context = digest::Context::new(&SHA256);
    let mut input = BufReader::new(File::open(file).with_context(cannot)?);
    loop {
        let part = input.fill_buf().with_context(cannot)?;
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
    fn a_summary_counts_the_rows() {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), b"a\n1\n2\n").unwrap();
        let summary = summary(file.path()).unwrap();
        assert_eq!(summary.rows, 2);
        assert_eq!(summary.sha256, *digest::digest(&SHA256, b"a\n1\n2\n").as_ref());
    }
}
