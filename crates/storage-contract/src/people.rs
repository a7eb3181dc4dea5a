//! Drafts and presence.

use serde_json::json;
use time::Duration;

use super::records::{LINES, MADE, fields};
use super::{StoreUnderTest, TestWorkspace};
use domain::crm::comments::CrmRecord;
use domain::identity::access::{Credential, Permission, Permit, ToolGrants};
use domain::identity::workspaces::Role;
use domain::kernel::IssueKind;
use domain::kernel::input::CreatedFilter;
use domain::kernel::paging::PageRequest;
use domain::records::RecordKind;
use domain::testing::caller_with;
use domain::work::comments::{self, AnyComment, Comment, CommentedRecord, LastSeen, Visibility};
use domain::work::drafts::{self, Draft, MAX_DRAFT_BYTES, MAX_DRAFTS};
use domain::work::presence::{self, MAX_RECORDS, MAX_SHOWN, PRESENT_FOR, PresenceState};
use domain::{Error, SessionId, UserId};

/// A permit for a member's session, which is not stored.
fn permit<P: Permission>(world: &TestWorkspace, user: UserId, role: Role) -> Permit<P> {
    let credential = Credential::Session { id: SessionId(world.id()), user, role };
    caller_with(world.workspace.clone(), credential, "somebody", role.scopes(), ToolGrants::default()).permit().unwrap()
}

/// One record of each kind that has comments.
async fn records(world: &TestWorkspace) -> Vec<CommentedRecord> {
    vec![
        CommentedRecord::Issue(world.add(world.bare_issue(IssueKind::Ticket).await).await.id),
        CommentedRecord::Issue(world.add(world.bare_issue(IssueKind::Task).await).await.id),
        CommentedRecord::Crm(CrmRecord::Contact(world.add(world.bare_contact()).await.id)),
        CommentedRecord::Crm(CrmRecord::Company(world.add(world.bare_company()).await.id)),
        CommentedRecord::Crm(CrmRecord::Deal(world.add(world.bare_deal()).await.id)),
    ]
}

fn draft(record: CommentedRecord, body: &str) -> Draft {
    Draft { record, body: body.to_owned(), visibility: Visibility::Internal, version: 1, updated_at: MADE }
}

/// The first record is a ticket.
const fn visibility_of(number: i64) -> Visibility {
    if number == 0 { Visibility::Public } else { Visibility::Internal }
}

async fn save(world: &TestWorkspace, user: UserId, draft: &Draft) -> i64 {
    let draft = draft.clone();
    world.read(move |tx| tx.drafts().save(user, &draft)).await
}

async fn list(world: &TestWorkspace, user: UserId) -> Vec<Draft> {
    world.read(move |tx| tx.drafts().list(user)).await
}

async fn drafts_on(world: &TestWorkspace, user: UserId, record: CommentedRecord) -> Vec<Draft> {
    world.read(move |tx| tx.drafts().on(user, record)).await
}

/// A draft belongs to one user, record and workspace; it is replaced, and removed once.
pub async fn drafts_round_trip(subject: &StoreUnderTest) {
    let (world, other_world) = (subject.world().await, subject.world().await);
    let (user, other) = (world.member, world.new_member().await);
    for (number, record) in (0..).zip(records(&world).await) {
        let drafts = list(&world, user).await;
        let first = Draft {
            visibility: visibility_of(number),
            updated_at: MADE + Duration::hours(2 * number),
            ..draft(record, LINES)
        };
        assert_eq!(save(&world, user, &first).await, 1);
        assert_eq!(drafts_on(&world, user, record).await, std::slice::from_ref(&first));
        assert_eq!(list(&world, user).await, [&[first][..], &drafts].concat(), "the latest first");
        let second = Draft {
            visibility: visibility_of(number),
            updated_at: MADE + Duration::hours(2 * number + 1),
            ..draft(record, "b")
        };
        assert_eq!(save(&world, user, &second).await, 2);
        assert_eq!(drafts_on(&world, user, record).await, [Draft { version: 2, ..second }]);
        assert_eq!(drafts_on(&world, other, record).await, []);
        assert_eq!(drafts_on(&other_world, user, record).await, []);
    }
    let drafts = list(&world, user).await;
    let (removed, kind) = (drafts[0].record, drafts[0].visibility);
    assert!(!world.read(move |tx| tx.drafts().delete(other, removed, kind)).await);
    assert!(!other_world.read(move |tx| tx.drafts().delete(user, removed, kind)).await);
    assert!(world.read(move |tx| tx.drafts().delete(user, removed, kind)).await);
    assert!(!world.read(move |tx| tx.drafts().delete(user, removed, kind)).await);
    assert_eq!(list(&world, user).await, drafts[1..]);
    let removed = drafts[1].record.id();
    save(&world, other, &draft(drafts[1].record, "x")).await;
    other_world.read(move |tx| tx.drafts().delete_on(&[removed])).await;
    assert_eq!(list(&world, other).await.len(), 1);
    world.read(move |tx| tx.drafts().delete_on(&[removed])).await;
    assert_eq!((list(&world, other).await, list(&world, user).await), (vec![], drafts[2..].to_vec()));
}

