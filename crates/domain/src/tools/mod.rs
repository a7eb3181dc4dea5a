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

choices! {
    /// A tool.
    pub enum Tool {
        /// Lists and searches contacts.
        ListContacts = "list_contacts",
        /// Reads a contact.
        GetContact = "get_contact",
        /// Makes a contact.
        CreateContact = "create_contact",
        /// Changes a contact.
        UpdateContact = "update_contact",
        /// Deletes a contact.
        DeleteContact = "delete_contact",
        /// Lists and searches companies.
        ListCompanies = "list_companies",
        /// Reads a company.
        GetCompany = "get_company",
        /// Makes a company.
        CreateCompany = "create_company",
        /// Changes a company.
        UpdateCompany = "update_company",
        /// Deletes a company.
        DeleteCompany = "delete_company",
        /// Lists deals.
        ListDeals = "list_deals",
        /// Reads a deal.
        GetDeal = "get_deal",
        /// Makes a deal.
        CreateDeal = "create_deal",
        /// Changes a deal.
        UpdateDeal = "update_deal",
        /// Deletes a deal.
        DeleteDeal = "delete_deal",
        /// Lists projects.
        ListProjects = "list_projects",
        /// Reads a project.
        GetProject = "get_project",
        /// Makes a project.
        CreateProject = "create_project",
        /// Changes a project.
        UpdateProject = "update_project",
        /// Deletes a project.
        DeleteProject = "delete_project",
        /// Lists the cycles of a project.
        ListCycles = "list_cycles",
        /// Makes a cycle.
        CreateCycle = "create_cycle",
        /// Lists and searches tasks.
        ListTasks = "list_tasks",
        /// Reads a task.
        GetTask = "get_task",
        /// Makes a task.
        CreateTask = "create_task",
        /// Changes a task.
        UpdateTask = "update_task",
        /// Deletes a task.
        DeleteTask = "delete_task",
        /// Changes up to 500 tasks and tickets at once.
        BulkUpdateIssues = "bulk_update_issues",
        /// Lists the comments of a task or ticket.
        ListComments = "list_comments",
        /// Comments on a task or ticket.
        AddComment = "add_comment",
        /// Lists and searches tickets.
        ListTickets = "list_tickets",
        /// Reads a ticket.
        GetTicket = "get_ticket",
        /// Makes a ticket.
        CreateTicket = "create_ticket",
        /// Changes a ticket.
        UpdateTicket = "update_ticket",
        /// Searches published articles.
        SearchKb = "search_kb",
        /// Lists articles, drafts too.
        ListKbArticles = "list_kb_articles",
        /// Reads an article.
        GetKbArticle = "get_kb_article",
        /// Makes an article.
        CreateKbArticle = "create_kb_article",
        /// Changes an article.
        UpdateKbArticle = "update_kb_article",
        /// Deletes an article.
        DeleteKbArticle = "delete_kb_article",
        /// Lists webhook subscriptions.
        ListWebhooks = "list_webhooks",
        /// Reads a subscription.
        GetWebhook = "get_webhook",
        /// Makes a subscription.
        CreateWebhook = "create_webhook",
        /// Changes a subscription.
        UpdateWebhook = "update_webhook",
        /// Deletes a subscription.
        DeleteWebhook = "delete_webhook",
        /// Gives a subscription a new secret.
        RotateWebhookSecret = "rotate_webhook_secret",
        /// Sends a test to a subscription.
        TestWebhook = "test_webhook",
        /// Lists the deliveries of a subscription.
        ListWebhookDeliveries = "list_webhook_deliveries",
        /// Reads a delivery with its attempts.
        GetWebhookDelivery = "get_webhook_delivery",
        /// Sends a delivery's event again.
        RedeliverWebhook = "redeliver_webhook",
    }
}

readable_choices!(Tool);

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

/// What rules need to know of a tool.
struct Facts {
    permissions: &'static [ToolPermission],
    features: &'static [Feature],
    effect: Effect,
}

const fn facts(features: &'static [Feature], effect: Effect, permissions: &'static [ToolPermission]) -> Facts {
    Facts { permissions, features, effect }
}

