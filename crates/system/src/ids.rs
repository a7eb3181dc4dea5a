//! Ids.

use domain::ports::Ids;
use uuid::Uuid;

/// UUIDs of version 7, increasing within this process.
#[derive(Debug, Default)]
pub struct UuidV7Ids;

impl Ids for UuidV7Ids {
    #[expect(clippy::disallowed_methods, reason = "this is the Ids port's one real adapter")]
    fn new_id(&self) -> Uuid {
        Uuid::now_v7()
    }
}
