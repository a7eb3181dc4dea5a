//! `/api/settings/time-rates`.

use domain::identity::access::ManageTimeRates;
use domain::kernel::input::{Currency, Field};
use domain::work::time_entries::{self, HourlyRate, RateFields, RatePlace, TimeRate};
use domain::{Error, ProjectId, UserId, fields};
use http_core::body;
use http_core::description::Shown;
use http_core::endpoint::{EndpointRequest, HandlerResult};
use http_core::{operation, responses};

use crate::routes::auth::DoneResponse;

fields! {
    /// The body that sets a rate.
    pub(crate) struct TimeRateFields {
        /// The member whose hour it is.
        member_id: UserId = required,
        /// The project in which it holds, before the member's general rate.
        /// Default: all projects without a rate of their own.
        project_id: ProjectId,
        /// Per hour.
        rate: HourlyRate = required,
        /// The currency of the rate.
        /// Default: that of the workspace.
        currency: Currency,
    }
}

fields! {
    /// The body that removes a rate.
    pub(crate) struct TimeRateRemovalFields {
        /// The member whose rate it is.
        member_id: UserId = required,
        /// The project in which it holds.
        /// Default: the member's general rate.
        project_id: ProjectId,
    }
}

operation! {
    /// List the rates of members.
    List = "GET /api/settings/time-rates", contract: additional, access: ManageTimeRates
    => shown(time_entries::list_rates()) -> Vec<TimeRate>
}

// Without an idempotency key: setting a rate again changes nothing.
operation! {
    /// Set the rate of a member.
    Set = "POST /api/settings/time-rates", contract: additional, access: ManageTimeRates,
    body: body::Create<TimeRateFields>, errors: [Conflict]
    => set -> Shown<TimeRate>
}

async fn set(call: EndpointRequest<Set>) -> HandlerResult {
    let TimeRateFields { member_id, project_id, rate, currency } = call.body.0;
    let key = rate_key(&member_id, &project_id)?;
    let rate = time_entries::set_rate(&call.ports, &call.permit, key, RateFields { rate, currency }).await?;
    Ok(responses::ok(&rate))
}

operation! {
    /// Remove the rate of a member.
    Remove = "POST /api/settings/time-rates/remove", contract: additional, access: ManageTimeRates,
    body: body::Create<TimeRateRemovalFields>, errors: [NotFound]
    => remove -> Shown<DoneResponse>
}

async fn remove(call: EndpointRequest<Remove>) -> HandlerResult {
    let TimeRateRemovalFields { member_id, project_id } = call.body.0;
    let key = rate_key(&member_id, &project_id)?;
    time_entries::remove_rate(&call.ports, &call.permit, key).await?;
    Ok(responses::ok(&DoneResponse { done: true }))
}

fn rate_key(member: &Field<UserId>, project: &Field<ProjectId>) -> Result<RatePlace, Error> {
    let required = || Error::malformed("member_id", "required", "member_id is required");
    let member_id = member.set().copied().ok_or_else(required)?;
    Ok(RatePlace { member_id, project_id: project.set().copied() })
}
