//! Repositories that only exist in the database: no test of a use case or a surface needs them.

use time::OffsetDateTime;
use uuid::Uuid;

use super::state::MemoryTx;
use domain::console::{HomeQuery, HomeRecord, RecentChange};
use domain::crm::contacts::Contact;
use domain::events::{EventCause, EventReach};
use domain::identity::access::Principal;
use domain::identity::accounts::SignInChallenge;
use domain::identity::workspaces::PasswordHash;
use domain::kernel::input::CreatedFilter;
use domain::kernel::paging::PageRequest;
use domain::ports::{
    CascadeRepo, ChallengeRepo, DraftRepo, ErasureRepo, HomeRepo, PresenceRepo, RecordErasureRepo, ReplayRepo,
    StoreError,
};
use domain::records::RecordKind;
use domain::support::erasure::{FoundText, PersonErasure, Scanned, TextSource};
use domain::webhooks::{Replay, ReplayCount, ReplaySelection};
use domain::work::cascades::{NotedRecords, ProjectChange};
use domain::work::comments::{CommentedRecord, Visibility};
use domain::work::cycles::{Cycle, CycleCounts};
use domain::work::drafts::Draft;
use domain::work::issues::Issue;
use domain::work::presence::{Presence, PresenceState};
use domain::{CycleId, ErasureId, IssueId, ReplayId, SubscriptionId, UserId};

/// Fails a test that needs an unsupported method, instead of returning a wrong result.
pub(super) fn not_in_memory(what: &str) -> ! {
    panic!("not in memory: {what}")
}

/// Implements repositories without any of their methods.
macro_rules! not_in_memory {
    ($($repo:path { $(fn $method:ident($($argument:ty),*) -> $answer:ty;)+ })+) => { $(
        impl $repo for MemoryTx<'_> { $(
            fn $method(&mut self, $(_: $argument),*) -> Result<$answer, StoreError> {
                not_in_memory(concat!(stringify!($repo), "::", stringify!($method)))
            }
        )+ }
    )+ };
}

not_in_memory! {
    CascadeRepo {
        fn take(u32) -> Option<NotedRecords>;
        fn cause(&ProjectChange) -> Option<(EventCause, Principal)>;
        fn tasks(&[IssueId]) -> Vec<(Issue, Option<OffsetDateTime>)>;
        fn cycles(&[CycleId]) -> Vec<(Cycle, CycleCounts, Option<OffsetDateTime>)>;
    }
    RecordErasureRepo {
        fn erase(RecordKind, &[Uuid], OffsetDateTime, u32) -> u64;
    }
    ChallengeRepo {
        fn insert(&SignInChallenge, Option<&PasswordHash>, u32) -> bool;
        fn take_try(&str, OffsetDateTime, u32) -> bool;
        fn remove(&str) -> bool;
    }
    HomeRepo {
        fn waiting(&HomeQuery) -> Vec<HomeRecord>;
        fn changes(&EventReach) -> Vec<RecentChange>;
    }
    DraftRepo {
        fn save(UserId, &Draft) -> i64;
        fn on(UserId, CommentedRecord) -> Vec<Draft>;
        fn list(UserId) -> Vec<Draft>;
        fn delete(UserId, CommentedRecord, Visibility) -> bool;
        fn delete_on(&[Uuid]) -> ();
    }
    PresenceRepo {
        fn be_there(Uuid, UserId, PresenceState, OffsetDateTime) -> Vec<Presence>;
        fn leave(Uuid, UserId) -> ();
    }
    ReplayRepo {
        fn count(&ReplaySelection, u32) -> ReplayCount;
        fn running_for_update() -> Vec<SubscriptionId>;
        fn insert(&Replay) -> ();
        fn list(SubscriptionId, &CreatedFilter, &PageRequest) -> Vec<Replay>;
        fn get(SubscriptionId, ReplayId) -> Option<Replay>;
        fn get_for_update(SubscriptionId, ReplayId) -> Option<Replay>;
        fn cancel(ReplayId, OffsetDateTime) -> ();
    }
    ErasureRepo {
        fn insert(&PersonErasure) -> ();
        fn get(ErasureId) -> Option<PersonErasure>;
        fn list(&PageRequest) -> Vec<PersonErasure>;
        fn next() -> Option<PersonErasure>;
        fn save(&PersonErasure) -> ();
        fn unfinished() -> u64;
        fn contacts(&PersonErasure, u32) -> Vec<(Contact, bool)>;
        fn erase_contact(&Contact) -> ();
        fn tickets(&PersonErasure, u32) -> Vec<IssueId>;
        fn erase_requesters(&[IssueId]) -> ();
        fn add_records(ErasureId, &[Uuid]) -> ();
        fn texts(&PersonErasure, TextSource, u32) -> Scanned<Vec<FoundText>>;
        fn save_texts(TextSource, &[FoundText]) -> ();
        fn drop_emails(&PersonErasure, u32) -> Scanned<u64>;
        fn drop_email_parts(&[Uuid]) -> ();
        fn erase_responses(&PersonErasure, u32) -> Scanned<u64>;
        fn erase_from_audit_log(&PersonErasure, u32) -> Scanned<u64>;
        fn forget_searches(&dyn Fn(&str) -> bool) -> u64;
        fn forget_records(ErasureId, u32) -> u64;
    }
}
