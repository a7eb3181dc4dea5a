//! The rules of the work-management service.
//!
//! Pure: no I/O, no clock, no randomness of its own, no SQL, no HTTP. Everything that the rules need from outside is a
//! port ([`ports`]); adapters translate and hold no rule. Use cases take a [`access::Permit`], which only
//! [`access`] can make, so a surface that forgets to check a permission does not compile.

pub mod access;
pub mod accounts;
pub mod api_keys;
pub mod audit;
pub mod companies;
pub mod contacts;
pub mod deals;
mod error;
pub mod idempotency;
mod ids;
pub mod input;
pub mod issues;
pub mod kb;
pub mod limits;
pub mod link_requests;
pub mod mails;
pub mod members;
pub mod paging;
pub mod ports;
pub mod projects;
pub mod quota;
mod references;
pub mod search;
pub mod support;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
pub mod tools;
pub mod usage;
pub mod versions;
pub mod webhooks;
pub mod workspaces;

pub use error::{Error, ErrorCode};
pub use ids::{
    ApiKeyId, AuditEntryId, CommentId, CompanyId, ContactId, CycleId, DealId, DeliveryId, IssueId, KbArticleId,
    LinkRequestId, MailId, PortalSessionId, ProjectId, SessionId, SubscriptionId, UserId, WorkspaceId,
};
pub use references::{Reference, References};
