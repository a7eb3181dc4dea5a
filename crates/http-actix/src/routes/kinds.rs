//! The kinds of record with the routes of [`records`](super::records), and how they differ.

use domain::ErrorCode;
use domain::crm::companies::Company;
use domain::crm::deals::Deal;
use domain::records::DeletedRecord;
use domain::support::canned_replies::CannedReply;
use domain::support::kb::Article;
use domain::work::projects::Project;
use domain::work::time_entries::TimeEntry;
use http_core::description::{Deleted, Shown};
use http_core::{Operation, joined, length};

use super::notes::note_routes;
use super::records::{RecordRoutes, Routes, history_routes, record_routes, routes};

/// Their operations. A new kind needs a row here, and its [`RecordRoutes`] below.
pub(crate) const OPERATIONS: &[Operation] = &joined::<{ length(TABLES) }>(TABLES);

const TABLES: &[&[Operation]] = &[
    &record_routes::<Company>(),
    &history_routes::<Company>(),
    &note_routes::<Company>(),
    &record_routes::<Deal>(),
    &history_routes::<Deal>(),
    &note_routes::<Deal>(),
    &record_routes::<Project>(),
    &history_routes::<Project>(),
    &record_routes::<TimeEntry>(),
    &history_routes::<TimeEntry>(),
    &record_routes::<CannedReply>(),
    &history_routes::<CannedReply>(),
];

/// The operations of articles, which belong to the settings.
pub(crate) const ARTICLE_OPERATIONS: [Operation; 5] = record_routes::<Article>();

impl RecordRoutes for Company {
    const ROUTES: Routes = routes!("/api/v1/crm/companies", "company_id");
    const IS_ADDITIONAL: bool = true;
    type Deletion = Shown<DeletedRecord>;
}

impl RecordRoutes for Deal {
    const ROUTES: Routes = routes!("/api/v1/crm/deals", "deal_id");
    const UPDATE_ERRORS: &'static [ErrorCode] = &[ErrorCode::Duplicate, ErrorCode::InvalidStateChange];
    type Deletion = Deleted;
}

impl RecordRoutes for Project {
    const ROUTES: Routes = routes!("/api/v1/projects", "project_id");
    const UPDATE_ERRORS: &'static [ErrorCode] = &[ErrorCode::Duplicate, ErrorCode::InvalidStateChange];
    type Deletion = Deleted;
}

impl RecordRoutes for TimeEntry {
    const ROUTES: Routes = routes!("/api/v1/time/entries", "entry_id");
    const PLURAL: &'static str = "time entries";
    const IS_ADDITIONAL: bool = true;
    const CREATE_ERRORS: &'static [ErrorCode] = &[ErrorCode::Conflict, ErrorCode::InvalidStateChange];
    const DELETE_ERRORS: &'static [ErrorCode] = &[ErrorCode::InvalidStateChange];
    const RESTORE_ERRORS: &'static [ErrorCode] = Self::CREATE_ERRORS;
    type Deletion = Deleted;
}

impl RecordRoutes for Article {
    const ROUTES: Routes = routes!("/api/settings/kb/articles", "article_id");
    const GROUP: &'static str = "settings_kb";
    const PLURAL: &'static str = "articles of the knowledge base";
    type Deletion = Deleted;
}

impl RecordRoutes for CannedReply {
    const ROUTES: Routes = routes!("/api/v1/support/canned-replies", "canned_reply_id");
    const PLURAL: &'static str = "canned replies";
    const IS_ADDITIONAL: bool = true;
    const CREATE_ERRORS: &'static [ErrorCode] = &[];
    const UPDATE_ERRORS: &'static [ErrorCode] = &[ErrorCode::InvalidStateChange];
    const RESTORE_ERRORS: &'static [ErrorCode] = &[ErrorCode::InvalidStateChange];
    type Deletion = Deleted;
}
