//! Canned replies: users' own replies come first, and others can neither see nor change them.

use time::Duration;

use super::start;
use super::transfer::{outcomes_with, permit};
use domain::identity::access::{Actor, Caller, Credential, ReadCannedReplies};
use domain::identity::workspaces::Role;
use domain::kernel::IssueKind;
use domain::kernel::search::SearchQuery;
use domain::records::{self, OnMatch};
use domain::support::canned_replies::{CannedReply, CannedReplyId, append_reply, insert_reply, offered_replies};
use domain::testing::{caller_with, issue};
use domain::transfer::{TransferKind, export_page};
use domain::work::issues::IssueStatus;
use domain::{SessionId, UserId};
use storage_contract::TestWorkspace;

fn session(world: &TestWorkspace, user: UserId) -> Caller {
    let credential = Credential::Session { id: SessionId(world.id()), user, role: Role::Member };
    caller_with(world.workspace.clone(), credential, "Ada", Role::Member.scopes(), world.caller.tools().clone())
}

/// A reply with the shortcut `late`, created some minutes from now.
fn reply(world: &TestWorkspace, by: Actor, body: &str, minute: i64) -> CannedReply {
    let blank = CannedReply::blank(CannedReplyId(world.id()), by, world.now() + Duration::minutes(minute));
    CannedReply {
        title: "Late".to_owned(),
        shortcut: Some("late".to_owned()),
        body: body.to_owned(),
        shared: true,
        ..blank
    }
}

#[test]
fn a_shortcut_inserts_the_newest_own_reply_before_any_shared_one() {
    let (test, world) = start();
    let (ada, bob) = (session(&world, world.member), session(&world, test.block_on(world.new_member())));
    let (own, others) = (ada.credential().actor(), bob.credential().actor());
    test.block_on(async {
        for (body, minute) in [("older", 0), ("own", 1)] {
            world.add(CannedReply { shared: false, ..reply(&world, own, body, minute) }).await;
        }
        for minute in 2..60 {
            world.add(reply(&world, others, &format!("shared {minute}"), minute)).await;
        }
        world.add(CannedReply { shared: false, ..reply(&world, others, "of Bob", 60) }).await;
    });
    let ticket = issue(IssueKind::Ticket, IssueStatus::Open);
    let third = session(&world, test.block_on(world.new_member()));
    for (caller, expected) in [(&ada, "Dear own"), (&bob, "Dear of Bob"), (&third, "Dear shared 59")] {
        let permit = caller.permit::<ReadCannedReplies>().unwrap();
        let inserted = test.block_on(insert_reply(&test.ports, &permit, &ticket, "Dear /late")).unwrap();
        assert_eq!(inserted.as_deref(), Some(expected));
    }
}

#[test]
fn all_own_and_shared_replies_are_offered_and_one_is_added_to_a_text() {
    let (test, world) = start();
    let (ada, bob) = (session(&world, world.member), session(&world, test.block_on(world.new_member())));
    let (own, others) = (ada.credential().actor(), bob.credential().actor());
    let plain = |by, title: &str, shared: bool| CannedReply {
        title: title.to_owned(),
        shortcut: None,
        shared,
        ..reply(&world, by, "Dear {{ customer.name }}, {{agent.name}} of {{ticket.title}}", 0)
    };
    let permit = ada.permit::<ReadCannedReplies>().unwrap();
    let titles = |search: &str| {
        let offered = test.block_on(offered_replies(&test.ports, &permit, SearchQuery::parse(search).unwrap()));
        let offered = offered.unwrap();
        let of = |replies: Vec<CannedReply>| replies.into_iter().map(|one| one.title).collect::<Vec<_>>();
        (of(offered.own), of(offered.shared), offered.has_more)
    };
    let refund = test.block_on(async {
        let refund = world.add(plain(own, "Refund", false)).await;
        for (title, shared) in [("Refund by card", true), ("Thanks", true), ("Private refund", false)] {
            world.add(plain(others, title, shared)).await;
        }
        refund
    });
    assert_eq!(titles("refu"), (vec!["Refund".to_owned()], vec!["Refund by card".to_owned()], false));
    let (mine, shared, has_more) = titles("");
    assert_eq!((mine.len(), shared.len(), has_more), (1, 2, false));
    test.block_on(async {
        for minute in 0..48 {
            world.add(reply(&world, others, "shared", minute)).await;
        }
    });
    assert!(!titles("").2, "50 of a kind are offered");
    test.block_on(world.add(reply(&world, others, "shared", 60)));
    let (_, shared, has_more) = titles("");
    assert_eq!((shared.len(), has_more), (50, true));
    let ticket = issue(IssueKind::Ticket, IssueStatus::Open);
    let added = test.block_on(append_reply(&test.ports, &permit, &ticket, "Hello.\n", refund.id)).unwrap();
    assert_eq!(added, "Hello.\n\nDear {{customer.name}}, Ada of An issue", "a ticket without a requester has no name");
}

#[test]
fn a_file_neither_has_nor_changes_the_private_replies_of_others() {
    let env @ (test, world) = &start();
    let ada = session(world, world.member);
    let own = CannedReply { shared: false, ..reply(world, ada.credential().actor(), "Secret", 0) };
    let own = test.block_on(world.add(own));
    let id = own.id.0.to_string();
    for on_match in OnMatch::ALL.iter().copied() {
        let table: [&[&str]; 2] = [&["id", "title", "body"], &[&id, "Late", "Changed"]];
        let results = outcomes_with(env, TransferKind::CannedReplies, &table, on_match);
        assert!(results[0].starts_with("no record of this workspace has this id"), "{results:?}");
    }
    let page = test.block_on(export_page(&test.ports, &permit(world), TransferKind::CannedReplies, None)).unwrap();
    assert!(page.records.is_empty());
    let reader = ada.permit::<ReadCannedReplies>().unwrap();
    let stored = test.block_on(records::read::<CannedReply>(&test.ports, &reader, own.id)).unwrap();
    assert_eq!(stored, own);
}
