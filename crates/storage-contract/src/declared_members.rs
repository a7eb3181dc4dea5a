//! Every declared writable member is stored, by a create and by a change. The bodies are derived from the
//! declarations, so a new member is covered automatically.

use serde::Serialize;
use serde_json::{Map, Value, json};

use super::StoreUnderTest;
use domain::Error;
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
