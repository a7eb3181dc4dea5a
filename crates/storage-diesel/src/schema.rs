//! The tables, as far as diesel's DSL needs them; `migrations/` has the full schema.
#![expect(unreachable_pub, reason = "diesel's macros make public what they declare")]

pub mod requester;

/// Postgres types that diesel does not have.
pub mod types {
    /// A sorted set of lexemes.
    #[derive(Debug, Clone, Copy, diesel::sql_types::SqlType, diesel::query_builder::QueryId)]
    #[diesel(postgres_type(oid = 3614, array_oid = 3643))]
    pub struct Tsvector;
}

diesel::define_sql_function! {
    /// 1 for a value, and 0 for NULL.
    fn num_nonnulls(value: diesel::sql_types::Nullable<diesel::sql_types::Timestamptz>) -> diesel::sql_types::Integer;
}

diesel::define_sql_function! {
    /// Lexemes as a tsvector, without positions.
    fn array_to_tsvector(lexemes: diesel::sql_types::Array<diesel::sql_types::Text>) -> types::Tsvector;
}

diesel::define_sql_function! {
    /// The search columns of an article: built from language, title, tags and the text of the body.
    fn kb_words(
        language: diesel::sql_types::Text,
        title: diesel::sql_types::Text,
        tags: diesel::sql_types::Array<diesel::sql_types::Text>,
        body: diesel::sql_types::Nullable<diesel::sql_types::Text>,
    ) -> types::Tsvector;
}

diesel::table! {
    use diesel::sql_types::{Array, BigInt, Bool, Nullable, Text, Timestamptz, Uuid};
    use super::types::Tsvector;

    workspaces (id) {
        id -> Uuid,
        slug -> Text,
        name -> Text,
        plan -> Text,
        status -> Text,
        default_currency -> Text,
        created_at -> Timestamptz,
        version -> BigInt,
        updated_at -> Timestamptz,
        widget_enabled -> Bool,
        widget_origins -> Array<Text>,
        help_centre_enabled -> Bool,
        requests_per_minute -> Nullable<BigInt>,
        crm_quota_per_month -> Nullable<BigInt>,
        public_tickets_per_hour -> Nullable<BigInt>,
        public_fetches_per_minute -> Nullable<BigInt>,
        public_kb_searches_per_minute -> Nullable<BigInt>,
        kb_language -> Text,
        allowed_networks -> Array<Text>,
        require_second_factor -> Bool,
        emails_per_hour -> Nullable<BigInt>,
        event_bytes_per_day -> Nullable<BigInt>,
        notify_requesters -> Nullable<Bool>,
        search -> Tsvector,
        erase_at -> Nullable<Timestamptz>,
        erasing -> Bool,
        help_centre_pictures -> Bool,
        time_zone -> Text,
        time_locked_until -> Nullable<Date>,
        time_overlaps_allowed -> Bool,
    }
}

diesel::table! {
    users (id) {
        id -> Uuid,
        email -> Text,
        email_key -> Text,
        name -> Text,
        password_hash -> Nullable<Text>,
        created_at -> Timestamptz,
        notify_assigned -> Bool,
        notify_replies -> Bool,
        is_operator -> Bool,
    }
}

diesel::table! {
    members (workspace_id, user_id) {
        workspace_id -> Uuid,
        user_id -> Uuid,
        role -> Text,
        created_at -> Timestamptz,
        deactivated_at -> Nullable<Timestamptz>,
        joined_at -> Nullable<Timestamptz>,
        version -> BigInt,
        updated_at -> Timestamptz,
    }
}

diesel::table! {
    sessions (workspace_id, id) {
        workspace_id -> Uuid,
        id -> Uuid,
        user_id -> Uuid,
        lookup_id -> Text,
        secret_hash -> Binary,
        created_at -> Timestamptz,
        expires_at -> Timestamptz,
        user_agent -> Nullable<Text>,
        address -> Nullable<Text>,
        last_used_at -> Nullable<Timestamptz>,
    }
}

diesel::table! {
    invitations (workspace_id, user_id) {
        workspace_id -> Uuid,
        user_id -> Uuid,
        lookup_id -> Text,
        secret_hash -> Binary,
        created_at -> Timestamptz,
        expires_at -> Timestamptz,
        accepted_at -> Nullable<Timestamptz>,
        invited_by -> Nullable<Uuid>,
    }
}

