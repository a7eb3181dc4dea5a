//! Reseals stored secrets with the current master key, so that former keys can be dropped.

use std::collections::BTreeMap;

use diesel::sql_types::{BigInt, Binary, Text, Uuid as SqlUuid};
use diesel::{PgConnection, RunQueryDsl};
use domain::kernel::StoreError;
use domain::kernel::sealing::{MasterKeys, SealedPlace, SealedSecret};
use domain::ports::Random;
use domain::{EmailId, EmailPartId, SubscriptionId, UserId, WorkspaceId};
use uuid::Uuid;

use crate::engine::errors::store_error;
use crate::engine::placement::is_cluster;
use crate::engine::pool::connect;
use crate::engine::statement::{Statement, placed_sql, sql};

/// The number of rows that are read, sealed and written at once.
const BATCH: i64 = 500;

/// The number of texts sealed with each key, by key id. Texts of deleted webhooks are never opened.
fn counts_query() -> Statement<(Text, BigInt)> {
    sql!(
        "SELECT id, count(*) FROM (
            SELECT unnest(ARRAY[secret_key_id, next_secret_key_id, last_secret_key_id, headers_key_id])
            FROM webhook_subscriptions WHERE deleted_at IS NULL
            UNION ALL SELECT body_key_id FROM mails WHERE next_attempt_at IS NOT NULL
            UNION ALL SELECT body_key_id FROM mail_parts
            UNION ALL SELECT secret_key_id FROM second_factors
        ) AS ids (id) WHERE id IS NOT NULL GROUP BY id ORDER BY id"
    )
    .returns()
}

/// A column of sealed texts. Rows are identified by two ids.
struct SealedColumn {
    /// Reads at most `$4` rows after the ids `$1`, `$2` that were not sealed with the key `$3`.
    read: fn() -> Statement,
    /// Writes the texts `$5`, sealed with the key `$1`, to the rows with the ids `$2`, `$3` that still have the texts `$4`. In a
    /// cluster, only to rows whose first id is `$6`, which are on one node.
    write: fn(bool) -> Statement,
    place: fn(Uuid, Uuid) -> SealedPlace,
}

macro_rules! sealed_column {
    ($table:literal ($one:literal, $two:literal), $key_id:literal, $sealed:literal, $place:expr) => {
        SealedColumn {
            read: || {
                sql!(
                    "SELECT {one}, {two}, {key_id}, {sealed} FROM {table}
                    WHERE ({one}, {two}) > ($1, $2) AND {key_id} <> $3 ORDER BY {one}, {two} LIMIT $4",
                    table = $table,
                    one = $one,
                    two = $two,
                    key_id = $key_id,
                    sealed = $sealed
                )
            },
            write: |is_cluster| {
                placed_sql!(
                    is_cluster,
                    concat!($table, ".", $one, " = $6"),
                    "UPDATE {table} SET {key_id} = $1, {sealed} = renewed.new
                    FROM unnest($2::uuid[], $3::uuid[], $4::bytea[], $5::bytea[]) AS renewed (one, two, old, new)
                    WHERE {table}.{first} = renewed.one AND {table}.{second} = renewed.two
                        AND {table}.{sealed} = renewed.old {one}",
                    table = $table,
                    first = $one,
                    second = $two,
                    key_id = $key_id,
                    sealed = $sealed
                )
            },
            place: $place,
        }
    };
}

const fn webhook_secret(workspace: Uuid, id: Uuid) -> SealedPlace {
    SealedPlace::WebhookSecret(WorkspaceId(workspace), SubscriptionId(id))
}

const COLUMNS: [SealedColumn; 7] = [
    sealed_column!("webhook_subscriptions"("workspace_id", "id"), "secret_key_id", "secret", webhook_secret),
    sealed_column!("webhook_subscriptions"("workspace_id", "id"), "next_secret_key_id", "next_secret", webhook_secret),
    sealed_column!("webhook_subscriptions"("workspace_id", "id"), "last_secret_key_id", "last_secret", webhook_secret),
    sealed_column!("webhook_subscriptions"("workspace_id", "id"), "headers_key_id", "headers", |workspace, id| {
        SealedPlace::WebhookHeaders(WorkspaceId(workspace), SubscriptionId(id))
    }),
    sealed_column!("mails"("workspace_id", "id"), "body_key_id", "body", |workspace, id| {
        SealedPlace::EmailBody(WorkspaceId(workspace), EmailId(id))
    }),
    sealed_column!("mail_parts"("workspace_id", "id"), "body_key_id", "body", |workspace, id| {
        SealedPlace::EmailPart(WorkspaceId(workspace), EmailPartId(id))
    }),
    sealed_column!("second_factors"("user_id", "user_id"), "secret_key_id", "secret", |user, _| {
        SealedPlace::SecondFactor(UserId(user))
    }),
];

