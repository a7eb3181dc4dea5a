//! Letters on their way out: who takes them from the queue, and what carries them.

mod files;
mod message;
mod sender;
mod smtp;
#[cfg(test)]
mod tests;
mod worker;

pub use files::FileTransport;
pub use sender::{MailBell, MailSender, MailSenderOptions};
pub(crate) use smtp::{SmtpTransport, SmtpUrl};
pub(crate) use worker::describe_metrics;
