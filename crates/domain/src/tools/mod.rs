//! The tools that AI clients call: their names, and what each needs and does (contract: MCP).
//!
//! Only what rules depend on stands here; schemas, descriptions and the calls themselves are the surface's.

mod permissions;

use crate::kernel::input::{choices, readable_choices};
use crate::limits::Class;
pub use permissions::{ToolPermission, ToolPermissions};

choices! {
    /// An area of the product that a client can ask the tools of.
    pub enum Feature {
        /// Contacts, companies and deals.
        Crm = "crm",
        /// Projects, cycles and tasks.
        Projects = "projects",
        /// Tickets and the knowledge base.
        Support = "support",
        /// Webhook subscriptions and their deliveries.
        Webhooks = "webhooks",
    }
}

readable_choices!(Feature);

/// What a call does to the workspace.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    /// Nothing.
    Reads,
    /// Something comes to be, each time anew.
    Adds,
    /// What is there changes; the same call again changes nothing more.
    Changes,
    /// What is there changes, each time anew.
    Replaces,
    /// Something goes; the same call again finds nothing.
    Deletes,
}

/// What a row of the table says of a tool.
struct Facts {
    features: &'static [Feature],
    effect: Effect,
    permissions: &'static [ToolPermission],
    class: Class,
    reaches_outside: bool,
    shows_secret: bool,
}

impl Facts {
    const fn new(features: &'static [Feature], effect: Effect, permissions: &'static [ToolPermission]) -> Self {
        let class = if matches!(effect, Effect::Reads) { Class::Read } else { Class::Write };
        Self { features, effect, permissions, class, reaches_outside: false, shows_secret: false }
    }

    /// Counts as a bulk request, and not by what it does.
    const fn counts_as_bulk(self) -> Self {
        Self { class: Class::Bulk, ..self }
    }

    /// May reach somebody outside the workspace.
    const fn reaches_outside(self) -> Self {
        Self { reaches_outside: true, ..self }
    }

    /// Answers with a secret that is never kept.
    const fn shows_secret(self) -> Self {
        Self { shows_secret: true, ..self }
    }
}

/// Declares [`Tool`] from one row a tool: name, features, effect, permissions, and the methods of [`Facts`] for what
/// differs from what the effect implies.
macro_rules! tools {
    ($( $tool:ident = $name:literal: [$($feature:ident),+], $effect:ident, [$($permission:ident),+] $(, $more:ident())*; )+) => {
        choices! {
            /// A tool.
            pub enum Tool { $( $tool = $name ),+ }
        }

        impl Tool {
            const fn facts(self) -> Facts {
                match self { $(
                    Self::$tool => {
                        Facts::new(&[$(Feature::$feature),+], Effect::$effect, &[$(ToolPermission::$permission),+])
                            $(.$more())*
                    }
                )+ }
            }
        }
    };
}

tools! {
    ListContacts = "list_contacts": [Crm], Reads, [ReadContacts];
    GetContact = "get_contact": [Crm], Reads, [ReadContacts];
    CreateContact = "create_contact": [Crm], Adds, [CreateContacts];
    UpdateContact = "update_contact": [Crm], Changes, [UpdateContacts];
    DeleteContact = "delete_contact": [Crm], Deletes, [DeleteContacts];
    ListCompanies = "list_companies": [Crm], Reads, [ReadCompanies];
    GetCompany = "get_company": [Crm], Reads, [ReadCompanies];
    CreateCompany = "create_company": [Crm], Adds, [CreateCompanies];
    UpdateCompany = "update_company": [Crm], Changes, [UpdateCompanies];
    DeleteCompany = "delete_company": [Crm], Deletes, [DeleteCompanies];
    ListDeals = "list_deals": [Crm], Reads, [ReadDeals];
    GetDeal = "get_deal": [Crm], Reads, [ReadDeals];
    CreateDeal = "create_deal": [Crm], Adds, [CreateDeals];
    UpdateDeal = "update_deal": [Crm], Changes, [UpdateDeals];
    DeleteDeal = "delete_deal": [Crm], Deletes, [DeleteDeals];
    ListProjects = "list_projects": [Projects], Reads, [ReadProjects];
    GetProject = "get_project": [Projects], Reads, [ReadProjects];
    CreateProject = "create_project": [Projects], Adds, [CreateProjects];
    UpdateProject = "update_project": [Projects], Changes, [UpdateProjects];
    DeleteProject = "delete_project": [Projects], Deletes, [DeleteProjects];
    ListCycles = "list_cycles": [Projects], Reads, [ReadCycles];
    CreateCycle = "create_cycle": [Projects], Adds, [CreateCycles];
    ListTasks = "list_tasks": [Projects], Reads, [ReadTasks];
    GetTask = "get_task": [Projects], Reads, [ReadTasks];
    CreateTask = "create_task": [Projects], Adds, [CreateTasks];
    UpdateTask = "update_task": [Projects], Changes, [UpdateTasks];
    DeleteTask = "delete_task": [Projects], Deletes, [DeleteTasks];
    BulkUpdateIssues = "bulk_update_issues": [Projects, Support], Changes, [UpdateTasks, UpdateTickets], counts_as_bulk();
    ListComments = "list_comments": [Projects, Support], Reads, [ReadComments];
    AddComment = "add_comment": [Projects, Support], Adds, [CreateComments], reaches_outside();
    ListTickets = "list_tickets": [Support], Reads, [ReadTickets];
    GetTicket = "get_ticket": [Support], Reads, [ReadTickets];
    CreateTicket = "create_ticket": [Support], Adds, [CreateTickets];
    UpdateTicket = "update_ticket": [Support], Changes, [UpdateTickets];
    SearchKb = "search_kb": [Support], Reads, [ReadKbArticles];
    ListKbArticles = "list_kb_articles": [Support], Reads, [ReadKbArticles];
    GetKbArticle = "get_kb_article": [Support], Reads, [ReadKbArticles];
    CreateKbArticle = "create_kb_article": [Support], Adds, [CreateKbArticles];
    UpdateKbArticle = "update_kb_article": [Support], Changes, [UpdateKbArticles];
    DeleteKbArticle = "delete_kb_article": [Support], Deletes, [DeleteKbArticles];
    ListWebhooks = "list_webhooks": [Webhooks], Reads, [ReadWebhooks];
    GetWebhook = "get_webhook": [Webhooks], Reads, [ReadWebhooks];
    CreateWebhook = "create_webhook": [Webhooks], Adds, [CreateWebhooks], reaches_outside(), shows_secret();
    UpdateWebhook = "update_webhook": [Webhooks], Changes, [UpdateWebhooks], reaches_outside();
    DeleteWebhook = "delete_webhook": [Webhooks], Deletes, [DeleteWebhooks];
    RotateWebhookSecret = "rotate_webhook_secret": [Webhooks], Replaces, [UpdateWebhooks], shows_secret();
    TestWebhook = "test_webhook": [Webhooks], Adds, [UpdateWebhooks], reaches_outside();
    ListWebhookDeliveries = "list_webhook_deliveries": [Webhooks], Reads, [ReadWebhooks];
    GetWebhookDelivery = "get_webhook_delivery": [Webhooks], Reads, [ReadWebhooks];
    RedeliverWebhook = "redeliver_webhook": [Webhooks], Adds, [UpdateWebhooks], reaches_outside();
}

