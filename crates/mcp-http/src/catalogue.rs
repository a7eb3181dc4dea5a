//! The one table of tools.

use domain::tools::Tool;

use crate::tool::Entry;
use crate::tools::{
    comments, companies, contacts, cycles, deals, deliveries, issues, kb, projects, tasks, tickets, webhooks,
};

/// Every tool, in the order of the domain's names.
pub(crate) static CATALOGUE: &[Entry] = &[
    Entry::of::<contacts::ListContacts>(),
    Entry::of::<contacts::GetContact>(),
    Entry::of::<contacts::CreateContact>(),
    Entry::of::<contacts::UpdateContact>(),
    Entry::of::<contacts::DeleteContact>(),
    Entry::of::<companies::ListCompanies>(),
    Entry::of::<companies::GetCompany>(),
    Entry::of::<companies::CreateCompany>(),
    Entry::of::<companies::UpdateCompany>(),
    Entry::of::<companies::DeleteCompany>(),
    Entry::of::<deals::ListDeals>(),
    Entry::of::<deals::GetDeal>(),
    Entry::of::<deals::CreateDeal>(),
    Entry::of::<deals::UpdateDeal>(),
    Entry::of::<deals::DeleteDeal>(),
    Entry::of::<projects::ListProjects>(),
    Entry::of::<projects::GetProject>(),
    Entry::of::<projects::CreateProject>(),
    Entry::of::<projects::UpdateProject>(),
    Entry::of::<projects::DeleteProject>(),
    Entry::of::<cycles::ListCycles>(),
    Entry::of::<cycles::CreateCycle>(),
    Entry::of::<tasks::ListTasks>(),
    Entry::of::<tasks::GetTask>(),
    Entry::of::<tasks::CreateTask>(),
    Entry::of::<tasks::UpdateTask>(),
    Entry::of::<tasks::DeleteTask>(),
    Entry::of::<issues::BulkUpdateIssues>(),
    Entry::of::<comments::ListComments>(),
    Entry::of::<comments::AddComment>(),
    Entry::of::<tickets::ListTickets>(),
    Entry::of::<tickets::GetTicket>(),
    Entry::of::<tickets::CreateTicket>(),
    Entry::of::<tickets::UpdateTicket>(),
    Entry::of::<kb::SearchKb>(),
    Entry::of::<kb::ListKbArticles>(),
    Entry::of::<kb::GetKbArticle>(),
    Entry::of::<kb::CreateKbArticle>(),
    Entry::of::<kb::UpdateKbArticle>(),
    Entry::of::<kb::DeleteKbArticle>(),
    Entry::of::<webhooks::ListWebhooks>(),
    Entry::of::<webhooks::GetWebhook>(),
    Entry::of::<webhooks::CreateWebhook>(),
    Entry::of::<webhooks::UpdateWebhook>(),
    Entry::of::<webhooks::DeleteWebhook>(),
    Entry::of::<webhooks::RotateWebhookSecret>(),
    Entry::of::<deliveries::TestWebhook>(),
    Entry::of::<deliveries::ListWebhookDeliveries>(),
    Entry::of::<deliveries::GetWebhookDelivery>(),
    Entry::of::<deliveries::RedeliverWebhook>(),
];

/// The entry of a tool.
pub(crate) fn entry(tool: Tool) -> &'static Entry {
    // The table is in the order of the names, as a test proves.
    &CATALOGUE[tool as usize]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_tool_has_its_entry_at_its_own_place() {
        let listed: Vec<_> = CATALOGUE.iter().map(|entry| entry.tool).collect();
        assert_eq!(listed, Tool::ALL);
        assert!(Tool::ALL.iter().all(|tool| entry(*tool).tool == *tool));
    }
}
