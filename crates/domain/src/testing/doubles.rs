//! Test doubles for the ports other than the store: a manual clock, and sequential ids and randomness.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use async_trait::async_trait;
use time::macros::datetime;
use time::{Duration, OffsetDateTime};
use uuid::Uuid;

use crate::Error;
use crate::identity::accounts::{HashTurn, NewPassword, Password};
use crate::identity::workspaces::PasswordHash;
use crate::limits::{Bucket, LimitedBucket, Limiter, Span};
use crate::ports::{Clock, Ids, Passwords, Random};

/// A clock that moves only when a test moves it.
#[derive(Debug)]
pub struct ManualClock(Mutex<ManualTime>);

#[derive(Debug, Clone, Copy)]
struct ManualTime {
    now: OffsetDateTime,
    elapsed: std::time::Duration,
}

impl Default for ManualClock {
    fn default() -> Self {
        Self(Mutex::new(ManualTime { now: datetime!(2030-01-31 09:00 UTC), elapsed: std::time::Duration::ZERO }))
    }
}

impl ManualClock {
    /// Moves the clock forward, or back if `by` is negative; `elapsed` never goes back.
    pub fn advance(&self, by: Duration) {
        let mut time = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        time.now += by;
        time.elapsed += std::time::Duration::try_from(by).unwrap_or_default();
    }

    /// Sets the current time.
    pub fn set(&self, now: OffsetDateTime) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).now = now;
    }
}

impl Clock for ManualClock {
    fn now(&self) -> OffsetDateTime {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).now
    }

    fn elapsed(&self) -> std::time::Duration {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).elapsed
    }
}

/// Sequential ids in the form of version 7.
#[derive(Debug, Default)]
pub struct SequenceIds(AtomicU64);

impl Ids for SequenceIds {
    fn new_id(&self) -> Uuid {
        let number = self.0.fetch_add(1, Ordering::Relaxed) + 1;
        let mut bytes = [0; 10];
        bytes[2..].copy_from_slice(&number.to_be_bytes());
        uuid::Builder::from_unix_timestamp_millis(number, &bytes).into_uuid()
    }
}

/// Bytes that look random but are the same in every run.
#[derive(Debug, Default)]
pub struct SequenceRandom(AtomicU64);

impl Random for SequenceRandom {
    fn fill(&self, bytes: &mut [u8]) {
        for byte in bytes {
            // As in SplitMix64: a sequence that is only multiplied repeats in its short parts.
            let step = self.0.fetch_add(0x9E37_79B9_7F4A_7C15, Ordering::Relaxed);
            let mixed = (step ^ (step >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
            let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
            *byte = (mixed >> 56) as u8;
        }
    }
}

/// Counts requests in a map and never expires any.
#[derive(Debug, Default)]
pub struct MapLimiter(Mutex<HashMap<(Bucket, Span), u64>>);

#[async_trait]
impl Limiter for MapLimiter {
    async fn count(&self, bucket: Bucket, span: Span) -> u64 {
        let mut counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let count = counts.entry((bucket, span)).or_default();
        *count += 1;
        *count
    }

    async fn count_many_in_order(&self, buckets: &[LimitedBucket], requests: u64, span: Span) -> Vec<u64> {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut counts = Vec::new();
        for (index, LimitedBucket { bucket, limit }) in buckets.iter().enumerate() {
            let count = all.entry((*bucket, span)).or_default();
            *count += requests;
            counts.push(*count);
            if *count > *limit {
                for counted in buckets[..=index].iter().filter(|_| requests > 1) {
                    *all.entry((counted.bucket, span)).or_default() -= requests;
                }
                break;
            }
        }
        counts
    }

    async fn peek(&self, bucket: Bucket, span: Span) -> u64 {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get(&(bucket, span)).copied().unwrap_or_default()
    }
}

/// Password "hashes" that contain the plain password: fast, for tests only.
#[derive(Debug, Default, Clone, Copy)]
pub struct PlainPasswords;

/// The hash that [`PlainPasswords`] makes of a password.
pub fn plain_hash(text: &str) -> PasswordHash {
    PasswordHash(format!("plain:{text}"))
}

#[async_trait]
impl Passwords for PlainPasswords {
    async fn hash(&self, password: &NewPassword, _: HashTurn) -> Result<PasswordHash, Error> {
        Ok(plain_hash(password.reveal()))
    }

    async fn verify(&self, password: &Password, hash: Option<&PasswordHash>, _: HashTurn) -> Result<bool, Error> {
        Ok(hash == Some(&plain_hash(password.reveal())))
    }
}
