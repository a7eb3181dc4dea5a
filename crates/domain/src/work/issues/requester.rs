//! Who asked for a ticket from outside.

use schemars::JsonSchema;
use serde::Serialize;

use crate::ContactId;
use crate::kernel::input::{choices, plain_json, readable_choices};

choices! {
    /// What a customer asks for.
    pub enum TicketType {
        /// They want to know something.
        Question = "question",
        /// Something does not work right now.
        Incident = "incident",
        /// Something does not work again and again.
        Problem = "problem",
        /// They want something to be done.
        Request = "request",
    }
}

readable_choices!(TicketType);

/// Who asked for a ticket from outside.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Requester {
    /// Their name.
    pub name: String,
    /// Their address, as they gave it.
    pub email: String,
    /// What they ask for.
    #[serde(rename = "type")]
    pub ticket_type: TicketType,
    /// The contact whose address it was when the ticket was opened.
    pub contact_id: Option<ContactId>,
}

plain_json!(Requester);

impl Requester {
    /// What makes two addresses the same.
    pub fn email_key(&self) -> String {
        self.email.to_lowercase()
    }
}
