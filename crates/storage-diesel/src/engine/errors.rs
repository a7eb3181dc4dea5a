//! Maps diesel's errors to the domain's.

use diesel::result::{DatabaseErrorInformation, DatabaseErrorKind, Error};
use domain::ports::StoreError;

/// Fields with unique values. Their constraint or index is named `TABLE_FIELD_key`.
const UNIQUE_MEMBERS: &[&str] = &["domain", "email", "external_id", "slug"];

/// A user can be a member of a workspace once, and is identified by the e-mail address.
const MEMBERS: &str = "members_pkey";

/// Unique values that the service generates: a retry generates others, and a retry that starts a timer stops the other one first.
const GENERATED_UNIQUE: &[&str] =
    &["issues_reference_key", "users_email_key", "idempotency_keys_pkey", "time_entries_running_key"];

/// Errors that diesel does not distinguish. The server's messages are in English: `pool.rs` requests that if permitted.
const CONTENDED: &[&str] = &[
    "deadlock detected",
    // From Citus: a deadlock between transactions on different nodes.
    "canceling the transaction since it was involved in a distributed deadlock",
    // From Citus: the statement was planned for a shard that was split or moved meanwhile.
    "could not find valid entry for shard",
    "canceling statement due to lock timeout",
    "could not obtain lock",
];
const TIMED_OUT: &[&str] = &["canceling statement due to statement timeout"];
const UNAVAILABLE: &[&str] = &[
    "canceling statement due to user request",
    "terminating connection",
    "the database system is",
    "sorry, too many clients",
    "remaining connection slots",
    // From libpq. Diesel recognises them by the state of the connection, which libpq sometimes changes too late.
    "server closed the connection unexpectedly",
    "no connection to the server",
    "connection not open",
    "could not send data to server",
    "could not receive data from server",
    "SSL SYSCALL error",
    "SSL connection has been closed unexpectedly",
];

/// Parts of Citus' messages about a node that it lost or cannot open another connection to. The rest of the message names the
/// node or repeats the node's own message.
const NODE_LOST: &[&str] = &[
    "failure on connection marked as essential",
    "connection to the remote node",
    "connection establishment for",
    "could not establish any connections to the node",
    "could not establish connection after",
    "could not commit transaction for shard",
    "failed to prepare transaction",
    "failed to COPY to shard",
    "failed to complete COPY on",
    "to fetch intermediate results",
    "cannot recover from multiple connection failures",
    "the total number of connections on the server is more than",
    "could not find an available connection",
    "does not have a primary node",
    "there is a shard placement in node group",
    "postmaster was shut down",
];

/// The beginning of the message for a violated unique constraint.
const DUPLICATE: &str = "duplicate key value violates unique constraint";

/// Endings of the messages for a full disk, whatever Postgres could not write.
const DISK_FULL: &[&str] = &["No space left on device", "Disk quota exceeded"];

pub(crate) fn store_error(error: Error) -> StoreError {
    match error {
        Error::DatabaseError(kind, information) => database_error(kind, &*information),
        Error::RollbackErrorOnCommit { commit_error, .. } => store_error(*commit_error),
        Error::BrokenTransactionManager => StoreError::Unavailable("the connection is broken".to_owned()),
        other => StoreError::Internal(other.to_string()),
    }
}