/// The result of a pass over all sealed texts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Resealed {
    /// Texts that are now sealed with the current key.
    pub renewed: u64,
    /// Texts that no configured key can open.
    pub unopened: u64,
}

/// Reseals everything that was sealed with other keys. Each batch is a transaction, so it may be interrupted at any time and
/// repeated. Services that have all the keys can keep running: what they write meanwhile is kept. `on_progress` gets the
/// running total.
pub fn reseal(
    database_url: &str,
    keys: &MasterKeys,
    random: &dyn Random,
    mut on_progress: impl FnMut(&Resealed),
) -> Result<Resealed, StoreError> {
    let mut connection = connect(database_url)?;
    let current = keys.ids().next().unwrap_or_default();
    let is_cluster = is_cluster(&mut connection).map_err(store_error)?;
    let mut totals = Resealed::default();
    for column in &COLUMNS {
        let mut after = (Uuid::nil(), Uuid::nil());
        loop {
            let rows = column.read_after(after, current, &mut connection)?;
            let Some(last) = rows.last() else { break };
            after = (last.0, last.1);
            let row_count = rows.len();
            let renewed = column.renewed(rows, keys, random);
            totals.unopened += (row_count - renewed.len()) as u64;
            for (of_one, renewed) in group_by_transaction(is_cluster, renewed) {
                totals.renewed += column.write_all(current, of_one, renewed, &mut connection)?;
            }
            on_progress(&totals);
        }
    }
    Ok(totals)
}

/// The ids of a row, and a sealed text.
type Row = (Uuid, Uuid, SealedSecret);
/// The ids of a row, its text and the new text.
type Renewed = (Uuid, Uuid, Vec<u8>, Vec<u8>);

impl SealedColumn {
    fn read_after(
        &self,
        after: (Uuid, Uuid),
        current: &str,
        connection: &mut PgConnection,
    ) -> Result<Vec<Row>, StoreError> {
        let query = (self.read)()
            .returns::<(SqlUuid, SqlUuid, Text, Binary)>()
            .bind(after.0)
            .bind(after.1)
            .bind(current.to_owned())
            .bind(BATCH);
        let rows: Vec<(Uuid, Uuid, String, Vec<u8>)> = query.load(connection).map_err(store_error)?;
        let row = |(one, two, key_id, sealed)| (one, two, SealedSecret { key_id, sealed });
        Ok(rows.into_iter().map(row).collect())
    }

    /// The resealed rows, without those that no key can open.
    fn renewed(&self, rows: Vec<Row>, keys: &MasterKeys, random: &dyn Random) -> Vec<Renewed> {
        let renew = |(one, two, old): Row| {
            let new = keys.renew((self.place)(one, two), &old, random)?;
            Some((one, two, old.sealed, new.sealed))
        };
        rows.into_iter().filter_map(renew).collect()
    }

    fn write_all(
        &self,
        current: &str,
        of_one: Option<Uuid>,
        renewed: Vec<Renewed>,
        connection: &mut PgConnection,
    ) -> Result<u64, StoreError> {
        let (mut ones, mut twos, mut old, mut new) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for row in renewed {
            ones.push(row.0);
            twos.push(row.1);
            old.push(row.2);
            new.push(row.3);
        }
        let statement =
            (self.write)(of_one.is_some()).bind(current.to_owned()).bind(ones).bind(twos).bind(old).bind(new);
        let statement = statement.of_one(of_one.is_some(), of_one);
        statement.execute(connection).map(|rows| rows as u64).map_err(store_error)
    }
}

/// Groups rows by statement: in a cluster, rows with the same first id.
fn group_by_transaction(is_cluster: bool, renewed: Vec<Renewed>) -> Vec<(Option<Uuid>, Vec<Renewed>)> {
    if !is_cluster {
        return vec![(None, renewed)];
    }
    renewed.chunk_by(|one, next| one.0 == next.0).map(|rows| (rows.first().map(|row| row.0), rows.to_vec())).collect()
}

/// The number of texts sealed with each master key, by key id. The schema must be up to date.
pub fn sealed_counts(database_url: &str) -> Result<BTreeMap<String, i64>, StoreError> {
    let rows: Vec<(String, i64)> = counts_query().load(&mut connect(database_url)?).map_err(store_error)?;
    Ok(rows.into_iter().collect())
}

/// The ids of the master keys that stored texts are sealed with. The schema must be up to date.
pub fn sealing_keys(database_url: &str) -> Result<Vec<String>, StoreError> {
    Ok(sealed_counts(database_url)?.into_keys().collect())
}
