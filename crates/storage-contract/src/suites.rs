//! All cases, by area.

/// Makes one `#[test]` of each case, in one module per area. Takes the names of functions in scope that make a
/// [`StoreUnderTest`](crate::StoreUnderTest) and run one case on it: `fn(impl AsyncFnOnce(&StoreUnderTest))`; and, for queues, which
/// cross workspaces, on a separate database: `fn(impl AsyncFnOnce(&StoreUnderTest, &dyn EmailQueue))` and the same with
/// `&dyn DeliveryQueue`.
#[macro_export]
macro_rules! port_suite {
    ($ports:ident, $emails:ident, $deliveries:ident) => {
        $crate::suite! { $ports
            accounts { a_user_is_found_with_their_memberships, a_new_password_ends_all_sessions,
                a_change_in_a_session_is_checked_again, a_first_password_is_set_once, a_reset_is_used_once, pruning_is_bounded }
            api_keys { active_keys_are_counted, a_key_is_found_with_its_workspace_in_any_state, revocation_is_kept,
                a_save_keeps_permissions_and_last_use, pages_run_from_the_newest_to_the_oldest, a_key_round_trips,
                the_calls_of_a_trial_are_counted, every_preset_and_scope_is_kept,
                the_active_keys_of_a_user_are_listed_and_revoked }
            audit { pages_run_from_the_newest_to_the_oldest, each_filter_works, the_service_is_refused_nothing,
                all_fields_round_trip, routine_entries_beyond_the_bound_are_counted,
                protected_actions_beyond_the_bound_are_refused }
            batches { keys_find_live_records, a_duplicate_fails_the_batch, every_field_is_written, batches_are_found_by_search }
            board { totals_follow_every_change, totals_equal_a_count, columns_begin_with_the_newest, totals_are_per_workspace }
            burn_ups { a_burn_up_follows_every_change, days_before_and_after_are_cut }
            cascades { records_deleted_with_a_project_are_announced, an_interrupted_announcement_resumes,
                a_restoration_ends_an_unfinished_deletion, records_deleted_alone_are_not_announced_with_a_project,
                records_changed_since_their_restoration_are_not_announced, an_erased_record_is_announced_without_content }
            changes { lists_run_from_the_oldest_change_to_the_latest, lists_of_issues_run_from_the_oldest_change_to_the_latest,
                the_earliest_event_after_a_position_is_found, a_change_that_is_committed_late_is_read }
            comment_search { issues_are_found_by_one_comment, filters_and_pages_hold, words_follow_their_comment,
                records_of_the_crm_are_found_by_comments, a_search_over_all_kinds_shows_the_comment,
                the_latest_comments_come_first, records_without_the_words_have_the_latest_comment }
            comments { pages_run_from_the_oldest_to_the_newest, only_live_issues_show_comments, an_edit_is_stored,
                removal_happens_once, times_of_messages_tell_whose_turn_it_is, all_fields_round_trip,
                the_end_of_a_conversation_is_read }
            cycles { numbers_are_remembered, overlaps_share_a_day, counts_are_of_live_issues,
                pages_run_from_the_newest_to_the_oldest, deletion_happens_once, cycles_and_tasks_are_deleted_with_their_project,
                all_fields_round_trip, a_save_writes_every_field, live_issues_of_a_cycle_are_found }
            deals { each_filter_works, deals_are_filtered_by_days_of_closing, deals_are_found_by_words_tags_and_ids,
                deals_are_listed_by_value, filters_combine, amounts_are_exact, times_keep_microseconds }
            declared_members { every_member_is_stored }
            deliveries { events_reach_matching_subscriptions, each_filter_works, pages_run_from_the_newest_to_the_oldest,
                a_delivery_is_fixed_when_it_is_queued, a_test_delivery_round_trips }
            erasures { a_record_is_erased_with_its_events, an_erasure_is_done_in_steps, due_records_are_erased,
                deleted_records_are_found_and_restored, records_deleted_with_a_project_are_restored }
            event_following { a_window_describes_its_part_of_the_log, a_scan_finds_matches_in_its_part_of_the_log,
                a_scan_leaves_out_an_actor }
            event_log { all_fields_round_trip, positions_have_no_gaps, a_later_commit_has_a_later_position,
                logs_are_per_workspace, events_since_a_time_come_after_its_position, a_history_runs_from_the_newest_to_the_oldest,
                a_history_is_of_one_record_and_its_comments, a_large_history_is_read_in_parts }
            filters { contacts_are_found_by_each_filter, companies_are_found_by_each_filter, projects_are_found_by_each_filter,
                issues_are_found_by_each_filter, tickets_are_found_by_reference_and_requester }
            first_minutes { a_link_is_found_and_used_once, a_session_is_alive_in_any_workspace, all_sessions_of_a_user_end,
                a_user_without_a_password_begins_a_session, nothing_is_set_up_twice,
                first_steps_count_from_the_creation_of_the_demo }
            home { waiting_records_come_in_order, waiting_records_are_limited, changes_come_with_titles }
            idempotency { a_key_belongs_to_credential_route_and_workspace, old_responses_are_ignored,
                a_stored_response_round_trips, pruning_is_bounded, stored_bytes_are_limited_per_workspace }
            imports { progress_advances_from_its_current_state, written_records_are_stored_until_an_import_ends,
                surplus_unfinished_imports_end, imports_are_removed_with_their_refused_rows, the_newest_imports_are_kept }
            isolation { no_workspace_reaches_the_work_of_another, no_list_of_access_shows_another_workspace,
                no_change_of_access_reaches_another_workspace }
            issue_lists { each_filter_works, filters_combine, pages_run_from_the_newest_to_the_oldest, tickets_are_listed_by_turn,
                messages_after_the_reading_position_are_unread, waiting_tickets_are_counted }
            issues { numbers_rise_by_kind_and_workspace, a_reference_collision_is_contention, locking_finds_live_issues_only,
                deletion_happens_once, ancestors_follow_one_relation, all_fields_of_a_task_round_trip,
                all_fields_of_a_ticket_round_trip, many_are_saved_at_once, children_are_subtasks_and_issues_of_the_epic }
            kb { only_live_articles_of_the_workspace_are_found, published_articles_are_found_by_their_words,
                an_article_is_found_by_what_its_reader_sees, the_best_come_first, words_of_any_script_are_found,
                long_articles_are_shown_without_marks, hostile_texts_do_no_harm, a_language_can_change }
            kb_lists { slugs_of_other_live_articles_are_taken, articles_are_found_by_words_status_and_tags,
                published_articles_are_listed_and_found_by_their_slug }
            kb_vain { searches_without_results_are_counted }
            kinds { deletion_happens_once, values_are_unique_among_live_records, addresses_are_the_same_in_any_case,
                pages_run_from_the_newest_to_the_oldest, records_are_per_workspace, records_are_found_by_id_and_time_of_creation,
                all_fields_round_trip, a_save_writes_every_field }
            members { found_by_address, a_user_is_added_once, only_active_members_are_referred_to, a_profile_is_given_once,
                an_invitation_is_used_once, pages_run_from_the_newest_to_the_oldest, an_account_is_changed,
                recipients_are_active_members, all_fields_round_trip, owners_are_the_active_ones, those_who_joined_are_listed,
                addresses_and_names_are_of_the_workspace }
            named { records_are_found_by_name, projects_are_found_by_name }
            operators { the_flag_of_operators_is_kept, a_transaction_enters_another_workspace, workspaces_are_searched,
                a_due_workspace_is_erased }
            people { drafts_round_trip, an_answer_and_a_note_are_separate_drafts, drafts_are_bounded, a_draft_becomes_a_comment,
                drafts_are_erased_with_their_record, a_crossing_answer_is_held_back, people_see_who_else_is_there,
                presence_is_bounded }
            person_erasures { an_erasure_covers_all_data_of_a_person_and_nothing_else,
                unfinished_erasures_are_found_in_order_and_all_are_listed }
            quota { a_month_has_exactly_its_limit, a_rollback_undoes_the_count, months_and_workspaces_are_independent,
                records_from_before_are_counted, another_version_takes_nothing, requests_add_up_by_day,
                last_use_moves_once_a_minute, last_use_of_a_session_moves_once_a_minute, several_are_taken_up_to_the_limit,
                a_lowered_limit_is_not_passed, a_month_can_be_begun_before_anything_is_taken,
                large_batches_of_activity_are_written }
            record_comments { edits_and_removals_are_stored, pages_run_from_the_oldest_to_the_newest,
                only_live_records_of_the_workspace_show_comments, all_fields_round_trip }
            record_search { records_of_all_kinds_are_found, the_newest_of_a_kind_are_found, records_and_people_have_names,
                private_records_have_no_names, a_record_of_any_kind_is_found_by_its_id }
            references { live_records_of_the_workspace_are_found, cycles_of_their_own_project, issues_of_their_kind,
                referring_records_are_counted, unique_values_find_their_live_record }
            saved_views { a_member_sees_their_own_and_shared_views, all_fields_round_trip }
            search { records_are_found_by_the_starts_of_words, changed_words_are_found }
            second_factors { only_the_expected_version_is_changed, a_session_says_whether_its_user_has_one,
                all_fields_round_trip, a_switch_is_audited_mailed_and_propagated, a_challenge_round_trips_and_is_removed_once,
                the_pending_step_of_a_challenge_round_trips, tries_are_counted_up_to_a_bound, surplus_challenges_end,
                a_new_password_withdraws_challenges_and_pauses, expired_challenges_are_pruned }
            sessions { a_session_is_found_with_its_user, only_active_members_with_their_password_begin_one,
                a_former_member_has_no_session, sessions_end_one_by_one_and_together,
                a_user_lists_and_ends_sessions_in_all_workspaces, surplus_sessions_end, sign_ins_are_remembered_across_workspaces,
                the_latest_sign_ins_are_kept }
            sorted_lists { deals_are_sorted_by_each_field, contacts_and_companies_are_sorted_by_name,
                projects_are_sorted_by_each_field, issues_are_sorted_by_each_field, articles_are_sorted_by_creation,
                totals_cover_the_filtered_records }
            subscriptions { a_group_is_found_by_any_of_its_subscriptions, deletion_cancels_what_is_queued,
                pages_run_from_the_newest_to_the_oldest, lists_are_limited_to_the_reach, records_are_per_workspace,
                all_fields_round_trip, a_save_writes_every_field }
            tickets { a_save_keeps_the_requester, each_filter_works, pages_run_from_the_newest_to_the_oldest,
                the_newest_public_comments_are_shown, contacts_are_found_by_their_address,
                a_requested_link_is_found_while_it_is_unused, a_link_is_used_once, a_session_is_found_with_its_workspace,
                a_deleted_ticket_ends_its_links_and_sessions, records_are_per_workspace, all_fields_round_trip }
            time_entries { each_filter_works, lists_run_from_day_to_day, the_running_timer_of_a_member_is_found,
                entries_overlap_if_they_share_a_moment, time_counts_towards_project_and_company,
                statuses_are_saved_at_once, time_is_added_up_by_one_or_two_members, rates_are_shown_to_whom_they_are_for,
                the_rate_of_a_project_comes_before_the_general_one, rates_are_bounded,
                workspaces_with_forgotten_timers_are_found }
            timers { a_member_has_one_timer, forgotten_timers_stop, two_starts_at_once_leave_one_timer,
                two_writers_make_no_overlap, the_database_refuses_a_second_timer, a_restored_entry_overlaps_no_other }
            transactions { a_broken_rule_undoes_everything, a_store_error_undoes_everything, a_contended_job_runs_again,
                contention_ends_after_a_few_runs, a_transaction_sees_its_own_changes }
            undos { an_undo_belongs_to_its_member, undos_of_a_member_are_bounded, expired_undos_are_pruned }
            workspaces { found_by_slug_and_by_id, a_slug_is_taken_once, a_workspace_begins_with_an_audit_entry,
                an_existing_user_joins_another_workspace, the_store_is_available, every_plan_and_status_is_kept,
                a_save_writes_every_field, workspaces_are_listed_by_slug }
        }
        $crate::suite! { $emails
            email { an_email_round_trips, queued_emails_are_limited_per_workspace, workspaces_take_turns, leases_and_waits_end,
                released_items_are_due_immediately, a_clock_that_was_ahead_delays_no_email, pruning_is_bounded }
            email_limits { emails_per_hour_are_limited, emails_to_a_mailbox_are_limited, each_purpose_has_its_own_limit,
                several_are_counted_together, comments_are_added_to_the_open_email, parts_beyond_the_bound_are_left_out,
                parts_of_several_emails_are_added_together, parts_are_withdrawn, an_open_email_is_discarded,
                the_subject_depends_on_the_number_of_parts, counts_are_pruned }
            email_lists { operators_see_emails_without_their_texts, lists_are_newest_first, a_waiting_email_is_made_due,
                all_waiting_emails_are_made_due }
            link_requests { requests_are_taken_in_order, a_claimed_request_is_due_again_after_its_lease,
                a_clock_that_was_ahead_delays_no_link, waiting_requests_are_limited, waiting_requests_are_limited_per_network,
                networks_take_turns, requests_that_match_nothing_are_dropped_together, a_recent_link_answers_repeated_requests,
                a_request_completes_with_its_result, a_reset_is_stored_with_its_email, a_ticket_gets_one_email,
                emails_per_ticket_are_limited, a_request_that_matches_nothing_sends_no_email, an_expired_request_sends_no_email,
                a_failing_request_does_not_block_others }
        }
        $crate::suite! { $deliveries
            queue { a_claim_has_everything_for_sending, only_due_deliveries_are_claimed, subscriptions_take_turns,
                excluded_subscriptions_are_skipped, a_subscription_has_one_dispatcher, leases_end, late_records_change_nothing,
                verdicts_are_carried_out, failing_begins_and_ends, released_items_are_due_immediately,
                a_disabled_subscription_waits, a_deleted_subscription_gets_nothing, a_subscription_failing_for_days_is_disabled,
                pruning_is_bounded }
            queue_backlog { deliveries_over_the_limit_are_queued_in_order, a_late_delivery_has_the_bytes_of_its_event,
                late_events_go_to_subscriptions_that_matched, a_disabled_subscription_takes_no_room,
                backlogs_are_per_workspace_and_end, a_late_backlog_is_delivered, deliveries_of_disabled_subscriptions_end }
            replays { the_past_is_queued_once_and_in_order, a_replay_leaves_room_for_new_events,
                only_failed_events_are_queued_again, a_replay_follows_its_subscription, a_replay_is_cancelled,
                replays_are_listed_and_pruned }
            webhook_upkeep { a_redelivery_is_the_same_delivery, a_redelivery_in_flight_is_followed_by_an_attempt,
                expired_deliveries_fail_without_an_attempt, a_clock_that_was_ahead_delays_nothing, failures_are_reported_once,
                makers_end, deliveries_are_summed_up_by_period }
        }
    };
}

/// One list of cases.
#[macro_export]
macro_rules! suite {
    ($run:ident $($area:ident { $($case:ident),* $(,)? })*) => { $(
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