diesel::table! {
    password_resets (user_id) {
        user_id -> Uuid,
        lookup_id -> Text,
        secret_hash -> Binary,
        created_at -> Timestamptz,
        expires_at -> Timestamptz,
        used_at -> Nullable<Timestamptz>,
    }
}

diesel::table! {
    second_factors (user_id) {
        user_id -> Uuid,
        secret_key_id -> Text,
        secret -> Binary,
        created_at -> Timestamptz,
        confirmed_at -> Nullable<Timestamptz>,
        last_step -> BigInt,
        recovery_codes -> Array<Binary>,
        failures -> Integer,
        paused_until -> Nullable<Timestamptz>,
        version -> BigInt,
    }
}

diesel::table! {
    set_up_codes (instance) {
        instance -> Text,
        lookup_id -> Text,
        secret_hash -> Binary,
        created_at -> Timestamptz,
        expires_at -> Timestamptz,
    }
}

diesel::table! {
    sign_in_links (workspace_id, user_id) {
        workspace_id -> Uuid,
        user_id -> Uuid,
        lookup_id -> Text,
        secret_hash -> Binary,
        expires_at -> Timestamptz,
        used_at -> Nullable<Timestamptz>,
    }
}

diesel::table! {
    sign_in_challenges (workspace_id, lookup_id) {
        workspace_id -> Uuid,
        lookup_id -> Text,
        user_id -> Uuid,
        secret_hash -> Binary,
        expires_at -> Timestamptz,
        tries -> Integer,
        awaits -> Text,
        first_proof -> Text,
        session_id -> Nullable<Uuid>,
        session_ends_at -> Nullable<Timestamptz>,
    }
}

diesel::table! {
    sign_ins (user_id, network, device) {
        user_id -> Uuid,
        network -> Text,
        device -> Text,
        first_seen_at -> Timestamptz,
        last_seen_at -> Timestamptz,
    }
}

diesel::table! {
    audit_counts (workspace_id, hour, actor_type, actor_id, action) {
        workspace_id -> Uuid,
        hour -> Timestamptz,
        actor_type -> Text,
        actor_id -> Uuid,
        action -> Text,
        actor_name -> Text,
        entries -> Integer,
        left_out -> BigInt,
    }
}

diesel::table! {
    audit_log (workspace_id, id) {
        workspace_id -> Uuid,
        id -> Uuid,
        action -> Text,
        actor_type -> Text,
        actor_id -> Nullable<Uuid>,
        actor_name -> Text,
        subject_type -> Text,
        subject_id -> Uuid,
        details -> Jsonb,
        ip -> Nullable<Text>,
        created_at -> Timestamptz,
    }
}

diesel::table! {
    api_keys (workspace_id, id) {
        workspace_id -> Uuid,
        id -> Uuid,
        name -> Text,
        lookup_id -> Text,
        secret_hash -> Binary,
        scopes -> Array<Text>,
        preset -> Nullable<Text>,
        permissions -> Nullable<Array<Text>>,
        expires_at -> Nullable<Timestamptz>,
        revoked_at -> Nullable<Timestamptz>,
        last_used_at -> Nullable<Timestamptz>,
        version -> BigInt,
        created_at -> Timestamptz,
        updated_at -> Timestamptz,
        created_by_type -> Text,
        created_by_id -> Nullable<Uuid>,
        trial_tools -> Nullable<Array<Text>>,
        trial_calls_limit -> Nullable<BigInt>,
        trial_calls_used -> Nullable<BigInt>,
        allowed_networks -> Array<Text>,
        narrows_rest -> Bool,
    }
}

diesel::table! {
    use diesel::sql_types::{BigInt, Nullable, Text, Timestamptz, Uuid};
    use super::types::Tsvector;

    companies (workspace_id, id) {
        workspace_id -> Uuid,
        id -> Uuid,
        name -> Text,
        domain -> Nullable<Text>,
        assigned_to -> Nullable<Uuid>,
        industry -> Nullable<Text>,
        phone -> Nullable<Text>,
        website -> Nullable<Text>,
        notes -> Nullable<Text>,
        external_id -> Nullable<Text>,
        version -> BigInt,
        created_at -> Timestamptz,
        updated_at -> Timestamptz,
        created_by_type -> Text,
        created_by_id -> Nullable<Uuid>,
        deleted_at -> Nullable<Timestamptz>,
        search -> Tsvector,
    }
}

