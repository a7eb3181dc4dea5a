//! Settings that limit what clients may use.

use http_core::{AnswerLimits, HttpSettings};

use crate::config_args::ConfigArgs;

/// Limits of the public listener.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Capacity {
    pub(crate) has_public_metrics: bool,
    pub(crate) max_connections: usize,
    pub(crate) connections_per_address: usize,
    pub(crate) connections_per_credential: usize,
    pub(crate) answers: AnswerLimits,
}

impl Capacity {
    pub(super) fn of(given: &ConfigArgs) -> anyhow::Result<Self> {
        let default = HttpSettings::default();
        let connections = |value: Option<usize>, default: usize, member: &str| {
            let (number, name) = (value.unwrap_or(default), member.to_uppercase());
            anyhow::ensure!(
                (1..=1_000_000).contains(&number),
                "{member} (SERVICE_{name}) must be between 1 and 1000000"
            );
            Ok(number)
        };
        let memory = given.answer_memory;
        anyhow::ensure!(
            memory.is_none_or(|mib| (16..=65_536).contains(&mib)),
            "answer_memory (SERVICE_ANSWER_MEMORY) must be between 16 and 65536 MiB"
        );
        Ok(Self {
            has_public_metrics: given.metrics_public.unwrap_or(default.has_public_metrics),
            max_connections: connections(given.max_connections, default.max_connections, "max_connections")?,
            connections_per_address: connections(
                given.connections_per_address,
                default.connections_per_address,
                "connections_per_address",
            )?,
            connections_per_credential: connections(
                given.connections_per_credential,
                default.connections_per_credential,
                "connections_per_credential",
            )?,
            answers: memory.map_or(default.answers, |mib| AnswerLimits::for_process(mib * 1024 * 1024)),
        })
    }
}
