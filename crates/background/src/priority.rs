//! Less of the cores for work that may wait.

use std::io;

use tokio::runtime::{Builder, Runtime};
use tokio::task::JoinHandle;

/// The nice value of what gives way: about a tenth of the share of others while these want a core, and all of it otherwise. Above
/// all, the kernel interrupts it for whoever becomes ready, and not only at the end of a time slice of some milliseconds.
pub const NICE: i32 = 10;

/// Lowers the priority of the calling thread for good: to raise one takes a privilege.
pub(crate) fn give_way() {
    // Elsewhere the priority is that of the whole process.
    #[cfg(target_os = "linux")]
    if let Err(error) = rustix::process::nice(NICE) {
        log::debug!("a thread keeps the priority of others: {error}");
    }
}

/// Threads for blocking work that gives way to other threads.
#[derive(Debug)]
pub struct YieldingThreads(Option<Runtime>);

impl YieldingThreads {
    /// Up to `most` threads, which are started when they are needed.
    ///
    /// # Errors
    /// If the operating system has no room for a poller.
    pub fn new(name: &str, most: usize) -> io::Result<Self> {
        let mut builder = Builder::new_current_thread();
        builder.thread_name(name).max_blocking_threads(most.max(1)).on_thread_start(give_way);
        builder.build().map(|runtime| Self(Some(runtime)))
    }

    /// Runs work on one of the threads; `None` while this is dropped.
    pub fn run<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> Option<JoinHandle<T>> {
        self.0.as_ref().map(|runtime| runtime.spawn_blocking(work))
    }
}

impl Drop for YieldingThreads {
    fn drop(&mut self) {
        // Dropped within another runtime, it would wait for its threads, which is not allowed there.
        if let Some(runtime) = self.0.take() {
            runtime.shutdown_background();
        }
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use rustix::process::getpriority_process;

    use super::*;

    #[tokio::test]
    async fn their_threads_give_way_to_others() {
        let own = getpriority_process(None).unwrap();
        let threads = YieldingThreads::new("yielding", 1).unwrap();
        let theirs = threads.run(|| getpriority_process(None)).unwrap().await.unwrap().unwrap();
        assert!(theirs > own, "{theirs} is not more than {own}");
    }
}
