//! Reindexes records in the background if an earlier release wrote their search words.
//!
//! A walk goes through each table by its primary key and compares the words of every record with those of this release. It locks
//! and writes only records whose words differ. So it needs no extra column or index, and migrations need not rewrite tables.

use std::collections::{BTreeMap, BTreeSet};

use diesel::sql_types::{Array, BigInt, Nullable, Text, Uuid as SqlUuid};
use domain::ports::StoreError;
use uuid::Uuid;

use crate::crm::comments::{self as record_comments, RecordCommentRow};
use crate::engine::statement::{RowOf, Statement, sql};
use crate::engine::tx::PgTx;
use crate::identity::workspaces::{WorkspaceRow, search_lexemes};
use crate::kinds::TABLES;
use crate::work::comments::{self, CommentRow};

/// The version of the search words. Increment it when the domain changes how text is folded or split, or which texts of a record
/// are searched; the walks then start again.
const SEARCH_VERSION: i32 = 1;

/// The workspace and record that a walk has compared last.
pub(crate) type WalkPosition = (Uuid, Uuid);

/// Whether the stored words of a record are current.
pub(crate) struct RowState {
    position: WalkPosition,
    is_current: bool,
}

pub(crate) type LockRecords = fn(&mut PgTx<'_>, Uuid, Vec<Uuid>) -> Result<Vec<IdAndWords>, StoreError>;

/// A table with search words.
pub(crate) struct SearchedTable {
    pub(crate) name: &'static str,
    /// The next rows after a position, including deleted ones, which may be restored.
    pub(crate) next_query: fn(WalkPosition, u32) -> Statement,
    pub(crate) compare: fn(&mut PgTx<'_>, Statement) -> Result<Vec<RowState>, StoreError>,
    /// The words of some records of a workspace, which are locked. Rows that another transaction has locked are skipped.
    pub(crate) lock: LockRecords,
    /// Writes the words `$3`, each as JSON, of the records `$2` in the workspaces `$1`.
    pub(crate) write: fn() -> Statement,
}

/// A [`SearchedTable`]; the function `$words` computes the words of a row.
macro_rules! searched_table {
    ($table:literal, $row:ident, $words:expr) => {
        $crate::directory::search_reindex::searched_table!(
            $table, $row, $words, workspace: "workspace_id", after: "(workspace_id, id) > ($1, $2)",
            order: "workspace_id, id", live: "AND erased_at IS NULL"
        )
    };
    ($table:literal, $row:ident, $words:expr, workspace: $workspace:literal, after: $after:literal, order: $order:literal,
        live: $live:literal) => {{
        const COLUMNS: &str = $crate::engine::columns::columns!($row);
        $crate::directory::search_reindex::SearchedTable {
            name: $table,
            next_query: |(workspace, record), limit| {
                let sql = $crate::engine::statement::sql!(
                    "SELECT {workspace}, {columns}, tsvector_to_array(search) FROM {table} WHERE {after} {live}
                     ORDER BY {order} LIMIT $3",
                    workspace = $workspace,
                    columns = COLUMNS,
                    table = $table,
                    after = $after,
                    live = $live,
                    order = $order
                );
                sql.bind(workspace).bind(record).bind(i64::from(limit)).planned_each_time()
            },
            compare: |tx, query| {
                let query = query.returns::<$crate::directory::search_reindex::StoredColumns<$row>>();
                let rows: Vec<$crate::directory::search_reindex::Stored<$row>> = tx.load(query)?;
                $crate::directory::search_reindex::compare(rows, $words)
            },
            lock: |tx, workspace, ids| {
                let sql = $crate::engine::statement::sql!(
                    "SELECT {columns} FROM {table} WHERE {workspace} = $1 AND id = ANY ($2) {live}
                     ORDER BY id FOR NO KEY UPDATE SKIP LOCKED",
                    workspace = $workspace,
                    columns = COLUMNS,
                    table = $table,
                    live = $live
                );
                let sql = sql.returns::<$crate::engine::statement::RowOf<$row>>().bind(workspace);
                let rows: Vec<$row> = tx.load(sql.bind(ids))?;
                rows.into_iter().map(|row| $words(workspace, row)).collect()
            },
            write: || {
                $crate::engine::statement::sql!(
                    "UPDATE {table} SET search = array_to_tsvector(ARRAY(SELECT jsonb_array_elements_text(new.words::jsonb)))
                     FROM unnest($1::uuid[], $2::uuid[], $3::text[]) AS new (workspace_id, id, words)
                     WHERE {table}.{workspace} = new.workspace_id AND {table}.id = new.id",
                    table = $table,
                    workspace = $workspace
                )
            },
        }
    }};
}
pub(crate) use searched_table;

/// For a [kind](crate::records::StoredKind) whose table has search words.
macro_rules! searched {
    ($table:literal, $row:ident, $into_record:ident) => {
        fn searched() -> Option<$crate::directory::search_reindex::SearchedTable> {
            fn words(workspace: uuid::Uuid, row: $row) -> $crate::directory::search_reindex::Words {
                let record = row.$into_record()?;
                Ok((record.id.0, $crate::records::StoredKind::lexemes(&record, workspace)))
            }
            Some($crate::directory::search_reindex::searched_table!($table, $row, words))
        }
    };
}
pub(crate) use searched;

/// Comments are deleted immediately instead of being marked as deleted and erased later.
macro_rules! comments {
    ($table:literal, $row:ident, $words:expr) => {
        searched_table!(
            $table, $row, $words, workspace: "workspace_id", after: "(workspace_id, id) > ($1, $2)",
            order: "workspace_id, id", live: ""
        )
    };
}

pub(crate) fn tables() -> Vec<SearchedTable> {
    let kind_tables = TABLES.iter().filter_map(|table| (table.searched)());
    let other_tables = [
        comments!("comments", CommentRow, comment_words),
        comments!("record_comments", RecordCommentRow, record_comment_words),
        searched_table!(
            "workspaces", WorkspaceRow, workspace_words,
            workspace: "id", after: "id > $2 AND $1::uuid IS NOT NULL", order: "id", live: ""
        ),
    ];
    kind_tables.chain(other_tables).collect()
}

/// The id and the words of a record.
pub(crate) type IdAndWords = (Uuid, Vec<String>);
pub(crate) type Words = Result<IdAndWords, StoreError>;

fn comment_words(workspace: Uuid, row: CommentRow) -> Words {
    let comment = row.into_comment()?;
    Ok((comment.id.0, comments::lexemes(workspace, &comment.search_words())))
}

fn record_comment_words(workspace: Uuid, row: RecordCommentRow) -> Words {
    let comment = row.into_comment()?;
    Ok((comment.id.0, record_comments::lexemes(workspace, &comment)))
}

fn workspace_words(_: Uuid, row: WorkspaceRow) -> Words {
    let workspace = row.into_workspace()?;
    Ok((workspace.id.0, search_lexemes(&workspace)))
}

/// A row with its workspace and its stored words.
pub(crate) type Stored<R> = (Uuid, R, Option<Vec<String>>);
pub(crate) type StoredColumns<R> = (SqlUuid, RowOf<R>, Nullable<Array<Text>>);

/// Compares the stored words of rows with their current words.
pub(crate) fn compare<R>(rows: Vec<Stored<R>>, words: fn(Uuid, R) -> Words) -> Result<Vec<RowState>, StoreError> {
    let compare_row = |(workspace, row, stored): Stored<R>| {
        let (id, words) = words(workspace, row)?;
        let is_current = stored.is_some_and(|stored| is_same(&stored, &words));
        Ok(RowState { position: (workspace, id), is_current })
    };
    rows.into_iter().map(compare_row).collect()
}

/// A tsvector stores its words in a different order, each once.
fn is_same(stored: &[String], words: &[String]) -> bool {
    stored.iter().collect::<BTreeSet<_>>() == words.iter().collect::<BTreeSet<_>>()
}

/// Compares the words of at most `limit` records of a table, and writes those that differ. Returns the number compared; 0 if no
/// walk is due.
pub(crate) fn reindex(tx: &mut PgTx<'_>, limit: u32) -> Result<u64, StoreError> {
    let tables = tables();
    begin(tx, &tables)?;
    while let Some((name, after)) = claim(tx)? {
        let Some(table) = tables.iter().find(|table| table.name == name) else { break };
        let compared = (table.compare)(tx, (table.next_query)(after, limit))?;
        let (changed, locked) = update(tx, table, &compared)?;
        // Walks that stopped at a lock come first next time.
        let count = compared.iter().take_while(|row| locked.is_none_or(|locked| row.position != locked)).count();
        let step = Step { after: compared[..count].last().map_or(after, |row| row.position), done: count, changed };
        advance(tx, table, &step, locked.is_some())?;
        if locked.is_none() && compared.len() < limit as usize {
            end_pass(tx, table)?;
        }
        if count > 0 {
            return Ok(count as u64);
        }
    }
    Ok(0)
}

/// Starts the walks of this version, unless this release or a newer one has already done so.
fn begin(tx: &mut PgTx<'_>, tables: &[SearchedTable]) -> Result<(), StoreError> {
    let sql = sql!("SELECT count(*) FROM search_walks WHERE version >= $1").returns::<BigInt>();
    let started: i64 = tx.value(sql.bind(SEARCH_VERSION))?;
    if started >= to_i64(tables.len()) {
        return Ok(());
    }
    let sql = sql!(
        "INSERT INTO search_walks (table_name, version) SELECT unnest($1::text[]), $2
         ON CONFLICT (table_name) DO UPDATE SET
             version = excluded.version, pass = excluded.pass, after_workspace = excluded.after_workspace,
             after_record = excluded.after_record, checked = 0, changed = 0, due_at = excluded.due_at, finished_at = NULL
         WHERE search_walks.version < excluded.version"
    );
    let names: Vec<_> = tables.iter().map(|table| table.name).collect();
    tx.execute(sql.bind(names).bind(SEARCH_VERSION)).map(drop)
}

/// A walk that is due and that no other instance is working on, with its position.
fn claim(tx: &mut PgTx<'_>) -> Result<Option<(String, WalkPosition)>, StoreError> {
    let sql = sql!(
        "SELECT table_name, after_workspace, after_record FROM search_walks
         WHERE version = $1 AND finished_at IS NULL AND due_at <= now()
         ORDER BY table_name LIMIT 1
         FOR UPDATE SKIP LOCKED"
    );
    let walk: Option<(String, Uuid, Uuid)> =
        tx.first(sql.returns::<(Text, SqlUuid, SqlUuid)>().bind(SEARCH_VERSION))?;
    Ok(walk.map(|(table, workspace, record)| (table, (workspace, record))))
}

/// Writes the words of records that differ. Returns the number written, and the first record that another transaction has locked.
fn update(
    tx: &mut PgTx<'_>,
    table: &SearchedTable,
    compared: &[RowState],
) -> Result<(usize, Option<WalkPosition>), StoreError> {
    let mut stale: BTreeMap<Uuid, Vec<Uuid>> = BTreeMap::new();
    for (workspace, id) in compared.iter().filter(|row| !row.is_current).map(|row| row.position) {
        stale.entry(workspace).or_default().push(id);
    }
    if stale.is_empty() {
        return Ok((0, None));
    }
    let (mut keys, mut texts) = (Vec::new(), Vec::new());
    for (workspace, ids) in stale {
        // Read again, because they may have changed since they were compared.
        for (id, words) in (table.lock)(tx, workspace, ids)? {
            keys.push((workspace, id));
            // As JSON: Postgres has no ragged arrays.
            texts.push(serde_json::Value::from(words).to_string());
        }
    }
    let locked = compared.iter().find(|row| !row.is_current && !keys.contains(&row.position)).map(|row| row.position);
    let (workspaces, ids): (Vec<Uuid>, Vec<Uuid>) = keys.into_iter().unzip();
    Ok((tx.execute((table.write)().bind(workspaces).bind(ids).bind(texts))?, locked))
}

struct Step {
    after: WalkPosition,
    done: usize,
    changed: usize,
}

/// Stores the position of a walk. A walk that waits for a lock is due again after some seconds.
fn advance(tx: &mut PgTx<'_>, table: &SearchedTable, step: &Step, waits: bool) -> Result<(), StoreError> {
    let sql = sql!(
        "UPDATE search_walks SET after_workspace = $2, after_record = $3, checked = checked + $4, changed = changed + $5,
             due_at = CASE WHEN $6 THEN now() + interval '5 seconds' ELSE due_at END
         WHERE table_name = $1"
    );
    let sql = sql.bind(table.name).bind(step.after.0).bind(step.after.1).bind(to_i64(step.done));
    tx.execute(sql.bind(to_i64(step.changed)).bind(waits)).map(drop)
}

fn to_i64(count: usize) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

/// Ends a pass. A second pass begins an hour later, and covers what instances of the previous release wrote during the first. An
/// empty table needs none.
fn end_pass(tx: &mut PgTx<'_>, table: &SearchedTable) -> Result<(), StoreError> {
    let sql = sql!(
        "UPDATE search_walks SET
             finished_at = CASE WHEN pass = 2 OR checked = 0 THEN now() END, pass = 2, due_at = now() + interval '1 hour',
             after_workspace = '00000000-0000-0000-0000-000000000000', after_record = '00000000-0000-0000-0000-000000000000'
         WHERE table_name = $1
         RETURNING checked, changed"
    );
    let (checked, changed): (i64, i64) = tx.value(sql.returns::<(BigInt, BigInt)>().bind(table.name))?;
    if checked > 0 {
        log::info!("checked the search words of {checked} {}: indexed {changed} again", table.name);
    }
    Ok(())
}
