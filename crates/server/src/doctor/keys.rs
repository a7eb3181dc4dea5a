//! Finds API keys of earlier releases whose permissions do not restrict REST.

use super::Finding;
use super::database::ReachedDatabase;

/// The maximum number of keys that a finding names.
const MAX_NAMED: u32 = 5;

/// Active keys with permissions that nobody has confirmed.
pub(super) fn check(reached: &ReachedDatabase) -> Vec<Finding> {
    if !reached.is_current() {
        return vec![Finding::not_checked("the schema is not that of this release")];
    }
    let found = match storage_diesel::wider_keys(&reached.session_url, MAX_NAMED) {
        Ok(found) => found,
        Err(error) => {
            return vec![Finding::error(error.to_string(), "give the role of DATABASE_URL read access to the tables")];
        }
    };
    if found.is_empty() {
        return vec![Finding::ok("permissions of keys narrow tools and REST alike")];
    }
    let named: Vec<_> = found.iter().map(|(workspace, name)| format!("{workspace} {name}")).collect();
    let message =
        format!("keys of an earlier release have permissions that narrow tools alone, not REST: {}", named.join(", "));
    let cure = "check what they are used for, and confirm their permissions in the settings of the workspace";
    vec![Finding::warning(message, cure)]
}
