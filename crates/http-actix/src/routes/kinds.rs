//! The kinds of record with the routes of [`records`](super::records), and how they differ.

use domain::ErrorCode;
use domain::crm::companies::Company;
use domain::crm::deals::Deal;
use domain::records::DeletedRecord;
use domain::support::kb::Article;
use domain::work::projects::Project;
use http_core::description::{Deleted, Shown};
use http_core::{Operation, joined, length};

use super::notes::note_routes;
use super::records::{RecordRoutes, Routes, past_routes, record_routes, routes};

/// Their operations. A new kind needs a row here, and its [`RecordRoutes`] below.
pub(crate) const OPERATIONS: &[Operation] = &joined::<{ length(TABLES) }>(TABLES);

const TABLES: &[&[Operation]] = &[
    &record_routes::<Company>(),
    &past_routes::<Company>(),
    &note_routes::<Company>(),
    &record_routes::<Deal>(),
    &past_routes::<Deal>(),
    &note_routes::<Deal>(),
    &record_routes::<Project>(),
    &past_routes::<Project>(),
];

/// The operations of articles, which belong to the settings.
pub(crate) const OF_ARTICLES: [Operation; 5] = record_routes::<Article>();

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

impl RecordRoutes for Article {
    const ROUTES: Routes = routes!("/api/settings/kb/articles", "article_id");
    const GROUP: &'static str = "settings_kb";
    const SEVERAL: &'static str = "articles of the knowledge base";
    type Deletion = Deleted;
}
