//! Searches across kinds, saved views and undo.

use serde_json::{Value, json};

use super::access::{SignedInMember, WorkspaceFixture};
use super::{at_version, listen, new, patch, refusal, start};
use domain::console::views::{self, MAX_PRIVATE, MAX_SHARED, SavedView, ViewPage};
use domain::console::{FoundRecord, search_all, undos};
use domain::event_types;
use domain::identity::access::{
    Caller, Credential, ReadWebhooks, SearchRecords, ToolGrants, UpdateWebhooks, UseSavedViews,
};
use domain::identity::workspaces::Role;
use domain::kernel::IssueKind;
use domain::kernel::search::SearchQuery;
use domain::kernel::versions::ExpectedVersion;
use domain::records::{FormerValues, RecordKind};
use domain::support::kb::{Article, ArticleStatus};
use domain::testing::{self, caller_in, caller_with, session_of};
use domain::tools::ToolPermission;
use domain::webhooks::{StatsWindow, delivery_stats};
use domain::work::comments::Comment;
use domain::work::issues::Issue;
use domain::{Error, SavedViewId, SubscriptionId, UndoId};
use storage_contract::TestWorkspace;
use test_databases::TestPorts;

fn deals() -> ViewPage {
    ViewPage::of(RecordKind::Deal).unwrap()
}

fn found(test: &TestPorts, caller: &Caller, typed: &str) -> Vec<FoundRecord> {
    let words = SearchQuery::parse(typed).unwrap().unwrap();
    test.block_on(search_all(&test.ports, &caller.permit::<SearchRecords>().unwrap(), words)).unwrap()
}

/// A member of the world's workspace with the scopes of a role.
fn session(world: &TestWorkspace, role: Role) -> Caller {
    caller_with(world.workspace.clone(), session_of(role), "A person", role.scopes(), ToolGrants::default())
}

#[test]
fn a_search_finds_only_records_that_the_caller_may_read() {
    let (test, world) = start();
    test.block_on(async {
        for kind in IssueKind::ALL.iter().copied() {
            world.add(Issue { title: format!("Zephyr {kind}"), ..world.bare_issue(kind).await }).await;
        }
        for status in [ArticleStatus::Draft, ArticleStatus::Published] {
            world.add(Article { title: format!("Zephyr {status}"), status, ..world.bare_article() }).await;
        }
    });
    let titles = |caller: &Caller| -> Vec<String> {
        found(&test, caller, "zephyr").into_iter().map(|record| record.title).collect()
    };
    let all = ["Zephyr task", "Zephyr ticket", "Zephyr published", "Zephyr draft"];
    for role in [Role::Owner, Role::Member, Role::Viewer] {
        assert_eq!(titles(&session(&world, role)), all, "{role}: including drafts");
    }
    let key = |scopes: &[&str]| caller_in(world.workspace.clone(), scopes);
    assert_eq!(titles(&key(&["deals.read", "contacts.read"])), [""; 0]);
    assert_eq!(found(&test, &key(&["issues.read"]), "zephyr")[0].kind, RecordKind::Task);
    assert!(matches!(key(&["planning.read"]).permit::<SearchRecords>(), Err(Error::Forbidden(_))));
    let owner = session(&world, Role::Owner);
    assert_eq!(found(&test, &owner, "- &"), [], "text without a letter or digit matches nothing");
    assert_eq!(found(&test, &owner, "zephyr -").len(), 4, "next to words it is ignored");
}

#[test]
fn a_search_shows_comments_to_those_who_may_read_them() {
    let (test, world) = start();
    test.block_on(async {
        for kind in IssueKind::ALL.iter().copied() {
            let issue = world.add(world.bare_issue(kind).await).await.id;
            world.add(Comment { body: format!("The zephyr of a {kind}"), ..world.comment(issue) }).await;
        }
    });
    let kinds = |caller: &Caller| -> Vec<RecordKind> {
        let found = found(&test, caller, "zephyr");
        assert!(found.iter().all(|record| record.comment.is_some()));
        found.into_iter().map(|record| record.kind).collect()
    };
    let both = [RecordKind::Task, RecordKind::Ticket];
    for role in [Role::Owner, Role::Member, Role::Viewer] {
        assert_eq!(kinds(&session(&world, role)), both, "{role}");
    }
    let ticket_reader = caller_in(world.workspace.clone(), &["tickets.read"]);
    assert_eq!(kinds(&ticket_reader), [RecordKind::Ticket]);
    let map = [ToolPermission::ReadTickets].into_iter().collect();
    let tools = ToolGrants::from_scopes(ticket_reader.scopes(), Some(&map));
    let without_grant =
        caller_with(world.workspace.clone(), ticket_reader.credential(), "A key", ticket_reader.scopes(), tools);
    assert_eq!(kinds(&without_grant), []);
    let deal_reader = caller_in(world.workspace.clone(), &["deals.read"]);
    assert_eq!(kinds(&deal_reader), []);
    let excerpt: Vec<_> = found(&test, &ticket_reader, "zeph")[0].comment.clone().unwrap().excerpt;
    let parts: Vec<_> = excerpt.iter().map(|part| (part.text.as_str(), part.is_match)).collect();
    assert_eq!(parts, [("The ", false), ("zephyr", true), (" of a ticket", false)]);
}

