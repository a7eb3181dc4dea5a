//! The steps of erasures, each in its own transaction.
//!
//! Records are erased before their copies. A change of a ticket locks its row, so all copies of the old data are committed by the time
//! that the ticket is erased, and later phases find them.

use std::sync::Arc;

use time::OffsetDateTime;

use super::redact::Redaction;
use super::{ErasurePhase, PersonErasure, Scanned, TextSource};
use crate::crm::contacts::Contact;
use crate::events::EventBuilder;
use crate::identity::access::Principal;
use crate::kernel::{Stepped, StoreError, Weight, batches, later, step_in_each};
use crate::ports::{Ports, Tx, weighed_transact_in};
use crate::work::issues::{ERASED, Issue, Requester};
use crate::{ContactId, Error, WorkspaceId};

/// The maximum number of records or texts that a step erases. It may scan more.
pub const STEP: u32 = 200;
/// The number of workspaces that take turns.
const WORKSPACES: u32 = 100;

/// Runs one step in each of some workspaces with unfinished erasures. A failure in one workspace does not affect the others.
pub async fn continue_erasures(ports: &Ports) -> Result<Stepped, Error> {
    let workspaces = ports.directory.workspaces_with_erasures(WORKSPACES).await?;
    Ok(step_in_each(workspaces, |workspace| step(ports, workspace, STEP)).await)
}

/// Runs one step of the workspace's next unfinished erasure. Returns whether there was one that no other worker has locked. If the step
/// fails, the erasure is moved behind the others.
pub(super) async fn step(ports: &Ports, workspace: WorkspaceId, most: u32) -> Result<bool, Error> {
    let result = try_step(ports, workspace, most).await;
    if result.is_err() {
        defer(ports, workspace).await?;
    }
    result
}

/// Moves the next erasure behind the others.
async fn defer(ports: &Ports, workspace: WorkspaceId) -> Result<(), Error> {
    let now = ports.clock.now();
    weighed_transact_in(ports, workspace, Weight::Heavy, move |tx| {
        if let Some(mut erasure) = tx.erasures().next()? {
            erasure.turn_at = now;
            tx.erasures().save(&erasure)?;
        }
        Ok(())
    })
    .await
}

async fn try_step(ports: &Ports, workspace: WorkspaceId, most: u32) -> Result<bool, Error> {
    let now = ports.clock.now();
    erase_email_copies(ports, workspace).await?;
    weighed_transact_in(ports, workspace, Weight::Heavy, move |tx| {
        let Some(mut erasure) = tx.erasures().next()? else { return Ok(false) };
        let by = Principal::named(erasure.created_by, &erasure.created_by_name, None);
        let reporter = EventBuilder::new(&by, now);
        let next = match erasure.phase {
            ErasurePhase::Contacts => repeat_while(!erase_contacts(tx, &mut erasure, &reporter, now)?.is_empty()),
            ErasurePhase::Tickets => repeat_while(erase_tickets(tx, &mut erasure, &reporter, now, most)? > 0),
            ErasurePhase::Comments => erase_texts(tx, &mut erasure, TextSource::Comments, most)?,
            ErasurePhase::Answers => erase_texts(tx, &mut erasure, TextSource::Answers, most)?,
            ErasurePhase::Events => erase_texts(tx, &mut erasure, TextSource::Events, most)?,
            ErasurePhase::Reports => erase_texts(tx, &mut erasure, TextSource::Reports, most)?,
            ErasurePhase::Emails => add_count(tx.erasures().drop_emails(&erasure, most)?, &mut erasure.erased.emails),
            ErasurePhase::Deliveries => {
                add_count(tx.erasures().erase_responses(&erasure, most)?, &mut erasure.erased.deliveries)
            }
            ErasurePhase::AuditLog => {
                add_count(tx.erasures().erase_from_audit_log(&erasure, most)?, &mut erasure.erased.audit_entries)
            }
            ErasurePhase::Records => {
                let redaction = Redaction::of(&erasure.emails, &erasure.names);
                tx.erasures().forget_searches(&|term| redaction.finds_words(term))?;
                repeat_while(tx.erasures().forget_records(erasure.id, most)? > 0)
            }
            ErasurePhase::Done => None,
        };
        advance(&mut erasure, next, now);
        tx.erasures().save(&erasure)?;
        Ok(true)
    })
    .await
}

/// Erases the copies of e-mails that transports have kept. It runs before the last phase, which removes the person's addresses and names,
/// and outside its transaction. If that transaction fails, it runs again.
async fn erase_email_copies(ports: &Ports, workspace: WorkspaceId) -> Result<(), Error> {
    let next = weighed_transact_in(ports, workspace, Weight::Heavy, |tx| Ok(tx.erasures().next()?)).await?;
    let Some(erasure) = next.filter(|erasure| erasure.phase == ErasurePhase::Records) else { return Ok(()) };
    let redaction = Redaction::of(&erasure.emails, &erasure.names);
    let erased = ports.email_copies.erase(workspace, Arc::new(move |text| redaction.finds(text))).await;
    erased.map(drop).map_err(|error| StoreError::Unavailable(error.message).into())
}

/// Adds how much a step erased to a count, and returns where the next step begins.
fn add_count(erased: Scanned<u64>, count: &mut u64) -> Option<String> {
    *count += erased.found;
    erased.next
}

/// For phases without a cursor, which repeat until a step finds nothing.
fn repeat_while(found: bool) -> Option<String> {
    found.then(String::new)
}

