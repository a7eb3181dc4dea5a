//! The port suite on Postgres, and behaviour that only Postgres has.
#![expect(clippy::unwrap_used, reason = "tests fail by panicking")]

mod access;
mod audit_months;
mod cluster_order;
mod cluster_statements;
mod common;
mod concurrency;
mod deal_totals;
mod distribution;
mod email_keys;
mod event_log;
mod event_months;
mod failures;
mod fair_shares;
mod kb_reindex;
mod kb_search;
mod lists_by_change;
mod migrations;
mod newer_release;
mod port_suite;
mod privileges;
mod quota;
mod replicas;
mod resealing;
mod search_reindex;
mod ticket_waiting;
mod together;
mod upgrade;
mod webhook_backlog;
mod webhook_queue;
mod webhook_replays;
