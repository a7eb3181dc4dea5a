//! What waits for somebody, and what changed lately.

use std::cmp::Reverse;

use super::state::MemoryTx;
use domain::console::{CHANGES_LOOKED_AT, HomeQuery, HomeRecord, MAX_CHANGES, MAX_OF_A_PART, RecentChange};
use domain::crm::deals::{Deal, DealStatus};
use domain::events::{EventReach, LoggedEvent};
use domain::kernel::IssueKind;
use domain::ports::{HomeRepo, StoreError};
use domain::records::RecordKind;
use domain::work::issues::{Issue, IssueStatus};

impl HomeRepo for MemoryTx<'_> {
    fn waiting(&mut self, wanted: &HomeQuery) -> Result<Vec<HomeRecord>, StoreError> {
        let issues = || self.records.issues.live();
        let is_mine = |issue: &&Issue| {
            issue.kind == IssueKind::Task && issue.assignee_id == Some(wanted.user) && !issue.status.is_completed()
        };
        let mut tasks: Vec<_> = issues().filter(|issue| wanted.has_tasks && is_mine(issue)).collect();
        tasks.sort_by_key(|task| (task.due_at.is_none(), task.due_at, task.id));
        let is_waiting = |issue: &&Issue| issue.kind == IssueKind::Ticket && issue.status == IssueStatus::Open;
        let mut tickets: Vec<_> = issues().filter(|issue| wanted.has_tickets && is_waiting(issue)).collect();
        tickets.sort_by_key(|ticket| (ticket.created_at, ticket.id));
        let (first, last) = wanted.closing;
        let closes = |deal: &&Deal| {
            deal.status == DealStatus::Open && deal.expected_close_date.is_some_and(|day| first <= day && day <= last)
        };
        let mut deals: Vec<_> = self.records.deals.live().filter(|deal| wanted.has_deals && closes(deal)).collect();
        deals.sort_by_key(|deal| (deal.expected_close_date, deal.id));

        let most = MAX_OF_A_PART as usize;
        let tasks = tasks.into_iter().take(most).map(|task| HomeRecord {
            kind: RecordKind::Task,
            id: task.id.0,
            title: task.title.clone(),
            detail: Some(task.status.as_str().to_owned()),
            at: task.due_at,
            value: None,
        });
        let tickets = tickets.into_iter().take(most).map(|ticket| HomeRecord {
            kind: RecordKind::Ticket,
            id: ticket.id.0,
            title: ticket.title.clone(),
            detail: ticket.reference.clone(),
            at: Some(ticket.created_at),
            value: None,
        });
        let deals = deals.into_iter().take(most).map(|deal| HomeRecord {
            kind: RecordKind::Deal,
            id: deal.id.0,
            title: deal.title.clone(),
            detail: Some(deal.stage.as_str().to_owned()),
            at: deal.expected_close_date.map(|day| day.midnight().assume_utc()),
            value: deal.value.map(|value| (value, deal.currency.clone())),
        });
        Ok(tasks.chain(tickets).chain(deals).collect())
    }

    fn changes(&mut self, reach: &EventReach) -> Result<Vec<RecentChange>, StoreError> {
        let mut latest: Vec<_> = self.records.events.keys().copied().collect();
        latest.sort_by_key(|id| Reverse(*id));
        let looked_at = latest.into_iter().take(CHANGES_LOOKED_AT as usize);
        let events = looked_at.filter_map(|id| self.records.logged(id, 0));
        let within = events.filter(|event| reach.covers(event.module, &event.name));
        Ok(within.filter_map(|event| self.change(event)).take(MAX_CHANGES as usize).collect())
    }
}

impl MemoryTx<'_> {
    fn change(&self, event: LoggedEvent) -> Option<RecentChange> {
        let LoggedEvent { name, record, actor, tool, created_at, .. } = event;
        let (noun, record) = record?;
        let kind = RecordKind::parse(&noun)?;
        Some(RecentChange {
            event: name,
            kind,
            record,
            title: self.title_of(kind, record),
            actor,
            tool,
            at: created_at,
        })
    }
}
