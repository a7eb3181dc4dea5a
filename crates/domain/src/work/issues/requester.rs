//! The customer of a ticket, who opened it or for whom the workspace opened it.

use schemars::JsonSchema;
use serde::Serialize;

use crate::crm::contacts::Contact;
use crate::kernel::input::{
    EmailAddress, EmailKey, InputMode, Line, Problems, choices, fields, plain_json, readable_choices,
};
use crate::ports::Tx;
use crate::{ContactId, Error};

choices! {
    /// The type of a customer's request.
    pub enum TicketType {
        Question = "question",
        /// Something is broken right now.
        Incident = "incident",
        /// Something fails repeatedly.
        Problem = "problem",
        /// Something should be done.
        Request = "request",
    }
}

readable_choices!(TicketType);

/// Replaces erased personal data.
pub const ERASED: &str = "erased";

/// The customer of a ticket.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Requester {
    /// Their name.
    pub name: String,
    /// Their e-mail address as sent.
    pub email: String,
    /// The type of their request.
    #[serde(rename = "type")]
    pub ticket_type: TicketType,
    /// The contact that had this address when the ticket was opened.
    pub contact_id: Option<ContactId>,
}

plain_json!(Requester);

impl Requester {
    /// The canonical form in which addresses are compared.
    pub fn email_key(&self) -> String {
        EmailKey::of(&self.email).into()
    }

    /// Whether their data was erased, so that they can neither receive e-mails nor reply.
    pub fn is_erased(&self) -> bool {
        self.email == ERASED
    }

    /// The requester without personal data.
    pub(crate) fn erased(&self) -> Self {
        Self { name: ERASED.to_owned(), email: ERASED.to_owned(), ..self.clone() }
    }
}

/// The customer for whom the workspace opens a ticket.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewRequester {
    /// Their e-mail address; replies go to it.
    pub email: EmailAddress,
    /// Their name. By default, the ticket has the name of the contact with this address, or else the address.
    pub name: Option<Line<120>>,
}

fields! {
    /// The members of a new ticket in addition to those of every issue.
    pub struct RequesterFields {
        /// The customer's e-mail address; replies go there. A contact with it is linked.
        requester_email: EmailAddress,
        /// The customer's name; requires `requester_email`.
        /// Default: the contact's.
        requester_name: Line<120>,
    }
    together RequesterFields::check_email;
}

impl RequesterFields {
    fn check_email(&self, _: InputMode, problems: &mut Problems) {
        if self.requester_name.set().is_some() && self.requester_email.set().is_none() {
            problems.rule("requester_name", "needs_email", "requires requester_email");
        }
    }

    /// The customer, if there is one.
    pub fn into_requester(self) -> Option<NewRequester> {
        let email = self.requester_email.set().cloned()?;
        Some(NewRequester { email, name: self.requester_name.set().cloned() })
    }
}

/// The requester, linked to the contact with their address. The contact's name is used only for callers who may read contacts, because
/// others could find out the name behind any address.
pub(super) fn find_requester(tx: &mut dyn Tx, new: &NewRequester, may_read_contacts: bool) -> Result<Requester, Error> {
    let email = new.email.as_str().to_owned();
    let name = new.name.as_ref().map_or_else(|| email.clone(), |name| name.as_str().to_owned());
    let mut requester = Requester { name, email, ticket_type: TicketType::Question, contact_id: None };
    requester.contact_id = tx.tickets().contact_with(&requester.email_key())?;
    if let (None, Some(id), true) = (&new.name, requester.contact_id, may_read_contacts)
        && let Some(contact) = tx.records::<Contact>().get(id)?
        && !contact.full_name().is_empty()
    {
        requester.name = contact.full_name();
    }
    Ok(requester)
}