readable_choices!(Tool);

impl Tool {
    /// The permissions of which a caller needs one. Several only where each stands for one kind of record: then the
    /// call reaches records of the kinds that are granted.
    pub const fn permissions(self) -> &'static [ToolPermission] {
        self.facts().permissions
    }

    /// Where the tool belongs, the most fitting area first.
    pub const fn features(self) -> &'static [Feature] {
        self.facts().features
    }

    /// What a call does.
    pub const fn effect(self) -> Effect {
        self.facts().effect
    }

    /// Whether a call changes nothing.
    pub const fn is_read_only(self) -> bool {
        matches!(self.effect(), Effect::Reads)
    }

    /// What kind of request a call counts as.
    pub const fn class(self) -> Class {
        self.facts().class
    }

    /// Whether a call under an idempotency key may be sent again: its answer comes again, or it comes to the same twice. Not
    /// so where the answer shows a secret, which is never kept.
    pub const fn is_repeatable(self) -> bool {
        !self.facts().shows_secret
    }

    /// Whether a call may reach somebody outside the workspace: a receiver of webhooks, or a customer.
    pub const fn reaches_outside(self) -> bool {
        self.facts().reaches_outside
    }

    /// Whether the tool manages webhooks, which send a workspace's events elsewhere: given by an explicit map alone.
    pub const fn manages_webhooks(self) -> bool {
        matches!(self.features(), [Feature::Webhooks])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_verb_of_a_name_tells_what_the_tool_does() {
        for tool in Tool::ALL.iter().copied() {
            let verb = tool.as_str().split('_').next();
            let expected = match verb {
                Some("list" | "get" | "search") => Effect::Reads,
                Some("create" | "add" | "test" | "redeliver") => Effect::Adds,
                Some("update" | "bulk") => Effect::Changes,
                Some("rotate") => Effect::Replaces,
                Some("delete") => Effect::Deletes,
                other => panic!("{other:?} of {tool}"),
            };
            assert_eq!(tool.effect(), expected, "{tool}");
            let reads = |permission: &ToolPermission| permission.as_str().starts_with("read_");
            assert_eq!(tool.permissions().iter().all(reads), tool.is_read_only(), "{tool}");
            assert!(!tool.permissions().is_empty() && !tool.features().is_empty(), "{tool}");
            let class = match tool {
                Tool::BulkUpdateIssues => Class::Bulk,
                _ if tool.is_read_only() => Class::Read,
                _ => Class::Write,
            };
            assert_eq!(tool.class(), class, "{tool}");
        }
    }

    #[test]
    fn every_permission_lets_use_some_tool() {
        for permission in ToolPermission::ALL {
            assert!(Tool::ALL.iter().any(|tool| tool.permissions().contains(permission)), "{permission}");
        }
        assert_eq!(Tool::ALL.iter().filter(|tool| !tool.manages_webhooks()).count(), 40);
    }
}
