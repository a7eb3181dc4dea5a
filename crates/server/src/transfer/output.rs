//! Writes files of records, and notes their content.

use std::io::{self, BufWriter, Write};
use std::path::Path;

use anyhow::Context;
use csv_files::{FileForm, TableWriter};
use ring::digest::{self, SHA256};
use serde_json::{Map, Value};

use crate::draft::Draft;

/// The content of a finished file.
#[derive(Debug)]
pub(crate) struct FileSummary {
    pub(crate) records: u64,
    pub(crate) bytes: u64,
    /// Hexadecimal.
    pub(crate) sha256: String,
}

/// A file that appears only when it is finished.
struct Output {
    draft: BufWriter<Draft>,
    hash: digest::Context,
    bytes: u64,
}

impl Output {
    fn create(file: &Path, replaces: bool) -> anyhow::Result<Self> {
        let draft = BufWriter::new(Draft::create(file, replaces)?);
        Ok(Self { draft, hash: digest::Context::new(&SHA256), bytes: 0 })
    }

    /// Makes the file visible.
    fn finish(mut self, records: u64) -> anyhow::Result<FileSummary> {
        self.draft.flush().context("cannot write a file")?;
        self.draft.get_mut().publish()?;
        Ok(FileSummary { records, bytes: self.bytes, sha256: hex::encode(self.hash.finish()) })
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.draft.write(bytes)?;
        self.hash.update(&bytes[..written]);
        self.bytes += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.draft.flush()
    }
}

/// A file of comma-separated values with a header.
pub(crate) struct CsvFile(TableWriter<Output>);

impl CsvFile {
    pub(crate) fn create<C: AsRef<str>>(
        file: &Path,
        replaces: bool,
        form: FileForm,
        header: &[C],
    ) -> anyhow::Result<Self> {
        let output = Output::create(file, replaces)?;
        let mut writer = TableWriter::new(output, form).context("cannot write a file")?;
        writer.row(header)?;
        Ok(Self(writer))
    }

    pub(crate) fn row<C: AsRef<str>>(&mut self, cells: &[C]) -> anyhow::Result<()> {
        self.0.row(cells).context("cannot write a row")
    }

    /// Makes the file visible.
    pub(crate) fn finish(self, records: u64) -> anyhow::Result<FileSummary> {
        let output = self.0.finish().map_err(|error| anyhow::anyhow!("cannot write a file: {error}"))?;
        output.finish(records)
    }
}

/// A file with one JSON object per line.
pub(crate) struct JsonLinesFile(Output);

impl JsonLinesFile {
    pub(crate) fn create(file: &Path, replaces: bool) -> anyhow::Result<Self> {
        Output::create(file, replaces).map(Self)
    }

    pub(crate) fn record(&mut self, record: &Map<String, Value>) -> anyhow::Result<()> {
        serde_json::to_writer(&mut self.0, record).context("cannot write a record")?;
        self.0.write_all(b"\n").context("cannot write a record")
    }

    /// Makes the file visible.
    pub(crate) fn finish(self, records: u64) -> anyhow::Result<FileSummary> {
        self.0.finish(records)
    }
}