/// An answer and a note on a ticket are separate drafts, and only the sent one is removed.
pub async fn an_answer_and_a_note_are_separate_drafts(subject: &StoreUnderTest) {
    let world = subject.world().await;
    let ports = &world.ports;
    let mine = permit(&world, world.member, Role::Member);
    let ticket = CommentedRecord::Issue(world.add(world.bare_issue(IssueKind::Ticket).await).await.id);
    let stored = async || {
        let drafts = drafts::read(ports, &mine, ticket).await.unwrap();
        drafts.into_iter().map(|draft| (draft.visibility, draft.body, draft.version)).collect::<Vec<_>>()
    };
    let write = async |body: &str, visibility: &str| {
        drafts::save(ports, &mine, ticket, fields(json!({"body": body, "visibility": visibility}))).await.unwrap()
    };
    write("an answer", "public").await;
    write("a note", "internal").await;
    write("a longer note", "internal").await;
    let note = (Visibility::Internal, "a longer note".to_owned(), 2);
    assert_eq!(stored().await, [note.clone(), (Visibility::Public, "an answer".to_owned(), 1)]);
    let answer = fields(json!({"body": "sent", "visibility": "public"}));
    comments::send(ports, &mine, None, ticket, answer, None).await.unwrap();
    assert_eq!(stored().await, [note]);
    assert_eq!(write("", "public").await, None);
    assert_eq!(stored().await.len(), 1, "an empty answer leaves the note alone");
    assert!(drafts::delete(ports, &mine, ticket, Visibility::Internal).await.unwrap());
    assert_eq!(stored().await, []);
}

/// The drafts written longest ago are dropped first, by number and by size.
pub async fn drafts_are_bounded(subject: &StoreUnderTest) {
    let world = subject.world().await;
    let (user, other) = (world.member, world.new_member().await);
    let mut deals = Vec::new();
    for number in 0..=i64::from(MAX_DRAFTS) {
        let record = CommentedRecord::Crm(CrmRecord::Deal(world.add(world.bare_deal()).await.id));
        deals.push(Draft { updated_at: MADE + Duration::seconds(number), ..draft(record, "x") });
    }
    save(&world, other, &deals[0]).await;
    for one in &deals {
        save(&world, user, one).await;
    }
    let newest: Vec<_> = deals.iter().rev().take(MAX_DRAFTS as usize).cloned().collect();
    assert_eq!(list(&world, user).await, newest);
    // Long ones, with four bytes per character.
    let long = "😀".repeat(10_000);
    let fit = (MAX_DRAFT_BYTES as usize) / long.len();
    for one in &deals[..=fit] {
        let later = one.updated_at + Duration::DAY;
        save(&world, user, &Draft { body: long.clone(), updated_at: later, ..one.clone() }).await;
    }
    let left = list(&world, user).await;
    assert_eq!(left.len(), fit);
    assert!(left.iter().all(|one| one.body == long));
    assert_eq!(list(&world, other).await.len(), 1);
}

