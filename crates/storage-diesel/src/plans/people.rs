//! Query plans of drafts and presence.

use diesel::connection::SimpleConnection;
use domain::crm::comments::CrmRecord;
use domain::work::comments::{CommentedRecord, LastSeen, Visibility};
use domain::work::drafts::Draft;
use domain::work::presence::PresenceState;
use domain::{DealId, IssueId, UserId};
use time::macros::datetime;

use super::{BIG, check_both, check_both_in, check_generic_in, check_in, never_analysed, seeded};
use crate::work::{comments, drafts, presence};

/// Fifty members with drafts on 200 deals and 20 records each, and 20,000 records that others have open.
const FULL: &str = "
    INSERT INTO drafts (workspace_id, user_id, deal_id, body, visibility, version, updated_at)
        SELECT member.workspace_id, member.user_id, deal.id, 'x', 'internal', 1, now()
        FROM (SELECT * FROM members ORDER BY workspace_id, user_id LIMIT 50) AS member
        JOIN LATERAL (SELECT id FROM deals WHERE deals.workspace_id = member.workspace_id LIMIT 200) AS deal ON true;
    INSERT INTO presences SELECT workspace_id, md5(user_id::text || n)::uuid, user_id, 'looking', '2025-01-01'
        FROM (SELECT * FROM members ORDER BY workspace_id, user_id LIMIT 1000) AS member, generate_series(1, 20) AS n";

#[test]
fn drafts_and_presence_are_found_by_their_keys() {
    let database = never_analysed(&super::seed());
    database.connection().batch_execute(FULL).unwrap();
    let (user, now) = (UserId(seeded(BIG, 1)), datetime!(2025-01-01 00:00:10 UTC));
    let record = CommentedRecord::Crm(CrmRecord::Deal(DealId(seeded(BIG, 7))));
    let draft = Draft { record, body: "x".to_owned(), visibility: Visibility::Internal, version: 1, updated_at: now };
    for analysed in [false, true] {
        if analysed {
            database.connection().batch_execute("VACUUM ANALYZE drafts, presences").unwrap();
        }
        check_both_in(&database, drafts::save_query(BIG, user, &draft), "drafts_pkey", 400);
        check_both_in(&database, drafts::list_query(BIG, user), "drafts_pkey", 200);
        check_generic_in(&database, &drafts::delete_on_query(BIG, &[record.id()]), "drafts_of_record");
        let report = || presence::report_presence_query(BIG, record.id(), user, PresenceState::Looking, now);
        for index in ["presences_of_user", "presences_pkey"] {
            check_generic_in(&database, &report(), index);
        }
        check_in(&database, report(), "presences_pkey", 50);
        check_in(&database, presence::prune_query(now, 100), "presences_seen", 100);
    }
}

#[test]
fn crossing_comments_are_found_among_the_public_ones() {
    let issue = IssueId(seeded(BIG, 4));
    for seen in
        [LastSeen::Nothing, LastSeen::Until { created_at: datetime!(2025-01-05 00:00 UTC), id: seeded(BIG, 1).into() }]
    {
        check_both(comments::public_after_query(BIG, issue, seen), "comments_public", 100);
    }
}
