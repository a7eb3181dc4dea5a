//! Companies, contacts and deals, and the comments on them.

use time::OffsetDateTime;

use super::state::MemoryTx;
use super::table::{Order, Table, page};
use domain::crm::comments::{CrmRecord, RecordComment};
use domain::crm::companies::{Company, CompanyFilter};
use domain::crm::contacts::{Contact, ContactFilter};
use domain::crm::deals::{Deal, DealFilter};
use domain::kernel::paging::{PageRequest, Paginated};
use domain::kernel::search::SearchWords;
use domain::ports::{CompanyRepo, ContactRepo, DealRepo, RecordCommentRepo, StoreError};
use domain::{CommentId, CompanyId, ContactId, DealId};

impl CompanyRepo for MemoryTx<'_> {
    fn insert(&mut self, company: &Company) -> Result<(), StoreError> {
        check_company(&self.records.companies, company)?;
        self.records.companies.insert(company.id, company)
    }

    fn get(&mut self, id: CompanyId) -> Result<Option<Company>, StoreError> {
        Ok(self.records.companies.get(id).cloned())
    }

    fn get_for_update(&mut self, id: CompanyId) -> Result<Option<Company>, StoreError> {
        Ok(self.records.companies.get(id).cloned())
    }

    fn save(&mut self, company: &Company) -> Result<(), StoreError> {
        check_company(&self.records.companies, company)?;
        self.records.companies.save(company.id, company)
    }

    fn delete(&mut self, id: CompanyId, now: OffsetDateTime) -> Result<bool, StoreError> {
        Ok(self.records.companies.delete(id, now))
    }

    fn list(&mut self, filter: &CompanyFilter, request: &PageRequest) -> Result<Vec<Company>, StoreError> {
        let chosen = self.records.companies.live().filter(|company| matches_company(filter, company));
        Ok(page(chosen, Company::cursor_key, Order::NewestFirst, request))
    }
}

fn check_company(companies: &Table<CompanyId, Company>, company: &Company) -> Result<(), StoreError> {
    companies.check_unique(company.id, "domain", company, |company| company.domain.clone())?;
    companies.check_unique(company.id, "external_id", company, |company| company.external_id.clone())
}

fn matches_company(filter: &CompanyFilter, company: &Company) -> bool {
    filter.search.as_ref().is_none_or(|query| SearchWords::of(company.search_words()).matches(query))
}

impl ContactRepo for MemoryTx<'_> {
    fn insert(&mut self, contact: &Contact) -> Result<(), StoreError> {
        check_contact(&self.records.contacts, contact)?;
        self.records.contacts.insert(contact.id, contact)
    }

    fn get(&mut self, id: ContactId) -> Result<Option<Contact>, StoreError> {
        Ok(self.records.contacts.get(id).cloned())
    }

    fn get_for_update(&mut self, id: ContactId) -> Result<Option<Contact>, StoreError> {
        Ok(self.records.contacts.get(id).cloned())
    }

    fn save(&mut self, contact: &Contact) -> Result<(), StoreError> {
        check_contact(&self.records.contacts, contact)?;
        self.records.contacts.save(contact.id, contact)
    }

    fn delete(&mut self, id: ContactId, now: OffsetDateTime) -> Result<bool, StoreError> {
        Ok(self.records.contacts.delete(id, now))
    }

    fn list(&mut self, filter: &ContactFilter, request: &PageRequest) -> Result<Vec<Contact>, StoreError> {
        let chosen = self.records.contacts.live().filter(|contact| matches_contact(filter, contact));
        Ok(page(chosen, Contact::cursor_key, Order::NewestFirst, request))
    }
}

fn check_contact(contacts: &Table<ContactId, Contact>, contact: &Contact) -> Result<(), StoreError> {
    contacts.check_unique(contact.id, "email", contact, |contact| Some(contact.email_key()))?;
    contacts.check_unique(contact.id, "external_id", contact, |contact| contact.external_id.clone())
}

fn matches_contact(filter: &ContactFilter, contact: &Contact) -> bool {
    let searched = || filter.search.as_ref().is_none_or(|query| SearchWords::of(contact.search_words()).matches(query));
    (filter.statuses.is_empty() || filter.statuses.contains(&contact.status)) && searched()
}

impl DealRepo for MemoryTx<'_> {
    fn insert(&mut self, deal: &Deal) -> Result<(), StoreError> {
        check_deal(&self.records.deals, deal)?;
        self.records.deals.insert(deal.id, deal)
    }

    fn get(&mut self, id: DealId) -> Result<Option<Deal>, StoreError> {
        Ok(self.records.deals.get(id).cloned())
    }

    fn get_for_update(&mut self, id: DealId) -> Result<Option<Deal>, StoreError> {
        Ok(self.records.deals.get(id).cloned())
    }

    fn save(&mut self, deal: &Deal) -> Result<(), StoreError> {
        check_deal(&self.records.deals, deal)?;
        self.records.deals.save(deal.id, deal)
    }

    fn delete(&mut self, id: DealId, now: OffsetDateTime) -> Result<bool, StoreError> {
        Ok(self.records.deals.delete(id, now))
    }

    fn list(&mut self, filter: &DealFilter, request: &PageRequest) -> Result<Vec<Deal>, StoreError> {
        let chosen = self.records.deals.live().filter(|deal| matches_deal(filter, deal));
        Ok(page(chosen, Deal::cursor_key, Order::NewestFirst, request))
    }
}

fn check_deal(deals: &Table<DealId, Deal>, deal: &Deal) -> Result<(), StoreError> {
    deals.check_unique(deal.id, "external_id", deal, |deal| deal.external_id.clone())
}

fn matches_deal(filter: &DealFilter, deal: &Deal) -> bool {
    let assigned = || deal.assigned_to.is_some_and(|member| filter.assignees.contains(&member));
    (filter.statuses.is_empty() || filter.statuses.contains(&deal.status))
        && (filter.stages.is_empty() || filter.stages.contains(&deal.stage))
        && (filter.assignees.is_empty() || assigned())
        && filter.contact_id.is_none_or(|contact| deal.contact_id == Some(contact))
        && filter.company_id.is_none_or(|company| deal.company_id == Some(company))
        // As in SQL, a deal without a value is neither above nor below anything.
        && filter.value_min.is_none_or(|least| deal.value.is_some_and(|value| value >= least))
        && filter.value_max.is_none_or(|most| deal.value.is_some_and(|value| value <= most))
}

impl RecordCommentRepo for MemoryTx<'_> {
    fn insert(&mut self, comment: &RecordComment) -> Result<(), StoreError> {
        self.records.record_comments.insert(comment.id, comment)
    }

    fn list(&mut self, record: CrmRecord, request: &PageRequest) -> Result<Vec<RecordComment>, StoreError> {
        let live = match record {
            CrmRecord::Contact(id) => self.records.contacts.has(id),
            CrmRecord::Company(id) => self.records.companies.has(id),
            CrmRecord::Deal(id) => self.records.deals.has(id),
        };
        let chosen = self.records.record_comments.live().filter(|comment| live && comment.record == record);
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
