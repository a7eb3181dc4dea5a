//! Instances over one database that count requests each for itself: together they admit more than the limits say.

use super::Finding;
use super::database::Reached;

const SHARE: &str =
    "set SERVICE_REDIS_URL to the same Redis in all instances; ignore this while one takes over from another";

pub(super) fn check(reached: &Reached) -> Vec<Finding> {
    let alone = match storage_diesel::counting_alone(&reached.session_url) {
        Ok(alone) => alone,
        Err(error) => {
            let cure = "give the role of DATABASE_URL read access to pg_locks and pg_database";
            return vec![Finding::error(error.to_string(), cure)];
        }
    };
    vec![match (alone, &reached.config.redis_url) {
        (2.., _) => Finding::warning(
            format!("{alone} instances without Redis use this database: each admits requests up to the whole limits"),
            SHARE,
        ),
        (1, Some(_)) => Finding::warning(
            "an instance without Redis uses this database beside those with it: it admits requests up to the whole limits",
            SHARE,
        ),
        _ => Finding::ok("no two running instances count requests each for itself"),
    }]
}
