//! Notifies other processes of queued work by NOTIFY, outside transactions, and listens for their notifications.
//!
//! Notifications may be lost; dispatchers and followers poll every second as a fallback. Notifications only shorten the wait.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

use diesel::connection::SimpleConnection;
use diesel::{Connection, PgConnection, QueryResult};
use domain::WorkspaceId;
use domain::ports::StoreError;

use crate::engine::pool::{self, OnEvents, OnQueued, Pooled, with_timeouts};
use crate::engine::store::PgStore;

const DELIVERIES: &str = "webhook_deliveries";
/// Sent by the database when events get their positions; the payload is the workspace.
const NUMBERED: &str = "events_numbered";
/// Held in shared mode by processes that count requests locally, for as long as they listen, so that `doctor` can count them.
pub(crate) const COUNTS_ALONE_LOCK: i64 = 7_163_390_478_209_125;
/// How often the connection is polled for notifications.
const POLL_INTERVAL: Duration = Duration::from_millis(10);
/// The pause before reconnecting.
const RECONNECT_DELAY: Duration = Duration::from_secs(1);

/// Listens on its own connection and thread until dropped.
#[derive(Debug)]
pub struct NotifyListener {
    stop_flag: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

/// Callbacks for notifications from any process, including this one. They must not block.
#[derive(Clone, Default)]
pub struct Listening {
    /// Webhook deliveries were queued.
    pub on_queued: Option<OnQueued>,
    /// The events of a workspace got their positions.
    pub on_numbered: Option<OnEvents>,
    /// Whether this process counts requests locally, without Redis.
    pub counts_alone: bool,
}

impl Listening {
    /// The statement that listens on the channels with a callback, and takes the lock of processes that count locally. The lock is
    /// shared, so taking it never waits.
    fn statement(&self) -> String {
        let channels = [(DELIVERIES, self.on_queued.is_some()), (NUMBERED, self.on_numbered.is_some())];
        let channels_in_use = channels.iter().filter(|(_, is_wanted)| *is_wanted);
        let lock = self.counts_alone.then(|| format!("SELECT pg_advisory_lock_shared({COUNTS_ALONE_LOCK})"));
        channels_in_use.map(|(channel, _)| format!("LISTEN {channel}")).chain(lock).collect::<Vec<_>>().join("; ")
    }

    fn queued(&self) {
        if let Some(on_queued) = &self.on_queued {
            on_queued();
        }
    }

    fn numbered(&self, payload: &str) {
        if let (Some(on_numbered), Ok(workspace)) = (&self.on_numbered, payload.parse()) {
            on_numbered(WorkspaceId(workspace));
        }
    }
}

impl NotifyListener {
    pub fn listen(database_url: &str, listening: Listening) -> Self {
        let stop_flag = Arc::new(AtomicBool::new(false));
        let (address, flag) = (with_timeouts(database_url), Arc::clone(&stop_flag));
        let thread = std::thread::spawn(move || {
            while !flag.load(Ordering::Relaxed) {
                if let Err(error) = listen_until(&address, &listening, &flag) {
                    log::debug!("lost the LISTEN connection: {error}; reconnecting");
                }
                std::thread::park_timeout(RECONNECT_DELAY);
            }
        });
        Self { stop_flag, thread: Some(thread) }
    }
}

impl Drop for NotifyListener {
    fn drop(&mut self) {
        self.stop_flag.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            // The thread checks the flag at once and ends.
            thread.thread().unpark();
        }
    }
}

/// Listens until `stop_flag` is set or the connection breaks. The error does not contain the address.
fn listen_until(address: &str, listening: &Listening, stop_flag: &AtomicBool) -> QueryResult<()> {
    let Ok(mut connection) = PgConnection::establish(address) else {
        return Err(diesel::result::Error::BrokenTransactionManager);
    };
    connection.batch_execute(&listening.statement())?;
    // There may be work that was queued before the LISTEN.
    listening.queued();
    while !stop_flag.load(Ordering::Relaxed) {
        let mut any_queued = false;
        for notification in connection.notifications_iter() {
            let notification = notification?;
            match &*notification.channel {
                NUMBERED => listening.numbered(&notification.payload),
                _ => any_queued = true,
            }
        }
        if any_queued {
            listening.queued();
        }
        std::thread::park_timeout(POLL_INTERVAL);
    }
    Ok(())
}

impl PgStore {
    /// Notifies every listener that something was queued. A separate statement, because inside a transaction NOTIFY takes a
    /// database-wide lock until the commit.
    ///
    /// # Errors
    /// Those of the store; listeners that miss the notification poll.
    pub async fn notify_queued(&self) -> Result<(), StoreError> {
        self.run_blocking(|connections| {
            let notify = |connection: &mut Pooled| connection.batch_execute(&format!("NOTIFY {DELIVERIES}"));
            pool::check_out_with(connections, notify).map(drop)
        })
        .await?
    }
}
