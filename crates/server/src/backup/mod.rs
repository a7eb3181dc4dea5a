//! Backups: the file format, the sealed master key, and the Postgres programs.

pub(crate) mod archive;
pub(crate) mod child;
pub(crate) mod sealed_key;

pub(crate) use archive::Manifest;
pub(crate) use sealed_key::SealedKey;

pub(crate) const PASSPHRASE_VARIABLE: &str = "SERVICE_BACKUP_PASSPHRASE";
