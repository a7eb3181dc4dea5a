//! Metrics of reads by server.

use std::time::Duration;

use metrics::{Counter, Gauge, counter, describe_counter, describe_gauge, gauge};

const READS: &str = "service_db_reads_total";
const FALLBACKS: &str = "service_db_replica_fallbacks_total";
const LAG: &str = "service_db_replica_lag_seconds";
const USABLE: &str = "service_db_replica_usable";

const PRIMARY: &str = "primary";

/// Why a read that began on a replica was answered by the primary.
const REASONS: [&str; 6] = ["missing", "busy", "slow", "unavailable", "conflict", "write"];

pub(crate) fn describe() {
    describe_counter!(
        READS,
        "Reads that a replica may serve, by the server that served them; only with SERVICE_DATABASE_REPLICA_URLS"
    );
    describe_counter!(FALLBACKS, "Reads started on a replica and completed on the primary, by reason");
    describe_gauge!(LAG, "How far the replica lags behind the primary, in seconds");
    describe_gauge!(USABLE, "1 if reads go to the replica: it can be reached and is not too far behind");
}

/// The metrics of one replica.
#[derive(Clone)]
pub(super) struct ReplicaMetrics {
    reads: Counter,
    lag: Gauge,
    usable: Gauge,
    name: &'static str,
}

impl ReplicaMetrics {
    pub(super) fn new(name: &'static str) -> Self {
        let usable = gauge!(USABLE, "replica" => name);
        usable.set(0);
        for reason in REASONS {
            counter!(FALLBACKS, "replica" => name, "reason" => reason).increment(0);
        }
        Self { reads: counter!(READS, "target" => name), lag: gauge!(LAG, "replica" => name), usable, name }
    }

    pub(super) fn count_read(&self) {
        self.reads.increment(1);
    }

    pub(super) fn count_fallback(&self, reason: &'static str) {
        counter!(FALLBACKS, "replica" => self.name, "reason" => reason).increment(1);
    }

    pub(super) fn set_lag(&self, lag: Duration) {
        self.lag.set(lag.as_secs_f64());
    }

    pub(super) fn set_usable(&self, is_usable: bool) {
        self.usable.set(f64::from(u8::from(is_usable)));
    }
}

/// Reads that went to the primary.
pub(super) fn primary_reads() -> Counter {
    counter!(READS, "target" => PRIMARY)
}
