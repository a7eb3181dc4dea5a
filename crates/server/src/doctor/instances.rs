//! Finds instances that share a database but not their rate limits. Together they allow more requests than the limits.

use super::Finding;
use super::database::ReachedDatabase;

const SHARE: &str =
    "set SERVICE_REDIS_URL to the same Redis on all instances; ignore this while one instance replaces another";

pub(super) fn check(reached: &ReachedDatabase) -> Vec<Finding> {
    let alone = match storage_diesel::counting_alone(&reached.session_url) {
        Ok(alone) => alone,
        Err(error) => {
            let cure = "give the role of DATABASE_URL read access to pg_locks and pg_database";
            return vec![Finding::error(error.to_string(), cure)];
        }
    };
    vec![match (alone, &reached.config.redis_url) {
        (2.., _) => Finding::warning(
            format!("{alone} instances without Redis share this database: each allows clients the full rate limits"),
            SHARE,
        ),
        (1, Some(_)) => Finding::warning(
            "one instance uses this database without Redis, others with Redis: it allows clients the full rate limits",
            SHARE,
        ),
        _ => Finding::ok("no running instances count requests separately"),
    }]
}
