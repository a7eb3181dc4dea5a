//! The port tests: one suite that every store must pass, so that stores cannot drift apart.
//!
//! A case takes a [`StoreUnderTest`] and creates its own workspaces, members and keys. Cases may share a database and
//! run concurrently, as long as ids and randomness differ between them. [`port_suite!`](crate::port_suite) makes one
//! test of each case:
//!
//! ```text
//! fn on_my_store(case: impl AsyncFnOnce(&StoreUnderTest)) {
//!     let runtime = …;
//!     runtime.block_on(async { case(&StoreUnderTest { ports: …, clock: … }).await });
//! }
//! storage_contract::port_suite!(on_my_store);
//! ```
#![expect(clippy::unwrap_used, clippy::missing_panics_doc, reason = "all of this is tests: they fail by panicking")]

pub mod accounts;
pub mod api_keys;
pub mod audit;
pub mod batches;
pub mod board;
mod broken_store;
pub mod burn_ups;
pub mod changes;
pub mod comments;
pub mod companies;
pub mod contacts;
pub mod cycles;
pub mod deal_lists;
pub mod deals;
pub mod declared_members;
pub mod deliveries;
pub mod email;
pub mod email_limits;
pub mod email_lists;
pub mod erasures;
pub mod event_following;
pub mod event_log;
pub mod filters;
pub mod first_minutes;
pub mod home;
pub mod idempotency;
pub mod imports;
pub mod isolation;
pub mod issue_lists;
pub mod issues;
pub mod kb;
pub mod kb_lists;
pub mod kb_published;
pub mod kb_vain;
pub mod link_requests;
#[cfg(test)]
mod listed_cases;
pub mod members;
pub mod operators;
mod paging;
pub mod people;
pub mod person_erasures;
pub mod projects;
pub mod queue;
pub mod queue_backlog;
pub mod quota;
pub mod record_comments;
pub mod record_search;
mod records;
pub mod references;
pub mod replays;
pub mod saved_views;
pub mod search;
pub mod second_factors;
pub mod sessions;
pub mod subscriptions;
pub mod tickets;
pub mod transactions;
mod users;
mod webhook_records;
pub mod webhook_upkeep;
mod work_records;
mod workspace_fixture;
pub mod workspaces;

pub use workspace_fixture::{PASSWORD, TestWorkspace};

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use domain::Error;
use domain::ports::{Ports, StoreError};
use domain::testing::ManualClock;

/// Held by cases that prune by date: that deletes also what others made for an earlier one. Waiting for it blocks the thread, which is the
/// case's own: the in-memory store is tested without a runtime.
struct Pruning {
    _held: MutexGuard<'static, ()>,
}

impl Pruning {
    fn alone() -> Self {
        static HELD: Mutex<()> = Mutex::new(());
        Self { _held: HELD.lock().unwrap_or_else(PoisonError::into_inner) }
    }
}

/// The store that the cases run against.
#[derive(Debug)]
pub struct StoreUnderTest {
    pub ports: Ports,
    pub clock: Arc<ManualClock>,
}

/// The field of a duplicate.
pub fn taken<T: std::fmt::Debug>(result: Result<T, Error>) -> &'static str {
    match result {
        Err(Error::Store(StoreError::Duplicate { field }) | Error::Duplicate { field, .. }) => field,
        other => panic!("expected a duplicate, got {other:?}"),
    }
}

