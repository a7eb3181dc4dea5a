//! All permissions of callers, and their requirements (interface 5.8 and 5.11).

use super::{AccessRequirement, Area, Permission, Scope};
use crate::tools::ToolPermission;

macro_rules! permissions {
    ($( $(#[$doc:meta])* $name:ident => $needs:expr );* $(;)?) => { $(
        $(#[$doc])*
        #[derive(Debug, Clone, Copy)]
        pub enum $name {}

        impl Permission for $name {
            const NEEDS: AccessRequirement = $needs;
        }
    )* };
}

macro_rules! permissions_by_scope {
    ($( $(#[$doc:meta])* $name:ident => $($scope:expr),+ );* $(;)?) => {
        permissions! { $( $(#[$doc])* $name => AccessRequirement::Scopes(&[$($scope),+]) );* }
    };
}

macro_rules! permissions_by_key {
    ($( $(#[$doc:meta])* $name:ident => $($scope:expr),+ );* $(;)?) => {
        permissions! { $( $(#[$doc])* $name => AccessRequirement::KeyScopes(&[$($scope),+]) );* }
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
    TransferRecords => AccessRequirement::Administrator;
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
    ReadArticles => AccessRequirement::Administrator;
    /// Create articles.
    CreateArticles => AccessRequirement::Administrator;
    UpdateArticles => AccessRequirement::Administrator;
    DeleteArticles => AccessRequirement::Administrator;
    /// Describe the caller's own credential.
    DescribeCaller => AccessRequirement::CredentialButTrial;
    /// List the members of the workspace, with their names and addresses: for whoever reads records, which name them.
    ListMembers => AccessRequirement::AnyScope(READ_RECORDS);
    /// List the events that the service emits, as far as the caller may read them.
    ListEventTypes => AccessRequirement::AnyScope(READ_RECORDS);
    /// Read the history of records of any kind; which, depends on the permissions on records.
    ReadHistory => AccessRequirement::AnyScope(READ_RECORDS);
    /// Search records of all kinds, of which each caller finds what they may read.
    SearchRecords => AccessRequirement::AnyScope(READ_RECORDS);
    /// Save views of lists, and use those that others share: for people who are signed in and read records.
    UseSavedViews => AccessRequirement::AnyScope(READ_RECORDS);
    /// Restore deleted records, each by the permission to delete it.
    RestoreRecords => AccessRequirement::AnyScope(&[
        Scope::write(Area::Contacts),
        Scope::write(Area::Crm),
        Scope::write(Area::Deals),
        Scope::write(Area::Projects),
        Scope::write(Area::Issues),
        Scope::write(Area::Tickets),
    ]);
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
    ReadContacts => Scope::read(Area::Contacts);
    /// Create contacts.
    CreateContacts => Scope::write(Area::Contacts);
    UpdateContacts => Scope::write(Area::Contacts);
    DeleteContacts => Scope::write(Area::Contacts);
    /// Create and update contacts, many at once.
    UpsertContacts => Scope::write(Area::Contacts);
    /// List, search and read companies.
    ReadCompanies => Scope::read(Area::Crm);
    CreateCompanies => Scope::write(Area::Crm);
    UpdateCompanies => Scope::write(Area::Crm);
    DeleteCompanies => Scope::write(Area::Crm);
    /// Create and update companies, many at once.
    UpsertCompanies => Scope::write(Area::Crm);
    /// List and read deals.
    ReadDeals => Scope::read(Area::Deals);
    CreateDeals => Scope::write(Area::Deals);
    UpdateDeals => Scope::write(Area::Deals);
    DeleteDeals => Scope::write(Area::Deals);
    /// Create and update deals, many at once.
    UpsertDeals => Scope::write(Area::Deals);
    /// List and read projects.
    ReadProjects => Scope::read(Area::Projects);
    CreateProjects => Scope::write(Area::Projects);
    UpdateProjects => Scope::write(Area::Projects);
    DeleteProjects => Scope::write(Area::Projects);
    /// List cycles.
    ReadCycles => Scope::read(Area::Projects);
    CreateCycles => Scope::write(Area::Projects);
    UpdateCycles => Scope::write(Area::Projects);
    DeleteCycles => Scope::write(Area::Projects);
    /// List the tasks of a project.
    ReadProjectIssues => Scope::read(Area::Projects), Scope::read(Area::Issues);
    /// List and read tasks and tickets.
    ReadIssues => Scope::read(Area::Issues);
    /// Create tasks and tickets.
    CreateIssues => Scope::write(Area::Issues);
    /// Update tasks and tickets.
    UpdateIssues => Scope::write(Area::Issues);
    /// Delete tasks.
    DeleteIssues => Scope::write(Area::Issues);
    /// Read comments on tasks and tickets.
    ReadComments => Scope::read(Area::Issues);
    /// Add comments to tasks and tickets.
    CreateComments => Scope::write(Area::Issues);
    /// Change comments on tasks and tickets.
    UpdateComments => Scope::write(Area::Issues);
    /// Delete comments on tasks and tickets.
    DeleteComments => Scope::write(Area::Issues);
}

// For backends of a workspace that serve its customers. Users do the same in `/api/v1` and the settings.
permissions_by_key! {
    /// Search published articles of the knowledge base.
    SearchKb => Scope::read(Area::Tickets);
    /// List and read tickets as customers see them.
    ReadPublicTickets => Scope::read(Area::Tickets);
    /// Open tickets for customers.
    CreatePublicTickets => Scope::write(Area::Tickets);
    /// Create links with which customers open their tickets.
    CreateTrackingLinks => Scope::write(Area::Tickets);
}
