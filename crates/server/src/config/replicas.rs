//! Streaming replicas of the database.

use std::time::Duration;

use storage_diesel::MAX_REPLICAS;

use super::SecretText;
use crate::config_args::ConfigArgs;

const VARIABLE: &str = "SERVICE_DATABASE_REPLICA_URLS";
const DEFAULT_MAX_LAG: Duration = Duration::from_secs(5);
/// The position of a replica is read every 50 ms.
const LOWEST_MAX_LAG: Duration = Duration::from_millis(100);
const HIGHEST_MAX_LAG: Duration = Duration::from_mins(1);

/// The configured replicas.
#[derive(Debug, Clone)]
pub(crate) struct Replicas {
    pub(crate) urls: Vec<SecretText>,
    /// How far behind a replica may be.
    pub(crate) max_lag: Duration,
}

impl Replicas {
    pub(super) fn of(given: &ConfigArgs) -> anyhow::Result<Self> {
        let list = given.database_replica_urls.as_ref().map_or("", |list| list.0.as_str());
        let urls = list.split(',').map(str::trim).filter(|url| !url.is_empty());
        let urls: Vec<_> = urls.map(|url| SecretText(url.to_owned())).collect();
        anyhow::ensure!(
            urls.len() <= MAX_REPLICAS,
            "database_replica_urls ({VARIABLE}) has {} addresses; at most {MAX_REPLICAS} are allowed",
            urls.len()
        );
        let is_url = |url: &SecretText| ["postgres://", "postgresql://"].iter().any(|scheme| url.0.starts_with(scheme));
        // The address is not shown, because it may contain a password.
        anyhow::ensure!(
            urls.iter().all(is_url),
            "database_replica_urls ({VARIABLE}) must be comma-separated URLs of one server each, such as \
             postgres://user:password@host:port/database; write a comma in a password as %2C"
        );
        anyhow::ensure!(
            urls.is_empty() || given.database_url.is_some(),
            "database_replica_urls ({VARIABLE}) needs the address of the primary: set DATABASE_URL"
        );
        Ok(Self { urls, max_lag: max_lag(given.database_replica_max_lag.as_deref())? })
    }
}

fn max_lag(value: Option<&str>) -> anyhow::Result<Duration> {
    let Some(text) = value else { return Ok(DEFAULT_MAX_LAG) };
    let lag = parse(text).filter(|lag| (LOWEST_MAX_LAG..=HIGHEST_MAX_LAG).contains(lag));
    lag.ok_or_else(|| {
        anyhow::anyhow!(
            "database_replica_max_lag (SERVICE_DATABASE_REPLICA_MAX_LAG) must be from 100ms to 1m, such as 500ms or 5s, \
             not {text:?}"
        )
    })
}

fn parse(text: &str) -> Option<Duration> {
    match text.trim().strip_suffix("ms") {
        Some(number) => Some(Duration::from_millis(number.trim().parse().ok()?)),
        None => crate::cli::parse_duration(text).ok().and_then(|lag| lag.try_into().ok()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse_replicas(urls: &str, max_lag: Option<&str>) -> anyhow::Result<Replicas> {
        Replicas::of(&ConfigArgs {
            database_url: Some(SecretText("postgres://h/d".to_owned())),
            database_replica_urls: Some(SecretText(urls.to_owned())),
            database_replica_max_lag: max_lag.map(str::to_owned),
            ..ConfigArgs::default()
        })
    }

    #[test]
    fn replicas_are_a_list_of_urls() {
        let replicas = parse_replicas(" postgres://a/d, postgresql://b/d?sslmode=disable,", None).unwrap();
        let urls: Vec<_> = replicas.urls.iter().map(|url| url.0.as_str()).collect();
        assert_eq!(urls, ["postgres://a/d", "postgresql://b/d?sslmode=disable"]);
        assert_eq!(replicas.max_lag, DEFAULT_MAX_LAG);
        assert!(parse_replicas("", None).unwrap().urls.is_empty());
        assert_eq!(parse_replicas(&["postgres://a/d"; 8].join(","), None).unwrap().urls.len(), 8);
        for bad in
            ["host=a dbname=d password=hunter2", "postgres://u:hun,ter2@a/d", &["postgres://a/hunter2"; 9].join(",")]
        {
            let message = parse_replicas(bad, None).unwrap_err().to_string();
            assert!(message.contains(VARIABLE) && !message.contains("ter2"), "{message}");
        }
        let alone = ConfigArgs { database_url: None, ..ConfigArgs::default() };
        let urls = Some(SecretText("postgres://a/d".to_owned()));
        let message = Replicas::of(&ConfigArgs { database_replica_urls: urls, ..alone }).unwrap_err().to_string();
        assert!(message.contains("set DATABASE_URL"), "{message}");
    }

    #[test]
    fn the_lag_has_bounds() {
        for (text, milliseconds) in [("100ms", 100), ("1m", 60_000), ("5s", 5_000)] {
            assert_eq!(parse_replicas("", Some(text)).unwrap().max_lag, Duration::from_millis(milliseconds), "{text}");
        }
        for bad in ["99ms", "61s", "0s", "5", "", "-1s", "soon"] {
            let message = parse_replicas("", Some(bad)).unwrap_err().to_string();
            assert!(
                message.contains("SERVICE_DATABASE_REPLICA_MAX_LAG") && message.contains("100ms to 1m"),
                "{message}"
            );
        }
    }
}
