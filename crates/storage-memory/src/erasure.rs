//! Erasures of people's data. Every source is looked through at once.

use std::sync::Arc;

use domain::crm::comments::CrmRecord;
use domain::crm::contacts::Contact;
use domain::email::link_requests::RequestedLink;
use domain::identity::access::ActorKind;
use domain::kernel::paging::{PageRequest, Paginated};
use domain::ports::{ErasureRepo, StoreError};
use domain::support::erasure::{FoundText, PersonErasure, Scanned, TextKind, TextSource, erase_mentions};
use domain::work::issues::ERASED;
use domain::{ErasureId, EventId, IssueId, WorkspaceId};
use serde_json::Value;
use uuid::Uuid;

use super::state::{MemoryTx, Records, State};
use super::table::{Order, page};

/// Between the parts of a place.
const SEPARATOR: char = '\n';

impl ErasureRepo for MemoryTx<'_> {
    fn insert(&mut self, erasure: &PersonErasure) -> Result<(), StoreError> {
        self.records.erasures.insert(erasure.id, (erasure.clone(), std::collections::BTreeSet::new()));
        Ok(())
    }

    fn get(&mut self, id: ErasureId) -> Result<Option<PersonErasure>, StoreError> {
        Ok(self.records.erasures.get(&id).map(|(erasure, _)| erasure.clone()))
    }

    fn list(&mut self, request: &PageRequest) -> Result<Vec<PersonErasure>, StoreError> {
        let all = self.records.erasures.values().map(|(erasure, _)| erasure);
        Ok(page(all, PersonErasure::cursor_key, Order::NewestFirst, request))
    }

    fn next(&mut self) -> Result<Option<PersonErasure>, StoreError> {
        let unfinished = self.records.erasures.values().map(|(one, _)| one).filter(|one| one.finished_at.is_none());
        Ok(unfinished.min_by_key(|one| (one.turn_at, one.id)).cloned())
    }

    fn save(&mut self, erasure: &PersonErasure) -> Result<(), StoreError> {
        let stored = self.records.erasures.get_mut(&erasure.id);
        let stored = stored.ok_or_else(|| StoreError::Internal("there is no row to update".to_owned()))?;
        stored.0 = erasure.clone();
        Ok(())
    }

    fn unfinished(&mut self) -> Result<u64, StoreError> {
        Ok(self.records.erasures.values().filter(|(one, _)| one.finished_at.is_none()).count() as u64)
    }

    fn contacts(&mut self, erasure: &PersonErasure, most: u32) -> Result<Vec<(Contact, bool)>, StoreError> {
        let keys = erasure.email_keys();
        let is_theirs = |contact: &&Contact| {
            !self.records.erased_contacts.contains(&contact.id)
                && (erasure.contact_id == Some(contact.id) || keys.contains(&contact.email_key()))
        };
        let found = self.records.contacts.all().filter(is_theirs).take(most as usize);
        Ok(found.map(|contact| (contact.clone(), self.records.contacts.has(contact.id))).collect())
    }

    fn erase_contact(&mut self, contact: &Contact) -> Result<(), StoreError> {
        let stored = self.records.contacts.get_any_mut(contact.id);
        *stored.ok_or_else(|| StoreError::Internal("there is no row to update".to_owned()))? = contact.clone();
        self.records.contacts.delete(contact.id, contact.updated_at);
        self.records.erased_contacts.insert(contact.id);
        Ok(())
    }

    fn tickets(&mut self, erasure: &PersonErasure, most: u32) -> Result<Vec<IssueId>, StoreError> {
        let (keys, ids) = (erasure.email_keys(), self.records.of_erasure(erasure.id));
        let tickets = self.records.issues.live().filter(|issue| {
            issue.requester.as_ref().is_some_and(|requester| {
                let is_contact = requester.contact_id.is_some_and(|id| ids.contains(&id.0));
                !requester.is_erased() && (is_contact || keys.contains(&requester.email_key()))
            })
        });
        Ok(tickets.map(|issue| issue.id).take(most as usize).collect())
    }

    fn erase_requesters(&mut self, tickets: &[IssueId]) -> Result<(), StoreError> {
        // A save writes them here.

        self.records.links.retain(|_, link| !tickets.contains(&link.issue_id));
        self.records.portal_sessions.retain(|_, session| !tickets.contains(&session.issue_id));
        Ok(())
    }

    fn add_records(&mut self, id: ErasureId, records: &[Uuid]) -> Result<(), StoreError> {
        if let Some((_, known)) = self.records.erasures.get_mut(&id) {
            known.extend(records);
        }
        Ok(())
    }

    fn texts(
        &mut self,
        erasure: &PersonErasure,
        source: TextSource,
        _: u32,
    ) -> Result<Scanned<Vec<FoundText>>, StoreError> {
        let found = match source {
            TextSource::Comments => self.records.comments_about(erasure),
            TextSource::Answers => self.records.answers(erasure),
            TextSource::Events => self.records.events_about(erasure),
            TextSource::Reports => self.records.reports(),
        };
        Ok(Scanned { found, next: None })
    }

    fn save_texts(&mut self, source: TextSource, texts: &[FoundText]) -> Result<(), StoreError> {
        for FoundText { place, id, text, .. } in texts {
            match source {
                TextSource::Comments => {
                    let id = (*id).into();
                    let issue = self.records.comments.get_any_mut(id).map(|comment| &mut comment.body);
                    let record = self.records.record_comments.get_any_mut(id).map(|comment| &mut comment.body);
                    issue.into_iter().chain(record).for_each(|body| body.clone_from(text));
                }
                TextSource::Answers => {
                    let kept = self.records.kept.iter_mut().find(|(key, _)| place_of(key) == *place);
                    if let Some((_, kept)) = kept {
                        kept.answer.body.clone_from(text);
                    }
                }
                TextSource::Events | TextSource::Reports => {
                    if let Some(event) = self.records.events.get_mut(&EventId(*id)) {
                        event.payload.clone_from(text);
                        if event.by.actor.kind == ActorKind::Customer {
                            event.by.name = Arc::from(ERASED);
                        }
                    }
                }
            }
        }
        Ok(())
    }

    fn drop_emails(&mut self, erasure: &PersonErasure, _: u32) -> Result<Scanned<u64>, StoreError> {
        let (keys, ids) = (erasure.email_keys(), self.records.of_erasure(erasure.id));
        let before = self.records.emails.len();
        self.records.emails.retain(|_, stored| {
            let is_of_ticket = stored.email.batch.is_some_and(|batch| ids.contains(&batch.id()));
            let is_to_customer = stored.email.mailbox.purpose.is_to_customer();
            !(is_of_ticket || is_to_customer && keys.contains(&stored.email.to.to_lowercase()))
        });
        let workspace = self.workspace;
        self.shared.drop_link_requests(|wanted| match wanted {
            RequestedLink::Ticket { workspace: of, email, .. } => *of == workspace && keys.contains(email),
            RequestedLink::PasswordReset { .. } => false,
        });
        Ok(Scanned { found: (before - self.records.emails.len()) as u64, next: None })
    }

    fn drop_email_parts(&mut self, ids: &[Uuid]) -> Result<(), StoreError> {
        self.records.emails.retain(|_, stored| {
            let before = stored.parts.len();
            stored.parts.retain(|part| !ids.contains(&part.id.0));
            stored.owner.is_some() || stored.parts.len() == before || !stored.parts.is_empty()
        });
        Ok(())
    }

    fn erase_responses(&mut self, erasure: &PersonErasure, _: u32) -> Result<Scanned<u64>, StoreError> {
        let mut theirs: Vec<_> =
            self.records.events_about(erasure).into_iter().map(|event| EventId(event.id)).collect();
        theirs.extend(self.records.of_erasure(erasure.id).into_iter().map(EventId));
        let mut found = 0;
        let deliveries = self.records.deliveries.values_mut();
        for stored in deliveries.filter(|stored| stored.delivery.event_id.is_some_and(|id| theirs.contains(&id))) {
            stored.erased = true;
            found += 1;
            for response in stored.attempts.iter_mut().filter_map(|attempt| attempt.response.as_mut()) {
                ERASED.clone_into(response);
            }
        }
        Ok(Scanned { found, next: None })
    }

    fn erase_from_audit_log(&mut self, erasure: &PersonErasure, _: u32) -> Result<Scanned<u64>, StoreError> {
        let mut found = 0;
        for entry in &mut self.records.audit.entries {
            let mut details = Value::Object(std::mem::take(&mut entry.details));
            found += u64::from(erase_mentions(erasure, &mut details));
            if let Value::Object(details) = details {
                entry.details = details;
            }
        }
        Ok(Scanned { found, next: None })
    }

    fn forget_searches(&mut self, names_person: &dyn Fn(&str) -> bool) -> Result<u64, StoreError> {
        let before = self.records.vain_searches.len();
        self.records.vain_searches.retain(|term, _| !names_person(term.as_str()));
        Ok((before - self.records.vain_searches.len()) as u64)
    }

    fn forget_records(&mut self, id: ErasureId, _: u32) -> Result<u64, StoreError> {
        let known = self.records.erasures.get_mut(&id).map(|(_, known)| std::mem::take(known));
        Ok(known.map_or(0, |known| known.len() as u64))
    }
}