struct Views {
    fixture: WorkspaceFixture,
    owner: SignedInMember,
    ann: SignedInMember,
    viewer: SignedInMember,
}

impl Views {
    fn new() -> Self {
        let fixture = WorkspaceFixture::new();
        let [owner, ann, viewer] = [("o", Role::Owner), ("ann", Role::Member), ("v", Role::Viewer)]
            .map(|(name, role)| fixture.seat(&format!("{name}@example.org"), role));
        Self { fixture, owner, ann, viewer }
    }

    fn create(&self, by: &SignedInMember, body: Value) -> Result<SavedView, Error> {
        let test = &self.fixture.test;
        test.block_on(views::create(&test.ports, &by.permit(), None, deals(), new(body)))?.made_now()
    }

    fn update(&self, by: &SignedInMember, id: SavedViewId, body: Value) -> Result<SavedView, Error> {
        let test = &self.fixture.test;
        test.block_on(views::update(&test.ports, &by.permit(), id, ExpectedVersion::Any, patch(body)))
    }

    fn delete(&self, by: &SignedInMember, id: SavedViewId) -> Result<(), Error> {
        let test = &self.fixture.test;
        test.block_on(views::delete(&test.ports, &by.permit(), id))
    }

    fn arrange(&self, by: &SignedInMember, order: Vec<SavedViewId>) -> Result<Vec<String>, Error> {
        let test = &self.fixture.test;
        let arranged = test.block_on(views::arrange(&test.ports, &by.permit(), deals(), order));
        arranged.map(|views| views.into_iter().map(|view| view.name).collect())
    }

    fn names(&self, by: &SignedInMember) -> Vec<String> {
        let test = &self.fixture.test;
        let list = test.block_on(views::list(&test.ports, &by.permit(), deals())).unwrap();
        list.into_iter().map(|view| view.name).collect()
    }
}

#[test]
fn views_are_changed_by_their_creator_and_shared_ones_by_administrators() {
    let views = Views::new();
    let own = views.create(&views.ann, json!({ "name": "Own", "query": "status=open" })).unwrap();
    assert_eq!((own.owner_id, own.query.as_str(), own.shared, own.version), (views.ann.id, "status=open", false, 1));
    let shared = views.create(&views.ann, json!({ "name": "Shared", "shared": true })).unwrap();
    assert_eq!(views.names(&views.ann), ["Own", "Shared"]);
    assert_eq!(views.names(&views.viewer), ["Shared"]);
    for (by, id, expected) in [
        (&views.owner, own.id, "not_found"),
        (&views.viewer, own.id, "not_found"),
        (&views.viewer, shared.id, "forbidden"),
        (&views.viewer, SavedViewId(views.viewer.id.0), "not_found"),
    ] {
        assert_eq!(refusal(views.update(by, id, json!({ "name": "Mine" }))), expected);
        assert_eq!(refusal(views.delete(by, id)), expected);
        assert_eq!(refusal(views.arrange(by, vec![id])), expected);
    }
    let renamed = views.update(&views.owner, shared.id, json!({ "name": "Ours", "column_names": ["value"] })).unwrap();
    assert_eq!((renamed.name.as_str(), renamed.version, renamed.owner_id), ("Ours", 2, views.ann.id));
    assert_eq!(views.update(&views.ann, own.id, json!({ "name": "Own" })).unwrap().version, 1, "nothing has changed");
    let test = &views.fixture.test;
    let by_ann = views.ann.permit();
    let stale = views::update(&test.ports, &by_ann, shared.id, at_version(1), patch(json!({ "name": "Late" })));
    assert!(matches!(test.block_on(stale), Err(Error::ConcurrentUpdate { current: 2 })));
    views.delete(&views.owner, shared.id).unwrap();
    assert_eq!(views.names(&views.viewer), [""; 0]);
}

#[test]
fn viewers_have_private_views_and_keys_have_none() {
    let views = Views::new();
    let own = views.create(&views.viewer, json!({ "name": "Own" })).unwrap();
    for shared in [
        views.create(&views.viewer, json!({ "name": "Shared", "shared": true })),
        views.update(&views.viewer, own.id, json!({ "shared": true })),
    ] {
        assert_eq!(refusal(shared), "forbidden");
    }
    let test = &views.fixture.test;
    let key = caller_in(views.fixture.workspace.clone(), &["deals.read"]);
    assert!(matches!(key.credential(), Credential::Key(_)));
    let permit = key.permit::<UseSavedViews>().unwrap();
    let listed = test.block_on(views::list(&test.ports, &permit, deals()));
    assert!(matches!(listed, Err(Error::SessionNeeded)));
    let created = views::create(&test.ports, &permit, None, deals(), new(json!({ "name": "A key's" })));
    assert!(matches!(test.block_on(created), Err(Error::SessionNeeded)));
}

