//! All permissions of callers, and their requirements (interface 5.8 and 5.11).

use super::scopes::AreaScopes;
use super::{AccessRequirement, Area, Level, MapRequirement, Permission, Scope, ToolPermit};
use crate::tools::{ToolPermission, permission_rows};

/// Declares permissions of callers. The brackets contain tool permissions: any one of them, or all that are joined by `&`. Tools
/// obtain the permit with them, and a key's permission map that narrows REST must grant them. With `by_tools`, only tools need
/// them; over REST, callers see only what they may read. With `over_rest`, only the permission map needs them. Without brackets, no
/// tool obtains the permit and no map narrows it.
macro_rules! permissions {
    ($( $(#[$doc:meta])* $name:ident $([$($given:tt)*] $($only:ident)?)? => $needs:expr );* $(;)?) => { $(
        $(#[$doc])*
        #[derive(Debug, Clone, Copy)]
        pub enum $name {}

        impl Permission for $name {
            const NEEDS: AccessRequirement = $needs;
            $(const MAP: MapRequirement = permissions!(@map [$($given)*] $($only)?);)?
        }

        $(permissions!(@tools $name [$($given)*] $($only)?);)?
    )* };
    (@map [] $($only:ident)?) => { MapRequirement::Nothing };
    (@map $given:tt by_tools) => { MapRequirement::Nothing };
    (@map [$($any:ident),+] $($only:ident)?) => { MapRequirement::AnyOf(&[$(ToolPermission::$any),+]) };
    (@map [$($every:ident)&+] $($only:ident)?) => { MapRequirement::AllOf(&[$(ToolPermission::$every),+]) };
    (@map [$any:expr] $($only:ident)?) => { MapRequirement::AnyOf($any) };
    (@tools $name:ident $given:tt) => { impl ToolPermit for $name {} };
    (@tools $name:ident $given:tt by_tools) => {
        impl ToolPermit for $name {
            const PERMISSIONS: &'static [ToolPermission] = permissions!(@map $given).permissions();
        }
    };
    (@tools $name:ident $given:tt over_rest) => {};
}

/// Declares permissions that need scopes, by the variant of [`AccessRequirement`].
macro_rules! permissions_by {
    (
        $by:ident:
        $( $(#[$doc:meta])* $name:ident [$($given:tt)+] $($only:ident)? => $($scope:expr),+ );* $(;)?
    ) => {
        permissions! { $( $(#[$doc])* $name [$($given)+] $($only)? => AccessRequirement::$by(&[$($scope),+]) );* }
    };
}

/// Expands the rows of permissions that are `typed`.
macro_rules! typed_permissions {
    (@row [$area:ident] {
        $read:ident = $_read:literal, $create:ident = $_create:literal, $update:ident = $_update:literal,
        $delete:ident = $_delete:literal
    } typed $($upsert:ident)?) => {
        permissions_by! { Scopes:
            /// List, search and read records of the kind.
            $read [$read] => Scope::read(Area::$area);
            $create [$create] => Scope::write(Area::$area);
            $update [$update] => Scope::write(Area::$area);
            $delete [$delete] => Scope::write(Area::$area)
            $(; /// Create and update many at once.
            $upsert [$create & $update] => Scope::write(Area::$area))?
        }
    };
    (@row $areas:tt $permissions:tt) => {};
    ($( $areas:tt $permissions:tt $($types:ident)*; )+) => {
        $( typed_permissions!(@row $areas $permissions $($types)*); )+
    };
}

permission_rows!(typed_permissions);

/// The scopes that read any kind of record.
const READ_RECORDS: &[Scope] = {
    const SCOPES: &AreaScopes = &AreaScopes::for_records_and(Level::Read, &[]);
    SCOPES.as_slice()
};

/// The scopes that write every kind of record.
const WRITE_RECORDS: &[Scope] = {
    const SCOPES: &AreaScopes = &AreaScopes::for_records_and(Level::Write, &[]);
    SCOPES.as_slice()
};

/// The scopes that read any kind of record, or events about records of another system.
const READ_EVENTS: &[Scope] = {
    const SCOPES: &AreaScopes = &AreaScopes::for_records_and(
        Level::Read,
        &[
            Area::Bookings,
            Area::Procurement,
            Area::Planning,
            Area::Goals,
            Area::Surveys,
            Area::Subscriptions,
            Area::Marketing,
        ],
    );
    SCOPES.as_slice()
};

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
    /// Approve and reject time entries. Keys cannot.
    ApproveTimeEntries => AccessRequirement::Administrator;
    /// Read and set the rates of members.
    ManageTimeRates => AccessRequirement::Administrator;
    /// Read the audit log.
    ReadAuditLog => AccessRequirement::Administrator;
    /// Erase the data of a person for good.
    EraseContacts [DeleteContacts & UpdateTickets] => AccessRequirement::Administrator;
    /// Import records from files.
    TransferRecords => AccessRequirement::SessionScopes(WRITE_RECORDS);
    /// Export lists of records to files; each list also needs the permission to read it.
    ExportRecords => AccessRequirement::AnyScope(READ_RECORDS);
    /// Read webhooks and their deliveries.
    ReadWebhooks [ReadWebhooks] => AccessRequirement::AdministratorOrGrant(ToolPermission::ReadWebhooks);
    /// Create webhooks.
    CreateWebhooks [CreateWebhooks] => AccessRequirement::AdministratorOrGrant(ToolPermission::CreateWebhooks);
    /// Update webhooks, rotate their secrets, test them and redeliver.
    UpdateWebhooks [UpdateWebhooks] => AccessRequirement::AdministratorOrGrant(ToolPermission::UpdateWebhooks);
    /// Delete webhooks.
    DeleteWebhooks [DeleteWebhooks] => AccessRequirement::AdministratorOrGrant(ToolPermission::DeleteWebhooks);
    /// List and read knowledge-base articles, drafts included.
    ReadArticles [ReadKbArticles] => AccessRequirement::SessionScopes(&[Scope::read(Area::Tickets)]);
    /// Create articles.
    CreateArticles [CreateKbArticles] => AccessRequirement::SessionScopes(&[Scope::write(Area::Tickets)]);
    UpdateArticles [UpdateKbArticles] => AccessRequirement::SessionScopes(&[Scope::write(Area::Tickets)]);
    DeleteArticles [DeleteKbArticles] => AccessRequirement::SessionScopes(&[Scope::write(Area::Tickets)]);
    /// Describe the caller's own credential.
    DescribeCaller [] => AccessRequirement::CredentialButTrial;
    /// List the members of the workspace, with their names and addresses. For callers that read records, which refer to members.
    ListMembers [ToolPermission::READ_RECORDS_OR_COMMENTS] => AccessRequirement::AnyScope(READ_RECORDS);
    /// List the events of the service that the caller may read.
    ListEventTypes => AccessRequirement::AnyScope(READ_RECORDS);
    /// Read the history of records of any kind, depending on the permissions on records.
    ReadHistory [ToolPermission::READ_RECORDS] by_tools => AccessRequirement::AnyScope(READ_RECORDS);
    /// Search records of all kinds; each caller finds what they may read.
    SearchRecords => AccessRequirement::AnyScope(READ_RECORDS);
    /// Save views of lists, and use shared ones. For signed-in users who read records.
    UseSavedViews => AccessRequirement::AnyScope(READ_RECORDS);
    /// Restore deleted records, each by the permission to delete it.
    RestoreRecords [ToolPermission::DELETE_RECORDS] by_tools => AccessRequirement::AnyScope(WRITE_RECORDS);
    /// Follow the event log; each caller sees what they may read. For callers that read records of any kind.
    FollowEvents [ToolPermission::READ_RECORDS] by_tools => AccessRequirement::AnyScope(READ_EVENTS);
    /// Report events of modules whose records are in another system; further requirements depend on the module.
    ReportEvents => AccessRequirement::Credential;
}

permissions_by! { Scopes:
    /// List the tasks of a project.
    ReadProjectIssues [ReadProjects & ReadTasks] over_rest => Scope::read(Area::Projects), Scope::read(Area::Issues);
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

// For a workspace's backends, which serve its customers. Users do the same in `/api/v1` and the settings.
permissions_by! { KeyScopes:
    /// Search published articles of the knowledge base.
    SearchKb [ReadKbArticles] => Scope::read(Area::Tickets);
    /// List and read tickets as customers see them.
    ReadPublicTickets [ReadTickets] over_rest => Scope::read(Area::Tickets);
    /// Open tickets for customers.
    CreatePublicTickets [CreateTickets] over_rest => Scope::write(Area::Tickets);
    /// Create links with which customers open their tickets.
    CreateTrackingLinks [UpdateTickets] over_rest => Scope::write(Area::Tickets);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::events::Module;

    #[test]
    fn readers_of_a_modules_records_may_follow_its_events() {
        for module in Module::ALL.iter().copied() {
            let Some(AccessRequirement::Scopes(reports)) = module.report_requirement() else { continue };
            assert!(reports.iter().all(|scope| READ_EVENTS.contains(&Scope::read(scope.area))), "{module}");
        }
    }

    #[test]
    fn each_scope_on_records_is_named_once_in_the_order_of_permissions() {
        let reads: Vec<_> = READ_RECORDS.iter().map(ToString::to_string).collect();
        let expected = ["contacts.read", "crm.read", "deals.read", "projects.read", "issues.read", "tickets.read"];
        assert_eq!(reads[..expected.len()], expected);
        assert_eq!(READ_EVENTS[..READ_RECORDS.len()], *READ_RECORDS);
        assert!(WRITE_RECORDS.iter().map(|scope| Scope::read(scope.area)).eq(READ_RECORDS.iter().copied()));
    }
}
