//! How processes tell each other that something was queued: by NOTIFY, outside of every transaction.
//!
//! News may be lost, and nothing depends on them: a dispatcher looks by itself every second. They make that second short.

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
/// How often the connection is asked for news.
const POLL_INTERVAL: Duration = Duration::from_millis(10);
/// How long to wait after a connection broke, or could not be made.
const RECONNECT_DELAY: Duration = Duration::from_secs(1);

/// Listens on a connection and a thread of its own, until it is dropped.
#[derive(Debug)]
pub struct NotifyListener {
    ended: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl NotifyListener {
    /// Calls `on_queued` whenever another process, or this one, tells of news.
    pub fn listen(database_url: &str, on_queued: OnQueued) -> Self {
        let ended = Arc::new(AtomicBool::new(false));
        let (address, told) = (with_timeouts(database_url), Arc::clone(&ended));
        let thread = std::thread::spawn(move || {
            while !told.load(Ordering::Relaxed) {
                if let Err(error) = listen_until(&address, &*on_queued, &told) {
                    log::debug!("no news of the queue for a moment: {error}");
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
            // It looks at the flag at once, and ends by itself.
            thread.thread().unpark();
        }
    }
}

/// Listens until the end, or until the connection breaks; its error has no address in it.
fn listen_until(address: &str, on_queued: &(dyn Fn() + Send + Sync), ended: &AtomicBool) -> QueryResult<()> {
    let Ok(mut connection) = PgConnection::establish(address) else {
        return Err(diesel::result::Error::BrokenTransactionManager);
    };
    connection.batch_execute(&format!("LISTEN {CHANNEL}"))?;
    // What was queued before it listened is news too.
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
    /// Tells every listener that something was queued. A statement of its own: inside a transaction, NOTIFY takes a lock
    /// of the whole database until the commit.
    ///
    /// # Errors
    /// The store's; whoever missed the news looks by itself.
    pub async fn notify_queued(&self) -> Result<(), StoreError> {
        self.run_blocking(|pool| {
            let notify = |connection: &mut PgConnection| connection.batch_execute(&format!("NOTIFY {CHANNEL}"));
            crate::pool::check_out_with(pool, notify).map(drop)
        })
        .await?
    }
}
