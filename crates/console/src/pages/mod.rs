//! The pages, one file or folder per area; [`OPERATIONS`] is their only table.

pub(crate) mod account;
mod articles;
mod crm;
mod help_centre;
mod home;
pub(crate) mod kept;
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

use crate::page::operation;
use crate::parts::pick;
use crate::{asset_route, live, records};

/// All pages, in order of registration: if two patterns match a path, the earlier one wins.
pub(crate) const OPERATIONS: &[Operation] = &joined::<{ length(TABLES) }>(TABLES);

const TABLES: &[&[Operation]] = &[
    BASE,
    SEARCH_AND_KNOWLEDGE,
    transfer::OPERATIONS,
    &records::SHARED,
    // Before the pages of records, whose patterns have an id in the same place.
    BOARD,
    &work::OPERATIONS,
    &time::OPERATIONS,
    &joined::<{ length(&kinds::OPERATIONS) }>(&kinds::OPERATIONS),
];

const BASE: &[Operation] = &[
    asset_route::OPERATION,
    live::OPERATION,
    operation::<sign_in::Show>(),
    operation::<sign_in::SignIn>(),
    operation::<sign_in::SignOut>(),
    operation::<sign_in::steps::Choose>(),
    operation::<sign_in::steps::SendCode>(),
    operation::<sign_in::link::Show>(),
    operation::<sign_in::link::Enter>(),
    operation::<sign_in::set_up::Show>(),
    operation::<sign_in::set_up::SetUp>(),
    operation::<sign_in::password::Ask>(),
    operation::<sign_in::password::Request>(),
    operation::<sign_in::password::New>(),
    operation::<sign_in::password::Set>(),
    operation::<sign_in::invitation::Show>(),
    operation::<sign_in::invitation::Accept>(),
    operation::<workspaces::List>(),
    operation::<workspaces::New>(),
    operation::<workspaces::Create>(),
    operation::<workspaces::Switch>(),
    operation::<portal::Show>(),
    operation::<portal::Find>(),
    operation::<portal::RequestLink>(),
    operation::<home::Show>(),
    operation::<home::HideSteps>(),
    operation::<undo::Undo>(),
    operation::<pick::Pick>(),
    operation::<pick::Narrow>(),
    operation::<views::Save>(),
    operation::<views::Change>(),
    operation::<views::Delete>(),
    // Account
    operation::<account::Show>(),
    operation::<account::Update>(),
    operation::<account::Prefer>(),
    operation::<account::security::Show>(),
    operation::<account::security::ChangePassword>(),
    operation::<account::security::SetPassword>(),
    operation::<account::security::EndAllSessions>(),
    operation::<account::security::EndSession>(),
    operation::<account::second_factor::Begin>(),
    operation::<account::second_factor::Confirm>(),
    operation::<account::second_factor::Remove>(),
    // Operators
    operation::<operator::List>(),
    operation::<operator::New>(),
    operation::<operator::Create>(),
    operation::<operator::Show>(),
    operation::<operator::Update>(),
    operation::<operator::Delete>(),
    operation::<operator::Restore>(),
    // Settings
    operation::<settings::workspace::Show>(),
    operation::<settings::workspace::Update>(),
    operation::<settings::workspace::Delete>(),
    operation::<settings::members::List>(),
    operation::<settings::members::Invite>(),
    operation::<settings::members::ChangeRole>(),
    operation::<settings::members::Remove>(),
    operation::<settings::keys::List>(),
    operation::<settings::keys::create::New>(),
    operation::<settings::keys::create::Create>(),
    operation::<settings::keys::Show>(),
    operation::<settings::keys::Update>(),
    operation::<settings::keys::Revoke>(),
    operation::<settings::time::Show>(),
    operation::<settings::time::Update>(),
    operation::<settings::time::SetRate>(),
    operation::<settings::time::RemoveRate>(),
    operation::<settings::usage::Show>(),
    operation::<settings::audit_log::List>(),
    operation::<settings::audit_log::Export>(),
    // Support, and erasing people's data
    operation::<settings::support::Show>(),
    operation::<settings::support::Update>(),
    operation::<settings::support::CreateKey>(),
    operation::<settings::erasures::New>(),
    operation::<settings::erasures::Look>(),
    operation::<settings::erasures::Create>(),
    operation::<settings::erasures::Show>(),
    operation::<settings::events::List>(),
    // Webhooks
    operation::<webhooks::list::List>(),
    operation::<webhooks::form::New>(),
    operation::<webhooks::form::Create>(),
    operation::<webhooks::show::Show>(),
    operation::<webhooks::form::Edit>(),
    operation::<webhooks::form::Update>(),
    operation::<webhooks::change::Test>(),
    operation::<webhooks::change::AskForSecret>(),
    operation::<webhooks::change::RotateSecret>(),
    operation::<webhooks::change::AskToDelete>(),
    operation::<webhooks::change::Delete>(),
    operation::<webhooks::change::AskToDeleteGroup>(),
    operation::<webhooks::change::DeleteGroup>(),
    operation::<webhooks::deliveries::Show>(),
    operation::<webhooks::deliveries::Redeliver>(),
    operation::<webhooks::health::Show>(),
    operation::<webhooks::replays::New>(),
    operation::<webhooks::replays::Start>(),
    operation::<webhooks::replays::Show>(),
    operation::<webhooks::replays::Cancel>(),
];

const BOARD: &[Operation] = &[
    operation::<crm::board::Board>(),
    operation::<crm::board::More>(),
    operation::<crm::board::Move>(),
    operation::<crm::board::ShowClose>(),
    operation::<crm::board::Close>(),
];

const SEARCH_AND_KNOWLEDGE: &[Operation] = &[
    operation::<search::Search>(),
    // Before the pages of articles, whose patterns also match this path.
    operation::<articles::SearchedInVain>(),
    // The help centre
    operation::<help_centre::Home>(),
    operation::<help_centre::Search>(),
    operation::<help_centre::TicketForm>(),
    operation::<help_centre::OpenTicket>(),
    operation::<help_centre::Sent>(),
    operation::<help_centre::Article>(),
];
