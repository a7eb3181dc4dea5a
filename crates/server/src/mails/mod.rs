//! Letters on their way out: who takes them from the queue, and what carries them.

mod authorities;
mod before_tls;
mod connections;
mod files;
mod message;
mod reason;
mod sender;
mod smtp;
#[cfg(test)]
mod tests;
mod worker;

pub(crate) use authorities::Authorities;
pub use files::FileTransport;
pub use sender::{MailBell, MailSender, MailSenderOptions};
pub(crate) use smtp::{SmtpTransport, SmtpUrl};
pub(crate) use worker::describe_metrics;
