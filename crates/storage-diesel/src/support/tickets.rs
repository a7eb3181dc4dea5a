//! Tickets with their requesters, and the tokens that authenticate customers.

use diesel::prelude::*;
use diesel::sql_types::Text;
use domain::kernel::paging::PageRequest;
use domain::ports::{StoreError, TicketRepo};
use domain::support::{MAX_COMMENTS, PortalSession, Ticket, TicketFilter};
use domain::work::comments::Comment;
use domain::work::issues::{Conversation, IssueStatus, Requester, TicketType, TrackingLink};
use domain::{ContactId, IssueId, PortalSessionId};
use time::OffsetDateTime;
use uuid::Uuid;

use crate::engine::columns::columns;
use crate::engine::convert;
use crate::engine::page_query::{List, Order, PageQuery};
use crate::engine::statement::{RowOf, Statement, sql};
use crate::engine::tx::PgTx;
use crate::rows::Column;
use crate::schema::{contacts, portal_sessions, requester, tracking_links};
use crate::work::comments::CommentRow;
use crate::work::issues::IssueRow;

const ISSUE_COLUMNS: &str = columns!(IssueRow);
const COMMENT_COLUMNS: &str = columns!(CommentRow);
/// The maximum number of comments to read: those shown with a ticket, plus one.
const COMMENTS_TO_READ: u32 = MAX_COMMENTS + 1;

/// The columns of an issue that identify its external requester.
#[derive(Queryable, Selectable, Insertable, Default)]
#[diesel(table_name = requester, treat_none_as_default_value = false)]
pub(crate) struct RequesterRow {
    requester_name: Option<String>,
    requester_email: Option<String>,
    requester_email_key: Option<String>,
    ticket_type: Option<String>,
    requester_contact_id: Option<Uuid>,
}

/// The columns of an issue that say whether the customer or the team has to act.
#[derive(Queryable, Selectable, Insertable)]
#[diesel(table_name = requester, treat_none_as_default_value = false)]
pub(crate) struct ConversationRow {
    customer_wrote_at: Option<OffsetDateTime>,
    answered_at: Option<OffsetDateTime>,
    waiting_since: Option<OffsetDateTime>,
    last_message_at: Option<OffsetDateTime>,
}

#[derive(Queryable, Selectable, Insertable)]
#[diesel(table_name = tracking_links, treat_none_as_default_value = false)]
pub(crate) struct LinkRow {
    workspace_id: Uuid,
    lookup_id: String,
    issue_id: Uuid,
    secret_hash: Vec<u8>,
    expires_at: OffsetDateTime,
    used_at: Option<OffsetDateTime>,
    is_requested: bool,
}

#[derive(Queryable, Selectable, Insertable)]
#[diesel(table_name = portal_sessions)]
pub(crate) struct PortalSessionRow {
    workspace_id: Uuid,
    id: Uuid,
    issue_id: Uuid,
    lookup_id: String,
    secret_hash: Vec<u8>,
    created_at: OffsetDateTime,
    expires_at: OffsetDateTime,
}

/// All are null for an issue without an external requester.
impl Column<Option<Requester>> for RequesterRow {
    fn from_member(requester: Option<Requester>) -> Self {
        requester.map_or_else(Self::default, |requester| Self {
            requester_email_key: Some(requester.email_key()),
            requester_name: Some(requester.name),
            requester_email: Some(requester.email),
            ticket_type: Some(requester.ticket_type.as_str().to_owned()),
            requester_contact_id: requester.contact_id.map(|id| id.0),
        })
    }

    fn into_member(self) -> Result<Option<Requester>, StoreError> {
        let (Some(name), Some(email), Some(ticket_type)) =
            (self.requester_name, self.requester_email, self.ticket_type)
        else {
            return Ok(None);
        };
        let ticket_type = convert::parse_stored(&ticket_type, TicketType::parse)?;
        Ok(Some(Requester { name, email, ticket_type, contact_id: self.requester_contact_id.map(ContactId) }))
    }
}

impl Column<Conversation> for ConversationRow {
    fn from_member(conversation: Conversation) -> Self {
        let Conversation { customer_wrote_at, answered_at, waiting_since, last_message_at } = conversation;
        Self { customer_wrote_at, answered_at, waiting_since, last_message_at }
    }

    fn into_member(self) -> Result<Conversation, StoreError> {
        let Self { customer_wrote_at, answered_at, waiting_since, last_message_at } = self;
        Ok(Conversation { customer_wrote_at, answered_at, waiting_since, last_message_at })
    }
}

/// Converts the row of an issue that must have a requester.
fn into_ticket(row: IssueRow) -> Result<Ticket, StoreError> {
    let ticket = Ticket::of(row.into_issue()?);
    ticket.ok_or_else(|| StoreError::Internal("a ticket has no requester".to_owned()))
}

impl LinkRow {
    pub(crate) fn into_link(self) -> Result<TrackingLink, StoreError> {
        Ok(TrackingLink {
            issue_id: IssueId(self.issue_id),
            lookup_id: self.lookup_id,
            secret: convert::secret(self.secret_hash)?,
            expires_at: self.expires_at,
            used_at: self.used_at,
            is_requested: self.is_requested,
        })
    }
}

impl PortalSessionRow {
    pub(crate) fn into_session(self) -> Result<PortalSession, StoreError> {
        Ok(PortalSession {
            id: PortalSessionId(self.id),
            issue_id: IssueId(self.issue_id),
            lookup_id: self.lookup_id,
            secret: convert::secret(self.secret_hash)?,
            created_at: self.created_at,
            expires_at: self.expires_at,
        })
    }
}

