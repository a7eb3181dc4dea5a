//! Shared building blocks: ids, errors, input parsing, paging, search, versions, idempotency.

mod batches;
mod error;
mod issue_kind;
mod language;
mod networks;
mod rate_limit_status;
mod references;
mod store_error;
mod time;
mod unique;
mod weight;

pub(crate) mod html;
pub mod idempotency;
pub(crate) mod ids;
pub mod input;
pub mod markdown;
pub mod paging;
pub mod sealing;
pub mod search;
pub mod summary;
pub mod time_zone;
pub mod totals;
pub mod versions;

pub(crate) use self::time::later;
pub use self::time::to_microseconds;
pub use batches::Stepped;
pub(crate) use batches::{batches, step_in_each};
pub use error::{Error, ErrorCode};
pub use ids::*;
pub use issue_kind::{IssueKind, IssueKinds};
pub use language::KbLanguage;
pub use networks::Networks;
pub use rate_limit_status::RateLimitStatus;
pub use references::{Reference, References};
pub use sealing::Random;
pub(crate) use sealing::hidden_debug;
pub use store_error::StoreError;
pub use unique::{KeySet, KeyedRecord, RecordKeys};
pub use weight::Weight;
