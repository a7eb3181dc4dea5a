//! The measurements, one file each.

mod console;
mod emission;
mod events;
mod fairness;
mod flat_out;
mod kb;
mod latency;
mod rest;
mod throughput;
mod time_entries;
mod tools;

pub(crate) use console::console;
pub(crate) use events::events;
pub(crate) use kb::kb;
pub(crate) use rest::rest;
pub(crate) use time_entries::time_entries;
pub(crate) use tools::tools;

use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use anyhow::Context;

use crate::Webhooks;
use crate::report::Report;
use test_support::Receiver;
use test_support::load::stats::Percentiles;
use test_support::load::tenant::{TASK_CREATED, Tenant};
use test_support::program::Program;

/// Timeout for deliveries once nothing blocks them.
const ARRIVAL_TIMEOUT: Duration = Duration::from_mins(2);
/// Warm-up time.
const WARM_UP: Duration = Duration::from_secs(2);

/// The webhook benchmark.
pub(crate) async fn webhooks(program: &Path, data: &Path, options: &Webhooks) -> anyhow::Result<Report> {
    let program = Program::for_measuring(program, data);
    let duration = Duration::from_secs(options.seconds);
    let mut report = new_report()?;
    let service = program.start_dispatching("inside")?;
    let tenants = ["quiet", "told", "prompt", "fast", "fair", "busy"].map(|slug| Tenant::make(&program, slug));
    let [quiet, subscribed, prompt, fast, fair, busy] = tenants;
    let (quiet, subscribed, prompt, fast, fair, busy) = (quiet?, subscribed?, prompt?, fast?, fair?, busy?);
    let receiver = Receiver::start().await;
    subscribed.subscribe(service.address, &receiver, TASK_CREATED).await?;
    progress("cost of emission");
    let before = emission::measure(&quiet, &subscribed, service.address, &receiver, true, &mut report).await?;
    progress("latency");
    latency::measure(&prompt, service.address, duration, &mut report).await?;
    progress("flat out");
    flat_out::measure(&fast, service.address, duration, &mut report).await?;
    progress("fairness");
    fairness::measure(&fair, service.address, duration, &mut report).await?;
    service.stop()?;
    // Queued without a dispatcher, so that nothing is delivered yet.
    let service = program.start_dispatching("off")?;
    progress("cost of emission without deliveries");
    let after = emission::measure(&quiet, &subscribed, service.address, &receiver, false, &mut report).await?;
    progress("queueing for throughput");
    let queue = throughput::fill(&busy, service.address, options.queued).await?;
    service.stop()?;
    progress("throughput");
    let start = Instant::now();
    let service = program.start_dispatching("inside")?;
    queue.measure(start, &mut report).await;
    report.tally("cost of emission", receiver.settle(before + after, ARRIVAL_TIMEOUT).await);
    service.stop()?;
    Ok(report)
}

/// A report that says what the measured service shares its machine with.
fn new_report() -> anyhow::Result<Report> {
    let cores = std::thread::available_parallelism()?;
    let mut report = Report::default();
    report.how(format!("{cores} cores, shared by the service, its Postgres (fsync on) and this program."));
    Ok(report)
}

/// Measures several kinds of requests, in each round `in_a_row` of each kind: few, so that noise affects all equally.
/// The first round is a warm-up. `send` gets the number of the kind and of the request.
async fn in_turns(
    rounds: usize,
    kinds: usize,
    in_a_row: usize,
    mut send: impl AsyncFnMut(usize, usize) -> anyhow::Result<Duration>,
) -> anyhow::Result<Vec<Percentiles>> {
    let mut times = vec![Vec::new(); kinds];
    for round in 0..=rounds {
        for (kind, times) in times.iter_mut().enumerate() {
            for index in 0..in_a_row {
                let took = send(kind, round * in_a_row + index).await?;
                if round > 0 {
                    times.push(took);
                }
            }
        }
    }
    Ok(times.into_iter().map(Percentiles::of).collect())
}

/// Fills a workspace with the seed binary next to the service, or next to this binary if an older release has none.
async fn seed(program: &Path, data: &Path, workspace: &str, records: &[(&str, usize)]) -> anyhow::Result<()> {
    let sibling = program.with_file_name("seed");
    let seed = if sibling.is_file() { sibling } else { std::env::current_exe()?.with_file_name("seed") };
    let mut command = tokio::process::Command::new(&seed);
    command.args(["--workspace", workspace, "--data-dir"]).arg(data);
    for (name, count) in records {
        command.arg(format!("--{name}")).arg(count.to_string());
    }
    command.env_remove("DATABASE_URL").stdin(Stdio::null()).stdout(Stdio::null()).kill_on_drop(true);
    let status = command.status().await.with_context(|| format!("cannot run {}", seed.display()))?;
    anyhow::ensure!(status.success(), "the seed binary failed");
    Ok(())
}

/// Prints progress to stderr.
fn progress(what: &str) {
    eprintln!("bench: {what} …");
}
