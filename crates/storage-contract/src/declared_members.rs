//! Every declared writable member is stored, by a create and by a change. The bodies are derived from the
//! declarations, so a new member is covered automatically.

use serde::Serialize;
use serde_json::{Map, Value, json};

use super::StoreUnderTest;
use domain::Error;
use domain::crm::upserts::{ItemOutcome, Upsert};
use domain::crm::{companies, contacts, deals};
use domain::kernel::idempotency::IdempotentResult;
use domain::kernel::input::{Input, InputMode};
use domain::kernel::versions::ExpectedVersion;
use domain::support::kb;
use domain::testing::filled;
use domain::work::{issues, projects};

fn read<I: Input>(body: &Map<String, Value>, mode: InputMode) -> I {
    I::from_object(body.clone(), mode).unwrap_or_else(|error| panic!("{error}: {:?}", error.details()))
}

fn fresh<T: std::fmt::Debug>(created: Result<IdempotentResult<T>, Error>) -> T {
    created.unwrap().fresh().unwrap()
}

fn assert_stored(record: &impl Serialize, body: &Map<String, Value>) {
    let record = serde_json::to_value(record).unwrap();
    for (member, sent) in body {
        assert_eq!(&record[member], sent, "{member}");
    }
}

/// Creates one record from a full body, and another from a minimal body that a full patch changes; reads both.
macro_rules! check {
    ($subject:ident, $resource:ident, $input:ty, $given:expr, $minimal:expr) => {{
        let world = $subject.world().await;
        let (ports, given) = (&world.ports, $given);
        let body = filled::<$input>(1, given(1));
        let created = $resource::create(ports, &world.operator(), None, read(&body, InputMode::Create)).await;
        let found = $resource::read(ports, &world.operator(), fresh(created).id).await.unwrap();
        assert_stored(&found, &body);
        let Value::Object(minimal) = $minimal else { panic!("no object") };
        let created = $resource::create(ports, &world.operator(), None, read(&minimal, InputMode::Create)).await;
        let id = fresh(created).id;
        let mut body = filled::<$input>(2, given(2));
        // The kind of an issue never changes.
        body.remove("kind");
        let changes = read(&body, InputMode::Patch);
        let changed = $resource::update(ports, &world.operator(), id, ExpectedVersion::Any, changes).await;
        assert_stored(&changed.unwrap(), &body);
        assert_stored(&$resource::read(ports, &world.operator(), id).await.unwrap(), &body);
    }};
}

pub async fn of_companies_are_stored(subject: &StoreUnderTest) {
    let given = |number: u8| json!({ "domain": format!("declared-{number}.example") });
    check!(subject, companies, companies::CompanyFields, given, json!({ "name": "n" }));
}

pub async fn of_contacts_are_stored(subject: &StoreUnderTest) {
    let given = |_| json!({ "contact_type": "partner", "status": "blocked" });
    check!(subject, contacts, contacts::ContactFields, given, json!({ "email": "a@example.org" }));
}

pub async fn of_deals_are_stored(subject: &StoreUnderTest) {
    // A reason needs a lost deal.
    let given = |_| json!({ "status": "closed_lost", "stage": "closed_lost", "currency": "CHF" });
    check!(subject, deals, deals::DealFields, given, json!({ "title": "t" }));
}

pub async fn of_projects_are_stored(subject: &StoreUnderTest) {
    let given = |_| json!({ "status": "on_hold", "priority": "urgent" });
    check!(subject, projects, projects::ProjectFields, given, json!({ "name": "n" }));
}

pub async fn of_issues_are_stored(subject: &StoreUnderTest) {
    let given = |_| json!({ "kind": "task", "status": "in_review", "priority": "low" });
    check!(subject, issues, issues::NewIssue, given, json!({ "kind": "task", "title": "t" }));
}

pub async fn of_articles_are_stored(subject: &StoreUnderTest) {
    let given = |number: u8| json!({ "slug": format!("slug-{number}"), "status": "published" });
    check!(subject, kb, kb::ArticleFields, given, json!({ "title": "t" }));
}

/// Like `check`, by upserts: a record is created from a full body, and another from a minimal one that a full one changes.
macro_rules! check_upserts {
    ($world:ident, $resource:ident, $input:ty, $given:expr, $minimal:expr) => {{
        let (ports, given) = (&$world.ports, $given);
        let upsert = async |body: &Map<String, Value>| {
            let arguments = json!({ "items": [body] }).as_object().cloned().unwrap_or_default();
            let upsert = read::<Upsert<$input>>(&arguments, InputMode::Create);
            fresh($resource::upsert(ports, &$world.operator(), None, upsert).await)
        };
        let body = filled::<$input>(1, given(1));
        let made = upsert(&body).await;
        assert_eq!(made.outcomes, [ItemOutcome::Created], "{:?}", made.failed);
        let id = made.created[0].unwrap();
        assert_stored(&$resource::read(ports, &$world.operator(), id.into()).await.unwrap(), &body);
        assert_eq!(upsert(&body).await.unchanged, [id]);
        let mut minimal = $minimal.as_object().cloned().unwrap_or_default();
        let body = filled::<$input>(2, given(2));
        minimal.insert("external_id".to_owned(), body["external_id"].clone());
        let id = upsert(&minimal).await.created[0].unwrap();
        assert_eq!(upsert(&body).await.updated, [id]);
        assert_stored(&$resource::read(ports, &$world.operator(), id.into()).await.unwrap(), &body);
    }};
}

pub async fn upserts_store_what_creates_and_updates_store(subject: &StoreUnderTest) {
    let world = subject.world().await;
    let given = |number: u8| json!({ "domain": format!("declared-{number}.example") });
    check_upserts!(world, companies, companies::CompanyFields, given, json!({ "name": "n" }));
    let given = |_| json!({ "contact_type": "partner", "status": "blocked" });
    check_upserts!(world, contacts, contacts::ContactFields, given, json!({ "email": "a@example.org" }));
    let given = |_| json!({ "status": "closed_lost", "stage": "closed_lost", "currency": "CHF" });
    check_upserts!(world, deals, deals::DealFields, given, json!({ "title": "t" }));
}
