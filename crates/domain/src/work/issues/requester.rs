//! The customer who opened a ticket from outside.

use schemars::JsonSchema;
use serde::Serialize;

use crate::ContactId;
use crate::kernel::input::{choices, plain_json, readable_choices};

choices! {
    /// The type of a customer's request.
    pub enum TicketType {
        /// A question.
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

/// The customer who opened a ticket from outside.
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
    /// The address in lower case, by which addresses are compared.
    pub fn email_key(&self) -> String {
        self.email.to_lowercase()
    }
}
