//! What all kinds of records have in common, so that generic code stores, reads and changes them.

use time::OffsetDateTime;
use uuid::Uuid;

use super::{RecordFilter, UniqueValue};
use crate::events::EventSource;
use crate::identity::access::{Actor, Credential, RecordKind, ToolPermit};
use crate::kernel::paging::{Paginated, Sorted};
use crate::ports::{RecordList, RecordRepo, Repositories};

/// A kind of record: versioned, stored in its own table, and soft-deleted.
pub trait Kind: Clone + PartialEq + Send + 'static {
    type Id: Copy + Ord + Send + Sync + From<Uuid> + Into<Uuid> + 'static;
    /// The filter of its lists. A kind without a list has one for its deleted records.
    type Filter: Send + Sync + 'static;
    /// The kinds that its records can have: two for issues, which are tasks or tickets, and one for all others.
    const KINDS: &'static [RecordKind];
    /// The name of a record in messages.
    const NOUN: &'static str = RecordKind::noun_of(Self::KINDS);
    /// The member that is false for records that only their owners see; `None` if everyone who may read the kind sees all of them.
    /// Stores have a column of the same name.
    const SHARED_MEMBER: Option<&'static str> = None;
    /// Whether only their owners see some of its records.
    const HAS_OWNERS: bool = Self::SHARED_MEMBER.is_some();

    /// The owner whose records match a filter, in addition to records without an owner; `None` if only the latter match.
    fn reader(_: &Self::Filter) -> Option<Uuid> {
        None
    }
    /// The filter with this reader, for kinds that [have owners](Kind::HAS_OWNERS).
    #[must_use]
    fn visible_to(filter: Self::Filter, _: Actor) -> Self::Filter {
        filter
    }

    /// The repository that `tx.records()` returns.
    fn repository(repositories: &mut dyn Repositories) -> &mut dyn RecordRepo<Self>;
    fn id(&self) -> Self::Id;
    /// Its name, title or other short text that identifies it to people.
    fn label(&self) -> &str;
    /// The id without its type.
    fn uuid(&self) -> Uuid {
        self.id().into()
    }
    fn version(&self) -> i64;
    /// Increments the version and sets `updated_at` to a later time than before.
    fn bump_version(&mut self, now: OffsetDateTime);
    /// The only actor who sees the record; `None` if everyone who may read its kind sees it. A record with an owner has no events and
    /// therefore no history, and webhooks and followers of the log never see it.
    fn owner(&self) -> Option<Actor> {
        None
    }
    /// Whether an actor who may read its kind sees the record.
    fn is_visible_to(&self, actor: Actor) -> bool {
        self.owner().is_none_or(|owner| owner == actor)
    }
    /// The record as it is shown to the holder of a credential; `None` stands for an operator.
    #[must_use]
    fn shown_to(self, _: Option<Credential>) -> Self {
        self
    }
    /// The values that no other live record of the workspace may have, in the order in which duplicates are reported.
    fn unique_values(&self) -> Vec<UniqueValue> {
        Vec::new()
    }
    /// A value that no two live records may have.
    fn unique(member: &'static str, value: String) -> UniqueValue {
        UniqueValue { kind: Self::KINDS[0], member, value }
    }
}

/// A kind whose records have their own list. Cycles have none: they are listed by project.
pub trait ListedKind: Kind<Filter: RecordFilter> + Paginated + Sorted + EventSource {
    /// The repository that `tx.lists()` returns.
    fn lists(repositories: &mut dyn Repositories) -> &mut dyn RecordList<Self>;
}

/// A kind with one permission that is enough to read all its records, whatever they contain.
pub trait Readable: Kind {
    type Read: ToolPermit;
}

/// Implements [`Kind`]; with `listed by`, [`ListedKind`] and the name of the list; with `read by`, [`Readable`] and the history; with
/// `shown by`, the function that reveals restricted values; with `owned unless`, the member that is false for records with an
/// [owner](Kind::owner): who created the record. Its filter then has a member `reader`. The unique values are optional members.
macro_rules! kind {
    ($record:ty, $kinds:tt, $id:ty, called $name:ident, listed by $filter:ty as $list:expr $(, $($more:tt)+)?) => {
        $crate::records::kind!($record, $kinds, $id, called $name, filter: $filter $(, $($more)+)?);

        impl $crate::kernel::paging::Paginated for $record {
            const LIST: $crate::kernel::paging::ListName = $list;

            fn cursor_key(&self) -> (time::OffsetDateTime, uuid::Uuid) {
                (self.created_at, self.id.0)
            }
        }

        impl $crate::records::ListedKind for $record {
            fn lists(
                repositories: &mut dyn $crate::ports::Repositories,
            ) -> &mut dyn $crate::ports::RecordList<Self> {
                repositories
            }
        }
    };
    (
        $record:ty, [$($kind:ident),+], $id:ty, called $name:ident, filter: $filter:ty
        $(, read by $read:ty)? $(, shown by $shown:path)? $(, owned unless $shared:ident)?
        $(, unique: |$it:ident| [$($member:ident: $value:expr),+ $(,)?])?
    ) => {
        impl $crate::records::Kind for $record {
            type Id = $id;
            type Filter = $filter;
            const KINDS: &'static [$crate::records::RecordKind] = &[$($crate::records::RecordKind::$kind),+];
            $(const SHARED_MEMBER: Option<&'static str> = Some(stringify!($shared));

            fn reader(filter: &$filter) -> Option<uuid::Uuid> {
                filter.reader
            }

            fn visible_to(mut filter: $filter, reader: $crate::identity::access::Actor) -> $filter {
                filter.reader = reader.id;
                filter
            })?

            fn repository(
                repositories: &mut dyn $crate::ports::Repositories,
            ) -> &mut dyn $crate::ports::RecordRepo<Self> {
                repositories
            }

            fn id(&self) -> $id {
                self.id
            }

            fn label(&self) -> &str {
                &self.$name
            }

            fn version(&self) -> i64 {
                self.version
            }

            fn bump_version(&mut self, now: time::OffsetDateTime) {
                self.version += 1;
                self.updated_at = $crate::kernel::later(self.updated_at, now);
            }

            $(fn shown_to(self, credential: Option<$crate::identity::access::Credential>) -> Self {
                $shown(self, credential)
            })?

            $(fn owner(&self) -> Option<$crate::identity::access::Actor> {
                (!self.$shared).then_some(self.created_by)
            })?

            $(fn unique_values(&self) -> Vec<$crate::records::UniqueValue> {
                let $it = self;
                [$($value.map(|value| Self::unique(stringify!($member), value))),+].into_iter().flatten().collect()
            })?
        }

        $(
            impl $crate::records::Readable for $record {
                type Read = $read;
            }

            impl $crate::records::HasHistory for $id {
                type Read = $read;
                const KINDS: &'static [$crate::records::RecordKind] = <$record as $crate::records::Kind>::KINDS;
            }
        )?
    };
}
pub(crate) use kind;
