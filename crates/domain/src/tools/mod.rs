//! The tools for AI clients: names, permissions and effects (interface 15.13).
//!
//! Only what use cases depend on is here; schemas, descriptions and calls belong to the surface.

mod facts;
mod permissions;

pub use crate::kernel::input::EXTERNAL_IDS;
use crate::kernel::input::{choices, readable_choices};
use crate::kinds::simple_tools;
use crate::limits::Class;
pub use facts::{Effect, Feature};
use facts::{Facts, PermissionRule};
pub use permissions::{ToolPermission, ToolPermissions};

/// The permissions, one row for each kind of thing, in documented order: the areas whose scopes grant them, any one of which
/// suffices, and the permissions to read, create, update and delete. In a `typed` row, each permission is also a type of the same
/// name, for permits, and so is the named permission to create and update many at once. The types for other rows have their own
/// rules (`identity/access/permissions.rs`).
///
/// `$with` is a macro that expands all rows, including those of simple kinds, to types and constants.
macro_rules! permission_rows {
    ($with:ident) => {
        $crate::kinds::simple_permissions! { $with {
            [Contacts] {
                ReadContacts = "read_contacts", CreateContacts = "create_contacts",
                UpdateContacts = "update_contacts", DeleteContacts = "delete_contacts"
            } typed UpsertContacts;
            [Crm] {
                ReadCompanies = "read_companies", CreateCompanies = "create_companies",
                UpdateCompanies = "update_companies", DeleteCompanies = "delete_companies"
            } typed UpsertCompanies;
            [Deals] {
                ReadDeals = "read_deals", CreateDeals = "create_deals", UpdateDeals = "update_deals",
                DeleteDeals = "delete_deals"
            } typed UpsertDeals;
            [Projects] {
                ReadProjects = "read_projects", CreateProjects = "create_projects",
                UpdateProjects = "update_projects", DeleteProjects = "delete_projects"
            } typed;
            [Projects] {
                ReadCycles = "read_cycles", CreateCycles = "create_cycles", UpdateCycles = "update_cycles",
                DeleteCycles = "delete_cycles"
            } typed;
            [Issues] {
                ReadTasks = "read_tasks", CreateTasks = "create_tasks", UpdateTasks = "update_tasks",
                DeleteTasks = "delete_tasks"
            };
            [Tickets] {
                ReadTickets = "read_tickets", CreateTickets = "create_tickets",
                /// Update tickets; they are closed, never deleted.
                UpdateTickets = "update_tickets"
            };
            [Issues, Tickets] {
                /// Read comments on tasks and tickets.
                ReadComments = "read_comments",
                /// Add comments to tasks and tickets.
                CreateComments = "create_comments",
                /// Update comments on tasks and tickets.
                UpdateComments = "update_comments",
                /// Delete comments on tasks and tickets.
                DeleteComments = "delete_comments"
            };
            [Tickets] {
                /// Read knowledge-base articles.
                ReadKbArticles = "read_kb_articles", CreateKbArticles = "create_kb_articles",
                UpdateKbArticles = "update_kb_articles", DeleteKbArticles = "delete_kb_articles"
            };
            [Time] {
                ReadTimeEntries = "read_time_entries", CreateTimeEntries = "create_time_entries",
                UpdateTimeEntries = "update_time_entries", DeleteTimeEntries = "delete_time_entries"
            } typed;
        } {
            [] {
                /// Read webhook subscriptions and their deliveries.
                ReadWebhooks = "read_webhooks",
                /// Create subscriptions.
                CreateWebhooks = "create_webhooks",
                /// Update subscriptions, test them and redeliver.
                UpdateWebhooks = "update_webhooks",
                /// Delete subscriptions.
                DeleteWebhooks = "delete_webhooks"
            };
        } }
    };
}
pub(crate) use permission_rows;

/// Declares [`Tool`], one row per tool: name, features, effect, permissions or the name of a list of them, and methods of [`Facts`]
/// for what the effect does not imply.
macro_rules! tools {
    ($( $tool:ident = $name:literal: [$($feature:ident),+], $effect:ident, $permissions:tt $(, $more:ident())*; )+) => {
        choices! {
            /// A tool.
            pub enum Tool { $( $tool = $name ),+ }
        }

        impl Tool {
            const fn facts(self) -> Facts {
                match self { $(
                    Self::$tool => {
                        Facts::new(&[$(Feature::$feature),+], Effect::$effect, tools!(@permissions $permissions))
                            $(.$more())*
                    }
                )+ }
            }
        }
    };
    (@permissions [$($permission:ident),*]) => { &[$(ToolPermission::$permission),*] };
    (@permissions $list:ident) => { ToolPermission::$list };
}

