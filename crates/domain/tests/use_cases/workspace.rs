//! Keys, settings and plans of a workspace, and its quota.

use serde_json::json;
use time::Duration;
use time::macros::datetime;

use super::access::{SignedInMember, WorkspaceFixture};
use super::{at_version, new, refusal};
use domain::Error;
use domain::crm::contacts;
use domain::identity::access::refresh_credential_cache;
use domain::identity::api_keys::{self, CreatedKey, KeyStatus};
use domain::identity::usage::{self, flush_activity};
use domain::identity::workspaces::{self, PlanChange, Role, WorkspaceStatus};
use domain::kernel::paging::PageRequest;
use domain::kernel::versions::ExpectedVersion;
use domain::limits::{self, Bucket, Class, LimitName, Plan};
use domain::ports::Clock;
use domain::testing::key_fields;

fn owner() -> (WorkspaceFixture, SignedInMember) {
    let office = WorkspaceFixture::new();
    let ann = office.seat("ann@example.org", Role::Owner);
    (office, ann)
}

fn make_key(office: &WorkspaceFixture, by: &SignedInMember) -> CreatedKey {
    let fields = key_fields(json!({ "name": "CI", "preset": "crm" }));
    office.test.block_on(api_keys::create(&office.test.ports, &by.permit(), fields)).unwrap()
}

fn quota_limit(office: &WorkspaceFixture, limit: Option<u32>) {
    let change = PlanChange { plan: None, limits: vec![(LimitName::CrmQuotaPerMonth, limit)] };
    office.test.block_on(workspaces::change_plan(&office.test.ports, &office.operator(), change)).unwrap();
}

/// With a permit from a credential that is verified anew.
fn add_contact(office: &WorkspaceFixture, bearer: &str, email: &str) -> Result<(), Error> {
    let permit = office.authenticate(bearer)?.permit()?;
    let made = contacts::create(&office.test.ports, &permit, None, new(json!({ "email": email })));
    office.test.block_on(made).map(|outcome| drop(outcome.fresh()))
}

#[test]
fn a_key_is_renamed_and_revoked_for_good() {
    let (office, ann) = owner();
    let test = &office.test;
    let made = make_key(&office, &ann);
    test.block_on(refresh_credential_cache(&test.ports)).unwrap();
    let bearer = made.plain.reveal();
    assert_eq!(office.authenticate(bearer).unwrap().name(), "CI");
    let rename = |name: &str, expected| {
        let fields = new(json!({ "name": name }));
        test.block_on(api_keys::rename(&test.ports, &ann.permit(), made.key.id, expected, fields))
    };
    assert_eq!(rename("CI", ExpectedVersion::Any).unwrap().version, 1);
    assert!(matches!(rename("CD", at_version(2)), Err(Error::ConcurrentUpdate { current: 1 })));
    assert_eq!(rename("CD", at_version(1)).unwrap().version, 2);
    assert_eq!(office.authenticate(bearer).unwrap().name(), "CD");
    let revoke = || test.block_on(api_keys::revoke(&test.ports, &ann.permit(), made.key.id));
    assert_eq!(revoke().unwrap().status, KeyStatus::Revoked);
    assert!(matches!(office.authenticate(bearer), Err(Error::Unauthorized)), "felt at once");
    assert_eq!(refusal(revoke()), "conflict");
    let page = test.block_on(api_keys::list(&test.ports, &ann.permit(), PageRequest::first(9))).unwrap();
    assert_eq!((page.items.len(), page.items[0].status, page.items[0].version), (1, KeyStatus::Revoked, 3));
    assert_eq!(office.acts()[..3], ["api_key.revoked", "api_key.renamed", "api_key.created"]);
}

#[test]
fn a_key_of_a_suspended_workspace_waits() {
    let (office, ann) = owner();
    let made = make_key(&office, &ann);
    let set = |status| {
        office.test.block_on(workspaces::set_status(&office.test.ports, &office.operator(), status)).unwrap();
    };
    for (status, good) in [
        (WorkspaceStatus::Suspended, false),
        (WorkspaceStatus::Active, true),
        (WorkspaceStatus::Restricted, false),
        (WorkspaceStatus::Deleted, false),
    ] {
        set(status);
        assert_eq!(office.authenticate(made.plain.reveal()).is_ok(), good, "{status}");
    }
}

#[test]
fn settings_change_with_their_version() {
    let (office, ann) = owner();
    let test = &office.test;
    let update =
        |expected, body| test.block_on(workspaces::update(&test.ports, &ann.permit(), expected, super::patch(body)));
    let changed = update(at_version(1), json!({ "name": "New", "widget_enabled": true })).unwrap();
    assert_eq!((changed.name.as_str(), changed.widget_enabled, changed.version), ("New", true, 2));
    assert!(matches!(update(at_version(1), json!({ "name": "X" })), Err(Error::ConcurrentUpdate { current: 2 })));
    assert_eq!(update(ExpectedVersion::Any, json!({ "name": "New" })).unwrap().version, 2);
    assert_eq!(test.block_on(workspaces::read(&test.ports, &ann.permit())).unwrap(), changed);
    assert_eq!(office.acts()[0], "workspace.updated");
}

