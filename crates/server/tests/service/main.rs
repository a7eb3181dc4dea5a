//! Tests of the binary in a fresh environment.
#![expect(clippy::unwrap_used, reason = "helpers of tests, where a panic is the report")]

mod backup_failures;
mod backups;
mod cluster;
mod command_line;
mod doctor;
mod emails;
mod exposition;
mod healthcheck;
mod instances;
mod observability;
mod operators;
mod pooler;
mod postgres_log;
mod priorities;
mod replicas;
mod rotation;
mod schema;
mod secrets;
mod slow_smtp;
mod starts;
mod support;
mod tls;
mod topologies;
mod transfers;
mod used;
