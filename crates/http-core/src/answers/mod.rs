//! Answers in memory: how many bytes they may take while they are made and until the client has read them.

mod budget;
mod chunks;
mod estimates;

pub use budget::AnswerLimits;
pub(crate) use budget::{AnswerBudget, Owner, Reservation, describe_metrics};
pub(crate) use chunks::{CHUNK_BYTES, ChunkWriter};
pub(crate) use estimates::Estimates;
