//! Modes and owners of the files that hold secrets and data.

use std::fs::Metadata;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use super::finding::or_ok;
use super::{Finding, Installation};
use crate::master_key;

/// Permissions of others, except to enter the folder, which the account of Postgres may need.
const READ_OR_WRITE_BY_OTHERS: u32 = 0o066;
const ANY_BY_OTHERS: u32 = 0o077;
const READ_BY_ALL: u32 = 0o006;

pub(super) fn check(installation: &Installation) -> Vec<Finding> {
    let config = &installation.config;
    let mut findings = Vec::new();
    if let Ok(folder) = std::fs::metadata(&config.data_dir) {
        findings.extend(data_folder(&config.data_dir, &folder));
        let key = master_key::file(&config.data_dir);
        if let Ok(metadata) = std::fs::metadata(&key) {
            findings.extend(master_key_file(&key, &metadata, &folder));
        }
    }
    if let Some(file) = &installation.config_file
        && let Ok(metadata) = std::fs::metadata(file)
    {
        findings.extend(config_file(file, &metadata));
    }
    or_ok(findings, "modes and owners are correct")
}

fn data_folder(path: &Path, folder: &Metadata) -> Vec<Finding> {
    let (mode, owner) = (folder.mode() & 0o777, folder.uid());
    let mut findings = Vec::new();
    if mode & READ_OR_WRITE_BY_OTHERS != 0 {
        let message =
            format!("the data folder {} has mode {mode:04o}: other accounts can read or change it", path.display());
        findings.push(Finding::warning(message, format!("chmod go-rw {}", path.display())));
    }
    let current_uid = rustix::process::geteuid().as_raw();
    if current_uid != 0 && current_uid != owner {
        findings.push(Finding::error(
            format!(
                "the data folder {} belongs to uid {owner}, but this command runs as uid {current_uid}",
                path.display()
            ),
            "run doctor and the service as the account that owns the data folder",
        ));
    }
    findings
}

fn master_key_file(path: &Path, key: &Metadata, folder: &Metadata) -> Vec<Finding> {
    let mode = key.mode() & 0o777;
    let mut findings = Vec::new();
    if mode & ANY_BY_OTHERS != 0 {
        let message =
            format!("the master key {} has mode {mode:04o}: other accounts can read or change it", path.display());
        findings.push(Finding::error(message, format!("chmod 0600 {}", path.display())));
    }
    if key.uid() != folder.uid() {
        let message = format!(
            "the master key {} belongs to uid {}, but the data folder belongs to uid {}",
            path.display(),
            key.uid(),
            folder.uid()
        );
        findings.push(Finding::error(message, format!("chown {} {}", folder.uid(), path.display())));
    }
    findings
}

fn config_file(path: &Path, file: &Metadata) -> Option<Finding> {
    let mode = file.mode() & 0o777;
    let has_secrets = crate::config::file::read_leniently(path).is_ok_and(|(given, _)| given.has_secrets());
    (has_secrets && mode & READ_BY_ALL != 0).then(|| {
        let message = format!(
            "the configuration file {} has secrets and mode {mode:04o}: every account can read it",
            path.display()
        );
        Finding::error(message, format!("chmod 0640 {}", path.display()))
    })
}
