//! Companies, contacts and deals, and the comments on them.

use time::Date;
use uuid::Uuid;

use super::issues::is_found;
use super::not_in_memory::not_in_memory;
use super::records::{Found, StoredKind};
use super::state::{MemoryTx, Records};
use super::table::{Order, is_since, page, page_sorted_by};
use domain::crm::comments::{CrmRecord, RecordComment};
use domain::crm::companies::{Company, CompanyFilter};
use domain::crm::contacts::{Contact, ContactFilter};
use domain::crm::deals::{BoardPart, Deal, DealFilter, DealGroup};
use domain::kernel::input::{CreatedFilter, Line, Tag, fold_label};
use domain::kernel::paging::{ListOrder, PageRequest, Paginated, Position};
use domain::kernel::search::name_key;
use domain::kernel::summary::SummaryRows;
use domain::kernel::totals::CountedPart;
use domain::ports::{
    CompanyRepo, ContactRepo, DealRepo, MAX_NAMESAKES, NamedRecord, RecordCommentRepo, RecordList, StoreError,
};
use domain::{CommentId, UserId};

impl StoredKind for Company {
    fn title(&self) -> String {
        self.name.clone()
    }

    fn found(&self, _: bool) -> Option<Found> {
        Some(Found { words: self.search_words(), detail: self.domain.clone(), created_at: self.created_at })
    }
}

impl RecordList<Company> for MemoryTx<'_> {
    fn list(&mut self, filter: &CompanyFilter, request: &PageRequest) -> Result<Vec<Company>, StoreError> {
        let chosen = self.records.companies_of(filter);
        Ok(page_sorted_by(filter.sorted_by(), chosen, |company| company.updated_at, request))
    }

    fn totals(&mut self, filter: &CompanyFilter) -> Result<Vec<CountedPart>, StoreError> {
        Ok(CountedPart::count(self.records.companies_of(filter).map(|_| (None, None, None))))
    }
}

impl CompanyRepo for MemoryTx<'_> {
    fn named(&mut self, names: &[String]) -> Result<Vec<NamedRecord>, StoreError> {
        let live = self.records.of::<Company>().live();
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

fn matches_company(filter: &CompanyFilter, company: &Company) -> bool {
    filter.domain.as_ref().is_none_or(|domain| company.domain.as_deref() == Some(domain.as_str()))
        && is_assigned(&filter.assignee.0, company.assigned_to)
        && has_external_id(filter.external_id.as_ref(), company.external_id.as_deref())
        && filter.ids.accepts(&company.id)
        && filter.created().accepts(company.created_at)
        && is_since(filter.updated_since, company.updated_at)
}

impl StoredKind for Contact {
    fn title(&self) -> String {
        let name = full_name(self);
        if name.is_empty() { self.email.clone() } else { name }
    }

    fn found(&self, _: bool) -> Option<Found> {
        Some(Found { words: self.search_words(), detail: Some(self.email.clone()), created_at: self.created_at })
    }
}

fn full_name(contact: &Contact) -> String {
    let parts: Vec<_> = [&contact.first_name, &contact.last_name].into_iter().flatten().cloned().collect();
    parts.join(" ")
}

impl RecordList<Contact> for MemoryTx<'_> {
    fn list(&mut self, filter: &ContactFilter, request: &PageRequest) -> Result<Vec<Contact>, StoreError> {
        let chosen = self.records.contacts_of(filter);
        Ok(page_sorted_by(filter.sorted_by(), chosen, |contact| contact.updated_at, request))
    }

    fn totals(&mut self, filter: &ContactFilter) -> Result<Vec<CountedPart>, StoreError> {
        Ok(CountedPart::count(self.records.contacts_of(filter).map(|_| (None, None, None))))
    }
}

impl ContactRepo for MemoryTx<'_> {
    fn named(&mut self, names: &[String]) -> Result<Vec<NamedRecord>, StoreError> {
        let live = self.records.of::<Contact>().live();
        Ok(named(names, live.map(|contact| (full_name(contact), contact.id.0, contact.external_id.clone()))))
    }

    /// Only an earlier release stored such contacts.
    fn with_shared_address(&mut self, _: u32) -> Result<Vec<Contact>, StoreError> {
        Ok(Vec::new())
    }
}

fn matches_contact(filter: &ContactFilter, contact: &Contact) -> bool {
    filter.status.accepts(&contact.status)
        && filter.contact_type.accepts(&contact.contact_type)
        && is_assigned(&filter.assignee.0, contact.assigned_to)
        && filter.email.as_ref().is_none_or(|email| contact.email_key() == email.as_str())
        && has_external_id(filter.external_id.as_ref(), contact.external_id.as_deref())
        && has_any_tag(&filter.tag.0, &contact.tags)
        && filter.company_id.is_none_or(|company| contact.company_id == Some(company))
        && filter.ids.accepts(&contact.id)
        && filter.created().accepts(contact.created_at)
        && is_since(filter.updated_since, contact.updated_at)
}

