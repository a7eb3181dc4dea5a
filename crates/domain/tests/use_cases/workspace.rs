//! API keys, settings, plan and quota of a workspace.

use serde_json::json;
use time::Duration;
use time::macros::datetime;

use super::access::{SignedInMember, WorkspaceFixture};
use super::{new, refusal};
use domain::Error;
use domain::crm::contacts::Contact;
use domain::identity::access::refresh_credential_cache;
use domain::identity::api_keys::{self, CreatedKey};
use domain::identity::usage::{self, flush_activity};
use domain::identity::workspaces::{self, PlanChange, Role, SettableStatus};
use domain::kernel::input::CreatedFilter;
use domain::kernel::paging::PageRequest;
use domain::limits::{self, Bucket, Class, LimitName, Plan};
use domain::ports::Clock;
use domain::records;
use domain::testing::key_fields;

fn owner() -> (WorkspaceFixture, SignedInMember) {
    let fixture = WorkspaceFixture::new();
    let ann = fixture.seat("ann@example.org", Role::Owner);
    (fixture, ann)
}

fn make_key(fixture: &WorkspaceFixture, by: &SignedInMember) -> CreatedKey {
    let fields = key_fields(json!({ "name": "CI", "preset": "crm" }));
    fixture.test.block_on(api_keys::create(&fixture.test.ports, &by.permit(), fields)).unwrap()
}

fn quota_limit(fixture: &WorkspaceFixture, limit: Option<u64>) {
    let change = PlanChange { plan: None, limits: vec![(LimitName::CrmQuotaPerMonth, limit)] };
    fixture.test.block_on(workspaces::change_plan(&fixture.test.ports, &fixture.operator(), change)).unwrap();
}

/// Adds a contact with a permit from a newly verified credential.
fn add_contact(fixture: &WorkspaceFixture, bearer: &str, email: &str) -> Result<(), Error> {
    let permit = fixture.authenticate(bearer)?.permit()?;
    let created = records::create::<Contact>(&fixture.test.ports, &permit, None, new(json!({ "email": email })));
    fixture.test.block_on(created).map(|outcome| drop(outcome.fresh()))
}

#[test]
fn a_key_works_again_when_its_workspace_is_activated() {
    let (fixture, ann) = owner();
    let created_key = make_key(&fixture, &ann);
    let set = |status| {
        fixture.test.block_on(workspaces::set_status(&fixture.test.ports, &fixture.operator(), status)).unwrap();
    };
    for (status, good) in
        [(SettableStatus::Suspended, false), (SettableStatus::Active, true), (SettableStatus::Restricted, false)]
    {
        set(status);
        assert_eq!(fixture.authenticate(created_key.plain.reveal()).is_ok(), good, "{status}");
    }
    let test = &fixture.test;
    let delete = |slug| test.block_on(workspaces::delete(&test.ports, &fixture.operator(), slug, false));
    set(SettableStatus::Active);
    assert_eq!(refusal(delete("another")), "validation_failed slug:incorrect");
    assert!(fixture.authenticate(created_key.plain.reveal()).is_ok());
    let slug = fixture.workspace.slug.clone();
    assert_eq!(delete(&slug).unwrap().erasure.map(|erasure| erasure.has_begun), Some(false));
    assert!(fixture.authenticate(created_key.plain.reveal()).is_err());
    assert_eq!(refusal(delete(&slug)), "invalid_state_change");
    set(SettableStatus::Active);
    assert!(fixture.authenticate(created_key.plain.reveal()).is_ok());
    let acts = ["workspace.activated", "workspace.deleted", "workspace.activated", "workspace.restricted"];
    assert_eq!(fixture.audit_actions()[..4], acts);
}