/// A draft is kept even if its record is deleted, and is removed in the transaction that turns it into a comment.
pub async fn a_draft_becomes_a_comment(subject: &StoreUnderTest) {
    let world = subject.world().await;
    let ports = &world.ports;
    let (mine, theirs) =
        (permit(&world, world.member, Role::Member), permit(&world, world.new_member().await, Role::Owner));
    let by_key = world.permit();
    for record in records(&world).await {
        assert!(matches!(
            drafts::save(ports, &by_key, record, fields(json!({"body": "x"}))).await,
            Err(Error::SessionNeeded)
        ));
        let body = json!({"body": "so far"});
        let saved = drafts::save(ports, &mine, record, fields(body.clone())).await.unwrap().unwrap();
        drafts::save(ports, &theirs, record, fields(body)).await.unwrap();
        assert_eq!(drafts::read(ports, &mine, record).await.unwrap(), [saved]);
        let sent = comments::send(ports, &mine, None, record, fields(json!({"body": "done"})), Some(LastSeen::Nothing));
        let comment = sent.await.unwrap().fresh().unwrap();
        let (written, author) = match comment {
            AnyComment::OnIssue(comment) => (comment.body, comment.author),
            AnyComment::OnRecord(comment) => (comment.body, comment.author),
        };
        assert_eq!((&*written, author), ("done", world.member_actor()));
        assert_eq!(drafts::read(ports, &mine, record).await.unwrap(), []);
        assert!(!drafts::read(ports, &theirs, record).await.unwrap().is_empty(), "a colleague's stays");
        // A comment outside the console does not change drafts, and an empty text removes one.
        drafts::save(ports, &mine, record, fields(json!({"body": "x"}))).await.unwrap();
        comments::create_any(ports, &mine, None, record, fields(json!({"body": "y"}))).await.unwrap();
        assert_eq!(drafts::read(ports, &mine, record).await.unwrap().len(), 1);
        assert_eq!(drafts::save(ports, &mine, record, fields(json!({"body": ""}))).await.unwrap(), None);
        assert_eq!(drafts::read(ports, &mine, record).await.unwrap(), []);
    }
    assert_eq!(drafts::list(ports, &theirs).await.unwrap().len(), 5);
    let unknown = CommentedRecord::Crm(CrmRecord::Deal(world.id().into()));
    let refused = drafts::save(ports, &mine, unknown, fields(json!({"body": "x"}))).await;
    assert!(matches!(refused, Err(Error::NotFound("deal"))));
}

pub async fn drafts_are_erased_with_their_record(subject: &StoreUnderTest) {
    let world = subject.world().await;
    let (deal, other) = (world.add(world.bare_deal()).await.id, world.add(world.bare_deal()).await.id);
    let on_deal = |id| CommentedRecord::Crm(CrmRecord::Deal(id));
    let user = world.member;
    save(&world, user, &draft(on_deal(deal), "x")).await;
    save(&world, user, &draft(on_deal(other), "x")).await;
    let now = world.now();
    let erased = world.commit(move |tx| tx.record_erasure().erase(RecordKind::Deal, &[deal.0], now, 100)).await;
    assert_eq!(erased, 2, "the draft and the deal");
    assert_eq!(list(&world, user).await, [draft(on_deal(other), "x")]);
}

/// A public answer is held back if there are newer public comments than its author has seen.
pub async fn a_crossing_answer_is_held_back(subject: &StoreUnderTest) {
    let world = subject.world().await;
    let ports = &world.ports;
    let ticket = world.add(world.bare_issue(IssueKind::Ticket).await).await.id;
    let record = CommentedRecord::Issue(ticket);
    let mine = permit(&world, world.member, Role::Member);
    let at = |seconds| world.now() + Duration::seconds(seconds);
    let add = async |visibility, seconds| {
        let comment = Comment { visibility, created_at: at(seconds), ..world.comment(ticket) };
        world.add(comment).await
    };
    let (first, note) = (add(Visibility::Public, -9).await, add(Visibility::Internal, -8).await);
    let (second, third) = (add(Visibility::Public, -7).await, add(Visibility::Public, -6).await);
    let until = |comment: &Comment| Some(LastSeen::Until { created_at: comment.created_at, id: comment.id });
    drafts::save(ports, &mine, record, fields(json!({"body": "x", "visibility": "public"}))).await.unwrap();
    let public = || fields(json!({"body": "an answer", "visibility": "public"}));
    let all = [first.id, second.id, third.id];
    for (last_seen, expected) in [
        (Some(LastSeen::Nothing), &all[..]),
        (until(&first), &all[1..]),
        (until(&note), &all[1..]),
        (until(&second), &all[2..]),
    ] {
        match comments::send(ports, &mine, None, record, public(), last_seen).await {
            Err(Error::CrossedComments { newer }) => assert_eq!(newer, expected),
            other => panic!("{other:?}"),
        }
    }
    assert!(!drafts::read(ports, &mine, record).await.unwrap().is_empty(), "what is held back is kept");
    let (ever, page) = (CreatedFilter::default(), PageRequest::first(9));
    assert_eq!(world.read(move |tx| tx.comments().list(ticket, &ever, &page)).await.len(), 4);
    let internal = fields(json!({"body": "a note"}));
    comments::send(ports, &mine, None, record, internal, Some(LastSeen::Nothing)).await.unwrap();
    comments::send(ports, &mine, None, record, public(), until(&third)).await.unwrap();
    comments::send(ports, &mine, None, record, public(), None).await.unwrap();
    assert!(drafts::read(ports, &mine, record).await.unwrap().is_empty());
}

