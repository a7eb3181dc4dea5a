//! All permissions of callers, and their requirements (interface 5.8 and 5.11).

use super::{AccessRequirement, Area, MapRequirement, Permission, Scope};
use crate::tools::ToolPermission;

/// In brackets is what the permission map of a key must grant, if it has one that narrows REST: any one of several
/// permissions, or all that are joined by `&`. What a map does not narrow has none: it shows each caller what they may read,
/// or is not for keys.
macro_rules! permissions {
    ($( $(#[$doc:meta])* $name:ident $([$($map:tt)+])? => $needs:expr );* $(;)?) => { $(
        $(#[$doc])*
        #[derive(Debug, Clone, Copy)]
        pub enum $name {}

        impl Permission for $name {
            const NEEDS: AccessRequirement = $needs;
            const MAP: MapRequirement = permissions!(@map $($($map)+)?);
        }
    )* };
    (@map) => { MapRequirement::Nothing };
    (@map $($any:ident),+) => { MapRequirement::AnyOf(&[$(ToolPermission::$any),+]) };
    (@map $($every:ident)&+) => { MapRequirement::AllOf(&[$(ToolPermission::$every),+]) };
}

macro_rules! permissions_by_scope {
    ($( $(#[$doc:meta])* $name:ident [$($map:tt)+] => $($scope:expr),+ );* $(;)?) => {
        permissions! { $( $(#[$doc])* $name [$($map)+] => AccessRequirement::Scopes(&[$($scope),+]) );* }
    };
}

macro_rules! permissions_by_key {
    ($( $(#[$doc:meta])* $name:ident [$($map:tt)+] => $($scope:expr),+ );* $(;)?) => {
        permissions! { $( $(#[$doc])* $name [$($map)+] => AccessRequirement::KeyScopes(&[$($scope),+]) );* }
    };
}

/// What reads any kind of record.
const READ_RECORDS: &[Scope] = &[
    Scope::read(Area::Contacts),
    Scope::read(Area::Crm),
    Scope::read(Area::Deals),
    Scope::read(Area::Projects),
    Scope::read(Area::Issues),
    Scope::read(Area::Tickets),
];

/// What writes every kind of record that is imported.
const WRITE_RECORDS: &[Scope] = &[
    Scope::write(Area::Contacts),
    Scope::write(Area::Crm),
    Scope::write(Area::Deals),
    Scope::write(Area::Projects),
    Scope::write(Area::Issues),
    Scope::write(Area::Tickets),
];

permissions! {
    /// End the caller's own session, change their own password.
    ManageOwnAccount => AccessRequirement::Session;
    /// Read and change the workspace's settings; read its usage.
    ManageWorkspace => AccessRequirement::Administrator;
    /// List, invite, change and remove members.
    ManageMembers => AccessRequirement::Administrator;
    /// List, create, rename and revoke API keys.
    ManageKeys => AccessRequirement::Administrator;
    /// List, create, change and delete workspaces: for operators of the service.
    OperateService => AccessRequirement::Operator;
    /// Read the audit log.
    ReadAuditLog => AccessRequirement::Administrator;
    /// Erase the data of a person for good.
    EraseContacts => AccessRequirement::Administrator;
    /// Import records from files.
    TransferRecords => AccessRequirement::SessionScopes(WRITE_RECORDS);
    /// Export lists of records to files; each list also needs the permission to read it.
    ExportRecords => AccessRequirement::AnyScope(READ_RECORDS);
    /// Read webhooks and their deliveries.
    ReadWebhooks => AccessRequirement::AdministratorOrGrant(ToolPermission::ReadWebhooks);
    /// Create webhooks.
    CreateWebhooks => AccessRequirement::AdministratorOrGrant(ToolPermission::CreateWebhooks);
    /// Update webhooks, rotate their secrets, test them and redeliver.
    UpdateWebhooks => AccessRequirement::AdministratorOrGrant(ToolPermission::UpdateWebhooks);
    /// Delete webhooks.
    DeleteWebhooks => AccessRequirement::AdministratorOrGrant(ToolPermission::DeleteWebhooks);
    /// List and read knowledge-base articles, drafts included.
    ReadArticles => AccessRequirement::SessionScopes(&[Scope::read(Area::Tickets)]);
    /// Create articles.
    CreateArticles => AccessRequirement::SessionScopes(&[Scope::write(Area::Tickets)]);
    UpdateArticles => AccessRequirement::SessionScopes(&[Scope::write(Area::Tickets)]);
    DeleteArticles => AccessRequirement::SessionScopes(&[Scope::write(Area::Tickets)]);
    /// Describe the caller's own credential.
    DescribeCaller => AccessRequirement::CredentialButTrial;
    /// List the members of the workspace, with their names and addresses: for whoever reads records, which name them.
    ListMembers [
        ReadContacts, ReadCompanies, ReadDeals, ReadProjects, ReadCycles, ReadTasks, ReadTickets, ReadComments, ReadKbArticles
    ] => AccessRequirement::AnyScope(READ_RECORDS);
    /// List the events that the service emits, as far as the caller may read them.
    ListEventTypes => AccessRequirement::AnyScope(READ_RECORDS);
    /// Read the history of records of any kind; which, depends on the permissions on records.
    ReadHistory => AccessRequirement::AnyScope(READ_RECORDS);
    /// Search records of all kinds, of which each caller finds what they may read.
    SearchRecords => AccessRequirement::AnyScope(READ_RECORDS);
    /// Save views of lists, and use those that others share: for people who are signed in and read records.
    UseSavedViews => AccessRequirement::AnyScope(READ_RECORDS);
    /// Restore deleted records, each by the permission to delete it.
    RestoreRecords => AccessRequirement::AnyScope(WRITE_RECORDS);
    /// Follow the event log, of which each caller sees what they may read: for whoever reads records of any kind.
    FollowEvents => AccessRequirement::AnyScope(&[
        Scope::read(Area::Contacts),
        Scope::read(Area::Crm),
        Scope::read(Area::Deals),
        Scope::read(Area::Projects),
        Scope::read(Area::Issues),
        Scope::read(Area::Tickets),
        Scope::read(Area::Bookings),
        Scope::read(Area::Time),
        Scope::read(Area::Procurement),
        Scope::read(Area::Planning),
        Scope::read(Area::Goals),
        Scope::read(Area::Surveys),
        Scope::read(Area::Subscriptions),
        Scope::read(Area::Marketing),
    ]);
    /// Report events of modules whose records live elsewhere; further requirements depend on the module.
    ReportEvents => AccessRequirement::Credential;
}

permissions_by_scope! {
    /// List, search and read contacts.
    ReadContacts [ReadContacts] => Scope::read(Area::Contacts);
    /// Create contacts.
    CreateContacts [CreateContacts] => Scope::write(Area::Contacts);
    UpdateContacts [UpdateContacts] => Scope::write(Area::Contacts);
    DeleteContacts [DeleteContacts] => Scope::write(Area::Contacts);
    /// Create and update contacts, many at once.
    UpsertContacts [CreateContacts & UpdateContacts] => Scope::write(Area::Contacts);
    /// List, search and read companies.
    ReadCompanies [ReadCompanies] => Scope::read(Area::Crm);
    CreateCompanies [CreateCompanies] => Scope::write(Area::Crm);
    UpdateCompanies [UpdateCompanies] => Scope::write(Area::Crm);
    DeleteCompanies [DeleteCompanies] => Scope::write(Area::Crm);
    /// Create and update companies, many at once.
    UpsertCompanies [CreateCompanies & UpdateCompanies] => Scope::write(Area::Crm);
    /// List and read deals.
    ReadDeals [ReadDeals] => Scope::read(Area::Deals);
    CreateDeals [CreateDeals] => Scope::write(Area::Deals);
    UpdateDeals [UpdateDeals] => Scope::write(Area::Deals);
    DeleteDeals [DeleteDeals] => Scope::write(Area::Deals);
    /// Create and update deals, many at once.
    UpsertDeals [CreateDeals & UpdateDeals] => Scope::write(Area::Deals);
    /// List and read projects.
    ReadProjects [ReadProjects] => Scope::read(Area::Projects);
    CreateProjects [CreateProjects] => Scope::write(Area::Projects);
    UpdateProjects [UpdateProjects] => Scope::write(Area::Projects);
    DeleteProjects [DeleteProjects] => Scope::write(Area::Projects);
    /// List cycles.
    ReadCycles [ReadCycles] => Scope::read(Area::Projects);
    CreateCycles [CreateCycles] => Scope::write(Area::Projects);
    UpdateCycles [UpdateCycles] => Scope::write(Area::Projects);
    DeleteCycles [DeleteCycles] => Scope::write(Area::Projects);
    /// List the tasks of a project.
    ReadProjectIssues [ReadProjects & ReadTasks] => Scope::read(Area::Projects), Scope::read(Area::Issues);
    /// List and read tasks and tickets.
    ReadIssues [ReadTasks, ReadTickets] => Scope::read(Area::Issues);
    /// Create tasks and tickets.
    CreateIssues [CreateTasks, CreateTickets] => Scope::write(Area::Issues);
    /// Update tasks and tickets.
    UpdateIssues [UpdateTasks, UpdateTickets] => Scope::write(Area::Issues);
    /// Delete tasks.
    DeleteIssues [DeleteTasks] => Scope::write(Area::Issues);
    /// Read comments on tasks and tickets.
    ReadComments [ReadComments] => Scope::read(Area::Issues);
    /// Add comments to tasks and tickets.
    CreateComments [CreateComments] => Scope::write(Area::Issues);
    /// Change comments on tasks and tickets.
    UpdateComments [UpdateComments] => Scope::write(Area::Issues);
    /// Delete comments on tasks and tickets.
    DeleteComments [DeleteComments] => Scope::write(Area::Issues);
}

// For backends of a workspace that serve its customers. Users do the same in `/api/v1` and the settings.
permissions_by_key! {
    /// Search published articles of the knowledge base.
    SearchKb [ReadKbArticles] => Scope::read(Area::Tickets);
    /// List and read tickets as customers see them.
    ReadPublicTickets [ReadTickets] => Scope::read(Area::Tickets);
    /// Open tickets for customers.
    CreatePublicTickets [CreateTickets] => Scope::write(Area::Tickets);
    /// Create links with which customers open their tickets.
    CreateTrackingLinks [UpdateTickets] => Scope::write(Area::Tickets);
}
