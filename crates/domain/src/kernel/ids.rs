//! Ids as newtypes, so that a deal's id cannot be passed for a contact's.

/// Declares ids; the id of a kind of record is declared next to the kind. An id with `names` marks its schemas with
/// [`NAMES`](crate::kernel::input::schema::NAMES).
macro_rules! ids {
    ($( $(#[$doc:meta])* $name:ident $(names $who:literal)? ),* $(,)?) => { $(
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize, schemars::JsonSchema)]
        $(#[$doc])*
        #[serde(transparent)]
        #[schemars(inline)]
        $(#[schemars(extend("x-names" = $who))])?
        pub struct $name(pub uuid::Uuid);

        impl std::fmt::Display for $name {
            fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                self.0.fmt(formatter)
            }
        }

        impl From<uuid::Uuid> for $name {
            fn from(id: uuid::Uuid) -> Self {
                Self(id)
            }
        }

        impl From<$name> for uuid::Uuid {
            fn from(id: $name) -> Self {
                id.0
            }
        }

        crate::kernel::input::plain_json!($name);
        crate::kernel::input::stored_as_is!($name);
        crate::kernel::input::filter_values!($name);

        impl crate::kernel::input::Value for $name {
            fn schema() -> serde_json::Value {
                let schema = <uuid::Uuid as crate::kernel::input::Value>::schema();
                $(let schema = crate::kernel::input::schema::naming(schema, $who);)?
                schema
            }

            fn read(json: serde_json::Value, at: &str, problems: &mut crate::kernel::input::Problems) -> crate::kernel::input::Read<Self> {
                <uuid::Uuid as crate::kernel::input::Value>::read(json, at, problems).map(Self)
            }
        }
    )* };
}
pub(crate) use ids;

ids! {
    /// A workspace: the tenant that every record and credential belongs to.
    WorkspaceId,
    /// A user, across workspaces. In a record or an input, it identifies a member of the workspace.
    UserId names "member",
    /// An API key.
    ApiKeyId,
    /// A user's session in a workspace.
    SessionId,
    /// An entry of the audit log.
    AuditEntryId,
    /// A webhook subscription.
    SubscriptionId,
    /// One event for one subscription.
    DeliveryId,
    /// A request to queue past events again for a subscription.
    ReplayId,
    /// A stored event; a version 7 UUID with the time of the event.
    EventId,
    /// An e-mail.
    EmailId,
    /// A text in a queued e-mail: the comment's id for a comment, the record's for news of a record.
    EmailPartId,
    /// A request for a mailed link.
    LinkRequestId,
    /// A company.
    CompanyId,
    /// A contact.
    ContactId,
    /// A deal.
    DealId,
    /// A project.
    ProjectId,
    /// A cycle of a project.
    CycleId,
    /// A task or a ticket.
    IssueId,
    /// A comment on an issue.
    CommentId,
    /// An article of the knowledge base.
    KbArticleId,
    /// An entry of time worked.
    TimeEntryId,
    /// A saved view of a list.
    SavedViewId,
    /// An undo entry of a change made in the console.
    UndoId,
    /// An erasure of a person's data.
    ErasureId,
    /// A customer's session with one ticket.
    PortalSessionId,
}
