//! `cargo xtask seed`: quickly fills a workspace with realistic data.
//!
//! Records are built with the domain's types and loaded by COPY. The same arguments give the same records, so that two
//! runs of a benchmark use the same data.

mod articles;
mod generate;
mod time_entries;
mod words;

use std::path::PathBuf;
use std::time::Instant;

use anyhow::Context;
use clap::Parser;
use domain::identity::workspaces::Workspace;
use embedded_postgres::{Cluster, ClusterOptions, DATABASE, Durability, Programs};
use generate::Generator;
use postgres_address::Address;
use storage_diesel::{BulkLoad, LIBPQ_HAS_TLS};
use time::{Duration, OffsetDateTime};

/// Records per COPY: enough for speed, few enough for memory.
const BATCH: u64 = 10_000;

/// The time span of the generated log.
const LOGGED: Duration = Duration::days(395);

/// Fill a workspace with realistic data.
#[derive(Debug, Parser)]
#[command(name = "cargo xtask seed")]
struct Cli {
    /// Slug of an existing workspace.
    #[arg(long, default_value = "demo")]
    workspace: String,
    /// Number of companies; every other contact and deal generated with them belongs to one.
    #[arg(long, default_value_t = 0)]
    companies: u64,
    /// Number of contacts.
    #[arg(long, default_value_t = 0)]
    contacts: u64,
    /// Number of deals.
    #[arg(long, default_value_t = 0)]
    deals: u64,
    /// Number of projects.
    #[arg(long, default_value_t = 0)]
    projects: u64,
    /// Number of issues; one in five is a ticket.
    #[arg(long, default_value_t = 0)]
    issues: u64,
    /// Number of knowledge base articles; one in twenty is a draft.
    #[arg(long, default_value_t = 0)]
    articles: u64,
    /// Number of time entries, spread over all members and the 366 days of 2024; most are on the tasks generated with them.
    #[arg(long, default_value_t = 0)]
    time_entries: u64,
    /// Number of events in the log, spread evenly over the last 13 months.
    #[arg(long, default_value_t = 0)]
    events: u64,
    /// Data directory of the embedded Postgres, unless `DATABASE_URL` is set.
    #[arg(long, env = "SERVICE_DATA_DIR", default_value = "data")]
    data_dir: PathBuf,
}

fn main() -> anyhow::Result<()> {
    let cli = Cli::parse();
    if let Ok(url) = std::env::var("DATABASE_URL") {
        let address = Address::open(&url, LIBPQ_HAS_TLS).context("the address in DATABASE_URL cannot be used")?;
        return fill(&cli, address.for_libpq());
    }
    let options = ClusterOptions::new(&cli.data_dir, Durability::Full);
    let cluster = Cluster::join_or_start(&Programs::find_for(&options.data_dir)?, &options)?;
    let filled = fill(&cli, &cluster.database_url(DATABASE));
    cluster.stop()?;
    filled
}

fn fill(cli: &Cli, url: &str) -> anyhow::Result<()> {
    storage_diesel::migrate(url)?;
    let mut load = BulkLoad::connect(url)?;
    let workspace: Workspace = load.workspace(&cli.workspace)?.with_context(|| {
        format!(
            "workspace {} does not exist; create it with `workspace-service workspace create`, or start the service once",
            cli.workspace
        )
    })?;
    let members = load.members(workspace.id)?;
    anyhow::ensure!(cli.time_entries == 0 || !members.is_empty(), "time entries need a member who worked");
    let mut generator = Generator::new(&workspace, members, load.highest_issue_numbers(workspace.id)?);
    let started = Instant::now();
    in_batches(cli.companies, "companies", |count| load.companies(workspace.id, &generator.companies(count)))?;
    in_batches(cli.contacts, "contacts", |count| load.contacts(workspace.id, &generator.contacts(count)))?;
    in_batches(cli.deals, "deals", |count| load.deals(workspace.id, &generator.deals(count)))?;
    in_batches(cli.projects, "projects", |count| load.projects(workspace.id, &generator.projects(count)))?;
    in_batches(cli.issues, "issues", |count| load.issues(workspace.id, &generator.issues(count)))?;
    in_batches(cli.articles, "articles", |count| load.articles(workspace.id, &generator.articles(count)))?;
    in_batches(cli.time_entries, "time entries", |count| {
        load.time_entries(workspace.id, &generator.time_entries(count))
    })?;
    fill_log(&mut load, &workspace, cli.events)?;
    load.finish(workspace.id, generator.issue_numbers())?;
    println!("done in {:.1} s", started.elapsed().as_secs_f64());
    Ok(())
}

fn fill_log(load: &mut BulkLoad, workspace: &Workspace, events: u64) -> anyhow::Result<()> {
    if events == 0 {
        return Ok(());
    }
    #[expect(clippy::disallowed_methods, reason = "the months of the log are those of today")]
    let now = OffsetDateTime::now_utc();
    let apart = LOGGED / i32::try_from(events).context("there cannot be so many events")?;
    let mut created_at = now - LOGGED;
    load.event_months(created_at, now)?;
    in_batches(events, "events", |count| {
        let from = created_at;
        created_at += apart * i32::try_from(count).unwrap_or(i32::MAX);
        load.events(workspace.id, from, apart, count)
    })?;
    Ok(load.finish_events()?)
}

fn in_batches<E>(total: u64, what: &str, mut batch: impl FnMut(u64) -> Result<(), E>) -> anyhow::Result<()>
where
    E: std::error::Error + Send + Sync + 'static,
{
    let started = Instant::now();
    let mut left = total;
    while left > 0 {
        let count = left.min(BATCH);
        batch(count)?;
        left -= count;
    }
    if total > 0 {
        println!("{total} {what} in {:.1} s", started.elapsed().as_secs_f64());
    }
    Ok(())
}
