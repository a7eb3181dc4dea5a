//! The usage of the workspace.

use time::{Date, OffsetDateTime};

use super::state::{MemoryTx, Records};
use domain::crm::companies::Company;
use domain::crm::contacts::Contact;
use domain::crm::deals::Deal;
use domain::limits::quota::month_of;
use domain::ports::{QuotaGrant, QuotaRepo, QuotaResult, StoreError, WorkspaceRepo};

impl QuotaRepo for MemoryTx<'_> {
    fn take(&mut self, month: Date, limit: u64, version: i64) -> Result<QuotaResult, StoreError> {
        if WorkspaceRepo::get(self)?.version != version {
            return Ok(QuotaResult::StaleVersion);
        }
        let used = count(self.records, month);
        if used >= limit {
            return Ok(QuotaResult::Exhausted);
        }
        self.records.quota.insert(month, used + 1);
        Ok(QuotaResult::Counted)
    }

    fn take_many(&mut self, month: Date, wanted: u64, limit: u64, version: i64) -> Result<QuotaGrant, StoreError> {
        if WorkspaceRepo::get(self)?.version != version {
            return Ok(QuotaGrant::StaleVersion);
        }
        let used = count(self.records, month);
        let counted = wanted.min(limit.saturating_sub(used));
        self.records.quota.insert(month, used + counted);
        Ok(QuotaGrant::Counted(counted))
    }

    fn used(&mut self, month: Date) -> Result<u64, StoreError> {
        Ok(count(self.records, month))
    }

    fn begin(&mut self, month: Date) -> Result<(), StoreError> {
        // Counted on demand, which is fast enough here.
        self.used(month).map(drop)
    }

    fn requests(&mut self, today: Date, month: Date) -> Result<(u64, u64), StoreError> {
        let of_today = self.records.requests.get(&today).copied().unwrap_or_default();
        Ok((of_today, self.records.requests.range(month..).map(|(_, requests)| requests).sum()))
    }
}

/// The counter, or the number of records, including deleted ones, if the month has no counter yet.
fn count(records: &Records, month: Date) -> u64 {
    let counted = records.quota.get(&month).copied();
    counted.unwrap_or_else(|| {
        let within = |created_at: &OffsetDateTime| month_of(*created_at) == month;
        let contacts = records.of::<Contact>().all().map(|contact| contact.created_at).filter(within).count();
        let companies = records.of::<Company>().all().map(|company| company.created_at).filter(within).count();
        let deals = records.of::<Deal>().all().map(|deal| deal.created_at).filter(within).count();
        (contacts + companies + deals) as u64
    })
}
