//! Sends queued e-mail.
//!
//! - [`EmailSender`] is the worker: it claims due e-mails from the queue, passes them to a transport, and records the
//!   outcome.
//! - [`SmtpTransport`] sends e-mail to a mail server, [`FileTransport`] writes it to files. Both implement
//!   [`domain::ports::EmailTransport`].

mod authorities;
mod connections;
mod files;
mod message;
mod sender;
mod smtp;
mod smtp_errors;
mod smtp_url;
mod starttls;
#[cfg(feature = "testing")]
pub mod testing;
#[cfg(test)]
mod tests;
mod worker;

pub use authorities::Authorities;
pub use files::{EmailFiles, FileTransport};
pub use sender::{EmailSender, EmailSenderOptions};
pub use smtp::SmtpTransport;
pub use smtp_url::{InvalidSmtpUrl, SmtpUrl};
pub use worker::describe_metrics;
