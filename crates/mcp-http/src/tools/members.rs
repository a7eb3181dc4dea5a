//! The caller, and the members of the workspace.

use domain::Error;
use domain::identity::access::DescribeCaller;
use domain::identity::me::{self, Me, TrialLeft};
use domain::identity::members::{self, MemberEntry};
use domain::kernel::input::schema::{DateText, TimestampText};
use domain::kernel::time_zone::day_in;
use domain::tools::Tool;
use http_core::body::Empty;
use schemars::JsonSchema;
use serde::Serialize;
use time::{Date, OffsetDateTime};

use crate::outputs::ToolOutput;
use crate::tool::{Entry, ToolRequest, ToolResult, entry};

/// The caller, and the time.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Whoami {
    #[serde(flatten)]
    me: Me,
    /// What is left of a trial; null for other keys.
    trial: Option<TrialLeft>,
    /// The service's clock.
    #[serde(with = "TimestampText")]
    now: OffsetDateTime,
    /// The workspace's, in which days are days.
    time_zone: String,
    /// The day in this zone.
    #[serde(with = "DateText")]
    today: Date,
}

impl ToolOutput for Whoami {}

async fn whoami(call: ToolRequest<DescribeCaller, Empty>) -> Result<ToolResult<Whoami>, Error> {
    let (me, trial) = me::read_with_trial(&call.ports, &call.permit).await?;
    let (now, time_zone) = (call.ports.clock.now(), call.permit.workspace().time_zone.clone());
    let today = day_in(&time_zone, now);
    Ok(ToolResult::Fresh(Whoami { me, trial, now, time_zone, today }))
}

pub(super) fn entries() -> Vec<Entry> {
    vec![
        entry(
            Tool::Whoami,
            "Who am I",
            "Shows this key's workspace, permissions and remaining limits, and the time, time zone and day.",
        )
        .run(whoami),
        entry(Tool::ListMembers, "List members", "Finds members. Tools take their ids or e-mail addresses.")
            .list(members::list_entries, MemberEntry::clone),
    ]
}