diesel::table! {
    use diesel::sql_types::{Array, BigInt, Jsonb, Nullable, Text, Timestamptz, Uuid};
    use super::types::Tsvector;

    contacts (workspace_id, id) {
        workspace_id -> Uuid,
        id -> Uuid,
        email -> Text,
        email_key -> Text,
        first_name -> Nullable<Text>,
        last_name -> Nullable<Text>,
        phone -> Nullable<Text>,
        job_title -> Nullable<Text>,
        company_id -> Nullable<Uuid>,
        company_name -> Nullable<Text>,
        assigned_to -> Nullable<Uuid>,
        contact_type -> Text,
        status -> Text,
        lead_source -> Nullable<Text>,
        industry -> Nullable<Text>,
        notes -> Nullable<Text>,
        tags -> Array<Text>,
        custom_fields -> Jsonb,
        external_id -> Nullable<Text>,
        country -> Nullable<Text>,
        state -> Nullable<Text>,
        city -> Nullable<Text>,
        social_linkedin -> Nullable<Text>,
        version -> BigInt,
        created_at -> Timestamptz,
        updated_at -> Timestamptz,
        created_by_type -> Text,
        created_by_id -> Nullable<Uuid>,
        deleted_at -> Nullable<Timestamptz>,
        search -> Tsvector,
    }
}

diesel::table! {
    use diesel::sql_types::{Array, BigInt, Date, Integer, Jsonb, Nullable, Numeric, Text, Timestamptz, Uuid};
    use super::types::Tsvector;

    deals (workspace_id, id) {
        workspace_id -> Uuid,
        id -> Uuid,
        title -> Text,
        description -> Nullable<Text>,
        contact_id -> Nullable<Uuid>,
        company_id -> Nullable<Uuid>,
        assigned_to -> Nullable<Uuid>,
        status -> Text,
        stage -> Text,
        value -> Nullable<Numeric>,
        currency -> Text,
        probability -> Nullable<Integer>,
        expected_close_date -> Nullable<Date>,
        actual_close_date -> Nullable<Date>,
        lost_reason -> Nullable<Text>,
        source -> Nullable<Text>,
        tags -> Array<Text>,
        custom_fields -> Jsonb,
        external_id -> Nullable<Text>,
        price_book_id -> Nullable<Uuid>,
        package_id -> Nullable<Uuid>,
        rep_id -> Nullable<Uuid>,
        developer_id -> Nullable<Uuid>,
        commission_pct -> Nullable<Numeric>,
        territory -> Nullable<Text>,
        version -> BigInt,
        created_at -> Timestamptz,
        updated_at -> Timestamptz,
        created_by_type -> Text,
        created_by_id -> Nullable<Uuid>,
        deleted_at -> Nullable<Timestamptz>,
        search -> Nullable<Tsvector>,
    }
}

diesel::table! {
    use diesel::sql_types::{BigInt, Bool, Date, Integer, Nullable, Text, Timestamptz, Uuid};
    use super::types::Tsvector;

    projects (workspace_id, id) {
        workspace_id -> Uuid,
        id -> Uuid,
        name -> Text,
        description -> Nullable<Text>,
        status -> Text,
        priority -> Text,
        progress -> Integer,
        start_date -> Nullable<Date>,
        end_date -> Nullable<Date>,
        team_id -> Nullable<Uuid>,
        lead_user_id -> Nullable<Uuid>,
        template_id -> Nullable<Uuid>,
        deal_id -> Nullable<Uuid>,
        company_id -> Nullable<Uuid>,
        github_url -> Nullable<Text>,
        external_id -> Nullable<Text>,
        hosted -> Bool,
        version -> BigInt,
        created_at -> Timestamptz,
        updated_at -> Timestamptz,
        created_by_type -> Text,
        created_by_id -> Nullable<Uuid>,
        deleted_at -> Nullable<Timestamptz>,
        search -> Nullable<Tsvector>,
    }
}

diesel::table! {
    time_entries (workspace_id, id) {
        workspace_id -> Uuid,
        id -> Uuid,
        member_id -> Uuid,
        task_id -> Nullable<Uuid>,
        ticket_id -> Nullable<Uuid>,
        project_id -> Nullable<Uuid>,
        deal_id -> Nullable<Uuid>,
        date -> Date,
        started_at -> Nullable<Timestamptz>,
        ended_at -> Nullable<Timestamptz>,
        seconds -> Nullable<Integer>,
        billable -> Bool,
        note -> Text,
        status -> Text,
        in_project_id -> Nullable<Uuid>,
        for_company_id -> Nullable<Uuid>,
        rate -> Nullable<Numeric>,
        rate_currency -> Nullable<Text>,
        version -> BigInt,
        created_at -> Timestamptz,
        updated_at -> Timestamptz,
        created_by_type -> Text,
        created_by_id -> Nullable<Uuid>,
        deleted_at -> Nullable<Timestamptz>,
    }
}

