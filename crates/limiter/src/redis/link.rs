//! The connection to Redis, with automatic reconnection.

use std::hash::{BuildHasher, RandomState};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use ::redis::aio::MultiplexedConnection;
use ::redis::{
    AsyncConnectionConfig, Client, ConnectionAddr, ConnectionInfo, IntoConnectionInfo, RedisError, RedisResult,
    TlsCertificates,
};
use domain::limits::{Bucket, LimitedBucket, Span};
use tokio::sync::Notify;

use super::LimiterError;
use super::RedisOptions;
use super::keys::{key, seconds_to_live};
use crate::metrics;

/// The pause before the first reconnection attempt; doubled each time, up to `max_backoff`.
const INITIAL_BACKOFF: Duration = Duration::from_millis(50);

/// The maximum number of requests waiting to be written to the connection.
const QUEUE: usize = 1_024;

/// Increments the keys in order, up to the first that exceeds its limit, sets their expiry, and returns the counts. Several
/// requests at once that exceed a limit are taken back. A script, because each key is counted only if those before it are
/// within their limits.
const COUNT_IN_ORDER: &str = "local counts = {} \
    for place, key in ipairs(KEYS) do \
        counts[place] = redis.call('INCRBY', key, ARGV[2]) \
        redis.call('EXPIRE', key, ARGV[1]) \
        if counts[place] > tonumber(ARGV[place + 2]) then \
            for refused = 1, tonumber(ARGV[2]) > 1 and place or 0 do redis.call('DECRBY', KEYS[refused], ARGV[2]) end \
            break \
        end \
    end \
    return counts";

/// Records that this instance is alive, removes instances that have not reported for a while, and returns the number that
/// remain. It uses the clock of Redis, because those of the instances differ.
const BEAT: &str = "local now = tonumber(redis.call('TIME')[1]) \
    redis.call('ZADD', KEYS[1], now, ARGV[1]) \
    redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - tonumber(ARGV[2])) \
    redis.call('EXPIRE', KEYS[1], ARGV[2]) \
    return redis.call('ZCARD', KEYS[1])";

/// An instance that has missed this many heartbeats is no longer counted.
const MISSED_BEATS: u32 = 3;

/// The time to live of the key that connection attempts increment.
const ATTEMPT_SECONDS: i64 = 60;

pub(super) struct RedisLink {
    client: Client,
    config: AsyncConnectionConfig,
    pub(super) options: RedisOptions,
    /// `None` while Redis is unavailable. Requests take the lock for reading, to clone a handle.
    up: RwLock<Option<LiveConnection>>,
    /// Wakes the task that reconnects.
    lost: Notify,
    /// Identifies this instance.
    id: u64,
    /// The number of instances that shared Redis when it last responded.
    instances: AtomicU64,
}

/// A connection that has not failed yet.
#[derive(Clone)]
pub(super) struct LiveConnection {
    connection: MultiplexedConnection,
    /// Distinguishes it from earlier ones: a request that fails late must not close a newer connection.
    number: u64,
}

impl RedisLink {
    /// Parses the address without connecting.
    pub(super) fn new(url: &str, options: RedisOptions) -> Result<Self, LimiterError> {
        // The errors of the redis crate repeat parts of the address.
        let address = url.into_connection_info().map_err(|_| LimiterError::Address)?;
        let is_secure = match address.addr() {
            ConnectionAddr::TcpTls { insecure: true, .. } => return Err(LimiterError::Insecure),
            ConnectionAddr::TcpTls { .. } => true,
            _ => false,
        };
        let config = AsyncConnectionConfig::new()
            .set_connection_timeout(Some(options.connect_timeout))
            .set_response_timeout(Some(options.response_timeout))
            .set_pipeline_buffer_size(QUEUE);
        let client = if is_secure { open_secured(address) } else { Client::open(address) };
        let client = client.map_err(|_| LimiterError::Address)?;
        Ok(Self {
            client,
            config,
            options,
            up: RwLock::new(None),
            lost: Notify::new(),
            // A new hasher has a random seed.
            id: RandomState::new().hash_one(()),
            instances: AtomicU64::new(1),
        })
    }