fn database_error(kind: DatabaseErrorKind, information: &dyn DatabaseErrorInformation) -> StoreError {
    let message = information.message();
    let is_one_of = |starts: &[&str]| starts.iter().any(|start| message.starts_with(start));
    match kind {
        DatabaseErrorKind::UniqueViolation => duplicate(constraint_of(information.constraint_name(), message)),
        // An error in rows that Citus copies to a shard has no kind.
        _ if message.starts_with(DUPLICATE) => duplicate(constraint_of(None, message)),
        DatabaseErrorKind::SerializationFailure => StoreError::Contended,
        DatabaseErrorKind::ClosedConnection
        | DatabaseErrorKind::UnableToSendCommand
        | DatabaseErrorKind::ReadOnlyTransaction => StoreError::Unavailable(message.trim().to_owned()),
        _ if DISK_FULL.iter().any(|reason| message.ends_with(reason)) => {
            StoreError::DiskFull(message.trim().to_owned())
        }
        _ if is_one_of(CONTENDED) => StoreError::Contended,
        _ if is_one_of(TIMED_OUT) => StoreError::TimedOut,
        _ if is_one_of(UNAVAILABLE) || NODE_LOST.iter().any(|words| message.contains(words)) => {
            StoreError::Unavailable(message.trim().to_owned())
        }
        // Postgres' details are omitted because they quote the values.
        _ => StoreError::Internal(message.to_owned()),
    }
}

/// The name of the constraint in the schema. For a distributed table (`distribution.rs`), the error names the index of a shard,
/// which ends with the shard's number; some of these errors have the name only in their message.
fn constraint_of<'a>(name: Option<&'a str>, message: &'a str) -> &'a str {
    let name_in_message = || message.split('"').nth(1).unwrap_or_default();
    let name = name.filter(|name| !name.is_empty()).unwrap_or_else(name_in_message);
    match name.rsplit_once('_') {
        Some((constraint, shard)) if !shard.is_empty() && shard.bytes().all(|byte| byte.is_ascii_digit()) => constraint,
        _ => name,
    }
}

fn duplicate(constraint: &str) -> StoreError {
    if GENERATED_UNIQUE.contains(&constraint) {
        return StoreError::Contended;
    }
    if constraint == MEMBERS {
        return StoreError::Duplicate { field: "email" };
    }
    let is_of = |member: &str| constraint.ends_with(&format!("_{member}_key"));
    match UNIQUE_MEMBERS.iter().find(|member| is_of(member)) {
        Some(field) => StoreError::Duplicate { field },
        None => StoreError::Internal(format!("unique constraint {constraint}")),
    }
}

/// Fails unless a write affected the expected number of rows.
pub(crate) fn expect_rows(affected: usize, expected: usize) -> Result<(), StoreError> {
    if affected == expected {
        return Ok(());
    }
    Err(StoreError::Internal(format!("a write affected {affected} rows instead of {expected}")))
}

