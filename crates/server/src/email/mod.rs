//! Letters on their way out: who takes them from the queue, and what carries them.

mod authorities;
mod connections;
mod files;
mod message;
mod sender;
mod smtp;
mod smtp_errors;
mod starttls;
#[cfg(test)]
mod tests;
mod worker;

pub(crate) use authorities::Authorities;
pub use files::FileTransport;
pub use sender::{EmailNotifier, EmailSender, EmailSenderOptions};
pub(crate) use smtp::{SmtpTransport, SmtpUrl};
pub(crate) use worker::describe_metrics;