pub(crate) fn requested_link_query(workspace: Uuid, issue: IssueId, expires_after: OffsetDateTime) -> Statement<Text> {
    let sql = sql!(
        "SELECT lookup_id FROM tracking_links
         WHERE is_requested AND used_at IS NULL AND workspace_id = $1 AND issue_id = $2 AND expires_at > $3
         LIMIT 1"
    );
    sql.returns().bind(workspace).bind(issue.0).bind(expires_after)
}

impl TicketRepo for PgTx<'_> {
    fn find(&mut self, reference: &str) -> Result<Option<Ticket>, StoreError> {
        let row: Option<IssueRow> = self.first(find_query(self.workspace, reference))?;
        row.map(into_ticket).transpose()
    }

    fn list(&mut self, filter: &TicketFilter, page: &PageRequest) -> Result<Vec<Ticket>, StoreError> {
        let rows: Vec<IssueRow> = self.page(list_query(self.workspace, filter, page), page)?;
        rows.into_iter().map(into_ticket).collect()
    }

    fn public_comments(&mut self, id: IssueId, limit: u32) -> Result<Vec<Comment>, StoreError> {
        let rows: Vec<CommentRow> = self.load(public_comments_query(self.workspace, id))?;
        let newest: Vec<_> = rows.into_iter().take(limit as usize).collect();
        newest.into_iter().rev().map(CommentRow::into_comment).collect()
    }

    fn contact_with(&mut self, email_key: &str) -> Result<Option<ContactId>, StoreError> {
        let query = contacts::table
            .filter(contacts::workspace_id.eq(self.workspace))
            .filter(contacts::email_key.eq(email_key.to_owned()))
            .filter(contacts::deleted_at.is_null())
            .select(contacts::id)
            // Takes the lock of foreign keys: updates of the contact continue, and its deletion waits.
            .for_key_share();
        Ok(self.first(query)?.map(ContactId))
    }

    fn add_links(&mut self, links: &[TrackingLink]) -> Result<(), StoreError> {
        let workspace_id = self.workspace;
        let row = |link: &TrackingLink| LinkRow {
            workspace_id,
            lookup_id: link.lookup_id.clone(),
            issue_id: link.issue_id.0,
            secret_hash: link.secret.as_bytes().to_vec(),
            expires_at: link.expires_at,
            used_at: link.used_at,
            is_requested: link.is_requested,
        };
        let rows: Vec<_> = links.iter().map(row).collect();
        self.execute(diesel::insert_into(tracking_links::table).values(rows)).map(drop)
    }

    fn has_requested_link(&mut self, issue: IssueId, expires_after: OffsetDateTime) -> Result<bool, StoreError> {
        let reference: Option<String> = self.first(requested_link_query(self.workspace, issue, expires_after))?;
        Ok(reference.is_some())
    }

    /// The row lock makes concurrent uses wait, which then find the link used.
    fn use_link(&mut self, lookup_id: &str, now: OffsetDateTime) -> Result<bool, StoreError> {
        let unused = tracking_links::table
            .find((self.workspace, lookup_id.to_owned()))
            .filter(tracking_links::used_at.is_null());
        Ok(self.execute(diesel::update(unused).set(tracking_links::used_at.eq(now)))? > 0)
    }

    fn add_session(&mut self, session: &PortalSession) -> Result<(), StoreError> {
        let row = PortalSessionRow {
            workspace_id: self.workspace,
            id: session.id.0,
            issue_id: session.issue_id.0,
            lookup_id: session.lookup_id.clone(),
            secret_hash: session.secret.as_bytes().to_vec(),
            created_at: session.created_at,
            expires_at: session.expires_at,
        };
        self.execute(diesel::insert_into(portal_sessions::table).values(row)).map(drop)
    }
}

pub(crate) fn find_query(workspace: Uuid, reference: &str) -> Statement<RowOf<IssueRow>> {
    let sql = sql!(
        "SELECT {ISSUE_COLUMNS} FROM issues
         WHERE workspace_id = $1 AND reference = $2 AND reference IS NOT NULL AND deleted_at IS NULL
             AND requester_email_key IS NOT NULL"
    );
    sql.returns().bind(workspace).bind(reference.to_owned())
}

const LIST: List = List {
    select: ISSUE_COLUMNS,
    from: "issues",
    conditions: "workspace_id = $1 AND deleted_at IS NULL AND requester_email_key IS NOT NULL",
    order: Order::Newest,
};

pub(crate) fn list_query(workspace: Uuid, filter: &TicketFilter, page: &PageRequest) -> Statement<RowOf<IssueRow>> {
    PageQuery::new(&LIST, workspace, page)
        .equal("status = $n", filter.status.map(IssueStatus::as_str))
        .equal("requester_email_key = $n", filter.email_key.clone())
        .equal("ticket_type = $n", filter.ticket_type.map(TicketType::as_str))
        .created(&filter.created)
        .build()
}

/// Newest first. The limit is a literal, because a bound limit would be planned as a tenth of the table.
pub(crate) fn public_comments_query(workspace: Uuid, issue: IssueId) -> Statement<RowOf<CommentRow>> {
    let sql = sql!(
        "SELECT {COMMENT_COLUMNS} FROM comments
         WHERE visibility = 'public' AND workspace_id = $1 AND issue_id = $2
             AND EXISTS (SELECT FROM issues WHERE num_nonnulls(deleted_at) = 0 AND workspace_id = $1 AND id = $2)
         ORDER BY created_at DESC, id DESC LIMIT {COMMENTS_TO_READ}"
    );
    sql.returns().bind(workspace).bind(issue.0)
}