/// Whether a record is assigned to one of the members; true without a filter.
fn is_assigned(wanted: &[UserId], assignee: Option<UserId>) -> bool {
    wanted.is_empty() || assignee.is_some_and(|member| wanted.contains(&member))
}

/// Whether a record has the id of a filter.
pub(super) fn has_external_id(wanted: Option<&Line<255>>, external_id: Option<&str>) -> bool {
    wanted.is_none_or(|wanted| external_id == Some(wanted.as_str()))
}

/// Whether a record has one of the tags; true without a filter.
pub(super) fn has_any_tag(wanted: &[Tag], tags: &[String]) -> bool {
    wanted.is_empty() || tags.iter().any(|tag| wanted.iter().any(|wanted| wanted.as_str() == fold_label(tag)))
}

impl StoredKind for Deal {
    fn title(&self) -> String {
        self.title.clone()
    }

    fn found(&self, _: bool) -> Option<Found> {
        Some(Found {
            words: self.search_words(),
            detail: Some(self.stage.as_str().to_owned()),
            created_at: self.created_at,
        })
    }
}

impl RecordList<Deal> for MemoryTx<'_> {
    fn list(&mut self, filter: &DealFilter, request: &PageRequest) -> Result<Vec<Deal>, StoreError> {
        let chosen = self.records.deals_of(filter);
        if filter.sorted_by() == ListOrder::Value {
            return Ok(page_by_value(chosen, request));
        }
        Ok(page_sorted_by(filter.sorted_by(), chosen, |deal| deal.updated_at, request))
    }

    fn totals(&mut self, filter: &DealFilter) -> Result<Vec<CountedPart>, StoreError> {
        let deals = self.records.deals_of(filter);
        Ok(CountedPart::count(deals.map(|deal| (Some(deal.currency.clone()), deal.value, deal.probability))))
    }
}

impl DealRepo for MemoryTx<'_> {
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

/// A page of deals by value, plus one: highest value first, then highest id; deals without a value come last.
fn page_by_value<'a>(deals: impl Iterator<Item = &'a Deal>, request: &PageRequest) -> Vec<Deal> {
    let mut deals: Vec<_> = deals.collect();
    deals.sort_by_key(|deal| std::cmp::Reverse((deal.value, deal.id.0)));
    let is_behind = |deal: &&Deal| match request.position {
        Position::AfterValue(value, id) => (deal.value, deal.id.0) < (value, id),
        Position::Page(_) | Position::After(..) | Position::AfterChange(_) | Position::AfterKey(_) => true,
    };
    let behind = deals.into_iter().filter(is_behind);
    behind.skip(request.offset() as usize).take(request.limit as usize + 1).cloned().collect()
}

/// Whether a day is in a range. A missing day is only in the unbounded range.
fn is_within(since: Option<Date>, before: Option<Date>, day: Option<Date>) -> bool {
    since.is_none_or(|since| day.is_some_and(|day| day >= since))
        && before.is_none_or(|before| day.is_some_and(|day| day < before))
}

fn matches_deal(filter: &DealFilter, deal: &Deal) -> bool {
    let in_currency = || filter.currency.0.iter().any(|currency| currency.as_str() == deal.currency);
    filter.status.accepts(&deal.status)
        && filter.stage.accepts(&deal.stage)
        && is_assigned(&filter.assignee.0, deal.assigned_to)
        && filter.contact_id.is_none_or(|contact| deal.contact_id == Some(contact))
        && filter.company_id.is_none_or(|company| deal.company_id == Some(company))
        // As in SQL, a deal without a value is in no range.
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

    /// The live companies that match a filter.
    fn companies_of(&self, filter: &CompanyFilter) -> impl Iterator<Item = &Company> {
        let finds = move |company: &Company| {
            let comments = self.comments_on(CrmRecord::Company(company.id));
            is_found(filter.search.as_ref(), company.search_words(), comments.map(RecordComment::search_words))
        };
        self.of::<Company>().live().filter(move |company| finds(company) && matches_company(filter, company))
    }

    /// The live contacts that match a filter.
    fn contacts_of(&self, filter: &ContactFilter) -> impl Iterator<Item = &Contact> {
        let finds = move |contact: &Contact| {
            let comments = self.comments_on(CrmRecord::Contact(contact.id));
            is_found(filter.search.as_ref(), contact.search_words(), comments.map(RecordComment::search_words))
        };
        self.of::<Contact>().live().filter(move |contact| finds(contact) && matches_contact(filter, contact))
    }

    /// The live deals that match a filter.
    fn deals_of(&self, filter: &DealFilter) -> impl Iterator<Item = &Deal> {
        let finds = move |deal: &Deal| {
            let comments = self.comments_on(CrmRecord::Deal(deal.id));
            is_found(filter.search.as_ref(), deal.search_words(), comments.map(RecordComment::search_words))
        };
        self.of::<Deal>().live().filter(move |deal| finds(deal) && matches_deal(filter, deal))
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
            CrmRecord::Contact(id) => self.records.of::<Contact>().has(id),
            CrmRecord::Company(id) => self.records.of::<Company>().has(id),
            CrmRecord::Deal(id) => self.records.of::<Deal>().has(id),
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
