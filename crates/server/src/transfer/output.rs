//! Writes files under another name first, so that none is ever half there.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail, ensure};
use domain::transfer::guarded;
use ring::digest::{self, SHA256};
use serde_json::{Map, Value};

/// What stands in a file that is done.
#[derive(Debug)]
pub(crate) struct Written {
    pub(crate) records: u64,
    pub(crate) bytes: u64,
    /// In hexadecimal.
    pub(crate) sha256: String,
}

/// A file that is not there until it is done.
struct Draft {
    output: BufWriter<File>,
    /// Where it is written until it is complete.
    unfinished: PathBuf,
    file: PathBuf,
    replaces: bool,
    hash: digest::Context,
    bytes: u64,
    records: u64,
    is_published: bool,
}

impl Draft {
    fn create(file: &Path, replaces: bool) -> anyhow::Result<Self> {
        ensure!(replaces || !file.exists(), "{} exists: name another file, or add --force", file.display());
        let mut unfinished = file.as_os_str().to_owned();
        unfinished.push(format!(".{}.unfinished", std::process::id()));
        let unfinished = PathBuf::from(unfinished);
        let output = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&unfinished);
        let output = BufWriter::new(output.with_context(|| format!("cannot write {}", file.display()))?);
        let hash = digest::Context::new(&SHA256);
        let file = file.to_owned();
        Ok(Self { output, unfinished, file, replaces, hash, bytes: 0, records: 0, is_published: false })
    }

    fn publish(&mut self) -> anyhow::Result<Written> {
        let failed = || format!("cannot write {}", self.file.display());
        self.output.flush().with_context(failed)?;
        self.output.get_ref().sync_all().with_context(failed)?;
        if !self.replaces && self.file.exists() {
            bail!("{} has appeared meanwhile: name another file, or add --force", self.file.display());
        }
        fs::rename(&self.unfinished, &self.file).with_context(failed)?;
        self.is_published = true;
        let sha256 = hex::encode(self.hash.clone().finish());
        Ok(Written { records: self.records, bytes: self.bytes, sha256 })
    }
}

impl Write for Draft {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.output.write(bytes)?;
        self.hash.update(&bytes[..written]);
        self.bytes += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.output.flush()
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        if !self.is_published {
            let _ = fs::remove_file(&self.unfinished);
        }
    }
}

/// A file of comma-separated values with a header (RFC 4180). No cell is a formula to a spreadsheet.
pub(crate) struct CsvFile(csv::Writer<Draft>);

impl CsvFile {
    pub(crate) fn create<C: AsRef<str>>(file: &Path, replaces: bool, header: &[C]) -> anyhow::Result<Self> {
        let draft = Draft::create(file, replaces)?;
        let mut writer = csv::WriterBuilder::new().terminator(csv::Terminator::CRLF).flexible(true).from_writer(draft);
        writer.write_record(header.iter().map(|name| guarded(name.as_ref()).into_owned()))?;
        Ok(Self(writer))
    }

    pub(crate) fn row<C: AsRef<str>>(&mut self, cells: &[C]) -> anyhow::Result<()> {
        self.0.write_record(cells.iter().map(|cell| guarded(cell.as_ref()).into_owned())).context("cannot write a row")
    }

    /// Makes the file visible.
    pub(crate) fn finish(self, records: u64) -> anyhow::Result<Written> {
        let mut draft =
            self.0.into_inner().map_err(|error| anyhow::anyhow!("cannot write a file: {}", error.error()))?;
        draft.records = records;
        draft.publish()
    }
}

/// A file with a JSON object in each line.
pub(crate) struct JsonLinesFile(Draft);

impl JsonLinesFile {
    pub(crate) fn create(file: &Path, replaces: bool) -> anyhow::Result<Self> {
        Draft::create(file, replaces).map(Self)
    }

    pub(crate) fn record(&mut self, record: &Map<String, Value>) -> anyhow::Result<()> {
        serde_json::to_writer(&mut self.0, record).context("cannot write a record")?;
        self.0.write_all(b"\n").context("cannot write a record")
    }

    /// Makes the file visible.
    pub(crate) fn finish(mut self, records: u64) -> anyhow::Result<Written> {
        self.0.records = records;
        self.0.publish()
    }
}
