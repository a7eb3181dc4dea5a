//! Filters for readers of the event log (interface 24.3).

use serde_json::Value as Json;
use time::OffsetDateTime;
use uuid::Uuid;

use super::{ALL_EVENTS, LoggedEvent, MAX_NAME_LENGTH, Module, event_name_schema, is_event_name};
use crate::filter;
use crate::identity::access::RecordKind;
use crate::kernel::input::schema::{either, enum_schema};
use crate::kernel::input::{
    Line, Problems, Read, Several, Value, choices, filter_texts, filter_values, parse_uuid, readable_choices,
};

choices! {
    /// The kind of actor that an event names.
    pub enum EventActorKind {
        User = "user",
        ApiKey = "api_key",
        /// A key of a trial.
        Trial = "trial",
        Customer = "customer",
        /// The service itself.
        System = "system",
    }
}

readable_choices!(EventActorKind);

/// The name of an event as a client sends it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EventName(String);

impl Value for EventName {
    fn schema() -> Json {
        Line::<MAX_NAME_LENGTH>::schema()
    }

    fn read(json: Json, at: &str, problems: &mut Problems) -> Read<Self> {
        Line::<MAX_NAME_LENGTH>::read(json, at, problems).and_then(|text| {
            if is_event_name(text.as_str()) {
                return Read::Value(Self(text.into()));
            }
            problems.invalid(at, "unknown_event", "must be the name of an event, such as deal.won")
        })
    }
}

/// Whose events match: those of one user or key, or of all actors of a kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ActorChoice {
    Kind(EventActorKind),
    Id(Uuid),
}

impl Value for ActorChoice {
    fn schema() -> Json {
        either(Uuid::schema(), enum_schema(EventActorKind::ALL.iter().map(|kind| kind.as_str())))
    }

    fn read(json: Json, at: &str, problems: &mut Problems) -> Read<Self> {
        if let Some(kind) = json.as_str().and_then(EventActorKind::parse) {
            return Read::Value(Self::Kind(kind));
        }
        if let Some(id) = json.as_str().and_then(parse_uuid) {
            return Read::Value(Self::Id(id));
        }
        let kinds = EventActorKind::allowed_values();
        problems.malformed(at, "invalid_value", format!("must be the UUID of a user or key, or one of {kinds}"))
    }
}

/// The actor whose events are excluded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExcludedActor {
    /// The caller's own: `me`.
    Caller,
    /// Events of a user or key.
    Id(Uuid),
}

impl Value for ExcludedActor {
    fn schema() -> Json {
        either(Uuid::schema(), enum_schema([ME]))
    }

    fn read(json: Json, at: &str, problems: &mut Problems) -> Read<Self> {
        if json.as_str() == Some(ME) {
            return Read::Value(Self::Caller);
        }
        if let Some(id) = json.as_str().and_then(parse_uuid) {
            return Read::Value(Self::Id(id));
        }
        problems.malformed(at, "invalid_value", format!("must be the UUID of a user or key, or {ME}"))
    }
}

/// The caller as an excluded actor.
const ME: &str = "me";

/// The id of a record of any kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RecordId(pub Uuid);

impl Value for RecordId {
    fn schema() -> Json {
        Uuid::schema()
    }

    fn read(json: Json, at: &str, problems: &mut Problems) -> Read<Self> {
        Uuid::read(json, at, problems).map(Self)
    }
}

filter_values!(ActorChoice, ExcludedActor, RecordId);
filter_texts!(EventName => event_name_schema());

filter! {
    /// Which events of the log; what is absent matches all.
    pub struct EventFilter {
        /// Of any of these modules.
        module: Several<Module, 12>,
        /// With any of these names; aliases work too.
        /// Note: Such as deal.won. Nouns: contact, company, deal, project, cycle, task, ticket, article, `time_entry`, `canned_reply`. Verbs: created, updated, deleted, restored, `status_changed`, assigned, `stage_changed`, won, lost, started, stopped, submitted, approved, rejected, `comment_added`, `comment_updated`, `comment_deleted`.
        event: Several<EventName, 20>,
        /// About this record, or a comment on it.
        record_id: Option<RecordId>,
        /// Done by this user or key, or by actors of this kind: `user`, `api_key`, `trial`, `customer` or `system`.
        actor: Option<ActorChoice>,
        /// Not done by this user or key; `me` leaves out what the caller has done.
        /// Note: me leaves out your own.
        exclude_actor: Option<ExcludedActor>,
        /// At this time or later.
        since: Option<OffsetDateTime>,
    }
    together EventFilter::check_names;
}

