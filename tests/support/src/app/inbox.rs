//! Collects the e-mails that a service sent.

use std::sync::{Mutex, PoisonError};

use async_trait::async_trait;
use domain::email::EmailMessage;
use domain::ports::{EmailError, EmailTransport, OutgoingEmail};

use crate::waiting::poll;

/// Stores e-mails instead of sending them.
#[derive(Debug, Default)]
pub struct TestInbox(Mutex<Vec<EmailMessage>>);

#[async_trait]
impl EmailTransport for TestInbox {
    async fn send(&self, email: &OutgoingEmail) -> Result<(), EmailError> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(email.email.clone());
        Ok(())
    }
}

impl TestInbox {
    /// All e-mails to an address so far, ignoring case, oldest first.
    pub fn to(&self, address: &str) -> Vec<EmailMessage> {
        let inbox = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        inbox.iter().filter(|email| email.to().eq_ignore_ascii_case(address)).cloned().collect()
    }

    /// Waits for the `count`th e-mail to an address, and reads the one-time token of its link.
    ///
    /// # Panics
    /// If it does not arrive, or has no link.
    pub async fn token(&self, address: &str, count: usize) -> String {
        let check = async || self.to(address).into_iter().nth(count - 1).ok_or_else(String::new);
        let email = poll(check).await;
        let email = email.unwrap_or_else(|_| panic!("e-mail {count} to {address} did not arrive"));
        let token = email.text().split_once("#token=").map(|(_, rest)| rest.chars().take_while(|c| !c.is_whitespace()));
        token.unwrap_or_else(|| panic!("no link in {}", email.text())).collect()
    }
}
