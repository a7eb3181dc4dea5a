//! The arguments that name a record with comments, such as `deal_id`, derived from the kinds that have comments.

use std::sync::LazyLock;

use domain::kernel::input::{SchemaMember, Value};
use domain::records::RecordKind;
use domain::work::comments::CommentedRecord;
use uuid::Uuid;

/// An argument that names a record with comments by its id.
#[derive(Debug)]
pub(crate) struct RecordArgument {
    pub(crate) name: String,
    /// The possible kinds of the record.
    kinds: Vec<RecordKind>,
}

/// One per kind with comments, except that both kinds of issues share the first one.
pub(crate) static RECORD_ARGUMENTS: LazyLock<Vec<RecordArgument>> = LazyLock::new(|| {
    let mut arguments: Vec<RecordArgument> = Vec::new();
    for kind in RecordKind::ALL.iter().copied() {
        let Some(on) = CommentedRecord::of(kind, Uuid::nil()) else { continue };
        let name = format!("{}_id", on.noun());
        match arguments.iter_mut().find(|argument| argument.name == name) {
            Some(argument) => argument.kinds.push(kind),
            None => arguments.push(RecordArgument { name, kinds: vec![kind] }),
        }
    }
    arguments.sort_by_key(|argument| argument.kinds.len() == 1);
    arguments
});

/// The names of all, for messages.
pub(crate) fn names_in_words() -> String {
    let names: Vec<_> = RECORD_ARGUMENTS.iter().map(|argument| argument.name.as_str()).collect();
    names.split_last().map(|(last, others)| format!("{} and {last}", others.join(", "))).unwrap_or_default()
}

impl RecordArgument {
    /// The argument for a kind; `None` if its records have no comments.
    pub(crate) fn of(kind: RecordKind) -> Option<&'static Self> {
        RECORD_ARGUMENTS.iter().find(|argument| argument.kinds.contains(&kind))
    }

    /// The record with the id that was sent.
    pub(crate) fn record(&self, id: Uuid) -> Option<CommentedRecord> {
        CommentedRecord::of(*self.kinds.first()?, id)
    }

    pub(crate) fn member(&'static self) -> SchemaMember {
        let kinds = self.kinds.iter().map(|kind| kind.as_str()).collect::<Vec<_>>().join(" or ");
        let id = SchemaMember::optional(&self.name, Uuid::schema());
        if self.kinds.len() == 1 {
            return id.described(format!("The {kinds} that the comments are on."));
        }
        let description = format!("The {kinds}. Send exactly one of {}.", names_in_words());
        SchemaMember { note: format!("A {kinds}."), ..id.described(description) }
    }
}
