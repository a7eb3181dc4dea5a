//! The rows of `event_chunks`, which are written before the events that refer to them and read with them.
//!
//! A chunk belongs to a record and a month, like its events, and is deleted with them. Only events that are versions of a record
//! have chunks: their writer holds the lock on the record's row, so no chunk is removed while a new event refers to it.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use const_format::formatcp;
use diesel::sql_types::{Text, Uuid as SqlUuid};
use domain::events::Event;
use domain::ports::StoreError;
use time::{OffsetDateTime, UtcOffset};
use uuid::Uuid;

use super::chunks::{self, ShortenedPayload};
use crate::engine::pending::{PendingWrite, WriteName};
use crate::engine::statement::{Statement, placed_sql, sql};
use crate::engine::tx::PgTx;

/// Workspace, record, month and digest.
pub(crate) type ChunkKey = (Uuid, Uuid, Uuid, String);

/// The stored form of an event's payload, and the bytes by which the log grows.
pub(super) struct StoredPayload<'e> {
    pub(super) payload: Cow<'e, str>,
    pub(super) bytes: u64,
}

/// The size of an event without its payload: other columns, positions, and their indexes.
const EVENT_BYTES: u64 = 512;

/// Writes the missing chunks of events, and returns the stored payload of each event.
pub(super) fn store<'e>(tx: &mut PgTx<'_>, events: &'e [Event]) -> Result<Vec<StoredPayload<'e>>, StoreError> {
    let shortened: Vec<Option<(Uuid, Uuid, ShortenedPayload<'e>)>> = events.iter().map(shorten).collect();
    let mut chunks: BTreeMap<ChunkKey, &str> = BTreeMap::new();
    for (record, month, shortened) in shortened.iter().flatten() {
        let key = |digest: &String| (tx.workspace, *record, *month, digest.clone());
        chunks.extend(shortened.chunks.iter().map(|(digest, chunk)| (key(digest), *chunk)));
    }
    let chunk_bytes = write(tx, chunks)?;
    let mut stored: Vec<_> = events
        .iter()
        .zip(shortened)
        .map(|(event, shortened)| {
            let payload: Cow<'e, str> = shortened.map_or((&*event.payload).into(), |(_, _, it)| it.payload.into());
            StoredPayload { bytes: EVENT_BYTES + payload.len() as u64, payload }
        })
        .collect();
    if let Some(first) = stored.first_mut() {
        first.bytes += chunk_bytes;
    }
    Ok(stored)
}

/// Writes the missing chunks; returns their size in bytes.
fn write(tx: &mut PgTx<'_>, mut chunks: BTreeMap<ChunkKey, &str>) -> Result<u64, StoreError> {
    if chunks.is_empty() {
        return Ok(0);
    }
    // In a create, the writes are still pending, and the new record has no chunks yet.
    let is_batched = tx.batches_writes() && !tx.has_begun();
    if !is_batched {
        let existing: Vec<(Uuid, String)> =
            tx.load(placed_keys(tx, &chunks.keys().cloned().collect(), existing_query))?;
        let existing: BTreeSet<_> = existing.iter().map(|(record, digest)| (*record, digest.as_str())).collect();
        chunks.retain(|(_, record, _, digest), _| !existing.contains(&(*record, digest)));
    }
    let bytes = chunks.values().map(|chunk| chunk.len() as u64).sum();
    let insertion = bind_chunks(sql!("WITH gate AS (SELECT) {INSERTION}"), tx.workspace, &chunks);
    if is_batched {
        let write = PendingWrite::new(WriteName::Chunks, insertion);
        tx.write_later(write.then(formatcp!("kept AS ({INSERTION})")))?;
    } else if !chunks.is_empty() {
        tx.execute(insertion)?;
    }
    Ok(bytes)
}

/// The record and month of an event with long values, and its stored form.
fn shorten(event: &Event) -> Option<(Uuid, Uuid, ShortenedPayload<'_>)> {
    event.version?;
    Some((event.record?.id, month_of(event.at), chunks::shorten(&event.payload)?))
}

/// The first id of the partition for a time.
fn month_of(at: OffsetDateTime) -> Uuid {
    let day = at.to_offset(UtcOffset::UTC).date();
    let first = day.replace_day(1).unwrap_or(day).midnight().assume_utc().unix_timestamp();
    // Without a version, as in `uuid_v7_floor`.
    let milliseconds = u128::from(u64::try_from(first).unwrap_or_default()) * 1_000;
    Uuid::from_u128(milliseconds << 80)
}

/// The month of an event, from its id, which begins with its time in milliseconds.
fn month_of_event(id: Uuid) -> Uuid {
    let seconds = i64::try_from((id.as_u128() >> 80) / 1_000).unwrap_or_default();
    OffsetDateTime::from_unix_timestamp(seconds).map_or(Uuid::nil(), month_of)
}

/// The stored payload of a workspace's event.
pub(crate) struct Stored<'p> {
    pub(crate) workspace: Uuid,
    pub(crate) event: Uuid,
    pub(crate) record: Option<Uuid>,
    /// Set to `None` if a chunk is missing.
    pub(crate) payload: &'p mut Option<String>,
}

impl Stored<'_> {
    fn keys(&self) -> impl Iterator<Item = ChunkKey> {
        let owner = self.record.map(|record| (record, month_of_event(self.event)));
        let digests = self.payload.as_deref().map(chunks::references).into_iter().flatten();
        digests
            .filter_map(move |digest| owner.map(|(record, month)| (self.workspace, record, month, digest.to_owned())))
    }
}

