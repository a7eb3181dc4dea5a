//! Counts and sums of deals, tasks and tickets.

use domain::Error;
use domain::crm::deals::{self, DealFilter, DealGroup};
use domain::identity::access::{ReadDeals, ReadIssues};
use domain::kernel::input::json::{Json, Map};
use domain::kernel::input::{Field, Input, InputMode, Problems, SchemaMember, Several, Value, refuse_unknown, take};
use domain::kernel::summary::Summary;
use domain::tools::Tool;
use domain::work::issues::{self, IssueGroup};

use super::issues::{FilterOf, Kind, Tasks, Tickets};
use crate::outputs::{ToolOutput, leading_rows};
use crate::tool::{Entry, ToolRequest, ToolResult, entry};

impl ToolOutput for Summary {
    /// Keeps the largest groups.
    fn tighten(&mut self) {
        let count = leading_rows(&self.groups);
        self.omitted_groups += self.groups.len().saturating_sub(count) as u64;
        self.groups.truncate(count);
    }
}

/// The members of a list's filter that a summary does not have.
const LIST_ONLY: [&str; 2] = ["order", "deleted"];

/// The filter of a list of live records without its order, and what to group by.
#[derive(Debug)]
struct Summarize<F, G> {
    filter: F,
    group_by: Vec<G>,
}

impl<F: Input, G: Value + PartialEq + Copy> Input for Summarize<F, G> {
    fn members() -> Vec<SchemaMember> {
        let group_by = SchemaMember::optional("group_by", <Several<G, 4> as Value>::schema());
        let filters = F::members().into_iter().filter(|member| !LIST_ONLY.contains(&member.name));
        std::iter::once(group_by).chain(filters).collect()
    }

    fn read(mut object: Map<String, Json>, at: &str, mode: InputMode, problems: &mut Problems) -> Self {
        let requested: Field<Several<G, 4>> = take(&mut object, "group_by", at, None, problems);
        let mut group_by: Vec<G> = Vec::new();
        for group in requested.set().map(|several| several.0.as_slice()).unwrap_or_default() {
            if !group_by.contains(group) {
                group_by.push(*group);
            }
        }
        let list_only: Map<_, _> = LIST_ONLY.iter().filter_map(|name| object.remove_entry(*name)).collect();
        if !list_only.is_empty() {
            let names: Vec<_> = Self::members().iter().map(|member| member.name).collect();
            refuse_unknown(&list_only, at, &names, problems);
        }
        Self { filter: F::read(object, at, mode, problems), group_by }
    }
}

async fn summarize_deals(
    call: ToolRequest<ReadDeals, Summarize<DealFilter, DealGroup>>,
) -> Result<ToolResult<Summary>, Error> {
    let Summarize { filter, group_by } = call.arguments;
    Ok(ToolResult::Fresh(deals::summarize(&call.ports, &call.permit, filter, group_by).await?))
}

async fn summarize_issues<K: Kind>(
    call: ToolRequest<ReadIssues, Summarize<FilterOf<K>, IssueGroup>>,
) -> Result<ToolResult<Summary>, Error> {
    let Summarize { filter, group_by } = call.arguments;
    Ok(ToolResult::Fresh(issues::summarize(&call.ports, &call.permit, filter.into_filter(), group_by).await?))
}

pub(super) fn entries() -> Vec<Entry> {
    vec![
        entry(
            Tool::SummarizeDeals,
            "Summarize deals",
            "Counts deals and sums their values by currency, in total and by group.",
        )
        .run(summarize_deals),
        entry(Tool::SummarizeTasks, "Summarize tasks", "Counts tasks, in total and by group.")
            .run(summarize_issues::<Tasks>),
        entry(Tool::SummarizeTickets, "Summarize tickets", "Counts tickets, in total and by group.")
            .run(summarize_issues::<Tickets>),
    ]
}