impl Tool {
    const fn facts(self) -> Facts {
        use Effect::{Adds, Changes, Deletes, Reads, Replaces};
        use ToolPermission as P;
        const CRM: &[Feature] = &[Feature::Crm];
        const PROJECTS: &[Feature] = &[Feature::Projects];
        const SUPPORT: &[Feature] = &[Feature::Support];
        const ISSUES: &[Feature] = &[Feature::Projects, Feature::Support];
        const WEBHOOKS: &[Feature] = &[Feature::Webhooks];
        match self {
            Self::ListContacts | Self::GetContact => facts(CRM, Reads, &[P::ReadContacts]),
            Self::CreateContact => facts(CRM, Adds, &[P::CreateContacts]),
            Self::UpdateContact => facts(CRM, Changes, &[P::UpdateContacts]),
            Self::DeleteContact => facts(CRM, Deletes, &[P::DeleteContacts]),
            Self::ListCompanies | Self::GetCompany => facts(CRM, Reads, &[P::ReadCompanies]),
            Self::CreateCompany => facts(CRM, Adds, &[P::CreateCompanies]),
            Self::UpdateCompany => facts(CRM, Changes, &[P::UpdateCompanies]),
            Self::DeleteCompany => facts(CRM, Deletes, &[P::DeleteCompanies]),
            Self::ListDeals | Self::GetDeal => facts(CRM, Reads, &[P::ReadDeals]),
            Self::CreateDeal => facts(CRM, Adds, &[P::CreateDeals]),
            Self::UpdateDeal => facts(CRM, Changes, &[P::UpdateDeals]),
            Self::DeleteDeal => facts(CRM, Deletes, &[P::DeleteDeals]),
            Self::ListProjects | Self::GetProject => facts(PROJECTS, Reads, &[P::ReadProjects]),
            Self::CreateProject => facts(PROJECTS, Adds, &[P::CreateProjects]),
            Self::UpdateProject => facts(PROJECTS, Changes, &[P::UpdateProjects]),
            Self::DeleteProject => facts(PROJECTS, Deletes, &[P::DeleteProjects]),
            Self::ListCycles => facts(PROJECTS, Reads, &[P::ReadCycles]),
            Self::CreateCycle => facts(PROJECTS, Adds, &[P::CreateCycles]),
            Self::ListTasks | Self::GetTask => facts(PROJECTS, Reads, &[P::ReadTasks]),
            Self::CreateTask => facts(PROJECTS, Adds, &[P::CreateTasks]),
            Self::UpdateTask => facts(PROJECTS, Changes, &[P::UpdateTasks]),
            Self::DeleteTask => facts(PROJECTS, Deletes, &[P::DeleteTasks]),
            Self::BulkUpdateIssues => facts(ISSUES, Changes, &[P::UpdateTasks, P::UpdateTickets]),
            Self::ListComments => facts(ISSUES, Reads, &[P::ReadComments]),
            Self::AddComment => facts(ISSUES, Adds, &[P::CreateComments]),
            Self::ListTickets | Self::GetTicket => facts(SUPPORT, Reads, &[P::ReadTickets]),
            Self::CreateTicket => facts(SUPPORT, Adds, &[P::CreateTickets]),
            Self::UpdateTicket => facts(SUPPORT, Changes, &[P::UpdateTickets]),
            Self::SearchKb | Self::ListKbArticles | Self::GetKbArticle => facts(SUPPORT, Reads, &[P::ReadKbArticles]),
            Self::CreateKbArticle => facts(SUPPORT, Adds, &[P::CreateKbArticles]),
            Self::UpdateKbArticle => facts(SUPPORT, Changes, &[P::UpdateKbArticles]),
            Self::DeleteKbArticle => facts(SUPPORT, Deletes, &[P::DeleteKbArticles]),
            Self::ListWebhooks | Self::GetWebhook | Self::ListWebhookDeliveries | Self::GetWebhookDelivery => {
                facts(WEBHOOKS, Reads, &[P::ReadWebhooks])
            }
            Self::CreateWebhook => facts(WEBHOOKS, Adds, &[P::CreateWebhooks]),
            Self::UpdateWebhook => facts(WEBHOOKS, Changes, &[P::UpdateWebhooks]),
            Self::DeleteWebhook => facts(WEBHOOKS, Deletes, &[P::DeleteWebhooks]),
            Self::RotateWebhookSecret => facts(WEBHOOKS, Replaces, &[P::UpdateWebhooks]),
            Self::TestWebhook | Self::RedeliverWebhook => facts(WEBHOOKS, Adds, &[P::UpdateWebhooks]),
        }
    }

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
        match self {
            Self::BulkUpdateIssues => Class::Bulk,
            tool if tool.is_read_only() => Class::Read,
            _ => Class::Write,
        }
    }

    /// Whether a call under an idempotency key may be sent again: its answer comes again, or it comes to the same twice. Not
    /// so where the answer shows a secret, which is never kept.
    pub const fn is_repeatable(self) -> bool {
        !matches!(self, Self::CreateWebhook | Self::RotateWebhookSecret)
    }

    /// Whether a call may reach somebody outside the workspace: a receiver of webhooks, or a customer.
    pub const fn reaches_outside(self) -> bool {
        matches!(
            self,
            Self::AddComment | Self::CreateWebhook | Self::UpdateWebhook | Self::TestWebhook | Self::RedeliverWebhook
        )
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
