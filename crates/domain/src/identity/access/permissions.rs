//! Everything that a caller may be allowed to do, and what it takes (contract: authentication; guide routes).

use super::{AccessRequirement, Area, Permission, Scope};

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

permissions! {
    /// End one's own session, change one's own password.
    ManageOwnAccount => AccessRequirement::Session;
    /// See and change the workspace's settings, and see its usage.
    ManageWorkspace => AccessRequirement::Administrator;
    /// See, invite, change and remove members.
    ManageMembers => AccessRequirement::Administrator;
    /// See, make, rename and revoke keys.
    ManageKeys => AccessRequirement::Administrator;
    /// Read the audit log.
    ReadAuditLog => AccessRequirement::Administrator;
    /// See webhooks and their history.
    ReadWebhooks => AccessRequirement::Administrator;
    /// Make webhooks.
    CreateWebhooks => AccessRequirement::Administrator;
    /// Change webhooks and their secrets, test them and send again.
    UpdateWebhooks => AccessRequirement::Administrator;
    /// Delete webhooks.
    DeleteWebhooks => AccessRequirement::Administrator;
    /// List and read articles of the knowledge base, drafts too.
    ReadArticles => AccessRequirement::Administrator;
    /// Write articles.
    CreateArticles => AccessRequirement::Administrator;
    /// Change articles.
    UpdateArticles => AccessRequirement::Administrator;
    /// Delete articles.
    DeleteArticles => AccessRequirement::Administrator;
    /// Report events of modules whose records live elsewhere; what more it takes depends on the module.
    ReportEvents => AccessRequirement::Credential;
}

permissions_by_scope! {
    /// List, search and read contacts.
    ReadContacts => Scope::read(Area::Contacts);
    /// Make contacts.
    CreateContacts => Scope::write(Area::Contacts);
    /// Change contacts.
    UpdateContacts => Scope::write(Area::Contacts);
    /// Delete contacts.
    DeleteContacts => Scope::write(Area::Contacts);
    /// List, search and read companies.
    ReadCompanies => Scope::read(Area::Crm);
    /// Make companies.
    CreateCompanies => Scope::write(Area::Crm);
    /// Change companies.
    UpdateCompanies => Scope::write(Area::Crm);
    /// Delete companies.
    DeleteCompanies => Scope::write(Area::Crm);
    /// List and read deals.
    ReadDeals => Scope::read(Area::Deals);
    /// Make deals.
    CreateDeals => Scope::write(Area::Deals);
    /// Change deals.
    UpdateDeals => Scope::write(Area::Deals);
    /// Delete deals.
    DeleteDeals => Scope::write(Area::Deals);
    /// List and read projects.
    ReadProjects => Scope::read(Area::Projects);
    /// Make projects.
    CreateProjects => Scope::write(Area::Projects);
    /// Change projects.
    UpdateProjects => Scope::write(Area::Projects);
    /// Delete projects.
    DeleteProjects => Scope::write(Area::Projects);
    /// List cycles.
    ReadCycles => Scope::read(Area::Projects);
    /// Make cycles.
    CreateCycles => Scope::write(Area::Projects);
    /// List the tasks of a project.
    ReadProjectIssues => Scope::read(Area::Projects), Scope::read(Area::Issues);
    /// List and read tasks and tickets.
    ReadIssues => Scope::read(Area::Issues);
    /// Make tasks and tickets.
    CreateIssues => Scope::write(Area::Issues);
    /// Change tasks and tickets.
    UpdateIssues => Scope::write(Area::Issues);
    /// Delete tasks.
    DeleteIssues => Scope::write(Area::Issues);
    /// Read comments.
    ReadComments => Scope::read(Area::Issues);
    /// Add comments.
    CreateComments => Scope::write(Area::Issues);
}

// Programs of a workspace that work for its customers. People do the same in `/api/v1` and the settings.
permissions_by_key! {
    /// Search what is published of the knowledge base.
    SearchKb => Scope::read(Area::Tickets);
    /// List and read tickets as their customers see them.
    ReadPublicTickets => Scope::read(Area::Tickets);
    /// Open tickets for customers.
    CreatePublicTickets => Scope::write(Area::Tickets);
    /// Make links that let customers see their tickets.
    CreateTrackingLinks => Scope::write(Area::Tickets);
}