diesel::table! {
    cycles (workspace_id, id) {
        workspace_id -> Uuid,
        id -> Uuid,
        project_id -> Uuid,
        number -> Integer,
        name -> Text,
        goal -> Nullable<Text>,
        start_date -> Date,
        end_date -> Date,
        version -> BigInt,
        created_at -> Timestamptz,
        updated_at -> Timestamptz,
        created_by_type -> Text,
        created_by_id -> Nullable<Uuid>,
        deleted_at -> Nullable<Timestamptz>,
    }
}

diesel::table! {
    use diesel::sql_types::{Array, BigInt, Date, Nullable, Numeric, Text, Timestamptz, Uuid};
    use super::types::Tsvector;

    issues (workspace_id, id) {
        workspace_id -> Uuid,
        id -> Uuid,
        kind -> Text,
        number -> BigInt,
        reference -> Nullable<Text>,
        title -> Text,
        description -> Nullable<Text>,
        status -> Text,
        priority -> Text,
        project_id -> Nullable<Uuid>,
        assignee_id -> Nullable<Uuid>,
        due_at -> Nullable<Timestamptz>,
        start_date -> Nullable<Date>,
        parent_id -> Nullable<Uuid>,
        epic_id -> Nullable<Uuid>,
        cycle_id -> Nullable<Uuid>,
        estimate_hours -> Nullable<Numeric>,
        labels -> Array<Text>,
        completed_at -> Nullable<Timestamptz>,
        version -> BigInt,
        created_at -> Timestamptz,
        updated_at -> Timestamptz,
        created_by_type -> Text,
        created_by_id -> Nullable<Uuid>,
        deleted_at -> Nullable<Timestamptz>,
        search -> Tsvector,
        resolved_at -> Nullable<Timestamptz>,
        deal_id -> Nullable<Uuid>,
        contact_id -> Nullable<Uuid>,
        company_id -> Nullable<Uuid>,
    }
}

diesel::table! {
    tracking_links (workspace_id, lookup_id) {
        workspace_id -> Uuid,
        lookup_id -> Text,
        issue_id -> Uuid,
        secret_hash -> Binary,
        created_at -> Timestamptz,
        expires_at -> Timestamptz,
        used_at -> Nullable<Timestamptz>,
        is_requested -> Bool,
    }
}

diesel::table! {
    portal_sessions (workspace_id, id) {
        workspace_id -> Uuid,
        id -> Uuid,
        issue_id -> Uuid,
        lookup_id -> Text,
        secret_hash -> Binary,
        created_at -> Timestamptz,
        expires_at -> Timestamptz,
    }
}

diesel::table! {
    use diesel::sql_types::{BigInt, Nullable, Text, Timestamptz, Uuid};
    use super::types::Tsvector;

    comments (workspace_id, id) {
        workspace_id -> Uuid,
        id -> Uuid,
        issue_id -> Uuid,
        body -> Text,
        visibility -> Text,
        author_type -> Text,
        author_id -> Nullable<Uuid>,
        version -> BigInt,
        created_at -> Timestamptz,
        updated_at -> Timestamptz,
        created_by_type -> Text,
        created_by_id -> Nullable<Uuid>,
        edited_at -> Nullable<Timestamptz>,
        search -> Nullable<Tsvector>,
    }
}

diesel::table! {
    use diesel::sql_types::{BigInt, Nullable, Text, Timestamptz, Uuid};
    use super::types::Tsvector;

    record_comments (workspace_id, id) {
        workspace_id -> Uuid,
        id -> Uuid,
        contact_id -> Nullable<Uuid>,
        company_id -> Nullable<Uuid>,
        deal_id -> Nullable<Uuid>,
        body -> Text,
        author_type -> Text,
        author_id -> Nullable<Uuid>,
        edited_at -> Nullable<Timestamptz>,
        version -> BigInt,
        created_at -> Timestamptz,
        updated_at -> Timestamptz,
        created_by_type -> Text,
        created_by_id -> Nullable<Uuid>,
        search -> Nullable<Tsvector>,
    }
}

