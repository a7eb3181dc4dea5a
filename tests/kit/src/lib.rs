//! Starts a database and the service for tests, and clients named after what they may do.
//!
//! Every [`App`] has a database of its own, copied from one migrated template in a throwaway cluster that this test
//! process starts at its first use and that ends with the process, however it ends.

mod app;
mod client;
mod clock;
mod database;
mod eventually;
mod inbox;
mod queue;
mod receiver;
mod tenant;

pub use app::{App, AppOptions, MASTER_KEY};
pub use client::{ApiResponse, Client};
pub use clock::ShiftedClock;
pub use database::TestDatabase;
pub use eventually::eventually;
pub use inbox::TestInbox;
pub use receiver::{Received, Receiver};
pub use tenant::{Tenant, TestUser};
