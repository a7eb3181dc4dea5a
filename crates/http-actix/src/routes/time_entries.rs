//! `/time`: what time entries have in addition to the routes of every kind.

use domain::identity::access::{ApproveTimeEntries, CreateTimeEntries, ReadTimeEntries, UpdateTimeEntries};
use domain::kernel::input::json::{Json, Map};
use domain::kernel::input::{FilterValue, Input, InputMode, Parameters, Problems, Read, SchemaMember};
use domain::limits::Class;
use domain::work::time_entries::{
    self, EntryIds, TimeEntry, TimeSummary, TimeSummaryQuery, TimerFields, TimerStopFields,
};
use http_core::description::{Described, Parameter, parameters_of};
use http_core::query::{Query, QueryReader};
use http_core::{LimitPolicy, action, body, operation};

/// Up to 500 entries at once.
const BULK: LimitPolicy = LimitPolicy::new(Class::Bulk);

action! {
    /// Start a timer, which stops the one that is running.
    Start = "POST /api/v1/time/entries/start", contract: additional, access: CreateTimeEntries,
    body: body::Create<TimerFields>, errors: [Conflict, InvalidStateChange]
    => time_entries::start(body) -> TimeEntry, created(|entry| format!("/api/v1/time/entries/{}", entry.id))
}

action! {
    /// Stop the running timer.
    Stop = "POST /api/v1/time/entries/stop", contract: additional, access: UpdateTimeEntries,
    body: body::Create<TimerStopFields>, errors: [InvalidStateChange]
    => time_entries::stop(body) -> TimeEntry, shown
}

/// Declares routes that move entries to another status: the use case takes their ids and returns the entries.
macro_rules! moves {
    ($(
        #[doc = $summary:literal]
        $name:ident = $route:literal, access: $access:ident => $use_case:ident
    );+ $(;)?) => { $(
        action! {
            #[doc = $summary]
            $name = $route, contract: additional, limits: BULK, access: $access, body: body::Create<EntryIds>,
            errors: [InvalidStateChange]
            => time_entries::$use_case(body) -> Vec<TimeEntry>, shown
        }
    )+ };
}

moves! {
    /// Submit time entries for approval.
    Submit = "POST /api/v1/time/entries/submit", access: UpdateTimeEntries => submit;
    /// Approve time entries.
    Approve = "POST /api/v1/time/entries/approve", access: ApproveTimeEntries => approve;
    /// Reject time entries, which opens them for changes again.
    Reject = "POST /api/v1/time/entries/reject", access: ApproveTimeEntries => reject;
    /// Mark approved time entries as exported for invoicing.
    Export = "POST /api/v1/time/entries/export", access: UpdateTimeEntries => export_for_invoicing;
}

pub(crate) struct SummaryQuery {
    filter: TimeSummaryQuery,
}

impl Query for SummaryQuery {
    fn read(query: &mut QueryReader<'_>) -> Self {
        Self { filter: read_summary_query(query) }
    }
}

/// Reads the parameters as the members of an object. Every invalid one is reported as malformed (400), as for other parameters.
fn read_summary_query(parameters: &mut dyn Parameters) -> TimeSummaryQuery {
    let mut object = Map::new();
    for SchemaMember { name, schema, .. } in TimeSummaryQuery::members() {
        let value = match schema["type"].as_str() {
            Some("array") => Some(parameters.all(name)).filter(|values| !values.is_empty()).map(Json::from),
            Some("boolean") => boolean(parameters, name),
            _ => parameters.single(name).map(Json::from),
        };
        object.extend(value.map(|value| (name.to_owned(), value)));
    }
    let mut problems = Problems::default();
    let query = TimeSummaryQuery::read(object, "", InputMode::Create, &mut problems);
    parameters.problems().all_as_shape(problems);
    query
}

fn boolean(parameters: &mut dyn Parameters, name: &str) -> Option<Json> {
    let text = parameters.single(name)?;
    match bool::read_text(&text, name, parameters.problems()) {
        Read::Value(value) => Some(value.into()),
        Read::Empty | Read::Invalid => None,
    }
}

impl Described for SummaryQuery {
    fn parameters() -> Vec<Parameter> {
        let mut parameters = parameters_of(TimeSummaryQuery::members());
        for parameter in &mut parameters {
            remove_redundant_max_items(&mut parameter.schema);
        }
        parameters
    }
}

/// Removes `maxItems` from an array of choices if it is at least the number of choices: repeated values count once, so no query can
/// exceed it.
fn remove_redundant_max_items(schema: &mut Json) {
    let values = schema["items"]["enum"].as_array().map(|values| values.len() as u64);
    let max = schema["maxItems"].as_u64();
    if let Json::Object(keywords) = schema
        && values.is_some_and(|values| max.is_some_and(|max| values <= max))
    {
        keywords.remove("maxItems");
    }
}

operation! {
    /// Add up time.
    Summarize = "GET /api/v1/time/summary", contract: additional, access: ReadTimeEntries, query: SummaryQuery
    => shown(time_entries::summarize(filter)) -> TimeSummary
}
