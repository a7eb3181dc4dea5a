//! The file format: a tar archive of `manifest.json`, `master-key.json` if the key is included, the dump in parts whose names
//! contain their SHA-256, and `end.json` with the number of parts and the SHA-256 of everything before it.

use std::collections::BTreeMap;
use std::io::{self, Read, Write};

use anyhow::{Context, bail, ensure};
use ring::digest::{self, SHA256};
use serde::{Deserialize, Serialize};

use super::SealedKey;

/// Raise it when older programs can no longer read the file.
pub(crate) const FORMAT: u32 = 1;
/// The maximum size of a part, and of any other entry, in bytes.
pub(crate) const PART_BYTES: usize = 1024 * 1024;

const MANIFEST: &str = "manifest.json";
const KEY: &str = "master-key.json";
const END: &str = "end.json";
const PARTS: &str = "dump/";

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Manifest {
    pub(crate) format: u32,
    /// The version of the program that made the backup.
    pub(crate) program: String,
    pub(crate) created_at: String,
    /// The major version of the server, and of the `pg_dump` that made the dump.
    pub(crate) postgres: u32,
    pub(crate) pg_dump: u32,
    /// The migrations that the schema has.
    pub(crate) migrations: Vec<String>,
    /// The number of rows per table.
    pub(crate) counts: BTreeMap<String, i64>,
    /// The ids of the master keys, the current one first; empty if the keys were not known.
    pub(crate) master_keys: Vec<String>,
    pub(crate) has_master_key: bool,
    /// Roles that ran the service without owning the schema. A restore grants them the same privileges again.
    #[serde(default)]
    pub(crate) app_roles: Vec<String>,
}

#[derive(Serialize, Deserialize)]
struct End {
    parts: u64,
    sha256: String,
}

/// Writes the entries in order.
pub(crate) struct Writer<W: Write> {
    tar: tar::Builder<W>,
    sum: digest::Context,
    parts: u64,
}

impl<W: Write> Writer<W> {
    pub(crate) fn begin(output: W, manifest: &Manifest, key: Option<&SealedKey>) -> anyhow::Result<Self> {
        let mut writer = Self { tar: tar::Builder::new(output), sum: digest::Context::new(&SHA256), parts: 0 };
        writer.add(MANIFEST, &serde_json::to_vec_pretty(manifest)?)?;
        if let Some(key) = key {
            writer.add(KEY, &serde_json::to_vec_pretty(key)?)?;
        }
        Ok(writer)
    }

    pub(crate) fn part(&mut self, bytes: &[u8]) -> anyhow::Result<()> {
        self.parts += 1;
        self.add(&part_name(self.parts, bytes), bytes)
    }

    /// Writes the end, and returns the output.
    pub(crate) fn end(mut self) -> anyhow::Result<W> {
        let end = End { parts: self.parts, sha256: hex::encode(self.sum.clone().finish()) };
        self.add(END, &serde_json::to_vec_pretty(&end)?)?;
        let mut output = self.tar.into_inner().context("cannot write the backup")?;
        output.flush().context("cannot write the backup")?;
        Ok(output)
    }

    fn add(&mut self, name: &str, bytes: &[u8]) -> anyhow::Result<()> {
        self.sum.update(bytes);
        let mut header = tar::Header::new_gnu();
        header.set_size(bytes.len() as u64);
        header.set_mode(0o600);
        self.tar.append_data(&mut header, name, bytes).context("cannot write the backup")
    }
}

fn part_name(number: u64, bytes: &[u8]) -> String {
    format!("{PARTS}{number:06}-{}", hex::encode(digest::digest(&SHA256, bytes)))
}

