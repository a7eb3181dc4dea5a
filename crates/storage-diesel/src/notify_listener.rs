//! Tells other processes that something was queued: by NOTIFY, outside of every transaction.
//!
//! Notifications may be lost; dispatchers poll every second as a fallback. Notifications only shorten the wait.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

use diesel::connection::SimpleConnection;
use diesel::{Connection, PgConnection, QueryResult};
use domain::ports::StoreError;

use crate::pool::{OnQueued, with_timeouts};
use crate::store::PgStore;

const CHANNEL: &str = "webhook_deliveries";
/// How often the connection is polled for notifications.
const POLL_INTERVAL: Duration = Duration::from_millis(10);
/// The pause before reconnecting.
const RECONNECT_DELAY: Duration = Duration::from_secs(1);

/// Listens on its own connection and thread until dropped.
#[derive(Debug)]
pub struct NotifyListener {
    ended: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl NotifyListener {
    /// Calls `on_queued` whenever a process, including this one, sends a notification.
    pub fn listen(database_url: &str, on_queued: OnQueued) -> Self {
        let ended = Arc::new(AtomicBool::new(false));
        let (address, flag) = (with_timeouts(database_url), Arc::clone(&ended));
        let thread = std::thread::spawn(move || {
            while !flag.load(Ordering::Relaxed) {
                if let Err(error) = listen_until(&address, &*on_queued, &flag) {
                    log::debug!("lost the LISTEN connection: {error}; reconnecting");
                }
                std::thread::park_timeout(RECONNECT_DELAY);
            }
        });
        Self { ended, thread: Some(thread) }
    }
}

impl Drop for NotifyListener {
    fn drop(&mut self) {
        self.ended.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            // The thread checks the flag at once and ends.
            thread.thread().unpark();
        }
    }
}

/// Listens until `ended` is set or the connection breaks. The error does not contain the address.
fn listen_until(address: &str, on_queued: &(dyn Fn() + Send + Sync), ended: &AtomicBool) -> QueryResult<()> {
    let Ok(mut connection) = PgConnection::establish(address) else {
        return Err(diesel::result::Error::BrokenTransactionManager);
    };
    connection.batch_execute(&format!("LISTEN {CHANNEL}"))?;
    // Covers what was queued before the LISTEN.
    on_queued();
    while !ended.load(Ordering::Relaxed) {
        let mut any = false;
        for notification in connection.notifications_iter() {
            notification?;
            any = true;
        }
        if any {
            on_queued();
        }
        std::thread::park_timeout(POLL_INTERVAL);
    }
    Ok(())
}

impl PgStore {
    /// Notifies every listener that something was queued. A statement of its own: inside a transaction, NOTIFY takes a
    /// database-wide lock until the commit.
    ///
    /// # Errors
    /// Those of the store; listeners that miss the notification poll.
    pub async fn notify_queued(&self) -> Result<(), StoreError> {
        self.run_blocking(|pool| {
            let notify = |connection: &mut PgConnection| connection.batch_execute(&format!("NOTIFY {CHANNEL}"));
            crate::pool::check_out_with(pool, notify).map(drop)
        })
        .await?
    }
}
