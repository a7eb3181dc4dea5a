//! The letters that a service sent, kept for the test to read.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use domain::email::Mail;
use domain::ports::{MailError, MailTransport, OutgoingMail};

/// How long a letter may take.
const PATIENCE: Duration = Duration::from_secs(10);
const LOOK_EVERY: Duration = Duration::from_millis(5);

/// Keeps letters instead of sending them.
#[derive(Debug, Default)]
pub struct Letters(Mutex<Vec<Mail>>);

#[async_trait]
impl MailTransport for Letters {
    async fn send(&self, mail: &OutgoingMail) -> Result<(), MailError> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(mail.mail.clone());
        Ok(())
    }
}

impl Letters {
    /// All letters to an address so far, in any casing, oldest first.
    pub fn to(&self, address: &str) -> Vec<Mail> {
        let letters = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        letters.iter().filter(|mail| mail.to().eq_ignore_ascii_case(address)).cloned().collect()
    }

    /// Waits for the `count`th letter to an address, and reads the one-time token of its link.
    ///
    /// # Panics
    /// When it does not come, or has no link.
    pub async fn token(&self, address: &str, count: usize) -> String {
        let waiting = async {
            let mut looks = tokio::time::interval(LOOK_EVERY);
            loop {
                looks.tick().await;
                if let Some(mail) = self.to(address).into_iter().nth(count - 1) {
                    return mail;
                }
            }
        };
        let mail = tokio::time::timeout(PATIENCE, waiting).await;
        let mail = mail.unwrap_or_else(|_| panic!("letter {count} to {address} did not come"));
        let token = mail.text().split_once("#token=").map(|(_, rest)| rest.chars().take_while(|c| !c.is_whitespace()));
        token.unwrap_or_else(|| panic!("no link in {}", mail.text())).collect()
    }
}