fn advance(erasure: &mut PersonErasure, next: Option<String>, now: OffsetDateTime) {
    if next.is_none() {
        erasure.phase = erasure.phase.next();
    }
    erasure.behind = next.filter(|next| !next.is_empty());
    if erasure.phase == ErasurePhase::Done {
        erasure.finished_at = Some(now);
        erasure.emails.clear();
        erasure.names.clear();
    }
}

/// Erases contacts of the person, and emits a deletion for those that were live. Returns their ids.
pub(super) fn erase_contacts(
    tx: &mut dyn Tx,
    erasure: &mut PersonErasure,
    reporter: &EventBuilder,
    now: OffsetDateTime,
) -> Result<Vec<ContactId>, StoreError> {
    let found = tx.erasures().contacts(erasure, STEP)?;
    let (mut ids, mut events) = (Vec::new(), Vec::new());
    for (contact, is_live) in &found {
        erasure.add_email(&contact.email);
        erasure.add_name(&contact.full_name());
        let erased = erased_contact(contact, now);
        tx.erasures().erase_contact(&erased)?;
        if *is_live {
            events.push(reporter.happened(&erased, "deleted"));
        }
        ids.push(contact.id);
    }
    tx.emit(&events)?;
    let records: Vec<_> = ids.iter().map(|id| id.0).collect();
    tx.erasures().add_records(erasure.id, &records)?;
    tx.drafts().delete_on(&records)?;
    erasure.erased.contacts += ids.len() as u64;
    Ok(ids)
}

fn erased_contact(contact: &Contact, now: OffsetDateTime) -> Contact {
    let blank = Contact::blank(contact.id, contact.created_by, contact.created_at);
    Contact {
        email: ERASED.to_owned(),
        first_name: Some(ERASED.to_owned()),
        contact_type: contact.contact_type,
        status: contact.status,
        version: contact.version + 1,
        updated_at: later(contact.updated_at, now),
        ..blank
    }
}

/// Erases the person from tickets, ends the links and sessions of these, and emits their events. Returns the number of tickets.
fn erase_tickets(
    tx: &mut dyn Tx,
    erasure: &mut PersonErasure,
    reporter: &EventBuilder,
    now: OffsetDateTime,
    most: u32,
) -> Result<usize, StoreError> {
    let ids = tx.erasures().tickets(erasure, most)?;
    let mut erased_ids = Vec::new();
    for batch in batches(tx.issues().lock_many(&ids)?, |(_, bytes)| *bytes) {
        let ids: Vec<_> = batch.into_iter().map(|(id, _)| id).collect();
        let mut erased = Vec::new();
        for ticket in tx.issues().get_many_for_update(&ids)? {
            // A ticket never gets another requester, so only erased ones are skipped.
            if let Some(requester) = ticket.requester.as_ref().filter(|requester| !requester.is_erased()) {
                erasure.add_email(&requester.email);
                erasure.add_name(&requester.name);
                erased.push(erased_ticket(&ticket, now));
            }
        }
        tx.issues().save_many(&erased)?;
        tx.emit(&erased.iter().map(|ticket| reporter.happened(ticket, "updated")).collect::<Vec<_>>())?;
        erased_ids.extend(erased.iter().map(|ticket| ticket.id));
    }
    let records: Vec<_> = erased_ids.iter().map(|id| id.0).collect();
    tx.erasures().erase_requesters(&erased_ids)?;
    tx.erasures().add_records(erasure.id, &records)?;
    tx.drafts().delete_on(&records)?;
    tx.erasures().drop_email_parts(&records)?;
    erasure.erased.tickets += erased_ids.len() as u64;
    Ok(erased_ids.len())
}

fn erased_ticket(ticket: &Issue, now: OffsetDateTime) -> Issue {
    Issue {
        title: ERASED.to_owned(),
        description: ticket.description.as_ref().map(|_| ERASED.to_owned()),
        requester: ticket.requester.as_ref().map(Requester::erased),
        version: ticket.version + 1,
        updated_at: later(ticket.updated_at, now),
        ..ticket.clone()
    }
}

/// Erases the next texts of a source. Returns where the next step continues.
fn erase_texts(
    tx: &mut dyn Tx,
    erasure: &mut PersonErasure,
    source: TextSource,
    most: u32,
) -> Result<Option<String>, StoreError> {
    let redaction = Redaction::of(&erasure.emails, &erasure.names);
    let page = tx.erasures().texts(erasure, source, most)?;
    let mut changed = Vec::new();
    for mut found in page.found {
        if let Some(redacted) = redaction.text(&found) {
            found.text = redacted;
            changed.push(found);
        }
    }
    tx.erasures().save_texts(source, &changed)?;
    if source == TextSource::Comments {
        // E-mails that are held back for a minute contain the comments.
        let ids: Vec<_> = changed.iter().map(|comment| comment.id).collect();
        tx.erasures().drop_email_parts(&ids)?;
    }
    if source == TextSource::Reports {
        // A later phase finds the deliveries by these records.
        let ids: Vec<_> = changed.iter().map(|report| report.id).collect();
        tx.erasures().add_records(erasure.id, &ids)?;
    }
    let count = match source {
        TextSource::Comments => &mut erasure.erased.comments,
        TextSource::Answers => &mut erasure.erased.answers,
        TextSource::Events | TextSource::Reports => &mut erasure.erased.events,
    };
    *count += changed.len() as u64;
    Ok(page.next)
}
