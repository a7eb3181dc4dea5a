//! Privileges in the database: those of the service's role, and those of all roles.

use storage_diesel::Privileges;

use super::Finding;
use super::database::ReachedDatabase;

/// How many privileges a finding names.
const MAX_NAMED: usize = 3;

pub(super) fn check(reached: &ReachedDatabase) -> Vec<Finding> {
    if reached.schema.as_ref().is_ok_and(|state| state.is_empty) {
        return vec![Finding::not_checked("there is no schema yet")];
    }
    match storage_diesel::privileges(&reached.session_url) {
        Ok(privileges) => findings(&privileges),
        Err(error) => {
            vec![Finding::error(
                error.to_string(),
                "give the role of DATABASE_URL read access to the catalog of its database",
            )]
        }
    }
}

fn findings(privileges: &Privileges) -> Vec<Finding> {
    let role = &privileges.role;
    let mut found = Vec::new();
    if !privileges.exposed.is_empty() {
        found.push(Finding::error(
            format!(
                "every role of this Postgres can call these functions with the privileges of the schema's owner: {}",
                named(&privileges.exposed)
            ),
            "run `workspace-service migrate`, with the owner of the schema in DATABASE_URL, to revoke this",
        ));
    }
    if !privileges.missing.is_empty() {
        found.push(Finding::error(
            format!("the role {role} lacks {}", named(&privileges.missing)),
            format!("as the owner of the schema, run `workspace-service database grant --app-role {role}`"),
        ));
    }
    if found.is_empty() {
        let rights = if privileges.owns {
            "owns the schema"
        } else {
            "has the privileges that it needs, and does not own the schema"
        };
        found.push(Finding::ok(format!("the role {role} {rights}")));
    }
    found
}

fn named(all: &[String]) -> String {
    let named = all.iter().take(MAX_NAMED).cloned().collect::<Vec<_>>().join(", ");
    match all.len().saturating_sub(MAX_NAMED) {
        0 => named,
        more => format!("{named} and {more} more"),
    }
}