/// Makes one `#[test]` of each case of the suite, in one module per area. Takes the name of a function in scope that
/// makes a [`StoreUnderTest`](crate::StoreUnderTest) and runs one case on it: `fn(impl AsyncFnOnce(&StoreUnderTest))`.
#[macro_export]
macro_rules! port_suite {
    ($run:ident) => {
        $crate::port_suite! { @modules $run
            accounts {
                a_user_is_found_with_their_memberships, a_new_password_ends_all_sessions, a_change_in_a_session_is_checked_again, a_first_password_is_set_once, a_reset_is_used_once,
                changes_are_seen_when_they_are_committed, pruning_is_bounded,
            }
            api_keys {
                a_key_round_trips, a_key_is_found_with_its_workspace_whatever_its_state,
                the_calls_of_a_trial_are_counted, revocation_is_kept, a_save_leaves_the_rest_alone, every_preset_and_scope_is_kept,
                pages_run_from_the_newest_to_the_oldest, active_keys_are_counted, the_active_keys_of_a_user_are_listed_and_revoked,
            }
            audit {
                all_members_round_trip, an_entry_commits_with_its_action, pages_run_from_the_newest_to_the_oldest,
                each_filter_works, routine_entries_beyond_the_bound_are_counted, protected_actions_beyond_the_bound_are_refused, the_service_is_refused_nothing,
            }
            batches {
                every_member_is_written, what_is_written_is_found_by_search, keys_find_live_records, a_duplicate_fails_the_batch,
            }
            board {
                totals_follow_every_change, totals_equal_a_count, totals_are_per_workspace, columns_begin_with_the_newest,
            }
            changes {
                lists_run_from_the_oldest_change_to_the_latest, lists_of_issues_run_from_the_oldest_change_to_the_latest,
                the_earliest_event_behind_a_position_is_found, a_change_that_is_committed_late_is_read,
            }
            burn_ups {
                a_burn_up_follows_what_happens, days_before_and_after_are_cut,
            }
            comments {
                all_members_round_trip, pages_run_from_the_oldest_to_the_newest, only_live_issues_show_comments,
                the_end_of_a_conversation_is_read,
                an_edit_is_stored, removal_happens_once,
            }
            companies {
                all_members_round_trip, a_save_writes_every_member, domain_and_external_id_are_unique_among_live_ones,
                deletion_happens_once, pages_run_from_the_newest_to_the_oldest, each_filter_works,
            }
            contacts {
                all_members_round_trip, a_save_writes_every_member, deletion_happens_once,
                email_is_unique_without_regard_to_case, external_id_is_unique_among_live_ones,
                each_filter_works, pages_run_from_the_newest_to_the_oldest,
            }
            cycles {
                all_members_round_trip, numbers_are_remembered, overlaps_share_a_day,
                counts_are_of_live_issues, pages_run_from_the_newest_to_the_oldest, a_save_writes_every_member,
                deletion_happens_once, live_issues_of_a_cycle_are_found,
            }
            deals {
                all_members_round_trip, amounts_are_exact, custom_fields_round_trip, times_keep_microseconds,
                a_save_writes_every_member, external_id_is_unique_among_live_ones, deletion_happens_once,
            }
            deal_lists {
                each_filter_works, filters_combine, pages_run_from_the_newest_to_the_oldest,
                deals_are_found_by_words_tags_and_ids, deals_are_listed_by_value,
            }
            erasures {
                a_record_is_erased_with_its_events, an_erasure_is_done_in_steps, what_is_due_is_erased,
                deleted_records_are_found_and_restored, what_was_deleted_with_a_project_comes_back,
            }
            event_following {
                a_window_says_what_there_is, a_scan_finds_what_matches_in_its_part, a_time_is_found,
            }
            first_minutes {
                a_link_is_found_and_used_once, a_session_is_alive_in_any_workspace, all_sessions_of_a_user_end,
                a_user_without_a_password_begins_a_session, nothing_is_set_up_twice, first_steps_are_counted_from_the_demo_on,
            }
            filters {
                contacts_are_found_by_each_filter, projects_are_found_by_each_filter, issues_are_found_by_each_filter,
                tickets_are_found_by_reference_and_requester,
            }
            declared_members {
                of_companies_are_stored, of_contacts_are_stored, of_deals_are_stored, of_projects_are_stored,
                of_issues_are_stored, of_articles_are_stored, upserts_store_what_creates_and_updates_store,
            }
            deliveries {
                events_reach_matching_subscriptions, a_delivery_is_fixed_when_it_is_queued,
                a_test_delivery_round_trips, what_is_rolled_back_is_not_queued, each_filter_works,
                pages_run_from_the_newest_to_the_oldest,
            }
            event_log {
                all_members_round_trip, positions_have_no_gaps, a_later_commit_has_a_later_position,
                what_is_rolled_back_leaves_nothing, logs_are_per_workspace, a_time_gives_a_position,
                a_history_runs_from_the_newest_to_the_oldest, a_history_is_of_one_record_and_its_comments,
                a_large_history_is_read_in_parts,
            }
            home {
                what_waits_comes_in_order, what_waits_is_bounded, changes_come_with_titles,
            }
            idempotency {
                a_stored_response_round_trips, a_key_belongs_to_credential_route_and_workspace,
                old_responses_are_ignored, nothing_is_stored_after_a_rollback, pruning_is_bounded,
                stored_bytes_are_limited_per_workspace,
            }
            isolation {
                no_getter_shows_another_workspace, no_list_shows_another_workspace,
                no_change_reaches_another_workspace, no_list_of_access_shows_another_workspace,
                no_change_of_access_reaches_another_workspace,
            }
            imports {
                progress_moves_from_where_it_stands, imports_are_removed_with_what_they_refused, the_newest_imports_are_kept,
            }
            issues {
                all_members_of_a_task_round_trip, all_members_of_a_ticket_round_trip, numbers_rise_by_kind_and_workspace,
                a_reference_collision_is_contention, many_are_saved_at_once, locking_finds_live_issues_only,
                deletion_happens_once, ancestors_follow_one_relation,
                those_below_are_its_parts_and_those_of_its_epic,
            }
            issue_lists {
                waiting_tickets_are_counted,
                kinds_never_mix, each_filter_works, filters_combine, pages_run_from_the_newest_to_the_oldest,
            }
            kb {
                all_members_round_trip, a_save_writes_every_member, slugs_are_unique_among_live_ones, deletion_happens_once,
                pages_run_from_the_newest_to_the_oldest, published_articles_are_found_by_their_words, the_best_come_first,
                words_of_any_script_are_found, long_articles_are_shown_without_marks,
                hostile_texts_do_no_harm, a_language_can_change, records_are_per_workspace,
                an_article_is_found_by_what_its_reader_sees,
            }
            kb_lists {
                articles_are_found_by_words_status_and_tags,
            }
            kb_published {
                published_articles_are_listed_and_found_by_their_slug,
            }
            kb_vain {
                searches_in_vain_are_counted,
            }
            members {
                all_members_round_trip, found_by_address, a_user_is_added_once, only_active_members_are_referred_to,
owners_are_the_active_ones, those_who_joined_are_listed, addresses_and_names_are_of_the_workspace, a_profile_is_given_once, an_invitation_is_used_once, pages_run_from_the_newest_to_the_oldest, an_account_is_changed, recipients_are_active_members,
            }
            operators {
                the_flag_of_operators_is_kept, a_transaction_enters_another_workspace, workspaces_are_searched,
                a_due_workspace_is_erased,
            }
            people {
                drafts_round_trip, an_answer_and_a_note_are_drafts_of_their_own, drafts_are_bounded,
                a_draft_becomes_a_comment, drafts_are_erased_with_their_record, a_crossing_answer_is_held_back, people_see_who_else_is_there, presence_is_bounded,
            }
            person_erasures {
                an_erasure_takes_all_of_a_person_and_nothing_of_others, unfinished_erasures_are_found_in_order_and_all_are_listed,
            }
            projects {
                all_members_round_trip, a_save_writes_every_member, external_id_is_unique_among_live_ones,
                deletion_takes_cycles_and_tasks_along, pages_run_from_the_newest_to_the_oldest,
            }
            quota {
                a_month_has_exactly_its_limit, a_lowered_limit_is_not_passed, a_rollback_undoes_the_count,
                months_and_workspaces_are_apart, records_from_before_are_counted, another_version_takes_nothing, a_month_can_be_begun_before_anything_is_taken, several_are_taken_up_to_the_limit,
                requests_add_up_by_day, last_use_moves_once_a_minute, last_use_of_a_session_moves_once_a_minute, large_batches_of_activity_are_written,
            }
            record_comments {
                all_members_round_trip, edits_and_removals_are_stored, pages_run_from_the_oldest_to_the_newest,
                only_live_records_of_the_workspace_show_comments,
            }
            record_search {
                records_of_all_kinds_are_found, the_newest_of_a_kind_are_found, records_and_people_have_names,
            }
            references {
                companies_and_contacts, deals_and_projects, cycles_of_their_own_project, issues_of_their_kind,
                members_of_the_workspace, results_are_in_the_order_of_the_references, many_at_once, unique_values_find_their_live_record,
            }
            saved_views {
                all_members_round_trip, a_member_sees_their_own_and_shared_views,
            }
            search {
                contacts_are_found_by_the_starts_of_words, companies_are_found_by_the_starts_of_words,
                issues_are_found_by_the_starts_of_words, hostile_texts_do_no_harm,
            }
            second_factors {
                all_members_round_trip, only_the_expected_version_is_changed, a_switch_is_audited_mailed_and_noticed,
                a_session_says_whether_its_user_has_one, a_challenge_round_trips_and_is_removed_once,
                what_a_challenge_waits_for_round_trips,
                tries_are_counted_up_to_a_bound, surplus_challenges_end, a_new_password_withdraws_challenges_and_pauses,
                expired_challenges_are_pruned,
            }
            sessions {
                a_session_is_found_with_its_user, only_active_members_with_their_password_begin_one,
                a_former_member_has_no_session, sessions_end_one_by_one_and_together,
                a_user_lists_and_ends_sessions_in_all_workspaces, surplus_sessions_end,
                sign_ins_are_remembered_across_workspaces, the_latest_sign_ins_are_kept,
            }
            subscriptions {
                all_members_round_trip, a_save_writes_every_member, deletion_cancels_what_is_queued,
                pages_run_from_the_newest_to_the_oldest, lists_end_at_the_reach, records_are_per_workspace,
            }
            tickets {
                all_members_round_trip, a_reference_collision_is_contention, each_filter_works,
                pages_run_from_the_newest_to_the_oldest, the_newest_public_comments_are_shown,
                contacts_are_found_by_their_address, a_link_is_used_once,
                a_requested_link_is_found_while_it_is_unused, a_session_is_found_with_its_workspace,
                a_deleted_ticket_ends_its_links_and_sessions, records_are_per_workspace,
            }
            transactions {
                a_broken_rule_undoes_everything, a_store_error_undoes_everything, a_contended_job_runs_again,
                contention_ends_after_a_few_runs, a_transaction_sees_its_own_changes,
            }
            workspaces {
                found_by_slug_and_by_id, a_slug_is_taken_once, every_plan_and_status_is_kept,
                a_save_writes_every_member, a_workspace_begins_with_an_audit_entry, workspaces_are_listed_by_slug,
                an_existing_user_joins_another_workspace, the_store_is_available,
            }
        }
    };
    (@modules $run:ident $($area:ident { $($case:ident),* $(,)? })*) => { $(
        mod $area {
            use super::$run;

            $(
                #[test]
                fn $case() {
                    $run($crate::$area::$case);
                }
            )*
        }
    )* };
}