/// Replaces references in payloads with the values, with one statement.
pub(crate) fn complete(tx: &mut PgTx<'_>, mut payloads: Vec<Stored<'_>>) -> Result<(), StoreError> {
    payloads.retain(|stored| stored.payload.as_deref().is_some_and(chunks::is_shortened));
    if payloads.is_empty() {
        return Ok(());
    }
    let keys: BTreeSet<ChunkKey> = payloads.iter().flat_map(Stored::keys).collect();
    let rows: Vec<(Uuid, Uuid, String, String)> = tx.load(placed_keys(tx, &keys, contents_query))?;
    let contents: BTreeMap<(Uuid, Uuid, &str), &str> = rows
        .iter()
        .map(|(workspace, record, digest, content)| ((*workspace, *record, &**digest), &**content))
        .collect();
    for stored in payloads {
        let (workspace, record) = (stored.workspace, stored.record.unwrap_or_default());
        let chunk = |digest: &str| contents.get(&(workspace, record, digest)).copied();
        *stored.payload = stored.payload.as_deref().and_then(|payload| chunks::restore(payload, chunk));
    }
    Ok(())
}

/// The payload of an event after [`complete`], or an error if a chunk is missing.
pub(crate) fn completed_payload(event: Uuid, payload: Option<String>) -> Result<String, StoreError> {
    payload.ok_or_else(|| StoreError::Internal(format!("a long value of the event {event} is gone")))
}

type KeysQuery<ST> = fn(bool, &BTreeSet<ChunkKey>) -> Statement<ST>;

/// In a cluster, all keys belong to one workspace, and the statement goes to its node.
fn placed_keys<ST>(tx: &PgTx<'_>, keys: &BTreeSet<ChunkKey>, query: KeysQuery<ST>) -> Statement<ST> {
    let workspace = keys.first().map(|key| key.0);
    query(tx.is_cluster, keys).of_one(tx.is_cluster, workspace)
}

/// Each chunk is looked up by its key, regardless of the planner's statistics.
macro_rules! by_key_sql {
    ($is_cluster:expr, $columns:literal, $value:literal) => {
        placed_sql!(
            $is_cluster,
            "workspace_id = $5",
            "SELECT {columns}
             FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[]) AS wanted (workspace, record, month_of, digest_of)
             CROSS JOIN LATERAL (
                 SELECT {value} FROM event_chunks
                 WHERE workspace_id = workspace AND record_id = record AND month = month_of AND digest = digest_of {one}
                 OFFSET 0
             ) AS chunk",
            columns = $columns,
            value = $value
        )
    };
}

pub(crate) fn existing_query(is_cluster: bool, keys: &BTreeSet<ChunkKey>) -> Statement<(SqlUuid, Text)> {
    bind(by_key_sql!(is_cluster, "record, digest_of", "1").returns(), keys)
}

pub(crate) fn contents_query(is_cluster: bool, keys: &BTreeSet<ChunkKey>) -> Statement<(SqlUuid, SqlUuid, Text, Text)> {
    bind(by_key_sql!(is_cluster, "workspace, record, digest_of, content", "content").returns(), keys)
}

fn bind<ST>(sql: Statement<ST>, keys: &BTreeSet<ChunkKey>) -> Statement<ST> {
    let sql = sql.bind_each(keys, |key| key.0).bind_each(keys, |key| key.1).bind_each(keys, |key| key.2);
    sql.bind_each(keys, |key| key.3.clone())
}

/// Inserts in the order of the keys, so that two transactions cannot deadlock. Inserts nothing if `gate` has no row.
const INSERTION: &str = "INSERT INTO event_chunks (workspace_id, record_id, month, digest, content)
     SELECT $1, chunk.* FROM gate, unnest($2::uuid[], $3::uuid[], $4::text[], $5::text[]) AS chunk ON CONFLICT DO NOTHING";

fn bind_chunks(sql: Statement, workspace: Uuid, chunks: &BTreeMap<ChunkKey, &str>) -> Statement {
    let sql = sql.bind(workspace).bind_each(chunks.keys(), |key| key.1).bind_each(chunks.keys(), |key| key.2);
    sql.bind_each(chunks.keys(), |key| key.3.clone()).bind_each(chunks.values(), |chunk| (*chunk).to_owned())
}

/// Removes the chunks of tickets and contacts that none of their events refers to any more. It locks the records' rows as a
/// change does, so no event that refers to a chunk can be appended meanwhile.
pub(crate) fn forget_unused(tx: &mut PgTx<'_>, records: &[Uuid]) -> Result<(), StoreError> {
    for sql in lock_queries(tx.workspace, records) {
        tx.execute(sql)?;
    }
    tx.execute(unused_query(tx.workspace, records)).map(drop)
}

fn lock_queries(workspace: Uuid, records: &[Uuid]) -> [Statement; 2] {
    let bound = |sql: Statement| sql.bind(workspace).bind(records.to_vec());
    [
        bound(sql!("SELECT FROM contacts WHERE workspace_id = $1 AND id = ANY ($2) ORDER BY id FOR NO KEY UPDATE")),
        bound(sql!("SELECT FROM issues WHERE workspace_id = $1 AND id = ANY ($2) ORDER BY id FOR NO KEY UPDATE")),
    ]
}

pub(crate) fn unused_query(workspace: Uuid, records: &[Uuid]) -> Statement {
    let sql = sql!(
        "DELETE FROM event_chunks
         WHERE workspace_id = $1 AND record_id = ANY ($2) AND (record_id, digest) NOT IN (
             SELECT event.record_id, reference.digest[1]
             FROM events AS event
             CROSS JOIN LATERAL regexp_matches(event.payload, E'\\x1a([A-Za-z0-9_-]{{43}})', 'g') AS reference (digest)
             WHERE event.workspace_id = $1 AND event.record_id = ANY ($2) AND event.record_id IS NOT NULL)"
    );
    sql.bind(workspace).bind(records.to_vec())
}