simple_tools! { tools {
    Whoami = "whoami": [Crm, Projects, Support, Webhooks], Reads, [];
    ListMembers = "list_members": [Crm, Projects, Support], Reads, READ_RECORDS_OR_COMMENTS, for_any_reader();
    GetHistory = "get_history": [Crm, Projects, Support], Reads, READ_RECORDS, for_any_reader();
    ListEvents = "list_events": [Crm, Projects, Support], Reads, READ_RECORDS, for_any_reader();
    ListContacts = "list_contacts": [Crm], Reads, [ReadContacts];
    GetContact = "get_contact": [Crm], Reads, [ReadContacts];
    CreateContact = "create_contact": [Crm], Adds, [CreateContacts];
    UpdateContact = "update_contact": [Crm], Changes, [UpdateContacts];
    DeleteContact = "delete_contact": [Crm], Deletes, [DeleteContacts];
    EraseContact = "erase_contact": [Crm], Deletes, [DeleteContacts, UpdateTickets], needs_every();
    UpsertContacts = "upsert_contacts": [Crm], Changes, [CreateContacts, UpdateContacts], upserts();
    ListCompanies = "list_companies": [Crm], Reads, [ReadCompanies];
    GetCompany = "get_company": [Crm], Reads, [ReadCompanies];
    CreateCompany = "create_company": [Crm], Adds, [CreateCompanies];
    UpdateCompany = "update_company": [Crm], Changes, [UpdateCompanies];
    DeleteCompany = "delete_company": [Crm], Deletes, [DeleteCompanies];
    UpsertCompanies = "upsert_companies": [Crm], Changes, [CreateCompanies, UpdateCompanies], upserts();
    ListDeals = "list_deals": [Crm], Reads, [ReadDeals];
    SummarizeDeals = "summarize_deals": [Crm], Reads, [ReadDeals];
    GetDeal = "get_deal": [Crm], Reads, [ReadDeals];
    CreateDeal = "create_deal": [Crm], Adds, [CreateDeals];
    UpdateDeal = "update_deal": [Crm], Changes, [UpdateDeals];
    DeleteDeal = "delete_deal": [Crm], Deletes, [DeleteDeals];
    UpsertDeals = "upsert_deals": [Crm], Changes, [CreateDeals, UpdateDeals], upserts();
    ListProjects = "list_projects": [Projects], Reads, [ReadProjects];
    GetProject = "get_project": [Projects], Reads, [ReadProjects];
    CreateProject = "create_project": [Projects], Adds, [CreateProjects];
    UpdateProject = "update_project": [Projects], Changes, [UpdateProjects];
    DeleteProject = "delete_project": [Projects], Deletes, [DeleteProjects];
    ListCycles = "list_cycles": [Projects], Reads, [ReadCycles];
    CreateCycle = "create_cycle": [Projects], Adds, [CreateCycles];
    UpdateCycle = "update_cycle": [Projects], Changes, [UpdateCycles];
    DeleteCycle = "delete_cycle": [Projects], Deletes, [DeleteCycles];
    ListTasks = "list_tasks": [Projects], Reads, [ReadTasks];
    SummarizeTasks = "summarize_tasks": [Projects], Reads, [ReadTasks];
    GetTask = "get_task": [Projects], Reads, [ReadTasks];
    CreateTask = "create_task": [Projects], Adds, [CreateTasks];
    UpdateTask = "update_task": [Projects], Changes, [UpdateTasks];
    DeleteTask = "delete_task": [Projects], Deletes, [DeleteTasks];
    BulkUpdateIssues = "bulk_update_issues": [Projects, Support], Changes, [UpdateTasks, UpdateTickets], counts_as_bulk();
    ListComments = "list_comments": [Projects, Support, Crm], Reads,
        [ReadComments, ReadContacts, ReadCompanies, ReadDeals];
    AddComment = "add_comment": [Projects, Support, Crm], Adds,
        [CreateComments, UpdateContacts, UpdateCompanies, UpdateDeals], reaches_outside();
    UpdateComment = "update_comment": [Projects, Support, Crm], Changes,
        [UpdateComments, UpdateContacts, UpdateCompanies, UpdateDeals], reaches_outside();
    DeleteComment = "delete_comment": [Projects, Support, Crm], Deletes,
        [DeleteComments, DeleteContacts, DeleteCompanies, DeleteDeals];
    ListTickets = "list_tickets": [Support], Reads, [ReadTickets];
    SummarizeTickets = "summarize_tickets": [Support], Reads, [ReadTickets];
    GetTicket = "get_ticket": [Support], Reads, [ReadTickets];
    CreateTicket = "create_ticket": [Support], Adds, [CreateTickets];
    UpdateTicket = "update_ticket": [Support], Changes, [UpdateTickets];
    SearchKb = "search_kb": [Support], Reads, [ReadKbArticles];
    ListKbArticles = "list_kb_articles": [Support], Reads, [ReadKbArticles];
    GetKbArticle = "get_kb_article": [Support], Reads, [ReadKbArticles];
    CreateKbArticle = "create_kb_article": [Support], Adds, [CreateKbArticles];
    UpdateKbArticle = "update_kb_article": [Support], Changes, [UpdateKbArticles];
    DeleteKbArticle = "delete_kb_article": [Support], Deletes, [DeleteKbArticles];
    ListTimeEntries = "list_time_entries": [Projects], Reads, [ReadTimeEntries];
    SummarizeTime = "summarize_time": [Projects], Reads, [ReadTimeEntries];
    LogTime = "log_time": [Projects], Adds, [CreateTimeEntries];
    StartTimer = "start_timer": [Projects], Adds, [CreateTimeEntries];
    StopTimer = "stop_timer": [Projects], Changes, [UpdateTimeEntries];
    UpdateTimeEntry = "update_time_entry": [Projects], Changes, [UpdateTimeEntries];
    DeleteTimeEntry = "delete_time_entry": [Projects], Deletes, [DeleteTimeEntries];
} {
    RestoreRecord = "restore_record": [Crm, Projects, Support], Adds, DELETE_RECORDS;
    ListWebhooks = "list_webhooks": [Webhooks], Reads, [ReadWebhooks];
    GetWebhook = "get_webhook": [Webhooks], Reads, [ReadWebhooks];
    CreateWebhook = "create_webhook": [Webhooks], Adds, [CreateWebhooks], reaches_outside(), shows_secret();
    UpdateWebhook = "update_webhook": [Webhooks], Changes, [UpdateWebhooks], reaches_outside(), shows_secret();
    DeleteWebhook = "delete_webhook": [Webhooks], Deletes, [DeleteWebhooks];
    RotateWebhookSecret = "rotate_webhook_secret": [Webhooks], Replaces, [UpdateWebhooks], shows_secret();
    TestWebhook = "test_webhook": [Webhooks], Adds, [UpdateWebhooks], reaches_outside();
    ListWebhookDeliveries = "list_webhook_deliveries": [Webhooks], Reads, [ReadWebhooks];
    GetWebhookDelivery = "get_webhook_delivery": [Webhooks], Reads, [ReadWebhooks];
    RedeliverWebhook = "redeliver_webhook": [Webhooks], Adds, [UpdateWebhooks], reaches_outside();
} }

