//! The usage of a workspace.

use time::macros::{date, datetime};
use time::{Date, Duration, OffsetDateTime};

use super::records::MADE;
use super::{PASSWORD, StoreUnderTest, TestWorkspace};
use domain::crm::companies::Company;
use domain::crm::contacts::Contact;
use domain::crm::deals::Deal;
use domain::identity::accounts::Session;
use domain::identity::usage::{CredentialUsage, UsedCredential};
use domain::limits::quota::month_of;
use domain::ports::{QuotaGrant, QuotaResult};
use domain::{ApiKeyId, Error, SessionId, WorkspaceId};

const MONTH: Date = date!(2031 - 05 - 01);

async fn take(world: &TestWorkspace, month: Date, limit: u64) -> bool {
    let version = world.workspace.version;
    world.commit(move |tx| tx.quota().take(month, limit, version)).await == QuotaResult::Counted
}

async fn used(world: &TestWorkspace, month: Date) -> u64 {
    world.read(move |tx| tx.quota().used(month)).await
}

/// A month takes exactly up to its limit, even if the limit changes.
pub async fn a_month_has_exactly_its_limit(subject: &StoreUnderTest) {
    let world = subject.world().await;
    assert!(!take(&world, MONTH, 0).await);
    for expected in 1..=120 {
        assert!(take(&world, MONTH, 120).await, "{expected}");
        assert_eq!(used(&world, MONTH).await, expected);
    }
    for limit in [120, 119, 1, 0] {
        assert!(!take(&world, MONTH, limit).await, "{limit}");
    }
    assert!(take(&world, MONTH, 121).await && !take(&world, MONTH, 121).await);
    assert_eq!(used(&world, MONTH).await, 121);
}

/// A lowered limit is never exceeded, and any remainder below it can still be taken.
pub async fn a_lowered_limit_is_not_passed(subject: &StoreUnderTest) {
    let world = subject.world().await;
    for _ in 0..60 {
        assert!(take(&world, MONTH, 1_000).await);
    }
    for _ in 60..70 {
        assert!(take(&world, MONTH, 70).await);
    }
    assert!(!take(&world, MONTH, 70).await);
    assert!(!take(&world, MONTH, 65).await);
    assert_eq!(used(&world, MONTH).await, 70);
    assert!(take(&world, MONTH, 71).await && !take(&world, MONTH, 71).await);
}

/// A rollback undoes the count; within the transaction it counts already.
pub async fn a_rollback_undoes_the_count(subject: &StoreUnderTest) {
    let world = subject.world().await;
    let version = world.workspace.version;
    for _ in 0..30 {
        let result: Result<(), Error> = world
            .run(move |tx| {
                for expected in [QuotaResult::Counted, QuotaResult::Counted, QuotaResult::Exhausted] {
                    assert_eq!(tx.quota().take(MONTH, 2, version)?, expected);
                }
                assert_eq!(tx.quota().used(MONTH)?, 2);
                Err(Error::duplicate("email"))
            })
            .await;
        assert!(result.is_err());
        assert_eq!(used(&world, MONTH).await, 0);
    }
    assert!(take(&world, MONTH, 1).await && !take(&world, MONTH, 1).await);
}

pub async fn months_and_workspaces_are_independent(subject: &StoreUnderTest) {
    let (world, other) = (subject.world().await, subject.world().await);
    let next = date!(2031 - 06 - 01);
    assert!(take(&world, MONTH, 1).await && !take(&world, MONTH, 1).await);
    assert!(take(&world, next, 1).await && !take(&world, next, 1).await);
    assert_eq!((used(&other, MONTH).await, used(&other, next).await), (0, 0));
    assert!(take(&other, MONTH, 1).await);
    assert_eq!((used(&world, MONTH).await, used(&world, next).await, used(&other, MONTH).await), (1, 1, 1));
}

/// Adds a contact, a company and a deal created at a time; deletes the last two.
async fn add_three(world: &TestWorkspace, created_at: OffsetDateTime) {
    world.add(Contact { created_at, ..world.bare_contact() }).await;
    let company = world.add(Company { created_at, ..world.bare_company() }).await.id;
    let deal = world.add(Deal { created_at, ..world.bare_deal() }).await.id;
    world.delete::<Company>(company).await;
    world.delete::<Deal>(deal).await;
}