#[test]
fn a_month_takes_its_quota_and_says_when_the_next_begins() {
    let (office, ann) = owner();
    let bearer = make_key(&office, &ann).plain.reveal().to_owned();
    quota_limit(&office, Some(2));
    office.test.clock.set(datetime!(2030-01-31 23:59:50.5 UTC));
    add_contact(&office, &bearer, "a@e.org").unwrap();
    assert_eq!(refusal(add_contact(&office, &bearer, "a@e.org")), "duplicate email:duplicate");
    add_contact(&office, &bearer, "b@e.org").unwrap();
    let refused = add_contact(&office, &bearer, "c@e.org").unwrap_err();
    assert!(matches!(refused, Error::QuotaExceeded { limit: 2, retry_after: 10 }), "{refused:?}");
    assert_eq!((refused.code().as_str(), refused.retry_after()), ("quota_exceeded", Some(10)));
    let usage = office.test.block_on(usage::read(&office.test.ports, &office.operator())).unwrap();
    assert_eq!(usage.crm_quota.used, 2);
    office.test.clock.set(datetime!(2030-02-01 00:00 UTC));
    add_contact(&office, &bearer, "c@e.org").unwrap();
}

#[test]
fn a_plan_without_a_quota_counts_nothing_and_one_with_it_counts_all() {
    let (office, ann) = owner();
    let bearer = make_key(&office, &ann).plain.reveal().to_owned();
    let plan = |plan| {
        let change = PlanChange { plan: Some(plan), limits: Vec::new() };
        office.test.block_on(workspaces::change_plan(&office.test.ports, &office.operator(), change)).unwrap();
    };
    quota_limit(&office, Some(1));
    add_contact(&office, &bearer, "a@e.org").unwrap();
    assert_eq!(refusal(add_contact(&office, &bearer, "b@e.org")), "quota_exceeded");
    quota_limit(&office, None);
    plan(Plan::Enterprise);
    for email in ["b@e.org", "c@e.org"] {
        add_contact(&office, &bearer, email).unwrap();
    }
    quota_limit(&office, Some(4));
    add_contact(&office, &bearer, "d@e.org").unwrap();
    assert_eq!(refusal(add_contact(&office, &bearer, "e@e.org")), "quota_exceeded");
}

#[test]
fn usage_is_what_was_written_and_counted() {
    let (office, ann) = owner();
    let test = &office.test;
    let made = make_key(&office, &ann);
    let caller = office.authenticate(made.plain.reveal()).unwrap();
    for caller in [&caller, &caller, &ann.caller] {
        test.ports.activity.note(caller, test.clock.now());
    }
    test.block_on(flush_activity(&test.ports)).unwrap();
    test.block_on(flush_activity(&test.ports)).unwrap();
    let page = test.block_on(api_keys::list(&test.ports, &ann.permit(), PageRequest::first(9))).unwrap();
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
    let usage = test.block_on(usage::read(&test.ports, &office.operator())).unwrap();
    // 2030-02-01.
    assert_eq!((usage.requests.today, usage.requests.this_month), (0, 0));
}

#[test]
fn a_credential_that_is_known_is_forgotten_when_others_change_it() {
    let (office, ann) = owner();
    let test = &office.test;
    let made = make_key(&office, &ann);
    test.block_on(refresh_credential_cache(&test.ports)).unwrap();
    office.authenticate(made.plain.reveal()).unwrap();
    // Another instance revokes: its own known credentials are not these.
    let ports = domain::ports::Ports { credential_cache: std::sync::Arc::default(), ..test.ports.clone() };
    test.block_on(api_keys::revoke(&ports, &ann.permit(), made.key.id)).unwrap();
    assert!(office.authenticate(made.plain.reveal()).is_ok(), "known from before");
    test.block_on(refresh_credential_cache(&test.ports)).unwrap();
    assert!(matches!(office.authenticate(made.plain.reveal()), Err(Error::Unauthorized)));
}

#[test]
fn an_expired_key_is_refused_and_a_past_expiry_too() {
    let (office, ann) = owner();
    let test = &office.test;
    let body = json!({ "name": "k", "scopes": ["deals.read"], "expires_at": "2030-01-31T10:00:00Z" });
    let make = || test.block_on(api_keys::create(&test.ports, &ann.permit(), key_fields(body.clone())));
    let bearer = make().unwrap().plain.reveal().to_owned();
    test.block_on(refresh_credential_cache(&test.ports)).unwrap();
    office.authenticate(&bearer).unwrap();
    test.clock.set(datetime!(2030-01-31 10:00 UTC));
    assert!(matches!(office.authenticate(&bearer), Err(Error::Unauthorized)));
    assert_eq!(refusal(make()), "validation_failed expires_at:out_of_range");
}
