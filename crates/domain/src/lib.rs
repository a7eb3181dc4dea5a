//! The rules of the work-management service.
//!
//! Pure: no I/O, no clock, no randomness of its own, no SQL, no HTTP. Everything that the rules need from outside is a
//! port ([`ports`]); adapters translate and hold no rule. Use cases take a [`identity::access::Permit`], which only
//! [`access`] can make, so a surface that forgets to check a permission does not compile.

pub mod crm;
pub mod email;
pub mod identity;
pub mod kernel;
pub mod limits;
pub mod ports;
mod records;
pub mod support;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
pub mod tools;
pub mod webhooks;
pub mod work;

pub use kernel::{
    ApiKeyId, AuditEntryId, CommentId, CompanyId, ContactId, CycleId, DealId, DeliveryId, EmailId, Error, ErrorCode,
    IssueId, KbArticleId, LinkRequestId, PortalSessionId, ProjectId, Reference, References, SessionId, SubscriptionId,
    UserId, WorkspaceId,
};
