//! Stored data: whether it can be decrypted, whether there is a backup, and what earlier releases left behind.

use std::path::Path;

use domain::kernel::input::format_timestamp;
use domain::limits::{EventBytesUsed, day_of};
use domain::ports::Clock;
use storage_diesel::SharedAddress;
use system::SystemClock;
use time::Duration;

use super::Finding;
use super::database::ReachedDatabase;
use super::finding::or_ok;
use crate::master_key;

/// The age from which the last backup causes a warning.
const MAX_BACKUP_AGE: Duration = Duration::weeks(1);

pub(super) fn master_key(reached: &ReachedDatabase) -> Vec<Finding> {
    reached.check_tables(storage_diesel::sealing_keys, |sealing| {
        vec![match master_key::existing(&reached.config, &sealing) {
            Ok(Some(_)) => Finding::ok("it opens all stored secrets"),
            Ok(None) => Finding::ok("there is none yet: the service creates it when it first starts"),
            Err(error) => Finding::error(
                format!("{error:#}"),
                "put the former key back, e.g. `master-key` of the data folder or the one in a backup; a new key cannot open the stored secrets",
            ),
        }]
    })
}

/// The maximum number of workspaces that a finding names.
const LARGEST_LOGS: u32 = 3;
/// The percentage of its limit from which a workspace causes a warning.
const WARNING_PERCENT: u64 = 80;

/// Reports the workspaces that have added the most to the event log today.
pub(super) fn event_log(reached: &ReachedDatabase) -> Vec<Finding> {
    let today = day_of(SystemClock.now());
    reached.check_tables(|url| storage_diesel::largest_event_logs(url, today, LARGEST_LOGS), |rows| judge_growth(&rows))
}

fn judge_growth(largest: &[EventBytesUsed]) -> Vec<Finding> {
    if largest.is_empty() {
        return vec![Finding::ok("no changes today")];
    }
    let describe = |one: &EventBytesUsed| {
        let megabytes = one.added.bytes.div_ceil(1_000_000);
        format!("{} {megabytes} MB ({} % of its limit)", one.slug, one.percent())
    };
    let named: Vec<_> = largest.iter().map(describe).collect();
    let message = format!("today, the event log grew most in {}", named.join(", "));
    vec![if largest.iter().any(|one| one.percent() >= WARNING_PERCENT) {
        Finding::warning(
            message,
            "find out what changes so much (the event log shows who), or raise the limit: workspace update --workspace NAME --limit \
             event_bytes_per_day=BYTES",
        )
    } else {
        Finding::ok(message)
    }]
}

/// Works with any Postgres, not only the embedded one.
pub(super) fn wal_archive(reached: &ReachedDatabase) -> Vec<Finding> {
    let config = &reached.config;
    if let Some(folder) = config.wal_archive_dir.as_ref().filter(|folder| !folder.exists())
        && config.database_url.is_none()
    {
        let message = format!("SERVICE_WAL_ARCHIVE_DIR names {}, which does not exist", folder.display());
        let can_be_created = std::path::absolute(folder).is_ok_and(|path| path.parent().is_some_and(Path::is_dir));
        return vec![if can_be_created {
            Finding::warning(message, "correct the name; if it is right, the service creates the folder when it starts")
        } else {
            Finding::error(
                format!("{message}, and neither does its parent"),
                "correct the name, or create the parent folder",
            )
        }];
    }
    let archive = match storage_diesel::wal_archive(&reached.session_url) {
        Ok(Some(archive)) => archive,
        Ok(None) => {
            return vec![Finding::ok("the write-ahead log is not archived; only point-in-time recovery needs that")];
        }
        Err(error) => {
            return vec![Finding::error(
                error.to_string(),
                "give the role of DATABASE_URL read access to pg_stat_archiver",
            )];
        }
    };
    let last = archive.last_archived_at.map_or("never".to_owned(), format_timestamp);
    vec![if archive.is_failing() {
        Finding::error(
            format!("archiving the write-ahead log fails; last archived segment: {last}"),
            "see the log of Postgres (postgres.log in the data folder) for the cause; its account must be able to write to the archive, which \
             needs free space; until then, segments pile up on the disk of the database",
        )
    } else {
        Finding::ok(format!("the write-ahead log is archived; last segment: {last}"))
    }]
}

pub(super) fn backup(reached: &ReachedDatabase) -> Vec<Finding> {
    let cure = "run `workspace-service backup FILE` every day; ignore this if you back up with another program";
    reached.check_tables(storage_diesel::last_backup, |ended_at| {
        let Some(ended_at) = ended_at else { return vec![Finding::warning("no backup has been made yet", cure)] };
        let message = format!("the last backup ended at {}", format_timestamp(ended_at));
        let is_old = SystemClock.now() - ended_at > MAX_BACKUP_AGE;
        vec![if is_old { Finding::warning(format!("{message}, over a week ago"), cure) } else { Finding::ok(message) }]
    })
}

/// The maximum number of addresses or keys that a finding names.
const MAX_NAMED: u32 = 5;

/// Finds contacts and accounts whose e-mail address differs only in spelling from that of an older one. An earlier release treated
/// such addresses as different.
pub(super) fn email_addresses(reached: &ReachedDatabase) -> Vec<Finding> {
    reached.check_tables(
        |url| storage_diesel::shared_addresses(url, MAX_NAMED),
        |rows| {
            let mut findings = Vec::new();
            if !rows.contacts.is_empty() {
                let describe = |one: &SharedAddress| format!("{} {} ({})", one.workspace, one.address, one.contacts);
                let named: Vec<_> = rows.contacts.iter().map(describe).collect();
                let message = format!(
                    "contacts have the same address as an older contact, in a different spelling: {}",
                    named.join(", ")
                );
                let cure = "correct or delete one contact of each pair; the settings of the workspace list them";
                findings.push(Finding::warning(message, cure));
            }
            if !rows.accounts.is_empty() {
                let message = format!(
                    "accounts have the same address as an older account, in a different spelling: {}; they can sign in only with that spelling",
                    rows.accounts.join(", ")
                );
                let cure = "invite these people with another address, and remove the members that have this one";
                findings.push(Finding::warning(message, cure));
            }
            or_ok(findings, "each belongs to one contact per workspace, and to one account")
        },
    )
}

/// Finds active API keys from earlier releases whose permissions do not restrict REST and have not been confirmed.
pub(super) fn api_keys(reached: &ReachedDatabase) -> Vec<Finding> {
    reached.check_tables(
        |url| storage_diesel::wider_keys(url, MAX_NAMED),
        |rows| {
            let named: Vec<_> = rows.iter().map(|(workspace, name)| format!("{workspace} {name}")).collect();
            let message = format!(
                "keys of an earlier release have permissions that narrow tools alone, not REST: {}",
                named.join(", ")
            );
            let cure = "check what they are used for, and confirm their permissions in the settings of the workspace";
            vec![if named.is_empty() {
                Finding::ok("permissions of keys narrow tools and REST alike")
            } else {
                Finding::warning(message, cure)
            }]
        },
    )
}
