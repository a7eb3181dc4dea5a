//! The arguments of `mail`.

use clap::Subcommand;
use domain::email::{EmailStatus, MAX_LISTED};

use super::values::one_of;

#[derive(Debug, Subcommand)]
pub(crate) enum EmailCommand {
    /// List e-mails, newest first, without their bodies.
    List {
        /// Slug or ID of the workspace [default: all].
        #[arg(long)]
        workspace: Option<String>,
        /// Status: waiting, sent or failed [default: all].
        #[arg(long, value_parser = one_of(EmailStatus::parse, EmailStatus::allowed_values))]
        status: Option<EmailStatus>,
        /// Maximum number of e-mails to list.
        #[arg(long, value_name = "N", default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..=MAX_LISTED.into()))]
        limit: u32,
        /// Print the result as one JSON array.
        #[arg(long)]
        json: bool,
    },
    /// Send waiting e-mails now. A failed e-mail cannot be retried: its body has been erased.
    Retry {
        /// Slug or ID of the workspace [default with `--all-waiting`: all].
        #[arg(long)]
        workspace: Option<String>,
        /// ID of the e-mail.
        #[arg(long, requires = "workspace", required_unless_present = "all_waiting")]
        id: Option<uuid::Uuid>,
        /// Retry all waiting e-mails.
        #[arg(long, conflicts_with = "id")]
        all_waiting: bool,
        /// Print the result as one JSON object.
        #[arg(long)]
        json: bool,
    },
}
