//! Query plans of the e-mail queue, with far more rows than any statement may read.

use std::sync::LazyLock;

use diesel::RunQueryDsl;
use domain::email::{
    EmailBatch, EmailClaim, EmailFilter, EmailPart, EmailPurpose, EmailStatus, MailboxCount, QueuedEmail,
};
use domain::kernel::sealing::SealedSecret;
use domain::{EmailId, EmailPartId, IssueId, WorkspaceId};
use time::Duration;
use time::macros::datetime;
use uuid::Uuid;

use super::{check_both_in, check_in, common, filled, seed_workspaces};
use crate::directory::emails::{list_query, retry_all_query, retry_query};
use crate::directory::queue_depths::{MAX_COUNTED, emails_query};
use crate::email::enqueue::enqueue_query;
use crate::email::parts::{append_query, discard_query, lock_query, withdraw_query};
use crate::email::queue::{
    bring_back_query, claim_query, parts_query, prune_hours_query, prune_mailboxes_query, prune_query, release_query,
};

const WORKSPACE: Uuid = Uuid::from_u128(0x7000_8000_0000_0000_0001);
const NOW: time::OffsetDateTime = datetime!(2025-06-01 00:00 UTC);

/// 2,000 workspaces. The first has 20,000 due e-mails, 20,000 future ones, eight claimed ones and 20,000 finished ones;
/// fifty others have one each.
const SEED: &str = "
    INSERT INTO mails (workspace_id, id, recipient, subject, body_key_id, body, attempts, next_attempt_at, lease_owner,
            created_at, sent_at)
        SELECT ('00000000-0000-7000-8000-' || lpad(workspace::text, 12, '0'))::uuid, gen_random_uuid(), 'a@e.x', 'x',
            CASE WHEN due IS NOT NULL THEN 'k' END, CASE WHEN due IS NOT NULL THEN '\\x00'::bytea END, 0,
            due + number * interval '1 second', CASE WHEN held THEN gen_random_uuid() END, timestamptz '2025-01-01Z',
            CASE WHEN due IS NULL THEN timestamptz '2025-05-01Z' + number * interval '1 second' END
        FROM (VALUES (1, 20000, timestamptz '2025-01-01Z', false), (1, 20000, '2025-07-01Z', false),
                (1, 8, '2025-07-01Z', true), (1, 20000, NULL, false)) AS kind (workspace, rows, due, held)
            CROSS JOIN LATERAL generate_series(1, kind.rows) AS number
        UNION ALL SELECT ('00000000-0000-7000-8000-' || lpad(number::text, 12, '0'))::uuid, gen_random_uuid(), 'a@e.x', 'x',
            'k', '\\x00', 0, '2025-01-01Z', NULL, '2025-01-01Z', NULL FROM generate_series(2, 51) AS number;
    INSERT INTO mail_hours (workspace_id, hour, mails)
        SELECT id, timestamptz '2025-06-01Z' - hours * interval '1 hour', 1
        FROM workspaces, generate_series(0, 9) AS hours;
    INSERT INTO mail_recipients (recipient, purpose, since, mails)
        SELECT sha256(number::text::bytea), purpose, timestamptz '2025-06-01Z' - (number % 48) * interval '1 hour', 1
        FROM generate_series(1, 5000) AS number, unnest(ARRAY['answer', 'account']) AS purpose;
    INSERT INTO mail_parts (workspace_id, mail_id, id, body_key_id, body)
        SELECT workspace_id, id, gen_random_uuid(), 'k', '\\x00' FROM mails WHERE next_attempt_at IS NOT NULL LIMIT 5000;";

static DATABASE: LazyLock<common::Database> = LazyLock::new(|| filled(&(seed_workspaces(2_000) + SEED)));

#[test]
fn a_claim_reads_only_what_it_claims() {
    for after in [None, Some(WorkspaceId(WORKSPACE))] {
        let claim = EmailClaim { owner: Uuid::max(), limit: 4, limit_per_workspace: 4, after, now: NOW };
        check_in(&DATABASE, claim_query(&claim), "mails_waiting", 16);
    }
}

#[test]
fn emails_due_too_late_are_found_by_index() {
    for now in [NOW, NOW - Duration::days(40)] {
        check_in(&DATABASE, bring_back_query(now, 100), "mails_waiting", 100);
    }
}

