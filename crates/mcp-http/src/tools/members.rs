//! Who the caller is, and who else is in the workspace.

use domain::identity::access::{DescribeCaller, ListMembers, Permit};
use domain::identity::me::{self, Me, TrialLeft};
use domain::identity::members::{self, MemberEntry, MemberFilter};
use domain::kernel::input::schema::TimestampText;
use domain::kernel::input::{EmailAddress, timestamp_json};
use domain::kernel::paging::{Page, PageRequest};
use domain::kernel::search::SearchQuery;
use domain::ports::Ports;
use domain::tools::Tool;
use domain::{Error, fields};
use schemars::JsonSchema;
use serde::Serialize;
use time::OffsetDateTime;

use crate::arguments::Nothing;
use crate::outputs::ToolOutput;
use crate::tool::{Entry, ToolRequest, ToolResult};

/// The caller, and the time.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Whoami {
    #[serde(flatten)]
    me: Me,
    /// What is left of a trial; null for other keys.
    trial: Option<TrialLeft>,
    /// The service's clock.
    #[serde(with = "timestamp_json")]
    #[schemars(with = "TimestampText")]
    now: OffsetDateTime,
}

impl ToolOutput for Whoami {}

fields! {
    /// The filter of a list of members.
    pub(crate) struct Filter {
        /// Word prefixes in name and e-mail address; all must match.
        search: SearchQuery,
        /// The whole address of one of them.
        email: EmailAddress,
    }
}

async fn whoami(call: ToolRequest<DescribeCaller, Nothing>) -> Result<ToolResult<Whoami>, Error> {
    let (me, trial) = me::read_with_trial(&call.ports, &call.permit).await?;
    Ok(ToolResult::Fresh(Whoami { me, trial, now: call.ports.clock.now() }))
}

async fn list(
    ports: &Ports,
    permit: &Permit<ListMembers>,
    filter: Filter,
    page: PageRequest,
) -> Result<Page<MemberEntry>, Error> {
    let email_key = filter.email.set().map(|email| email.as_str().to_lowercase());
    let filter = MemberFilter { search: filter.search.set().cloned(), email_key };
    members::list_entries(ports, permit, filter, page).await
}

pub(super) fn entries() -> Vec<Entry> {
    vec![
        Entry::of(
            Tool::Whoami,
            "Who am I",
            "Describes this key: its workspace, permissions, what is left of its limits and trial, and the time now. Cheap.",
            whoami,
        ),
        Entry::list(
            Tool::ListMembers,
            "List members",
            "Finds the people of the workspace by name or e-mail address. Arguments that name a member also take the e-mail address: look up only those whose address you do not know. Cheap.",
            list,
            MemberEntry::clone,
        ),
    ]
}
