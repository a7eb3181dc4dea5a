//! Streaming replicas: whether each belongs to this database, and how far behind it is.

use storage_diesel::{SessionError, Sessions, replica_lag};

use super::Finding;
use super::database::ReachedDatabase;

const CURE: &str = "correct SERVICE_DATABASE_REPLICA_URLS: each address must lead to a streaming replica of the database in DATABASE_URL";

pub(super) fn check(reached: &ReachedDatabase) -> Vec<Finding> {
    if reached.replica_urls.is_empty() {
        return vec![Finding::ok("none: the primary serves all reads")];
    }
    let numbered = reached.replica_urls.iter().zip(1..);
    numbered.map(|(url, number)| check_one(reached, url, number)).collect()
}

/// Reads can go to the primary instead, so this reports at most a warning.
fn check_one(reached: &ReachedDatabase, url: &str, number: usize) -> Finding {
    match Sessions::check(url, reached.config.db_prepared.is_on()) {
        Ok(_) => {}
        Err(SessionError::Unreachable(reason)) => {
            return Finding::warning(format!("replica {number} cannot be reached: {reason}"), CURE);
        }
        Err(error) => return Finding::warning(format!("replica {number} cannot be used: {error}"), CURE),
    }
    let max_lag = reached.config.replicas.max_lag;
    match replica_lag(&reached.session_url, url, max_lag) {
        Ok(Some(lag)) => Finding::ok(format!("replica {number} is {} ms behind", lag.as_millis())),
        Ok(None) => Finding::warning(
            format!("replica {number} is more than {} ms behind, so it serves no reads", max_lag.as_millis()),
            "check whether it receives and replays the log (pg_stat_replication on the primary), and what keeps it busy",
        ),
        Err(error) => Finding::warning(format!("replica {number} is not used: {error}"), CURE),
    }
}