/// A month without a counter starts from its records, deleted ones included.
pub async fn records_from_before_are_counted(subject: &StoreUnderTest) {
    let world = subject.world().await;
    let (first, end) = (datetime!(2031-05-01 00:00 UTC), datetime!(2031-06-01 00:00 UTC));
    for created_at in [first - Duration::MICROSECOND, first, end - Duration::MICROSECOND, end] {
        add_three(&world, created_at).await;
    }
    let of = |at| month_of(at);
    assert_eq!(used(&world, of(first)).await, 6);
    assert_eq!(used(&world, of(end)).await, 3);
    assert!(!take(&world, of(first), 6).await);
    assert!(take(&world, of(first), 7).await && !take(&world, of(first), 7).await);
    assert_eq!(used(&world, of(first)).await, 7, "existing records and counted ones");
}

/// A stale workspace version is reported, and nothing is counted.
pub async fn another_version_takes_nothing(subject: &StoreUnderTest) {
    let world = subject.world().await;
    let version = world.workspace.version;
    for other in [version - 1, version + 1] {
        assert_eq!(world.commit(move |tx| tx.quota().take(MONTH, 5, other)).await, QuotaResult::StaleVersion);
    }
    assert!(take(&world, MONTH, 1).await && !take(&world, MONTH, 1).await);
    assert_eq!(world.commit(move |tx| tx.quota().take(MONTH, 1, version + 1)).await, QuotaResult::StaleVersion);
    assert_eq!(used(&world, MONTH).await, 1);
}

/// Existing records are counted once.
pub async fn a_month_can_be_begun_before_anything_is_taken(subject: &StoreUnderTest) {
    let world = subject.world().await;
    add_three(&world, datetime!(2031-05-02 00:00 UTC)).await;
    for _ in 0..2 {
        world.commit(|tx| tx.quota().begin(MONTH)).await;
        assert_eq!(used(&world, MONTH).await, 3);
    }
    assert!(!take(&world, MONTH, 3).await && take(&world, MONTH, 4).await);
}

fn usage(world: &TestWorkspace, key: Option<ApiKeyId>, last_used_at: OffsetDateTime, requests: u64) -> CredentialUsage {
    // Without a key: a session that has ended since.
    let credential = key.map_or_else(|| UsedCredential::Session(SessionId(world.id())), UsedCredential::Key);
    CredentialUsage { workspace: world.workspace.id, credential, last_used_at, requests, tools_used_at: None }
}

async fn record(subject: &StoreUnderTest, usages: &[CredentialUsage]) {
    subject.ports.directory.record_activity(usages).await.unwrap();
}

/// Requests add up per workspace and day across all credentials; deleted credentials do no harm.
pub async fn requests_add_up_by_day(subject: &StoreUnderTest) {
    let (world, other) = (subject.world().await, subject.world().await);
    let (key, vanished) = (Some(world.key_id()), Some(ApiKeyId(world.id())));
    let unknown = CredentialUsage { workspace: WorkspaceId(world.id()), ..usage(&world, vanished, world.now(), 9) };
    let (first, last) = (datetime!(2031-05-01 00:00 UTC), datetime!(2031-05-31 23:59:59 UTC));
    for _ in 0..2 {
        let all = [
            usage(&world, key, first, 1),
            usage(&world, None, first + Duration::HOUR, 10),
            usage(&world, vanished, last, 100),
            usage(&world, key, first - Duration::MICROSECOND, 1_000),
            usage(&other, None, first, 5),
            unknown,
        ];
        record(subject, &all).await;
    }
    record(subject, &[]).await;
    let requests = async |world: &TestWorkspace, today: Date, month: Date| {
        world.read(move |tx| tx.quota().requests(today, month)).await
    };
    assert_eq!(requests(&world, MONTH, MONTH).await, (22, 222));
    assert_eq!(requests(&world, last.date(), MONTH).await, (200, 222));
    assert_eq!(requests(&world, date!(2031 - 05 - 02), MONTH).await, (0, 222));
    assert_eq!(requests(&world, date!(2031 - 04 - 30), date!(2031 - 04 - 01)).await, (2_000, 2_222));
    assert_eq!(requests(&other, MONTH, MONTH).await, (10, 10));
}

