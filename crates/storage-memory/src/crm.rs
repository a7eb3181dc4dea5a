//! Companies, contacts and deals, and the comments on them.

use time::{Date, OffsetDateTime};
use uuid::Uuid;

use super::issues::is_found;
use super::not_in_memory::not_in_memory;
use super::state::{MemoryTx, Records};
use super::table::{Order, Table, is_since, page, page_sorted_by, rows};
use domain::crm::comments::{CrmRecord, RecordComment};
use domain::crm::companies::{Company, CompanyFilter};
use domain::crm::contacts::{Contact, ContactFilter};
use domain::crm::deals::{BoardPart, Deal, DealFilter, DealGroup};
use domain::kernel::input::{CreatedFilter, Line, Tag, fold_label};
use domain::kernel::paging::{ListOrder, PageRequest, Paginated, Position};
use domain::kernel::search::name_key;
use domain::kernel::summary::SummaryRows;
use domain::ports::{CompanyRepo, ContactRepo, DealRepo, MAX_NAMESAKES, NamedRecord, RecordCommentRepo, StoreError};
use domain::{CommentId, CompanyId, ContactId, DealId};

impl CompanyRepo for MemoryTx<'_> {
    rows!(companies: Company by CompanyId, check_company, deleted);

    fn list(&mut self, filter: &CompanyFilter, request: &PageRequest) -> Result<Vec<Company>, StoreError> {
        let finds = |company: &Company| {
            let comments = self.records.comments_on(CrmRecord::Company(company.id));
            is_found(filter.search.as_ref(), company.search_words(), comments.map(RecordComment::search_words))
        };
        let chosen = self.records.companies.live().filter(|company| finds(company) && matches_company(filter, company));
        Ok(page_sorted_by(filter.sorted_by(), chosen, |company| company.updated_at, request))
    }

    fn named(&mut self, names: &[String]) -> Result<Vec<NamedRecord>, StoreError> {
        let live = self.records.companies.live();
        let live = live.map(|company| (company.name.clone(), company.id.0, company.external_id.clone()));
        Ok(named(names, live))
    }
}

/// The first records of each name.
fn named(names: &[String], records: impl Iterator<Item = (String, Uuid, Option<String>)>) -> Vec<NamedRecord> {
    let records: Vec<_> = records.collect();
    let of_one = |asked: &String| {
        let key = name_key(asked);
        let same = records.iter().filter(|(name, ..)| name_key(name) == key);
        let found = same.map(|(_, id, external_id)| NamedRecord {
            name: asked.clone(),
            id: *id,
            external_id: external_id.clone(),
        });
        found.take(MAX_NAMESAKES).collect::<Vec<_>>()
    };
    names.iter().flat_map(of_one).collect()
}

fn check_company(companies: &Table<CompanyId, Company>, company: &Company) -> Result<(), StoreError> {
    companies.check_unique(company.id, "domain", company, |company| company.domain.clone())?;
    companies.check_unique(company.id, "external_id", company, |company| company.external_id.clone())
}

fn matches_company(filter: &CompanyFilter, company: &Company) -> bool {
    filter.domain.as_ref().is_none_or(|domain| company.domain.as_deref() == Some(domain.as_str()))
        && has_external_id(filter.external_id.as_ref(), company.external_id.as_deref())
        && filter.ids.accepts(&company.id)
        && filter.created().accepts(company.created_at)
        && is_since(filter.updated_since, company.updated_at)
}

