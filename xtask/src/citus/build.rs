//! Builds Citus into a private copy of Postgres: nothing is installed.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};
use ring::digest::{Context as Digest, SHA256};

pub(super) const VERSION: &str = "13.2.2";
const SHA256_OF_SOURCE: &str = "9818f1fb3a8e5276c505bf08fbc48f2d5f987bc325aa0887ef3181654e62c6e4";
/// The major version of Postgres that Citus is built for.
const POSTGRES: &str = "15";
const PACKAGES: &str = "postgresql-15 postgresql-server-dev-15 libicu-dev libssl-dev libkrb5-dev libpam0g-dev libxslt1-dev \
    libreadline-dev zlib1g-dev libzstd-dev liblz4-dev libselinux1-dev gcc make xz-utils";
/// Declares the function below, which Postgres 15.18 and newer exports itself.
const COMPATIBILITY: &str = "src/include/pg_version_compat.h";
const EXPORTED: &str = "static inline bool\nhave_createdb_privilege(void)\n{";

/// Refuses any archive other than the expected one.
pub(super) fn ensure_genuine(source: &Path) -> Result<()> {
    let mut file = File::open(source).with_context(|| format!("cannot read {}", source.display()))?;
    let mut digest = Hasher(Digest::new(&SHA256));
    io::copy(&mut file, &mut digest).with_context(|| format!("cannot read {}", source.display()))?;
    let hash = hex::encode(digest.0.finish());
    ensure!(
        hash == SHA256_OF_SOURCE,
        "{} is not the source of Citus {VERSION}: its SHA-256 is {hash}, not {SHA256_OF_SOURCE}",
        source.display()
    );
    Ok(())
}

struct Hasher(Digest);

impl io::Write for Hasher {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

pub(super) struct Build<'a> {
    pub(super) source: &'a Path,
    pub(super) folder: PathBuf,
}

impl Build<'_> {
    /// The folder of the Postgres programs, built on the first run.
    pub(super) fn programs(&self) -> Result<PathBuf> {
        let built = self.folder.join("postgres");
        let programs = built.join("lib/postgresql").join(POSTGRES).join("bin");
        if self.folder.join("complete").exists() {
            return Ok(programs);
        }
        println!("citus: building Citus {VERSION}, which takes minutes; {} has the output", self.log().display());
        if self.folder.exists() {
            fs::remove_dir_all(&self.folder).context("cannot remove an earlier build")?;
        }
        let source = self.folder.join("source");
        fs::create_dir_all(&source).context("cannot create a folder for the build")?;
        self.run(Command::new("tar").arg("-xf").arg(self.source).arg("-C").arg(&source))?;
        adapt(&source.join(COMPATIBILITY))?;
        let config = format!("PG_CONFIG=/usr/lib/postgresql/{POSTGRES}/bin/pg_config");
        let features = ["--without-libcurl", "--without-lz4", "--without-zstd"];
        self.run(Command::new("./configure").arg(config).args(features).current_dir(&source))?;
        self.run(Command::new("make").args(["-j2", "extension", "with_llvm=no"]).current_dir(&source))?;
        let stage = self.folder.join("stage");
        let staged = format!("DESTDIR={}", stage.display());
        self.run(Command::new("make").args(["-s", "install-extension", "with_llvm=no", &staged]).current_dir(&source))?;
        // Copied programs find lib/ and share/ next to their own folder.
        for folder in ["lib/postgresql", "share/postgresql"] {
            fs::create_dir_all(built.join(folder)).context("cannot create a folder for Postgres")?;
            let original = Path::new("/usr").join(folder).join(POSTGRES);
            self.run(Command::new("cp").arg("-aL").arg(original).arg(built.join(folder)))?;
        }
        self.run(Command::new("cp").arg("-a").arg(stage.join("usr/.")).arg(&built))?;
        File::create(self.folder.join("complete")).context("cannot mark the build as complete")?;
        Ok(programs)
    }

    fn log(&self) -> PathBuf {
        self.folder.join("build.log")
    }

    fn run(&self, command: &mut Command) -> Result<()> {
        let log = File::options().create(true).append(true).open(self.log()).context("cannot write the build's log")?;
        let output = log.try_clone().context("cannot write the build's log")?;
        let name = command.get_program().display().to_string();
        let status = command.stdout(output).stderr(log).status().with_context(|| format!("cannot run {name}"))?;
        ensure!(status.success(), "{name} failed: {} says why; it takes the packages {PACKAGES}", self.log().display());
        Ok(())
    }
}

/// Removes the function that newer minor versions of Postgres export.
fn adapt(file: &Path) -> Result<()> {
    let text = fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
    fs::write(file, without_exported(&text)).with_context(|| format!("cannot write {}", file.display()))
}

fn without_exported(text: &str) -> String {
    let Some((before, rest)) = text.split_once(EXPORTED) else { return text.to_owned() };
    let after = rest.split_once("\n}\n").map_or("", |(_, after)| after);
    format!("{before}{after}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_exported_function_is_removed() {
        let text = "before\nstatic inline bool\nhave_createdb_privilege(void)\n{\n\tif (x)\n\t{\n\t}\n}\nafter\n";
        assert_eq!(without_exported(text), "before\nafter\n");
        assert_eq!(without_exported("nothing"), "nothing");
    }

    #[test]
    fn another_archive_is_refused() {
        let file = tempfile::NamedTempFile::new().unwrap();
        fs::write(file.path(), "another").unwrap();
        let refused = ensure_genuine(file.path()).unwrap_err().to_string();
        assert!(refused.contains("is not the source of Citus"), "{refused}");
    }
}
