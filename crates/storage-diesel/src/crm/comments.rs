//! Comments on contacts, companies and deals.

use diesel::prelude::*;
use domain::crm::comments::{CrmRecord, RecordComment};
use domain::kernel::input::CreatedFilter;
use domain::kernel::paging::PageRequest;
use domain::ports::{RecordCommentRepo, StoreError};
use domain::{CommentId, CompanyId, ContactId, DealId};
use time::OffsetDateTime;
use uuid::Uuid;

use crate::engine::columns::columns;
use crate::engine::errors::expect_rows;
use crate::engine::insertion::Insertion;
use crate::engine::page_query::{List, Order, PageQuery};
use crate::engine::statement::{RowOf, Statement};
use crate::engine::tx::PgTx;
use crate::rows::{Column, row};
use crate::schema::{array_to_tsvector, record_comments};
use crate::support::lexemes::Prefix;

/// The columns that name the record.
#[derive(Queryable, Selectable, Insertable, Default)]
#[diesel(table_name = record_comments, treat_none_as_default_value = false)]
#[expect(clippy::struct_field_names, reason = "named after the columns")]
pub(crate) struct RecordColumns {
    contact_id: Option<Uuid>,
    company_id: Option<Uuid>,
    deal_id: Option<Uuid>,
}

impl Column<CrmRecord> for RecordColumns {
    fn from_member(member: CrmRecord) -> Self {
        match member {
            CrmRecord::Contact(id) => Self { contact_id: Some(id.0), ..Self::default() },
            CrmRecord::Company(id) => Self { company_id: Some(id.0), ..Self::default() },
            CrmRecord::Deal(id) => Self { deal_id: Some(id.0), ..Self::default() },
        }
    }

    fn into_member(self) -> Result<CrmRecord, StoreError> {
        match (self.contact_id, self.company_id, self.deal_id) {
            (Some(id), None, None) => Ok(CrmRecord::Contact(ContactId(id))),
            (None, Some(id), None) => Ok(CrmRecord::Company(CompanyId(id))),
            (None, None, Some(id)) => Ok(CrmRecord::Deal(DealId(id))),
            _ => Err(StoreError::Internal("a comment is on no record, or on several".to_owned())),
        }
    }
}

row! {
    pub(crate) struct RecordCommentRow in record_comments, into_comment -> RecordComment {
        id: Uuid,
        #[diesel(embed)]
        record: RecordColumns,
        body: String,
        edited_at: Option<OffsetDateTime>,
        version: i64,
        created_at: OffsetDateTime,
        updated_at: OffsetDateTime,
    }
    actors { author: (author_type, author_id), created_by: (created_by_type, created_by_id) }
}

/// The search prefix of comments on contacts.
pub(crate) fn on_contacts(workspace: Uuid) -> Prefix {
    Prefix::of_kind(workspace, 'c')
}

/// The search prefix of comments on companies.
pub(crate) fn on_companies(workspace: Uuid) -> Prefix {
    Prefix::of_kind(workspace, 'o')
}

/// The search prefix of comments on deals.
pub(crate) fn on_deals(workspace: Uuid) -> Prefix {
    Prefix::of_kind(workspace, 'd')
}

/// The search words of a comment.
pub(crate) fn lexemes(workspace: Uuid, comment: &RecordComment) -> Vec<String> {
    let prefix = match comment.record {
        CrmRecord::Contact(_) => on_contacts(workspace),
        CrmRecord::Company(_) => on_companies(workspace),
        CrmRecord::Deal(_) => on_deals(workspace),
    };
    prefix.lexemes(&comment.search_words())
}

impl RecordCommentRepo for PgTx<'_> {
    fn insert(&mut self, comment: &RecordComment) -> Result<(), StoreError> {
        let search = record_comments::search.eq(array_to_tsvector(lexemes(self.workspace, comment)).nullable());
        let row = (RecordCommentRow::of(self.workspace, comment), search);
        self.insert_one(Insertion::new::<record_comments::table, _, _>("record_comments", row), &[])
    }

    fn list(
        &mut self,
        record: CrmRecord,
        filter: &CreatedFilter,
        page: &PageRequest,
    ) -> Result<Vec<RecordComment>, StoreError> {
        let rows: Vec<RecordCommentRow> = self.page(list_query(self.workspace, record, filter, page), page)?;
        rows.into_iter().map(RecordCommentRow::into_comment).collect()
    }

    fn get_for_update(&mut self, id: CommentId) -> Result<Option<RecordComment>, StoreError> {
        let query = record_comments::table.find((self.workspace, id.0)).select(RecordCommentRow::as_select());
        self.first(query.for_update())?.map(RecordCommentRow::into_comment).transpose()
    }

    fn save(&mut self, comment: &RecordComment) -> Result<(), StoreError> {
        let changes = (
            record_comments::body.eq(comment.body.clone()),
            record_comments::search.eq(array_to_tsvector(lexemes(self.workspace, comment)).nullable()),
            record_comments::edited_at.eq(comment.edited_at),
            record_comments::version.eq(comment.version),
            record_comments::updated_at.eq(comment.updated_at),
        );
        let target = record_comments::table.find((self.workspace, comment.id.0));
        let affected = self.execute(diesel::update(target).set(changes))?;
        expect_rows(affected, 1)
    }

    fn delete(&mut self, id: CommentId) -> Result<bool, StoreError> {
        Ok(self.execute(diesel::delete(record_comments::table.find((self.workspace, id.0))))? > 0)
    }
}

/// The comments on one kind of record, while the record is live.
macro_rules! list_of {
    ($id:literal, $table:literal) => {
        List {
            select: columns!(RecordCommentRow),
            from: "record_comments",
            conditions: concat!(
                "workspace_id = $1 AND ",
                $id,
                " = $2 AND EXISTS (SELECT FROM ",
                $table,
                " WHERE num_nonnulls(deleted_at) = 0 AND workspace_id = $1 AND id = $2)"
            ),
            order: Order::Oldest,
        }
    };
}

const OF_CONTACT: List = list_of!("contact_id", "contacts");
const OF_COMPANY: List = list_of!("company_id", "companies");
const OF_DEAL: List = list_of!("deal_id", "deals");

pub(crate) fn list_query(
    workspace: Uuid,
    record: CrmRecord,
    filter: &CreatedFilter,
    page: &PageRequest,
) -> Statement<RowOf<RecordCommentRow>> {
    let (list, id) = match record {
        CrmRecord::Contact(id) => (&OF_CONTACT, id.0),
        CrmRecord::Company(id) => (&OF_COMPANY, id.0),
        CrmRecord::Deal(id) => (&OF_DEAL, id.0),
    };
    PageQuery::new(list, workspace, page).bind(id).created(filter).build()
}