impl ContactRepo for MemoryTx<'_> {
    rows!(contacts: Contact by ContactId, check_contact, deleted);

    fn list(&mut self, filter: &ContactFilter, request: &PageRequest) -> Result<Vec<Contact>, StoreError> {
        let finds = |contact: &Contact| {
            let comments = self.records.comments_on(CrmRecord::Contact(contact.id));
            is_found(filter.search.as_ref(), contact.search_words(), comments.map(RecordComment::search_words))
        };
        let chosen = self.records.contacts.live().filter(|contact| finds(contact) && matches_contact(filter, contact));
        Ok(page_sorted_by(filter.sorted_by(), chosen, |contact| contact.updated_at, request))
    }

    fn named(&mut self, names: &[String]) -> Result<Vec<NamedRecord>, StoreError> {
        let name = |contact: &Contact| -> String {
            let parts: Vec<_> = [&contact.first_name, &contact.last_name].into_iter().flatten().cloned().collect();
            parts.join(" ")
        };
        let live = self.records.contacts.live();
        Ok(named(names, live.map(|contact| (name(contact), contact.id.0, contact.external_id.clone()))))
    }

    /// Only an earlier release wrote such contacts.
    fn with_shared_address(&mut self, _: u32) -> Result<Vec<Contact>, StoreError> {
        Ok(Vec::new())
    }
}

fn check_contact(contacts: &Table<ContactId, Contact>, contact: &Contact) -> Result<(), StoreError> {
    contacts.check_unique(contact.id, "email", contact, |contact| Some(contact.email_key()))?;
    contacts.check_unique(contact.id, "external_id", contact, |contact| contact.external_id.clone())
}

fn matches_contact(filter: &ContactFilter, contact: &Contact) -> bool {
    filter.status.accepts(&contact.status)
        && filter.contact_type.accepts(&contact.contact_type)
        && filter.email.as_ref().is_none_or(|email| contact.email_key() == email.as_str())
        && has_external_id(filter.external_id.as_ref(), contact.external_id.as_deref())
        && has_any_tag(&filter.tag.0, &contact.tags)
        && filter.company_id.is_none_or(|company| contact.company_id == Some(company))
        && filter.ids.accepts(&contact.id)
        && filter.created().accepts(contact.created_at)
        && is_since(filter.updated_since, contact.updated_at)
}

/// Whether a record has the id of a filter.
pub(super) fn has_external_id(wanted: Option<&Line<255>>, external_id: Option<&str>) -> bool {
    wanted.is_none_or(|wanted| external_id == Some(wanted.as_str()))
}

/// Whether a record has one of the tags, or none is wanted.
pub(super) fn has_any_tag(wanted: &[Tag], tags: &[String]) -> bool {
    wanted.is_empty() || tags.iter().any(|tag| wanted.iter().any(|wanted| wanted.as_str() == fold_label(tag)))
}

impl DealRepo for MemoryTx<'_> {
    rows!(deals: Deal by DealId, check_deal, deleted);

    fn list(&mut self, filter: &DealFilter, request: &PageRequest) -> Result<Vec<Deal>, StoreError> {
        let finds = |deal: &Deal| {
            let comments = self.records.comments_on(CrmRecord::Deal(deal.id));
            is_found(filter.search.as_ref(), deal.search_words(), comments.map(RecordComment::search_words))
        };
        let chosen = self.records.deals.live().filter(|deal| finds(deal) && matches_deal(filter, deal));
        if filter.sorted_by() == ListOrder::Value {
            return Ok(page_by_value(chosen, request));
        }
        Ok(page_sorted_by(filter.sorted_by(), chosen, |deal| deal.updated_at, request))
    }

    fn summarize(&mut self, _: &DealFilter, _: &[DealGroup]) -> Result<SummaryRows, StoreError> {
        not_in_memory("DealRepo::summarize")
    }

    fn board_totals(&mut self) -> Result<Vec<BoardPart>, StoreError> {
        not_in_memory("DealRepo::board_totals")
    }

    fn first_of_stages(&mut self) -> Result<Vec<Deal>, StoreError> {
        not_in_memory("DealRepo::first_of_stages")
    }
}

fn check_deal(deals: &Table<DealId, Deal>, deal: &Deal) -> Result<(), StoreError> {
    deals.check_unique(deal.id, "external_id", deal, |deal| deal.external_id.clone())
}

