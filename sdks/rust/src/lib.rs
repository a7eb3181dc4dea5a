#![doc = include_str!("../README.md")]

mod call;
mod client;
mod config;
mod error;
mod follow;
mod generated;
mod http;
mod log;
mod open_enum;
mod page;
mod patch;
mod retry;
mod sse;
#[cfg(test)]
mod tests;
mod tools;
mod transport;
mod webhook;

pub use call::{Any, Call, Keyed, Plain, TakesKey, TakesVersion, Upserting, Versioned};
pub use client::{Answer, Client};
pub use config::Builder;
pub use error::{ApiError, ConnectionError, Error, ErrorDetail, ErrorKind};
pub use follow::{EventTransport, FollowOptions, FollowedEvent};
pub use generated::{resources, types};
pub use crate::log::{Change, DeliveryOf, EventOf, Payload, TestPayload};
pub use page::{Items, List, Page};
pub use patch::Patch;
pub use retry::Retry;
pub use types::{LogEvent, WebhookDelivery};
pub use webhook::{Verifier, WebhookVerificationError, verify_webhook};