impl EventFilter {
    /// Each name must belong to one of the filter's modules. Other systems name their events freely, but names about the service's
    /// own records are accepted only if the filter names the other module: otherwise a follower with a misspelt `deal.wom` would
    /// wait forever.
    fn check_names(&self, problems: &mut Problems) {
        let is_known = |name: &EventName| self.modules().any(|module| self.canonical_in(module, name).is_some());
        if self.event.0.iter().any(|name| !is_known(name)) {
            problems.rule(
                "event",
                "unknown_event",
                format!("must be event names of these modules: {}", self.known_names()),
            );
        }
    }

    /// The event names of the filter's modules, for an error message.
    fn known_names(&self) -> String {
        let names = self.modules().flat_map(Module::events).copied();
        let are_reported = self.modules().any(|module| module.report_requirement().is_some());
        let reported = are_reported.then_some("or a name that another system reports, such as booking.confirmed");
        names.chain(reported).collect::<Vec<_>>().join(", ")
    }

    fn modules(&self) -> impl Iterator<Item = Module> {
        Module::ALL.iter().copied().filter(|module| self.module.accepts(module))
    }

    fn canonical_in(&self, module: Module, EventName(name): &EventName) -> Option<String> {
        let is_free = module.report_requirement().is_some();
        if is_free && self.module.0.is_empty() && names_own_record(name) && !module.owns_noun_of(name) {
            return None;
        }
        module.canonical(name).filter(|name| name != ALL_EVENTS)
    }

    /// The names that match; `None` for all names.
    pub fn names(&self) -> Option<Vec<String>> {
        if self.event.0.is_empty() {
            return None;
        }
        let canonical_names = |name| self.modules().filter_map(move |module| self.canonical_in(module, name));
        let mut names: Vec<_> = self.event.0.iter().flat_map(canonical_names).collect();
        names.sort_unstable();
        names.dedup();
        Some(names)
    }

    /// The record, if only its events match.
    pub(crate) fn record(&self) -> Option<Uuid> {
        self.record_id.map(|RecordId(id)| id)
    }
}

/// Whether the noun of an event name is a kind of record of the service.
fn names_own_record(name: &str) -> bool {
    name.split_once('.').is_some_and(|(noun, _)| noun == "issue" || RecordKind::parse(noun).is_some())
}

/// A filter with its names resolved, ready to be compared with events.
#[derive(Debug, Clone)]
pub struct EventMatcher {
    pub modules: Vec<Module>,
    pub names: Option<Vec<String>>,
    pub record: Option<Uuid>,
    pub actor: Option<ActorChoice>,
    /// The user or key whose events are excluded.
    pub excluded: Option<Uuid>,
    pub since: Option<OffsetDateTime>,
}

impl EventMatcher {
    /// Resolves the filter for the user or key with this id, or for the service if `None`.
    pub fn new(filter: &EventFilter, caller: Option<Uuid>) -> Self {
        Self {
            modules: filter.module.0.clone(),
            names: filter.names(),
            record: filter.record(),
            actor: filter.actor,
            excluded: filter.exclude_actor.and_then(|excluded| match excluded {
                ExcludedActor::Caller => caller,
                ExcludedActor::Id(id) => Some(id),
            }),
            since: filter.since,
        }
    }

