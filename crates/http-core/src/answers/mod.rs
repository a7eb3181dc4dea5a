//! Bounds the memory of responses, from building them until the client has read them.

mod budget;
mod chunks;
mod estimates;

pub use budget::AnswerLimits;
pub(crate) use budget::{AnswerBudget, Owner, Reservation, describe_metrics};
pub(crate) use chunks::{CHUNK_BYTES, ChunkWriter};
pub(crate) use estimates::Estimates;
