//! Canned replies.

use diesel::prelude::*;
use domain::ports::StoreError;
use domain::support::canned_replies::{CannedReply, CannedReplyFilter};
use time::OffsetDateTime;
use uuid::Uuid;

use self::schema::canned_replies;
use crate::directory::records_erasure::erased;
use crate::directory::search_reindex::searched;
use crate::engine::errors::expect_rows;
use crate::engine::insertion::Insertion;
use crate::engine::page_query::{LIVE, List, PageQuery};
use crate::engine::tx::PgTx;
use crate::records::{ListedTable, StoredKind, deleted_list, in_table, is_live, live_list};
use crate::rows::row;
use crate::schema::array_to_tsvector;
use crate::support::lexemes::Prefix;

mod schema {
    diesel::table! {
        use diesel::sql_types::{BigInt, Bool, Nullable, Text, Timestamptz, Uuid};
        use crate::schema::types::Tsvector;

        canned_replies (workspace_id, id) {
            workspace_id -> Uuid,
            id -> Uuid,
            title -> Text,
            shortcut -> Nullable<Text>,
            body -> Text,
            shared -> Bool,
            version -> BigInt,
            created_at -> Timestamptz,
            updated_at -> Timestamptz,
            created_by_type -> Text,
            created_by_id -> Nullable<Uuid>,
            deleted_at -> Nullable<Timestamptz>,
            search -> Tsvector,
        }
    }
}

row! {
    #[derive(AsChangeset)]
    #[diesel(primary_key(workspace_id, id), treat_none_as_null = true)]
    pub(crate) struct CannedReplyRow in canned_replies, into_reply -> CannedReply {
        id: Uuid,
        title: String,
        shortcut: Option<String>,
        body: String,
        shared: bool,
        version: i64,
        created_at: OffsetDateTime,
        updated_at: OffsetDateTime,
    }
    actors { created_by: (created_by_type, created_by_id) }
}

impl StoredKind for CannedReply {
    const KIND_SQL: &'static str = "'canned_reply'";
    const TITLE: &'static str = "title";
    const DELETED: &'static List = &deleted_list!("canned_replies", CannedReplyRow);

    in_table!("canned_replies", CannedReplyRow, into_reply);
    searched!("canned_replies", CannedReplyRow, into_reply);

    erased! {
        "canned_replies", comments(): {
            title = "'erased'", shortcut = "NULL", body = "'erased'", search = "''"
        } keeps {
            workspace_id, id, shared, version, created_at, updated_at, created_by_type, created_by_id, deleted_at, erased_at
        }
    }

    fn lexemes(&self, workspace: Uuid) -> Vec<String> {
        Prefix::of(workspace).lexemes(&self.search_words())
    }

    fn insert(&self, tx: &mut PgTx<'_>) -> Result<(), StoreError> {
        let search = canned_replies::search.eq(array_to_tsvector(self.lexemes(tx.workspace)));
        let row = (CannedReplyRow::of(tx.workspace, self), search);
        tx.insert_one(Insertion::new::<canned_replies::table, _, _>(Self::TABLE, row), &[])
    }

    fn save(&self, tx: &mut PgTx<'_>) -> Result<(), StoreError> {
        let target = canned_replies::table.find((tx.workspace, self.id.0));
        let search = canned_replies::search.eq(array_to_tsvector(self.lexemes(tx.workspace)));
        let changes = (CannedReplyRow::of(tx.workspace, self), search);
        let update = diesel::update(target.filter(is_live(canned_replies::deleted_at))).set(changes);
        expect_rows(tx.execute(update)?, 1)
    }

    fn filtered(query: PageQuery, workspace: Uuid, filter: &CannedReplyFilter) -> PageQuery {
        query
            // First: no other filter leaves fewer rows.
            .any_id("id", filter.ids.0.iter().map(|id| id.0).collect())
            .equal("shortcut = $n", filter.shortcut.as_ref().map(|shortcut| shortcut.as_str().to_owned()))
            // The literals are the conditions of partial indexes.
            .fixed(filter.shared == Some(true), "shared")
            .fixed(filter.shared == Some(false), "NOT shared")
            .equal("created_by_id = $n", filter.reader.filter(|_| filter.shared == Some(false)))
            .created(&filter.created())
            .search(filter.search.as_ref().and_then(|query| Prefix::of(workspace).query(query)), LIVE)
    }
}

impl ListedTable for CannedReply {
    const LIST: &'static List = &live_list!("canned_replies", CannedReplyRow);
}
