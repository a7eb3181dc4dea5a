//! The table of this surface's operations.

use http_core::{Operation, joined, length};

use crate::routes::{
    account, auth, contacts, event_types, events, issues, kinds, me, members, modules, operator, portal, projects,
    public, second_factor, settings, time_entries, widget,
};

/// All operations; routes are registered from this table. If two patterns match a path, the earlier one wins.
pub const OPERATIONS: &[Operation] = &joined::<{ length(TABLES) }>(TABLES);

const TABLES: &[&[Operation]] = &[
    CALLERS_AND_CONTACTS,
    TIME,
    kinds::OPERATIONS,
    CYCLES_AND_ISSUES,
    ACCOUNTS_AND_SETTINGS,
    &kinds::ARTICLE_OPERATIONS,
    CUSTOMERS,
];

const CALLERS_AND_CONTACTS: &[Operation] = &[
    Operation::of::<me::Read>(),
    Operation::of::<members::List>(),
    Operation::of::<event_types::List>(),
    Operation::of::<events::List>(),
    Operation::of::<contacts::List>(),
    Operation::of::<contacts::Create>(),
];

// Listed before the routes of a single entry, so that a word in the path is not taken for an id.
const TIME: &[Operation] = &[
    Operation::of::<time_entries::Summarize>(),
    Operation::of::<time_entries::Start>(),
    Operation::of::<time_entries::Stop>(),
    Operation::of::<time_entries::Submit>(),
    Operation::of::<time_entries::Approve>(),
    Operation::of::<time_entries::Reject>(),
    Operation::of::<time_entries::Export>(),
];

const CYCLES_AND_ISSUES: &[Operation] = &[
    Operation::of::<projects::cycles::List>(),
    Operation::of::<projects::cycles::Create>(),
    Operation::of::<projects::cycles::Update>(),
    Operation::of::<projects::cycles::Delete>(),
    Operation::of::<projects::ListIssues>(),
    Operation::of::<issues::List>(),
    Operation::of::<issues::Create>(),
    Operation::of::<issues::BulkUpdate>(),
    Operation::of::<issues::Read>(),
    Operation::of::<issues::Update>(),
    Operation::of::<issues::Delete>(),
    Operation::of::<issues::History>(),
    Operation::of::<issues::Restore>(),
    Operation::of::<issues::comments::List>(),
    Operation::of::<issues::comments::Create>(),
    Operation::of::<issues::comments::Update>(),
    Operation::of::<issues::comments::Delete>(),
];

const ACCOUNTS_AND_SETTINGS: &[Operation] = &[
    Operation::of::<auth::LogIn>(),
    Operation::of::<second_factor::FinishSignIn>(),
    Operation::of::<auth::LogOut>(),
    Operation::of::<auth::ChangePassword>(),
    Operation::of::<auth::AcceptInvitation>(),
    Operation::of::<auth::RequestPasswordReset>(),
    Operation::of::<auth::ResetPassword>(),
    Operation::of::<account::Read>(),
    Operation::of::<account::Update>(),
    Operation::of::<account::ListSessions>(),
    Operation::of::<account::EndSession>(),
    Operation::of::<second_factor::Begin>(),
    Operation::of::<second_factor::Confirm>(),
    Operation::of::<second_factor::Remove>(),
    Operation::of::<operator::List>(),
    Operation::of::<operator::Create>(),
    Operation::of::<operator::Read>(),
    Operation::of::<operator::Update>(),
    Operation::of::<operator::Delete>(),
    Operation::of::<settings::workspace::Read>(),
    Operation::of::<settings::workspace::Update>(),
    Operation::of::<settings::members::List>(),
    Operation::of::<settings::members::Invite>(),
    Operation::of::<settings::members::Update>(),
    Operation::of::<settings::members::Remove>(),
    Operation::of::<settings::keys::List>(),
    Operation::of::<settings::keys::Create>(),
    Operation::of::<settings::keys::Update>(),
    Operation::of::<settings::keys::Revoke>(),
    Operation::of::<settings::time_rates::List>(),
    Operation::of::<settings::time_rates::Set>(),
    Operation::of::<settings::time_rates::Remove>(),
    Operation::of::<settings::usage::Read>(),
    Operation::of::<settings::audit_log::List>(),
    Operation::of::<settings::erasures::Create>(),
    Operation::of::<settings::erasures::Read>(),
    Operation::of::<settings::webhooks::List>(),
    Operation::of::<settings::webhooks::Create>(),
    Operation::of::<settings::webhooks::deliveries::Read>(),
    Operation::of::<settings::webhooks::deliveries::Redeliver>(),
    Operation::of::<settings::webhooks::Read>(),
    Operation::of::<settings::webhooks::Update>(),
    Operation::of::<settings::webhooks::Delete>(),
    Operation::of::<settings::webhooks::DeleteGroup>(),
    Operation::of::<settings::webhooks::RotateSecret>(),
    Operation::of::<settings::webhooks::Test>(),
    Operation::of::<settings::webhooks::deliveries::List>(),
    Operation::of::<settings::webhooks::replays::Start>(),
    Operation::of::<settings::webhooks::replays::List>(),
    Operation::of::<settings::webhooks::replays::Read>(),
    Operation::of::<settings::webhooks::replays::Cancel>(),
    Operation::of::<modules::Report>(),
];

const CUSTOMERS: &[Operation] = &[
    Operation::of::<public::tickets::List>(),
    Operation::of::<public::tickets::Create>(),
    Operation::of::<public::tickets::Read>(),
    Operation::of::<public::tickets::MakeLink>(),
    Operation::of::<public::kb::Search>(),
    Operation::of::<portal::SendMagicLink>(),
    Operation::of::<portal::BeginSession>(),
    Operation::of::<portal::ReadTicket>(),
    Operation::of::<portal::ReplyToTicket>(),
    Operation::of::<widget::CreateTicket>(),
    Operation::of::<widget::PreflightTicket>(),
    Operation::of::<widget::SearchKb>(),
    Operation::of::<widget::PreflightSearch>(),
];
