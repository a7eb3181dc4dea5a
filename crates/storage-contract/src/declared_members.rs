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
use domain::records;
use domain::support::kb;
use domain::testing::filled;
use domain::work::{issues, projects};

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

/// Creates one record from a full body, and another from a minimal body that a full patch changes; reads both. Upserts do the
/// same, for those that have them.
macro_rules! check {
    ($subject:ident, $resource:ident, $read:expr, $input:ty, $given:expr, $minimal:expr $(, $upserts:ident)?) => {{
        let world = $subject.world().await;
        let (ports, given, kind) = (&world.ports, $given, stringify!($resource));
        let body = filled::<$input>(1, given(1));
        let created = $resource::create(ports, &world.operator(), None, read(&body, InputMode::Create)).await;
        let found = $read(ports, &world.operator(), fresh(created).id).await.unwrap();
        assert_stored(kind, &found, &body);
        let Value::Object(minimal) = $minimal else { panic!("no object") };
        let created = $resource::create(ports, &world.operator(), None, read(&minimal, InputMode::Create)).await;
        let id = fresh(created).id;
        let mut body = filled::<$input>(2, given(2));
        // The kind of an issue never changes.
        body.remove("kind");
        let changes = read(&body, InputMode::Patch);
        let changed = $resource::update(ports, &world.operator(), id, ExpectedVersion::Any, changes).await;
        assert_stored(kind, &changed.unwrap(), &body);
        assert_stored(kind, &$read(ports, &world.operator(), id).await.unwrap(), &body);
        $($upserts!($subject, $resource, $read, $input, given, minimal))?
    }};
}

macro_rules! upserts {
    ($subject:ident, $resource:ident, $read:expr, $input:ty, $given:ident, $minimal:ident) => {{
        let world = $subject.world().await;
        let upsert = async |body: &Map<String, Value>| {
            let arguments = json!({ "items": [body] }).as_object().cloned().unwrap_or_default();
            let upsert = read::<Upsert<$input>>(&arguments, InputMode::Create);
            fresh($resource::upsert(&world.ports, &world.operator(), None, upsert).await)
        };
        let stored = async |id: uuid::Uuid, body: &Map<String, Value>| {
            let found = $read(&world.ports, &world.operator(), id.into()).await.unwrap();
            assert_stored(stringify!($resource), &found, body);
        };
        let body = filled::<$input>(1, $given(1));
        let made = upsert(&body).await;
        assert_eq!(made.outcomes, [ItemOutcome::Created], "{:?}", made.failed);
        let id = made.created[0].unwrap();
        stored(id, &body).await;
        assert_eq!(upsert(&body).await.unchanged, [id]);
        let (mut minimal, body) = ($minimal, filled::<$input>(2, $given(2)));
        minimal.insert("external_id".to_owned(), body["external_id"].clone());
        let id = upsert(&minimal).await.created[0].unwrap();
        assert_eq!(upsert(&body).await.updated, [id]);
        stored(id, &body).await;
    }};
}

pub async fn every_one_is_stored(subject: &StoreUnderTest) {
    let domain = |number: u8| json!({ "domain": format!("declared-{number}.example") });
    check!(
        subject,
        companies,
        records::read::<companies::Company>,
        companies::CompanyFields,
        domain,
        json!({ "name": "n" }),
        upserts
    );
    let partner = |_| json!({ "contact_type": "partner", "status": "blocked" });
    check!(
        subject,
        contacts,
        records::read::<contacts::Contact>,
        contacts::ContactFields,
        partner,
        json!({ "email": "a@example.org" }),
        upserts
    );
    // A reason needs a lost deal.
    let lost = |_| json!({ "status": "closed_lost", "stage": "closed_lost", "currency": "CHF" });
    check!(subject, deals, records::read::<deals::Deal>, deals::DealFields, lost, json!({ "title": "t" }), upserts);
    let on_hold = |_| json!({ "status": "on_hold", "priority": "urgent" });
    check!(
        subject,
        projects,
        records::read::<projects::Project>,
        projects::ProjectFields,
        on_hold,
        json!({ "name": "n" })
    );
    let task = |_| json!({ "kind": "task", "status": "in_review", "priority": "low" });
    check!(subject, issues, issues::read, issues::NewIssue, task, json!({ "kind": "task", "title": "t" }));
    let published = |number: u8| json!({ "slug": format!("slug-{number}"), "status": "published" });
    check!(subject, kb, records::read::<kb::Article>, kb::ArticleFields, published, json!({ "title": "t" }));
}
