//! Waits for a database that is not reachable yet, because machines start their services in any order.

use std::time::{Duration, Instant};

use storage_diesel::MigrationError;

const RETRY_INTERVAL: Duration = Duration::from_millis(500);

/// Retries for at most `timeout` while the database cannot be reached for a reason that may be temporary. Logs at once that it
/// is waiting.
pub(crate) fn retry_until_reachable<T>(
    timeout: Duration,
    mut attempt: impl FnMut() -> Result<T, MigrationError>,
) -> Result<T, MigrationError> {
    let start = Instant::now();
    let mut has_warned = false;
    loop {
        match attempt() {
            Err(MigrationError::Unreachable(reason)) if is_temporary(&reason) && start.elapsed() < timeout => {
                if !has_warned {
                    log::warn!(
                        "the database cannot be reached yet; retrying for up to {} s (SERVICE_START_WAIT): {reason}",
                        timeout.as_secs()
                    );
                    has_warned = true;
                }
            }
            outcome => {
                if has_warned && outcome.is_ok() {
                    log::info!("the database was reached after {} s", start.elapsed().as_secs());
                }
                return outcome;
            }
        }
        #[expect(clippy::disallowed_methods, reason = "nothing else runs yet that this could block")]
        std::thread::sleep(RETRY_INTERVAL);
    }
}

/// The start of the tunnel's messages about temporary problems.
const TUNNEL_UNREACHABLE: &str = "FATAL:  cannot reach";

/// Whether a retry may succeed. A refusal by the server, such as for a wrong password, is final, unless the server is starting or
/// has no free connections.
fn is_temporary(reason: &str) -> bool {
    if !reason.starts_with("connection to server") && !reason.starts_with("could not translate host name") {
        return false;
    }
    !reason.contains("FATAL:")
        || ["the database system is", TUNNEL_UNREACHABLE, "too many clients", "remaining connection slots"]
            .iter()
            .any(|temporary| reason.contains(temporary))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unreachable(reason: &str) -> Result<(), MigrationError> {
        Err(MigrationError::Unreachable(reason.to_owned()))
    }

    #[test]
    fn only_temporary_problems_are_retried() {
        for (reason, is_retried) in [
            ("connection to server at \"db\" (10.0.0.1), port 5432 failed: Connection refused", true),
            ("connection to server on socket \"/x\" failed: No such file or directory", true),
            ("connection to server at \"db\" failed: FATAL:  the database system is starting up", true),
            ("connection to server at \"db\" failed: FATAL:  sorry, too many clients already", true),
            ("could not translate host name \"db\" to address: Name or service not known", true),
            ("connection to server on socket \"/x\" failed: FATAL:  cannot reach db:5432: Connection refused", true),
            ("connection to server on socket \"/x\" failed: FATAL:  no TLS with db:5432: no authority", false),
            ("connection to server at \"db\" failed: FATAL:  password authentication failed for user \"u\"", false),
            ("connection to server at \"db\" failed: FATAL:  database \"d\" does not exist", false),
            ("the address is invalid; it must have the form postgres://user:password@host:port/database", false),
        ] {
            let mut attempts = 0;
            let outcome = retry_until_reachable(Duration::from_mins(1), || {
                attempts += 1;
                if attempts == 2 { Ok(()) } else { unreachable(reason) }
            });
            assert_eq!((outcome.is_ok(), attempts), (is_retried, if is_retried { 2 } else { 1 }), "{reason}");
        }
    }

    #[test]
    fn waiting_ends_after_the_limit() {
        let mut attempts = 0;
        let outcome = retry_until_reachable(Duration::ZERO, || {
            attempts += 1;
            unreachable("connection to server at \"db\" failed: Connection refused")
        });
        assert!(matches!(outcome, Err(MigrationError::Unreachable(_))));
        assert_eq!(attempts, 1);
    }
}
