//! The service's own events (interface 24.7): what can happen to every record, and what the kinds declare in addition
//! ([`KindEvents`](super::KindEvents)).

use std::iter;
use std::sync::LazyLock;

use super::kind_events::CascadeRole;
use super::{DataType, Module};
use crate::identity::access::{ReadRequirement, RecordKind};

/// An event that the service emits itself.
#[derive(Debug)]
pub struct OwnEvent {
    pub module: Module,
    /// `{noun}.{verb}`, where the noun is a kind of record.
    pub name: String,
    pub(crate) kind: RecordKind,
    verb: &'static str,
    /// A sentence about what happened.
    pub description: String,
}

impl OwnEvent {
    /// What a caller must be able to read to see the event: the record, and the comment if it is about one. Callers that may read a
    /// contact, company or deal may read the comments on it.
    pub(super) fn read_requirements(&self) -> Vec<ReadRequirement> {
        let reads = self.kind.reads();
        let comments =
            self.kind.reads_comments().filter(|requirement| self.is_about_comment() && *requirement != reads);
        iter::once(reads).chain(comments).collect()
    }

    /// The type of the record in the event; `None` if the event is about a comment.
    pub(crate) fn data(&self) -> Option<DataType> {
        (!self.is_about_comment()).then(|| self.kind.events().data)
    }

    /// Whether the event reports a change to something that existed before.
    pub(crate) fn is_change(&self) -> bool {
        !["created", "started", "deleted", "restored", "comment_added", "comment_deleted"].contains(&self.verb)
    }

    /// Whether other records may be deleted or restored with the record; the event then counts them.
    pub(crate) fn has_cascade(&self) -> bool {
        self.cascades_as(CascadeRole::Leader)
    }

    /// Whether the record may be deleted or restored with another; the event then names that record's event.
    pub(crate) fn may_have_cause(&self) -> bool {
        self.cascades_as(CascadeRole::Follower)
    }

    fn cascades_as(&self, role: CascadeRole) -> bool {
        self.kind.events().cascade == Some(role) && ["deleted", "restored"].contains(&self.verb)
    }

    /// Whether the event is about a comment on the record.
    fn is_about_comment(&self) -> bool {
        self.verb.starts_with("comment_")
    }
}

/// The verbs of a kind, each with a sentence about what happened, in catalogue order. The kind's own verbs come after `updated`.
fn verbs(kind: RecordKind) -> Vec<(&'static str, String)> {
    let (a_record, noun) = (kind.with_article(), kind.as_str().replace('_', " "));
    // The indefinite article starts with an a.
    let subject = a_record.replacen('a', "A", 1);
    let mut verbs =
        vec![("created", format!("{subject} was created.")), ("updated", format!("Fields of {a_record} changed."))];
    let mut next = verbs.len();
    if kind.deletes().is_some() {
        verbs.push(("deleted", format!("{subject} was deleted.")));
        verbs.push(("restored", format!("A deleted {noun} was restored.")));
    }
    if kind.reads_comments().is_some() {
        verbs.push(("comment_added", format!("A comment was added to {a_record}.")));
        verbs.push(("comment_updated", format!("The text of a comment on {a_record} changed.")));
        verbs.push(("comment_deleted", format!("A comment on {a_record} was deleted.")));
    }
    for &(verb, sentence) in kind.events().verbs {
        if let Some((_, description)) = verbs.iter_mut().find(|(common, _)| *common == verb) {
            sentence.clone_into(description);
        } else {
            verbs.insert(next, (verb, sentence.to_owned()));
            next += 1;
        }
    }
    verbs
}

/// The events about records of one kind.
fn events_of(kind: RecordKind) -> impl Iterator<Item = OwnEvent> {
    let event = move |(verb, description): (&'static str, String)| OwnEvent {
        module: kind.events().module,
        name: format!("{kind}.{verb}"),
        kind,
        verb,
        description,
    };
    verbs(kind).into_iter().map(event)
}

/// The events of each module, in the order of the modules and of the kinds.
static EVENTS: LazyLock<Vec<Vec<OwnEvent>>> = LazyLock::new(|| {
    let events_in = |module: &Module| -> Vec<OwnEvent> {
        let kinds = RecordKind::ALL.iter().copied().filter(|kind| kind.events().module == *module);
        kinds.flat_map(events_of).collect()
    };
    Module::ALL.iter().map(events_in).collect()
});

static NAMES: LazyLock<Vec<Vec<&'static str>>> = LazyLock::new(|| {
    let names = |events: &'static Vec<OwnEvent>| -> Vec<_> { events.iter().map(|event| event.name.as_str()).collect() };
    EVENTS.iter().map(names).collect()
});

impl Module {
    /// The names of the events that the service emits itself; empty for modules whose events other systems report.
    pub fn events(self) -> &'static [&'static str] {
        &NAMES[self as usize]
    }

    /// The events that the service emits itself.
    pub fn own_events(self) -> &'static [OwnEvent] {
        &EVENTS[self as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_event_is_a_sentence_about_a_record_that_keys_can_read() {
        for event in Module::ALL.iter().flat_map(|module| module.own_events()) {
            assert!(event.description.len() > 15 && event.description.ends_with('.'), "{}", event.name);
            assert!(matches!(event.read_requirements()[0], ReadRequirement::Records(_)), "{}", event.name);
            let is_on_issue = [RecordKind::Task, RecordKind::Ticket].contains(&event.kind);
            assert_eq!(event.read_requirements().len() == 2, is_on_issue && event.is_about_comment(), "{}", event.name);
            assert!(!event.is_about_comment() || event.kind.reads_comments().is_some(), "{}", event.name);
        }
    }

    #[test]
    fn every_kind_has_events_of_its_module() {
        for kind in RecordKind::ALL.iter().copied() {
            let module = kind.events().module;
            assert!(module.report_requirement().is_none() || module == Module::Time, "{kind}");
            for verb in ["created", "updated"] {
                assert!(module.events().contains(&&*format!("{kind}.{verb}")), "{kind}.{verb}");
            }
            let is_deleted = module.events().contains(&&*format!("{kind}.deleted"));
            assert_eq!(is_deleted, kind.deletes().is_some(), "{kind}");
        }
    }

    #[test]
    fn a_kinds_own_verbs_come_after_updated() {
        let verbs: Vec<_> = verbs(RecordKind::Deal).into_iter().map(|(verb, _)| verb).collect();
        let (own, deleted) = (["stage_changed", "won", "lost"], ["deleted", "restored"]);
        let comments = ["comment_added", "comment_updated", "comment_deleted"];
        assert_eq!(verbs, [&["created", "updated"][..], &own, &deleted, &comments].concat());
    }
}
