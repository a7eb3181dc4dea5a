//! The rates of members.

use bigdecimal::BigDecimal;
use diesel::sql_types::{Nullable, Numeric, Text, Uuid as SqlUuid};
use domain::ports::StoreError;
use domain::work::time_entries::{RatePlace, TimeRate};
use domain::{ProjectId, UserId};
use uuid::Uuid;

use crate::engine::convert;
use crate::engine::statement::{Statement, sql};
use crate::engine::tx::PgTx;

type RateColumns = (SqlUuid, Nullable<SqlUuid>, Numeric, Text);
type RateRow = (Uuid, Option<Uuid>, BigDecimal, String);

fn rate_of((member, project, rate, currency): RateRow) -> Result<TimeRate, StoreError> {
    let rate = convert::from_numeric(&rate)?;
    Ok(TimeRate { member_id: UserId(member), project_id: project.map(ProjectId), rate, currency })
}

/// The part of the key for the project, or for no project.
fn place_of(project: Option<ProjectId>) -> Uuid {
    project.map_or_else(Uuid::nil, |id| id.0)
}

pub(super) fn rate_for(
    tx: &mut PgTx<'_>,
    member: UserId,
    project: Option<ProjectId>,
) -> Result<Option<TimeRate>, StoreError> {
    let row: Option<RateRow> = tx.first(rate_for_query(tx.workspace, member, project))?;
    row.map(rate_of).transpose()
}

/// The rate of the project comes first: every id is greater than that of none.
pub(crate) fn rate_for_query(workspace: Uuid, member: UserId, project: Option<ProjectId>) -> Statement<RateColumns> {
    let sql = sql!(
        "SELECT member_id, project_id, rate, currency FROM time_rates
         WHERE workspace_id = $1 AND member_id = $2 AND place_id IN ($3, '00000000-0000-0000-0000-000000000000')
         ORDER BY place_id DESC LIMIT 1"
    );
    sql.returns().bind(workspace).bind(member.0).bind(place_of(project))
}

pub(super) fn rates(tx: &mut PgTx<'_>, limit: u32) -> Result<Vec<TimeRate>, StoreError> {
    let rows: Vec<RateRow> = tx.load(rates_query(tx.workspace, limit))?;
    rows.into_iter().map(rate_of).collect()
}

pub(crate) fn rates_query(workspace: Uuid, limit: u32) -> Statement<RateColumns> {
    let sql = sql!(
        "SELECT member_id, project_id, rate, currency FROM time_rates
         WHERE workspace_id = $1 ORDER BY member_id, place_id LIMIT $2"
    );
    sql.returns().bind(workspace).bind(i64::from(limit))
}

/// Run it under the lock on time entries, so that the count stays valid.
pub(super) fn put(tx: &mut PgTx<'_>, rate: &TimeRate, most: u32) -> Result<bool, StoreError> {
    let update = sql!(
        "UPDATE time_rates SET rate = $4, currency = $5
         WHERE workspace_id = $1 AND member_id = $2 AND place_id = $3"
    );
    if tx.execute(bind(update, tx.workspace, rate))? > 0 {
        return Ok(true);
    }
    let insert = sql!(
        "INSERT INTO time_rates (workspace_id, member_id, place_id, rate, currency, project_id)
         SELECT $1::uuid, $2::uuid, $3::uuid, $4::numeric, $5::text, $6::uuid
         WHERE (SELECT count(*) FROM time_rates WHERE workspace_id = $1) < $7"
    );
    Ok(tx.execute(bind(insert, tx.workspace, rate).bind(rate.project_id.map(|id| id.0)).bind(i64::from(most)))? > 0)
}

fn bind(sql: Statement, workspace: Uuid, rate: &TimeRate) -> Statement {
    let sql = sql.bind(workspace).bind(rate.member_id.0).bind(place_of(rate.project_id));
    sql.bind(convert::to_numeric(rate.rate)).bind(rate.currency.clone())
}

pub(super) fn remove(tx: &mut PgTx<'_>, place: RatePlace) -> Result<bool, StoreError> {
    let sql = sql!("DELETE FROM time_rates WHERE workspace_id = $1 AND member_id = $2 AND place_id = $3");
    Ok(tx.execute(sql.bind(tx.workspace).bind(place.member_id.0).bind(place_of(place.project_id)))? > 0)
}
