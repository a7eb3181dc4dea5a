//! The master key, which seals secrets at rest.

use std::fs::OpenOptions;
use std::io::{ErrorKind, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use anyhow::{Context, bail};
use domain::kernel::sealing::MasterKeys;
use domain::ports::Random;

use crate::config::Config;

const FILE: &str = "master-key";

/// The configured key; with the embedded cluster, a key generated once and stored in the data directory.
pub(crate) fn find(config: &Config, random: &dyn Random) -> anyhow::Result<MasterKeys> {
    let text = match &config.master_key {
        Some(key) => key.0.clone(),
        None if config.database_url.is_none() => kept(&config.data_dir, random)?,
        None => bail!(
            "master_key (SERVICE_MASTER_KEY) must be set together with DATABASE_URL: 32 random bytes in Base64, e.g. from \
             `openssl rand -base64 32`; without this key, all webhook secrets are lost"
        ),
    };
    MasterKeys::parse(&text).context("master_key (SERVICE_MASTER_KEY) is invalid")
}

/// The key file in the data directory, readable only by the service's account.
fn kept(data_dir: &Path, random: &dyn Random) -> anyhow::Result<String> {
    let path = data_dir.join(FILE);
    let read = || std::fs::read_to_string(&path).map(|text| text.trim().to_owned());
    match read() {
        Err(error) if error.kind() == ErrorKind::NotFound => {}
        other => return other.with_context(|| format!("cannot read the master key {}", path.display())),
    }
    let key = MasterKeys::generate(random);
    // Written under another name, then linked: if two processes race, both use the first key.
    let draft = data_dir.join(format!(".{FILE}.{}", std::process::id()));
    let write = || {
        let mut file = OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(&draft)?;
        file.write_all(key.as_bytes())?;
        file.sync_all()?;
        match std::fs::hard_link(&draft, &path) {
            Err(error) if error.kind() != ErrorKind::AlreadyExists => Err(error),
            _ => std::fs::remove_file(&draft),
        }
    };
    write().with_context(|| format!("cannot create the master key {}", path.display()))?;
    read().with_context(|| format!("cannot read the master key {}", path.display()))
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
        let first = kept(folder.path(), &random).unwrap();
        assert_eq!(kept(folder.path(), &random).unwrap(), first);
        assert!(MasterKeys::parse(&first).is_ok());
        let mode = std::fs::metadata(folder.path().join(FILE)).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "no draft is left");
    }
}
