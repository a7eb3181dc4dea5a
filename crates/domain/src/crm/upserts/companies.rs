//! Creates the new companies that the rows of an import name, each before the first row that needs it. A row that is skipped, or
//! refused because of its cells or the quota, does not create one.

use std::collections::HashMap;

use uuid::Uuid;

use super::outcome::{ItemError, Outcomes};
use super::plan::{KeyedItem, Plan};
use super::run::{Run, Upsertable};
use crate::Error;
use crate::crm::companies::Company;
use crate::limits::quota;
use crate::ports::{BatchRepo, Tx};
use crate::records::retry_on_duplicate;

/// The new companies of a batch of rows.
#[derive(Debug, Default)]
pub(crate) struct NewCompanies {
    /// The companies that are not created yet.
    waiting: HashMap<Uuid, Company>,
    created: u64,
}

impl NewCompanies {
    /// Adds a company, which is created when a row needs it.
    pub(crate) fn add(&mut self, company: Company) {
        self.waiting.insert(company.id.0, company);
    }

    /// The number of companies created.
    pub(crate) const fn created(&self) -> u64 {
        self.created
    }
}

impl<R: Upsertable> Run<R> {
    /// Creates the companies that the items of the plan need, and counts them against the quota. Removes an item from the plan if
    /// the quota is too small for the item and its company.
    pub(super) fn create_companies(
        &self,
        tx: &mut dyn Tx,
        plan: &mut Plan<'_, '_, R::Fields>,
        companies: &mut NewCompanies,
        outcomes: &mut Outcomes,
    ) -> Result<(), Error> {
        if companies.waiting.is_empty() {
            return Ok(());
        }
        let needed = self.needed(tx, plan, companies, outcomes)?;
        let new: Vec<_> = needed.iter().filter_map(|id| companies.waiting.remove(id)).collect();
        if new.is_empty() {
            return Ok(());
        }
        let workspace = self.workspace();
        quota::take_many(tx, workspace.allowance(), workspace.version, self.now(), new.len() as u64)?;
        retry_on_duplicate(BatchRepo::<Company>::insert_many(tx.companies(), &new))?;
        tx.emit(&new.iter().map(|company| self.created_event(company)).collect::<Vec<_>>())?;
        companies.created += new.len() as u64;
        Ok(())
    }

    /// The companies that the items need and that fit into the quota, in the order of the items.
    fn needed(
        &self,
        tx: &mut dyn Tx,
        plan: &mut Plan<'_, '_, R::Fields>,
        companies: &NewCompanies,
        outcomes: &mut Outcomes,
    ) -> Result<Vec<Uuid>, Error> {
        let now = self.now();
        let most = plan.creations.len() + companies.waiting.len();
        let left = quota::remaining(tx, now, most as u64)?;
        let (mut room, mut needed) = (left.records, Vec::new());
        let mut fits = |item: &KeyedItem<'_, R::Fields>, records: u64| {
            let company = R::company_of(&item.item.fields);
            let new = company.filter(|id| companies.waiting.contains_key(id) && !needed.contains(id));
            let cost = records + u64::from(new.is_some());
            if cost > room {
                let error = quota::exceeded(left.limit, now);
                outcomes.fail(item.index, ItemError::of_quota(&error, quota::month_end(now)));
                return false;
            }
            room -= cost;
            needed.extend(new);
            true
        };
        plan.changes.retain(|(item, _)| fits(item, 0));
        plan.creations.retain(|item| item.item.not_creatable.is_some() || fits(item, 1));
        Ok(needed)
    }
}
