//! Bulk inserts for seeding: multi-row inserts that bypass use cases, ports and their locks.

use diesel::connection::SimpleConnection;
use diesel::sql_types::{BigInt, Bool, Nullable, Uuid as SqlUuid};
use diesel::{Connection, PgConnection};
use domain::crm::companies::Company;
use domain::crm::contacts::Contact;
use domain::crm::deals::Deal;
use domain::identity::workspaces::Workspace;
use domain::kernel::IssueKind;
use domain::ports::{BatchRepo, StoreError};
use domain::support::kb::Article;
use domain::work::issues::Issue;
use domain::work::projects::Project;
use domain::work::time_entries::TimeEntry;
use domain::{UserId, WorkspaceId};
use time::{Duration, OffsetDateTime};

use crate::directory::find_workspace_by_name;
use crate::engine::errors::{store_error, unreachable_reason};
use crate::engine::statement::sql;
use crate::engine::tx::{PgTx, TxMode};
use crate::kinds::TABLES;
use crate::support::kb;
use crate::work::{issues, projects, time_entries};

/// Rows per statement: below Postgres' limit of 65,535 bound values at 32 columns per row.
const ROWS: usize = 1_000;

/// A connection for bulk inserts. Only the constraints of the schema are checked.
pub struct BulkLoad {
    connection: PgConnection,
}

impl BulkLoad {
    /// Connects to a database whose schema must be up to date.
    pub fn connect(database_url: &str) -> Result<Self, StoreError> {
        let mut connection = PgConnection::establish(database_url)
            .map_err(|error| StoreError::Unavailable(unreachable_reason(&error)))?;
        // Seeded data may be lost in a crash: it can be seeded again.
        connection.batch_execute("SET synchronous_commit = off").map_err(store_error)?;
        Ok(Self { connection })
    }

    pub fn workspace(&mut self, slug: &str) -> Result<Option<Workspace>, StoreError> {
        let no_workspace = WorkspaceId(uuid::Uuid::nil());
        find_workspace_by_name(&mut PgTx::new(&mut self.connection, no_workspace, TxMode::Autocommit), slug)
    }

    /// The members of a workspace.
    pub fn members(&mut self, workspace: WorkspaceId) -> Result<Vec<UserId>, StoreError> {
        let mut tx = PgTx::new(&mut self.connection, workspace, TxMode::Autocommit);
        let sql = sql!("SELECT user_id FROM members WHERE workspace_id = $1 ORDER BY user_id").returns::<SqlUuid>();
        let ids: Vec<uuid::Uuid> = tx.load(sql.bind(workspace.0))?;
        Ok(ids.into_iter().map(UserId).collect())
    }

    /// The highest task number and the highest ticket number in use.
    pub fn highest_issue_numbers(&mut self, workspace: WorkspaceId) -> Result<[i64; 2], StoreError> {
        let mut tx = PgTx::new(&mut self.connection, workspace, TxMode::Autocommit);
        let mut highest = [0; 2];
        for (number, kind) in highest.iter_mut().zip([IssueKind::Task, IssueKind::Ticket]) {
            let sql = sql!("SELECT coalesce(max(number), 0) FROM issues WHERE workspace_id = $1 AND kind = $2")
                .returns::<BigInt>();
            *number = tx.value(sql.bind(workspace.0).bind(kind.as_str()))?;
        }
        Ok(highest)
    }

    /// Sets the next issue numbers to follow `highest`, and updates the planner's statistics.
    pub fn finish(&mut self, workspace: WorkspaceId, highest: [i64; 2]) -> Result<(), StoreError> {
        let mut tx = PgTx::new(&mut self.connection, workspace, TxMode::Autocommit);
        for (number, kind) in highest.into_iter().zip([IssueKind::Task, IssueKind::Ticket]) {
            let sql = sql!(
                "INSERT INTO issue_counters (workspace_id, kind, next_number) VALUES ($1, $2, $3)
                 ON CONFLICT (workspace_id, kind) DO UPDATE
                 SET next_number = greatest(issue_counters.next_number, excluded.next_number)"
            );
            tx.execute(sql.bind(workspace.0).bind(kind.as_str()).bind(number + 1))?;
        }
        let tables: Vec<_> = TABLES.iter().map(|table| table.name).collect();
        self.connection.batch_execute(&format!("VACUUM ANALYZE {}", tables.join(", "))).map_err(store_error)
    }

    pub fn companies(&mut self, workspace: WorkspaceId, records: &[Company]) -> Result<(), StoreError> {
        self.load(workspace, records, |tx, chunk| tx.insert_many(chunk))
    }

    pub fn contacts(&mut self, workspace: WorkspaceId, records: &[Contact]) -> Result<(), StoreError> {
        self.load(workspace, records, |tx, chunk| tx.insert_many(chunk))
    }

    pub fn deals(&mut self, workspace: WorkspaceId, records: &[Deal]) -> Result<(), StoreError> {
        self.load(workspace, records, |tx, chunk| tx.insert_many(chunk))
    }

