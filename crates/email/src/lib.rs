//! Sends queued e-mail.
//!
//! - [`MailSender`] is the worker: it takes what is due from the queue, hands it to a transport, and writes down what
//!   came of it.
//! - [`SmtpTransport`] hands e-mail to a mail server, [`FileTransport`] writes it to files. Both implement
//!   [`domain::ports::MailTransport`].

mod authorities;
mod before_tls;
mod connections;
mod files;
mod message;
mod options;
mod reason;
mod sender;
mod smtp;
mod smtp_url;
#[cfg(feature = "testing")]
pub mod testing;
#[cfg(test)]
mod tests;
mod worker;

pub use authorities::Authorities;
pub use files::FileTransport;
pub use options::MailSenderOptions;
pub use sender::MailSender;
pub use smtp::SmtpTransport;
pub use smtp_url::{BadSmtpUrl, SmtpUrl};
pub use worker::describe_metrics;