/// The deals of a page by value, and one more: the highest value first, then the highest id; no value comes last.
fn page_by_value<'a>(deals: impl Iterator<Item = &'a Deal>, request: &PageRequest) -> Vec<Deal> {
    let mut deals: Vec<_> = deals.collect();
    deals.sort_by_key(|deal| std::cmp::Reverse((deal.value, deal.id.0)));
    let is_behind = |deal: &&Deal| match request.position {
        Position::AfterValue(value, id) => (deal.value, deal.id.0) < (value, id),
        _ => true,
    };
    let behind = deals.into_iter().filter(is_behind);
    behind.skip(request.offset() as usize).take(request.limit as usize + 1).cloned().collect()
}

/// Whether a day is in a range; no day is in none but the whole.
fn is_within(since: Option<Date>, before: Option<Date>, day: Option<Date>) -> bool {
    since.is_none_or(|since| day.is_some_and(|day| day >= since))
        && before.is_none_or(|before| day.is_some_and(|day| day < before))
}

fn matches_deal(filter: &DealFilter, deal: &Deal) -> bool {
    let assigned = || deal.assigned_to.is_some_and(|member| filter.assignee.0.contains(&member));
    let in_currency = || filter.currency.0.iter().any(|currency| currency.as_str() == deal.currency);
    filter.status.accepts(&deal.status)
        && filter.stage.accepts(&deal.stage)
        && (filter.assignee.0.is_empty() || assigned())
        && filter.contact_id.is_none_or(|contact| deal.contact_id == Some(contact))
        && filter.company_id.is_none_or(|company| deal.company_id == Some(company))
        // As in SQL, a deal without a value is neither above nor below anything.
        && filter.value_min.is_none_or(|least| deal.value.is_some_and(|value| value >= least.0))
        && filter.value_max.is_none_or(|most| deal.value.is_some_and(|value| value <= most.0))
        && is_within(filter.closed_since, filter.closed_before, deal.actual_close_date)
        && is_within(filter.expected_close_since, filter.expected_close_before, deal.expected_close_date)
        && (filter.currency.0.is_empty() || in_currency())
        && has_external_id(filter.external_id.as_ref(), deal.external_id.as_deref())
        && has_any_tag(&filter.tag.0, &deal.tags)
        && filter.ids.accepts(&deal.id)
        && filter.created().accepts(deal.created_at)
        && is_since(filter.updated_since, deal.updated_at)
}

impl Records {
    /// The comments on a record.
    pub(super) fn comments_on(&self, record: CrmRecord) -> impl Iterator<Item = &RecordComment> {
        self.record_comments.live().filter(move |comment| comment.record == record)
    }
}

impl RecordCommentRepo for MemoryTx<'_> {
    fn insert(&mut self, comment: &RecordComment) -> Result<(), StoreError> {
        self.records.record_comments.insert(comment.id, comment)
    }

    fn list(
        &mut self,
        record: CrmRecord,
        filter: &CreatedFilter,
        request: &PageRequest,
    ) -> Result<Vec<RecordComment>, StoreError> {
        let live = match record {
            CrmRecord::Contact(id) => self.records.contacts.has(id),
            CrmRecord::Company(id) => self.records.companies.has(id),
            CrmRecord::Deal(id) => self.records.deals.has(id),
        };
        let wanted = |comment: &&RecordComment| comment.record == record && filter.accepts(comment.created_at);
        let chosen = self.records.record_comments.live().filter(|comment| live && wanted(comment));
        Ok(page(chosen, RecordComment::cursor_key, Order::OldestFirst, request))
    }

    fn get_for_update(&mut self, id: CommentId) -> Result<Option<RecordComment>, StoreError> {
        Ok(self.records.record_comments.get(id).cloned())
    }

    fn save(&mut self, comment: &RecordComment) -> Result<(), StoreError> {
        self.records.record_comments.save(comment.id, comment)
    }

    fn delete(&mut self, id: CommentId) -> Result<bool, StoreError> {
        Ok(self.records.record_comments.remove(id))
    }
}
