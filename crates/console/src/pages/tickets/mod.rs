//! Tickets: the inbox of the support team.

mod answer;
mod change;
mod conversation;
mod list;
mod new;
mod position;
mod presence;
mod replies;
mod requester;
mod show;

use std::fmt::Display;

use domain::kernel::IssueKind;
use domain::transfer::ExportedList;
use domain::work::issues::{IssueFilter, IssueStatus};
use domain::work::projects::Priority;
use http_core::Operation;

use crate::form::FormView;
use crate::page::operation;
use crate::records::{self, ColumnOrder, Kind, KindOfIssue, KindView, Routes, routes, title_of_members};
use crate::texts;

/// Tickets as records: their full form, merging of concurrent changes, and history.
pub(crate) enum Tickets {}

impl KindOfIssue for Tickets {
    const ISSUE_KIND: IssueKind = IssueKind::Ticket;
}

impl Kind for Tickets {
    type PageData = ();

    const ROUTES: Routes = routes!("tickets", "issue_id");
    const EXPORTED: fn(IssueFilter) -> ExportedList =
        |filter| ExportedList::Issues(IssueFilter { kind: Some(IssueKind::Ticket), ..filter });
    const VIEW: KindView = KindView {
        title_of: |record| title_of_members(record, &["title", "reference"]),
        orders: &[
            ColumnOrder::ascending("due_at", "due_asc", "due_desc"),
            ColumnOrder::descending("priority", "priority_asc", "priority_desc"),
            ColumnOrder::CREATED,
            ColumnOrder::CHANGED,
        ],
        // The status has its own buttons. A ticket belongs to a requester, and to no other record.
        hidden: &["status", "deal_id", "contact_id", "company_id", "parent_id", "cycle_id"],
        bulk: &["status", "assignee_id", "priority", "due_at", "add_labels", "remove_labels"],
        detail_is_text: true,
        is_open: |status| IssueStatus::parse(status).is_none_or(IssueStatus::is_open),
        reopened: Some("open"),
        ..KindView::of("messages", &["status", "priority", "assignee_id", "updated_at"])
    };

    const PAGES: &'static [Operation] = &[
        operation::<list::List>(),
        operation::<new::New>(),
        operation::<new::Create>(),
        operation::<records::RelatedTo<Self>>(),
        operation::<records::Totals<Self>>(),
        operation::<records::Bulk<Self>>(),
        operation::<records::EditMany<Self>>(),
        operation::<records::Apply<Self>>(),
        operation::<show::Show>(),
        operation::<records::Edit<Self>>(),
        operation::<records::Update<Self>>(),
        operation::<records::History<Self>>(),
        operation::<change::Set>(),
        operation::<change::Labels>(),
        operation::<change::Link>(),
        operation::<requester::Show>(),
        operation::<position::Next>(),
        operation::<position::Previous>(),
        operation::<answer::Answer>(),
        operation::<answer::AddNote>(),
        operation::<answer::SaveDraft>(),
        operation::<answer::DiscardDraft>(),
        operation::<replies::Choose>(),
        operation::<replies::Insert>(),
        operation::<presence::Present>(),
    ];

    fn adapt_form(mut form: FormView) -> FormView {
        if let Some(status) = form.field_mut("status") {
            status.choices.retain(|choice| statuses().any(|known| known.as_str() == choice.value));
        }
        form
    }
}

fn path_of(id: impl Display) -> String {
    format!("/tickets/{id}")
}

pub(super) fn statuses() -> impl Iterator<Item = IssueStatus> {
    IssueStatus::ALL.iter().copied().filter(|status| status.kind() == IssueKind::Ticket)
}

/// A value with its colour.
pub(super) struct Tinted {
    pub(super) value: &'static str,
    pub(super) label: String,
    tone: &'static str,
}

pub(super) fn tinted_status(status: IssueStatus) -> Tinted {
    let tone = match status {
        IssueStatus::Open => "blue",
        IssueStatus::Pending | IssueStatus::OnHold => "orange",
        IssueStatus::Resolved => "green",
        _ => "secondary",
    };
    Tinted { value: status.as_str(), label: texts::label("value", status.as_str()), tone }
}

fn tinted_priority(priority: Priority) -> Tinted {
    let tone = match priority {
        Priority::Urgent => "red",
        Priority::High => "orange",
        Priority::Medium | Priority::Low => "secondary",
    };
    Tinted { value: priority.as_str(), label: texts::label("value", priority.as_str()), tone }
}
