//! The master key, which seals secrets at rest.

use std::fs::{DirBuilder, File, OpenOptions};
use std::io::{ErrorKind, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail, ensure};
use domain::kernel::sealing::MasterKeys;
use domain::ports::Random;

use crate::config::Config;

const FILE: &str = "master-key";

/// The configured key or, with the embedded cluster, a key that is generated once and stored in the data directory. It must
/// decrypt what the keys with the ids `sealing` have sealed.
pub(crate) fn find(config: &Config, random: &dyn Random, sealing: &[String]) -> anyhow::Result<MasterKeys> {
    match existing(config, sealing)? {
        Some(keys) => Ok(keys),
        None => parse(&read_or_generate(&config.data_dir, random)?),
    }
}

/// Like [`find`], but never creates a key: `None` if there is none and none is needed yet.
pub(crate) fn existing(config: &Config, sealing: &[String]) -> anyhow::Result<Option<MasterKeys>> {
    let Some(text) = text(config)? else {
        ensure!(
            config.database_url.is_none(),
            "master_key (SERVICE_MASTER_KEY) must be set together with DATABASE_URL: 32 random bytes in base64, e.g. from \
             `openssl rand -base64 32`; if this key is lost, so are all webhook secrets"
        );
        ensure!(
            sealing.is_empty(),
            "the master key {} is missing, but the database has secrets that only it opens: restore the file, e.g. from a \
             backup, or set SERVICE_MASTER_KEY",
            file(&config.data_dir).display()
        );
        return Ok(None);
    };
    let keys = parse(&text)?;
    keys.ensure_open(sealing)?;
    Ok(Some(keys))
}

fn parse(text: &str) -> anyhow::Result<MasterKeys> {
    MasterKeys::parse(text).context("master_key (SERVICE_MASTER_KEY) is invalid")
}

/// The file of the key that belongs to the embedded cluster.
pub(crate) fn file(data_dir: &Path) -> PathBuf {
    data_dir.join(FILE)
}

/// The ids of keys, the current one first.
pub(crate) fn ids(text: &str) -> anyhow::Result<Vec<String>> {
    Ok(MasterKeys::parse(text).context("the master key is invalid")?.ids().map(ToOwned::to_owned).collect())
}

/// The configured or stored key; `None` if there is none yet.
pub(crate) fn text(config: &Config) -> anyhow::Result<Option<String>> {
    match (&config.master_key, &config.database_url) {
        (Some(key), _) => Ok(Some(key.0.clone())),
        (None, None) if file(&config.data_dir).exists() => read(&config.data_dir).map(Some),
        _ => Ok(None),
    }
}

fn read(data_dir: &Path) -> anyhow::Result<String> {
    let path = file(data_dir);
    let text = std::fs::read_to_string(&path);
    Ok(text.with_context(|| format!("cannot read the master key {}", path.display()))?.trim().to_owned())
}

/// Refuses a data folder that contains a different key.
pub(crate) fn ensure_no_other(data_dir: &Path, key: &str) -> anyhow::Result<()> {
    let path = data_dir.join(FILE);
    match std::fs::read_to_string(&path) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        Ok(stored) if stored.trim() == key => Ok(()),
        _ => bail!("{} is not the master key of the backup: move it away", path.display()),
    }
}

/// Stores a restored key; returns the file.
pub(crate) fn store(data_dir: &Path, key: &str) -> anyhow::Result<PathBuf> {
    ensure_no_other(data_dir, key)?;
    let path = data_dir.join(FILE);
    let write = || {
        // With an external Postgres, the folder may not exist yet. Only the service's account may enter it, as `doctor` requires.
        DirBuilder::new().recursive(true).mode(0o700).create(data_dir)?;
        write_once(data_dir, key)
    };
    write().with_context(|| format!("cannot create the master key {}", path.display()))?;
    Ok(path)
}

/// Replaces the stored keys; returns the file.
pub(crate) fn replace(data_dir: &Path, keys: &str) -> anyhow::Result<PathBuf> {
    let (path, draft) = (data_dir.join(FILE), draft_in(data_dir));
    let write = || {
        write_draft(&draft, keys)?;
        std::fs::rename(&draft, &path)?;
        File::open(data_dir)?.sync_all()
    };
    write().with_context(|| format!("cannot write the master key {}", path.display()))?;
    Ok(path)
}

/// The key in the data directory, which only the service's account can read; a new one if there is none.
fn read_or_generate(data_dir: &Path, random: &dyn Random) -> anyhow::Result<String> {
    let path = file(data_dir);
    // A file that cannot be checked is not the same as a missing one.
    let exists = path.try_exists().with_context(|| format!("cannot read the master key {}", path.display()))?;
    if !exists {
        let created = write_once(data_dir, &MasterKeys::generate(random));
        created.with_context(|| format!("cannot create the master key {}", path.display()))?;
    }
    read(data_dir)
}

/// Writes the key under another name and then links it, so that two processes that race both use the first key.
fn write_once(data_dir: &Path, key: &str) -> std::io::Result<()> {
    let draft = draft_in(data_dir);
    write_draft(&draft, key)?;
    match std::fs::hard_link(&draft, data_dir.join(FILE)) {
        Err(error) if error.kind() != ErrorKind::AlreadyExists => Err(error),
        _ => std::fs::remove_file(&draft),
    }
}

fn draft_in(data_dir: &Path) -> PathBuf {
    data_dir.join(format!(".{FILE}.{}", std::process::id()))
}

fn write_draft(draft: &Path, keys: &str) -> std::io::Result<()> {
    let mut file = OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(draft)?;
    file.write_all(keys.as_bytes())?;
    file.sync_all()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;
    use system::SecureRandom;

    #[test]
    fn the_key_is_generated_once_and_private() {
        let folder = tempfile::tempdir().unwrap();
        let random = SecureRandom::default();
        let first = read_or_generate(folder.path(), &random).unwrap();
        assert_eq!(read_or_generate(folder.path(), &random).unwrap(), first);
        assert!(MasterKeys::parse(&first).is_ok());
        let mode = std::fs::metadata(folder.path().join(FILE)).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "no draft is left");
    }

    #[test]
    fn keys_are_replaced_and_stay_private() {
        let folder = tempfile::tempdir().unwrap();
        write_once(folder.path(), "one").unwrap();
        let path = replace(folder.path(), "two,one").unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "two,one");
        assert_eq!(std::fs::metadata(path).unwrap().permissions().mode() & 0o777, 0o600);
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "no draft is left");
    }
}
