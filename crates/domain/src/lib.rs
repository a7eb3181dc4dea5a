//! Domain rules and use cases of the work-management service.
//!
//! No I/O, clock, randomness, SQL or HTTP: what the rules need from outside is a port ([`ports`]), and adapters hold no
//! rules. Use cases take an [`identity::access::Permit`], which only [`identity::access`] can create, so a surface that
//! forgets a permission check does not compile. A use case whose documentation has no `# Errors` fails only with errors of the store.

pub mod console;
pub mod crm;
pub mod email;
pub mod event_types;
pub mod events;
pub mod identity;
pub mod kernel;
mod kinds;
pub mod limits;
pub mod ports;
pub mod records;
pub mod restore;
pub mod support;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
pub mod tools;
pub mod transfer;
pub mod webhooks;
pub mod work;

pub use kernel::ids::*;
pub use kernel::{Error, ErrorCode, Reference, References};
pub use records::RecordOrder;