/// Reads a whole backup and writes its dump to what `begin` returns. Each part is written only when its hash was checked and
/// another entry follows, so that the last part of a damaged or truncated file is never written.
pub(crate) fn read<W: Write>(
    input: impl Read,
    begin: impl FnOnce(&Manifest, Option<&SealedKey>) -> anyhow::Result<W>,
) -> anyhow::Result<(Manifest, W)> {
    let mut archive = tar::Archive::new(input);
    let mut entries = archive.entries().context("the file is not a backup")?;
    let mut sum = digest::Context::new(&SHA256);
    let mut next = || -> anyhow::Result<Option<(String, Vec<u8>, String)>> {
        let Some(entry) = entries.next() else { return Ok(None) };
        let entry = entry.context("the file is damaged, or not a backup")?;
        let name = entry.path()?.to_string_lossy().into_owned();
        ensure!(entry.size() <= PART_BYTES as u64, "the file is damaged: {name} is too long");
        let mut bytes = Vec::new();
        let size = entry.size();
        entry.take(size).read_to_end(&mut bytes).context("the backup is truncated")?;
        ensure!(bytes.len() as u64 == size, "the backup is truncated");
        let sum_before = hex::encode(sum.clone().finish());
        sum.update(&bytes);
        Ok(Some((name, bytes, sum_before)))
    };
    let no_backup = "the file is not a backup of this service: it does not begin with manifest.json";
    let (name, bytes, _) = next()?.context(no_backup)?;
    ensure!(name == MANIFEST, no_backup);
    let manifest = manifest_of(&bytes)?;
    let mut entry = next()?;
    let mut key = None;
    if let Some((name, bytes, _)) = &entry
        && name == KEY
    {
        key = Some(serde_json::from_slice::<SealedKey>(bytes).context("the sealed master key is damaged")?);
        entry = next()?;
    }
    let mut sink = begin(&manifest, key.as_ref())?;
    let (mut pending, mut parts): (Option<Vec<u8>>, u64) = (None, 0);
    loop {
        let (name, bytes, sum_before) = entry.context("the backup is truncated: its end is missing")?;
        if name == END {
            let end: End = serde_json::from_slice(&bytes).context("the end of the backup is damaged")?;
            ensure!(end.parts == parts && end.sha256 == sum_before, "the backup is damaged: its SHA-256 differs");
            forward(&mut sink, pending)?;
            return Ok((manifest, sink));
        }
        parts += 1;
        if name != part_name(parts, &bytes) {
            bail!("the backup is damaged: the hash of part {parts} differs");
        }
        forward(&mut sink, pending.replace(bytes))?;
        entry = next()?;
    }
}

fn forward(sink: &mut impl Write, part: Option<Vec<u8>>) -> anyhow::Result<()> {
    part.map_or(Ok(()), |part| sink.write_all(&part)).context("pg_restore ended early")
}

fn manifest_of(bytes: &[u8]) -> anyhow::Result<Manifest> {
    #[derive(Deserialize)]
    struct Format {
        format: u32,
    }
    let header_format: Format = serde_json::from_slice(bytes).context("the manifest of the backup is damaged")?;
    ensure!(
        header_format.format <= FORMAT,
        "the backup has format {}, but this release reads formats up to {FORMAT}: use the newer release that made it",
        header_format.format
    );
    serde_json::from_slice(bytes).context("the manifest of the backup is damaged")
}

/// Checks a whole file.
pub(crate) fn verify(input: impl Read) -> anyhow::Result<Manifest> {
    read(input, |_, _| Ok(io::sink())).map(|(manifest, _)| manifest)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(format: u32) -> Vec<u8> {
        let manifest = Manifest { format, ..Manifest::default() };
        let mut writer = Writer::begin(Vec::new(), &manifest, None).unwrap();
        for part in [b"one".as_slice(), b"two"] {
            writer.part(part).unwrap();
        }
        writer.end().unwrap()
    }

    #[test]
    fn a_written_backup_can_be_read() {
        let (_, dump) = read(file(FORMAT).as_slice(), |_, _| Ok(Vec::new())).unwrap();
        assert_eq!(dump, b"onetwo");
    }

    #[test]
    fn every_truncation_is_refused() {
        let archive = file(FORMAT);
        // After what end.json says, there are only zeros: they fill its block and the last two blocks of the tar file.
        let last = archive.iter().rposition(|byte| *byte != 0).unwrap();
        for length in (0..last).step_by(97).chain([last]) {
            assert!(verify(&archive[..length]).is_err(), "{length}");
        }
    }

    #[test]
    fn damaged_foreign_and_newer_files_are_refused() {
        let mut damaged = file(FORMAT);
        let index = damaged.windows(3).position(|bytes| bytes == b"two").unwrap();
        damaged[index] = b'x';
        for (bytes, reason) in [
            (damaged, "part 2"),
            (b"something else".to_vec(), "not a backup"),
            (Vec::new(), "not a backup"),
            (file(FORMAT + 1), "newer release"),
        ] {
            let error = format!("{:#}", verify(bytes.as_slice()).unwrap_err());
            assert!(error.contains(reason), "{reason}: {error}");
        }
    }
}