/// Why a connection failed. libpq repeats an address that it cannot parse, including the password, so only its messages about
/// servers are passed on.
pub(crate) fn unreachable_reason(error: &diesel::ConnectionError) -> String {
    let text = error.to_string();
    let text = text.trim();
    if ["connection to server", "could not translate host name"].iter().any(|start| text.starts_with(start)) {
        return text.to_owned();
    }
    if text.starts_with("sslmode value") && text.ends_with("when SSL support is not compiled in") {
        return "its sslmode asks for TLS, which this libpq was built without; it has to go through the tunnel for TLS"
            .to_owned();
    }
    "the address is invalid; it must have the form postgres://user:password@host:port/database, with / : @ ? # % and \
     spaces in the password percent-encoded (/ is %2F, @ is %40)"
        .to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mapped(kind: DatabaseErrorKind, message: &str) -> StoreError {
        store_error(Error::DatabaseError(kind, Box::new(message.to_owned())))
    }

    #[test]
    fn server_errors_determine_what_is_retried() {
        for (message, contended) in [
            ("deadlock detected", true),
            ("canceling the transaction since it was involved in a distributed deadlock", true),
            ("could not find valid entry for shard 102345", true),
            ("canceling statement due to lock timeout", true),
            ("canceling statement due to user request", false),
            (
                "server closed the connection unexpectedly\n\tThis probably means the server terminated abnormally",
                false,
            ),
            ("could not receive data from server: Connection reset by peer", false),
        ] {
            let error = mapped(DatabaseErrorKind::Unknown, message);
            assert_eq!(matches!(error, StoreError::Contended), contended, "{message}");
            assert_eq!(matches!(error, StoreError::Unavailable(_)), !contended, "{message}");
        }
        for message in [
            "could not extend file \"base/1/2\": No space left on device",
            "could not write to file \"base/pgsql_tmp/pgsql_tmp9.0\": No space left on device",
            "could not extend file \"base/1/2\": Disk quota exceeded",
        ] {
            assert!(matches!(mapped(DatabaseErrorKind::Unknown, message), StoreError::DiskFull(_)), "{message}");
        }
        let too_slow = mapped(DatabaseErrorKind::Unknown, "canceling statement due to statement timeout");
        assert!(matches!(too_slow, StoreError::TimedOut));
        assert!(matches!(mapped(DatabaseErrorKind::SerializationFailure, "x"), StoreError::Contended));
        assert!(matches!(mapped(DatabaseErrorKind::ClosedConnection, "x"), StoreError::Unavailable(_)));
        assert!(matches!(mapped(DatabaseErrorKind::CheckViolation, "x"), StoreError::Internal(_)));
        assert!(matches!(store_error(Error::NotFound), StoreError::Internal(_)));
    }

    #[test]
    fn the_reason_for_an_unusable_address_omits_the_address() {
        let reason = |text: &str| unreachable_reason(&diesel::ConnectionError::BadConnection(text.to_owned()));
        assert!(reason("sslmode value \"require\" invalid when SSL support is not compiled in\n").contains("sslmode"));
        let unparsable = reason("invalid integer value \"secret@host\" for connection option \"port\"");
        assert!(unparsable.starts_with("the address is invalid") && !unparsable.contains("secret"), "{unparsable}");
    }

    #[test]
    fn a_lost_node_is_an_outage() {
        for message in [
            "connection to the remote node 127.0.0.1:27401 failed with the following error: Connection refused",
            "failure on connection marked as essential: 127.0.0.1:27401",
            "postmaster was shut down, exiting",
            "could not establish any connections to the node postgres@127.0.0.1:27401 after 30000 ms",
            "failed to COPY to shard 102345 on 127.0.0.1:27401",
            "failed to complete COPY on 127.0.0.1:27401",
            "cannot connect to 127.0.0.1:27401 to fetch intermediate results",
            "execution cannot recover from multiple connection failures. Last node failed 127.0.0.1:27401",
            "the total number of connections on the server is more than max_connections(100)",
            "could not find an available connection",
            "node group 2 does not have a primary node",
            "there is a shard placement in node group 2 but there are no nodes in that group",
        ] {
            assert!(matches!(mapped(DatabaseErrorKind::Unknown, message), StoreError::Unavailable(_)), "{message}");
        }
    }

    #[test]
    fn constraints_of_shards_map_to_those_of_their_tables() {
        let message = "duplicate key value violates unique constraint \"contacts_email_key_103113\"";
        for name in [Some("contacts_email_key_103113"), Some("contacts_email_key"), Some(""), None] {
            assert_eq!(constraint_of(name, message), "contacts_email_key", "{name:?}");
        }
        assert_eq!(constraint_of(None, "no name"), "");
        for kind in [DatabaseErrorKind::UniqueViolation, DatabaseErrorKind::Unknown] {
            assert!(matches!(mapped(kind, message), StoreError::Duplicate { field: "email" }));
        }
    }

    #[test]
    fn unique_constraints_map_to_their_field() {
        for (constraint, name) in [
            ("contacts_email_key", "email"),
            ("members_pkey", "email"),
            ("companies_external_id_key", "external_id"),
            ("kb_articles_slug_key", "slug"),
        ] {
            assert!(matches!(duplicate(constraint), StoreError::Duplicate { field } if field == name), "{constraint}");
        }
        assert!(matches!(duplicate("issues_reference_key"), StoreError::Contended));
        assert!(matches!(duplicate("nobody_knows"), StoreError::Internal(_)));
    }
}
