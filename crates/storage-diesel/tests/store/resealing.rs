//! Resealing of secrets sealed with former master keys.

use std::fmt::Write as _;
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::common::Database;
use crate::common::jobs::count;
use diesel::connection::SimpleConnection;
use diesel::sql_types::{Binary, Text, Uuid as SqlUuid};
use diesel::{QueryableByName, RunQueryDsl};
use domain::kernel::sealing::{MasterKeys, SealedPlace, SealedSecret};
use domain::ports::Random;
use domain::{EmailId, EmailPartId, SubscriptionId, UserId, WorkspaceId};
use storage_diesel::{Resealed, reseal, sealed_counts};
use uuid::Uuid;

const WORKSPACE: Uuid = Uuid::from_u128(1);
/// More than one batch.
const ROWS: u128 = 1203;
const SECRET: &str = "a secret";

struct Fixed(u8);

impl Random for Fixed {
    fn fill(&self, bytes: &mut [u8]) {
        bytes.fill(self.0);
    }
}

fn key(number: u8) -> String {
    MasterKeys::generate(&Fixed(number))
}

fn keys(texts: &[String]) -> MasterKeys {
    MasterKeys::parse(&texts.join(",")).unwrap()
}

/// `'key id', 'sealed text'` as SQL.
fn sealed(keys: &MasterKeys, place: SealedPlace) -> String {
    let sealed = keys.seal(place, SECRET, &Fixed(9)).unwrap();
    let hex = sealed.sealed.iter().fold(String::new(), |mut hex, byte| {
        write!(hex, "{byte:02x}").unwrap();
        hex
    });
    format!("'{}', '\\x{hex}'", sealed.key_id)
}

/// A webhook with all its secrets and headers, an e-mail with a part, and many second factors.
fn stored(keys: &MasterKeys) -> Database {
    let database = Database::migrated();
    let workspace = WorkspaceId(WORKSPACE);
    let secret = sealed(keys, SealedPlace::WebhookSecret(workspace, SubscriptionId(WORKSPACE)));
    let mut sql = format!(
        "INSERT INTO workspaces (id, slug, name, plan, status, default_currency, created_at, updated_at)
            VALUES ('{WORKSPACE}', 'a', 'A', 'starter', 'active', 'USD', now(), now());
        INSERT INTO webhook_subscriptions (workspace_id, id, module, url, events, enabled, version, created_at, updated_at,
                created_by_type, secret_key_id, secret, next_secret_key_id, next_secret, last_secret_key_id, last_secret,
                headers_key_id, headers, header_names, overlap_ends_at, next_secret_ends_at)
            VALUES ('{WORKSPACE}', '{WORKSPACE}', 'crm', 'https://example.com', '{{*}}', true, 1, now(), now(), 'system',
                {secret}, {secret}, {secret}, {headers}, '{{x}}', now(), now());
        INSERT INTO mails (workspace_id, id, recipient, subject, body_key_id, body, attempts, next_attempt_at, created_at)
            VALUES ('{WORKSPACE}', '{WORKSPACE}', 'a@e.x', 'x', {mail}, 0, now(), now());
        INSERT INTO mail_parts (workspace_id, mail_id, id, body_key_id, body)
            VALUES ('{WORKSPACE}', '{WORKSPACE}', '{WORKSPACE}', {part});",
        headers = sealed(keys, SealedPlace::WebhookHeaders(workspace, SubscriptionId(WORKSPACE))),
        mail = sealed(keys, SealedPlace::EmailBody(workspace, EmailId(WORKSPACE))),
        part = sealed(keys, SealedPlace::EmailPart(workspace, EmailPartId(WORKSPACE))),
    );
    for number in 1..=ROWS {
        let user = Uuid::from_u128(number);
        let factor = sealed(keys, SealedPlace::SecondFactor(UserId(user)));
        write!(
            sql,
            "INSERT INTO users SELECT '{user}', '{user}@e.x', '{user}@e.x', 'u', NULL, now();
            INSERT INTO second_factors (user_id, secret_key_id, secret, created_at, last_step, recovery_codes, failures,
                version) VALUES ('{user}', {factor}, now(), 0, '{{}}', 0, 1);"
        )
        .unwrap();
    }
    database.execute(&sql);
    database
}

#[derive(QueryableByName)]
struct Row {
    #[diesel(sql_type = Text)]
    kind: String,
    #[diesel(sql_type = SqlUuid)]
    id: Uuid,
    #[diesel(sql_type = Text)]
    key_id: String,
    #[diesel(sql_type = Binary)]
    sealed: Vec<u8>,
}