    /// The number of instances that shared Redis when it last responded, including this one.
    pub(super) fn instances(&self) -> u64 {
        self.instances.load(Ordering::Relaxed)
    }

    /// Reports that this instance is alive and updates the number of instances. Errors are ignored: requests notice an outage.
    async fn beat(&self) {
        let Some(mut up) = self.up() else { return };
        let lifetime = (self.options.heartbeat * MISSED_BEATS).as_secs().max(1);
        let mut script = ::redis::cmd("EVAL");
        script.arg(BEAT).arg(1).arg(format!("{}:instances", self.options.namespace)).arg(self.id).arg(lifetime);
        let counted: RedisResult<u64> = script.query_async(&mut up.connection).await;
        match counted {
            Ok(count) => self.instances.store(count.max(1), Ordering::Relaxed),
            Err(error) => log::debug!("could not read the number of instances from Redis: {error}"),
        }
    }

    /// Counts one request; `None` if Redis is unavailable.
    pub(super) async fn count(&self, bucket: Bucket, span: Span) -> Option<u64> {
        let mut up = self.up()?;
        let key = key(&self.options.namespace, bucket, span);
        let counted = increment(&mut up.connection, &key, seconds_to_live(span)).await;
        self.check_reply(&up, counted)
    }

    /// Counts `requests` in several buckets, in order, up to the first that exceeds its limit; `None` if Redis is unavailable.
    pub(super) async fn count_in_order(
        &self,
        buckets: &[LimitedBucket],
        requests: u64,
        span: Span,
    ) -> Option<Vec<u64>> {
        let mut up = self.up()?;
        let mut script = ::redis::cmd("EVAL");
        script.arg(COUNT_IN_ORDER).arg(buckets.len());
        for LimitedBucket { bucket, .. } in buckets {
            script.arg(key(&self.options.namespace, *bucket, span));
        }
        script.arg(seconds_to_live(span)).arg(requests);
        for LimitedBucket { limit, .. } in buckets {
            script.arg(*limit);
        }
        let counts = script.query_async(&mut up.connection).await;
        self.check_reply(&up, counts)
    }

    /// The current count; `None` if Redis is unavailable.
    pub(super) async fn peek(&self, bucket: Bucket, span: Span) -> Option<u64> {
        let mut up = self.up()?;
        let key = key(&self.options.namespace, bucket, span);
        let count: RedisResult<Option<u64>> = ::redis::cmd("GET").arg(&key).query_async(&mut up.connection).await;
        self.check_reply(&up, count).map(Option::unwrap_or_default)
    }

    /// Sets all keys to `number`, to expire after `lifetime`.
    pub(super) async fn set_all(&self, keys: &[String], number: u64, lifetime: Duration) {
        let Some(mut up) = self.up() else { return };
        let mut pipe = ::redis::pipe();
        for key in keys {
            let milliseconds = u64::try_from(lifetime.as_millis()).unwrap_or(u64::MAX);
            pipe.cmd("SET").arg(key).arg(number).arg("PX").arg(milliseconds).ignore();
        }
        let result: RedisResult<()> = pipe.query_async(&mut up.connection).await;
        self.check_reply(&up, result);
    }

    /// The values of the keys, 0 for a key that is not set; `None` if Redis is unavailable.
    pub(super) async fn get_all(&self, keys: &[String]) -> Option<Vec<u64>> {
        let mut up = self.up()?;
        let reply: RedisResult<Vec<Option<u64>>> = ::redis::cmd("MGET").arg(keys).query_async(&mut up.connection).await;
        let reply = self.check_reply(&up, reply)?;
        Some(reply.into_iter().map(Option::unwrap_or_default).collect())
    }

