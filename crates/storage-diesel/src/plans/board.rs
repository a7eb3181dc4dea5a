//! Query plans of the boards of deals and of tasks.

use diesel::connection::SimpleConnection;
use domain::ProjectId;
use domain::crm::deals::{BOARD_CARDS, Deal, DealFilter, DealStage, DealStatus};
use domain::kernel::IssueKind;
use domain::work::issues::{Issue, IssueFilter, IssueGroup, IssueStatus};

use super::{
    BIG, DATABASE, NEW, PAGE, ROWS, SMALL, check_both_in, check_generic_in, check_in, never_analysed, pages, seeded,
};
use crate::crm::{board, deals};
use crate::records::ListedTable;
use crate::work::issues;

#[test]
fn a_column_reads_its_page_of_open_deals() {
    for database in [&*DATABASE, &*NEW] {
        for page in pages() {
            for stages in [vec![DealStage::Proposal], vec![DealStage::Discovery, DealStage::Negotiation]] {
                let most = PAGE * u32::try_from(stages.len()).unwrap();
                let status = vec![DealStatus::Open].into();
                let filter = DealFilter { status, stage: stages.into(), ..DealFilter::default() };
                for workspace in [BIG, SMALL] {
                    let sql = Deal::list_query(workspace, &filter, &page);
                    check_both_in(database, sql, "deals_on_board", most);
                }
            }
        }
    }
}

#[test]
fn a_board_reads_the_heads_of_its_columns() {
    for database in [&*DATABASE, &*NEW] {
        for workspace in [BIG, SMALL] {
            for index in ["deals_on_board", "deals_by_stage"] {
                check_in(database, deals::first_of_stages_query(workspace), index, 6 * (BOARD_CARDS + 1));
            }
        }
        check_generic_in(database, &deals::first_of_stages_query(BIG), "deals_on_board");
    }
}

#[test]
fn a_column_of_a_project_reads_its_page_and_its_progress_one_index() {
    let project_id = Some(ProjectId(seeded(BIG, 3)));
    for database in [&*DATABASE, &*NEW] {
        for page in pages() {
            for status in [IssueStatus::Todo, IssueStatus::InReview] {
                let filter =
                    IssueFilter { project_id, status: vec![status].into(), ..IssueFilter::all(IssueKind::Task) };
                let sql = Issue::list_query(BIG, &filter, &page);
                check_both_in(database, sql, "issues_by_project_and_status", PAGE);
            }
        }
    }
    let filter = IssueFilter { project_id, ..IssueFilter::all(IssueKind::Task) };
    let sql = issues::summary_query(BIG, &filter, &[IssueGroup::Status]);
    check_in(&DATABASE, sql, "issues_by_project_and_status", ROWS / 10);
}

/// Totals and changes of many workspaces, ten each for the large one.
const FULL: &str = "
    INSERT INTO deal_totals SELECT md5(n::text)::uuid, 'proposal', 'open', 'USD', 1, 1 FROM generate_series(1, 20000) n;
    INSERT INTO deal_total_changes (workspace_id, stage, status, currency, deals, value)
        SELECT md5(n::text)::uuid, 'proposal', 'open', 'USD', 1, 1 FROM generate_series(1, 20000) n;
    INSERT INTO deal_totals SELECT '{big}', 'proposal', 'open', chr(n), 1, 1 FROM generate_series(65, 74) n;
    INSERT INTO deal_total_changes (workspace_id, stage, status, currency, deals, value)
        SELECT '{big}', 'proposal', 'open', chr(n), 1, 1 FROM generate_series(65, 74) n";

#[test]
fn totals_are_read_and_folded_by_their_keys() {
    let database = never_analysed(&FULL.replace("{big}", &BIG.to_string()));
    for analysed in [false, true] {
        if analysed {
            database.connection().batch_execute("VACUUM ANALYZE deal_totals, deal_total_changes").unwrap();
        }
        for index in ["deal_total_changes_pkey", "deal_totals_pkey"] {
            check_both_in(&database, board::totals_query(BIG), index, 20);
        }
        check_in(&database, board::fold_query(100), "deal_total_changes_pkey", 100);
    }
}
