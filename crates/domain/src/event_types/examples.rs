//! An example of every event, made by what makes the events themselves.

use std::collections::HashMap;

use serde_json::Value as Json;
use time::macros::{date, datetime};

use super::samples::{self, CHANGED, GRACE, MADE};
use crate::crm::comments::RecordComment;
use crate::crm::companies::Company;
use crate::crm::contacts::Contact;
use crate::crm::deals::{Deal, DealStage, DealStatus};
use crate::events::{Cascade, Event, EventBuilder, EventCause, EventSource};
use crate::support::kb::{Article, ArticleStatus};
use crate::work::comments::Comment;
use crate::work::cycles::CycleView;
use crate::work::issues::{Issue, IssueStatus};
use crate::work::projects::{Project, ProjectStatus};

/// A record that can be changed in an example.
trait Versioned: Clone {
    /// Makes it the next version.
    fn bump(&mut self);

    /// It after a change.
    fn after(&self, change: impl FnOnce(&mut Self)) -> Self {
        let mut changed = self.clone();
        change(&mut changed);
        changed.bump();
        changed
    }
}

macro_rules! versioned {
    ($($record:ty),+) => { $(
        impl Versioned for $record {
            fn bump(&mut self) {
                self.version += 1;
                self.updated_at = CHANGED;
            }
        }
    )+ };
}

versioned!(Contact, Company, Deal, Project, CycleView, Issue, Comment, RecordComment, Article);

/// The payloads by the names of their events.
pub(super) fn payloads() -> HashMap<String, Json> {
    let who = samples::ada();
    let (made, changed) = (EventBuilder::new(&who, MADE), EventBuilder::new(&who, CHANGED));
    let examples = Examples { made, changed };
    let mut events = Vec::new();
    examples.crm(&mut events);
    examples.projects(&mut events);
    examples.support(&mut events);
    // A payload is JSON that the service has written itself.
    let payload = |event: Event| (event.name, serde_json::from_str(&event.payload).unwrap_or_default());
    events.into_iter().map(payload).collect()
}

struct Examples {
    made: EventBuilder,
    changed: EventBuilder,
}

impl Examples {
    /// What every record can go through.
    fn life<R: EventSource + Versioned>(&self, record: &R) -> [Event; 3] {
        let gone = record.after(|_| ());
        let back = gone.after(|_| ());
        [
            self.made.happened(record, "created"),
            self.changed.happened(&gone, "deleted"),
            self.changed.happened(&back, "restored"),
        ]
    }

    /// The life of what is deleted and restored with its project.
    fn life_with_project<R: EventSource + Versioned>(&self, record: &R) -> [Event; 3] {
        let [created, deleted, restored] = self.life(record);
        let cause = |verb: &str, id| Some(EventCause { event: format!("project.{verb}"), id });
        [
            created,
            deleted.with_cause(cause("deleted", samples::PROJECT_DELETION).as_ref()),
            restored.with_cause(cause("restored", samples::PROJECT_RESTORATION).as_ref()),
        ]
    }

    fn crm(&self, events: &mut Vec<Event>) {
        let contact = samples::contact();
        events.extend(self.life(&contact));
        let promoted = contact.after(|it| it.job_title = Some("Managing Director".to_owned()));
        events.extend(self.changed.updated(&contact, &promoted));
        let company = samples::company();
        events.extend(self.life(&company));
        let called = company.after(|it| it.phone = Some("+46 8 123 456".to_owned()));
        events.extend(self.changed.updated(&company, &called));
        let deal = samples::deal();
        events.extend(self.life(&deal));
        let likelier = deal.after(|it| {
            it.probability = Some(60);
            it.custom_fields.insert("region".to_owned(), "south".into());
        });
        let offered = deal.after(|it| it.stage = DealStage::Proposal);
        let won = deal.after(|it| {
            (it.status, it.stage) = (DealStatus::ClosedWon, DealStage::ClosedWon);
            it.actual_close_date = Some(date!(2030 - 03 - 06));
        });
        let lost = deal.after(|it| {
            (it.status, it.stage) = (DealStatus::ClosedLost, DealStage::ClosedLost);
            it.actual_close_date = Some(date!(2030 - 03 - 06));
            it.lost_reason = Some("They build it themselves.".to_owned());
        });
        for after in [likelier, offered, won, lost] {
            events.extend(self.changed.deal_changed(&deal, &after));
        }
        for comment in samples::record_comments() {
            let edited = comment.after(|it| {
                "Called: they decide in May.".clone_into(&mut it.body);
                it.edited_at = Some(CHANGED);
            });
            events.push(self.made.happened(&comment, "comment_added"));
            events.extend(self.changed.changed(&comment, &edited, |_, _| Some("comment_updated")));
            events.push(self.changed.happened(&edited.after(|_| ()), "comment_deleted"));
        }
    }

    fn projects(&self, events: &mut Vec<Event>) {
        let project = samples::project();
        let cascade = Some(Cascade { tasks: 12, cycles: 2 });
        let [created, deleted, restored] = self.life(&project);
        events.extend([created, deleted.with_cascade(cascade), restored.with_cascade(cascade)]);
        let advanced = project.after(|it| it.progress = 10);
        let begun = project.after(|it| it.status = ProjectStatus::Active);
        for after in [advanced, begun] {
            events.extend(self.changed.project_changed(&project, &after));
        }
        let cycle = samples::cycle();
        events.extend(self.life_with_project(&cycle));
        let renamed = cycle.after(|it| "Sign-in".clone_into(&mut it.name));
        events.extend(self.changed.updated(&cycle, &renamed));
        let task = samples::task();
        events.extend(self.life_with_project(&task));
        let done = |it: &mut Issue| {
            it.status = IssueStatus::Done;
            it.completed_at = Some(CHANGED);
        };
        self.issue(events, &task, done, &samples::task_comment());
    }

    fn support(&self, events: &mut Vec<Event>) {
        let ticket = samples::ticket();
        // Tickets are never deleted.
        events.push(self.made.happened(&ticket, "created"));
        let resolved = |it: &mut Issue| {
            it.status = IssueStatus::Resolved;
            it.resolved_at = Some(CHANGED);
        };
        self.issue(events, &ticket, resolved, &samples::ticket_comment());
        let article = samples::article();
        events.extend(self.life(&article));
        let published = article.after(|it| {
            it.status = ArticleStatus::Published;
            it.published_at = Some(CHANGED);
        });
        events.extend(self.changed.updated(&article, &published));
    }

    /// What happens to a task or ticket, and to a comment on it.
    fn issue(&self, events: &mut Vec<Event>, issue: &Issue, finish: impl FnOnce(&mut Issue), comment: &Comment) {
        let due = issue.after(|it| it.due_at = Some(datetime!(2030-05-16 16:00 UTC)));
        let given = issue.after(|it| it.assignee_id = Some(GRACE));
        let finished = issue.after(finish);
        for after in [due, given, finished] {
            events.extend(self.changed.issue_changed(issue, &after));
        }
        let edited = comment.after(|it| {
            it.body = format!("{} Thank you!", it.body);
            it.edited_at = Some(CHANGED);
        });
        events.push(self.made.commented(comment, issue));
        events.extend(self.changed.comment_updated(comment, &edited, issue));
        events.push(self.changed.comment_deleted(&edited, issue, CHANGED));
    }
}