    pub(super) fn up(&self) -> Option<LiveConnection> {
        self.up.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Returns the reply. An error abandons this connection, and the first one logs a warning.
    fn check_reply<T>(&self, used: &LiveConnection, reply: RedisResult<T>) -> Option<T> {
        let error = match reply {
            Ok(reply) => return Some(reply),
            Err(error) => error,
        };
        let ended = {
            let mut up = self.up.write().unwrap_or_else(PoisonError::into_inner);
            up.take_if(|up| up.number == used.number)
        };
        if ended.is_some() {
            self.mark_lost(&error);
        }
        None
    }

    fn mark_lost(&self, error: &RedisError) {
        metrics::shared(false);
        let instances = self.instances();
        log::warn!(
            "Redis is unavailable ({error}): until it reconnects, this instance counts requests locally and admits its share \
             of each limit, 1 of {instances}"
        );
        self.lost.notify_one();
    }

    /// Connects and asks for a reply, without counting.
    pub(super) async fn ping(&self) -> RedisResult<MultiplexedConnection> {
        let mut connection = self.client.get_multiplexed_async_connection_with_config(&self.config).await?;
        let _: String = ::redis::cmd("PING").query_async(&mut connection).await?;
        Ok(connection)
    }

    /// Connects and counts once: a Redis that rejects writes, such as a replica, cannot be used.
    async fn open(&self) -> RedisResult<MultiplexedConnection> {
        // PING first: its error says more clearly that a password is missing.
        let mut connection = self.ping().await?;
        let key = format!("{}:attempts", self.options.namespace);
        increment(&mut connection, &key, ATTEMPT_SECONDS).await?;
        Ok(connection)
    }

    fn share(&self, connection: MultiplexedConnection, number: u64) {
        *self.up.write().unwrap_or_else(PoisonError::into_inner) = Some(LiveConnection { connection, number });
        metrics::shared(true);
    }

    /// The connection attempt at startup.
    pub(super) async fn connect_once(&self) {
        match self.open().await {
            Ok(connection) => self.share(connection, 0),
            Err(error) => self.mark_lost(&error),
        }
    }

    /// Retries until connected.
    async fn reconnect(&self, number: u64) {
        let mut pause = INITIAL_BACKOFF;
        loop {
            tokio::time::sleep(pause).await;
            match self.open().await {
                Ok(connection) => return self.share(connection, number),
                Err(error) => log::debug!("Redis is still unavailable: {error}"),
            }
            pause = (pause * 2).min(self.options.max_backoff);
        }
    }
}

/// A client that trusts [`tls::authorities`]. The redis crate accepts authorities only as PEM.
fn open_secured(address: ConnectionInfo) -> RedisResult<Client> {
    // Fails if the process has already installed a provider, which will do as well.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let authorities = tls::authorities_as_pem().into_bytes();
    Client::build_with_tls(address, TlsCertificates { client_tls: None, root_cert: Some(authorities) })
}

/// Reconnects whenever the connection is lost. No other task does.
pub(super) async fn run_reconnect(link: Arc<RedisLink>) {
    for number in 1.. {
        link.lost.notified().await;
        link.reconnect(number).await;
        log::info!("Redis reconnected: requests are counted together with other instances again");
    }
}

/// Sends heartbeats.
pub(super) async fn run_heartbeat(link: Arc<RedisLink>) {
    let mut beats = tokio::time::interval(link.options.heartbeat);
    beats.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    loop {
        beats.tick().await;
        link.beat().await;
    }
}

/// Increments the key and sets its expiry in one step, so that no key stays forever.
async fn increment(connection: &mut MultiplexedConnection, key: &str, seconds_to_live: i64) -> RedisResult<u64> {
    let (count,): (u64,) =
        ::redis::pipe().atomic().incr(key, 1).expire(key, seconds_to_live).ignore().query_async(connection).await?;
    Ok(count)
}