/// Opens all secrets; returns their number.
fn open_all(database: &Database, keys: &MasterKeys) -> usize {
    let rows: Vec<Row> = diesel::sql_query(
        "SELECT 'webhook' AS kind, id, key_id, sealed FROM webhook_subscriptions CROSS JOIN LATERAL (VALUES
                (secret_key_id, secret), (next_secret_key_id, next_secret), (last_secret_key_id, last_secret))
            AS secrets (key_id, sealed)
        UNION ALL SELECT 'headers', id, headers_key_id, headers FROM webhook_subscriptions
        UNION ALL SELECT 'mail', id, body_key_id, body FROM mails
        UNION ALL SELECT 'part', id, body_key_id, body FROM mail_parts
        UNION ALL SELECT 'factor', user_id, secret_key_id, secret FROM second_factors",
    )
    .load(&mut database.connection())
    .unwrap();
    for row in &rows {
        let workspace = WorkspaceId(WORKSPACE);
        let place = match row.kind.as_str() {
            "webhook" => SealedPlace::WebhookSecret(workspace, SubscriptionId(row.id)),
            "headers" => SealedPlace::WebhookHeaders(workspace, SubscriptionId(row.id)),
            "mail" => SealedPlace::EmailBody(workspace, EmailId(row.id)),
            "part" => SealedPlace::EmailPart(workspace, EmailPartId(row.id)),
            _ => SealedPlace::SecondFactor(UserId(row.id)),
        };
        let secret = SealedSecret { key_id: row.key_id.clone(), sealed: row.sealed.clone() };
        assert_eq!(keys.open(place, &secret).unwrap(), SECRET, "{} {}", row.kind, row.id);
    }
    rows.len()
}

#[test]
fn resealing_completes_despite_interruptions() {
    let (old, new) = (key(1), key(2));
    let database = stored(&keys(std::slice::from_ref(&old)));
    let (both, current) = (keys(&[new.clone(), old]), keys(&[new]));
    let all = open_all(&database, &both);
    assert_eq!(all as u128, ROWS + 6);
    let current_id = current.ids().next().unwrap().to_owned();

    let mut batches = 0;
    let killed = catch_unwind(AssertUnwindSafe(|| {
        reseal(&database.url(), &both, &Fixed(3), |_| {
            batches += 1;
            assert!(batches < 8, "killed");
        })
    }));
    assert!(killed.is_err());
    let counts = sealed_counts(&database.url()).unwrap();
    assert_eq!(counts.len(), 2, "both keys are in use: {counts:?}");
    let before = u64::try_from(counts[&current_id]).unwrap();
    assert_eq!(open_all(&database, &both), all);

    let result = reseal(&database.url(), &both, &Fixed(4), |_| {}).unwrap();
    assert_eq!(result, Resealed { renewed: all as u64 - before, unopened: 0 });
    let counts = sealed_counts(&database.url()).unwrap();
    assert_eq!(counts.into_iter().collect::<Vec<_>>(), [(current_id, i64::try_from(all).unwrap())]);
    assert_eq!(open_all(&database, &current), all);
    assert_eq!(reseal(&database.url(), &both, &Fixed(5), |_| {}).unwrap(), Resealed::default());
}

#[test]
fn secrets_that_no_key_opens_are_counted_and_kept() {
    let (old, new, lost) = (key(1), key(2), key(7));
    let database = stored(&keys(std::slice::from_ref(&old)));
    let user = Uuid::from_u128(700);
    let foreign = sealed(&keys(&[lost]), SealedPlace::SecondFactor(UserId(user)));
    let sql = format!(
        "UPDATE second_factors SET (secret_key_id, secret) = ROW({foreign}) WHERE user_id = '{user}';
        UPDATE second_factors SET secret = '\\x00' WHERE user_id = '{}'",
        Uuid::from_u128(3)
    );
    database.execute(&sql);
    let result = reseal(&database.url(), &keys(&[new, old]), &Fixed(3), |_| {}).unwrap();
    assert_eq!(result, Resealed { renewed: u64::try_from(ROWS).unwrap() + 4, unopened: 2 });
    assert_eq!(sealed_counts(&database.url()).unwrap().len(), 3);
}

#[test]
fn concurrent_writes_by_the_service_are_kept() {
    let (old, new) = (key(1), key(2));
    let database = stored(&keys(std::slice::from_ref(&old)));
    let both = keys(&[new, old]);
    let user = Uuid::from_u128(ROWS);
    let place = SealedPlace::SecondFactor(UserId(user));
    let written = both.seal(place, "a new secret", &Fixed(6)).unwrap();
    let mut service = database.connection();
    service.batch_execute("BEGIN").unwrap();
    diesel::sql_query("UPDATE second_factors SET secret_key_id = $1, secret = $2 WHERE user_id = $3")
        .bind::<Text, _>(&written.key_id)
        .bind::<Binary, _>(&written.sealed)
        .bind::<SqlUuid, _>(user)
        .execute(&mut service)
        .unwrap();
    std::thread::scope(|scope| {
        let resealing = scope.spawn(|| reseal(&database.url(), &both, &Fixed(3), |_| {}));
        // Resealing has read the former secret, and waits to write.
        let end = std::time::Instant::now() + std::time::Duration::from_mins(1);
        while count(&database, "pg_locks WHERE NOT granted") == 0 {
            assert!(std::time::Instant::now() < end, "resealing does not wait");
            std::thread::yield_now();
        }
        service.batch_execute("COMMIT").unwrap();
        let result = resealing.join().unwrap().unwrap();
        assert_eq!(result.renewed, u64::try_from(ROWS).unwrap() + 5);
    });
    let row: Row = diesel::sql_query(
        "SELECT 'factor' AS kind, user_id AS id, secret_key_id AS key_id, secret AS sealed FROM second_factors WHERE user_id = $1",
    )
    .bind::<SqlUuid, _>(user)
    .get_result(&mut database.connection())
    .unwrap();
    let secret = SealedSecret { key_id: row.key_id, sealed: row.sealed };
    assert_eq!(both.open(place, &secret).unwrap(), "a new secret");
}