    pub fn matches(&self, event: &LoggedEvent) -> bool {
        (self.modules.is_empty() || self.modules.contains(&event.module))
            && self.names.as_ref().is_none_or(|names| names.contains(&event.name))
            && self.record.is_none_or(|id| event.record.as_ref().is_some_and(|(_, record)| *record == id))
            && self.since.is_none_or(|since| event.created_at >= since)
            && match self.actor {
                None => true,
                Some(ActorChoice::Kind(kind)) => event.actor.kind == kind.as_str(),
                Some(ActorChoice::Id(id)) => event.actor.id == Some(id),
            }
            && (self.excluded.is_none() || event.actor.id != self.excluded)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::input::{Input, InputMode};
    use serde_json::json;

    fn read(json: Json) -> Result<EventFilter, Vec<String>> {
        let Json::Object(object) = json else { panic!("no object") };
        let mut problems = Problems::default();
        let filter = EventFilter::read(object, "", InputMode::Create, &mut problems);
        problems.into_codes().map(|()| filter)
    }

    #[test]
    fn names_must_belong_to_the_modules_of_the_filter() {
        for (json, names) in [
            (
                json!({"event": ["deal.won", "issue.created", "task.created"]}),
                Ok(Some(vec!["deal.won", "task.created"])),
            ),
            (json!({"event": ["booking.made"]}), Ok(Some(vec!["booking.made"]))),
            (json!({"module": ["scheduling"], "event": ["deal.booked"]}), Ok(Some(vec!["deal.booked"]))),
            (json!({"event": ["deal.wom"]}), Err(vec!["event:unknown_event"])),
            (json!({"event": ["issue.wom"]}), Err(vec!["event:unknown_event"])),
            (json!({"module": ["crm"], "event": ["task.created"]}), Err(vec!["event:unknown_event"])),
            (json!({"event": ["*"]}), Err(vec!["event[0]:unknown_event"])),
            (json!({"event": ["webhook.test"]}), Err(vec!["event[0]:unknown_event"])),
            (json!({}), Ok(None)),
        ] {
            let actual = read(json.clone()).map(|filter| filter.names());
            let names_found =
                actual.as_ref().map(|names| names.as_ref().map(|all| all.iter().map(String::as_str).collect()));
            let errors = names.map_err(|codes| codes.into_iter().map(str::to_owned).collect::<Vec<_>>());
            assert_eq!(names_found.map_err(Clone::clone), errors, "{json}");
        }
    }

    #[test]
    fn the_caller_or_another_actor_can_be_excluded() {
        let (me, other) = (Uuid::from_u128(1), Uuid::from_u128(2));
        let excluded = |json| EventMatcher::new(&read(json).unwrap(), Some(me)).excluded;
        assert_eq!(excluded(json!({"exclude_actor": "me"})), Some(me));
        assert_eq!(excluded(json!({ "exclude_actor": other })), Some(other));
        assert_eq!(excluded(json!({})), None);
        assert_eq!(read(json!({"exclude_actor": "user"})).unwrap_err(), ["exclude_actor:invalid_value"]);
    }

    #[test]
    fn errors_list_the_names_that_exist() {
        let members = EventFilter::members();
        let member = members.iter().find(|member| member.name == "event").unwrap();
        let nouns: Vec<_> = RecordKind::ALL.iter().map(|kind| kind.as_str()).collect();
        let nouns = format!("Nouns: {}. Verbs:", nouns.join(", "));
        assert!(member.note.replace('`', "").contains(&nouns), "{nouns} {}", member.note);
        for name in Module::ALL.iter().flat_map(|module| module.events()) {
            let (noun, verb) = name.split_once('.').unwrap();
            assert!(member.note.contains(noun) && member.note.contains(verb), "{name}: {}", member.note);
        }
        let Json::Object(object) = json!({"module": ["crm"], "event": ["task.created"]}) else { panic!("no object") };
        let mut problems = Problems::default();
        EventFilter::read(object, "", InputMode::Create, &mut problems);
        let message = problems.into_result().unwrap_err().details()[0].message.clone();
        assert!(message.contains("contact.created, ") && message.ends_with("deal.comment_deleted"), "{message}");
        assert!(!message.contains("task."), "{message}");
    }

    #[test]
    fn an_actor_is_an_id_or_a_kind() {
        let id = "01890a5d-ac96-774b-bcce-b302099a8057";
        assert_eq!(read(json!({"actor": id})).unwrap().actor, Some(ActorChoice::Id(id.parse().unwrap())));
        assert_eq!(read(json!({"actor": "trial"})).unwrap().actor, Some(ActorChoice::Kind(EventActorKind::Trial)));
        assert_eq!(read(json!({"actor": "ann"})).unwrap_err(), ["actor:invalid_value"]);
    }
}
