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
        Ok(privileges) => assess(&privileges),
        Err(error) => {
            vec![Finding::error(
                error.to_string(),
                "give the role of DATABASE_URL read access to the catalog of its database",
            )]
        }
    }
}

fn assess(privileges: &Privileges) -> Vec<Finding> {
    let role = &privileges.role;
    let mut findings = Vec::new();
    if !privileges.exposed.is_empty() {
        findings.push(Finding::error(
            format!(
                "every role of this Postgres can call these functions with the privileges of the schema's owner: {}",
                names_of(&privileges.exposed)
            ),
            "run `workspace-service migrate`, with the owner of the schema in DATABASE_URL, to revoke this",
        ));
    }
    if !privileges.missing.is_empty() {
        findings.push(Finding::error(
            format!("the role {role} lacks {}", names_of(&privileges.missing)),
            format!("as the owner of the schema, run `workspace-service database grant --app-role {role}`"),
        ));
    }
    if findings.is_empty() {
        let rights = if privileges.owns {
            "owns the schema"
        } else {
            "has the privileges that it needs, and does not own the schema"
        };
        findings.push(Finding::ok(format!("the role {role} {rights}")));
    }
    findings
}

fn names_of(all: &[String]) -> String {
    let names = all.iter().take(MAX_NAMED).cloned().collect::<Vec<_>>().join(", ");
    match all.len().saturating_sub(MAX_NAMED) {
        0 => names,
        more => format!("{names} and {more} more"),
    }
}