diesel::table! {
    webhook_subscriptions (workspace_id, id) {
        workspace_id -> Uuid,
        id -> Uuid,
        group_id -> Nullable<Uuid>,
        module -> Text,
        url -> Text,
        description -> Nullable<Text>,
        events -> Array<Text>,
        scope_id -> Nullable<Uuid>,
        enabled -> Bool,
        disabled_reason -> Nullable<Text>,
        secret_key_id -> Text,
        secret -> Binary,
        next_secret_key_id -> Nullable<Text>,
        next_secret -> Nullable<Binary>,
        overlap_ends_at -> Nullable<Timestamptz>,
        next_secret_ends_at -> Nullable<Timestamptz>,
        last_secret_key_id -> Nullable<Text>,
        last_secret -> Nullable<Binary>,
        header_names -> Nullable<Array<Text>>,
        headers_key_id -> Nullable<Text>,
        headers -> Nullable<Binary>,
        failing_since -> Nullable<Timestamptz>,
        version -> BigInt,
        created_at -> Timestamptz,
        updated_at -> Timestamptz,
        created_by_type -> Text,
        created_by_id -> Nullable<Uuid>,
        maker_type -> Nullable<Text>,
        maker_id -> Nullable<Uuid>,
        maker_notice_at -> Nullable<Timestamptz>,
        deleted_at -> Nullable<Timestamptz>,
    }
}

diesel::table! {
    webhook_deliveries (workspace_id, id) {
        workspace_id -> Uuid,
        id -> Uuid,
        subscription_id -> Uuid,
        event -> Text,
        event_id -> Nullable<Uuid>,
        body -> Nullable<Text>,
        state -> Text,
        attempts -> Integer,
        attempts_before -> Integer,
        next_attempt_at -> Nullable<Timestamptz>,
        redelivered_at -> Nullable<Timestamptz>,
        replay_id -> Nullable<Uuid>,
        failed_reason -> Nullable<Text>,
        created_at -> Timestamptz,
        finished_at -> Nullable<Timestamptz>,
    }
}

diesel::table! {
    webhook_replays (workspace_id, id) {
        workspace_id -> Uuid,
        id -> Uuid,
        subscription_id -> Uuid,
        since -> Timestamptz,
        until -> Nullable<Timestamptz>,
        events -> Nullable<Array<Text>>,
        only_failed -> Bool,
        state -> Text,
        matched -> BigInt,
        queued -> BigInt,
        examined_to -> Uuid,
        last_event_id -> Uuid,
        created_by_type -> Text,
        created_by_id -> Nullable<Uuid>,
        created_at -> Timestamptz,
        finished_at -> Nullable<Timestamptz>,
    }
}

diesel::table! {
    webhook_attempts (workspace_id, delivery_id, number) {
        workspace_id -> Uuid,
        delivery_id -> Uuid,
        number -> Integer,
        started_at -> Timestamptz,
        duration_ms -> BigInt,
        status -> Nullable<Integer>,
        error -> Nullable<Text>,
        response -> Nullable<Text>,
        manual -> Bool,
    }
}

diesel::table! {
    use diesel::sql_types::{Array, BigInt, Nullable, Text, Timestamptz, Uuid};
    use super::types::Tsvector;

    kb_articles (workspace_id, id) {
        workspace_id -> Uuid,
        id -> Uuid,
        title -> Text,
        slug -> Text,
        body -> Nullable<Text>,
        status -> Text,
        tags -> Array<Text>,
        published_at -> Nullable<Timestamptz>,
        version -> BigInt,
        created_at -> Timestamptz,
        updated_at -> Timestamptz,
        created_by_type -> Text,
        created_by_id -> Nullable<Uuid>,
        deleted_at -> Nullable<Timestamptz>,
        words -> Tsvector,
        words_by -> Text,
        shown -> Nullable<Text>,
        search -> Nullable<Tsvector>,
    }
}

diesel::table! {
    saved_views (workspace_id, id) {
        workspace_id -> Uuid,
        id -> Uuid,
        page -> Text,
        owner_id -> Uuid,
        name -> Text,
        query -> Text,
        column_names -> Array<Text>,
        shared -> Bool,
        position -> Integer,
        version -> BigInt,
        created_at -> Timestamptz,
        updated_at -> Timestamptz,
    }
}

diesel::allow_tables_to_appear_in_same_query!(
    api_keys,
    workspaces,
    users,
    members,
    sessions,
    invitations,
    second_factors,
    sign_in_challenges,
    sign_in_links
);
diesel::allow_tables_to_appear_in_same_query!(password_resets, users);
diesel::allow_tables_to_appear_in_same_query!(tracking_links, portal_sessions, issues, workspaces);