    pub fn projects(&mut self, workspace: WorkspaceId, records: &[Project]) -> Result<(), StoreError> {
        self.load(workspace, records, projects::insert_many)
    }

    /// Inserts articles with their search index.
    pub fn articles(&mut self, workspace: WorkspaceId, records: &[Article]) -> Result<(), StoreError> {
        self.load(workspace, records, kb::insert_many)
    }

    pub fn issues(&mut self, workspace: WorkspaceId, records: &[Issue]) -> Result<(), StoreError> {
        self.load(workspace, records, issues::insert_many)
    }

    pub fn time_entries(&mut self, workspace: WorkspaceId, records: &[TimeEntry]) -> Result<(), StoreError> {
        self.load(workspace, records, time_entries::insert_many)
    }

    /// Creates the monthly partitions of the event log, starting at a time.
    pub fn event_months(&mut self, from: OffsetDateTime, now: OffsetDateTime) -> Result<(), StoreError> {
        let mut tx = PgTx::new(&mut self.connection, WorkspaceId(uuid::Uuid::nil()), TxMode::Autocommit);
        // Each call creates four and drops none.
        for month in 0..=(now - from).whole_days() / 28 {
            let sql = sql!("SELECT maintain_event_partitions($1, interval '1000 years')").returns::<Nullable<Bool>>();
            let has_created: Option<bool> = tx.value(sql.bind(from + Duration::days(28 * month)))?;
            if has_created != Some(true) {
                return Err(StoreError::Unavailable(
                    "the event log is in use: its monthly partitions cannot be created".to_owned(),
                ));
            }
        }
        Ok(())
    }

    /// Appends ten events for each deal to the log, with positions after the workspace's existing events. The first one is at
    /// `from`, and each follows the previous one after `interval`. Call it with increasing times.
    pub fn events(
        &mut self,
        workspace: WorkspaceId,
        from: OffsetDateTime,
        interval: Duration,
        count: u64,
    ) -> Result<(), StoreError> {
        let mut tx = PgTx::new(&mut self.connection, workspace, TxMode::Autocommit);
        // Workspace, time of the first event, microseconds between events, number of events.
        let sql = sql!(
            "WITH last AS MATERIALIZED (
                 SELECT coalesce(max(last_position), 0) AS position FROM event_sequences WHERE workspace_id = $1
             ), made AS MATERIALIZED (
                 SELECT place, last.position + place AS position,
                     event_id($2::timestamptz + place * ($3::bigint * interval '1 microsecond'), place) AS id,
                     $2::timestamptz + place * ($3::bigint * interval '1 microsecond') AS at, (last.position + place) % 10 AS version,
                     md5($1::text || ((last.position + place) / 10)::text)::uuid AS record
                 FROM last, generate_series(1, $4) AS place
             ), logged AS (
                 INSERT INTO events (workspace_id, id, module, event, record_type, record_id, version, internal, actor_type,
                     actor_id, actor_name, request_id, payload, created_at)
                 SELECT $1, id, 'crm', CASE version WHEN 0 THEN 'deal.created' ELSE 'deal.updated' END, 'deal', record,
                     version + 1, false, 'api_key', md5($1::text)::uuid, 'import', gen_random_uuid()::text,
                     json_build_object(
                         'data', json_build_object('id', record, 'title', 'Renewal ' || position, 'description', null,
                             'status', 'open', 'stage', 'discovery', 'value', place, 'currency', 'EUR', 'tags', '{{}}'::text[],
                             'version', version + 1, 'created_at', at, 'updated_at', at),
                         'changes', json_build_object('value', json_build_object('from', place - 1, 'to', place)),
                         'actor', json_build_object('type', 'api_key', 'id', record, 'name', 'import'))::text, at
                 FROM made
             ), placed AS (
                 INSERT INTO event_positions (workspace_id, position, event_id, latest)
                 SELECT $1, position, id, id FROM made
             )
             INSERT INTO event_sequences (workspace_id, last_position, latest)
             SELECT $1, position, id FROM made ORDER BY position DESC LIMIT 1
             ON CONFLICT (workspace_id) DO UPDATE SET last_position = excluded.last_position, latest = excluded.latest"
        );
        let interval = i64::try_from(interval.whole_microseconds()).unwrap_or(i64::MAX);
        tx.execute(sql.bind(workspace.0).bind(from).bind(interval).bind(i64::try_from(count).unwrap_or(i64::MAX)))?;
        Ok(())
    }

    /// Updates the planner's statistics on the event log.
    pub fn finish_events(&mut self) -> Result<(), StoreError> {
        self.connection.batch_execute("VACUUM ANALYZE events, event_positions").map_err(store_error)
    }

    fn load<T>(
        &mut self,
        workspace: WorkspaceId,
        records: &[T],
        insert: fn(&mut PgTx<'_>, &[T]) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        let mut tx = PgTx::new(&mut self.connection, workspace, TxMode::Autocommit);
        records.chunks(ROWS).try_for_each(|chunk| insert(&mut tx, chunk))
    }
}
