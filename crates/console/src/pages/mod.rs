//! The pages, one file or folder per area; [`OPERATIONS`] is their only table.

pub(crate) mod account;
mod articles;
mod crm;
pub(crate) mod form_summary;
mod help_centre;
mod home;
pub(crate) mod kinds;
mod operator;
mod portal;
mod search;
pub(crate) mod settings;
mod sign_in;
mod tickets;
mod time;
mod transfer;
mod undo;
mod views;
mod webhooks;
mod work;
mod workspaces;

use http_core::{Operation, joined, length};

use crate::parts::pick;
use crate::{asset_route, live, records};

/// All pages, in order of registration: if two patterns match a path, the earlier one wins.
pub(crate) const OPERATIONS: &[Operation] = &joined::<{ length(TABLES) }>(TABLES);

const TABLES: &[&[Operation]] = &[
    &[asset_route::OPERATION, live::OPERATION],
    sign_in::OPERATIONS,
    sign_in::steps::OPERATIONS,
    sign_in::link::OPERATIONS,
    sign_in::set_up::OPERATIONS,
    sign_in::password::OPERATIONS,
    sign_in::invitation::OPERATIONS,
    workspaces::OPERATIONS,
    portal::OPERATIONS,
    home::OPERATIONS,
    undo::OPERATIONS,
    pick::OPERATIONS,
    views::OPERATIONS,
    account::OPERATIONS,
    account::security::OPERATIONS,
    account::second_factor::OPERATIONS,
    operator::OPERATIONS,
    settings::workspace::OPERATIONS,
    settings::members::OPERATIONS,
    // Before the pages of a key, whose pattern also matches the path of a new one.
    settings::keys::create::OPERATIONS,
    settings::keys::OPERATIONS,
    settings::time::OPERATIONS,
    settings::usage::OPERATIONS,
    settings::audit_log::OPERATIONS,
    settings::support::OPERATIONS,
    settings::erasures::OPERATIONS,
    settings::events::OPERATIONS,
    webhooks::list::OPERATIONS,
    // Before the page of a webhook, whose pattern also matches the path of a new one.
    webhooks::form::OPERATIONS,
    webhooks::show::OPERATIONS,
    webhooks::change::OPERATIONS,
    webhooks::deliveries::OPERATIONS,
    webhooks::health::OPERATIONS,
    webhooks::replays::OPERATIONS,
    search::OPERATIONS,
    articles::OPERATIONS,
    help_centre::articles::OPERATIONS,
    help_centre::ticket::OPERATIONS,
    transfer::show::OPERATIONS,
    transfer::parts::OPERATIONS,
    transfer::export::OPERATIONS,
    &records::SHARED,
    crm::board::OPERATIONS,
    crm::board::moves::OPERATIONS,
    crm::board::close::OPERATIONS,
    &work::OPERATIONS,
    &time::OPERATIONS,
    // Last: the patterns of kinds have an id where those of other pages have a word.
    &joined::<{ length(&kinds::OPERATIONS) }>(&kinds::OPERATIONS),
];