/// The last use is updated at most once a minute and never goes back; nothing else of the key changes.
pub async fn last_use_moves_once_a_minute(subject: &StoreUnderTest) {
    let world = subject.world().await;
    let id = world.key_id();
    let key = async || world.commit(move |tx| tx.api_keys().get_for_update(id)).await.unwrap();
    let original = key().await;
    assert_eq!(original.last_used_at, None);
    let start = datetime!(2031-05-01 12:00 UTC);
    let just_before = start + Duration::MINUTE - Duration::MICROSECOND;
    for (used_at, expected) in [
        (start, start),
        (just_before, start),
        (start - Duration::DAY, start),
        (start + Duration::MINUTE, start + Duration::MINUTE),
        (start + Duration::HOUR, start + Duration::HOUR),
    ] {
        record(subject, &[usage(&world, Some(id), used_at, 1)]).await;
        assert_eq!(key().await.last_used_at, Some(expected), "{used_at}");
    }
    // The latest of several wins, regardless of order.
    let [one, two] = [2, 1].map(|hours| usage(&world, Some(id), start + Duration::DAY + Duration::hours(hours), 1));
    record(subject, &[one, two]).await;
    assert_eq!(key().await, domain::identity::api_keys::ApiKey { last_used_at: Some(one.last_used_at), ..original });
}

/// The last use of a session moves in the same way.
pub async fn last_use_of_a_session_moves_once_a_minute(subject: &StoreUnderTest) {
    let world = subject.world().await;
    let user = world.active_member(PASSWORD).await;
    let session = world.begin_session(user, PASSWORD).await;
    let just_before = MADE + Duration::MINUTE - Duration::MICROSECOND;
    for (used_at, expected) in [
        (just_before, MADE),
        (MADE - Duration::DAY, MADE),
        (MADE + Duration::MINUTE, MADE + Duration::MINUTE),
        (MADE + Duration::HOUR, MADE + Duration::HOUR),
    ] {
        let credential = UsedCredential::Session(session.id);
        record(subject, &[CredentialUsage { credential, ..usage(&world, None, used_at, 1) }]).await;
        let found = subject.ports.directory.find_session(&session.lookup_id).await.unwrap().unwrap().session;
        assert_eq!(found, Session { last_used_at: expected, ..session.clone() }, "{used_at}");
    }
}

/// Activity that exceeds the size of one statement is also written.
pub async fn large_batches_of_activity_are_written(subject: &StoreUnderTest) {
    let world = subject.world().await;
    let day = |number: i64| datetime!(2035-01-01 00:00 UTC) + Duration::days(number);
    let many: Vec<_> = (0..2_500).map(|number| usage(&world, Some(ApiKeyId(world.id())), day(number), 1)).collect();
    record(subject, &many).await;
    let (first, last) = (day(0).date(), day(2_499).date());
    assert_eq!(world.read(move |tx| tx.quota().requests(last, first)).await, (1, 2_500));
}

/// Bulk creates are counted up to the limit, even between single creates.
pub async fn several_are_taken_up_to_the_limit(subject: &StoreUnderTest) {
    let world = subject.world().await;
    let version = world.workspace.version;
    let take_many =
        async |wanted, limit| world.commit(move |tx| tx.quota().take_many(MONTH, wanted, limit, version)).await;
    assert_eq!(take_many(7, 0).await, QuotaGrant::Counted(0));
    assert_eq!(take_many(500, u64::MAX).await, QuotaGrant::Counted(500));
    assert!(take(&world, MONTH, 600).await);
    assert_eq!(take_many(10, 600).await, QuotaGrant::Counted(10));
    assert_eq!(used(&world, MONTH).await, 511);
    // Single creates have allocated 50 at once.
    assert_eq!(take_many(500, 600).await, QuotaGrant::Counted(89));
    assert!(!take(&world, MONTH, 600).await);
    assert_eq!(take_many(1, 600).await, QuotaGrant::Counted(0));
    assert_eq!(take_many(5, 550).await, QuotaGrant::Counted(0));
    assert_eq!(take_many(5, 602).await, QuotaGrant::Counted(2));
    assert_eq!(used(&world, MONTH).await, 602);
    let stale = world.commit(move |tx| tx.quota().take_many(MONTH, 1, 9_999, version + 1)).await;
    assert_eq!(stale, QuotaGrant::StaleVersion);
    let undone = world
        .run(move |tx| {
            tx.quota().take_many(MONTH, 5, 9_999, version)?;
            Err::<(), _>(Error::duplicate("email"))
        })
        .await;
    assert!(undone.is_err());
    assert_eq!(used(&world, MONTH).await, 602);
}
