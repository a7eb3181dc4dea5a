//! The records of every kind.

use time::OffsetDateTime;
use uuid::Uuid;

use super::not_in_memory::not_in_memory;
use super::state::{MemoryTx, Records};
use super::table::Table;
use super::unique::check_unique;
use domain::kernel::paging::PageRequest;
use domain::ports::{RecordRepo, StoreError};
use domain::records::{Deleted, Kind};

/// A kind of record, of which [`in_table!`] says where its records are.
pub(super) trait StoredKind: Kind {
    fn table(records: &Records) -> &Table<Self::Id, Self>;
    fn table_mut(records: &mut Records) -> &mut Table<Self::Id, Self>;

    fn insert(&self, records: &mut Records) -> Result<(), StoreError> {
        check_unique(self, records)?;
        Self::table_mut(records).insert(self.id(), self)
    }

    fn save(&self, records: &mut Records) -> Result<(), StoreError> {
        check_unique(self, records)?;
        Self::table_mut(records).save(self.id(), self)
    }

    fn delete(records: &mut Records, id: Self::Id, now: OffsetDateTime) -> bool {
        Self::table_mut(records).delete(id, now)
    }
}

macro_rules! in_table {
    ($table:ident) => {
        fn table(records: &$crate::state::Records) -> &$crate::table::Table<Self::Id, Self> {
            &records.$table
        }

        fn table_mut(records: &mut $crate::state::Records) -> &mut $crate::table::Table<Self::Id, Self> {
            &mut records.$table
        }
    };
}
pub(super) use in_table;

impl<K: StoredKind> RecordRepo<K> for MemoryTx<'_> {
    fn insert(&mut self, record: &K) -> Result<(), StoreError> {
        record.insert(self.records)
    }

    fn get(&mut self, id: K::Id) -> Result<Option<K>, StoreError> {
        Ok(K::table(self.records).get(id).cloned())
    }

    // No lock needed: transactions run one at a time.
    fn get_for_update(&mut self, id: K::Id) -> Result<Option<K>, StoreError> {
        Ok(K::table(self.records).get(id).cloned())
    }

    fn save(&mut self, record: &K) -> Result<(), StoreError> {
        record.save(self.records)
    }

    fn delete(&mut self, id: K::Id, now: OffsetDateTime) -> Result<bool, StoreError> {
        Ok(K::delete(self.records, id, now))
    }

    fn get_deleted_for_update(&mut self, _: Uuid, _: OffsetDateTime) -> Result<Option<Deleted<K>>, StoreError> {
        not_in_memory("RecordRepo::get_deleted_for_update")
    }

    fn restore(&mut self, _: &Deleted<K>) -> Result<(), StoreError> {
        not_in_memory("RecordRepo::restore")
    }

    fn list_deleted(
        &mut self,
        _: &K::Filter,
        _: OffsetDateTime,
        _: &PageRequest,
    ) -> Result<Vec<Deleted<K>>, StoreError> {
        not_in_memory("RecordRepo::list_deleted")
    }
}