/// Users on a record see the names of others there for a while, but not from other workspaces.
pub async fn people_see_who_else_is_there(subject: &StoreUnderTest) {
    let (world, other_world) = (subject.world().await, subject.world().await);
    let ports = &world.ports;
    let (one, two) = (world.member, world.new_member().await);
    let (first, second) = (permit(&world, one, Role::Member), permit(&world, two, Role::Viewer));
    let outsider = permit(&other_world, other_world.member, Role::Owner);
    for record in records(&world).await {
        let others_on = async |permit: &Permit<_>, state| {
            let others = presence::report_presence(ports, permit, record, state).await.unwrap();
            others.into_iter().map(|other| (other.user, other.name, other.state)).collect::<Vec<_>>()
        };
        assert_eq!(others_on(&first, PresenceState::Looking).await, []);
        let name = || "A member".to_owned();
        assert_eq!(others_on(&second, PresenceState::Looking).await, [(one, name(), PresenceState::Looking)]);
        assert_eq!(others_on(&first, PresenceState::Writing).await, [(two, name(), PresenceState::Looking)]);
        assert_eq!(others_on(&second, PresenceState::Looking).await, [(one, name(), PresenceState::Writing)]);
        let foreign = presence::report_presence(ports, &outsider, record, PresenceState::Looking).await;
        assert!(matches!(foreign, Err(Error::NotFound(_))), "{foreign:?}");
        presence::leave(ports, &first, record).await.unwrap();
        assert_eq!(others_on(&second, PresenceState::Looking).await, []);
    }
    let record = records(&world).await[0].id();
    let now = world.now();
    let report = async |user, at| {
        world.read(move |tx| tx.presence().report_presence(record, user, PresenceState::Looking, at)).await
    };
    report(one, now).await;
    assert_eq!(report(two, now + PRESENT_FOR - Duration::MICROSECOND).await.len(), 1);
    assert_eq!(report(two, now + PRESENT_FOR).await.len(), 0);
    let (by_key, ticket) = (world.permit(), CommentedRecord::Issue(record.into()));
    let refused = presence::report_presence(ports, &by_key, ticket, PresenceState::Looking).await;
    assert!(matches!(refused, Err(Error::SessionNeeded)));
}

/// A user's latest records are kept; pruning removes expired entries, a bounded number at a time.
pub async fn presence_is_bounded(subject: &StoreUnderTest) {
    let world = subject.world().await;
    let (user, other) = (world.member, world.new_member().await);
    // Earlier than the entries of other cases.
    let start = MADE - Duration::days(10_000);
    let report = async |record, who, at| {
        world.read(move |tx| tx.presence().report_presence(record, who, PresenceState::Looking, at)).await
    };
    let mut records = Vec::new();
    for number in 0..=i64::from(MAX_RECORDS) {
        let record = world.id();
        report(record, user, start + Duration::seconds(number)).await;
        records.push(record);
    }
    let end = start + Duration::seconds(20);
    for (index, record) in records.iter().enumerate() {
        assert_eq!(report(*record, other, end).await.len(), usize::from(index > 0), "{index}");
    }
    let crowd = world.id();
    for _ in 0..=MAX_SHOWN {
        report(crowd, world.new_member().await, end).await;
    }
    assert_eq!(report(crowd, user, end).await.len(), MAX_SHOWN as usize);
    let prune = async |before, limit| world.ports.directory.prune_presences(before, limit).await.unwrap();
    assert_eq!(prune(start, 100).await, 0);
    assert_eq!(prune(end + Duration::SECOND, 7).await, 7);
    while prune(end + Duration::SECOND, 100).await > 0 {}
    assert_eq!(report(crowd, other, end).await, []);
    prune(end + Duration::SECOND, 100).await;
}
