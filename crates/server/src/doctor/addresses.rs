//! Finds e-mail addresses that are the same, but that an earlier release treated as different.

use storage_diesel::SharedAddress;

use super::Finding;
use super::database::ReachedDatabase;

/// The maximum number of addresses that a finding names.
const MAX_NAMED: u32 = 5;

/// Finds contacts and accounts with the same address as an older one, in a different spelling.
pub(super) fn check(reached: &ReachedDatabase) -> Vec<Finding> {
    if !reached.is_current() {
        return vec![Finding::not_checked("the schema is not that of this release")];
    }
    let found = storage_diesel::shared_addresses(&reached.session_url, MAX_NAMED);
    let found = match found {
        Ok(found) => found,
        Err(error) => {
            return vec![Finding::error(error.to_string(), "give the role of DATABASE_URL read access to the tables")];
        }
    };
    let mut findings = Vec::new();
    if !found.contacts.is_empty() {
        let named = |one: &SharedAddress| format!("{} {} ({})", one.workspace, one.address, one.contacts);
        let named: Vec<_> = found.contacts.iter().map(named).collect();
        let message = format!(
            "contacts have the same address as an older contact, in a different spelling: {}",
            named.join(", ")
        );
        let cure = "correct or delete one contact of each pair; the settings of the workspace list them";
        findings.push(Finding::warning(message, cure));
    }
    if !found.accounts.is_empty() {
        let message = format!(
            "accounts have the same address as an older account, in a different spelling: {}; they can sign in only with that spelling",
            found.accounts.join(", ")
        );
        let cure = "invite these people with another address, and remove the members that have this one";
        findings.push(Finding::warning(message, cure));
    }
    if findings.is_empty() {
        findings.push(Finding::ok("each belongs to one contact per workspace, and to one account"));
    }
    findings
}
