//! Load and measurement on separate threads, as if they came from other machines.

use std::net::SocketAddr;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::Context;
use test_support::Receiver;
use test_support::load::http::Client;
use tokio::runtime::{Builder, Runtime};
use tokio::sync::oneshot;
use tokio::task::JoinSet;

use crate::flood::{Flood, Shot, Tally, in_a_row};

/// The lowest priority of Linux. Real clients would not use the service's cores. Their requests are already waiting when
/// a core becomes free, so the service never runs out of work.
const LOWEST_PRIORITY: i32 = 19;
/// Steady readers, each with its own connection.
const READERS: u32 = 8;

/// A flood that uses only the CPU time that the service leaves.
#[derive(Debug)]
pub(crate) struct BackgroundFlood {
    stop: oneshot::Sender<()>,
    tally: Outcome<Tally>,
}

impl BackgroundFlood {
    /// Sends requests over this many connections until [`BackgroundFlood::stop`].
    pub(crate) fn flood<F>(service: SocketAddr, connections: usize, shot: F) -> Self
    where
        F: Fn(usize) -> Shot + Send + Sync + 'static,
    {
        let (stop, stopped) = oneshot::channel();
        let tally = Outcome::at_lowest_priority(move |runtime| {
            runtime.block_on(async {
                let flood = Flood::endless(service, connections, shot);
                // A dropped sender stops the flood as well.
                let _ = stopped.await;
                Ok(flood.stop().await)
            })
        });
        Self { stop, tally }
    }

    /// Stops the flood, and returns its tally.
    pub(crate) async fn stop(self) -> anyhow::Result<Tally> {
        // The thread may have failed already.
        let _ = self.stop.send(());
        self.tally.wait().await
    }
}

/// A webhook receiver that uses only the CPU time that the service leaves.
#[derive(Debug)]
pub(crate) struct BackgroundReceiver {
    pub(crate) url: String,
    _stop: oneshot::Sender<()>,
}

impl BackgroundReceiver {
    pub(crate) async fn start() -> anyhow::Result<Self> {
        let (url_to, url) = oneshot::channel();
        let (stop, stopped) = oneshot::channel::<()>();
        let _ends_when_stopped = Outcome::at_lowest_priority(move |runtime| {
            runtime.block_on(async {
                let receiver = Receiver::start().await;
                // The receiver may be gone.
                let _ = url_to.send(receiver.url.clone());
                let _ = stopped.await;
                anyhow::Ok(())
            })
        });
        Ok(Self { url: url.await.context("the receiver did not start")?, _stop: stop })
    }
}

/// The result of work on a thread with its own runtime.
#[derive(Debug)]
pub(crate) struct Outcome<T>(oneshot::Receiver<anyhow::Result<T>>);

impl<T: Send + 'static> Outcome<T> {
    pub(crate) fn of(work: impl FnOnce(Runtime) -> anyhow::Result<T> + Send + 'static) -> Self {
        let (sender, receiver) = oneshot::channel();
        thread::spawn(move || {
            let runtime = Builder::new_current_thread().enable_all().build().context("cannot start an async runtime");
            // The receiver may be gone.
            let _ = sender.send(runtime.and_then(work));
        });
        Self(receiver)
    }

    pub(crate) fn at_lowest_priority(work: impl FnOnce(Runtime) -> anyhow::Result<T> + Send + 'static) -> Self {
        Self::of(|runtime| {
            // On Linux, the priority applies to the thread, not to the process.
            rustix::process::nice(LOWEST_PRIORITY).context("cannot lower the priority")?;
            work(runtime)
        })
    }

    pub(crate) async fn wait(self) -> anyhow::Result<T> {
        self.0.await.context("a thread panicked")?
    }
}

/// Sends a request at a steady rate, whether earlier ones are answered or not. Returns the response times and the number
/// of responses other than 200.
pub(crate) async fn steadily(
    service: SocketAddr,
    shot: &Shot,
    per_second: u32,
    duration: Duration,
) -> anyhow::Result<(Vec<Duration>, u64)> {
    let shot = shot.clone();
    let reads = Outcome::of(move |runtime| {
        runtime.block_on(async {
            let mut readers = JoinSet::new();
            for number in 0..READERS {
                let every = Duration::from_secs(1) * READERS / per_second;
                readers.spawn(read(service, shot.clone(), every * number / READERS, every, duration));
            }
            let (mut times, mut failed) = (Vec::new(), 0);
            while let Some(read) = readers.join_next().await {
                let (of_one, failed_of_one) = read?;
                times.extend(of_one);
                failed += failed_of_one;
            }
            Ok((times, failed))
        })
    });
    reads.wait().await
}

async fn read(
    service: SocketAddr,
    shot: Shot,
    offset: Duration,
    every: Duration,
    duration: Duration,
) -> (Vec<Duration>, u64) {
    let (mut client, mut times, mut failed) = (Client::new(service), Vec::new(), 0);
    let mut pace = Pace::new(offset, every, duration);
    while let Some(since) = pace.next().await {
        failed += in_a_row(&mut client, [shot.clone()]).await.other_than(200);
        times.push(since.elapsed());
    }
    (times, failed)
}

/// When requests at a steady rate are due.
#[derive(Debug)]
pub(crate) struct Pace {
    due: Instant,
    every: Duration,
    end: Instant,
}

impl Pace {
    pub(crate) fn new(offset: Duration, every: Duration, duration: Duration) -> Self {
        let start = Instant::now();
        Self { due: start + offset, every, end: start + duration }
    }

    /// Waits until the next request is due, and returns since when it is timed; `None` at the end. A request that is sent late,
    /// behind a slow one, is timed from when it was due.
    pub(crate) async fn next(&mut self) -> Option<Instant> {
        let due = self.due;
        if due >= self.end {
            return None;
        }
        self.due += self.every;
        let is_late = due < Instant::now();
        tokio::time::sleep_until(due.into()).await;
        Some(if is_late { due } else { Instant::now() })
    }
}