readable_choices!(Tool);

impl Tool {
    /// The permissions of the tool. A caller needs any one of them, or all ([`Tool::needs_every_permission`]); a tool without
    /// permissions is open to every key. Alternatives are listed only if each covers one kind of record: the call then reaches the
    /// granted kinds, or what all of them refer to.
    pub const fn permissions(self) -> &'static [ToolPermission] {
        self.facts().permissions
    }

    /// Whether a caller needs all of the permissions.
    pub const fn needs_every_permission(self) -> bool {
        matches!(self.facts().permission_rule, PermissionRule::All)
    }

    /// The areas of the tool, the best match first.
    pub const fn features(self) -> &'static [Feature] {
        self.facts().features
    }

    pub const fn effect(self) -> Effect {
        self.facts().effect
    }

    pub const fn is_read_only(self) -> bool {
        matches!(self.effect(), Effect::Reads)
    }

    /// The rate-limit class of a call.
    pub const fn class(self) -> Class {
        self.facts().class
    }

    /// Whether a call may be retried with its idempotency key: the stored response is replayed, or the call is
    /// idempotent. False if the response shows a secret, which is never stored.
    pub const fn is_repeatable(self) -> bool {
        !self.facts().shows_secret
    }

    /// Whether each item of a call has its own outcome, even if it is invalid.
    pub const fn has_outcomes(self) -> bool {
        self.facts().has_outcomes
    }

    /// Whether a call may send data outside the workspace: to a webhook receiver or a customer.
    pub const fn reaches_outside(self) -> bool {
        self.facts().reaches_outside
    }

    /// Whether the tool is for every caller who may read any kind of record. It reaches only kinds that other permissions grant.
    pub const fn is_for_any_reader(self) -> bool {
        matches!(self.facts().permission_rule, PermissionRule::AnyReader)
    }

    /// Whether the tool belongs to no particular area: every caller of a tool with an area may call it too.
    pub const fn has_no_area(self) -> bool {
        self.permissions().is_empty() || self.is_for_any_reader()
    }

    /// Whether the tool manages webhooks, which send a workspace's events elsewhere; only an explicit permission map
    /// grants it.
    pub const fn manages_webhooks(self) -> bool {
        matches!(self.features(), [Feature::Webhooks])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_verb_of_a_tool_name_matches_its_effect() {
        for tool in Tool::ALL.iter().copied() {
            let verb = tool.as_str().split('_').next();
            let expected = match verb {
                Some("list" | "get" | "search" | "summarize" | "whoami") => Effect::Reads,
                Some("create" | "add" | "log" | "start" | "restore" | "test" | "redeliver") => Effect::Adds,
                Some("update" | "upsert" | "bulk" | "stop") => Effect::Changes,
                Some("rotate") => Effect::Replaces,
                Some("delete" | "erase") => Effect::Deletes,
                other => panic!("{other:?} of {tool}"),
            };
            assert_eq!(tool.effect(), expected, "{tool}");
            let reads = |permission: &ToolPermission| permission.as_str().starts_with("read_");
            assert_eq!(tool.permissions().iter().all(reads), tool.is_read_only(), "{tool}");
            assert_eq!(tool.permissions().is_empty(), tool == Tool::Whoami, "{tool}");
            assert!(!tool.features().is_empty(), "{tool}");
            let class = match tool {
                Tool::BulkUpdateIssues | Tool::UpsertContacts | Tool::UpsertCompanies | Tool::UpsertDeals => {
                    Class::Bulk
                }
                _ if tool.is_read_only() => Class::Read,
                _ => Class::Write,
            };
            assert_eq!(tool.class(), class, "{tool}");
        }
    }

    #[test]
    fn ids_kept_in_another_system_are_described_as_such() {
        use crate::crm::companies::CompanyFields;
        use crate::crm::contacts::ContactFields;
        use crate::crm::deals::DealFields;
        use crate::kernel::input::Input;
        use crate::work::issues::IssueFields;
        use crate::work::projects::ProjectFields;
        let fields = [
            ProjectFields::members(),
            DealFields::members(),
            CompanyFields::members(),
            ContactFields::members(),
            IssueFields::members(),
        ];
        let external =
            fields.into_iter().flatten().filter(|member| member.description.contains("kept in another system"));
        assert_eq!(external.map(|member| member.name).collect::<Vec<_>>(), EXTERNAL_IDS);
    }

    #[test]
    fn every_permission_is_used_by_some_tool() {
        for permission in ToolPermission::ALL {
            assert!(Tool::ALL.iter().any(|tool| tool.permissions().contains(permission)), "{permission}");
        }
        macro_rules! kinds {
            ([$($(#[$doc:meta])* $kinds:ident = $name:literal: $one:ident, $type:ty, $id:ty;)+]) => {
                [$(crate::identity::access::RecordKind::$one),+]
            };
        }
        let simple = crate::simple_kinds!(kinds!()).map(|kind| [kind.as_str(), kind.plural()]).concat();
        let is_simple = |tool: &Tool| tool.as_str().split_once('_').is_some_and(|(_, noun)| simple.contains(&noun));
        // Every tool makes the list longer for each model, so adding one is a deliberate decision.
        assert_eq!(Tool::ALL.iter().filter(|tool| !tool.manages_webhooks() && !is_simple(tool)).count(), 63);
    }
}
