//! Canned replies: texts for answers to tickets, either shared or private to their author (interface 13.10).

mod answers;
mod variables;

pub use answers::{OfferedReplies, append_reply, insert_reply, offered_replies, read_for_ticket, shortcut_in};
pub use variables::{Variable, variables_in};

use time::OffsetDateTime;
use uuid::Uuid;

use super::kb::{ArticleOrder, Slug};
use crate::events::example::{self, ADA, MADE};
use crate::events::{DataType, EventSource, KindEvents, Module, event_source};
use crate::identity::access::{
    ActorKind, CreateCannedReplies, DeleteCannedReplies, ReadCannedReplies, UpdateCannedReplies,
};
use crate::kernel::ids::ids;
use crate::kernel::input::{InputMode, Line, LongText, MAX_IDS, Problems, Several};
use crate::kernel::paging::{ListName, Sort, SortKey, Sorted};
use crate::kernel::search::{SearchQuery, SearchWords};
use crate::ports::Tx;
use crate::records::{
    Editable, Importable, RecordFilter, RecordKind, Resource, Transferred, Writing, deletable, kind, record_filter,
    resource,
};
use crate::{Error, filter};

ids! {
    /// A canned reply.
    CannedReplyId,
}

resource! {
    /// The writable fields of a canned reply.
    pub input CannedReplyFields together CannedReplyFields::check_variables;

    /// A canned reply.
    pub record CannedReply(CannedReplyId) {
        /// What it is about.
        title: Line<255> = required,
        /// What an agent types behind a slash to insert it. Several may have the same.
        shortcut: Slug,
        /// The text, which is plain: answers show Markdown as it was typed. Variables are `{{customer.name}}`, `{{customer.email}}`,
        /// `{{ticket.number}}`, `{{ticket.title}}`, `{{agent.name}}` and `{{workspace.name}}`.
        /// Note: Plain text, not Markdown. May have variables such as `{{customer.name}}`.
        body: LongText<10_000> = required,
        /// false: only its maker sees it. A shared reply stays shared.
        /// Default: true.
        shared: bool = default(true),
    }
}

kind! {
    CannedReply, [CannedReply], CannedReplyId, called title,
    listed by CannedReplyFilter as ListName::numbered(31).by_fields(),
    read by ReadCannedReplies, owned unless shared
}

deletable!(CannedReply, DeleteCannedReplies);

impl CannedReplyFields {
    fn check_variables(&self, _: InputMode, problems: &mut Problems) {
        if let Some(unknown) = variables::unknown_in(self.body.set().map_or("", LongText::as_str)) {
            let known = Variable::all_in_braces();
            problems.rule("body", "invalid_value", format!("{unknown} is not a variable: the variables are {known}"));
        }
    }
}

impl Editable for CannedReply {
    type Create = CreateCannedReplies;
    type Update = UpdateCannedReplies;

    fn new(id: CannedReplyId, writing: &Writing) -> Self {
        Self::blank(id, writing.actor(), writing.now)
    }

    fn fill(&mut self, fields: CannedReplyFields, _: &Writing) -> Result<(), Error> {
        let was_shared = self.shared;
        self.apply(fields);
        if was_shared && !self.shared && self.created_by.kind != ActorKind::User {
            return Err(Error::invalid(
                "shared",
                "invalid_value",
                "must be true: only members have replies of their own",
            ));
        }
        Ok(())
    }

    fn settle(
        &mut self,
        _: &CannedReplyFields,
        stored: Option<&Self>,
        _: &mut dyn Tx,
        _: &Writing,
    ) -> Result<(), Error> {
        if stored.is_some_and(|stored| stored.shared) && !self.shared {
            return Err(Error::InvalidStateChange("a shared reply stays shared: delete it instead".to_owned()));
        }
        Ok(())
    }
}

impl Importable for CannedReply {}

