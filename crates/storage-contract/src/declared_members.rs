//! Every declared writable member is stored, by a create and by a change. The bodies are derived from the
//! declarations, so a new member is covered automatically.

use serde::Serialize;
use serde_json::{Map, Value, json};

use super::StoreUnderTest;
use domain::Error;
use domain::crm::companies::{Company, CompanyFields};
use domain::crm::contacts::{Contact, ContactFields};
use domain::crm::deals::{Deal, DealFields};
use domain::crm::upserts::{self, ItemOutcome, Upsert};
use domain::kernel::idempotency::IdempotentResult;
use domain::kernel::input::{Input, InputMode};
use domain::kernel::versions::ExpectedVersion;
use domain::records;
use domain::support::kb::{Article, ArticleFields};
use domain::testing::filled;
use domain::work::issues::{self, NewIssue};
use domain::work::projects::{Project, ProjectFields};

fn read<I: Input>(body: &Map<String, Value>, mode: InputMode) -> I {
    I::from_object(body.clone(), mode).unwrap_or_else(|error| panic!("{error}: {:?}", error.details()))
}

fn fresh<T: std::fmt::Debug>(created: Result<IdempotentResult<T>, Error>) -> T {
    created.unwrap().fresh().unwrap()
}

fn assert_stored(kind: &str, record: &impl Serialize, body: &Map<String, Value>) {
    let record = serde_json::to_value(record).unwrap();
    for (member, sent) in body {
        assert_eq!(&record[member], sent, "{member} of {kind}");
    }
}

/// Creates one record from a full body, and another from a minimal body that a full patch changes; reads both.
macro_rules! check {
    ($subject:ident, $record:ty, $input:ty, $given:expr, $minimal:expr) => {
        check!($subject, records::{create::<$record>, read::<$record>, update::<$record>}, $input, $given, $minimal)
    };
    (
        $subject:ident, $module:ident::{$create:ident $(::<$c:ty>)?, $read:ident $(::<$record:ty>)?, $update:ident $(::<$u:ty>)?},
        $input:ty, $given:expr, $minimal:expr
    ) => {{
        let world = $subject.world().await;
        let (ports, given, kind) = (&world.ports, $given, stringify!($input));
        let body = filled::<$input>(1, given(1));
        let created = $module::$create$(::<$c>)?(ports, &world.operator(), None, read(&body, InputMode::Create)).await;
        let found = $module::$read$(::<$record>)?(ports, &world.operator(), fresh(created).id).await.unwrap();
        assert_stored(kind, &found, &body);
        let Value::Object(minimal) = $minimal else { panic!("no object") };
        let created = $module::$create$(::<$c>)?(ports, &world.operator(), None, read(&minimal, InputMode::Create)).await;
        let id = fresh(created).id;
        let mut body = filled::<$input>(2, given(2));
        // The kind of an issue never changes.
        body.remove("kind");
        let changes = read(&body, InputMode::Patch);
        let changed = $module::$update$(::<$u>)?(ports, &world.operator(), id, ExpectedVersion::Any, changes).await;
        assert_stored(kind, &changed.unwrap(), &body);
        assert_stored(kind, &$module::$read$(::<$record>)?(ports, &world.operator(), id).await.unwrap(), &body);
    }};
}

/// A body with the required members alone.
fn required<I: Input>() -> Value {
    let mut body = filled::<I>(3, json!({}));
    body.retain(|name, _| I::members().iter().any(|member| member.name == name && member.is_required));
    body.into()
}

macro_rules! check_simple {
    ([$($(#[$doc:meta])* $kinds:ident = $name:literal: $one:ident, $type:ty, $id:ty;)+] $subject:ident) => {
        $(check_simple!(@$one $type, $subject);)+
    };
    (@Article $type:ty, $subject:ident) => {};
    (@$one:ident $type:ty, $subject:ident) => {
        check!($subject, $type, <$type as domain::records::Resource>::Fields, |_| json!({}), required::<<$type as domain::records::Resource>::Fields>())
    };
}

/// Does for upserts what `check!` does for creates and changes.
macro_rules! check_upserts {
    ($subject:ident, $record:ty, $input:ty, $given:expr, $minimal:expr) => {{
        let (given, Value::Object(mut minimal)) = ($given, $minimal) else { panic!("no object") };
        let world = $subject.world().await;
        let upsert = async |body: &Map<String, Value>| {
            let arguments = json!({ "items": [body] }).as_object().cloned().unwrap_or_default();
            let upsert = read::<Upsert<$input>>(&arguments, InputMode::Create);
            fresh(upserts::upsert::<$record>(&world.ports, &world.operator(), None, upsert).await)
        };
        let stored = async |id: uuid::Uuid, body: &Map<String, Value>| {
            let found = records::read::<$record>(&world.ports, &world.operator(), id.into()).await.unwrap();
            assert_stored(stringify!($record), &found, body);
        };
        let body = filled::<$input>(1, given(1));
        let result = upsert(&body).await;
        assert_eq!(result.outcomes, [ItemOutcome::Created], "{:?}", result.failed);
        let id = result.created[0].unwrap();
        stored(id, &body).await;
        assert_eq!(upsert(&body).await.unchanged, [id]);
        let body = filled::<$input>(2, given(2));
        minimal.insert("external_id".to_owned(), body["external_id"].clone());
        let id = upsert(&minimal).await.created[0].unwrap();
        assert_eq!(upsert(&body).await.updated, [id]);
        stored(id, &body).await;
    }};
}

pub async fn every_member_is_stored(subject: &StoreUnderTest) {
    let domain = |number: u8| json!({ "domain": format!("declared-{number}.example") });
    check!(subject, Company, CompanyFields, domain, json!({ "name": "n" }));
    check_upserts!(subject, Company, CompanyFields, domain, json!({ "name": "n" }));
    let partner = |_| json!({ "contact_type": "partner", "status": "blocked" });
    check!(subject, Contact, ContactFields, partner, json!({ "email": "a@example.org" }));
    check_upserts!(subject, Contact, ContactFields, partner, json!({ "email": "a@example.org" }));
    // A reason needs a lost deal.
    let lost = |_| json!({ "status": "closed_lost", "stage": "closed_lost", "currency": "CHF" });
    check!(subject, Deal, DealFields, lost, json!({ "title": "t" }));
    check_upserts!(subject, Deal, DealFields, lost, json!({ "title": "t" }));
    let on_hold = |_| json!({ "status": "on_hold", "priority": "urgent" });
    check!(subject, Project, ProjectFields, on_hold, json!({ "name": "n" }));
    let task = |_| json!({ "kind": "task", "status": "in_review", "priority": "low" });
    check!(subject, issues::{create, read, update}, NewIssue, task, json!({ "kind": "task", "title": "t" }));
    let published = |number: u8| json!({ "slug": format!("slug-{number}"), "status": "published" });
    check!(subject, Article, ArticleFields, published, required::<ArticleFields>());
    domain::simple_kinds!(check_simple!(subject));
}