fn place_of((credential, route, key): &(Uuid, &'static str, String)) -> String {
    format!("{credential}{SEPARATOR}{route}{SEPARATOR}{key}")
}

impl Records {
    fn of_erasure(&self, id: ErasureId) -> Vec<Uuid> {
        self.erasures.get(&id).into_iter().flat_map(|(_, known)| known).copied().collect()
    }

    fn comments_about(&self, erasure: &PersonErasure) -> Vec<FoundText> {
        let ids = self.of_erasure(erasure.id);
        let found = |id: Uuid, kind, text: &str| FoundText { place: id.to_string(), kind, text: text.to_owned(), id };
        let issues = self.comments.all().filter(|comment| ids.contains(&comment.issue_id.0)).map(|comment| {
            let is_theirs = comment.author.kind == ActorKind::Customer;
            let kind = if is_theirs { TextKind::Theirs } else { TextKind::Mentioning };
            found(comment.id.0, kind, &comment.body)
        });
        let is_on_contact =
            |record: CrmRecord| matches!(record, CrmRecord::Contact(contact) if ids.contains(&contact.0));
        let records = self.record_comments.all().filter(|comment| is_on_contact(comment.record));
        issues.chain(records.map(|comment| found(comment.id.0, TextKind::Theirs, &comment.body))).collect()
    }

    fn events_about(&self, erasure: &PersonErasure) -> Vec<FoundText> {
        let ids = self.of_erasure(erasure.id);
        let of_records = self.events.iter().filter_map(|(id, event)| {
            let record = event.record.filter(|record| ids.contains(&record.id))?;
            let is_theirs = event.by.actor.kind == ActorKind::Customer;
            let kind =
                if record.noun == "contact" { TextKind::ContactEvent } else { TextKind::TicketEvent { is_theirs } };
            Some(FoundText { place: id.to_string(), kind, text: event.payload.clone(), id: id.0 })
        });
        of_records.collect()
    }

    fn reports(&self) -> Vec<FoundText> {
        let reports = self.events.iter().filter(|(_, event)| event.record.is_none());
        let found = reports.map(|(id, event)| FoundText {
            place: id.to_string(),
            kind: TextKind::Report,
            text: event.payload.clone(),
            id: id.0,
        });
        found.collect()
    }

    fn answers(&self, erasure: &PersonErasure) -> Vec<FoundText> {
        let ids = self.of_erasure(erasure.id);
        let references = self.issues.all().filter(|issue| ids.contains(&issue.id.0));
        let references: Vec<_> = references.filter_map(|issue| issue.reference.as_deref()).collect();
        let found = self.kept.iter().map(|(key, kept)| {
            let body = &kept.answer.body;
            let is_theirs = ids.contains(&key.0)
                || ids.iter().any(|id| body.contains(&format!("\"id\":\"{id}\"")))
                || references.iter().any(|reference| body.contains(&format!("\"reference\":\"{reference}\"")));
            FoundText {
                place: place_of(key),
                kind: TextKind::Answer { is_theirs },
                text: body.clone(),
                id: Uuid::nil(),
            }
        });
        found.collect()
    }
}

/// The workspaces that have an erasure to continue.
pub(super) fn workspaces_with_unfinished(state: &State, limit: u32) -> Vec<WorkspaceId> {
    let unfinished = |records: &Records| records.erasures.values().any(|(one, _)| one.finished_at.is_none());
    let found = state.records.iter().filter(|(_, records)| unfinished(records));
    found.map(|(id, _)| *id).take(limit as usize).collect()
}