impl Transferred for CannedReply {
    fn file_keys(_: RecordKind) -> &'static [&'static str] {
        &[]
    }
}

impl CannedReply {
    /// The words that the search of the list matches.
    pub fn search_words(&self) -> Vec<String> {
        let mut words = SearchWords::default();
        words.text(Some(&self.title)).text(self.shortcut.as_deref());
        words.into_vec()
    }
}

filter! {
    /// Filters of the list of canned replies; what is absent matches all.
    pub struct CannedReplyFilter {
        /// Word prefixes in title and shortcut; all must match.
        search: Option<SearchQuery>,
        /// With this shortcut.
        shortcut: Option<Line<255>>,
        /// true: shared ones; false: the caller's own.
        shared: Option<bool>,
        /// true: only those deleted in the last 30 days; needs permission to delete.
        deleted: Option<bool>,
        /// Created at this time or later.
        created_since: Option<OffsetDateTime>,
        /// Created before this time.
        created_before: Option<OffsetDateTime>,
    }
    only in queries {
        /// With any of these ids.
        ids: Several<CannedReplyId, MAX_IDS>,
        /// `newest` (default) or `oldest`.
        order: Option<ArticleOrder>,
    }
    set by use cases {
        /// The member whose own replies match too; by default only shared ones match.
        reader: Option<Uuid>,
    }
    together CannedReplyFilter::check_together;
}

record_filter!(CannedReplyFilter, words in search);

impl Sorted for CannedReply {
    fn sort_key(&self, by: Sort) -> SortKey {
        if by == Sort::Created { SortKey::Time(self.created_at) } else { SortKey::Nothing }
    }
}

pub(crate) static EVENTS: KindEvents = KindEvents {
    module: Module::Support,
    verbs: &[("created", "A canned reply was created, or its maker shared it.")],
    cascade: None,
    data: DataType::of::<CannedReply>(),
    examples: || example::life::<CannedReply>(example, &[|it| it.shortcut = Some("late".to_owned())]),
};

impl EventSource for CannedReply {
    event_source!(CannedReply);
}

fn example(version: i64, updated_at: OffsetDateTime) -> CannedReply {
    CannedReply {
        title: "Late parcel".to_owned(),
        body: "Dear {{customer.name}}, we have asked the carrier about {{ticket.number}}.".to_owned(),
        version,
        updated_at,
        ..CannedReply::blank(CannedReplyId(example::id(15)), ADA, MADE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::input::Input;
    use serde_json::json;

    fn problems_of(body: &str) -> Vec<String> {
        let fields = json!({ "title": "t", "body": body }).as_object().cloned().unwrap_or_default();
        let read = CannedReplyFields::from_object(fields, InputMode::Create);
        read.err().map_or_else(Vec::new, |error| error.details().iter().map(|one| one.field.clone()).collect())
    }

    #[test]
    fn unknown_variables_are_refused() {
        for body in ["Dear {{customer.name}}", "{{ agent.name }}{{ticket.number}}", "a {{ b", "} {", "{customer}"] {
            assert!(problems_of(body).is_empty(), "{body}");
        }
        for body in ["{{customer.password}}", "{{}}", "{{agent.name}} {{x}}", "{{{agent.name}}}"] {
            assert_eq!(problems_of(body), ["body"], "{body}");
        }
    }

    #[test]
    fn the_message_names_the_unknown_variable_and_all_variables() {
        let fields = json!({ "title": "t", "body": "{{ customer.name }} {{ customer name }}" });
        let fields = fields.as_object().cloned().unwrap_or_default();
        let Err(error) = CannedReplyFields::from_object(fields, InputMode::Create) else { panic!("accepted") };
        let message = error.details().into_iter().map(|one| one.message).collect::<String>();
        assert!(message.starts_with("{{customer name}} is not a variable"), "{message}");
        for variable in Variable::ALL {
            assert!(message.contains(&variable.in_braces()), "{message}");
        }
    }
}
