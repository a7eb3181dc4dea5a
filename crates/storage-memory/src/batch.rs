//! Batch reads and writes of records.

use uuid::Uuid;

use super::state::MemoryTx;
use domain::crm::companies::Company;
use domain::crm::contacts::Contact;
use domain::crm::deals::Deal;
use domain::kernel::{KeySet, KeyedRecord, RecordKeys};
use domain::ports::{BatchRepo, RecordRepo, RowLock, StoreError};

macro_rules! batches {
    ($($record:ident),* $(,)?) => { $(
        impl BatchRepo<$record> for MemoryTx<'_> {
            fn lock_batches(&mut self) -> Result<(), StoreError> {
                // No lock needed: transactions run one at a time.
                Ok(())
            }

            fn with_keys(&mut self, keys: &KeySet, _: RowLock) -> Result<Vec<KeyedRecord>, StoreError> {
                let records = self.records.of::<$record>().live().map(|record| (record.id.0, record.keys()));
                let found = records.filter(|(id, own)| keys.ids.contains(id) || has_any(keys, own));
                Ok(found.map(|(id, keys)| KeyedRecord { id, keys, bytes: 0 }).collect())
            }

            fn get_many(&mut self, ids: &[Uuid]) -> Result<Vec<$record>, StoreError> {
                Ok(self.records.of::<$record>().live().filter(|record| ids.contains(&record.id.0)).cloned().collect())
            }

            fn insert_many(&mut self, records: &[$record]) -> Result<(), StoreError> {
                records.iter().try_for_each(|record| RecordRepo::<$record>::insert(self, record))
            }

            fn save_many(&mut self, records: &[$record]) -> Result<(), StoreError> {
                records.iter().try_for_each(|record| RecordRepo::<$record>::save(self, record))
            }
        }
    )* };
}

batches!(Company, Contact, Deal);

fn has_any(keys: &KeySet, own: &RecordKeys) -> bool {
    own.external_id.as_ref().is_some_and(|id| keys.external_ids.contains(id))
        || own.natural.as_ref().is_some_and(|key| keys.natural.contains(key))
}