#[test]
fn views_are_put_in_order_and_new_ones_come_last() {
    let views = Views::new();
    let [one, two, three] =
        ["One", "Two", "Three"].map(|name| views.create(&views.ann, json!({ "name": name })).unwrap().id);
    assert_eq!(views.arrange(&views.ann, vec![three, one, two]).unwrap(), ["Three", "One", "Two"]);
    views.create(&views.ann, json!({ "name": "Four" })).unwrap();
    assert_eq!(views.names(&views.ann), ["Three", "One", "Two", "Four"]);
}

#[test]
fn views_are_bounded_per_member_and_workspace() {
    let views = Views::new();
    let create = |by: &SignedInMember, shared: bool| views.create(by, json!({ "name": "A view", "shared": shared }));
    for _ in 0..MAX_PRIVATE {
        create(&views.ann, false).unwrap();
    }
    assert_eq!(refusal(create(&views.ann, false)), "conflict");
    create(&views.viewer, false).unwrap();
    for _ in 0..MAX_SHARED {
        create(&views.ann, true).unwrap();
    }
    assert_eq!(refusal(create(&views.owner, true)), "conflict");
    let own = create(&views.owner, false).unwrap();
    assert_eq!(refusal(views.update(&views.owner, own.id, json!({ "shared": true }))), "conflict");
}

#[test]
fn deliveries_are_summed_up_for_callers_who_may_read_webhooks() {
    let (test, world) = start();
    let hook = listen(&test, &world);
    let permit = testing::operator().permit::<UpdateWebhooks>(world.workspace.clone());
    let fields = new(json!({}));
    test.block_on(event_types::send_test(&test.ports, &permit, None, hook, fields)).unwrap();
    let stats = |id, window| {
        let permit = testing::operator().permit::<ReadWebhooks>(world.workspace.clone());
        test.block_on(delivery_stats(&test.ports, &permit, id, window))
    };
    for (window, periods) in [(StatsWindow::Day, 24), (StatsWindow::Week, 28)] {
        let found = stats(hook, window).unwrap();
        let deliveries: Vec<_> = found.iter().map(|period| period.deliveries).collect();
        assert_eq!(
            (found.len(), deliveries.iter().sum::<u32>(), deliveries.last()),
            (periods, 1, Some(&1)),
            "{window}"
        );
        assert_eq!(found.last().map(|period| (period.succeeded, period.failed)), Some((0, 0)), "it waits");
    }
    assert_eq!(refusal(stats(SubscriptionId(world.id()), StatsWindow::Day)), "not_found");
}

#[test]
fn changes_can_be_undone_for_a_day() {
    let (test, world) = start();
    let caller = session(&world, Role::Member);
    let permit = caller.permit::<SearchRecords>().unwrap();
    let entry = |patch: Value| {
        let Value::Object(patch) = patch else { panic!("no object") };
        FormerValues { id: world.id(), version: 2, patch, made: serde_json::Map::new() }
    };
    let keep = |entries| test.block_on(undos::keep(&test.ports, &permit, RecordKind::Deal, entries)).unwrap();
    let take = |id| test.block_on(undos::read(&test.ports, &permit, id));
    let spend = |id, left| test.block_on(undos::spend(&test.ports, &permit, id, left)).unwrap();
    assert_eq!(keep(vec![entry(json!({}))]), None, "nothing was changed");
    let entries = vec![entry(json!({"title": "a"})), entry(json!({"title": "b"})), entry(json!({}))];
    let id = keep(entries.clone()).unwrap();
    for _ in 0..2 {
        assert_eq!(take(id).unwrap().entries, entries[..2], "reading removes no entries");
    }
    spend(id, entries[1..2].to_vec());
    assert_eq!(take(id).unwrap().entries, entries[1..2]);
    spend(id, Vec::new());
    spend(id, entries[..1].to_vec());
    assert_eq!(take(id).unwrap().entries, [], "entries that were put back are removed");
    let late = keep(entries).unwrap();
    test.clock.advance(undos::UNDO_TTL);
    assert_eq!(take(late).unwrap().entries, []);
    assert!(matches!(take(UndoId(world.id())), Err(Error::NotFound(_))));
    let key = caller_in(world.workspace.clone(), &["deals.read"]).permit::<SearchRecords>().unwrap();
    assert!(matches!(test.block_on(undos::read(&test.ports, &key, id)), Err(Error::SessionNeeded)));
}