#[test]
fn an_exhausted_quota_reports_the_start_of_the_next_month() {
    let (fixture, ann) = owner();
    let bearer = make_key(&fixture, &ann).plain.reveal().to_owned();
    quota_limit(&fixture, Some(2));
    fixture.test.clock.set(datetime!(2030-01-31 23:59:50.5 UTC));
    add_contact(&fixture, &bearer, "a@e.org").unwrap();
    assert_eq!(refusal(add_contact(&fixture, &bearer, "a@e.org")), "duplicate email:duplicate");
    add_contact(&fixture, &bearer, "b@e.org").unwrap();
    let refused = add_contact(&fixture, &bearer, "c@e.org").unwrap_err();
    assert!(matches!(refused, Error::QuotaExceeded { limit: 2, retry_after: 10 }), "{refused:?}");
    assert_eq!((refused.code().as_str(), refused.retry_after()), ("quota_exceeded", Some(10)));
    let usage = fixture.test.block_on(usage::read(&fixture.test.ports, &fixture.operator())).unwrap();
    assert_eq!(usage.crm_quota.used, 2);
    fixture.test.clock.set(datetime!(2030-02-01 00:00 UTC));
    add_contact(&fixture, &bearer, "c@e.org").unwrap();
}

#[test]
fn usage_reports_recorded_requests_and_counted_records() {
    let (fixture, ann) = owner();
    let test = &fixture.test;
    let created_key = make_key(&fixture, &ann);
    let caller = fixture.authenticate(created_key.plain.reveal()).unwrap();
    for caller in [&caller, &caller, &ann.caller] {
        test.ports.activity.note(caller, test.clock.now());
    }
    test.block_on(flush_activity(&test.ports)).unwrap();
    test.block_on(flush_activity(&test.ports)).unwrap();
    let (all, first) = (CreatedFilter::default(), PageRequest::first(9));
    let page = test.block_on(api_keys::list(&test.ports, &ann.permit(), all, first)).unwrap();
    assert_eq!((page.items[0].last_used_at, page.items[0].version), (Some(test.clock.now()), 1));
    let subject = limits::RateLimitSubject::Credential(ann.caller.credential().id());
    let bucket = Bucket { class: Class::Read, subject };
    test.block_on(limits::count(&test.ports, bucket, 100));
    let usage = test.block_on(usage::read(&test.ports, &ann.permit())).unwrap();
    assert_eq!((usage.plan, usage.requests.today, usage.requests.this_month), (Plan::Starter, 3, 3));
    assert_eq!((usage.crm_quota.limit, usage.crm_quota.used), (Some(10_000), 0));
    let remaining: Vec<_> = usage.limits.iter().map(|one| (one.class, one.limit, one.remaining)).collect();
    let expected = [(Class::Read, 100, 99), (Class::Write, 50, 50), (Class::Bulk, 10, 10), (Class::Critical, 10, 10)];
    assert_eq!(remaining, expected);
    test.clock.advance(Duration::DAY);
    let usage = test.block_on(usage::read(&test.ports, &fixture.operator())).unwrap();
    // 2030-02-01.
    assert_eq!((usage.requests.today, usage.requests.this_month), (0, 0));
}

#[test]
fn a_cached_credential_is_dropped_when_another_instance_changes_it() {
    let (fixture, ann) = owner();
    let test = &fixture.test;
    let created_key = make_key(&fixture, &ann);
    test.block_on(refresh_credential_cache(&test.ports)).unwrap();
    fixture.authenticate(created_key.plain.reveal()).unwrap();
    // Another instance, which has its own credential cache, revokes the key.
    let ports = domain::ports::Ports { credential_cache: std::sync::Arc::default(), ..test.ports.clone() };
    test.block_on(api_keys::revoke(&ports, &ann.permit(), created_key.key.id)).unwrap();
    assert!(fixture.authenticate(created_key.plain.reveal()).is_ok(), "still cached");
    test.block_on(refresh_credential_cache(&test.ports)).unwrap();
    assert!(matches!(fixture.authenticate(created_key.plain.reveal()), Err(Error::Unauthorized)));
}

#[test]
fn expired_keys_and_past_expiry_times_are_refused() {
    let (fixture, ann) = owner();
    let test = &fixture.test;
    let body = json!({ "name": "k", "scopes": ["deals.read"], "expires_at": "2030-01-31T10:00:00Z" });
    let make = || test.block_on(api_keys::create(&test.ports, &ann.permit(), key_fields(body.clone())));
    let bearer = make().unwrap().plain.reveal().to_owned();
    test.block_on(refresh_credential_cache(&test.ports)).unwrap();
    fixture.authenticate(&bearer).unwrap();
    test.clock.set(datetime!(2030-01-31 10:00 UTC));
    assert!(matches!(fixture.authenticate(&bearer), Err(Error::Unauthorized)));
    assert_eq!(refusal(make()), "validation_failed expires_at:out_of_range");
}
