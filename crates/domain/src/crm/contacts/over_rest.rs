//! Contacts in the supported contract of REST.

use super::{Contact, ContactFields};
use crate::Error;
use crate::identity::access::{CreateContacts, Permit};
use crate::kernel::idempotency::{IdempotentRequest, IdempotentResult};
use crate::kernel::input::json::{Json, Map};
use crate::kernel::input::{Input, InputMode, Problems, SchemaMember, refuse_unknown};
use crate::ports::Ports;
use crate::records;

/// The body of a create over REST. In the supported contract, it has no `assigned_to`.
#[derive(Debug, Clone)]
pub struct NewContactFields(ContactFields);

impl Input for NewContactFields {
    fn members() -> Vec<SchemaMember> {
        ContactFields::members().into_iter().filter(|member| member.name != "assigned_to").collect()
    }

    fn read(object: Map<String, Json>, at: &str, mode: InputMode, problems: &mut Problems) -> Self {
        let known: Vec<_> = Self::members().iter().map(|member| member.name).collect();
        let (accepted, unknown): (Map<String, Json>, Map<String, Json>) =
            object.into_iter().partition(|(name, _)| known.contains(&name.as_str()));
        let fields = ContactFields::read(accepted, at, mode, problems);
        refuse_unknown(&unknown, at, &known, problems);
        Self(fields)
    }
}

/// Creates a contact from [`NewContactFields`].
///
/// # Errors
/// Those of [`records::create`].
pub async fn create_over_rest(
    ports: &Ports,
    permit: &Permit<CreateContacts>,
    once: Option<IdempotentRequest<Contact>>,
    fields: NewContactFields,
) -> Result<IdempotentResult<Contact>, Error> {
    records::create(ports, permit, once, fields.0).await
}
