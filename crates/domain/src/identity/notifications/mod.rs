//! E-mails to members about their own work: assignments by others, replies of customers, and what happens to their time.
//!
//! Everything that happens to a member's work within a minute is sent as one e-mail.

mod texts;

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;
use time::Date;
use uuid::Uuid;

use super::access::{ActorKind, Principal, RecordKind};
use super::workspaces::{Role, Workspace};
use crate::email::{EmailBatch, EmailMessage, EmailPart, EmailPurpose, QueuedEmail, add_parts};
use crate::ports::{Ports, Tx};
use crate::{CommentId, EmailPartId, Error, IssueId, TimeEntryId, UserId};

/// The e-mails about their work that a user gets, in all their workspaces.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
pub struct NotificationChoices {
    /// About work that others assign to them.
    #[serde(rename = "notify_assigned")]
    pub assigned: bool,
    /// About customer replies to tickets assigned to them.
    #[serde(rename = "notify_replies")]
    pub replies: bool,
}

impl Default for NotificationChoices {
    fn default() -> Self {
        Self { assigned: true, replies: true }
    }
}

/// An active member as the recipient of an e-mail.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recipient {
    pub user_id: UserId,
    pub email: String,
    pub role: Role,
    pub choices: NotificationChoices,
}

/// Members are only notified of records that they may read.
fn may_read(role: Role, kind: RecordKind) -> bool {
    kind.reads().is_met_by_session(role, role.scopes())
}

/// The parts of an assigned record that an e-mail shows.
#[derive(Debug, Clone)]
pub(crate) struct AssignedRecord {
    pub(crate) kind: RecordKind,
    pub(crate) id: Uuid,
    /// The reference for people, such as `#12`; `None` if the record has only a title.
    pub(crate) label: Option<String>,
    pub(crate) title: String,
}

/// A change of the member who is responsible for a record.
#[derive(Debug, Clone)]
pub(crate) struct Assignment {
    record: AssignedRecord,
    former: Option<UserId>,
    assignee: Option<UserId>,
}

impl Assignment {
    /// The change; `None` if the same member stays responsible. `former` is also `None` for a new record.
    pub(crate) fn between(
        former: Option<UserId>,
        assignee: Option<UserId>,
        record: impl FnOnce() -> AssignedRecord,
    ) -> Option<Self> {
        (former != assignee).then(|| Self { record: record(), former, assignee })
    }
}

/// Notifies members of records that someone else has just assigned to them: one text per member, for any number of records. A
/// record that is assigned to another member within the same minute is withdrawn from the e-mail.
pub(crate) fn notify_assigned(
    ports: &Ports,
    workspace: &Workspace,
    tx: &mut dyn Tx,
    by: &Principal,
    assignments: &[Assignment],
) -> Result<(), Error> {
    let former_part = |one: &Assignment| Some((EmailBatch::Member(one.former?), EmailPartId(one.record.id)));
    let former: Vec<_> = assignments.iter().filter_map(former_part).collect();
    if !former.is_empty() {
        tx.emails().withdraw(&former)?;
    }
    let mut by_member: BTreeMap<UserId, Vec<&AssignedRecord>> = BTreeMap::new();
    for assignment in assignments {
        let is_actor = |member: &UserId| by.actor.kind == ActorKind::User && by.actor.id == Some(member.0);
        if let Some(member) = assignment.assignee.filter(|member| !is_actor(member)) {
            by_member.entry(member).or_default().push(&assignment.record);
        }
    }
    if by_member.is_empty() {
        return Ok(());
    }
    let members: Vec<_> = by_member.keys().copied().collect();
    let mut items = Vec::new();
    for recipient in tx.members().recipients(&members)?.into_iter().filter(|one| one.choices.assigned) {
        let mut records = by_member.remove(&recipient.user_id).unwrap_or_default();
        records.retain(|record| may_read(recipient.role, record.kind));
        if let Some((subject, text)) = texts::assigned(by, &records) {
            // Only the text of a single record can be withdrawn.
            let id = if let [record] = *records { record.id } else { ports.ids.new_id() };
            items.push(MemberText { recipient, id: EmailPartId(id), subject, text });
        }
    }
    append_texts(ports, workspace, tx, &items)
}

/// A customer's reply to a ticket.
pub(crate) struct CustomerReply<'a> {
    pub(crate) ticket: IssueId,
    pub(crate) reference: &'a str,
    pub(crate) title: &'a str,
    pub(crate) assignee: UserId,
    pub(crate) comment: CommentId,
    pub(crate) customer: &'a str,
    pub(crate) body: &'a str,
}

