//! Signals that end the service.

use std::io;

use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::watch;

/// SIGTERM or SIGINT, starting when this value is created. Before that, a signal ends the process at once and leaves an embedded
/// Postgres running.
pub(super) struct StopSignal(watch::Receiver<bool>);

impl StopSignal {
    pub(super) fn listen() -> io::Result<Self> {
        // On a separate thread, because nothing polls a future while the database starts.
        let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build()?;
        let (mut terminate, mut interrupt) = {
            let _entered = runtime.enter();
            (signal(SignalKind::terminate())?, signal(SignalKind::interrupt())?)
        };
        let (sender, arrived) = watch::channel(false);
        std::thread::Builder::new().name("signals".into()).stack_size(128 * 1024).spawn(move || {
            runtime.block_on(async {
                tokio::select! {
                    _ = terminate.recv() => {}
                    _ = interrupt.recv() => {}
                }
            });
            // Fails if the service has failed and nobody waits any more.
            let _ = sender.send(true);
        })?;
        Ok(Self(arrived))
    }

    pub(super) fn has_arrived(&self) -> bool {
        *self.0.borrow()
    }

    pub(super) async fn wait(mut self) {
        // The sender is dropped only after it has sent.
        let _ = self.0.wait_for(|arrived| *arrived).await;
    }
}
