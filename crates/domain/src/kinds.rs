//! Looks up what each kind of record declares next to its own code, so that callers need not list the kinds.

use crate::events::KindEvents;
use crate::identity::access::RecordKind;
use crate::identity::timers::StopTimers;

/// The kinds, one row each: singular and plural name, in texts and in URLs; the permission to read a record; the permission to
/// delete one (none for tickets, which are closed instead); and the requirement to read comments on one (none for kinds without
/// comments). `$with` is a macro that expands all rows.
macro_rules! record_kinds {
    ($with:ident) => {
        $with! {
            Contact = "contact" / "contacts":
                ReadContacts, [DeleteContacts], [Records(ToolPermission::ReadContacts)];
            Company = "company" / "companies":
                ReadCompanies, [DeleteCompanies], [Records(ToolPermission::ReadCompanies)];
            Deal = "deal" / "deals": ReadDeals, [DeleteDeals], [Records(ToolPermission::ReadDeals)];
            Project = "project" / "projects": ReadProjects, [DeleteProjects], [];
            Cycle = "cycle" / "cycles": ReadCycles, [DeleteCycles], [];
            Task = "task" / "tasks": ReadTasks, [DeleteTasks], [Comments(IssueKind::Task)];
            Ticket = "ticket" / "tickets": ReadTickets, [], [Comments(IssueKind::Ticket)];
            /// An article of the knowledge base.
            Article = "article" / "articles": ReadKbArticles, [DeleteKbArticles], [];
            /// Time that a member has worked.
            TimeEntry = "time_entry" / "time_entries": ReadTimeEntries, [DeleteTimeEntries], [];
            CannedReply = "canned_reply" / "canned_replies": ReadCannedReplies, [DeleteCannedReplies], [];
        }
    };
}
pub(crate) use record_kinds;

/// Runs one expression for the record type of a kind: `K` in `with_kind!(kind, K => …)` is that type.
macro_rules! with_kind {
    (@arms $kind:expr, $record:ident => $work:expr; $($($variant:ident)|+: $type:ty;)+) => {
        match $kind {
            $($($crate::records::RecordKind::$variant)|+ => { type $record = $type; $work })+
        }
    };
    ($kind:expr, $record:ident => $work:expr) => {
        $crate::kinds::with_kind! { @arms $kind, $record => $work;
            Contact: $crate::crm::contacts::Contact;
            Company: $crate::crm::companies::Company;
            Deal: $crate::crm::deals::Deal;
            Project: $crate::work::projects::Project;
            Cycle: $crate::work::cycles::Cycle;
            Task | Ticket: $crate::work::issues::Issue;
            Article: $crate::support::kb::Article;
            TimeEntry: $crate::work::time_entries::TimeEntry;
            CannedReply: $crate::support::canned_replies::CannedReply;
        }
    };
}
pub(crate) use with_kind;

/// Passes two lists of record types to another macro. The first has all types, each after the types that its records refer to; the
/// second has only those with a [list](crate::records::ListedKind).
#[macro_export]
#[doc(hidden)]
macro_rules! with_kinds {
    (@lists [$($before:tt)*] [$($unlisted:tt)*] [$($after:tt)*] $then:ident $($input:tt)*) => {
        $then! { [$($before)*, $($unlisted)*, $($after)*] [$($before)*, $($after)*] $($input)* }
    };
    ($then:ident!($($input:tt)*)) => {
        $crate::with_kinds! {
            @lists
            [
                $crate::crm::companies::Company,
                $crate::crm::contacts::Contact,
                $crate::crm::deals::Deal,
                $crate::work::projects::Project
            ]
            [$crate::work::cycles::Cycle]
            [
                $crate::work::issues::Issue,
                $crate::support::kb::Article,
                $crate::work::time_entries::TimeEntry,
                $crate::support::canned_replies::CannedReply
            ]
            $then $($input)*
        }
    };
}

/// Passes the simple kinds to another macro: the plural name in files, the kind, and its type. Records of simple kinds do not refer
/// to other records, and their rows in files are written one by one.
#[macro_export]
#[doc(hidden)]
macro_rules! simple_kinds {
    ($then:ident!($($input:tt)*)) => {
        $then! {
            [
                /// Articles of the knowledge base.
                Articles = "articles": Article, $crate::support::kb::Article, $crate::KbArticleId;
                CannedReplies = "canned_replies": CannedReply, $crate::support::canned_replies::CannedReply,
                    $crate::support::canned_replies::CannedReplyId;
            ]
            $($input)*
        }
    };
}

/// Adds the permissions on simple kinds to those on other kinds, as rows of [`permission_rows!`](crate::tools::permission_rows).
macro_rules! simple_permissions {
    ($with:ident { $($before:tt)* } { $($after:tt)* }) => {
        $with! {
            $($before)*
            [Tickets] {
                ReadCannedReplies = "read_canned_replies", CreateCannedReplies = "create_canned_replies",
                UpdateCannedReplies = "update_canned_replies", DeleteCannedReplies = "delete_canned_replies"
            } typed;
            $($after)*
        }
    };
}
pub(crate) use simple_permissions;

/// Adds the tools of simple kinds to the other tools: name, features, effect, permissions.
macro_rules! simple_tools {
    ($with:ident { $($before:tt)* } { $($after:tt)* }) => {
        $with! {
            $($before)*
            ListCannedReplies = "list_canned_replies": [Support], Reads, [ReadCannedReplies];
            GetCannedReply = "get_canned_reply": [Support], Reads, [ReadCannedReplies];
            CreateCannedReply = "create_canned_reply": [Support], Adds, [CreateCannedReplies];
            UpdateCannedReply = "update_canned_reply": [Support], Changes, [UpdateCannedReplies];
            DeleteCannedReply = "delete_canned_reply": [Support], Deletes, [DeleteCannedReplies];
            $($after)*
        }
    };
}
pub(crate) use simple_tools;

/// Stops running timers when settings or members change.
pub(crate) const TIMERS: &dyn StopTimers = &crate::work::time_entries::Timers;

impl RecordKind {
    /// Whether some records of the kind are visible only to their owners.
    pub(crate) fn has_owners(self) -> bool {
        with_kind!(self, K => <K as crate::records::Kind>::HAS_OWNERS)
    }

    /// The events that the kind declares.
    pub(crate) fn events(self) -> &'static KindEvents {
        match self {
            Self::Contact => &crate::crm::contacts::EVENTS,
            Self::Company => &crate::crm::companies::EVENTS,
            Self::Deal => &crate::crm::deals::events::EVENTS,
            Self::Project => &crate::work::projects::EVENTS,
            Self::Cycle => &crate::work::cycles::EVENTS,
            Self::Task => &crate::work::issues::events::TASK_EVENTS,
            Self::Ticket => &crate::work::issues::events::TICKET_EVENTS,
            Self::Article => &crate::support::kb::EVENTS,
            Self::TimeEntry => &crate::work::time_entries::events::EVENTS,
            Self::CannedReply => &crate::support::canned_replies::EVENTS,
        }
    }
}