/// Notifies the member who is responsible for a ticket that its customer has replied.
pub(crate) fn notify_replied(
    ports: &Ports,
    workspace: &Workspace,
    tx: &mut dyn Tx,
    reply: &CustomerReply<'_>,
) -> Result<(), Error> {
    let is_notified = |one: &Recipient| one.choices.replies && may_read(one.role, RecordKind::Ticket);
    let Some(recipient) = tx.members().recipients(&[reply.assignee])?.into_iter().find(is_notified) else {
        return Ok(());
    };
    let (subject, text) = texts::replied(reply);
    append_texts(ports, workspace, tx, &[MemberText { recipient, id: EmailPartId(reply.comment.0), subject, text }])
}

/// Why timers were stopped by someone other than their members.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TimerStopReason {
    /// They had run for 12 hours.
    Forgotten,
    /// The day on which they began was locked.
    PeriodLocked,
}

/// Notifies members that their timers were stopped.
pub(crate) fn notify_timers_stopped(
    ports: &Ports,
    workspace: &Workspace,
    tx: &mut dyn Tx,
    timers: &BTreeMap<UserId, TimeEntryId>,
    reason: TimerStopReason,
) -> Result<(), Error> {
    notify_each(ports, workspace, tx, timers, |entry| {
        let (subject, text) = texts::timer_stopped(*entry, reason);
        (EmailPartId(entry.0), subject, text)
    })
}

/// A rejected time entry, as an e-mail shows it.
#[derive(Debug, Clone)]
pub(crate) struct RejectedTime {
    pub(crate) day: Date,
    pub(crate) seconds: i32,
    pub(crate) note: String,
}

/// Notifies members that someone else has rejected their time: one text per member, for any number of entries. `reason` may be empty.
pub(crate) fn notify_time_rejected(
    ports: &Ports,
    workspace: &Workspace,
    tx: &mut dyn Tx,
    by: &Principal,
    rejected: &BTreeMap<UserId, Vec<RejectedTime>>,
    reason: &str,
) -> Result<(), Error> {
    let is_actor = |member: &UserId| by.actor.kind == ActorKind::User && by.actor.id == Some(member.0);
    let of_others = rejected.iter().filter(|(member, _)| !is_actor(member)).map(|(member, entries)| (*member, entries));
    notify_each(ports, workspace, tx, &of_others.collect(), |entries| {
        let (subject, text) = texts::time_rejected(by, entries, reason);
        (EmailPartId(ports.ids.new_id()), subject, text)
    })
}

/// Notifies each active member among these. `text_of` returns the id, the subject and the text.
fn notify_each<T>(
    ports: &Ports,
    workspace: &Workspace,
    tx: &mut dyn Tx,
    about: &BTreeMap<UserId, T>,
    text_of: impl Fn(&T) -> (EmailPartId, String, String),
) -> Result<(), Error> {
    if about.is_empty() {
        return Ok(());
    }
    let members: Vec<_> = about.keys().copied().collect();
    let mut items = Vec::new();
    for recipient in tx.members().recipients(&members)? {
        if let Some((id, subject, text)) = about.get(&recipient.user_id).map(&text_of) {
            items.push(MemberText { recipient, id, subject, text });
        }
    }
    append_texts(ports, workspace, tx, &items)
}

/// A text for a member.
struct MemberText {
    recipient: Recipient,
    id: EmailPartId,
    subject: String,
    text: String,
}

/// Adds each text to the member's open e-mail, and opens one if there is none.
fn append_texts(ports: &Ports, workspace: &Workspace, tx: &mut dyn Tx, items: &[MemberText]) -> Result<(), Error> {
    let batch_of = |item: &MemberText| EmailBatch::Member(item.recipient.user_id);
    let part = |item: &MemberText| EmailPart::seal(ports, workspace.id, batch_of(item), item.id, &item.text);
    let sealed = items.iter().map(part).collect::<Result<Vec<_>, _>>()?;
    if sealed.is_empty() {
        return Ok(());
    }
    add_parts(tx, &sealed, |index| {
        let item = &items[index];
        let tail = texts::tail(&ports.settings, workspace);
        let Some(email) = EmailMessage::to_stored(&item.recipient.email, &item.subject, &tail) else {
            return Ok(None);
        };
        let queued = QueuedEmail::seal(ports, workspace.email_source(EmailPurpose::Notification), &email)?;
        let queued = QueuedEmail { subject_of_many: Some(texts::SUBJECT_OF_MANY.to_owned()), ..queued };
        Ok(Some(queued.batched(ports, batch_of(item))))
    })
    .map(drop)
}