/// Like `port_suite!`, for the delivery queue, which crosses workspaces: each case needs a store of its own. Takes
/// `fn(impl AsyncFnOnce(&StoreUnderTest, &dyn DeliveryQueue))`.
#[macro_export]
macro_rules! queue_suite {
    ($run:ident) => {
        $crate::port_suite! { @modules $run
            queue {
                a_claim_has_everything_for_sending, only_what_is_due_is_claimed, subscriptions_take_turns,
                excluded_subscriptions_are_skipped, a_subscription_has_one_dispatcher, leases_end,
                late_records_change_nothing, verdicts_are_carried_out, failing_begins_and_ends,
                released_items_are_due_immediately, a_disabled_subscription_waits, a_deleted_subscription_gets_nothing,
                a_subscription_failing_for_days_is_disabled, pruning_is_bounded,
            }
            queue_backlog {
                what_finds_no_room_follows_in_order, a_late_delivery_has_the_bytes_of_its_event,
                those_that_matched_get_late_events, a_disabled_subscription_takes_no_room,
                backlogs_are_per_workspace_and_end, a_late_backlog_is_delivered, waiting_for_nobody_ends,
            }
            replays {
                the_past_is_queued_once_and_in_order, a_replay_leaves_room_for_new_events, only_what_failed_is_queued_again,
                a_replay_follows_its_subscription, a_replay_is_cancelled, replays_are_listed_and_pruned,
            }
            webhook_upkeep {
                a_redelivery_is_the_same_delivery, what_expired_fails_without_an_attempt, failures_are_told_once, makers_end,
                deliveries_are_summed_up_by_period, a_clock_that_was_ahead_delays_nothing,
            }
        }
    };
}

