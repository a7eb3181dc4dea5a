//! Members' hourly rates, in general and per project. Entries keep the rate that applied when they were recorded.

use rust_decimal::Decimal;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;
use time::OffsetDateTime;

use crate::identity::access::{ManageTimeRates, Permit};
use crate::identity::audit::{AuditAction, AuditEntry, AuditSubject};
use crate::identity::workspaces::Role;
use crate::kernel::input::{Currency, Field, TwoDecimals, decimal_as_number, fields};
use crate::ports::{Ports, Tx, statement, transact};
use crate::{Error, ProjectId, Reference, References, UserId};

/// The maximum number of rates per workspace.
pub const MAX_TIME_RATES: u32 = 2_000;

/// A rate of up to 999,999.99 per hour.
pub type HourlyRate = TwoDecimals<99_999_999>;

/// What an hour of a member costs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct TimeRate {
    pub member_id: UserId,
    /// The only project in which it holds; null for all that have no rate of their own.
    pub project_id: Option<ProjectId>,
    /// Per hour, exact.
    #[serde(serialize_with = "decimal_as_number")]
    #[schemars(with = "f64")]
    pub rate: Decimal,
    pub currency: String,
}

fields! {
    /// The body of a change of a rate.
    pub struct RateFields {
        /// Per hour.
        rate: HourlyRate = required,
        /// Default: the workspace's.
        currency: Currency,
    }
}

/// The member and the project that a rate applies to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RatePlace {
    pub member_id: UserId,
    pub project_id: Option<ProjectId>,
}

/// All rates, by member and project.
pub async fn list_rates(ports: &Ports, permit: &Permit<ManageTimeRates>) -> Result<Vec<TimeRate>, Error> {
    statement(ports, permit, |tx| Ok(tx.time_entries().rates(MAX_TIME_RATES)?)).await
}

/// Sets a member's rate, in general or in a project. Only owners may. Recorded entries keep theirs.
///
/// # Errors
/// [`Error::Forbidden`], [`Error::Invalid`] for an unknown member or project, [`Error::Conflict`] if there are
/// [`MAX_TIME_RATES`] already.
pub async fn set_rate(
    ports: &Ports,
    permit: &Permit<ManageTimeRates>,
    place: RatePlace,
    fields: RateFields,
) -> Result<TimeRate, Error> {
    let Field::Set(rate) = fields.rate else {
        return Err(Error::malformed("rate", "required", "rate is required"));
    };
    let mut currency = permit.workspace().default_currency.clone();
    fields.currency.into_stored().replace(&mut currency);
    let rate = TimeRate { member_id: place.member_id, project_id: place.project_id, rate: rate.into(), currency };
    let now = ports.clock.now();
    let (acting, entry) = (permit.clone(), audit_entry(ports, permit, place, Some(&rate)));
    transact(ports, permit, move |tx| {
        check_owner(&acting, tx, now)?;
        tx.time_entries().lock()?;
        let mut references = References::default();
        references.add("member_id", Some(place.member_id), None, Reference::Member);
        references.add("project_id", place.project_id, None, Reference::Project);
        references.check(tx)?;
        if !tx.time_entries().put_rate(&rate, MAX_TIME_RATES)? {
            return Err(Error::Conflict(format!(
                "a workspace has at most {MAX_TIME_RATES} rates: remove others first"
            )));
        }
        tx.audit().append(&entry)?;
        Ok(rate.clone())
    })
    .await
}

/// Removes a member's rate, in general or in a project. Only owners may.
///
/// # Errors
/// [`Error::Forbidden`], [`Error::NotFound`].
pub async fn remove_rate(ports: &Ports, permit: &Permit<ManageTimeRates>, place: RatePlace) -> Result<(), Error> {
    let now = ports.clock.now();
    let (acting, entry) = (permit.clone(), audit_entry(ports, permit, place, None));
    transact(ports, permit, move |tx| {
        check_owner(&acting, tx, now)?;
        if !tx.time_entries().remove_rate(place)? {
            return Err(Error::NotFound("rate"));
        }
        Ok(tx.audit().append(&entry)?)
    })
    .await
}

fn check_owner(permit: &Permit<ManageTimeRates>, tx: &mut dyn Tx, now: OffsetDateTime) -> Result<(), Error> {
    match permit.confirm(tx, now)? {
        Role::Owner => Ok(()),
        _ => Err(Error::Forbidden("only owners set the rates of members".to_owned())),
    }
}

fn audit_entry(
    ports: &Ports,
    permit: &Permit<ManageTimeRates>,
    place: RatePlace,
    rate: Option<&TimeRate>,
) -> AuditEntry {
    let value = rate.map(|rate| format!("{} {}", rate.rate, rate.currency));
    let details =
        json!({ "time_rate": { "member_id": place.member_id, "project_id": place.project_id, "rate": value } });
    let subject = AuditSubject::workspace(permit.workspace_id());
    AuditEntry::new(ports, &permit.principal(), AuditAction::WorkspaceUpdated, subject, details)
}
