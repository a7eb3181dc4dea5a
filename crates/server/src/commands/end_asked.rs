//! Signals that ask the service to end.

use std::io;

use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::watch;

/// SIGTERM or SIGINT, from the moment that this value is made. Before that, one ends the process at once, which leaves an embedded
/// Postgres running.
pub(super) struct EndAsked(watch::Receiver<bool>);

impl EndAsked {
    pub(super) fn listen() -> io::Result<Self> {
        // On a thread of its own: while the database starts, nothing else waits for anything.
        let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build()?;
        let (mut terminate, mut interrupt) = {
            let _entered = runtime.enter();
            (signal(SignalKind::terminate())?, signal(SignalKind::interrupt())?)
        };
        let (sender, asked) = watch::channel(false);
        std::thread::Builder::new().name("signals".into()).stack_size(128 * 1024).spawn(move || {
            runtime.block_on(async {
                tokio::select! {
                    _ = terminate.recv() => {}
                    _ = interrupt.recv() => {}
                }
            });
            // Nobody waits any more if the service has failed.
            let _ = sender.send(true);
        })?;
        Ok(Self(asked))
    }

    pub(super) fn is_so(&self) -> bool {
        *self.0.borrow()
    }

    pub(super) async fn wait(mut self) {
        // The sender is dropped only after it has sent.
        let _ = self.0.wait_for(|asked| *asked).await;
    }
}