#[test]
fn an_enqueue_reads_at_most_the_limit() {
    let email = QueuedEmail {
        id: EmailId(Uuid::max()),
        workspace: WorkspaceId(WORKSPACE),
        to: "a@e.x".to_owned(),
        subject: "x".to_owned(),
        subject_of_many: None,
        text: SealedSecret { key_id: "k".to_owned(), sealed: vec![0] },
        created_at: NOW,
        due_at: NOW,
        batch: Some(EmailBatch::Ticket(IssueId(Uuid::max()))),
        queue_limit: 50,
        per_hour: Some(1_000),
        mailbox: MailboxCount { mailbox: [1; 32], purpose: EmailPurpose::Answer, since: NOW, limit: 50 },
    };
    for index in ["mails_waiting", "mail_hours_pkey", "mail_recipients_pkey"] {
        check_in(&DATABASE, enqueue_query(&email, std::slice::from_ref(&email)), index, 50);
    }
}

#[test]
fn a_part_reads_the_open_email_of_its_ticket() {
    let text = SealedSecret { key_id: "k".to_owned(), sealed: vec![0] };
    let (workspace, batch) = (WorkspaceId(WORKSPACE), EmailBatch::Ticket(IssueId(Uuid::max())));
    let part = EmailPart { workspace, batch, id: EmailPartId(Uuid::max()), text, length: 1 };
    for parts in [vec![part.clone()], vec![part; 50]] {
        check_in(&DATABASE, append_query(WORKSPACE, &parts), "mails_open_batch", 50);
    }
    let batches = vec![Uuid::max(); 50];
    check_in(&DATABASE, lock_query(WORKSPACE, batches), "mails_open_batch", 1);
    check_both_in(&DATABASE, withdraw_query(WORKSPACE, &[(Uuid::max(), Uuid::max())]), "mail_parts_pkey", 1);
    check_in(&DATABASE, discard_query(WORKSPACE, batch), "mails_open_batch", 1);
    check_in(&DATABASE, parts_query(&[(WORKSPACE, Uuid::max())]), "mail_parts_pkey", 1);
}

#[test]
fn pruning_counts_reads_only_what_it_deletes() {
    check_in(&DATABASE, prune_mailboxes_query(NOW, 10), "mail_recipients_oldest", 10);
    check_in(&DATABASE, prune_hours_query(NOW, 10), "mail_hours_oldest", 10);
}

#[test]
fn maintenance_reads_only_what_it_changes() {
    check_in(&DATABASE, release_query(Uuid::max(), NOW), "mails_leased", 8);
    check_in(&DATABASE, prune_query(NOW, 10), "mails_over", 10);
}

#[test]
fn operators_read_only_what_they_list() {
    let all_workspaces = EmailFilter { workspace: None, status: None, limit: 50 };
    let one_workspace = EmailFilter { workspace: Some(WorkspaceId(WORKSPACE)), ..all_workspaces };
    for (filter, index) in [(all_workspaces, "mails_newest_of_all"), (one_workspace, "mails_newest")] {
        check_both_in(&DATABASE, list_query(filter), index, 150);
        for status in EmailStatus::ALL {
            check_in(&DATABASE, list_query(EmailFilter { status: Some(*status), ..filter }), index, 50);
        }
    }
}

#[test]
fn retries_by_operators_read_only_their_emails() {
    check_in(&DATABASE, retry_query(WorkspaceId(WORKSPACE), EmailId(Uuid::max()), NOW), "mails_pkey", 1);
    // Claimed ones are skipped.
    check_in(&DATABASE, retry_all_query(WorkspaceId(WORKSPACE), NOW, 10), "mails_waiting", 18);
}

#[test]
fn the_queue_depth_is_counted_by_index_up_to_a_bound() {
    check_both_in(&DATABASE, emails_query(), "mails_waiting", MAX_COUNTED);
    check_in(&DATABASE, emails_query(), "mails_newest_of_all", MAX_COUNTED);
    let depth: (i64, Option<time::OffsetDateTime>) = emails_query().get_result(&mut DATABASE.connection()).unwrap();
    assert_eq!(depth, (i64::from(MAX_COUNTED), Some(datetime!(2025-01-01 00:00 UTC))));
}