/// Like `port_suite!`, for the e-mail queue and link requests. Takes
/// `fn(impl AsyncFnOnce(&StoreUnderTest, &dyn EmailQueue))`.
#[macro_export]
macro_rules! email_suite {
    ($run:ident) => {
        $crate::port_suite! { @modules $run
            email {
                an_email_round_trips, an_email_commits_with_its_cause,
                queued_emails_are_limited_per_workspace, workspaces_take_turns,
                leases_and_waits_end, released_items_are_due_immediately, pruning_is_bounded, a_clock_that_was_ahead_delays_no_email,
            }
            email_limits {
                emails_per_hour_are_limited, emails_to_a_mailbox_are_limited, each_purpose_has_its_own_limit,
                several_are_counted_together, counts_return_with_a_rollback, counts_are_pruned,
                comments_are_added_to_the_open_email, parts_beyond_the_bound_are_left_out,
                parts_of_several_emails_are_added_together, parts_are_taken_back, an_open_email_is_discarded,
                the_subject_depends_on_the_number_of_parts,
            }
            email_lists {
                operators_see_emails_without_their_texts, lists_are_newest_first, a_waiting_email_is_made_due,
                all_waiting_emails_are_made_due,
            }
            link_requests {
                requests_are_taken_in_order, a_claimed_request_is_due_again_after_its_lease, waiting_requests_are_limited,
                a_request_completes_with_its_result, a_reset_is_stored_with_its_email, a_ticket_gets_one_email,
                emails_per_ticket_are_limited, a_request_that_matches_nothing_sends_no_email, an_expired_request_sends_no_email,
                a_failing_request_does_not_block_others, waiting_requests_are_limited_per_network, networks_take_turns,
                requests_that_match_nothing_are_dropped_together, a_link_that_was_just_mailed_stands_in, a_clock_that_was_ahead_delays_no_link,
            }
        }
    };
}
