-- pg_dump of a database that b9cfaa01 had migrated from the build of 2026-11-21, which had filled it.
SET check_function_bodies = false;
CREATE FUNCTION public.append_by_steps(of_workspace uuid, ids uuid[], modules text[], names text[], scopes uuid[], former_scopes uuid[], record_types text[], record_ids uuid[], versions bigint[], internals boolean[], actor_types text[], actor_ids uuid[], actor_names text[], request_ids text[], tools text[], payloads text[], times timestamp with time zone[]) RETURNS void
    LANGUAGE plpgsql
    AS $$
BEGIN
    IF cardinality(ids) > 4 THEN
        -- They are gathered first, which takes as long as a few single ones.
        INSERT INTO events (workspace_id, id, module, event, scope_id, former_scope_id, record_type, record_id, version,
            internal, actor_type, actor_id, actor_name, request_id, tool, payload, created_at)
            SELECT of_workspace, event.* FROM unnest(ids, modules, names, scopes, former_scopes, record_types, record_ids,
                versions, internals, actor_types, actor_ids, actor_names, request_ids, tools, payloads, times) AS event;
        INSERT INTO events_unnumbered (workspace_id, event_id) SELECT of_workspace, id FROM unnest(ids) AS id;
        RETURN;
    END IF;
    FOR place IN 1..cardinality(ids) LOOP
        INSERT INTO events (workspace_id, id, module, event, scope_id, former_scope_id, record_type, record_id, version,
            internal, actor_type, actor_id, actor_name, request_id, tool, payload, created_at)
            VALUES (of_workspace, ids[place], modules[place], names[place], scopes[place], former_scopes[place],
                record_types[place], record_ids[place], versions[place], internals[place], actor_types[place],
                actor_ids[place], actor_names[place], request_ids[place], tools[place], payloads[place], times[place]);
        INSERT INTO events_unnumbered (workspace_id, event_id) VALUES (of_workspace, ids[place]);
    END LOOP;
END
$$;
CREATE FUNCTION public.append_events(of_workspace uuid, modules text[], names text[], scopes uuid[], former_scopes uuid[], record_types text[], record_ids uuid[], versions bigint[], internals boolean[], actor_types text[], actor_ids uuid[], actor_names text[], request_ids text[], tools text[], payloads text[], times timestamp with time zone[], most bigint, OUT queued bigint, OUT behind bigint, OUT failure text) RETURNS record
    LANGUAGE plpgsql
    AS $$
DECLARE
    ids uuid[];
BEGIN
    -- What fails here fails the caller.
    IF current_setting('citus.version', true) IS NOT NULL THEN
        ids := ARRAY(SELECT event_id(at, place) FROM unnest(times) WITH ORDINALITY AS event (at, place) ORDER BY place);
        PERFORM append_by_steps(of_workspace, ids, modules, names, scopes, former_scopes, record_types, record_ids, versions,
            internals, actor_types, actor_ids, actor_names, request_ids, tools, payloads, times);
        SELECT * INTO queued, behind, failure
            FROM queue_webhook_deliveries(of_workspace, ids, modules, names, scopes, former_scopes, internals, times, most);
        RETURN;
    END IF;
    WITH incoming AS MATERIALIZED (
        SELECT *, event_id(at, place) AS id FROM unnest(modules, names, scopes, former_scopes, record_types, record_ids,
            versions, internals, actor_types, actor_ids, actor_names, request_ids, tools, payloads, times) WITH ORDINALITY
            AS event (module, name, scope, former_scope, record_type, record_id, version, internal, actor_type, actor_id,
                actor_name, request_id, tool, payload, at, place)
    ), stored AS (
        INSERT INTO events (workspace_id, id, module, event, scope_id, former_scope_id, record_type, record_id, version,
            internal, actor_type, actor_id, actor_name, request_id, tool, payload, created_at)
            SELECT of_workspace, id, module, name, scope, former_scope, record_type, record_id, version, internal,
                actor_type, actor_id, actor_name, request_id, tool, payload, at
            FROM incoming
    ), unnumbered AS (
        INSERT INTO events_unnumbered (workspace_id, event_id) SELECT of_workspace, id FROM incoming
    )
    SELECT array_agg(id ORDER BY place) INTO ids FROM incoming;
    SELECT * INTO queued, behind, failure
        FROM queue_webhook_deliveries(of_workspace, ids, modules, names, scopes, former_scopes, internals, times, most);
END
$$;
CREATE FUNCTION public.audit_log_entry_stays() RETURNS trigger
    LANGUAGE plpgsql
    AS $_$
BEGIN
    IF to_jsonb(NEW) - 'details' = to_jsonb(OLD) - 'details' AND EXISTS (
        SELECT FROM person_erasures WHERE workspace_id = OLD.workspace_id AND finished_at IS NULL
            AND (TG_TABLE_NAME ~ '_[0-9]{6,}$' OR id::text = current_setting('audit_log.erasure', true))
            AND NEW.details = erased_audit_details(OLD.details, person_pattern(emails, names))
    ) THEN
        RETURN NEW;
    END IF;
    RAISE EXCEPTION 'the audit log is only added to: % is refused', TG_OP USING ERRCODE = 'insufficient_privilege';
END
$_$;
CREATE FUNCTION public.audit_log_is_erased() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
DECLARE
    workspaces_of_gone CONSTANT uuid[] := (SELECT array_agg(DISTINCT workspace_id) FROM gone);
BEGIN
    IF EXISTS (SELECT FROM unnest(workspaces_of_gone) AS workspace (id) LEFT JOIN workspaces ON workspaces.id = workspace.id
            WHERE workspaces.erasing IS NOT TRUE) THEN
        RAISE EXCEPTION 'the audit log is only added to: % is refused', TG_OP USING ERRCODE = 'insufficient_privilege';
    END IF;
    RETURN NULL;
END
$$;
CREATE FUNCTION public.audit_log_stays() RETURNS trigger
    LANGUAGE plpgsql
    AS $_$
BEGIN
    -- Of erase_from_audit_log; audit_log_entry_stays checks what becomes of each row.
    -- Settings of a transaction are not sent to shards: there, each row is checked against all erasures that are under way.
    IF TG_OP = 'UPDATE' AND TG_TABLE_NAME ~ '_[0-9]{6,}$' THEN
        RETURN NULL;
    END IF;
    IF TG_OP = 'UPDATE' AND coalesce(current_setting('audit_log.erasure', true), '') <> '' THEN
        RETURN NULL;
    END IF;
    RAISE EXCEPTION 'the audit log is only added to: % is refused', TG_OP USING ERRCODE = 'insufficient_privilege';
END
$_$;
CREATE FUNCTION public.count_waiting_in_cluster(of_workspace uuid, most bigint) RETURNS bigint
    LANGUAGE plpgsql STABLE
    AS $$
DECLARE
    counted bigint;
BEGIN
    SELECT count(*) INTO counted FROM (
        SELECT FROM webhook_subscriptions AS subscription
        CROSS JOIN LATERAL (
            (SELECT 1 FROM webhook_deliveries
                WHERE state IN ('pending', 'retrying') AND workspace_id = of_workspace
                    AND subscription_id = subscription.id
                ORDER BY next_attempt_at LIMIT most)
            UNION ALL
            (SELECT 1 FROM webhook_deliveries
                WHERE state = 'delivering' AND workspace_id = of_workspace AND subscription_id = subscription.id
                ORDER BY lease_until LIMIT most)
        ) AS waiting
        WHERE subscription.workspace_id = of_workspace AND subscription.enabled AND subscription.deleted_at IS NULL
        LIMIT most
    ) AS counting;
    RETURN counted;
END
$$;
CREATE FUNCTION public.count_waiting_webhook_deliveries(of_workspace uuid, most bigint) RETURNS bigint
    LANGUAGE sql STABLE
    AS $$
    SELECT count(*) FROM (
        SELECT FROM webhook_subscriptions AS subscription
        CROSS JOIN LATERAL (
            (SELECT 1 FROM webhook_deliveries
                WHERE state IN ('pending', 'retrying') AND workspace_id = of_workspace
                    AND subscription_id = subscription.id
                ORDER BY next_attempt_at LIMIT most)
            UNION ALL
            (SELECT 1 FROM webhook_deliveries
                WHERE state = 'delivering' AND workspace_id = of_workspace AND subscription_id = subscription.id
                ORDER BY lease_until LIMIT most)
        ) AS waiting
        WHERE subscription.workspace_id = of_workspace AND subscription.enabled AND subscription.deleted_at IS NULL
        LIMIT most
    ) AS counted
$$;
CREATE FUNCTION public.cycle_days(created_at timestamp with time zone, finished_at timestamp with time zone, is_live boolean) RETURNS TABLE(day date, is_in boolean, is_done boolean)
    LANGUAGE sql STABLE
    AS $$
    SELECT made.day, is_live, is_live AND bool_or(made.is_done)
    FROM (VALUES ((created_at AT TIME ZONE 'UTC')::date, false), ((finished_at AT TIME ZONE 'UTC')::date, true))
        AS made (day, is_done)
    WHERE made.day IS NOT NULL
    GROUP BY made.day
$$;
CREATE TABLE public.issues (
    workspace_id uuid NOT NULL,
    id uuid NOT NULL,
    kind text NOT NULL,
    number bigint NOT NULL,
    reference text,
    title text NOT NULL,
    description text,
    status text NOT NULL,
    priority text NOT NULL,
    project_id uuid,
    assignee_id uuid,
    due_at timestamp with time zone,
    start_date date,
    parent_id uuid,
    epic_id uuid,
    cycle_id uuid,
    estimate_hours numeric(7,2),
    labels text[] NOT NULL,
    completed_at timestamp with time zone,
    version bigint NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    created_by_type text NOT NULL,
    created_by_id uuid,
    deleted_at timestamp with time zone,
    search tsvector NOT NULL,
    requester_name text,
    requester_email text,
    requester_email_key text,
    ticket_type text,
    requester_contact_id uuid,
    resolved_at timestamp with time zone,
    search_stale boolean DEFAULT false NOT NULL,
    deal_id uuid,
    contact_id uuid,
    company_id uuid,
    erased_at timestamp with time zone,
    CONSTRAINT issues_created_by_type_check CHECK ((created_by_type = ANY (ARRAY['api_key'::text, 'user'::text, 'system'::text]))),
    CONSTRAINT issues_cycle_check CHECK (((cycle_id IS NULL) OR (project_id IS NOT NULL))),
    CONSTRAINT issues_estimate_hours_check CHECK ((estimate_hours >= (0)::numeric)),
    CONSTRAINT issues_kind_check CHECK ((kind = ANY (ARRAY['task'::text, 'ticket'::text]))),
    CONSTRAINT issues_number_check CHECK ((number >= 1)),
    CONSTRAINT issues_priority_check CHECK ((priority = ANY (ARRAY['low'::text, 'medium'::text, 'high'::text, 'urgent'::text]))),
    CONSTRAINT issues_reference_check CHECK (((reference IS NULL) OR (kind = 'ticket'::text))),
    CONSTRAINT issues_requester_check CHECK (((num_nonnulls(requester_name, requester_email, requester_email_key, ticket_type) = ANY (ARRAY[0, 4])) AND ((requester_email_key IS NULL) OR (kind = 'ticket'::text)) AND ((requester_contact_id IS NULL) OR (requester_email_key IS NOT NULL)))),
    CONSTRAINT issues_status_check CHECK (
CASE kind
    WHEN 'task'::text THEN (status = ANY (ARRAY['backlog'::text, 'todo'::text, 'in_progress'::text, 'in_review'::text, 'done'::text, 'cancelled'::text]))
    ELSE (status = ANY (ARRAY['open'::text, 'pending'::text, 'on_hold'::text, 'resolved'::text, 'closed'::text]))
END),
    CONSTRAINT issues_ticket_type_check CHECK ((ticket_type = ANY (ARRAY['question'::text, 'incident'::text, 'problem'::text, 'request'::text]))),
    CONSTRAINT issues_ties_check CHECK (((kind = 'task'::text) OR (num_nonnulls(deal_id, contact_id, company_id) = 0))),
    CONSTRAINT issues_version_check CHECK ((version >= 1))
);
CREATE FUNCTION public.cycle_days_of(issue public.issues) RETURNS TABLE(day date, is_in boolean, is_done boolean)
    LANGUAGE sql STABLE
    AS $$
    SELECT made.day, issue.deleted_at IS NULL, issue.deleted_at IS NULL AND bool_or(made.is_done)
    FROM (VALUES ((issue.created_at AT TIME ZONE 'UTC')::date, false),
        ((coalesce(issue.completed_at, issue.resolved_at) AT TIME ZONE 'UTC')::date, true)) AS made (day, is_done)
    WHERE made.day IS NOT NULL
    GROUP BY made.day
$$;
CREATE FUNCTION public.enqueue_webhook_events(of_workspace uuid, modules text[], names text[], scopes uuid[], payloads text[], times timestamp with time zone[], most bigint, OUT queued bigint, OUT behind bigint, OUT failure text) RETURNS record
    LANGUAGE sql
    AS $$
    SELECT queued, behind, failure FROM enqueue_webhook_events(of_workspace, modules, names, scopes,
        array_fill(NULL::uuid, ARRAY[cardinality(names)]), payloads, times, most)
$$;
CREATE FUNCTION public.enqueue_webhook_events(of_workspace uuid, modules text[], names text[], scopes uuid[], former_scopes uuid[], payloads text[], times timestamp with time zone[], most bigint, OUT queued bigint, OUT behind bigint, OUT failure text) RETURNS record
    LANGUAGE plpgsql
    AS $$
DECLARE
    listening bigint;
    largest bigint;
    room bigint;
BEGIN
    queued := 0;
    behind := 0;
    -- Most workspaces have none.
    SELECT count(*) INTO listening FROM webhook_subscriptions
        WHERE workspace_id = of_workspace AND module = ANY (modules) AND enabled AND deleted_at IS NULL;
    IF listening = 0 THEN
        RETURN;
    END IF;
    largest := listening * cardinality(names);
    IF EXISTS (SELECT FROM webhook_backlog WHERE workspace_id = of_workspace) THEN
        -- Who comes after others that wait for room waits behind them.
        room := 0;
    ELSIF largest > 100 AND NOT pg_try_advisory_xact_lock(webhook_queue_lock(of_workspace)) THEN
        -- Several who queue many at once would each find the room that the others take. Nobody waits for the lock.
        room := 0;
    ELSIF random() * most < 64 * largest THEN
        room := most - count_waiting_webhook_deliveries(of_workspace, most);
    ELSE
        -- Counting takes as long as many wait, so few deliveries are added after some count, rather than after each:
        -- on average a 64th of the bound.
        room := most;
    END IF;
    -- The lock waits for a deletion under way, and looks again then: nothing is queued for what is gone.
    WITH incoming AS MATERIALIZED (
        SELECT place, uuid_v7(at, place) AS id, at
        FROM unnest(times) WITH ORDINALITY AS event (at, place)
    ), matching AS MATERIALIZED (
        SELECT event.place, event.name, subscription.id AS subscription_id
        FROM unnest(modules, names, scopes, former_scopes) WITH ORDINALITY
            AS event (module, name, scope, former_scope, place)
        JOIN webhook_subscriptions AS subscription ON subscription.workspace_id = of_workspace
            AND subscription.module = event.module AND subscription.enabled AND subscription.deleted_at IS NULL
            AND subscription.events && ARRAY[event.name, '*']
            AND (subscription.scope_id IS NULL OR subscription.scope_id IN (event.scope, event.former_scope))
        ORDER BY event.place, subscription.id FOR KEY SHARE OF subscription
    ), matched AS MATERIALIZED (
        SELECT place, array_agg(subscription_id) AS subscriptions,
            sum(count(*)) OVER (ORDER BY place) <= room
                -- More than may wait at all are queued where nothing waits.
                OR room = most AND sum(count(*)) OVER (ORDER BY place) = count(*) AS fits
        FROM matching GROUP BY place
    ), stored AS (
        INSERT INTO events (workspace_id, id, module, event, scope_id, former_scope_id, payload, created_at)
            SELECT of_workspace, incoming.id, event.module, event.name, event.scope, event.former_scope, event.payload,
                incoming.at
            FROM unnest(modules, names, scopes, former_scopes, payloads) WITH ORDINALITY
                AS event (module, name, scope, former_scope, payload, place)
            JOIN matched USING (place) JOIN incoming USING (place)
    ), waiting AS (
        INSERT INTO webhook_backlog (workspace_id, event_id, created_at, subscriptions)
            SELECT of_workspace, incoming.id, incoming.at, matched.subscriptions
            FROM matched JOIN incoming USING (place) WHERE NOT matched.fits
        RETURNING event_id
    ), added AS (
        INSERT INTO webhook_deliveries
            (workspace_id, id, subscription_id, event, event_id, state, attempts, next_attempt_at, created_at)
            SELECT of_workspace, uuid_v7(incoming.at, place), matching.subscription_id, matching.name, incoming.id,
                'pending', 0, incoming.at, incoming.at
            FROM matching JOIN matched USING (place) JOIN incoming USING (place) WHERE matched.fits
        RETURNING id
    )
    SELECT (SELECT count(*) FROM added), (SELECT count(*) FROM waiting) INTO queued, behind;
EXCEPTION WHEN OTHERS THEN
    -- All of it is undone, and nothing else. What a cancelled statement does is not caught, and should not be.
    queued := 0;
    failure := format('%s (%s)', SQLERRM, SQLSTATE);
    BEGIN
        WITH stored AS (
            INSERT INTO events (workspace_id, id, module, event, scope_id, former_scope_id, payload, created_at)
                SELECT of_workspace, uuid_v7(at, place), module, name, scope, former_scope, payload, at
                FROM unnest(modules, names, scopes, former_scopes, payloads, times) WITH ORDINALITY
                    AS event (module, name, scope, former_scope, payload, at, place)
            RETURNING id, created_at
        )
        INSERT INTO webhook_backlog (workspace_id, event_id, created_at) SELECT of_workspace, id, created_at FROM stored;
        GET DIAGNOSTICS behind = ROW_COUNT;
    EXCEPTION WHEN OTHERS THEN
        behind := 0;
        failure := format('%s; nor could it be kept for later: %s (%s)', failure, SQLERRM, SQLSTATE);
    END;
END
$$;
CREATE FUNCTION public.ensure_assumed(holds boolean) RETURNS boolean
    LANGUAGE plpgsql
    AS $$
BEGIN
    IF holds IS NOT TRUE THEN
        RAISE EXCEPTION 'an assumption does not hold';
    END IF;
    RETURN true;
END
$$;
CREATE FUNCTION public.erase_from_audit_log(of_workspace uuid, of_erasure uuid, behind uuid, most bigint, OUT erased bigint, OUT last uuid) RETURNS record
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
DECLARE
    pattern CONSTANT text := (SELECT person_pattern(emails, names) FROM person_erasures
        WHERE workspace_id = of_workspace AND id = of_erasure AND finished_at IS NULL);
    page uuid[];
BEGIN
    erased := 0;
    page := ARRAY(SELECT id FROM audit_log WHERE workspace_id = of_workspace AND id > behind ORDER BY id LIMIT most);
    last := page[cardinality(page)];
    IF pattern IS NOT NULL THEN
        PERFORM set_config('audit_log.erasure', of_erasure::text, true);
        UPDATE audit_log SET details = erased_audit_details(details, pattern)
            WHERE workspace_id = of_workspace AND id = ANY (page) AND details <> erased_audit_details(details, pattern);
        GET DIAGNOSTICS erased = ROW_COUNT;
        PERFORM set_config('audit_log.erasure', '', true);
    END IF;
END
$$;
CREATE FUNCTION public.erased_audit_details(details jsonb, pattern text) RETURNS jsonb
    LANGUAGE plpgsql IMMUTABLE
    AS $$
BEGIN
    IF pattern IS NULL THEN
        RETURN details;
    END IF;
    -- In the texts, not in their JSON, in which quotes and other characters stand escaped.
    RETURN CASE jsonb_typeof(details)
        WHEN 'string' THEN to_jsonb(regexp_replace(details #>> '{}', pattern, 'erased', 'gi'))
        WHEN 'array' THEN (
            SELECT coalesce(jsonb_agg(erased_audit_details(value, pattern) ORDER BY place), '[]')
            FROM jsonb_array_elements(details) WITH ORDINALITY AS element (value, place))
        WHEN 'object' THEN (
            SELECT coalesce(
                jsonb_object_agg(regexp_replace(key, pattern, 'erased', 'gi'), erased_audit_details(value, pattern)), '{}')
            FROM jsonb_each(details))
        ELSE details
    END;
END
$$;
CREATE FUNCTION public.event_id(at timestamp with time zone, place bigint) RETURNS uuid
    LANGUAGE sql
    AS $$
    SELECT encode(substring(int8send(trunc(extract(epoch FROM at) * 1000)::bigint) FROM 3)
        || int2send((28672 + extract(microseconds FROM at)::bigint % 1000 * 4)::smallint)
        || int2send((-32768 + place % 16384)::smallint) || substring(uuid_send(gen_random_uuid()) FROM 11), 'hex')::uuid
$$;
CREATE FUNCTION public.event_id_floor(at timestamp with time zone) RETURNS uuid
    LANGUAGE sql IMMUTABLE
    AS $$
    SELECT encode(substring(int8send(trunc(extract(epoch FROM greatest(at, 'epoch')) * 1000)::bigint) FROM 3)
        || int2send((28672 + extract(microseconds FROM greatest(at, 'epoch'))::bigint % 1000 * 4)::smallint)
        || '\x0000000000000000'::bytea, 'hex')::uuid
$$;
CREATE FUNCTION public.event_position_before(of_workspace uuid, since timestamp with time zone) RETURNS bigint
    LANGUAGE plpgsql STABLE
    AS $$
DECLARE
    wanted CONSTANT uuid := event_id_floor(since);
    low bigint;
    high bigint;
    middle bigint;
    found bigint;
    seen uuid;
BEGIN
    SELECT position INTO low FROM event_positions WHERE workspace_id = of_workspace ORDER BY position LIMIT 1;
    SELECT last_position INTO high FROM event_sequences WHERE workspace_id = of_workspace;
    IF low IS NULL OR high IS NULL THEN
        RETURN coalesce(high, 0);
    END IF;
    -- The first position whose latest is wanted or greater lies in low..high + 1, and all that is wanted lies from there.
    high := high + 1;
    WHILE low < high LOOP
        middle := (low + high) / 2;
        SELECT position, latest INTO found, seen FROM event_positions
            WHERE workspace_id = of_workspace AND position >= middle ORDER BY position LIMIT 1;
        IF found IS NULL OR seen >= wanted THEN
            high := middle;
        ELSE
            low := found + 1;
        END IF;
    END LOOP;
    RETURN low - 1;
END
$$;
CREATE FUNCTION public.has_webhook_listeners(of_workspace uuid, of_module text) RETURNS boolean
    LANGUAGE plpgsql
    AS $$
BEGIN
    RETURN EXISTS (SELECT FROM webhook_subscriptions
        WHERE workspace_id = of_workspace AND module = of_module AND enabled AND deleted_at IS NULL);
EXCEPTION WHEN OTHERS THEN
    -- Whoever queues then learns what is wrong, and says so.
    RETURN true;
END
$$;
CREATE FUNCTION public.insert_webhook_deliveries(of_workspace uuid, ids uuid[], listeners uuid[], names text[], event_ids uuid[], due timestamp with time zone[], made timestamp with time zone[], of_replay uuid) RETURNS bigint
    LANGUAGE plpgsql
    AS $$
DECLARE
    inserted bigint := 0;
BEGIN
    IF cardinality(ids) > 0 THEN
        -- The row of the subscription makes the shard's node do this.
        INSERT INTO webhook_deliveries
            (workspace_id, id, subscription_id, event, event_id, state, attempts, next_attempt_at, created_at, replay_id)
            SELECT subscription.workspace_id, added.id, subscription.id, added.name, added.event_id, 'pending', 0, added.due_at,
                added.made_at, of_replay
            FROM webhook_subscriptions AS subscription
            JOIN unnest(ids, listeners, names, event_ids, due, made)
                AS added (id, listener, name, event_id, due_at, made_at) ON added.listener = subscription.id
            WHERE subscription.workspace_id = of_workspace;
        GET DIAGNOSTICS inserted = ROW_COUNT;
    END IF;
    RETURN inserted;
END
$$;
CREATE FUNCTION public.kb_bare(value text) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$
    -- Of the dots and hyphens beside digits a dot between two of them stays: it makes a number or a version.
    SELECT regexp_replace(translate(value, '<>/\@&=?#:~%+_', '              '),
        '(?<![0-9])\.|\.(?![0-9])|(?<=[0-9])-|-(?=[0-9])', ' ', 'g')
$$;
CREATE FUNCTION public.kb_fold(value text) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$
    SELECT CASE WHEN value ~ '[^\x01-\x7f]' THEN
        translate(replace(replace(replace(
            regexp_replace(normalize(lower(value), NFKD), '[\u0300-\u036f]', '', 'g'),
            'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'øłđðı', 'olddi')
    ELSE lower(value) END
$$;
CREATE FUNCTION public.kb_lexemes(of_workspace uuid, words tsvector) RETURNS tsvector
    LANGUAGE sql IMMUTABLE COST 1000
    AS $$
    SELECT array_to_tsvector(array_agg(right(of_workspace::text, 8) || place || left(lexeme, 64)))
    FROM unnest(words) AS word CROSS JOIN LATERAL unnest(
        CASE WHEN word.weights && ARRAY['A', 'B'] THEN ARRAY['t', 'w'] ELSE ARRAY['w'] END) AS place
$$;
CREATE FUNCTION public.kb_spread(value text) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$
    SELECT regexp_replace(kb_bare(value), '([[:alpha:]]+)([0-9]+(?:\.[0-9]+)+[[:alnum:]]*)', '\1\2 \1 \2', 'g')
$$;
CREATE FUNCTION public.kb_words(language text, title text, tags text[], body text) RETURNS tsvector
    LANGUAGE plpgsql IMMUTABLE
    AS $$
DECLARE
    head CONSTANT tsvector := setweight(kb_words_of(language, kb_spread(title)), 'A')
        || setweight(kb_words_of(language, kb_spread(array_to_string(tags, ' '))), 'B');
    words tsvector;
BEGIN
    words := head || kb_words_of(language, kb_spread(coalesce(body, '')));
    IF length(words) <= 20000 AND pg_column_size(words) <= 400000 THEN
        RETURN words;
    END IF;
    RETURN head || kb_words_of(language, kb_spread(left(body, 20000)));
EXCEPTION WHEN program_limit_exceeded THEN
    RETURN head || kb_words_of(language, kb_spread(left(body, 20000)));
END
$$;
CREATE FUNCTION public.kb_words_of(language text, value text) RETURNS tsvector
    LANGUAGE sql IMMUTABLE
    AS $$
    -- Both see the same tokens, so that a stem and its form stand at the same place.
    SELECT coalesce(string_agg('''' || replace(replace(lexeme, '\', '\\'), '''', '''''') || ''':'
            || array_to_string(positions, ','), ' '), '')::tsvector
    FROM (
        SELECT lexeme, positions FROM unnest(to_tsvector(('pg_catalog.' || language)::regconfig, value))
        UNION ALL
        -- What the language leaves out as too common is left out in its form too.
        SELECT lexeme, positions FROM unnest(to_tsvector('pg_catalog.simple', kb_fold(value)))
            WHERE ts_lexize((CASE language WHEN 'simple' THEN 'pg_catalog.simple'
                ELSE 'pg_catalog.' || language || '_stem' END)::regdictionary, lexeme) IS DISTINCT FROM '{}'
    ) AS both_kinds
$$;
CREATE FUNCTION public.maintain_audit_partitions(at timestamp with time zone, keep interval) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET lock_timeout TO '200ms'
    SET search_path TO 'public', 'pg_temp'
    AS $_$
DECLARE
    month timestamp;
    begins timestamptz;
    ends timestamptz;
    partition text;
    first_ends CONSTANT timestamptz := (SELECT substring(pg_get_expr(relpartbound, oid) FROM 'TO \(''(.+)''\)')::timestamptz
        FROM pg_class WHERE oid = to_regclass('audit_log_first'));
    old text[] := '{}';
BEGIN
    IF NOT pg_try_advisory_xact_lock(hashtextextended('audit partitions', 0)) THEN
        RETURN false;
    END IF;
    -- Of Citus, and without it nobody's: a partition is made on all nodes, one shard after the other, with the triggers of its table.
    PERFORM set_config('citus.multi_shard_modify_mode', 'sequential', true), set_config('citus.enable_unsafe_triggers', 'on', true);
    FOR step IN 0..3 LOOP
        month := date_trunc('month', at AT TIME ZONE 'UTC') + step * interval '1 month';
        begins := month AT TIME ZONE 'UTC';
        ends := (month + interval '1 month') AT TIME ZONE 'UTC';
        partition := 'audit_log_' || to_char(month, 'YYYY_MM');
        CONTINUE WHEN begins < first_ends OR to_regclass(quote_ident(partition)) IS NOT NULL;
        -- Attached rather than created as a partition, which would lock the whole table against reads.
        EXECUTE format('CREATE TABLE %1$I (LIKE audit_log INCLUDING CONSTRAINTS, PRIMARY KEY (workspace_id, id),
            CONSTRAINT month CHECK (created_at >= %2$L AND created_at < %3$L))', partition, begins, ends);
        EXECUTE format('WITH moved AS (DELETE FROM audit_log_default WHERE created_at >= %1$L AND created_at < %2$L RETURNING *)
            INSERT INTO %3$I SELECT * FROM moved', begins, ends, partition);
        EXECUTE format('ALTER TABLE audit_log ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)', partition, begins, ends);
        EXECUTE format('ALTER TABLE %I DROP CONSTRAINT month', partition);
        EXECUTE format('CREATE TRIGGER audit_log_stays BEFORE UPDATE OR TRUNCATE ON %I
            FOR EACH STATEMENT EXECUTE FUNCTION audit_log_stays()', partition);
        EXECUTE format('CREATE TRIGGER audit_log_is_erased AFTER DELETE ON %I REFERENCING OLD TABLE AS gone
            FOR EACH STATEMENT EXECUTE FUNCTION audit_log_is_erased()', partition);
        EXECUTE format('COMMENT ON TABLE %I IS %L', partition, 'A month in UTC.');
    END LOOP;
    IF keep IS NULL THEN
        RETURN true;
    END IF;
    FOR partition IN
        SELECT child.relname FROM pg_inherits JOIN pg_class AS child ON child.oid = inhrelid
        WHERE inhparent = 'audit_log'::regclass AND child.relname ~ '^audit_log_(first|[0-9]{4}_[0-9]{2})$'
        ORDER BY child.relname <> 'audit_log_first', child.relname
    LOOP
        EXIT WHEN keep + CASE partition WHEN 'audit_log_first' THEN first_ends
            ELSE (to_date(right(partition, 7), 'YYYY_MM')::timestamp + interval '1 month') AT TIME ZONE 'UTC' END > at;
        old := old || partition;
    END LOOP;
    FOREACH partition IN ARRAY old LOOP
        EXECUTE format('DROP TABLE %I', partition);
    END LOOP;
    -- What is there came with a time outside of all months, such as that of a wrong clock.
    DELETE FROM audit_log_default WHERE created_at < at - keep;
    RETURN true;
EXCEPTION WHEN lock_not_available THEN
    -- Nobody is made to wait for this: it is tried again within minutes.
    RETURN false;
END
$_$;
CREATE FUNCTION public.maintain_event_partitions(at timestamp with time zone, keep interval) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET lock_timeout TO '200ms'
    SET search_path TO 'public', 'pg_temp'
    AS $_$
DECLARE
    parent text;
    key text;
    month timestamp;
    ended timestamptz;
    partition text;
    old text[] := '{}';
    low uuid;
    high uuid;
BEGIN
    IF NOT pg_try_advisory_xact_lock(hashtextextended('event partitions', 0)) THEN
        RETURN false;
    END IF;
    -- Of Citus, and without it nobody's: a partition is made on all nodes, one shard after the other.
    PERFORM set_config('citus.multi_shard_modify_mode', 'sequential', true);
    FOREACH parent IN ARRAY ARRAY['events', 'event_positions'] LOOP
        key := CASE parent WHEN 'events' THEN 'id' ELSE 'event_id' END;
        FOR step IN 0..3 LOOP
            month := date_trunc('month', at AT TIME ZONE 'UTC') + step * interval '1 month';
            partition := parent || '_' || to_char(month, 'YYYY_MM');
            CONTINUE WHEN to_regclass(quote_ident(partition)) IS NOT NULL;
            low := uuid_v7_floor(month AT TIME ZONE 'UTC');
            high := uuid_v7_floor((month + interval '1 month') AT TIME ZONE 'UTC');
            -- Attached rather than created as a partition, which would lock the whole table against reads.
            EXECUTE format('CREATE TABLE %1$I (LIKE %2$I, PRIMARY KEY (%6$s), CONSTRAINT month CHECK (%3$I >= %4$L AND %3$I < %5$L))',
                partition, parent, key, low, high,
                CASE parent WHEN 'events' THEN 'workspace_id, id' ELSE 'workspace_id, position, event_id' END);
            EXECUTE format('WITH moved AS (DELETE FROM %1$I WHERE %2$I >= %3$L AND %2$I < %4$L RETURNING *)
                INSERT INTO %5$I SELECT * FROM moved', parent || '_default', key, low, high, partition);
            EXECUTE format('ALTER TABLE %I ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)', parent, partition, low, high);
            EXECUTE format('ALTER TABLE %I DROP CONSTRAINT month', partition);
            EXECUTE format('COMMENT ON TABLE %I IS %L', partition, 'A month in UTC.');
        END LOOP;
    END LOOP;
    FOR partition IN
        SELECT child.relname FROM pg_inherits JOIN pg_class AS child ON child.oid = inhrelid
        WHERE inhparent IN ('events'::regclass, 'event_positions'::regclass)
            AND child.relname ~ '^(events|event_positions)_[0-9]{4}_[0-9]{2}$'
        ORDER BY right(child.relname, 7), child.relname
    LOOP
        ended := (to_date(right(partition, 7), 'YYYY_MM')::timestamp + interval '1 month') AT TIME ZONE 'UTC';
        EXIT WHEN ended + keep > at;
        -- What waits to be sent is composed from its event: such a month stays, with all later ones. Nothing waits longer
        -- than twice 30 days where a dispatcher runs, and where none does, months do not pile up for ever.
        PERFORM FROM webhook_backlog WHERE created_at < ended AND created_at > at - interval '60 days' LIMIT 1;
        EXIT WHEN FOUND;
        PERFORM FROM webhook_deliveries
            WHERE state IN ('pending', 'retrying', 'delivering') AND event_id < uuid_v7_floor(ended)
                AND created_at > at - interval '60 days' LIMIT 1;
        EXIT WHEN FOUND;
        old := old || partition;
    END LOOP;
    IF old <> '{}' THEN
        -- In the order in which readers lock them: neither waits for the other then.
        LOCK TABLE ONLY event_positions, ONLY events IN ACCESS EXCLUSIVE MODE;
        FOREACH partition IN ARRAY old LOOP
            EXECUTE format('DROP TABLE %I', partition);
        END LOOP;
    END IF;
    -- What is there came with a time outside of all months, such as that of a wrong clock.
    DELETE FROM events_default WHERE id < uuid_v7_floor(at - keep);
    DELETE FROM event_positions_default WHERE event_id < uuid_v7_floor(at - keep);
    RETURN true;
EXCEPTION WHEN lock_not_available THEN
    -- Nobody is made to wait for this: it is tried again within minutes.
    RETURN false;
END
$_$;
CREATE FUNCTION public.note_cycle_history() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
DECLARE
    -- A task that comes back with its project keeps the time of its last change: then that of the deletion counts.
    today CONSTANT date := (greatest(NEW.updated_at, NEW.deleted_at, OLD.deleted_at) AT TIME ZONE 'UTC')::date;
    is_live CONSTANT boolean := NEW.deleted_at IS NULL;
    is_done CONSTANT boolean := NEW.deleted_at IS NULL AND NEW.status IN ('done', 'resolved', 'closed');
    stays CONSTANT boolean := NEW.cycle_id IS NOT DISTINCT FROM OLD.cycle_id;
    is_first_today boolean;
    made record;
BEGIN
    IF OLD.cycle_id IS NOT NULL THEN
        INSERT INTO cycle_history AS known
            VALUES (OLD.workspace_id, OLD.cycle_id, OLD.id, today, stays AND is_live, stays AND is_done)
        ON CONFLICT (workspace_id, cycle_id, issue_id, day) DO UPDATE SET is_in = EXCLUDED.is_in, is_done = EXCLUDED.is_done
        -- Only a row that was there before has one.
        RETURNING known.xmax = 0 INTO is_first_today;
        IF is_first_today AND NOT EXISTS (SELECT FROM cycle_history AS known
            WHERE known.workspace_id = OLD.workspace_id AND known.cycle_id = OLD.cycle_id AND known.issue_id = OLD.id
                AND known.day <> today)
        THEN
            -- Two at most.
            FOR made IN
                SELECT * FROM cycle_days(OLD.created_at, coalesce(OLD.completed_at, OLD.resolved_at), OLD.deleted_at IS NULL) AS days
                WHERE days.day <> today
            LOOP
                INSERT INTO cycle_history VALUES (OLD.workspace_id, OLD.cycle_id, OLD.id, made.day, made.is_in, made.is_done);
            END LOOP;
        END IF;
    END IF;
    IF NEW.cycle_id IS NOT NULL AND NOT stays THEN
        INSERT INTO cycle_history VALUES (NEW.workspace_id, NEW.cycle_id, NEW.id, today, is_live, is_done)
        ON CONFLICT (workspace_id, cycle_id, issue_id, day) DO UPDATE SET is_in = EXCLUDED.is_in, is_done = EXCLUDED.is_done;
    END IF;
    RETURN NULL;
END
$$;
CREATE FUNCTION public.note_deal_totals() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
DECLARE
    part record;
BEGIN
    IF TG_TABLE_NAME <> 'deals' THEN
        -- Of a shard.
        IF TG_OP = 'INSERT' THEN
            FOR part IN
                SELECT workspace_id, stage, status, currency, count(*) AS deals, coalesce(sum(value), 0) AS worth FROM added
                WHERE deleted_at IS NULL GROUP BY workspace_id, stage, status, currency
            LOOP
                INSERT INTO deal_total_changes (workspace_id, stage, status, currency, deals, value)
                    VALUES (part.workspace_id, part.stage, part.status, part.currency, part.deals, part.worth);
            END LOOP;
        ELSIF TG_OP = 'DELETE' THEN
            FOR part IN
                SELECT workspace_id, stage, status, currency, -count(*) AS deals, -coalesce(sum(value), 0) AS worth FROM removed
                WHERE deleted_at IS NULL GROUP BY workspace_id, stage, status, currency
            LOOP
                INSERT INTO deal_total_changes (workspace_id, stage, status, currency, deals, value)
                    VALUES (part.workspace_id, part.stage, part.status, part.currency, part.deals, part.worth);
            END LOOP;
        ELSE
            FOR part IN
                SELECT workspace_id, stage, status, currency, sum(deals) AS deals, sum(worth) AS worth FROM (
                    SELECT workspace_id, stage, status, currency, 1 AS deals, coalesce(value, 0) AS worth FROM added
                    WHERE deleted_at IS NULL
                    UNION ALL
                    SELECT workspace_id, stage, status, currency, -1, -coalesce(value, 0) FROM removed
                    WHERE deleted_at IS NULL
                ) AS moved
                GROUP BY workspace_id, stage, status, currency HAVING sum(deals) <> 0 OR sum(worth) <> 0
            LOOP
                INSERT INTO deal_total_changes (workspace_id, stage, status, currency, deals, value)
                    VALUES (part.workspace_id, part.stage, part.status, part.currency, part.deals, part.worth);
            END LOOP;
        END IF;
    ELSIF TG_OP = 'INSERT' THEN
        INSERT INTO deal_total_changes (workspace_id, stage, status, currency, deals, value)
            SELECT workspace_id, stage, status, currency, count(*), coalesce(sum(value), 0) FROM added
            WHERE deleted_at IS NULL GROUP BY workspace_id, stage, status, currency;
    ELSIF TG_OP = 'DELETE' THEN
        INSERT INTO deal_total_changes (workspace_id, stage, status, currency, deals, value)
            SELECT workspace_id, stage, status, currency, -count(*), -coalesce(sum(value), 0) FROM removed
            WHERE deleted_at IS NULL GROUP BY workspace_id, stage, status, currency;
    ELSE
        INSERT INTO deal_total_changes (workspace_id, stage, status, currency, deals, value)
            SELECT workspace_id, stage, status, currency, sum(deals), sum(worth) FROM (
                SELECT workspace_id, stage, status, currency, 1 AS deals, coalesce(value, 0) AS worth FROM added
                WHERE deleted_at IS NULL
                UNION ALL
                SELECT workspace_id, stage, status, currency, -1, -coalesce(value, 0) FROM removed
                WHERE deleted_at IS NULL
            ) AS moved
            GROUP BY workspace_id, stage, status, currency HAVING sum(deals) <> 0 OR sum(worth) <> 0;
    END IF;
    RETURN NULL;
END
$$;
CREATE FUNCTION public.number_events(of_workspace uuid, most bigint, OUT numbered bigint, OUT last bigint) RETURNS record
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    AS $$
DECLARE
    greatest_id uuid;
    beyond uuid;
    ids uuid[];
BEGIN
    numbered := 0;
    IF NOT EXISTS (SELECT FROM events_unnumbered WHERE workspace_id = of_workspace) THEN
        SELECT last_position INTO last FROM event_sequences WHERE workspace_id = of_workspace;
        last := coalesce(last, 0);
        RETURN;
    END IF;
    LOOP
        -- One at a time. The next statement sees what was committed until the lock was granted.
        SELECT last_position, latest INTO last, greatest_id FROM event_sequences
            WHERE workspace_id = of_workspace FOR UPDATE;
        EXIT WHEN FOUND;
        INSERT INTO event_sequences (workspace_id, last_position, latest)
            VALUES (of_workspace, 0, '00000000-0000-0000-0000-000000000000') ON CONFLICT (workspace_id) DO NOTHING;
    END LOOP;
    SELECT event_id INTO beyond FROM events_unnumbered
        WHERE workspace_id = of_workspace ORDER BY event_id OFFSET most LIMIT 1;
    WITH taken AS (
        DELETE FROM events_unnumbered
        WHERE workspace_id = of_workspace AND event_id < coalesce(beyond, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
        RETURNING event_id
    )
    -- A record's events have ids in the order of its versions, and a version is never committed before the one that it
    -- follows: who sees an event here sees all of its record with smaller ids.
    SELECT array_agg(event_id ORDER BY event_id) INTO ids FROM taken;
    IF ids IS NULL THEN
        RETURN;
    END IF;
    numbered := cardinality(ids);
    IF current_setting('citus.version', true) IS NOT NULL THEN
        -- The row of the sequence makes the shard's node do this.
        INSERT INTO event_positions (workspace_id, position, event_id, latest)
            SELECT sequence.workspace_id, number_events.last + event.place, event.id, greatest(greatest_id, event.id)
            FROM event_sequences AS sequence CROSS JOIN unnest(ids) WITH ORDINALITY AS event (id, place)
            WHERE sequence.workspace_id = of_workspace;
    ELSE
        INSERT INTO event_positions (workspace_id, position, event_id, latest)
            SELECT of_workspace, last + place, id, greatest(greatest_id, id)
            FROM unnest(ids) WITH ORDINALITY AS event (id, place);
    END IF;
    last := last + numbered;
    UPDATE event_sequences SET last_position = last, latest = greatest(greatest_id, ids[numbered])
        WHERE workspace_id = of_workspace;
    PERFORM pg_notify('events_numbered', of_workspace::text);
END
$$;
CREATE FUNCTION public.person_pattern(emails text[], names text[]) RETURNS text
    LANGUAGE sql IMMUTABLE
    AS $$
    -- What has a meaning in a regular expression is escaped. No part of a longer word or address is the person: "." and "-"
    -- are part of an address unless a sentence ends with them.
    SELECT string_agg(CASE WHEN is_email
            THEN '(?<![[:alnum:]_%+][.@-]?)' || escaped || '(?![.@-]?[[:alnum:]_%+])'
            ELSE '(?<![[:alnum:]])' || escaped || '(?![[:alnum:]])' END, '|' ORDER BY length(escaped) DESC)
    FROM (
        SELECT true AS is_email, regexp_replace(email, '([^[:alnum:][:space:]])', '\\\1', 'g') AS escaped
        FROM unnest(emails) AS email
        UNION ALL
        SELECT false, regexp_replace(name, '([^[:alnum:][:space:]])', '\\\1', 'g') FROM unnest(names) AS name
    ) AS wanted
$$;
CREATE FUNCTION public.queue_backlog_by_steps(of_workspace uuid, at timestamp with time zone, since timestamp with time zone, room bigint, most bigint, batch bigint, OUT queued bigint, OUT ended bigint) RETURNS record
    LANGUAGE plpgsql
    AS $$
DECLARE
    first uuid[] := ARRAY(
        SELECT event_id FROM webhook_backlog WHERE workspace_id = of_workspace ORDER BY event_id LIMIT batch);
    places bigint[];
    names text[];
    subscriptions uuid[];
    taken bigint[];
    made uuid[];
    listeners uuid[];
    happened text[];
    events_of uuid[];
    times timestamptz[];
    due timestamptz[];
    ended_events uuid[];
BEGIN
    SELECT array_agg(matching.place), array_agg(matching.name), array_agg(matching.subscription_id)
        INTO places, names, subscriptions
        FROM (
            SELECT head.place, event.event AS name, subscription.id AS subscription_id
            FROM unnest(first) WITH ORDINALITY AS head (event_id, place)
            JOIN webhook_backlog AS waiting ON waiting.workspace_id = of_workspace AND waiting.event_id = head.event_id
                AND waiting.event_id = ANY (first)
            CROSS JOIN LATERAL (
                SELECT happened.module, happened.event, happened.scope_id, happened.former_scope_id, happened.created_at
                FROM events AS happened
                WHERE happened.workspace_id = of_workspace AND happened.id = head.event_id AND happened.created_at >= since
                OFFSET 0
            ) AS event
            JOIN webhook_subscriptions AS subscription ON subscription.workspace_id = of_workspace
                AND subscription.deleted_at IS NULL AND CASE WHEN waiting.subscriptions IS NOT NULL
                    THEN subscription.id = ANY (waiting.subscriptions)
                    ELSE subscription.module = event.module AND subscription.enabled
                        AND subscription.created_at <= event.created_at
                        AND subscription.events && ARRAY[event.event, '*']
                        AND (subscription.scope_id IS NULL
                            OR subscription.scope_id IN (event.scope_id, event.former_scope_id)) END
            ORDER BY head.place, subscription.id FOR KEY SHARE OF subscription
        ) AS matching;
    taken := ARRAY(
        SELECT counted.place FROM (
            SELECT head.place, count(matching.place) AS many,
                sum(count(matching.place)) OVER (ORDER BY head.place) AS until_here
            FROM unnest(first) WITH ORDINALITY AS head (event_id, place)
            LEFT JOIN unnest(places) AS matching (place) USING (place)
            GROUP BY head.place
        ) AS counted
        WHERE counted.until_here <= room OR room = most AND counted.until_here = counted.many);
    SELECT array_agg(uuid_v7(at, matching.place)), array_agg(matching.subscription_id), array_agg(matching.name),
            array_agg(first[matching.place]), array_agg(at),
            -- Due in their order, and all of them now.
            array_agg(at - (cardinality(first) - matching.place) * interval '1 microsecond')
        INTO made, listeners, happened, events_of, times, due
        FROM unnest(places, names, subscriptions) AS matching (place, name, subscription_id)
        WHERE matching.place = ANY (taken);
    queued := insert_webhook_deliveries(of_workspace, made, listeners, happened, events_of, due, times, NULL);
    ended_events := ARRAY(SELECT first[place] FROM unnest(taken) AS place);
    DELETE FROM webhook_backlog WHERE workspace_id = of_workspace AND event_id = ANY (ended_events);
    GET DIAGNOSTICS ended = ROW_COUNT;
END
$$;
CREATE FUNCTION public.queue_matching_deliveries(of_workspace uuid, ids uuid[], modules text[], names text[], scopes uuid[], former_scopes uuid[], internals boolean[], times timestamp with time zone[], room bigint, most bigint, OUT queued bigint, OUT behind bigint) RETURNS record
    LANGUAGE plpgsql
    AS $$
DECLARE
    places bigint[];
    subscriptions uuid[];
    fitting boolean[];
    made uuid[];
    listeners uuid[];
    happened text[];
    events_of uuid[];
    due timestamptz[];
BEGIN
    SELECT array_agg(matched.place ORDER BY matched.number), array_agg(matched.subscription_id ORDER BY matched.number),
            array_agg(matched.until_here <= room OR room = most AND matched.until_here = matched.many ORDER BY matched.number)
        INTO places, subscriptions, fitting
        FROM (
            SELECT matching.place, matching.subscription_id, count(*) OVER (PARTITION BY matching.place) AS many,
                -- With all of its place.
                count(*) OVER (ORDER BY matching.place) AS until_here, row_number() OVER () AS number
            FROM (
                SELECT event.place, subscription.id AS subscription_id
                FROM unnest(modules, names, scopes, former_scopes, internals) WITH ORDINALITY
                    AS event (module, name, scope, former_scope, internal, place)
                JOIN webhook_subscriptions AS subscription ON subscription.workspace_id = of_workspace
                    AND subscription.module = event.module AND subscription.enabled AND subscription.deleted_at IS NULL
                    AND subscription.events && ARRAY[event.name, '*'] AND NOT event.internal
                    AND (subscription.scope_id IS NULL OR subscription.scope_id IN (event.scope, event.former_scope))
                ORDER BY event.place, subscription.id FOR KEY SHARE OF subscription
            ) AS matching
        ) AS matched;
    SELECT array_agg(uuid_v7(times[matched.place], matched.place)), array_agg(matched.subscription_id),
            array_agg(names[matched.place]), array_agg(ids[matched.place]), array_agg(times[matched.place])
        INTO made, listeners, happened, events_of, due
        FROM unnest(places, subscriptions, fitting) AS matched (place, subscription_id, fits) WHERE matched.fits;
    queued := insert_webhook_deliveries(of_workspace, made, listeners, happened, events_of, due, due, NULL);
    behind := 0;
    IF false = ANY (fitting) THEN
        INSERT INTO webhook_backlog (workspace_id, event_id, created_at, subscriptions)
            SELECT of_workspace, ids[matched.place], times[matched.place], array_agg(matched.subscription_id)
            FROM unnest(places, subscriptions, fitting) AS matched (place, subscription_id, fits) WHERE NOT matched.fits
            GROUP BY matched.place;
        GET DIAGNOSTICS behind = ROW_COUNT;
    END IF;
END
$$;
CREATE FUNCTION public.queue_replay_by_steps(of_workspace uuid, of_subscription uuid, of_replay uuid, since timestamp with time zone, until timestamp with time zone, wanted text[], candidates uuid[], at timestamp with time zone, room bigint, OUT deliveries bigint, OUT matches bigint, OUT reached uuid) RETURNS record
    LANGUAGE plpgsql
    AS $$
DECLARE
    matching uuid[];
    names text[];
BEGIN
    SELECT array_agg(found.event_id ORDER BY found.place), array_agg(found.name ORDER BY found.place) INTO matching, names
        FROM (
            SELECT candidate.event_id, event.event AS name, candidate.place
            FROM unnest(candidates) WITH ORDINALITY AS candidate (event_id, place)
            CROSS JOIN LATERAL (
                SELECT happened.module, happened.event, happened.scope_id, happened.former_scope_id FROM events AS happened
                WHERE happened.workspace_id = of_workspace AND happened.id = candidate.event_id
                    AND happened.internal IS NOT TRUE AND happened.created_at >= since
                    AND (until IS NULL OR happened.created_at < until)
                    AND (wanted IS NULL OR happened.event = ANY (wanted))
                OFFSET 0
            ) AS event
            JOIN webhook_subscriptions AS subscription ON subscription.workspace_id = of_workspace
                AND subscription.id = of_subscription AND subscription.module = event.module
                AND subscription.events && ARRAY[event.event, '*']
                AND (subscription.scope_id IS NULL OR subscription.scope_id IN (event.scope_id, event.former_scope_id))
        ) AS found;
    matches := coalesce(cardinality(matching), 0);
    reached := matching[room];
    SELECT insert_webhook_deliveries(of_workspace, array_agg(uuid_v7(at, place)), array_agg(of_subscription),
            array_agg(names[place]), array_agg(matching[place]),
            -- Due in the order of the log, and all of them now.
            array_agg(at - (room - place) * interval '1 microsecond'), array_agg(at), of_replay)
        INTO deliveries
        FROM generate_series(1, least(matches, room)) AS place;
END
$$;
CREATE FUNCTION public.queue_webhook_backlog(of_workspace uuid, at timestamp with time zone, since timestamp with time zone, most bigint, batch bigint, OUT queued bigint, OUT ended bigint) RETURNS record
    LANGUAGE plpgsql
    AS $$
DECLARE
    is_cluster CONSTANT boolean := current_setting('citus.version', true) IS NOT NULL;
    room bigint;
BEGIN
    queued := 0;
    ended := 0;
    IF NOT try_webhook_queue_lock(of_workspace) THEN
        RETURN;
    END IF;
    room := most - CASE WHEN is_cluster THEN count_waiting_in_cluster(of_workspace, most)
        ELSE count_waiting_webhook_deliveries(of_workspace, most) END;
    IF room <= 0 THEN
        RETURN;
    END IF;
    IF is_cluster THEN
        SELECT * INTO queued, ended FROM queue_backlog_by_steps(of_workspace, at, since, room, most, batch);
        RETURN;
    END IF;
    WITH head AS MATERIALIZED (
        SELECT event_id, subscriptions, row_number() OVER (ORDER BY event_id) AS place
        FROM (SELECT event_id, subscriptions FROM webhook_backlog
            WHERE workspace_id = of_workspace ORDER BY event_id LIMIT batch) AS first
    ), matching AS MATERIALIZED (
        SELECT head.place, head.event_id, event.event AS name, subscription.id AS subscription_id
        FROM head
        CROSS JOIN LATERAL (
            SELECT module, event, scope_id, former_scope_id, created_at FROM events
            WHERE workspace_id = of_workspace AND id = head.event_id AND created_at >= since
            OFFSET 0
        ) AS event
        JOIN webhook_subscriptions AS subscription ON subscription.workspace_id = of_workspace
            AND subscription.deleted_at IS NULL AND CASE WHEN head.subscriptions IS NOT NULL
                THEN subscription.id = ANY (head.subscriptions)
                ELSE subscription.module = event.module AND subscription.enabled
                    AND subscription.created_at <= event.created_at
                    AND subscription.events && ARRAY[event.event, '*']
                    AND (subscription.scope_id IS NULL
                        OR subscription.scope_id IN (event.scope_id, event.former_scope_id)) END
        ORDER BY head.place, subscription.id FOR KEY SHARE OF subscription
    ), taken AS MATERIALIZED (
        SELECT place, event_id FROM (
            SELECT head.place, head.event_id,
                sum(count(matching.place)) OVER (ORDER BY head.place) <= room
                    OR room = most AND sum(count(matching.place)) OVER (ORDER BY head.place) = count(matching.place)
                    AS fits
            FROM head LEFT JOIN matching USING (place) GROUP BY head.place, head.event_id
        ) AS counted WHERE fits
    ), added AS (
        INSERT INTO webhook_deliveries
            (workspace_id, id, subscription_id, event, event_id, state, attempts, next_attempt_at, created_at)
            -- Due in their order, and all of them now.
            SELECT of_workspace, uuid_v7(at, place), matching.subscription_id, matching.name, matching.event_id,
                'pending', 0, at - ((SELECT count(*) FROM head) - place) * interval '1 microsecond', at
            FROM matching JOIN taken USING (place)
        RETURNING id
    ), gone AS (
        DELETE FROM webhook_backlog
        WHERE workspace_id = of_workspace AND event_id = ANY (ARRAY(SELECT event_id FROM taken))
        RETURNING event_id
    )
    SELECT (SELECT count(*) FROM added), (SELECT count(*) FROM gone) INTO queued, ended;
END
$$;
CREATE FUNCTION public.queue_webhook_deliveries(of_workspace uuid, ids uuid[], modules text[], names text[], scopes uuid[], former_scopes uuid[], internals boolean[], times timestamp with time zone[], most bigint, OUT queued bigint, OUT behind bigint, OUT failure text) RETURNS record
    LANGUAGE plpgsql
    AS $$
DECLARE
    is_cluster CONSTANT boolean := current_setting('citus.version', true) IS NOT NULL;
    listening bigint;
    largest bigint;
    room bigint;
BEGIN
    queued := 0;
    behind := 0;
    -- Most workspaces have none.
    SELECT count(*) INTO listening FROM webhook_subscriptions
        WHERE workspace_id = of_workspace AND module = ANY (modules) AND enabled AND deleted_at IS NULL;
    IF listening = 0 THEN
        RETURN;
    END IF;
    largest := listening * cardinality(names);
    IF EXISTS (SELECT FROM webhook_backlog WHERE workspace_id = of_workspace) THEN
        -- Who comes after others that wait for room waits behind them.
        room := 0;
    ELSIF largest > 100 AND NOT try_webhook_queue_lock(of_workspace) THEN
        -- Several who queue many at once would each find the room that the others take. Nobody waits for the lock.
        room := 0;
    ELSIF random() * most < 64 * largest THEN
        room := most - CASE WHEN is_cluster THEN count_waiting_in_cluster(of_workspace, most)
                ELSE count_waiting_webhook_deliveries(of_workspace, most) END;
    ELSE
        -- Counting takes as long as many wait, so few deliveries are added after some count, rather than after each:
        -- on average a 64th of the bound.
        room := most;
    END IF;
    IF is_cluster THEN
        SELECT * INTO queued, behind FROM queue_matching_deliveries(of_workspace, ids, modules, names, scopes, former_scopes,
            internals, times, room, most);
        RETURN;
    END IF;
    IF cardinality(ids) = 1 AND listening <= room THEN
        -- What most changes are: one event, which fits whoever it matches. The lock waits for a deletion under way, and looks again then.
        INSERT INTO webhook_deliveries
            (workspace_id, id, subscription_id, event, event_id, state, attempts, next_attempt_at, created_at)
            SELECT of_workspace, uuid_v7(times[1], 1), matching.id, names[1], ids[1], 'pending', 0, times[1], times[1]
            FROM (
                SELECT id FROM webhook_subscriptions
                WHERE workspace_id = of_workspace AND module = modules[1] AND enabled AND deleted_at IS NULL
                    AND events && ARRAY[names[1], '*'] AND NOT internals[1]
                    AND (scope_id IS NULL OR scope_id IN (scopes[1], former_scopes[1]))
                ORDER BY id FOR KEY SHARE
            ) AS matching;
        GET DIAGNOSTICS queued = ROW_COUNT;
        RETURN;
    END IF;
    -- The lock waits for a deletion under way, and looks again then: nothing is queued for what is gone.
    WITH incoming AS MATERIALIZED (
        SELECT place, id, at FROM unnest(ids, times) WITH ORDINALITY AS event (id, at, place)
    ), matching AS MATERIALIZED (
        SELECT event.place, event.name, subscription.id AS subscription_id
        FROM unnest(modules, names, scopes, former_scopes, internals) WITH ORDINALITY
            AS event (module, name, scope, former_scope, internal, place)
        JOIN webhook_subscriptions AS subscription ON subscription.workspace_id = of_workspace
            AND subscription.module = event.module AND subscription.enabled AND subscription.deleted_at IS NULL
            AND subscription.events && ARRAY[event.name, '*'] AND NOT event.internal
            AND (subscription.scope_id IS NULL OR subscription.scope_id IN (event.scope, event.former_scope))
        ORDER BY event.place, subscription.id FOR KEY SHARE OF subscription
    ), matched AS MATERIALIZED (
        SELECT place, array_agg(subscription_id) AS subscriptions,
            sum(count(*)) OVER (ORDER BY place) <= room
                -- More than may wait at all are queued where nothing waits.
                OR room = most AND sum(count(*)) OVER (ORDER BY place) = count(*) AS fits
        FROM matching GROUP BY place
    ), waiting AS (
        INSERT INTO webhook_backlog (workspace_id, event_id, created_at, subscriptions)
            SELECT of_workspace, incoming.id, incoming.at, matched.subscriptions
            FROM matched JOIN incoming USING (place) WHERE NOT matched.fits
        RETURNING event_id
    ), added AS (
        INSERT INTO webhook_deliveries
            (workspace_id, id, subscription_id, event, event_id, state, attempts, next_attempt_at, created_at)
            SELECT of_workspace, uuid_v7(incoming.at, place), matching.subscription_id, matching.name, incoming.id,
                'pending', 0, incoming.at, incoming.at
            FROM matching JOIN matched USING (place) JOIN incoming USING (place) WHERE matched.fits
        RETURNING id
    )
    SELECT (SELECT count(*) FROM added), (SELECT count(*) FROM waiting) INTO queued, behind;
EXCEPTION WHEN OTHERS THEN
    -- All of it is undone, and nothing else. What a cancelled statement does is not caught, and should not be.
    queued := 0;
    failure := format('%s (%s)', SQLERRM, SQLSTATE);
    BEGIN
        INSERT INTO webhook_backlog (workspace_id, event_id, created_at)
            SELECT of_workspace, id, at FROM unnest(ids, times, internals) AS event (id, at, internal) WHERE NOT internal;
        GET DIAGNOSTICS behind = ROW_COUNT;
    EXCEPTION WHEN OTHERS THEN
        behind := 0;
        failure := format('%s; nor could it be kept for later: %s (%s)', failure, SQLERRM, SQLSTATE);
    END;
END
$$;
CREATE FUNCTION public.queue_webhook_replay(of_workspace uuid, of_subscription uuid, at timestamp with time zone, most bigint, most_due bigint, batch bigint, OUT deliveries bigint, OUT examined bigint) RETURNS record
    LANGUAGE plpgsql
    AS $$
DECLARE
    is_cluster CONSTANT boolean := current_setting('citus.version', true) IS NOT NULL;
    replay webhook_replays;
    room bigint;
    candidates uuid[];
    matches bigint;
    reached uuid;
    is_over boolean;
BEGIN
    deliveries := 0;
    examined := 0;
    -- The subscription first, as everywhere: the lock waits for a deletion under way, which cancels the replay.
    PERFORM FROM webhook_subscriptions
        WHERE workspace_id = of_workspace AND id = of_subscription AND enabled AND deleted_at IS NULL FOR KEY SHARE;
    IF NOT FOUND THEN
        RETURN;
    END IF;
    SELECT * INTO replay FROM webhook_replays
        WHERE workspace_id = of_workspace AND subscription_id = of_subscription AND state = 'running'
        FOR UPDATE SKIP LOCKED;
    -- What happens now goes first: while events wait for room, the past waits behind them.
    IF NOT FOUND OR EXISTS (SELECT FROM webhook_backlog WHERE workspace_id = of_workspace) THEN
        RETURN;
    END IF;
    IF NOT try_webhook_queue_lock(of_workspace) THEN
        RETURN;
    END IF;
    -- Half of the room is left to new events, and few deliveries are due before those of a new event.
    most := greatest(most / 2, 1);
    most_due := least(most_due, most);
    room := most - CASE WHEN is_cluster THEN count_waiting_in_cluster(of_workspace, most)
        ELSE count_waiting_webhook_deliveries(of_workspace, most) END;
    room := least(room, most_due - (SELECT count(*) FROM (
        SELECT FROM webhook_deliveries
        WHERE state IN ('pending', 'retrying') AND workspace_id = of_workspace AND subscription_id = of_subscription
            AND next_attempt_at <= at
        ORDER BY next_attempt_at LIMIT most_due) AS due));
    -- Few large steps rather than many small ones.
    IF room <= 0 OR room < most_due / 2 THEN
        RETURN;
    END IF;
    IF replay.only_failed THEN
        candidates := ARRAY(
            SELECT event_id FROM webhook_deliveries
            WHERE workspace_id = of_workspace AND subscription_id = of_subscription
                AND event_id > replay.examined_to AND event_id <= replay.last_event_id
                AND (state = 'failed' OR replay_id IS NOT NULL)
            GROUP BY event_id HAVING (array_agg(state ORDER BY created_at DESC, id DESC))[1] = 'failed'
            ORDER BY event_id LIMIT batch);
    ELSE
        candidates := ARRAY(
            SELECT id FROM events
            WHERE workspace_id = of_workspace AND id > replay.examined_to AND id <= replay.last_event_id
            ORDER BY id LIMIT batch);
    END IF;
    IF is_cluster THEN
        SELECT * INTO deliveries, matches, reached
            FROM queue_replay_by_steps(of_workspace, of_subscription, replay.id, replay.since, replay.until, replay.events, candidates,
                at, room);
    ELSE
        WITH matching AS MATERIALIZED (
            SELECT candidate.event_id, event.event AS name, row_number() OVER (ORDER BY candidate.place) AS place
            FROM unnest(candidates) WITH ORDINALITY AS candidate (event_id, place)
            CROSS JOIN LATERAL (
                SELECT module, event, scope_id, former_scope_id FROM events
                WHERE workspace_id = of_workspace AND id = candidate.event_id AND internal IS NOT TRUE
                    AND created_at >= replay.since AND (replay.until IS NULL OR created_at < replay.until)
                    AND (replay.events IS NULL OR event = ANY (replay.events))
                OFFSET 0
            ) AS event
            JOIN webhook_subscriptions AS subscription ON subscription.workspace_id = of_workspace
                AND subscription.id = of_subscription AND subscription.module = event.module
                AND subscription.events && ARRAY[event.event, '*']
                AND (subscription.scope_id IS NULL OR subscription.scope_id IN (event.scope_id, event.former_scope_id))
        ), added AS (
            INSERT INTO webhook_deliveries
                (workspace_id, id, subscription_id, event, event_id, state, attempts, next_attempt_at, created_at, replay_id)
                -- Due in the order of the log, and all of them now.
                SELECT of_workspace, uuid_v7(at, place), of_subscription, name, event_id, 'pending', 0,
                    at - (room - place) * interval '1 microsecond', at, replay.id
                FROM matching WHERE place <= room
            RETURNING id
        )
        SELECT (SELECT count(*) FROM added), (SELECT count(*) FROM matching),
            (SELECT event_id FROM matching WHERE place = room) INTO deliveries, matches, reached;
    END IF;
    examined := cardinality(candidates);
    is_over := examined < batch AND matches <= room;
    IF matches <= room THEN
        reached := candidates[examined];
    END IF;
    UPDATE webhook_replays SET examined_to = coalesce(reached, examined_to), queued = replay.queued + deliveries,
        state = CASE WHEN is_over THEN 'completed' ELSE 'running' END, finished_at = CASE WHEN is_over THEN at END
        WHERE workspace_id = of_workspace AND id = replay.id;
    IF is_over THEN
        -- It is a step, also if it found nothing.
        examined := examined + 1;
    END IF;
END
$$;
CREATE FUNCTION public.record_history(of_workspace uuid, of_record uuid, nouns text[], with_comments boolean, since uuid, before uuid, most bigint, skipped bigint, room bigint) RETURNS TABLE(id uuid, module text, event text, record_type text, record_id uuid, version bigint, internal boolean, actor_type text, actor_id uuid, actor_name text, request_id text, tool text, payload text, created_at timestamp with time zone)
    LANGUAGE plpgsql STABLE ROWS 50
    SET enable_sort TO 'off'
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
DECLARE
    bytes bigint := 0;
    found bigint := 0;
BEGIN
    FOR id, module, event, record_type, record_id, version, internal, actor_type, actor_id, actor_name, request_id, tool,
        payload, created_at
    IN
        SELECT log.id, log.module, log.event, log.record_type, log.record_id, log.version, log.internal, log.actor_type,
            log.actor_id, log.actor_name, log.request_id, log.tool, log.payload, log.created_at
        FROM events AS log
        WHERE log.workspace_id = of_workspace AND log.record_id = of_record AND log.id < before AND log.id >= since
            AND log.record_type = ANY (nouns) AND (with_comments OR log.version IS NOT NULL)
        ORDER BY log.id DESC LIMIT most OFFSET skipped
    LOOP
        found := found + 1;
        RETURN NEXT;
        bytes := bytes + octet_length(payload);
        EXIT WHEN found > 1 AND bytes > room;
    END LOOP;
END
$$;
CREATE FUNCTION public.try_webhook_queue_lock(of_workspace uuid) RETURNS boolean
    LANGUAGE plpgsql
    AS $$
DECLARE
    lock CONSTANT bigint := webhook_queue_lock(of_workspace);
    is_held boolean;
BEGIN
    IF current_setting('citus.version', true) IS NULL THEN
        RETURN pg_try_advisory_xact_lock(lock);
    END IF;
    -- It holds on the node that has the rows, wherever callers are connected.
    SELECT pg_try_advisory_xact_lock(lock) INTO is_held
        FROM (SELECT count(*) FROM webhook_subscriptions WHERE workspace_id = of_workspace) AS here;
    RETURN is_held;
END
$$;
CREATE FUNCTION public.uuid_v7(at timestamp with time zone, place bigint) RETURNS uuid
    LANGUAGE sql
    AS $$
    SELECT encode(substring(int8send(trunc(extract(epoch FROM at) * 1000)::bigint) FROM 3)
        || int2send((28672 + place % 4096)::smallint) || substring(uuid_send(gen_random_uuid()) FROM 9), 'hex')::uuid
$$;
CREATE FUNCTION public.uuid_v7_floor(at timestamp with time zone) RETURNS uuid
    LANGUAGE sql IMMUTABLE
    AS $$
    SELECT encode(substring(int8send(trunc(extract(epoch FROM at) * 1000)::bigint) FROM 3)
        || '\x00000000000000000000'::bytea, 'hex')::uuid
$$;
CREATE FUNCTION public.webhook_is_held_by_another(of_workspace uuid, subscription uuid, claimer uuid, at timestamp with time zone) RETURNS boolean
    LANGUAGE plpgsql
    AS $$
BEGIN
    RETURN EXISTS (
        SELECT FROM webhook_deliveries
        WHERE state = 'delivering' AND workspace_id = of_workspace AND subscription_id = subscription
            AND lease_owner <> claimer AND lease_until >= at
        OFFSET 0
    );
END
$$;
CREATE FUNCTION public.webhook_queue_lock(of_workspace uuid) RETURNS bigint
    LANGUAGE sql IMMUTABLE
    AS $$
    SELECT hashtextextended('webhook queue ' || of_workspace, 0)
$$;
CREATE TABLE public.__diesel_schema_migrations (
    version character varying(50) NOT NULL,
    run_on timestamp without time zone DEFAULT CURRENT_TIMESTAMP NOT NULL
);
CREATE TABLE public.api_keys (
    workspace_id uuid NOT NULL,
    id uuid NOT NULL,
    name text NOT NULL,
    lookup_id text NOT NULL,
    secret_hash bytea NOT NULL,
    scopes text[] NOT NULL,
    preset text,
    expires_at timestamp with time zone,
    revoked_at timestamp with time zone,
    created_at timestamp with time zone NOT NULL,
    permissions text[],
    last_used_at timestamp with time zone,
    version bigint DEFAULT 1 NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    created_by_type text NOT NULL,
    created_by_id uuid,
    trial_tools text[],
    trial_calls_limit bigint,
    trial_calls_used bigint,
    allowed_networks text[] DEFAULT '{}'::text[] NOT NULL,
    tools_used_at timestamp with time zone,
    CONSTRAINT api_keys_allowed_networks_check CHECK ((cardinality(allowed_networks) <= 100)),
    CONSTRAINT api_keys_created_by_type_check CHECK ((created_by_type = ANY (ARRAY['api_key'::text, 'user'::text, 'system'::text]))),
    CONSTRAINT api_keys_preset_check CHECK ((preset = ANY (ARRAY['read_only'::text, 'crm'::text, 'projects'::text, 'support'::text, 'full_access'::text, 'agent_trial'::text]))),
    CONSTRAINT api_keys_secret_hash_check CHECK ((octet_length(secret_hash) = 32)),
    CONSTRAINT api_keys_trial_calls_limit_check CHECK ((trial_calls_limit >= 1)),
    CONSTRAINT api_keys_trial_calls_used_check CHECK (((trial_calls_used >= 0) AND (trial_calls_used <= trial_calls_limit))),
    CONSTRAINT api_keys_trial_check CHECK (((num_nonnulls(trial_tools, trial_calls_limit, trial_calls_used) =
CASE
    WHEN (preset = 'agent_trial'::text) THEN 3
    ELSE 0
END) AND ((preset IS DISTINCT FROM 'agent_trial'::text) OR (expires_at IS NOT NULL)))),
    CONSTRAINT api_keys_version_check CHECK ((version >= 1))
);
CREATE TABLE public.audit_log (
    workspace_id uuid NOT NULL,
    id uuid NOT NULL,
    action text NOT NULL,
    actor_type text NOT NULL,
    actor_id uuid,
    actor_name text NOT NULL,
    subject_type text NOT NULL,
    subject_id uuid NOT NULL,
    details jsonb NOT NULL,
    ip text,
    created_at timestamp with time zone NOT NULL,
    CONSTRAINT audit_log_actor_type_check CHECK ((actor_type = ANY (ARRAY['api_key'::text, 'user'::text, 'system'::text]))),
    CONSTRAINT audit_log_details_check CHECK ((jsonb_typeof(details) = 'object'::text))
)
PARTITION BY RANGE (created_at);
CREATE TABLE public.audit_log_default (
    workspace_id uuid NOT NULL,
    id uuid NOT NULL,
    action text NOT NULL,
    actor_type text NOT NULL,
    actor_id uuid,
    actor_name text NOT NULL,
    subject_type text NOT NULL,
    subject_id uuid NOT NULL,
    details jsonb NOT NULL,
    ip text,
    created_at timestamp with time zone NOT NULL,
    CONSTRAINT audit_log_actor_type_check CHECK ((actor_type = ANY (ARRAY['api_key'::text, 'user'::text, 'system'::text]))),
    CONSTRAINT audit_log_details_check CHECK ((jsonb_typeof(details) = 'object'::text))
);
CREATE TABLE public.audit_log_first (
    workspace_id uuid NOT NULL,
    id uuid NOT NULL,
    action text NOT NULL,
    actor_type text NOT NULL,
    actor_id uuid,
    actor_name text NOT NULL,
    subject_type text NOT NULL,
    subject_id uuid NOT NULL,
    details jsonb NOT NULL,
    ip text,
    created_at timestamp with time zone NOT NULL,
    CONSTRAINT audit_log_actor_type_check CHECK ((actor_type = ANY (ARRAY['api_key'::text, 'user'::text, 'system'::text]))),
    CONSTRAINT audit_log_details_check CHECK ((jsonb_typeof(details) = 'object'::text))
);
CREATE TABLE public.comments (
    workspace_id uuid NOT NULL,
    id uuid NOT NULL,
    issue_id uuid NOT NULL,
    body text NOT NULL,
    visibility text NOT NULL,
    author_type text NOT NULL,
    author_id uuid,
    version bigint NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    created_by_type text NOT NULL,
    created_by_id uuid,
    edited_at timestamp with time zone,
    CONSTRAINT comments_author_type_check CHECK ((author_type = ANY (ARRAY['api_key'::text, 'user'::text, 'system'::text, 'customer'::text]))),
    CONSTRAINT comments_created_by_type_check CHECK ((created_by_type = ANY (ARRAY['api_key'::text, 'user'::text, 'system'::text]))),
    CONSTRAINT comments_version_check CHECK ((version >= 1)),
    CONSTRAINT comments_visibility_check CHECK ((visibility = ANY (ARRAY['public'::text, 'internal'::text])))
);
CREATE TABLE public.companies (
    workspace_id uuid NOT NULL,
    id uuid NOT NULL,
    name text NOT NULL,
    domain text,
    industry text,
    phone text,
    website text,
    notes text,
    external_id text,
    version bigint NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    created_by_type text NOT NULL,
    created_by_id uuid,
    deleted_at timestamp with time zone,
    search tsvector NOT NULL,
    erased_at timestamp with time zone,
    CONSTRAINT companies_created_by_type_check CHECK ((created_by_type = ANY (ARRAY['api_key'::text, 'user'::text, 'system'::text]))),
    CONSTRAINT companies_version_check CHECK ((version >= 1))
);
CREATE TABLE public.contacts (
    workspace_id uuid NOT NULL,
    id uuid NOT NULL,
    email text NOT NULL,
    email_key text NOT NULL,
    first_name text,
    last_name text,
    phone text,
    job_title text,
    company_id uuid,
    company_name text,
    contact_type text NOT NULL,
    status text NOT NULL,
    lead_source text,
    industry text,
    notes text,
    tags text[] NOT NULL,
    custom_fields jsonb NOT NULL,
    external_id text,
    country text,
    state text,
    city text,
    social_linkedin text,
    version bigint NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    created_by_type text NOT NULL,
    created_by_id uuid,
    deleted_at timestamp with time zone,
    search tsvector NOT NULL,
    search_stale boolean DEFAULT false NOT NULL,
    erased_at timestamp with time zone,
    CONSTRAINT contacts_contact_type_check CHECK ((contact_type = ANY (ARRAY['new'::text, 'engaged'::text, 'qualified'::text, 'customer'::text, 'inactive'::text, 'lead'::text, 'prospect'::text, 'partner'::text, 'vendor'::text]))),
    CONSTRAINT contacts_created_by_type_check CHECK ((created_by_type = ANY (ARRAY['api_key'::text, 'user'::text, 'system'::text]))),
    CONSTRAINT contacts_custom_fields_check CHECK ((jsonb_typeof(custom_fields) = 'object'::text)),
    CONSTRAINT contacts_status_check CHECK ((status = ANY (ARRAY['active'::text, 'inactive'::text, 'blocked'::text, 'pending'::text]))),
    CONSTRAINT contacts_version_check CHECK ((version >= 1))
);
CREATE TABLE public.credential_changes (
    id bigint NOT NULL,
    subject uuid NOT NULL,
    changed_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);
ALTER TABLE public.credential_changes ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.credential_changes_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.crm_quota (
    workspace_id uuid NOT NULL,
    month date NOT NULL,
    given bigint NOT NULL,
    settled bigint NOT NULL,
    CONSTRAINT crm_quota_month_check CHECK ((EXTRACT(day FROM month) = (1)::numeric)),
    CONSTRAINT crm_quota_settled_check CHECK (((settled >= 0) AND (settled <= given)))
)
WITH (fillfactor='50');
CREATE TABLE public.crm_quota_blocks (
    workspace_id uuid NOT NULL,
    month date NOT NULL,
    id bigint NOT NULL,
    size integer NOT NULL,
    used integer NOT NULL,
    CONSTRAINT crm_quota_blocks_size_check CHECK ((size > 0)),
    CONSTRAINT crm_quota_blocks_used_check CHECK (((used >= 0) AND (used <= size)))
)
WITH (fillfactor='50');
ALTER TABLE public.crm_quota_blocks ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.crm_quota_blocks_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.cycle_history (
    workspace_id uuid NOT NULL,
    cycle_id uuid NOT NULL,
    issue_id uuid NOT NULL,
    day date NOT NULL,
    is_in boolean NOT NULL,
    is_done boolean NOT NULL,
    CONSTRAINT cycle_history_done_check CHECK ((is_in OR (NOT is_done)))
);
CREATE TABLE public.cycles (
    workspace_id uuid NOT NULL,
    id uuid NOT NULL,
    project_id uuid NOT NULL,
    number integer NOT NULL,
    name text NOT NULL,
    goal text,
    start_date date NOT NULL,
    end_date date NOT NULL,
    version bigint NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    created_by_type text NOT NULL,
    created_by_id uuid,
    deleted_at timestamp with time zone,
    erased_at timestamp with time zone,
    CONSTRAINT cycles_created_by_type_check CHECK ((created_by_type = ANY (ARRAY['api_key'::text, 'user'::text, 'system'::text]))),
    CONSTRAINT cycles_dates_check CHECK ((end_date >= start_date)),
    CONSTRAINT cycles_number_check CHECK ((number >= 1)),
    CONSTRAINT cycles_version_check CHECK ((version >= 1))
);
CREATE TABLE public.deal_total_changes (
    workspace_id uuid NOT NULL,
    id bigint NOT NULL,
    stage text NOT NULL,
    status text NOT NULL,
    currency text NOT NULL,
    deals bigint NOT NULL,
    value numeric NOT NULL
)
WITH (autovacuum_vacuum_scale_factor='0.02', autovacuum_vacuum_threshold='1000');
ALTER TABLE public.deal_total_changes ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.deal_total_changes_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.deal_totals (
    workspace_id uuid NOT NULL,
    stage text NOT NULL,
    status text NOT NULL,
    currency text NOT NULL,
    deals bigint NOT NULL,
    value numeric NOT NULL
)
WITH (fillfactor='50');
CREATE TABLE public.deals (
    workspace_id uuid NOT NULL,
    id uuid NOT NULL,
    title text NOT NULL,
    description text,
    contact_id uuid,
    company_id uuid,
    assigned_to uuid,
    status text NOT NULL,
    stage text NOT NULL,
    value numeric(14,2),
    currency text NOT NULL,
    probability integer,
    expected_close_date date,
    actual_close_date date,
    lost_reason text,
    source text,
    tags text[] NOT NULL,
    custom_fields jsonb NOT NULL,
    external_id text,
    price_book_id uuid,
    package_id uuid,
    rep_id uuid,
    developer_id uuid,
    commission_pct numeric(5,2),
    territory text,
    version bigint NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    created_by_type text NOT NULL,
    created_by_id uuid,
    deleted_at timestamp with time zone,
    search tsvector,
    erased_at timestamp with time zone,
    CONSTRAINT deals_commission_pct_check CHECK (((commission_pct >= (0)::numeric) AND (commission_pct <= (100)::numeric))),
    CONSTRAINT deals_created_by_type_check CHECK ((created_by_type = ANY (ARRAY['api_key'::text, 'user'::text, 'system'::text]))),
    CONSTRAINT deals_currency_check CHECK ((currency ~ '^[A-Z]{3}$'::text)),
    CONSTRAINT deals_custom_fields_check CHECK ((jsonb_typeof(custom_fields) = 'object'::text)),
    CONSTRAINT deals_probability_check CHECK (((probability >= 0) AND (probability <= 100))),
    CONSTRAINT deals_stage_check CHECK ((stage = ANY (ARRAY['discovery'::text, 'qualified'::text, 'proposal'::text, 'negotiation'::text, 'closed_won'::text, 'closed_lost'::text]))),
    CONSTRAINT deals_status_check CHECK ((status = ANY (ARRAY['open'::text, 'on_hold'::text, 'closed_won'::text, 'closed_lost'::text]))),
    CONSTRAINT deals_value_check CHECK ((value >= (0)::numeric)),
    CONSTRAINT deals_version_check CHECK ((version >= 1))
);
CREATE TABLE public.demo_workspaces (
    workspace_id uuid NOT NULL,
    made_at timestamp with time zone NOT NULL
);
CREATE TABLE public.drafts (
    workspace_id uuid NOT NULL,
    user_id uuid NOT NULL,
    record_id uuid GENERATED ALWAYS AS (COALESCE(issue_id, contact_id, company_id, deal_id)) STORED NOT NULL,
    issue_id uuid,
    contact_id uuid,
    company_id uuid,
    deal_id uuid,
    body text NOT NULL,
    visibility text NOT NULL,
    version bigint NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    CONSTRAINT drafts_record_check CHECK ((num_nonnulls(issue_id, contact_id, company_id, deal_id) = 1)),
    CONSTRAINT drafts_version_check CHECK ((version >= 1)),
    CONSTRAINT drafts_visibility_check CHECK ((visibility = ANY (ARRAY['public'::text, 'internal'::text])))
);
CREATE TABLE public.event_positions (
    workspace_id uuid NOT NULL,
    "position" bigint NOT NULL,
    event_id uuid NOT NULL,
    latest uuid NOT NULL
)
PARTITION BY RANGE (event_id);
CREATE TABLE public.event_positions_2026_11 (
    workspace_id uuid NOT NULL,
    "position" bigint NOT NULL,
    event_id uuid NOT NULL,
    latest uuid NOT NULL
);
CREATE TABLE public.event_positions_2026_12 (
    workspace_id uuid NOT NULL,
    "position" bigint NOT NULL,
    event_id uuid NOT NULL,
    latest uuid NOT NULL
);
CREATE TABLE public.event_positions_2027_01 (
    workspace_id uuid NOT NULL,
    "position" bigint NOT NULL,
    event_id uuid NOT NULL,
    latest uuid NOT NULL
);
CREATE TABLE public.event_positions_2027_02 (
    workspace_id uuid NOT NULL,
    "position" bigint NOT NULL,
    event_id uuid NOT NULL,
    latest uuid NOT NULL
);
CREATE TABLE public.event_positions_default (
    workspace_id uuid NOT NULL,
    "position" bigint NOT NULL,
    event_id uuid NOT NULL,
    latest uuid NOT NULL
);
CREATE TABLE public.event_sequences (
    workspace_id uuid NOT NULL,
    last_position bigint NOT NULL,
    latest uuid NOT NULL
)
WITH (fillfactor='50');
CREATE TABLE public.events (
    workspace_id uuid NOT NULL,
    id uuid NOT NULL,
    module text NOT NULL,
    event text NOT NULL,
    scope_id uuid,
    payload text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    former_scope_id uuid,
    record_type text,
    record_id uuid,
    version bigint,
    internal boolean,
    actor_type text,
    actor_id uuid,
    actor_name text,
    request_id text,
    tool text
)
PARTITION BY RANGE (id);
CREATE TABLE public.events_2026_11 (
    workspace_id uuid NOT NULL,
    id uuid NOT NULL,
    module text NOT NULL,
    event text NOT NULL,
    scope_id uuid,
    payload text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    former_scope_id uuid,
    record_type text,
    record_id uuid,
    version bigint,
    internal boolean,
    actor_type text,
    actor_id uuid,
    actor_name text,
    request_id text,
    tool text
);
CREATE TABLE public.events_2026_12 (
    workspace_id uuid NOT NULL,
    id uuid NOT NULL,
    module text NOT NULL,
    event text NOT NULL,
    scope_id uuid,
    payload text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    former_scope_id uuid,
    record_type text,
    record_id uuid,
    version bigint,
    internal boolean,
    actor_type text,
    actor_id uuid,
    actor_name text,
    request_id text,
    tool text
);
CREATE TABLE public.events_2027_01 (
    workspace_id uuid NOT NULL,
    id uuid NOT NULL,
    module text NOT NULL,
    event text NOT NULL,
    scope_id uuid,
    payload text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    former_scope_id uuid,
    record_type text,
    record_id uuid,
    version bigint,
    internal boolean,
    actor_type text,
    actor_id uuid,
    actor_name text,
    request_id text,
    tool text
);
CREATE TABLE public.events_2027_02 (
    workspace_id uuid NOT NULL,
    id uuid NOT NULL,
    module text NOT NULL,
    event text NOT NULL,
    scope_id uuid,
    payload text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    former_scope_id uuid,
    record_type text,
    record_id uuid,
    version bigint,
    internal boolean,
    actor_type text,
    actor_id uuid,
    actor_name text,
    request_id text,
    tool text
);
CREATE TABLE public.events_default (
    workspace_id uuid NOT NULL,
    id uuid NOT NULL,
    module text NOT NULL,
    event text NOT NULL,
    scope_id uuid,
    payload text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    former_scope_id uuid,
    record_type text,
    record_id uuid,
    version bigint,
    internal boolean,
    actor_type text,
    actor_id uuid,
    actor_name text,
    request_id text,
    tool text
);
CREATE TABLE public.events_unnumbered (
    workspace_id uuid NOT NULL,
    event_id uuid NOT NULL
)
WITH (autovacuum_vacuum_scale_factor='0.02', autovacuum_vacuum_threshold='1000');
CREATE TABLE public.idempotency_bytes (
    workspace_id uuid NOT NULL,
    hour timestamp with time zone NOT NULL,
    id bigint NOT NULL,
    bytes bigint NOT NULL,
    CONSTRAINT idempotency_bytes_bytes_check CHECK ((bytes >= 0))
)
WITH (fillfactor='50');
ALTER TABLE public.idempotency_bytes ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.idempotency_bytes_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.idempotency_keys (
    workspace_id uuid NOT NULL,
    credential_id uuid NOT NULL,
    route text NOT NULL,
    key text NOT NULL,
    fingerprint bytea NOT NULL,
    status smallint NOT NULL,
    location text,
    body text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    CONSTRAINT idempotency_keys_fingerprint_check CHECK ((octet_length(fingerprint) = 32))
);
CREATE TABLE public.import_refusals (
    workspace_id uuid NOT NULL,
    digest text NOT NULL,
    row_number bigint NOT NULL,
    reason text NOT NULL,
    CONSTRAINT import_refusals_reason_check CHECK (((char_length(reason) >= 1) AND (char_length(reason) <= 1000))),
    CONSTRAINT import_refusals_row_number_check CHECK ((row_number >= 1))
);
CREATE TABLE public.imports (
    workspace_id uuid NOT NULL,
    digest text NOT NULL,
    kind text NOT NULL,
    created bigint NOT NULL,
    updated bigint NOT NULL,
    unchanged bigint NOT NULL,
    skipped bigint NOT NULL,
    refused bigint NOT NULL,
    started_at timestamp with time zone NOT NULL,
    finished_at timestamp with time zone,
    CONSTRAINT imports_digest_check CHECK ((digest ~ '^[0-9a-f]{64}$'::text)),
    CONSTRAINT imports_kind_check CHECK ((kind = ANY (ARRAY['companies'::text, 'contacts'::text, 'deals'::text, 'projects'::text, 'tasks'::text, 'tickets'::text, 'articles'::text])))
);
CREATE TABLE public.invitations (
    workspace_id uuid NOT NULL,
    user_id uuid NOT NULL,
    lookup_id text NOT NULL,
    secret_hash bytea NOT NULL,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    accepted_at timestamp with time zone,
    invited_by uuid,
    CONSTRAINT invitations_secret_hash_check CHECK ((octet_length(secret_hash) = 32))
);
CREATE TABLE public.issue_counters (
    workspace_id uuid NOT NULL,
    kind text NOT NULL,
    next_number bigint NOT NULL,
    CONSTRAINT issue_counters_kind_check CHECK ((kind = ANY (ARRAY['task'::text, 'ticket'::text])))
)
WITH (fillfactor='10');
CREATE TABLE public.kb_articles (
    workspace_id uuid NOT NULL,
    id uuid NOT NULL,
    title text NOT NULL,
    slug text NOT NULL,
    body text,
    status text NOT NULL,
    tags text[] NOT NULL,
    published_at timestamp with time zone,
    version bigint NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    created_by_type text NOT NULL,
    created_by_id uuid,
    deleted_at timestamp with time zone,
    words tsvector NOT NULL,
    words_by text DEFAULT '1'::text NOT NULL,
    shown text,
    erased_at timestamp with time zone,
    search tsvector,
    CONSTRAINT kb_articles_created_by_type_check CHECK ((created_by_type = ANY (ARRAY['api_key'::text, 'user'::text, 'system'::text]))),
    CONSTRAINT kb_articles_status_check CHECK ((status = ANY (ARRAY['draft'::text, 'published'::text]))),
    CONSTRAINT kb_articles_version_check CHECK ((version >= 1))
)
WITH (toast_tuple_target='8160');
ALTER TABLE ONLY public.kb_articles ALTER COLUMN words SET STORAGE MAIN;
CREATE TABLE public.kb_vain_searches (
    workspace_id uuid NOT NULL,
    term text NOT NULL,
    searches bigint NOT NULL,
    last_at timestamp with time zone NOT NULL,
    CONSTRAINT kb_vain_searches_searches_check CHECK ((searches >= 1)),
    CONSTRAINT kb_vain_searches_term_check CHECK (((char_length(term) >= 1) AND (char_length(term) <= 100)))
);
CREATE TABLE public.last_backup (
    is_only boolean DEFAULT true NOT NULL,
    ended_at timestamp with time zone NOT NULL,
    CONSTRAINT last_backup_is_only_check CHECK (is_only)
);
CREATE TABLE public.link_requests (
    id uuid NOT NULL,
    wanted text NOT NULL,
    email text NOT NULL,
    workspace_id uuid,
    reference text,
    created_at timestamp with time zone NOT NULL,
    next_attempt_at timestamp with time zone NOT NULL,
    network inet DEFAULT '0.0.0.0'::inet NOT NULL,
    turn_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT link_requests_ticket_check CHECK ((num_nonnulls(workspace_id, reference) =
CASE wanted
    WHEN 'ticket'::text THEN 2
    ELSE 0
END)),
    CONSTRAINT link_requests_wanted_check CHECK ((wanted = ANY (ARRAY['ticket'::text, 'password_reset'::text])))
);
CREATE TABLE public.mail_hours (
    workspace_id uuid NOT NULL,
    hour timestamp with time zone NOT NULL,
    mails bigint NOT NULL,
    CONSTRAINT mail_hours_mails_check CHECK ((mails >= 0))
)
WITH (fillfactor='50');
CREATE TABLE public.mail_parts (
    workspace_id uuid NOT NULL,
    mail_id uuid NOT NULL,
    id uuid NOT NULL,
    body_key_id text NOT NULL,
    body bytea NOT NULL
);
CREATE TABLE public.mail_recipients (
    recipient bytea NOT NULL,
    purpose text NOT NULL,
    since timestamp with time zone NOT NULL,
    mails bigint NOT NULL,
    CONSTRAINT mail_recipients_mails_check CHECK ((mails >= 0)),
    CONSTRAINT mail_recipients_recipient_check CHECK ((octet_length(recipient) = 32))
)
WITH (fillfactor='50');
CREATE TABLE public.mails (
    workspace_id uuid NOT NULL,
    id uuid NOT NULL,
    recipient text NOT NULL,
    subject text NOT NULL,
    body_key_id text,
    body bytea,
    attempts integer NOT NULL,
    next_attempt_at timestamp with time zone,
    lease_owner uuid,
    last_error text,
    created_at timestamp with time zone NOT NULL,
    sent_at timestamp with time zone,
    failed_at timestamp with time zone,
    batch uuid,
    batch_bytes bigint DEFAULT 0 NOT NULL,
    subject_of_many text,
    purpose text,
    CONSTRAINT mails_attempts_check CHECK ((attempts >= 0)),
    CONSTRAINT mails_batch_check CHECK (((batch IS NULL) OR (next_attempt_at IS NOT NULL))),
    CONSTRAINT mails_body_check CHECK ((num_nulls(body_key_id, body) =
CASE
    WHEN (next_attempt_at IS NULL) THEN 2
    ELSE 0
END)),
    CONSTRAINT mails_lease_check CHECK (((lease_owner IS NULL) OR (next_attempt_at IS NOT NULL))),
    CONSTRAINT mails_over_check CHECK ((num_nulls(next_attempt_at, sent_at, failed_at) = 2))
);
CREATE TABLE public.members (
    workspace_id uuid NOT NULL,
    user_id uuid NOT NULL,
    role text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    deactivated_at timestamp with time zone,
    joined_at timestamp with time zone,
    version bigint DEFAULT 1 NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    CONSTRAINT members_role_check CHECK ((role = ANY (ARRAY['owner'::text, 'admin'::text, 'member'::text, 'viewer'::text]))),
    CONSTRAINT members_version_check CHECK ((version >= 1))
);
CREATE TABLE public.password_resets (
    user_id uuid NOT NULL,
    lookup_id text NOT NULL,
    secret_hash bytea NOT NULL,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    used_at timestamp with time zone,
    CONSTRAINT password_resets_secret_hash_check CHECK ((octet_length(secret_hash) = 32))
);
CREATE TABLE public.person_erasure_records (
    workspace_id uuid NOT NULL,
    erasure_id uuid NOT NULL,
    record_id uuid NOT NULL
);
CREATE TABLE public.person_erasures (
    workspace_id uuid NOT NULL,
    id uuid NOT NULL,
    contact_id uuid,
    phase text NOT NULL,
    behind text,
    emails text[] NOT NULL,
    names text[] NOT NULL,
    contacts bigint NOT NULL,
    tickets bigint NOT NULL,
    comments bigint NOT NULL,
    events bigint NOT NULL,
    deliveries bigint NOT NULL,
    queued_emails bigint NOT NULL,
    answers bigint NOT NULL,
    audit_entries bigint NOT NULL,
    created_by_type text NOT NULL,
    created_by_id uuid,
    created_by_name text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    finished_at timestamp with time zone,
    turn_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT person_erasures_created_by_type_check CHECK ((created_by_type = ANY (ARRAY['api_key'::text, 'user'::text, 'system'::text]))),
    CONSTRAINT person_erasures_finished_check CHECK (((finished_at IS NOT NULL) = (phase = 'done'::text))),
    CONSTRAINT person_erasures_phase_check CHECK ((phase = ANY (ARRAY['contacts'::text, 'tickets'::text, 'comments'::text, 'emails'::text, 'answers'::text, 'deliveries'::text, 'events'::text, 'reports'::text, 'audit_log'::text, 'records'::text, 'done'::text]))),
    CONSTRAINT person_erasures_values_check CHECK (((phase <> 'done'::text) OR ((emails = '{}'::text[]) AND (names = '{}'::text[]))))
);
CREATE TABLE public.portal_sessions (
    workspace_id uuid NOT NULL,
    id uuid NOT NULL,
    issue_id uuid NOT NULL,
    lookup_id text NOT NULL,
    secret_hash bytea NOT NULL,
    created_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    CONSTRAINT portal_sessions_secret_hash_check CHECK ((octet_length(secret_hash) = 32))
);
CREATE UNLOGGED TABLE public.presences (
    workspace_id uuid NOT NULL,
    record_id uuid NOT NULL,
    user_id uuid NOT NULL,
    state text NOT NULL,
    seen_at timestamp with time zone NOT NULL,
    CONSTRAINT presences_state_check CHECK ((state = ANY (ARRAY['looking'::text, 'writing'::text])))
)
WITH (fillfactor='50');
CREATE TABLE public.projects (
    workspace_id uuid NOT NULL,
    id uuid NOT NULL,
    name text NOT NULL,
    description text,
    status text NOT NULL,
    priority text NOT NULL,
    progress integer NOT NULL,
    start_date date,
    end_date date,
    team_id uuid,
    lead_user_id uuid,
    template_id uuid,
    deal_id uuid,
    company_id uuid,
    github_url text,
    external_id text,
    hosted boolean NOT NULL,
    version bigint NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    created_by_type text NOT NULL,
    created_by_id uuid,
    deleted_at timestamp with time zone,
    search tsvector,
    erased_at timestamp with time zone,
    CONSTRAINT projects_created_by_type_check CHECK ((created_by_type = ANY (ARRAY['api_key'::text, 'user'::text, 'system'::text]))),
    CONSTRAINT projects_dates_check CHECK ((end_date >= start_date)),
    CONSTRAINT projects_priority_check CHECK ((priority = ANY (ARRAY['low'::text, 'medium'::text, 'high'::text, 'urgent'::text]))),
    CONSTRAINT projects_progress_check CHECK (((progress >= 0) AND (progress <= 100))),
    CONSTRAINT projects_status_check CHECK ((status = ANY (ARRAY['planning'::text, 'active'::text, 'on_hold'::text, 'completed'::text, 'cancelled'::text, 'archived'::text]))),
    CONSTRAINT projects_version_check CHECK ((version >= 1))
);
CREATE TABLE public.record_comments (
    workspace_id uuid NOT NULL,
    id uuid NOT NULL,
    contact_id uuid,
    company_id uuid,
    deal_id uuid,
    body text NOT NULL,
    author_type text NOT NULL,
    author_id uuid,
    edited_at timestamp with time zone,
    version bigint NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    created_by_type text NOT NULL,
    created_by_id uuid,
    CONSTRAINT record_comments_author_type_check CHECK ((author_type = ANY (ARRAY['api_key'::text, 'user'::text, 'system'::text]))),
    CONSTRAINT record_comments_created_by_type_check CHECK ((created_by_type = ANY (ARRAY['api_key'::text, 'user'::text, 'system'::text]))),
    CONSTRAINT record_comments_record_check CHECK ((num_nonnulls(contact_id, company_id, deal_id) = 1)),
    CONSTRAINT record_comments_version_check CHECK ((version >= 1))
);
CREATE TABLE public.request_counts (
    workspace_id uuid NOT NULL,
    day date NOT NULL,
    requests bigint NOT NULL,
    CONSTRAINT request_counts_requests_check CHECK ((requests >= 0))
)
WITH (fillfactor='50');
CREATE TABLE public.saved_views (
    workspace_id uuid NOT NULL,
    id uuid NOT NULL,
    page text NOT NULL,
    owner_id uuid NOT NULL,
    name text NOT NULL,
    query text NOT NULL,
    column_names text[] NOT NULL,
    shared boolean NOT NULL,
    "position" integer NOT NULL,
    version bigint NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    CONSTRAINT saved_views_page_check CHECK ((page = ANY (ARRAY['contacts'::text, 'companies'::text, 'deals'::text, 'projects'::text, 'tasks'::text, 'tickets'::text, 'articles'::text]))),
    CONSTRAINT saved_views_position_check CHECK (("position" >= 1)),
    CONSTRAINT saved_views_version_check CHECK ((version >= 1))
);
CREATE TABLE public.second_factors (
    user_id uuid NOT NULL,
    secret_key_id text NOT NULL,
    secret bytea NOT NULL,
    created_at timestamp with time zone NOT NULL,
    confirmed_at timestamp with time zone,
    last_step bigint NOT NULL,
    recovery_codes bytea[] NOT NULL,
    failures integer NOT NULL,
    paused_until timestamp with time zone,
    version bigint NOT NULL,
    CONSTRAINT second_factors_failures_check CHECK ((failures >= 0)),
    CONSTRAINT second_factors_recovery_codes_check CHECK ((cardinality(recovery_codes) <= 10)),
    CONSTRAINT second_factors_version_check CHECK ((version >= 1))
);
CREATE TABLE public.sessions (
    workspace_id uuid NOT NULL,
    id uuid NOT NULL,
    user_id uuid NOT NULL,
    lookup_id text NOT NULL,
    secret_hash bytea NOT NULL,
    created_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    user_agent text,
    address text,
    last_used_at timestamp with time zone,
    CONSTRAINT sessions_address_check CHECK ((char_length(address) <= 45)),
    CONSTRAINT sessions_secret_hash_check CHECK ((octet_length(secret_hash) = 32)),
    CONSTRAINT sessions_user_agent_check CHECK ((char_length(user_agent) <= 300))
);
CREATE TABLE public.set_up_codes (
    instance text NOT NULL,
    lookup_id text NOT NULL,
    secret_hash bytea NOT NULL,
    created_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    CONSTRAINT set_up_codes_instance_check CHECK (((octet_length(instance) >= 1) AND (octet_length(instance) <= 1000))),
    CONSTRAINT set_up_codes_secret_hash_check CHECK ((octet_length(secret_hash) = 32))
);
CREATE TABLE public.sign_in_challenges (
    workspace_id uuid NOT NULL,
    lookup_id text NOT NULL,
    user_id uuid NOT NULL,
    secret_hash bytea NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    tries integer NOT NULL,
    awaits text NOT NULL,
    first_proof text NOT NULL,
    session_id uuid,
    session_ends_at timestamp with time zone,
    CONSTRAINT sign_in_challenges_awaits_check CHECK ((awaits = ANY (ARRAY['workspace'::text, 'code'::text]))),
    CONSTRAINT sign_in_challenges_choice_check CHECK (((awaits = 'code'::text) OR (first_proof = 'password'::text))),
    CONSTRAINT sign_in_challenges_first_proof_check CHECK ((first_proof = ANY (ARRAY['password'::text, 'link'::text, 'session'::text]))),
    CONSTRAINT sign_in_challenges_secret_hash_check CHECK ((octet_length(secret_hash) = 32)),
    CONSTRAINT sign_in_challenges_session_check CHECK ((((first_proof = 'session'::text) = (session_id IS NOT NULL)) AND ((session_id IS NULL) = (session_ends_at IS NULL)))),
    CONSTRAINT sign_in_challenges_tries_check CHECK ((tries >= 0))
);
CREATE TABLE public.sign_in_links (
    workspace_id uuid NOT NULL,
    user_id uuid NOT NULL,
    lookup_id text NOT NULL,
    secret_hash bytea NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    used_at timestamp with time zone,
    CONSTRAINT sign_in_links_secret_hash_check CHECK ((octet_length(secret_hash) = 32))
);
CREATE TABLE public.sign_ins (
    user_id uuid NOT NULL,
    network text NOT NULL,
    device text NOT NULL,
    first_seen_at timestamp with time zone NOT NULL,
    last_seen_at timestamp with time zone NOT NULL
);
CREATE TABLE public.tracking_links (
    workspace_id uuid NOT NULL,
    lookup_id text NOT NULL,
    issue_id uuid NOT NULL,
    secret_hash bytea NOT NULL,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    used_at timestamp with time zone,
    is_requested boolean DEFAULT false NOT NULL,
    CONSTRAINT tracking_links_secret_hash_check CHECK ((octet_length(secret_hash) = 32))
);
CREATE TABLE public.users (
    id uuid NOT NULL,
    email text NOT NULL,
    email_key text NOT NULL,
    name text NOT NULL,
    password_hash text,
    created_at timestamp with time zone NOT NULL,
    notify_assigned boolean DEFAULT true NOT NULL,
    notify_replies boolean DEFAULT true NOT NULL,
    is_operator boolean DEFAULT false NOT NULL
);
CREATE TABLE public.webhook_attempts (
    workspace_id uuid NOT NULL,
    delivery_id uuid NOT NULL,
    number integer NOT NULL,
    started_at timestamp with time zone NOT NULL,
    duration_ms bigint NOT NULL,
    status integer,
    error text,
    response text,
    manual boolean DEFAULT false NOT NULL,
    CONSTRAINT webhook_attempts_duration_ms_check CHECK ((duration_ms >= 0)),
    CONSTRAINT webhook_attempts_number_check CHECK ((number >= 1))
);
CREATE TABLE public.webhook_backlog (
    workspace_id uuid NOT NULL,
    event_id uuid NOT NULL,
    created_at timestamp with time zone NOT NULL,
    subscriptions uuid[]
)
WITH (autovacuum_vacuum_scale_factor='0.02', autovacuum_vacuum_threshold='1000');
CREATE TABLE public.webhook_deliveries (
    workspace_id uuid NOT NULL,
    id uuid NOT NULL,
    subscription_id uuid NOT NULL,
    event text NOT NULL,
    body text,
    state text NOT NULL,
    attempts integer NOT NULL,
    next_attempt_at timestamp with time zone,
    first_attempt_at timestamp with time zone,
    lease_owner uuid,
    lease_until timestamp with time zone,
    redelivery_of uuid,
    created_at timestamp with time zone NOT NULL,
    finished_at timestamp with time zone,
    event_id uuid,
    redelivered_at timestamp with time zone,
    attempts_before integer DEFAULT 0 NOT NULL,
    failed_reason text,
    erased boolean DEFAULT false NOT NULL,
    replay_id uuid,
    CONSTRAINT webhook_deliveries_attempts_check CHECK ((attempts >= 0)),
    CONSTRAINT webhook_deliveries_finished_check CHECK (((num_nulls(finished_at, next_attempt_at) = 1) AND ((finished_at IS NULL) = (state = ANY (ARRAY['pending'::text, 'delivering'::text, 'retrying'::text]))))),
    CONSTRAINT webhook_deliveries_lease_check CHECK ((num_nulls(lease_owner, lease_until) =
CASE state
    WHEN 'delivering'::text THEN 0
    ELSE 2
END)),
    CONSTRAINT webhook_deliveries_state_check CHECK ((state = ANY (ARRAY['pending'::text, 'delivering'::text, 'retrying'::text, 'succeeded'::text, 'failed'::text, 'cancelled'::text])))
)
WITH (fillfactor='60', autovacuum_vacuum_scale_factor='0.02', autovacuum_vacuum_threshold='2000', autovacuum_vacuum_cost_limit='2000', autovacuum_analyze_scale_factor='0.05');
CREATE TABLE public.webhook_replays (
    workspace_id uuid NOT NULL,
    id uuid NOT NULL,
    subscription_id uuid NOT NULL,
    since timestamp with time zone NOT NULL,
    until timestamp with time zone,
    events text[],
    only_failed boolean NOT NULL,
    state text NOT NULL,
    matched bigint NOT NULL,
    queued bigint NOT NULL,
    examined_to uuid NOT NULL,
    last_event_id uuid NOT NULL,
    created_by_type text NOT NULL,
    created_by_id uuid,
    created_at timestamp with time zone NOT NULL,
    finished_at timestamp with time zone,
    CONSTRAINT webhook_replays_created_by_type_check CHECK ((created_by_type = ANY (ARRAY['api_key'::text, 'user'::text, 'system'::text]))),
    CONSTRAINT webhook_replays_finished_check CHECK (((finished_at IS NULL) = (state = 'running'::text))),
    CONSTRAINT webhook_replays_matched_check CHECK ((matched >= 0)),
    CONSTRAINT webhook_replays_queued_check CHECK ((queued >= 0)),
    CONSTRAINT webhook_replays_state_check CHECK ((state = ANY (ARRAY['running'::text, 'completed'::text, 'cancelled'::text])))
);
CREATE TABLE public.webhook_subscriptions (
    workspace_id uuid NOT NULL,
    id uuid NOT NULL,
    module text NOT NULL,
    url text NOT NULL,
    description text,
    events text[] NOT NULL,
    scope_id uuid,
    enabled boolean NOT NULL,
    disabled_reason text,
    secret_key_id text NOT NULL,
    secret bytea NOT NULL,
    next_secret_key_id text,
    next_secret bytea,
    overlap_ends_at timestamp with time zone,
    failing_since timestamp with time zone,
    version bigint NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    created_by_type text NOT NULL,
    created_by_id uuid,
    deleted_at timestamp with time zone,
    next_secret_ends_at timestamp with time zone,
    last_secret_key_id text,
    last_secret bytea,
    maker_type text,
    maker_id uuid,
    maker_notice_at timestamp with time zone,
    header_names text[],
    headers_key_id text,
    headers bytea,
    failing_told_at timestamp with time zone,
    disabled_told_at timestamp with time zone,
    CONSTRAINT webhook_subscriptions_created_by_type_check CHECK ((created_by_type = ANY (ARRAY['api_key'::text, 'user'::text, 'system'::text]))),
    CONSTRAINT webhook_subscriptions_disabled_reason_check CHECK ((disabled_reason = ANY (ARRAY['gone'::text, 'failing'::text]))),
    CONSTRAINT webhook_subscriptions_enabled_check CHECK ((NOT (enabled AND (disabled_reason IS NOT NULL)))),
    CONSTRAINT webhook_subscriptions_events_check CHECK ((cardinality(events) > 0)),
    CONSTRAINT webhook_subscriptions_headers_check CHECK ((num_nulls(header_names, headers_key_id, headers) = ANY (ARRAY[0, 3]))),
    CONSTRAINT webhook_subscriptions_last_secret_check CHECK (((num_nulls(next_secret_ends_at, last_secret_key_id, last_secret) = ANY (ARRAY[0, 3])) AND ((last_secret IS NULL) OR (next_secret IS NOT NULL)))),
    CONSTRAINT webhook_subscriptions_maker_type_check CHECK ((maker_type = ANY (ARRAY['api_key'::text, 'user'::text, 'system'::text]))),
    CONSTRAINT webhook_subscriptions_module_check CHECK ((module = ANY (ARRAY['projects'::text, 'support'::text, 'crm'::text, 'scheduling'::text, 'contracts'::text, 'time'::text, 'procurement'::text, 'planning'::text, 'goals'::text, 'surveys'::text, 'subscriptions'::text, 'marketing'::text]))),
    CONSTRAINT webhook_subscriptions_next_secret_check CHECK ((num_nulls(next_secret_key_id, next_secret, overlap_ends_at) = ANY (ARRAY[0, 3]))),
    CONSTRAINT webhook_subscriptions_version_check CHECK ((version >= 1))
)
WITH (fillfactor='80');
CREATE TABLE public.workspaces (
    id uuid NOT NULL,
    slug text NOT NULL,
    name text NOT NULL,
    plan text DEFAULT 'enterprise'::text NOT NULL,
    status text NOT NULL,
    default_currency text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    version bigint DEFAULT 1 NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    widget_enabled boolean DEFAULT false NOT NULL,
    widget_origins text[] DEFAULT '{}'::text[] NOT NULL,
    requests_per_minute bigint,
    crm_quota_per_month bigint,
    public_tickets_per_hour bigint,
    public_fetches_per_minute bigint,
    public_kb_searches_per_minute bigint,
    kb_language text DEFAULT 'english'::text NOT NULL,
    allowed_networks text[] DEFAULT '{}'::text[] NOT NULL,
    require_second_factor boolean DEFAULT false NOT NULL,
    emails_per_hour bigint,
    notify_requesters boolean,
    search tsvector DEFAULT ''::tsvector NOT NULL,
    erase_at timestamp with time zone,
    erasing boolean DEFAULT false NOT NULL,
    help_centre_enabled boolean DEFAULT true NOT NULL,
    CONSTRAINT workspaces_allowed_networks_check CHECK ((cardinality(allowed_networks) <= 100)),
    CONSTRAINT workspaces_crm_quota_per_month_check CHECK ((crm_quota_per_month >= 0)),
    CONSTRAINT workspaces_default_currency_check CHECK ((default_currency ~ '^[A-Z]{3}$'::text)),
    CONSTRAINT workspaces_emails_per_hour_check CHECK ((emails_per_hour >= 0)),
    CONSTRAINT workspaces_erase_at_check CHECK (((erase_at IS NOT NULL) = (status = 'deleted'::text))),
    CONSTRAINT workspaces_erasing_check CHECK (((NOT erasing) OR (erase_at IS NOT NULL))),
    CONSTRAINT workspaces_kb_language_check CHECK ((kb_language = ANY (ARRAY['simple'::text, 'arabic'::text, 'armenian'::text, 'basque'::text, 'catalan'::text, 'danish'::text, 'dutch'::text, 'english'::text, 'finnish'::text, 'french'::text, 'german'::text, 'greek'::text, 'hindi'::text, 'hungarian'::text, 'indonesian'::text, 'irish'::text, 'italian'::text, 'lithuanian'::text, 'nepali'::text, 'norwegian'::text, 'portuguese'::text, 'romanian'::text, 'russian'::text, 'serbian'::text, 'spanish'::text, 'swedish'::text, 'tamil'::text, 'turkish'::text, 'yiddish'::text]))),
    CONSTRAINT workspaces_plan_check CHECK ((plan = ANY (ARRAY['starter'::text, 'professional'::text, 'enterprise'::text]))),
    CONSTRAINT workspaces_public_fetches_per_minute_check CHECK ((public_fetches_per_minute >= 0)),
    CONSTRAINT workspaces_public_kb_searches_per_minute_check CHECK ((public_kb_searches_per_minute >= 0)),
    CONSTRAINT workspaces_public_tickets_per_hour_check CHECK ((public_tickets_per_hour >= 0)),
    CONSTRAINT workspaces_requests_per_minute_check CHECK ((requests_per_minute >= 1)),
    CONSTRAINT workspaces_status_check CHECK ((status = ANY (ARRAY['active'::text, 'suspended'::text, 'deleted'::text, 'restricted'::text]))),
    CONSTRAINT workspaces_version_check CHECK ((version >= 1))
);
ALTER TABLE ONLY public.audit_log ATTACH PARTITION public.audit_log_default DEFAULT;
ALTER TABLE ONLY public.audit_log ATTACH PARTITION public.audit_log_first FOR VALUES FROM (MINVALUE) TO ('2027-01-01 00:00:00+00');
ALTER TABLE ONLY public.event_positions ATTACH PARTITION public.event_positions_2026_11 FOR VALUES FROM ('01a19467-e800-0000-0000-000000000000') TO ('01a22ee6-b000-0000-0000-000000000000');
ALTER TABLE ONLY public.event_positions ATTACH PARTITION public.event_positions_2026_12 FOR VALUES FROM ('01a22ee6-b000-0000-0000-000000000000') TO ('01a2ce8b-d400-0000-0000-000000000000');
ALTER TABLE ONLY public.event_positions ATTACH PARTITION public.event_positions_2027_01 FOR VALUES FROM ('01a2ce8b-d400-0000-0000-000000000000') TO ('01a36e30-f800-0000-0000-000000000000');
ALTER TABLE ONLY public.event_positions ATTACH PARTITION public.event_positions_2027_02 FOR VALUES FROM ('01a36e30-f800-0000-0000-000000000000') TO ('01a3fe63-0800-0000-0000-000000000000');
ALTER TABLE ONLY public.event_positions ATTACH PARTITION public.event_positions_default DEFAULT;
ALTER TABLE ONLY public.events ATTACH PARTITION public.events_2026_11 FOR VALUES FROM ('01a19467-e800-0000-0000-000000000000') TO ('01a22ee6-b000-0000-0000-000000000000');
ALTER TABLE ONLY public.events ATTACH PARTITION public.events_2026_12 FOR VALUES FROM ('01a22ee6-b000-0000-0000-000000000000') TO ('01a2ce8b-d400-0000-0000-000000000000');
ALTER TABLE ONLY public.events ATTACH PARTITION public.events_2027_01 FOR VALUES FROM ('01a2ce8b-d400-0000-0000-000000000000') TO ('01a36e30-f800-0000-0000-000000000000');
ALTER TABLE ONLY public.events ATTACH PARTITION public.events_2027_02 FOR VALUES FROM ('01a36e30-f800-0000-0000-000000000000') TO ('01a3fe63-0800-0000-0000-000000000000');
ALTER TABLE ONLY public.events ATTACH PARTITION public.events_default DEFAULT;
INSERT INTO public.__diesel_schema_migrations VALUES
	('20261121010000', '2026-11-27 08:28:24.567025'),
	('20261121020000', '2026-11-27 08:28:24.602126'),
	('20261121030000', '2026-11-27 08:28:24.64629'),
	('20261121040000', '2026-11-27 08:28:24.696403'),
	('20261121050000', '2026-11-27 08:28:24.703933'),
	('20261121060000', '2026-11-27 08:28:24.759811'),
	('20261121065000', '2026-11-27 08:28:24.792541'),
	('20261121080000', '2026-11-27 08:28:24.79607'),
	('20261121110000', '2026-11-27 08:28:24.807727'),
	('20261121120000', '2026-11-27 08:28:24.809104'),
	('20261121130000', '2026-11-27 08:28:24.81751'),
	('20261121140000', '2026-11-27 08:28:24.838785'),
	('20261121150000', '2026-11-27 08:28:24.844089'),
	('20261121171500', '2026-11-27 08:28:24.846565'),
	('20261121190000', '2026-11-27 08:28:24.849384'),
	('20261122010000', '2026-11-27 08:28:24.955291'),
	('20261122020100', '2026-11-27 08:28:24.964002'),
	('20261122020200', '2026-11-27 08:28:24.967519'),
	('20261122020300', '2026-11-27 08:28:24.969574'),
	('20261122040000', '2026-11-27 08:28:24.981518'),
	('20261122050000', '2026-11-27 08:28:25.014543'),
	('20261122060000', '2026-11-27 08:28:25.017347'),
	('20261122061000', '2026-11-27 08:28:25.022967'),
	('20261122070000', '2026-11-27 08:28:25.039137'),
	('20261122080100', '2026-11-27 08:28:25.047668'),
	('20261122080200', '2026-11-27 08:28:25.051434'),
	('20261122080300', '2026-11-27 08:28:25.059884'),
	('20261122080310', '2026-11-27 08:28:25.066311'),
	('20261122080320', '2026-11-27 08:28:25.074553'),
	('20261122080330', '2026-11-27 08:28:25.080298'),
	('20261122080500', '2026-11-27 08:28:25.093056'),
	('20261122080600', '2026-11-27 08:28:25.096175'),
	('20261122080610', '2026-11-27 08:28:25.106329'),
	('20261122080620', '2026-11-27 08:28:25.108955'),
	('20261122080700', '2026-11-27 08:28:25.117691'),
	('20261122080810', '2026-11-27 08:28:25.119638'),
	('20261122080820', '2026-11-27 08:28:25.126811'),
	('20261122160000', '2026-11-27 08:28:25.133271'),
	('20261122160500', '2026-11-27 08:28:25.164941'),
	('20261122161000', '2026-11-27 08:28:25.167227'),
	('20261122162000', '2026-11-27 08:28:25.174625'),
	('20261122164000', '2026-11-27 08:28:25.176091'),
	('20261122165000', '2026-11-27 08:28:25.197046'),
	('20261122166000', '2026-11-27 08:28:25.211951'),
	('20261122167000', '2026-11-27 08:28:25.220539'),
	('20261122180000', '2026-11-27 08:28:25.231331'),
	('20261122180100', '2026-11-27 08:28:25.243807'),
	('20261122190000', '2026-11-27 08:28:25.248718'),
	('20261122190100', '2026-11-27 08:28:25.26096'),
	('20261122190200', '2026-11-27 08:28:25.269262'),
	('20261122200000', '2026-11-27 08:28:25.280977'),
	('20261122200100', '2026-11-27 08:28:25.28925'),
	('20261122200200', '2026-11-27 08:28:25.294056'),
	('20261122210000', '2026-11-27 08:28:25.301017'),
	('20261122220000', '2026-11-27 08:28:25.30245'),
	('20261122225000', '2026-11-27 08:28:25.306425'),
	('20261122230000', '2026-11-27 08:28:25.310441'),
	('20261122231000', '2026-11-27 08:28:25.312021'),
	('20261122232000', '2026-11-27 08:28:25.314195'),
	('20261122232010', '2026-11-27 08:28:25.319341'),
	('20261122232020', '2026-11-27 08:28:25.321055'),
	('20261122233000', '2026-11-27 08:28:25.324122'),
	('20261122233010', '2026-11-27 08:28:25.32773'),
	('20261122240000', '2026-11-27 08:28:25.33016'),
	('20261123010000', '2026-11-27 08:28:25.332256'),
	('20261123010010', '2026-11-27 08:28:25.33437'),
	('20261123010020', '2026-11-27 08:28:25.335712'),
	('20261123100000', '2026-11-27 08:28:25.349516'),
	('20261123200000', '2026-11-27 08:28:25.360754'),
	('20261124020000', '2026-11-27 08:28:25.365297'),
	('20261125010000', '2026-11-27 08:28:25.367038'),
	('20261125020000', '2026-11-27 08:28:25.370345'),
	('20261126010000', '2026-11-27 08:28:25.373677'),
	('20261126110000', '2026-11-27 08:28:25.378964'),
	('20261126150000', '2026-11-27 08:28:25.380749');
INSERT INTO public.api_keys VALUES
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8003-000000000001', 'key 1', '1-1', '\x0000000000000000000000000000000000000000000000000000000000000000', '{contacts:read}', NULL, NULL, NULL, '2026-11-01 01:00:00+00', NULL, NULL, 1, '2026-11-01 01:00:00+00', 'system', NULL, NULL, NULL, NULL, '{}', NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8003-000000000002', 'key 2', '1-2', '\x0000000000000000000000000000000000000000000000000000000000000000', '{contacts:read}', 'crm', NULL, NULL, '2026-11-01 02:00:00+00', NULL, NULL, 1, '2026-11-01 02:00:00+00', 'system', NULL, NULL, NULL, NULL, '{}', NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8003-000000000003', 'key 3', '1-3', '\x0000000000000000000000000000000000000000000000000000000000000000', '{contacts:read}', NULL, NULL, NULL, '2026-11-01 03:00:00+00', NULL, NULL, 1, '2026-11-01 03:00:00+00', 'system', NULL, NULL, NULL, NULL, '{}', NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8003-000000000004', 'key 4', '1-4', '\x0000000000000000000000000000000000000000000000000000000000000000', '{contacts:read}', 'crm', NULL, NULL, '2026-11-01 04:00:00+00', NULL, NULL, 1, '2026-11-01 04:00:00+00', 'system', NULL, NULL, NULL, NULL, '{}', NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8003-000000000005', 'key 5', '1-5', '\x0000000000000000000000000000000000000000000000000000000000000000', '{contacts:read}', NULL, NULL, NULL, '2026-11-01 05:00:00+00', NULL, NULL, 1, '2026-11-01 05:00:00+00', 'system', NULL, NULL, NULL, NULL, '{}', NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8003-000000000006', 'key 6', '1-6', '\x0000000000000000000000000000000000000000000000000000000000000000', '{contacts:read}', 'crm', NULL, NULL, '2026-11-01 06:00:00+00', NULL, NULL, 1, '2026-11-01 06:00:00+00', 'system', NULL, NULL, NULL, NULL, '{}', NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8003-000000000007', 'key 7', '1-7', '\x0000000000000000000000000000000000000000000000000000000000000000', '{contacts:read}', NULL, NULL, NULL, '2026-11-01 07:00:00+00', NULL, NULL, 1, '2026-11-01 07:00:00+00', 'system', NULL, NULL, NULL, NULL, '{}', NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8003-000000000008', 'key 8', '1-8', '\x0000000000000000000000000000000000000000000000000000000000000000', '{contacts:read}', 'crm', NULL, NULL, '2026-11-01 08:00:00+00', NULL, NULL, 1, '2026-11-01 08:00:00+00', 'system', NULL, NULL, NULL, NULL, '{}', NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8003-000000000009', 'key 9', '1-9', '\x0000000000000000000000000000000000000000000000000000000000000000', '{contacts:read}', NULL, NULL, NULL, '2026-11-01 09:00:00+00', NULL, NULL, 1, '2026-11-01 09:00:00+00', 'system', NULL, NULL, NULL, NULL, '{}', NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8003-000000000010', 'key 10', '1-10', '\x0000000000000000000000000000000000000000000000000000000000000000', '{contacts:read}', 'crm', NULL, NULL, '2026-11-01 10:00:00+00', NULL, NULL, 1, '2026-11-01 10:00:00+00', 'system', NULL, NULL, NULL, NULL, '{}', NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8003-000000000011', 'key 11', '1-11', '\x0000000000000000000000000000000000000000000000000000000000000000', '{contacts:read}', NULL, NULL, NULL, '2026-11-01 11:00:00+00', NULL, NULL, 1, '2026-11-01 11:00:00+00', 'system', NULL, NULL, NULL, NULL, '{}', NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8003-000000000012', 'key 12', '1-12', '\x0000000000000000000000000000000000000000000000000000000000000000', '{contacts:read}', 'crm', NULL, NULL, '2026-11-01 12:00:00+00', NULL, NULL, 1, '2026-11-01 12:00:00+00', 'system', NULL, NULL, NULL, NULL, '{}', NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8003-000000000013', 'key 13', '1-13', '\x0000000000000000000000000000000000000000000000000000000000000000', '{contacts:read}', NULL, NULL, NULL, '2026-11-01 13:00:00+00', NULL, NULL, 1, '2026-11-01 13:00:00+00', 'system', NULL, NULL, NULL, NULL, '{}', NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8003-000000000014', 'key 14', '1-14', '\x0000000000000000000000000000000000000000000000000000000000000000', '{contacts:read}', 'crm', NULL, NULL, '2026-11-01 14:00:00+00', NULL, NULL, 1, '2026-11-01 14:00:00+00', 'system', NULL, NULL, NULL, NULL, '{}', NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8003-000000000015', 'key 15', '1-15', '\x0000000000000000000000000000000000000000000000000000000000000000', '{contacts:read}', NULL, NULL, NULL, '2026-11-01 15:00:00+00', NULL, NULL, 1, '2026-11-01 15:00:00+00', 'system', NULL, NULL, NULL, NULL, '{}', NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8003-000000000016', 'key 16', '1-16', '\x0000000000000000000000000000000000000000000000000000000000000000', '{contacts:read}', 'crm', NULL, NULL, '2026-11-01 16:00:00+00', NULL, NULL, 1, '2026-11-01 16:00:00+00', 'system', NULL, NULL, NULL, NULL, '{}', NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8003-000000000017', 'key 17', '1-17', '\x0000000000000000000000000000000000000000000000000000000000000000', '{contacts:read}', NULL, NULL, NULL, '2026-11-01 17:00:00+00', NULL, NULL, 1, '2026-11-01 17:00:00+00', 'system', NULL, NULL, NULL, NULL, '{}', NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8003-000000000018', 'key 18', '1-18', '\x0000000000000000000000000000000000000000000000000000000000000000', '{contacts:read}', 'crm', NULL, NULL, '2026-11-01 18:00:00+00', NULL, NULL, 1, '2026-11-01 18:00:00+00', 'system', NULL, NULL, NULL, NULL, '{}', NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8003-000000000019', 'key 19', '1-19', '\x0000000000000000000000000000000000000000000000000000000000000000', '{contacts:read}', NULL, NULL, NULL, '2026-11-01 19:00:00+00', NULL, NULL, 1, '2026-11-01 19:00:00+00', 'system', NULL, NULL, NULL, NULL, '{}', NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8003-000000000020', 'key 20', '1-20', '\x0000000000000000000000000000000000000000000000000000000000000000', '{contacts:read}', 'crm', NULL, NULL, '2026-11-01 20:00:00+00', NULL, NULL, 1, '2026-11-01 20:00:00+00', 'system', NULL, NULL, NULL, NULL, '{}', NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8003-000000000021', 'key 21', '1-21', '\x0000000000000000000000000000000000000000000000000000000000000000', '{contacts:read}', NULL, NULL, NULL, '2026-11-01 21:00:00+00', NULL, NULL, 1, '2026-11-01 21:00:00+00', 'system', NULL, NULL, NULL, NULL, '{}', NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8003-000000000022', 'key 22', '1-22', '\x0000000000000000000000000000000000000000000000000000000000000000', '{contacts:read}', 'crm', NULL, NULL, '2026-11-01 22:00:00+00', NULL, NULL, 1, '2026-11-01 22:00:00+00', 'system', NULL, NULL, NULL, NULL, '{}', NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8003-000000000023', 'key 23', '1-23', '\x0000000000000000000000000000000000000000000000000000000000000000', '{contacts:read}', NULL, NULL, NULL, '2026-11-01 23:00:00+00', NULL, NULL, 1, '2026-11-01 23:00:00+00', 'system', NULL, NULL, NULL, NULL, '{}', NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8003-000000000024', 'key 24', '1-24', '\x0000000000000000000000000000000000000000000000000000000000000000', '{contacts:read}', 'crm', NULL, NULL, '2026-11-02 00:00:00+00', NULL, NULL, 1, '2026-11-02 00:00:00+00', 'system', NULL, NULL, NULL, NULL, '{}', NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8003-000000000025', 'key 25', '1-25', '\x0000000000000000000000000000000000000000000000000000000000000000', '{contacts:read}', NULL, NULL, NULL, '2026-11-02 01:00:00+00', NULL, NULL, 1, '2026-11-02 01:00:00+00', 'system', NULL, NULL, NULL, NULL, '{}', NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8003-000000000026', 'key 26', '1-26', '\x0000000000000000000000000000000000000000000000000000000000000000', '{contacts:read}', 'crm', NULL, NULL, '2026-11-02 02:00:00+00', NULL, NULL, 1, '2026-11-02 02:00:00+00', 'system', NULL, NULL, NULL, NULL, '{}', NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8003-000000000027', 'key 27', '1-27', '\x0000000000000000000000000000000000000000000000000000000000000000', '{contacts:read}', NULL, NULL, NULL, '2026-11-02 03:00:00+00', NULL, NULL, 1, '2026-11-02 03:00:00+00', 'system', NULL, NULL, NULL, NULL, '{}', NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8003-000000000028', 'key 28', '1-28', '\x0000000000000000000000000000000000000000000000000000000000000000', '{contacts:read}', 'crm', NULL, NULL, '2026-11-02 04:00:00+00', NULL, NULL, 1, '2026-11-02 04:00:00+00', 'system', NULL, NULL, NULL, NULL, '{}', NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8003-000000000029', 'key 29', '1-29', '\x0000000000000000000000000000000000000000000000000000000000000000', '{contacts:read}', NULL, NULL, NULL, '2026-11-02 05:00:00+00', NULL, NULL, 1, '2026-11-02 05:00:00+00', 'system', NULL, NULL, NULL, NULL, '{}', NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8003-000000000030', 'key 30', '1-30', '\x0000000000000000000000000000000000000000000000000000000000000000', '{contacts:read}', 'crm', NULL, NULL, '2026-11-02 06:00:00+00', NULL, NULL, 1, '2026-11-02 06:00:00+00', 'system', NULL, NULL, NULL, NULL, '{}', NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8003-000000000031', 'key 31', '1-31', '\x0000000000000000000000000000000000000000000000000000000000000000', '{contacts:read}', NULL, NULL, NULL, '2026-11-02 07:00:00+00', NULL, NULL, 1, '2026-11-02 07:00:00+00', 'system', NULL, NULL, NULL, NULL, '{}', NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8003-000000000032', 'key 32', '1-32', '\x0000000000000000000000000000000000000000000000000000000000000000', '{contacts:read}', 'crm', NULL, NULL, '2026-11-02 08:00:00+00', NULL, NULL, 1, '2026-11-02 08:00:00+00', 'system', NULL, NULL, NULL, NULL, '{}', NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8003-000000000033', 'key 33', '1-33', '\x0000000000000000000000000000000000000000000000000000000000000000', '{contacts:read}', NULL, NULL, NULL, '2026-11-02 09:00:00+00', NULL, NULL, 1, '2026-11-02 09:00:00+00', 'system', NULL, NULL, NULL, NULL, '{}', NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8003-000000000034', 'key 34', '1-34', '\x0000000000000000000000000000000000000000000000000000000000000000', '{contacts:read}', 'crm', NULL, NULL, '2026-11-02 10:00:00+00', NULL, NULL, 1, '2026-11-02 10:00:00+00', 'system', NULL, NULL, NULL, NULL, '{}', NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8003-000000000035', 'key 35', '1-35', '\x0000000000000000000000000000000000000000000000000000000000000000', '{contacts:read}', NULL, NULL, NULL, '2026-11-02 11:00:00+00', NULL, NULL, 1, '2026-11-02 11:00:00+00', 'system', NULL, NULL, NULL, NULL, '{}', NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8003-000000000036', 'key 36', '1-36', '\x0000000000000000000000000000000000000000000000000000000000000000', '{contacts:read}', 'crm', NULL, NULL, '2026-11-02 12:00:00+00', NULL, NULL, 1, '2026-11-02 12:00:00+00', 'system', NULL, NULL, NULL, NULL, '{}', NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8003-000000000037', 'key 37', '1-37', '\x0000000000000000000000000000000000000000000000000000000000000000', '{contacts:read}', NULL, NULL, NULL, '2026-11-02 13:00:00+00', NULL, NULL, 1, '2026-11-02 13:00:00+00', 'system', NULL, NULL, NULL, NULL, '{}', NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8003-000000000038', 'key 38', '1-38', '\x0000000000000000000000000000000000000000000000000000000000000000', '{contacts:read}', 'crm', NULL, NULL, '2026-11-02 14:00:00+00', NULL, NULL, 1, '2026-11-02 14:00:00+00', 'system', NULL, NULL, NULL, NULL, '{}', NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8003-000000000039', 'key 39', '1-39', '\x0000000000000000000000000000000000000000000000000000000000000000', '{contacts:read}', NULL, NULL, NULL, '2026-11-02 15:00:00+00', NULL, NULL, 1, '2026-11-02 15:00:00+00', 'system', NULL, NULL, NULL, NULL, '{}', NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8003-000000000040', 'key 40', '1-40', '\x0000000000000000000000000000000000000000000000000000000000000000', '{contacts:read}', 'crm', NULL, NULL, '2026-11-02 16:00:00+00', NULL, NULL, 1, '2026-11-02 16:00:00+00', 'system', NULL, NULL, NULL, NULL, '{}', NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8003-000000000001', 'key 1', '2-1', '\x0000000000000000000000000000000000000000000000000000000000000000', '{contacts:read}', NULL, NULL, NULL, '2026-11-01 01:00:00+00', NULL, NULL, 1, '2026-11-01 01:00:00+00', 'system', NULL, NULL, NULL, NULL, '{}', NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8003-000000000002', 'key 2', '2-2', '\x0000000000000000000000000000000000000000000000000000000000000000', '{contacts:read}', 'crm', NULL, NULL, '2026-11-01 02:00:00+00', NULL, NULL, 1, '2026-11-01 02:00:00+00', 'system', NULL, NULL, NULL, NULL, '{}', NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8003-000000000003', 'key 3', '2-3', '\x0000000000000000000000000000000000000000000000000000000000000000', '{contacts:read}', NULL, NULL, NULL, '2026-11-01 03:00:00+00', NULL, NULL, 1, '2026-11-01 03:00:00+00', 'system', NULL, NULL, NULL, NULL, '{}', NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8003-000000000004', 'key 4', '2-4', '\x0000000000000000000000000000000000000000000000000000000000000000', '{contacts:read}', 'crm', NULL, NULL, '2026-11-01 04:00:00+00', NULL, NULL, 1, '2026-11-01 04:00:00+00', 'system', NULL, NULL, NULL, NULL, '{}', NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8003-000000000005', 'key 5', '2-5', '\x0000000000000000000000000000000000000000000000000000000000000000', '{contacts:read}', NULL, NULL, NULL, '2026-11-01 05:00:00+00', NULL, NULL, 1, '2026-11-01 05:00:00+00', 'system', NULL, NULL, NULL, NULL, '{}', NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8003-000000000006', 'key 6', '2-6', '\x0000000000000000000000000000000000000000000000000000000000000000', '{contacts:read}', 'crm', NULL, NULL, '2026-11-01 06:00:00+00', NULL, NULL, 1, '2026-11-01 06:00:00+00', 'system', NULL, NULL, NULL, NULL, '{}', NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8003-000000000007', 'key 7', '2-7', '\x0000000000000000000000000000000000000000000000000000000000000000', '{contacts:read}', NULL, NULL, NULL, '2026-11-01 07:00:00+00', NULL, NULL, 1, '2026-11-01 07:00:00+00', 'system', NULL, NULL, NULL, NULL, '{}', NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8003-000000000008', 'key 8', '2-8', '\x0000000000000000000000000000000000000000000000000000000000000000', '{contacts:read}', 'crm', NULL, NULL, '2026-11-01 08:00:00+00', NULL, NULL, 1, '2026-11-01 08:00:00+00', 'system', NULL, NULL, NULL, NULL, '{}', NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8003-000000000009', 'key 9', '2-9', '\x0000000000000000000000000000000000000000000000000000000000000000', '{contacts:read}', NULL, NULL, NULL, '2026-11-01 09:00:00+00', NULL, NULL, 1, '2026-11-01 09:00:00+00', 'system', NULL, NULL, NULL, NULL, '{}', NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8003-000000000010', 'key 10', '2-10', '\x0000000000000000000000000000000000000000000000000000000000000000', '{contacts:read}', 'crm', NULL, NULL, '2026-11-01 10:00:00+00', NULL, NULL, 1, '2026-11-01 10:00:00+00', 'system', NULL, NULL, NULL, NULL, '{}', NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8003-000000000011', 'key 11', '2-11', '\x0000000000000000000000000000000000000000000000000000000000000000', '{contacts:read}', NULL, NULL, NULL, '2026-11-01 11:00:00+00', NULL, NULL, 1, '2026-11-01 11:00:00+00', 'system', NULL, NULL, NULL, NULL, '{}', NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8003-000000000012', 'key 12', '2-12', '\x0000000000000000000000000000000000000000000000000000000000000000', '{contacts:read}', 'crm', NULL, NULL, '2026-11-01 12:00:00+00', NULL, NULL, 1, '2026-11-01 12:00:00+00', 'system', NULL, NULL, NULL, NULL, '{}', NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8003-000000000013', 'key 13', '2-13', '\x0000000000000000000000000000000000000000000000000000000000000000', '{contacts:read}', NULL, NULL, NULL, '2026-11-01 13:00:00+00', NULL, NULL, 1, '2026-11-01 13:00:00+00', 'system', NULL, NULL, NULL, NULL, '{}', NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8003-000000000014', 'key 14', '2-14', '\x0000000000000000000000000000000000000000000000000000000000000000', '{contacts:read}', 'crm', NULL, NULL, '2026-11-01 14:00:00+00', NULL, NULL, 1, '2026-11-01 14:00:00+00', 'system', NULL, NULL, NULL, NULL, '{}', NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8003-000000000015', 'key 15', '2-15', '\x0000000000000000000000000000000000000000000000000000000000000000', '{contacts:read}', NULL, NULL, NULL, '2026-11-01 15:00:00+00', NULL, NULL, 1, '2026-11-01 15:00:00+00', 'system', NULL, NULL, NULL, NULL, '{}', NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8003-000000000016', 'key 16', '2-16', '\x0000000000000000000000000000000000000000000000000000000000000000', '{contacts:read}', 'crm', NULL, NULL, '2026-11-01 16:00:00+00', NULL, NULL, 1, '2026-11-01 16:00:00+00', 'system', NULL, NULL, NULL, NULL, '{}', NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8003-000000000017', 'key 17', '2-17', '\x0000000000000000000000000000000000000000000000000000000000000000', '{contacts:read}', NULL, NULL, NULL, '2026-11-01 17:00:00+00', NULL, NULL, 1, '2026-11-01 17:00:00+00', 'system', NULL, NULL, NULL, NULL, '{}', NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8003-000000000018', 'key 18', '2-18', '\x0000000000000000000000000000000000000000000000000000000000000000', '{contacts:read}', 'crm', NULL, NULL, '2026-11-01 18:00:00+00', NULL, NULL, 1, '2026-11-01 18:00:00+00', 'system', NULL, NULL, NULL, NULL, '{}', NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8003-000000000019', 'key 19', '2-19', '\x0000000000000000000000000000000000000000000000000000000000000000', '{contacts:read}', NULL, NULL, NULL, '2026-11-01 19:00:00+00', NULL, NULL, 1, '2026-11-01 19:00:00+00', 'system', NULL, NULL, NULL, NULL, '{}', NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8003-000000000020', 'key 20', '2-20', '\x0000000000000000000000000000000000000000000000000000000000000000', '{contacts:read}', 'crm', NULL, NULL, '2026-11-01 20:00:00+00', NULL, NULL, 1, '2026-11-01 20:00:00+00', 'system', NULL, NULL, NULL, NULL, '{}', NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8003-000000000021', 'key 21', '2-21', '\x0000000000000000000000000000000000000000000000000000000000000000', '{contacts:read}', NULL, NULL, NULL, '2026-11-01 21:00:00+00', NULL, NULL, 1, '2026-11-01 21:00:00+00', 'system', NULL, NULL, NULL, NULL, '{}', NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8003-000000000022', 'key 22', '2-22', '\x0000000000000000000000000000000000000000000000000000000000000000', '{contacts:read}', 'crm', NULL, NULL, '2026-11-01 22:00:00+00', NULL, NULL, 1, '2026-11-01 22:00:00+00', 'system', NULL, NULL, NULL, NULL, '{}', NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8003-000000000023', 'key 23', '2-23', '\x0000000000000000000000000000000000000000000000000000000000000000', '{contacts:read}', NULL, NULL, NULL, '2026-11-01 23:00:00+00', NULL, NULL, 1, '2026-11-01 23:00:00+00', 'system', NULL, NULL, NULL, NULL, '{}', NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8003-000000000024', 'key 24', '2-24', '\x0000000000000000000000000000000000000000000000000000000000000000', '{contacts:read}', 'crm', NULL, NULL, '2026-11-02 00:00:00+00', NULL, NULL, 1, '2026-11-02 00:00:00+00', 'system', NULL, NULL, NULL, NULL, '{}', NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8003-000000000025', 'key 25', '2-25', '\x0000000000000000000000000000000000000000000000000000000000000000', '{contacts:read}', NULL, NULL, NULL, '2026-11-02 01:00:00+00', NULL, NULL, 1, '2026-11-02 01:00:00+00', 'system', NULL, NULL, NULL, NULL, '{}', NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8003-000000000026', 'key 26', '2-26', '\x0000000000000000000000000000000000000000000000000000000000000000', '{contacts:read}', 'crm', NULL, NULL, '2026-11-02 02:00:00+00', NULL, NULL, 1, '2026-11-02 02:00:00+00', 'system', NULL, NULL, NULL, NULL, '{}', NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8003-000000000027', 'key 27', '2-27', '\x0000000000000000000000000000000000000000000000000000000000000000', '{contacts:read}', NULL, NULL, NULL, '2026-11-02 03:00:00+00', NULL, NULL, 1, '2026-11-02 03:00:00+00', 'system', NULL, NULL, NULL, NULL, '{}', NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8003-000000000028', 'key 28', '2-28', '\x0000000000000000000000000000000000000000000000000000000000000000', '{contacts:read}', 'crm', NULL, NULL, '2026-11-02 04:00:00+00', NULL, NULL, 1, '2026-11-02 04:00:00+00', 'system', NULL, NULL, NULL, NULL, '{}', NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8003-000000000029', 'key 29', '2-29', '\x0000000000000000000000000000000000000000000000000000000000000000', '{contacts:read}', NULL, NULL, NULL, '2026-11-02 05:00:00+00', NULL, NULL, 1, '2026-11-02 05:00:00+00', 'system', NULL, NULL, NULL, NULL, '{}', NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8003-000000000030', 'key 30', '2-30', '\x0000000000000000000000000000000000000000000000000000000000000000', '{contacts:read}', 'crm', NULL, NULL, '2026-11-02 06:00:00+00', NULL, NULL, 1, '2026-11-02 06:00:00+00', 'system', NULL, NULL, NULL, NULL, '{}', NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8003-000000000031', 'key 31', '2-31', '\x0000000000000000000000000000000000000000000000000000000000000000', '{contacts:read}', NULL, NULL, NULL, '2026-11-02 07:00:00+00', NULL, NULL, 1, '2026-11-02 07:00:00+00', 'system', NULL, NULL, NULL, NULL, '{}', NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8003-000000000032', 'key 32', '2-32', '\x0000000000000000000000000000000000000000000000000000000000000000', '{contacts:read}', 'crm', NULL, NULL, '2026-11-02 08:00:00+00', NULL, NULL, 1, '2026-11-02 08:00:00+00', 'system', NULL, NULL, NULL, NULL, '{}', NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8003-000000000033', 'key 33', '2-33', '\x0000000000000000000000000000000000000000000000000000000000000000', '{contacts:read}', NULL, NULL, NULL, '2026-11-02 09:00:00+00', NULL, NULL, 1, '2026-11-02 09:00:00+00', 'system', NULL, NULL, NULL, NULL, '{}', NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8003-000000000034', 'key 34', '2-34', '\x0000000000000000000000000000000000000000000000000000000000000000', '{contacts:read}', 'crm', NULL, NULL, '2026-11-02 10:00:00+00', NULL, NULL, 1, '2026-11-02 10:00:00+00', 'system', NULL, NULL, NULL, NULL, '{}', NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8003-000000000035', 'key 35', '2-35', '\x0000000000000000000000000000000000000000000000000000000000000000', '{contacts:read}', NULL, NULL, NULL, '2026-11-02 11:00:00+00', NULL, NULL, 1, '2026-11-02 11:00:00+00', 'system', NULL, NULL, NULL, NULL, '{}', NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8003-000000000036', 'key 36', '2-36', '\x0000000000000000000000000000000000000000000000000000000000000000', '{contacts:read}', 'crm', NULL, NULL, '2026-11-02 12:00:00+00', NULL, NULL, 1, '2026-11-02 12:00:00+00', 'system', NULL, NULL, NULL, NULL, '{}', NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8003-000000000037', 'key 37', '2-37', '\x0000000000000000000000000000000000000000000000000000000000000000', '{contacts:read}', NULL, NULL, NULL, '2026-11-02 13:00:00+00', NULL, NULL, 1, '2026-11-02 13:00:00+00', 'system', NULL, NULL, NULL, NULL, '{}', NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8003-000000000038', 'key 38', '2-38', '\x0000000000000000000000000000000000000000000000000000000000000000', '{contacts:read}', 'crm', NULL, NULL, '2026-11-02 14:00:00+00', NULL, NULL, 1, '2026-11-02 14:00:00+00', 'system', NULL, NULL, NULL, NULL, '{}', NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8003-000000000039', 'key 39', '2-39', '\x0000000000000000000000000000000000000000000000000000000000000000', '{contacts:read}', NULL, NULL, NULL, '2026-11-02 15:00:00+00', NULL, NULL, 1, '2026-11-02 15:00:00+00', 'system', NULL, NULL, NULL, NULL, '{}', NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8003-000000000040', 'key 40', '2-40', '\x0000000000000000000000000000000000000000000000000000000000000000', '{contacts:read}', 'crm', NULL, NULL, '2026-11-02 16:00:00+00', NULL, NULL, 1, '2026-11-02 16:00:00+00', 'system', NULL, NULL, NULL, NULL, '{}', NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8003-000000000001', 'key 1', '3-1', '\x0000000000000000000000000000000000000000000000000000000000000000', '{contacts:read}', NULL, NULL, NULL, '2026-11-01 01:00:00+00', NULL, NULL, 1, '2026-11-01 01:00:00+00', 'system', NULL, NULL, NULL, NULL, '{}', NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8003-000000000002', 'key 2', '3-2', '\x0000000000000000000000000000000000000000000000000000000000000000', '{contacts:read}', 'crm', NULL, NULL, '2026-11-01 02:00:00+00', NULL, NULL, 1, '2026-11-01 02:00:00+00', 'system', NULL, NULL, NULL, NULL, '{}', NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8003-000000000003', 'key 3', '3-3', '\x0000000000000000000000000000000000000000000000000000000000000000', '{contacts:read}', NULL, NULL, NULL, '2026-11-01 03:00:00+00', NULL, NULL, 1, '2026-11-01 03:00:00+00', 'system', NULL, NULL, NULL, NULL, '{}', NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8003-000000000004', 'key 4', '3-4', '\x0000000000000000000000000000000000000000000000000000000000000000', '{contacts:read}', 'crm', NULL, NULL, '2026-11-01 04:00:00+00', NULL, NULL, 1, '2026-11-01 04:00:00+00', 'system', NULL, NULL, NULL, NULL, '{}', NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8003-000000000005', 'key 5', '3-5', '\x0000000000000000000000000000000000000000000000000000000000000000', '{contacts:read}', NULL, NULL, NULL, '2026-11-01 05:00:00+00', NULL, NULL, 1, '2026-11-01 05:00:00+00', 'system', NULL, NULL, NULL, NULL, '{}', NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8003-000000000006', 'key 6', '3-6', '\x0000000000000000000000000000000000000000000000000000000000000000', '{contacts:read}', 'crm', NULL, NULL, '2026-11-01 06:00:00+00', NULL, NULL, 1, '2026-11-01 06:00:00+00', 'system', NULL, NULL, NULL, NULL, '{}', NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8003-000000000007', 'key 7', '3-7', '\x0000000000000000000000000000000000000000000000000000000000000000', '{contacts:read}', NULL, NULL, NULL, '2026-11-01 07:00:00+00', NULL, NULL, 1, '2026-11-01 07:00:00+00', 'system', NULL, NULL, NULL, NULL, '{}', NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8003-000000000008', 'key 8', '3-8', '\x0000000000000000000000000000000000000000000000000000000000000000', '{contacts:read}', 'crm', NULL, NULL, '2026-11-01 08:00:00+00', NULL, NULL, 1, '2026-11-01 08:00:00+00', 'system', NULL, NULL, NULL, NULL, '{}', NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8003-000000000009', 'key 9', '3-9', '\x0000000000000000000000000000000000000000000000000000000000000000', '{contacts:read}', NULL, NULL, NULL, '2026-11-01 09:00:00+00', NULL, NULL, 1, '2026-11-01 09:00:00+00', 'system', NULL, NULL, NULL, NULL, '{}', NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8003-000000000010', 'key 10', '3-10', '\x0000000000000000000000000000000000000000000000000000000000000000', '{contacts:read}', 'crm', NULL, NULL, '2026-11-01 10:00:00+00', NULL, NULL, 1, '2026-11-01 10:00:00+00', 'system', NULL, NULL, NULL, NULL, '{}', NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8003-000000000011', 'key 11', '3-11', '\x0000000000000000000000000000000000000000000000000000000000000000', '{contacts:read}', NULL, NULL, NULL, '2026-11-01 11:00:00+00', NULL, NULL, 1, '2026-11-01 11:00:00+00', 'system', NULL, NULL, NULL, NULL, '{}', NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8003-000000000012', 'key 12', '3-12', '\x0000000000000000000000000000000000000000000000000000000000000000', '{contacts:read}', 'crm', NULL, NULL, '2026-11-01 12:00:00+00', NULL, NULL, 1, '2026-11-01 12:00:00+00', 'system', NULL, NULL, NULL, NULL, '{}', NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8003-000000000013', 'key 13', '3-13', '\x0000000000000000000000000000000000000000000000000000000000000000', '{contacts:read}', NULL, NULL, NULL, '2026-11-01 13:00:00+00', NULL, NULL, 1, '2026-11-01 13:00:00+00', 'system', NULL, NULL, NULL, NULL, '{}', NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8003-000000000014', 'key 14', '3-14', '\x0000000000000000000000000000000000000000000000000000000000000000', '{contacts:read}', 'crm', NULL, NULL, '2026-11-01 14:00:00+00', NULL, NULL, 1, '2026-11-01 14:00:00+00', 'system', NULL, NULL, NULL, NULL, '{}', NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8003-000000000015', 'key 15', '3-15', '\x0000000000000000000000000000000000000000000000000000000000000000', '{contacts:read}', NULL, NULL, NULL, '2026-11-01 15:00:00+00', NULL, NULL, 1, '2026-11-01 15:00:00+00', 'system', NULL, NULL, NULL, NULL, '{}', NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8003-000000000016', 'key 16', '3-16', '\x0000000000000000000000000000000000000000000000000000000000000000', '{contacts:read}', 'crm', NULL, NULL, '2026-11-01 16:00:00+00', NULL, NULL, 1, '2026-11-01 16:00:00+00', 'system', NULL, NULL, NULL, NULL, '{}', NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8003-000000000017', 'key 17', '3-17', '\x0000000000000000000000000000000000000000000000000000000000000000', '{contacts:read}', NULL, NULL, NULL, '2026-11-01 17:00:00+00', NULL, NULL, 1, '2026-11-01 17:00:00+00', 'system', NULL, NULL, NULL, NULL, '{}', NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8003-000000000018', 'key 18', '3-18', '\x0000000000000000000000000000000000000000000000000000000000000000', '{contacts:read}', 'crm', NULL, NULL, '2026-11-01 18:00:00+00', NULL, NULL, 1, '2026-11-01 18:00:00+00', 'system', NULL, NULL, NULL, NULL, '{}', NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8003-000000000019', 'key 19', '3-19', '\x0000000000000000000000000000000000000000000000000000000000000000', '{contacts:read}', NULL, NULL, NULL, '2026-11-01 19:00:00+00', NULL, NULL, 1, '2026-11-01 19:00:00+00', 'system', NULL, NULL, NULL, NULL, '{}', NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8003-000000000020', 'key 20', '3-20', '\x0000000000000000000000000000000000000000000000000000000000000000', '{contacts:read}', 'crm', NULL, NULL, '2026-11-01 20:00:00+00', NULL, NULL, 1, '2026-11-01 20:00:00+00', 'system', NULL, NULL, NULL, NULL, '{}', NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8003-000000000021', 'key 21', '3-21', '\x0000000000000000000000000000000000000000000000000000000000000000', '{contacts:read}', NULL, NULL, NULL, '2026-11-01 21:00:00+00', NULL, NULL, 1, '2026-11-01 21:00:00+00', 'system', NULL, NULL, NULL, NULL, '{}', NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8003-000000000022', 'key 22', '3-22', '\x0000000000000000000000000000000000000000000000000000000000000000', '{contacts:read}', 'crm', NULL, NULL, '2026-11-01 22:00:00+00', NULL, NULL, 1, '2026-11-01 22:00:00+00', 'system', NULL, NULL, NULL, NULL, '{}', NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8003-000000000023', 'key 23', '3-23', '\x0000000000000000000000000000000000000000000000000000000000000000', '{contacts:read}', NULL, NULL, NULL, '2026-11-01 23:00:00+00', NULL, NULL, 1, '2026-11-01 23:00:00+00', 'system', NULL, NULL, NULL, NULL, '{}', NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8003-000000000024', 'key 24', '3-24', '\x0000000000000000000000000000000000000000000000000000000000000000', '{contacts:read}', 'crm', NULL, NULL, '2026-11-02 00:00:00+00', NULL, NULL, 1, '2026-11-02 00:00:00+00', 'system', NULL, NULL, NULL, NULL, '{}', NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8003-000000000025', 'key 25', '3-25', '\x0000000000000000000000000000000000000000000000000000000000000000', '{contacts:read}', NULL, NULL, NULL, '2026-11-02 01:00:00+00', NULL, NULL, 1, '2026-11-02 01:00:00+00', 'system', NULL, NULL, NULL, NULL, '{}', NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8003-000000000026', 'key 26', '3-26', '\x0000000000000000000000000000000000000000000000000000000000000000', '{contacts:read}', 'crm', NULL, NULL, '2026-11-02 02:00:00+00', NULL, NULL, 1, '2026-11-02 02:00:00+00', 'system', NULL, NULL, NULL, NULL, '{}', NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8003-000000000027', 'key 27', '3-27', '\x0000000000000000000000000000000000000000000000000000000000000000', '{contacts:read}', NULL, NULL, NULL, '2026-11-02 03:00:00+00', NULL, NULL, 1, '2026-11-02 03:00:00+00', 'system', NULL, NULL, NULL, NULL, '{}', NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8003-000000000028', 'key 28', '3-28', '\x0000000000000000000000000000000000000000000000000000000000000000', '{contacts:read}', 'crm', NULL, NULL, '2026-11-02 04:00:00+00', NULL, NULL, 1, '2026-11-02 04:00:00+00', 'system', NULL, NULL, NULL, NULL, '{}', NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8003-000000000029', 'key 29', '3-29', '\x0000000000000000000000000000000000000000000000000000000000000000', '{contacts:read}', NULL, NULL, NULL, '2026-11-02 05:00:00+00', NULL, NULL, 1, '2026-11-02 05:00:00+00', 'system', NULL, NULL, NULL, NULL, '{}', NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8003-000000000030', 'key 30', '3-30', '\x0000000000000000000000000000000000000000000000000000000000000000', '{contacts:read}', 'crm', NULL, NULL, '2026-11-02 06:00:00+00', NULL, NULL, 1, '2026-11-02 06:00:00+00', 'system', NULL, NULL, NULL, NULL, '{}', NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8003-000000000031', 'key 31', '3-31', '\x0000000000000000000000000000000000000000000000000000000000000000', '{contacts:read}', NULL, NULL, NULL, '2026-11-02 07:00:00+00', NULL, NULL, 1, '2026-11-02 07:00:00+00', 'system', NULL, NULL, NULL, NULL, '{}', NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8003-000000000032', 'key 32', '3-32', '\x0000000000000000000000000000000000000000000000000000000000000000', '{contacts:read}', 'crm', NULL, NULL, '2026-11-02 08:00:00+00', NULL, NULL, 1, '2026-11-02 08:00:00+00', 'system', NULL, NULL, NULL, NULL, '{}', NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8003-000000000033', 'key 33', '3-33', '\x0000000000000000000000000000000000000000000000000000000000000000', '{contacts:read}', NULL, NULL, NULL, '2026-11-02 09:00:00+00', NULL, NULL, 1, '2026-11-02 09:00:00+00', 'system', NULL, NULL, NULL, NULL, '{}', NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8003-000000000034', 'key 34', '3-34', '\x0000000000000000000000000000000000000000000000000000000000000000', '{contacts:read}', 'crm', NULL, NULL, '2026-11-02 10:00:00+00', NULL, NULL, 1, '2026-11-02 10:00:00+00', 'system', NULL, NULL, NULL, NULL, '{}', NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8003-000000000035', 'key 35', '3-35', '\x0000000000000000000000000000000000000000000000000000000000000000', '{contacts:read}', NULL, NULL, NULL, '2026-11-02 11:00:00+00', NULL, NULL, 1, '2026-11-02 11:00:00+00', 'system', NULL, NULL, NULL, NULL, '{}', NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8003-000000000036', 'key 36', '3-36', '\x0000000000000000000000000000000000000000000000000000000000000000', '{contacts:read}', 'crm', NULL, NULL, '2026-11-02 12:00:00+00', NULL, NULL, 1, '2026-11-02 12:00:00+00', 'system', NULL, NULL, NULL, NULL, '{}', NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8003-000000000037', 'key 37', '3-37', '\x0000000000000000000000000000000000000000000000000000000000000000', '{contacts:read}', NULL, NULL, NULL, '2026-11-02 13:00:00+00', NULL, NULL, 1, '2026-11-02 13:00:00+00', 'system', NULL, NULL, NULL, NULL, '{}', NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8003-000000000038', 'key 38', '3-38', '\x0000000000000000000000000000000000000000000000000000000000000000', '{contacts:read}', 'crm', NULL, NULL, '2026-11-02 14:00:00+00', NULL, NULL, 1, '2026-11-02 14:00:00+00', 'system', NULL, NULL, NULL, NULL, '{}', NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8003-000000000039', 'key 39', '3-39', '\x0000000000000000000000000000000000000000000000000000000000000000', '{contacts:read}', NULL, NULL, NULL, '2026-11-02 15:00:00+00', NULL, NULL, 1, '2026-11-02 15:00:00+00', 'system', NULL, NULL, NULL, NULL, '{}', NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8003-000000000040', 'key 40', '3-40', '\x0000000000000000000000000000000000000000000000000000000000000000', '{contacts:read}', 'crm', NULL, NULL, '2026-11-02 16:00:00+00', NULL, NULL, 1, '2026-11-02 16:00:00+00', 'system', NULL, NULL, NULL, NULL, '{}', NULL);
INSERT INTO public.audit_log_first VALUES
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8004-000000000001', 'api_key.created', 'user', '00000000-0000-7001-8001-000000000000', 'Owner', 'api_key', '00000000-0000-7001-8003-000000000001', '{"name": "key"}', '192.0.2.1', '2026-11-01 01:00:00+00'),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8004-000000000002', 'api_key.created', 'user', '00000000-0000-7001-8001-000000000000', 'Owner', 'api_key', '00000000-0000-7001-8003-000000000002', '{"name": "key"}', '192.0.2.1', '2026-11-01 02:00:00+00'),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8004-000000000003', 'api_key.created', 'user', '00000000-0000-7001-8001-000000000000', 'Owner', 'api_key', '00000000-0000-7001-8003-000000000003', '{"name": "key"}', '192.0.2.1', '2026-11-01 03:00:00+00'),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8004-000000000004', 'api_key.created', 'user', '00000000-0000-7001-8001-000000000000', 'Owner', 'api_key', '00000000-0000-7001-8003-000000000004', '{"name": "key"}', '192.0.2.1', '2026-11-01 04:00:00+00'),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8004-000000000005', 'api_key.created', 'user', '00000000-0000-7001-8001-000000000000', 'Owner', 'api_key', '00000000-0000-7001-8003-000000000005', '{"name": "key"}', '192.0.2.1', '2026-11-01 05:00:00+00'),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8004-000000000006', 'api_key.created', 'user', '00000000-0000-7001-8001-000000000000', 'Owner', 'api_key', '00000000-0000-7001-8003-000000000006', '{"name": "key"}', '192.0.2.1', '2026-11-01 06:00:00+00'),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8004-000000000007', 'api_key.created', 'user', '00000000-0000-7001-8001-000000000000', 'Owner', 'api_key', '00000000-0000-7001-8003-000000000007', '{"name": "key"}', '192.0.2.1', '2026-11-01 07:00:00+00'),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8004-000000000008', 'api_key.created', 'user', '00000000-0000-7001-8001-000000000000', 'Owner', 'api_key', '00000000-0000-7001-8003-000000000008', '{"name": "key"}', '192.0.2.1', '2026-11-01 08:00:00+00'),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8004-000000000009', 'api_key.created', 'user', '00000000-0000-7001-8001-000000000000', 'Owner', 'api_key', '00000000-0000-7001-8003-000000000009', '{"name": "key"}', '192.0.2.1', '2026-11-01 09:00:00+00'),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8004-000000000010', 'api_key.created', 'user', '00000000-0000-7001-8001-000000000000', 'Owner', 'api_key', '00000000-0000-7001-8003-000000000010', '{"name": "key"}', '192.0.2.1', '2026-11-01 10:00:00+00'),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8004-000000000011', 'api_key.created', 'user', '00000000-0000-7001-8001-000000000000', 'Owner', 'api_key', '00000000-0000-7001-8003-000000000011', '{"name": "key"}', '192.0.2.1', '2026-11-01 11:00:00+00'),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8004-000000000012', 'api_key.created', 'user', '00000000-0000-7001-8001-000000000000', 'Owner', 'api_key', '00000000-0000-7001-8003-000000000012', '{"name": "key"}', '192.0.2.1', '2026-11-01 12:00:00+00'),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8004-000000000013', 'api_key.created', 'user', '00000000-0000-7001-8001-000000000000', 'Owner', 'api_key', '00000000-0000-7001-8003-000000000013', '{"name": "key"}', '192.0.2.1', '2026-11-01 13:00:00+00'),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8004-000000000014', 'api_key.created', 'user', '00000000-0000-7001-8001-000000000000', 'Owner', 'api_key', '00000000-0000-7001-8003-000000000014', '{"name": "key"}', '192.0.2.1', '2026-11-01 14:00:00+00'),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8004-000000000015', 'api_key.created', 'user', '00000000-0000-7001-8001-000000000000', 'Owner', 'api_key', '00000000-0000-7001-8003-000000000015', '{"name": "key"}', '192.0.2.1', '2026-11-01 15:00:00+00'),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8004-000000000016', 'api_key.created', 'user', '00000000-0000-7001-8001-000000000000', 'Owner', 'api_key', '00000000-0000-7001-8003-000000000016', '{"name": "key"}', '192.0.2.1', '2026-11-01 16:00:00+00'),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8004-000000000017', 'api_key.created', 'user', '00000000-0000-7001-8001-000000000000', 'Owner', 'api_key', '00000000-0000-7001-8003-000000000017', '{"name": "key"}', '192.0.2.1', '2026-11-01 17:00:00+00'),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8004-000000000018', 'api_key.created', 'user', '00000000-0000-7001-8001-000000000000', 'Owner', 'api_key', '00000000-0000-7001-8003-000000000018', '{"name": "key"}', '192.0.2.1', '2026-11-01 18:00:00+00'),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8004-000000000019', 'api_key.created', 'user', '00000000-0000-7001-8001-000000000000', 'Owner', 'api_key', '00000000-0000-7001-8003-000000000019', '{"name": "key"}', '192.0.2.1', '2026-11-01 19:00:00+00'),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8004-000000000020', 'api_key.created', 'user', '00000000-0000-7001-8001-000000000000', 'Owner', 'api_key', '00000000-0000-7001-8003-000000000020', '{"name": "key"}', '192.0.2.1', '2026-11-01 20:00:00+00'),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8004-000000000021', 'api_key.created', 'user', '00000000-0000-7001-8001-000000000000', 'Owner', 'api_key', '00000000-0000-7001-8003-000000000021', '{"name": "key"}', '192.0.2.1', '2026-11-01 21:00:00+00'),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8004-000000000022', 'api_key.created', 'user', '00000000-0000-7001-8001-000000000000', 'Owner', 'api_key', '00000000-0000-7001-8003-000000000022', '{"name": "key"}', '192.0.2.1', '2026-11-01 22:00:00+00'),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8004-000000000023', 'api_key.created', 'user', '00000000-0000-7001-8001-000000000000', 'Owner', 'api_key', '00000000-0000-7001-8003-000000000023', '{"name": "key"}', '192.0.2.1', '2026-11-01 23:00:00+00'),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8004-000000000024', 'api_key.created', 'user', '00000000-0000-7001-8001-000000000000', 'Owner', 'api_key', '00000000-0000-7001-8003-000000000024', '{"name": "key"}', '192.0.2.1', '2026-11-02 00:00:00+00'),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8004-000000000025', 'api_key.created', 'user', '00000000-0000-7001-8001-000000000000', 'Owner', 'api_key', '00000000-0000-7001-8003-000000000025', '{"name": "key"}', '192.0.2.1', '2026-11-02 01:00:00+00'),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8004-000000000026', 'api_key.created', 'user', '00000000-0000-7001-8001-000000000000', 'Owner', 'api_key', '00000000-0000-7001-8003-000000000026', '{"name": "key"}', '192.0.2.1', '2026-11-02 02:00:00+00'),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8004-000000000027', 'api_key.created', 'user', '00000000-0000-7001-8001-000000000000', 'Owner', 'api_key', '00000000-0000-7001-8003-000000000027', '{"name": "key"}', '192.0.2.1', '2026-11-02 03:00:00+00'),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8004-000000000028', 'api_key.created', 'user', '00000000-0000-7001-8001-000000000000', 'Owner', 'api_key', '00000000-0000-7001-8003-000000000028', '{"name": "key"}', '192.0.2.1', '2026-11-02 04:00:00+00'),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8004-000000000029', 'api_key.created', 'user', '00000000-0000-7001-8001-000000000000', 'Owner', 'api_key', '00000000-0000-7001-8003-000000000029', '{"name": "key"}', '192.0.2.1', '2026-11-02 05:00:00+00'),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8004-000000000030', 'api_key.created', 'user', '00000000-0000-7001-8001-000000000000', 'Owner', 'api_key', '00000000-0000-7001-8003-000000000030', '{"name": "key"}', '192.0.2.1', '2026-11-02 06:00:00+00'),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8004-000000000031', 'api_key.created', 'user', '00000000-0000-7001-8001-000000000000', 'Owner', 'api_key', '00000000-0000-7001-8003-000000000031', '{"name": "key"}', '192.0.2.1', '2026-11-02 07:00:00+00'),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8004-000000000032', 'api_key.created', 'user', '00000000-0000-7001-8001-000000000000', 'Owner', 'api_key', '00000000-0000-7001-8003-000000000032', '{"name": "key"}', '192.0.2.1', '2026-11-02 08:00:00+00'),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8004-000000000033', 'api_key.created', 'user', '00000000-0000-7001-8001-000000000000', 'Owner', 'api_key', '00000000-0000-7001-8003-000000000033', '{"name": "key"}', '192.0.2.1', '2026-11-02 09:00:00+00'),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8004-000000000034', 'api_key.created', 'user', '00000000-0000-7001-8001-000000000000', 'Owner', 'api_key', '00000000-0000-7001-8003-000000000034', '{"name": "key"}', '192.0.2.1', '2026-11-02 10:00:00+00'),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8004-000000000035', 'api_key.created', 'user', '00000000-0000-7001-8001-000000000000', 'Owner', 'api_key', '00000000-0000-7001-8003-000000000035', '{"name": "key"}', '192.0.2.1', '2026-11-02 11:00:00+00'),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8004-000000000036', 'api_key.created', 'user', '00000000-0000-7001-8001-000000000000', 'Owner', 'api_key', '00000000-0000-7001-8003-000000000036', '{"name": "key"}', '192.0.2.1', '2026-11-02 12:00:00+00'),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8004-000000000037', 'api_key.created', 'user', '00000000-0000-7001-8001-000000000000', 'Owner', 'api_key', '00000000-0000-7001-8003-000000000037', '{"name": "key"}', '192.0.2.1', '2026-11-02 13:00:00+00'),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8004-000000000038', 'api_key.created', 'user', '00000000-0000-7001-8001-000000000000', 'Owner', 'api_key', '00000000-0000-7001-8003-000000000038', '{"name": "key"}', '192.0.2.1', '2026-11-02 14:00:00+00'),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8004-000000000039', 'api_key.created', 'user', '00000000-0000-7001-8001-000000000000', 'Owner', 'api_key', '00000000-0000-7001-8003-000000000039', '{"name": "key"}', '192.0.2.1', '2026-11-02 15:00:00+00'),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8004-000000000040', 'api_key.created', 'user', '00000000-0000-7001-8001-000000000000', 'Owner', 'api_key', '00000000-0000-7001-8003-000000000040', '{"name": "key"}', '192.0.2.1', '2026-11-02 16:00:00+00'),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8004-000000000001', 'api_key.created', 'user', '00000000-0000-7002-8001-000000000000', 'Owner', 'api_key', '00000000-0000-7002-8003-000000000001', '{"name": "key"}', '192.0.2.1', '2026-11-01 01:00:00+00'),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8004-000000000002', 'api_key.created', 'user', '00000000-0000-7002-8001-000000000000', 'Owner', 'api_key', '00000000-0000-7002-8003-000000000002', '{"name": "key"}', '192.0.2.1', '2026-11-01 02:00:00+00'),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8004-000000000003', 'api_key.created', 'user', '00000000-0000-7002-8001-000000000000', 'Owner', 'api_key', '00000000-0000-7002-8003-000000000003', '{"name": "key"}', '192.0.2.1', '2026-11-01 03:00:00+00'),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8004-000000000004', 'api_key.created', 'user', '00000000-0000-7002-8001-000000000000', 'Owner', 'api_key', '00000000-0000-7002-8003-000000000004', '{"name": "key"}', '192.0.2.1', '2026-11-01 04:00:00+00'),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8004-000000000005', 'api_key.created', 'user', '00000000-0000-7002-8001-000000000000', 'Owner', 'api_key', '00000000-0000-7002-8003-000000000005', '{"name": "key"}', '192.0.2.1', '2026-11-01 05:00:00+00'),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8004-000000000006', 'api_key.created', 'user', '00000000-0000-7002-8001-000000000000', 'Owner', 'api_key', '00000000-0000-7002-8003-000000000006', '{"name": "key"}', '192.0.2.1', '2026-11-01 06:00:00+00'),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8004-000000000007', 'api_key.created', 'user', '00000000-0000-7002-8001-000000000000', 'Owner', 'api_key', '00000000-0000-7002-8003-000000000007', '{"name": "key"}', '192.0.2.1', '2026-11-01 07:00:00+00'),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8004-000000000008', 'api_key.created', 'user', '00000000-0000-7002-8001-000000000000', 'Owner', 'api_key', '00000000-0000-7002-8003-000000000008', '{"name": "key"}', '192.0.2.1', '2026-11-01 08:00:00+00'),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8004-000000000009', 'api_key.created', 'user', '00000000-0000-7002-8001-000000000000', 'Owner', 'api_key', '00000000-0000-7002-8003-000000000009', '{"name": "key"}', '192.0.2.1', '2026-11-01 09:00:00+00'),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8004-000000000010', 'api_key.created', 'user', '00000000-0000-7002-8001-000000000000', 'Owner', 'api_key', '00000000-0000-7002-8003-000000000010', '{"name": "key"}', '192.0.2.1', '2026-11-01 10:00:00+00'),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8004-000000000011', 'api_key.created', 'user', '00000000-0000-7002-8001-000000000000', 'Owner', 'api_key', '00000000-0000-7002-8003-000000000011', '{"name": "key"}', '192.0.2.1', '2026-11-01 11:00:00+00'),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8004-000000000012', 'api_key.created', 'user', '00000000-0000-7002-8001-000000000000', 'Owner', 'api_key', '00000000-0000-7002-8003-000000000012', '{"name": "key"}', '192.0.2.1', '2026-11-01 12:00:00+00'),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8004-000000000013', 'api_key.created', 'user', '00000000-0000-7002-8001-000000000000', 'Owner', 'api_key', '00000000-0000-7002-8003-000000000013', '{"name": "key"}', '192.0.2.1', '2026-11-01 13:00:00+00'),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8004-000000000014', 'api_key.created', 'user', '00000000-0000-7002-8001-000000000000', 'Owner', 'api_key', '00000000-0000-7002-8003-000000000014', '{"name": "key"}', '192.0.2.1', '2026-11-01 14:00:00+00'),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8004-000000000015', 'api_key.created', 'user', '00000000-0000-7002-8001-000000000000', 'Owner', 'api_key', '00000000-0000-7002-8003-000000000015', '{"name": "key"}', '192.0.2.1', '2026-11-01 15:00:00+00'),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8004-000000000016', 'api_key.created', 'user', '00000000-0000-7002-8001-000000000000', 'Owner', 'api_key', '00000000-0000-7002-8003-000000000016', '{"name": "key"}', '192.0.2.1', '2026-11-01 16:00:00+00'),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8004-000000000017', 'api_key.created', 'user', '00000000-0000-7002-8001-000000000000', 'Owner', 'api_key', '00000000-0000-7002-8003-000000000017', '{"name": "key"}', '192.0.2.1', '2026-11-01 17:00:00+00'),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8004-000000000018', 'api_key.created', 'user', '00000000-0000-7002-8001-000000000000', 'Owner', 'api_key', '00000000-0000-7002-8003-000000000018', '{"name": "key"}', '192.0.2.1', '2026-11-01 18:00:00+00'),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8004-000000000019', 'api_key.created', 'user', '00000000-0000-7002-8001-000000000000', 'Owner', 'api_key', '00000000-0000-7002-8003-000000000019', '{"name": "key"}', '192.0.2.1', '2026-11-01 19:00:00+00'),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8004-000000000020', 'api_key.created', 'user', '00000000-0000-7002-8001-000000000000', 'Owner', 'api_key', '00000000-0000-7002-8003-000000000020', '{"name": "key"}', '192.0.2.1', '2026-11-01 20:00:00+00'),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8004-000000000021', 'api_key.created', 'user', '00000000-0000-7002-8001-000000000000', 'Owner', 'api_key', '00000000-0000-7002-8003-000000000021', '{"name": "key"}', '192.0.2.1', '2026-11-01 21:00:00+00'),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8004-000000000022', 'api_key.created', 'user', '00000000-0000-7002-8001-000000000000', 'Owner', 'api_key', '00000000-0000-7002-8003-000000000022', '{"name": "key"}', '192.0.2.1', '2026-11-01 22:00:00+00'),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8004-000000000023', 'api_key.created', 'user', '00000000-0000-7002-8001-000000000000', 'Owner', 'api_key', '00000000-0000-7002-8003-000000000023', '{"name": "key"}', '192.0.2.1', '2026-11-01 23:00:00+00'),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8004-000000000024', 'api_key.created', 'user', '00000000-0000-7002-8001-000000000000', 'Owner', 'api_key', '00000000-0000-7002-8003-000000000024', '{"name": "key"}', '192.0.2.1', '2026-11-02 00:00:00+00'),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8004-000000000025', 'api_key.created', 'user', '00000000-0000-7002-8001-000000000000', 'Owner', 'api_key', '00000000-0000-7002-8003-000000000025', '{"name": "key"}', '192.0.2.1', '2026-11-02 01:00:00+00'),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8004-000000000026', 'api_key.created', 'user', '00000000-0000-7002-8001-000000000000', 'Owner', 'api_key', '00000000-0000-7002-8003-000000000026', '{"name": "key"}', '192.0.2.1', '2026-11-02 02:00:00+00'),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8004-000000000027', 'api_key.created', 'user', '00000000-0000-7002-8001-000000000000', 'Owner', 'api_key', '00000000-0000-7002-8003-000000000027', '{"name": "key"}', '192.0.2.1', '2026-11-02 03:00:00+00'),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8004-000000000028', 'api_key.created', 'user', '00000000-0000-7002-8001-000000000000', 'Owner', 'api_key', '00000000-0000-7002-8003-000000000028', '{"name": "key"}', '192.0.2.1', '2026-11-02 04:00:00+00'),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8004-000000000029', 'api_key.created', 'user', '00000000-0000-7002-8001-000000000000', 'Owner', 'api_key', '00000000-0000-7002-8003-000000000029', '{"name": "key"}', '192.0.2.1', '2026-11-02 05:00:00+00'),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8004-000000000030', 'api_key.created', 'user', '00000000-0000-7002-8001-000000000000', 'Owner', 'api_key', '00000000-0000-7002-8003-000000000030', '{"name": "key"}', '192.0.2.1', '2026-11-02 06:00:00+00'),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8004-000000000031', 'api_key.created', 'user', '00000000-0000-7002-8001-000000000000', 'Owner', 'api_key', '00000000-0000-7002-8003-000000000031', '{"name": "key"}', '192.0.2.1', '2026-11-02 07:00:00+00'),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8004-000000000032', 'api_key.created', 'user', '00000000-0000-7002-8001-000000000000', 'Owner', 'api_key', '00000000-0000-7002-8003-000000000032', '{"name": "key"}', '192.0.2.1', '2026-11-02 08:00:00+00'),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8004-000000000033', 'api_key.created', 'user', '00000000-0000-7002-8001-000000000000', 'Owner', 'api_key', '00000000-0000-7002-8003-000000000033', '{"name": "key"}', '192.0.2.1', '2026-11-02 09:00:00+00'),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8004-000000000034', 'api_key.created', 'user', '00000000-0000-7002-8001-000000000000', 'Owner', 'api_key', '00000000-0000-7002-8003-000000000034', '{"name": "key"}', '192.0.2.1', '2026-11-02 10:00:00+00'),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8004-000000000035', 'api_key.created', 'user', '00000000-0000-7002-8001-000000000000', 'Owner', 'api_key', '00000000-0000-7002-8003-000000000035', '{"name": "key"}', '192.0.2.1', '2026-11-02 11:00:00+00'),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8004-000000000036', 'api_key.created', 'user', '00000000-0000-7002-8001-000000000000', 'Owner', 'api_key', '00000000-0000-7002-8003-000000000036', '{"name": "key"}', '192.0.2.1', '2026-11-02 12:00:00+00'),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8004-000000000037', 'api_key.created', 'user', '00000000-0000-7002-8001-000000000000', 'Owner', 'api_key', '00000000-0000-7002-8003-000000000037', '{"name": "key"}', '192.0.2.1', '2026-11-02 13:00:00+00'),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8004-000000000038', 'api_key.created', 'user', '00000000-0000-7002-8001-000000000000', 'Owner', 'api_key', '00000000-0000-7002-8003-000000000038', '{"name": "key"}', '192.0.2.1', '2026-11-02 14:00:00+00'),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8004-000000000039', 'api_key.created', 'user', '00000000-0000-7002-8001-000000000000', 'Owner', 'api_key', '00000000-0000-7002-8003-000000000039', '{"name": "key"}', '192.0.2.1', '2026-11-02 15:00:00+00'),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8004-000000000040', 'api_key.created', 'user', '00000000-0000-7002-8001-000000000000', 'Owner', 'api_key', '00000000-0000-7002-8003-000000000040', '{"name": "key"}', '192.0.2.1', '2026-11-02 16:00:00+00'),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8004-000000000001', 'api_key.created', 'user', '00000000-0000-7003-8001-000000000000', 'Owner', 'api_key', '00000000-0000-7003-8003-000000000001', '{"name": "key"}', '192.0.2.1', '2026-11-01 01:00:00+00'),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8004-000000000002', 'api_key.created', 'user', '00000000-0000-7003-8001-000000000000', 'Owner', 'api_key', '00000000-0000-7003-8003-000000000002', '{"name": "key"}', '192.0.2.1', '2026-11-01 02:00:00+00'),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8004-000000000003', 'api_key.created', 'user', '00000000-0000-7003-8001-000000000000', 'Owner', 'api_key', '00000000-0000-7003-8003-000000000003', '{"name": "key"}', '192.0.2.1', '2026-11-01 03:00:00+00'),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8004-000000000004', 'api_key.created', 'user', '00000000-0000-7003-8001-000000000000', 'Owner', 'api_key', '00000000-0000-7003-8003-000000000004', '{"name": "key"}', '192.0.2.1', '2026-11-01 04:00:00+00'),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8004-000000000005', 'api_key.created', 'user', '00000000-0000-7003-8001-000000000000', 'Owner', 'api_key', '00000000-0000-7003-8003-000000000005', '{"name": "key"}', '192.0.2.1', '2026-11-01 05:00:00+00'),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8004-000000000006', 'api_key.created', 'user', '00000000-0000-7003-8001-000000000000', 'Owner', 'api_key', '00000000-0000-7003-8003-000000000006', '{"name": "key"}', '192.0.2.1', '2026-11-01 06:00:00+00'),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8004-000000000007', 'api_key.created', 'user', '00000000-0000-7003-8001-000000000000', 'Owner', 'api_key', '00000000-0000-7003-8003-000000000007', '{"name": "key"}', '192.0.2.1', '2026-11-01 07:00:00+00'),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8004-000000000008', 'api_key.created', 'user', '00000000-0000-7003-8001-000000000000', 'Owner', 'api_key', '00000000-0000-7003-8003-000000000008', '{"name": "key"}', '192.0.2.1', '2026-11-01 08:00:00+00'),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8004-000000000009', 'api_key.created', 'user', '00000000-0000-7003-8001-000000000000', 'Owner', 'api_key', '00000000-0000-7003-8003-000000000009', '{"name": "key"}', '192.0.2.1', '2026-11-01 09:00:00+00'),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8004-000000000010', 'api_key.created', 'user', '00000000-0000-7003-8001-000000000000', 'Owner', 'api_key', '00000000-0000-7003-8003-000000000010', '{"name": "key"}', '192.0.2.1', '2026-11-01 10:00:00+00'),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8004-000000000011', 'api_key.created', 'user', '00000000-0000-7003-8001-000000000000', 'Owner', 'api_key', '00000000-0000-7003-8003-000000000011', '{"name": "key"}', '192.0.2.1', '2026-11-01 11:00:00+00'),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8004-000000000012', 'api_key.created', 'user', '00000000-0000-7003-8001-000000000000', 'Owner', 'api_key', '00000000-0000-7003-8003-000000000012', '{"name": "key"}', '192.0.2.1', '2026-11-01 12:00:00+00'),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8004-000000000013', 'api_key.created', 'user', '00000000-0000-7003-8001-000000000000', 'Owner', 'api_key', '00000000-0000-7003-8003-000000000013', '{"name": "key"}', '192.0.2.1', '2026-11-01 13:00:00+00'),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8004-000000000014', 'api_key.created', 'user', '00000000-0000-7003-8001-000000000000', 'Owner', 'api_key', '00000000-0000-7003-8003-000000000014', '{"name": "key"}', '192.0.2.1', '2026-11-01 14:00:00+00'),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8004-000000000015', 'api_key.created', 'user', '00000000-0000-7003-8001-000000000000', 'Owner', 'api_key', '00000000-0000-7003-8003-000000000015', '{"name": "key"}', '192.0.2.1', '2026-11-01 15:00:00+00'),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8004-000000000016', 'api_key.created', 'user', '00000000-0000-7003-8001-000000000000', 'Owner', 'api_key', '00000000-0000-7003-8003-000000000016', '{"name": "key"}', '192.0.2.1', '2026-11-01 16:00:00+00'),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8004-000000000017', 'api_key.created', 'user', '00000000-0000-7003-8001-000000000000', 'Owner', 'api_key', '00000000-0000-7003-8003-000000000017', '{"name": "key"}', '192.0.2.1', '2026-11-01 17:00:00+00'),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8004-000000000018', 'api_key.created', 'user', '00000000-0000-7003-8001-000000000000', 'Owner', 'api_key', '00000000-0000-7003-8003-000000000018', '{"name": "key"}', '192.0.2.1', '2026-11-01 18:00:00+00'),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8004-000000000019', 'api_key.created', 'user', '00000000-0000-7003-8001-000000000000', 'Owner', 'api_key', '00000000-0000-7003-8003-000000000019', '{"name": "key"}', '192.0.2.1', '2026-11-01 19:00:00+00'),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8004-000000000020', 'api_key.created', 'user', '00000000-0000-7003-8001-000000000000', 'Owner', 'api_key', '00000000-0000-7003-8003-000000000020', '{"name": "key"}', '192.0.2.1', '2026-11-01 20:00:00+00'),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8004-000000000021', 'api_key.created', 'user', '00000000-0000-7003-8001-000000000000', 'Owner', 'api_key', '00000000-0000-7003-8003-000000000021', '{"name": "key"}', '192.0.2.1', '2026-11-01 21:00:00+00'),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8004-000000000022', 'api_key.created', 'user', '00000000-0000-7003-8001-000000000000', 'Owner', 'api_key', '00000000-0000-7003-8003-000000000022', '{"name": "key"}', '192.0.2.1', '2026-11-01 22:00:00+00'),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8004-000000000023', 'api_key.created', 'user', '00000000-0000-7003-8001-000000000000', 'Owner', 'api_key', '00000000-0000-7003-8003-000000000023', '{"name": "key"}', '192.0.2.1', '2026-11-01 23:00:00+00'),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8004-000000000024', 'api_key.created', 'user', '00000000-0000-7003-8001-000000000000', 'Owner', 'api_key', '00000000-0000-7003-8003-000000000024', '{"name": "key"}', '192.0.2.1', '2026-11-02 00:00:00+00'),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8004-000000000025', 'api_key.created', 'user', '00000000-0000-7003-8001-000000000000', 'Owner', 'api_key', '00000000-0000-7003-8003-000000000025', '{"name": "key"}', '192.0.2.1', '2026-11-02 01:00:00+00'),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8004-000000000026', 'api_key.created', 'user', '00000000-0000-7003-8001-000000000000', 'Owner', 'api_key', '00000000-0000-7003-8003-000000000026', '{"name": "key"}', '192.0.2.1', '2026-11-02 02:00:00+00'),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8004-000000000027', 'api_key.created', 'user', '00000000-0000-7003-8001-000000000000', 'Owner', 'api_key', '00000000-0000-7003-8003-000000000027', '{"name": "key"}', '192.0.2.1', '2026-11-02 03:00:00+00'),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8004-000000000028', 'api_key.created', 'user', '00000000-0000-7003-8001-000000000000', 'Owner', 'api_key', '00000000-0000-7003-8003-000000000028', '{"name": "key"}', '192.0.2.1', '2026-11-02 04:00:00+00'),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8004-000000000029', 'api_key.created', 'user', '00000000-0000-7003-8001-000000000000', 'Owner', 'api_key', '00000000-0000-7003-8003-000000000029', '{"name": "key"}', '192.0.2.1', '2026-11-02 05:00:00+00'),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8004-000000000030', 'api_key.created', 'user', '00000000-0000-7003-8001-000000000000', 'Owner', 'api_key', '00000000-0000-7003-8003-000000000030', '{"name": "key"}', '192.0.2.1', '2026-11-02 06:00:00+00'),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8004-000000000031', 'api_key.created', 'user', '00000000-0000-7003-8001-000000000000', 'Owner', 'api_key', '00000000-0000-7003-8003-000000000031', '{"name": "key"}', '192.0.2.1', '2026-11-02 07:00:00+00'),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8004-000000000032', 'api_key.created', 'user', '00000000-0000-7003-8001-000000000000', 'Owner', 'api_key', '00000000-0000-7003-8003-000000000032', '{"name": "key"}', '192.0.2.1', '2026-11-02 08:00:00+00'),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8004-000000000033', 'api_key.created', 'user', '00000000-0000-7003-8001-000000000000', 'Owner', 'api_key', '00000000-0000-7003-8003-000000000033', '{"name": "key"}', '192.0.2.1', '2026-11-02 09:00:00+00'),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8004-000000000034', 'api_key.created', 'user', '00000000-0000-7003-8001-000000000000', 'Owner', 'api_key', '00000000-0000-7003-8003-000000000034', '{"name": "key"}', '192.0.2.1', '2026-11-02 10:00:00+00'),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8004-000000000035', 'api_key.created', 'user', '00000000-0000-7003-8001-000000000000', 'Owner', 'api_key', '00000000-0000-7003-8003-000000000035', '{"name": "key"}', '192.0.2.1', '2026-11-02 11:00:00+00'),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8004-000000000036', 'api_key.created', 'user', '00000000-0000-7003-8001-000000000000', 'Owner', 'api_key', '00000000-0000-7003-8003-000000000036', '{"name": "key"}', '192.0.2.1', '2026-11-02 12:00:00+00'),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8004-000000000037', 'api_key.created', 'user', '00000000-0000-7003-8001-000000000000', 'Owner', 'api_key', '00000000-0000-7003-8003-000000000037', '{"name": "key"}', '192.0.2.1', '2026-11-02 13:00:00+00'),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8004-000000000038', 'api_key.created', 'user', '00000000-0000-7003-8001-000000000000', 'Owner', 'api_key', '00000000-0000-7003-8003-000000000038', '{"name": "key"}', '192.0.2.1', '2026-11-02 14:00:00+00'),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8004-000000000039', 'api_key.created', 'user', '00000000-0000-7003-8001-000000000000', 'Owner', 'api_key', '00000000-0000-7003-8003-000000000039', '{"name": "key"}', '192.0.2.1', '2026-11-02 15:00:00+00'),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8004-000000000040', 'api_key.created', 'user', '00000000-0000-7003-8001-000000000000', 'Owner', 'api_key', '00000000-0000-7003-8003-000000000040', '{"name": "key"}', '192.0.2.1', '2026-11-02 16:00:00+00');
INSERT INTO public.comments VALUES
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8012-000000000001', '00000000-0000-7001-8011-000000000001', 'An answer', 'public', 'user', '00000000-0000-7001-8001-000000000000', 1, '2026-11-01 01:00:00+00', '2026-11-01 01:00:00+00', 'user', NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8012-000000000002', '00000000-0000-7001-8011-000000000002', 'An answer', 'public', 'user', '00000000-0000-7001-8001-000000000000', 1, '2026-11-01 02:00:00+00', '2026-11-01 02:00:00+00', 'user', NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8012-000000000003', '00000000-0000-7001-8011-000000000003', 'An answer', 'public', 'user', '00000000-0000-7001-8001-000000000000', 1, '2026-11-01 03:00:00+00', '2026-11-01 03:00:00+00', 'user', NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8012-000000000004', '00000000-0000-7001-8011-000000000004', 'An answer', 'public', 'user', '00000000-0000-7001-8001-000000000000', 1, '2026-11-01 04:00:00+00', '2026-11-01 04:00:00+00', 'user', NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8012-000000000005', '00000000-0000-7001-8011-000000000005', 'An answer', 'public', 'user', '00000000-0000-7001-8001-000000000000', 1, '2026-11-01 05:00:00+00', '2026-11-01 05:00:00+00', 'user', NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8012-000000000006', '00000000-0000-7001-8011-000000000006', 'An answer', 'public', 'user', '00000000-0000-7001-8001-000000000000', 1, '2026-11-01 06:00:00+00', '2026-11-01 06:00:00+00', 'user', NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8012-000000000007', '00000000-0000-7001-8011-000000000007', 'An answer', 'public', 'user', '00000000-0000-7001-8001-000000000000', 1, '2026-11-01 07:00:00+00', '2026-11-01 07:00:00+00', 'user', NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8012-000000000008', '00000000-0000-7001-8011-000000000008', 'An answer', 'public', 'user', '00000000-0000-7001-8001-000000000000', 1, '2026-11-01 08:00:00+00', '2026-11-01 08:00:00+00', 'user', NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8012-000000000009', '00000000-0000-7001-8011-000000000009', 'An answer', 'public', 'user', '00000000-0000-7001-8001-000000000000', 1, '2026-11-01 09:00:00+00', '2026-11-01 09:00:00+00', 'user', NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8012-000000000010', '00000000-0000-7001-8011-000000000010', 'An answer', 'public', 'user', '00000000-0000-7001-8001-000000000000', 1, '2026-11-01 10:00:00+00', '2026-11-01 10:00:00+00', 'user', NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8012-000000000011', '00000000-0000-7001-8011-000000000011', 'An answer', 'public', 'user', '00000000-0000-7001-8001-000000000000', 1, '2026-11-01 11:00:00+00', '2026-11-01 11:00:00+00', 'user', NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8012-000000000012', '00000000-0000-7001-8011-000000000012', 'An answer', 'public', 'user', '00000000-0000-7001-8001-000000000000', 1, '2026-11-01 12:00:00+00', '2026-11-01 12:00:00+00', 'user', NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8012-000000000013', '00000000-0000-7001-8011-000000000013', 'An answer', 'public', 'user', '00000000-0000-7001-8001-000000000000', 1, '2026-11-01 13:00:00+00', '2026-11-01 13:00:00+00', 'user', NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8012-000000000014', '00000000-0000-7001-8011-000000000014', 'An answer', 'public', 'user', '00000000-0000-7001-8001-000000000000', 1, '2026-11-01 14:00:00+00', '2026-11-01 14:00:00+00', 'user', NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8012-000000000015', '00000000-0000-7001-8011-000000000015', 'An answer', 'public', 'user', '00000000-0000-7001-8001-000000000000', 1, '2026-11-01 15:00:00+00', '2026-11-01 15:00:00+00', 'user', NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8012-000000000016', '00000000-0000-7001-8011-000000000016', 'An answer', 'public', 'user', '00000000-0000-7001-8001-000000000000', 1, '2026-11-01 16:00:00+00', '2026-11-01 16:00:00+00', 'user', NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8012-000000000017', '00000000-0000-7001-8011-000000000017', 'An answer', 'public', 'user', '00000000-0000-7001-8001-000000000000', 1, '2026-11-01 17:00:00+00', '2026-11-01 17:00:00+00', 'user', NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8012-000000000018', '00000000-0000-7001-8011-000000000018', 'An answer', 'public', 'user', '00000000-0000-7001-8001-000000000000', 1, '2026-11-01 18:00:00+00', '2026-11-01 18:00:00+00', 'user', NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8012-000000000019', '00000000-0000-7001-8011-000000000019', 'An answer', 'public', 'user', '00000000-0000-7001-8001-000000000000', 1, '2026-11-01 19:00:00+00', '2026-11-01 19:00:00+00', 'user', NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8012-000000000020', '00000000-0000-7001-8011-000000000020', 'An answer', 'public', 'user', '00000000-0000-7001-8001-000000000000', 1, '2026-11-01 20:00:00+00', '2026-11-01 20:00:00+00', 'user', NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8012-000000000021', '00000000-0000-7001-8011-000000000021', 'An answer', 'public', 'user', '00000000-0000-7001-8001-000000000000', 1, '2026-11-01 21:00:00+00', '2026-11-01 21:00:00+00', 'user', NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8012-000000000022', '00000000-0000-7001-8011-000000000022', 'An answer', 'public', 'user', '00000000-0000-7001-8001-000000000000', 1, '2026-11-01 22:00:00+00', '2026-11-01 22:00:00+00', 'user', NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8012-000000000023', '00000000-0000-7001-8011-000000000023', 'An answer', 'public', 'user', '00000000-0000-7001-8001-000000000000', 1, '2026-11-01 23:00:00+00', '2026-11-01 23:00:00+00', 'user', NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8012-000000000024', '00000000-0000-7001-8011-000000000024', 'An answer', 'public', 'user', '00000000-0000-7001-8001-000000000000', 1, '2026-11-02 00:00:00+00', '2026-11-02 00:00:00+00', 'user', NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8012-000000000025', '00000000-0000-7001-8011-000000000025', 'An answer', 'public', 'user', '00000000-0000-7001-8001-000000000000', 1, '2026-11-02 01:00:00+00', '2026-11-02 01:00:00+00', 'user', NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8012-000000000026', '00000000-0000-7001-8011-000000000026', 'An answer', 'public', 'user', '00000000-0000-7001-8001-000000000000', 1, '2026-11-02 02:00:00+00', '2026-11-02 02:00:00+00', 'user', NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8012-000000000027', '00000000-0000-7001-8011-000000000027', 'An answer', 'public', 'user', '00000000-0000-7001-8001-000000000000', 1, '2026-11-02 03:00:00+00', '2026-11-02 03:00:00+00', 'user', NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8012-000000000028', '00000000-0000-7001-8011-000000000028', 'An answer', 'public', 'user', '00000000-0000-7001-8001-000000000000', 1, '2026-11-02 04:00:00+00', '2026-11-02 04:00:00+00', 'user', NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8012-000000000029', '00000000-0000-7001-8011-000000000029', 'An answer', 'public', 'user', '00000000-0000-7001-8001-000000000000', 1, '2026-11-02 05:00:00+00', '2026-11-02 05:00:00+00', 'user', NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8012-000000000030', '00000000-0000-7001-8011-000000000030', 'An answer', 'public', 'user', '00000000-0000-7001-8001-000000000000', 1, '2026-11-02 06:00:00+00', '2026-11-02 06:00:00+00', 'user', NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8012-000000000031', '00000000-0000-7001-8011-000000000031', 'An answer', 'public', 'user', '00000000-0000-7001-8001-000000000000', 1, '2026-11-02 07:00:00+00', '2026-11-02 07:00:00+00', 'user', NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8012-000000000032', '00000000-0000-7001-8011-000000000032', 'An answer', 'public', 'user', '00000000-0000-7001-8001-000000000000', 1, '2026-11-02 08:00:00+00', '2026-11-02 08:00:00+00', 'user', NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8012-000000000033', '00000000-0000-7001-8011-000000000033', 'An answer', 'public', 'user', '00000000-0000-7001-8001-000000000000', 1, '2026-11-02 09:00:00+00', '2026-11-02 09:00:00+00', 'user', NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8012-000000000034', '00000000-0000-7001-8011-000000000034', 'An answer', 'public', 'user', '00000000-0000-7001-8001-000000000000', 1, '2026-11-02 10:00:00+00', '2026-11-02 10:00:00+00', 'user', NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8012-000000000035', '00000000-0000-7001-8011-000000000035', 'An answer', 'public', 'user', '00000000-0000-7001-8001-000000000000', 1, '2026-11-02 11:00:00+00', '2026-11-02 11:00:00+00', 'user', NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8012-000000000036', '00000000-0000-7001-8011-000000000036', 'An answer', 'public', 'user', '00000000-0000-7001-8001-000000000000', 1, '2026-11-02 12:00:00+00', '2026-11-02 12:00:00+00', 'user', NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8012-000000000037', '00000000-0000-7001-8011-000000000037', 'An answer', 'public', 'user', '00000000-0000-7001-8001-000000000000', 1, '2026-11-02 13:00:00+00', '2026-11-02 13:00:00+00', 'user', NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8012-000000000038', '00000000-0000-7001-8011-000000000038', 'An answer', 'public', 'user', '00000000-0000-7001-8001-000000000000', 1, '2026-11-02 14:00:00+00', '2026-11-02 14:00:00+00', 'user', NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8012-000000000039', '00000000-0000-7001-8011-000000000039', 'An answer', 'public', 'user', '00000000-0000-7001-8001-000000000000', 1, '2026-11-02 15:00:00+00', '2026-11-02 15:00:00+00', 'user', NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8012-000000000040', '00000000-0000-7001-8011-000000000040', 'An answer', 'public', 'user', '00000000-0000-7001-8001-000000000000', 1, '2026-11-02 16:00:00+00', '2026-11-02 16:00:00+00', 'user', NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8012-000000000001', '00000000-0000-7002-8011-000000000001', 'An answer', 'public', 'user', '00000000-0000-7002-8001-000000000000', 1, '2026-11-01 01:00:00+00', '2026-11-01 01:00:00+00', 'user', NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8012-000000000002', '00000000-0000-7002-8011-000000000002', 'An answer', 'public', 'user', '00000000-0000-7002-8001-000000000000', 1, '2026-11-01 02:00:00+00', '2026-11-01 02:00:00+00', 'user', NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8012-000000000003', '00000000-0000-7002-8011-000000000003', 'An answer', 'public', 'user', '00000000-0000-7002-8001-000000000000', 1, '2026-11-01 03:00:00+00', '2026-11-01 03:00:00+00', 'user', NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8012-000000000004', '00000000-0000-7002-8011-000000000004', 'An answer', 'public', 'user', '00000000-0000-7002-8001-000000000000', 1, '2026-11-01 04:00:00+00', '2026-11-01 04:00:00+00', 'user', NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8012-000000000005', '00000000-0000-7002-8011-000000000005', 'An answer', 'public', 'user', '00000000-0000-7002-8001-000000000000', 1, '2026-11-01 05:00:00+00', '2026-11-01 05:00:00+00', 'user', NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8012-000000000006', '00000000-0000-7002-8011-000000000006', 'An answer', 'public', 'user', '00000000-0000-7002-8001-000000000000', 1, '2026-11-01 06:00:00+00', '2026-11-01 06:00:00+00', 'user', NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8012-000000000007', '00000000-0000-7002-8011-000000000007', 'An answer', 'public', 'user', '00000000-0000-7002-8001-000000000000', 1, '2026-11-01 07:00:00+00', '2026-11-01 07:00:00+00', 'user', NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8012-000000000008', '00000000-0000-7002-8011-000000000008', 'An answer', 'public', 'user', '00000000-0000-7002-8001-000000000000', 1, '2026-11-01 08:00:00+00', '2026-11-01 08:00:00+00', 'user', NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8012-000000000009', '00000000-0000-7002-8011-000000000009', 'An answer', 'public', 'user', '00000000-0000-7002-8001-000000000000', 1, '2026-11-01 09:00:00+00', '2026-11-01 09:00:00+00', 'user', NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8012-000000000010', '00000000-0000-7002-8011-000000000010', 'An answer', 'public', 'user', '00000000-0000-7002-8001-000000000000', 1, '2026-11-01 10:00:00+00', '2026-11-01 10:00:00+00', 'user', NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8012-000000000011', '00000000-0000-7002-8011-000000000011', 'An answer', 'public', 'user', '00000000-0000-7002-8001-000000000000', 1, '2026-11-01 11:00:00+00', '2026-11-01 11:00:00+00', 'user', NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8012-000000000012', '00000000-0000-7002-8011-000000000012', 'An answer', 'public', 'user', '00000000-0000-7002-8001-000000000000', 1, '2026-11-01 12:00:00+00', '2026-11-01 12:00:00+00', 'user', NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8012-000000000013', '00000000-0000-7002-8011-000000000013', 'An answer', 'public', 'user', '00000000-0000-7002-8001-000000000000', 1, '2026-11-01 13:00:00+00', '2026-11-01 13:00:00+00', 'user', NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8012-000000000014', '00000000-0000-7002-8011-000000000014', 'An answer', 'public', 'user', '00000000-0000-7002-8001-000000000000', 1, '2026-11-01 14:00:00+00', '2026-11-01 14:00:00+00', 'user', NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8012-000000000015', '00000000-0000-7002-8011-000000000015', 'An answer', 'public', 'user', '00000000-0000-7002-8001-000000000000', 1, '2026-11-01 15:00:00+00', '2026-11-01 15:00:00+00', 'user', NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8012-000000000016', '00000000-0000-7002-8011-000000000016', 'An answer', 'public', 'user', '00000000-0000-7002-8001-000000000000', 1, '2026-11-01 16:00:00+00', '2026-11-01 16:00:00+00', 'user', NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8012-000000000017', '00000000-0000-7002-8011-000000000017', 'An answer', 'public', 'user', '00000000-0000-7002-8001-000000000000', 1, '2026-11-01 17:00:00+00', '2026-11-01 17:00:00+00', 'user', NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8012-000000000018', '00000000-0000-7002-8011-000000000018', 'An answer', 'public', 'user', '00000000-0000-7002-8001-000000000000', 1, '2026-11-01 18:00:00+00', '2026-11-01 18:00:00+00', 'user', NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8012-000000000019', '00000000-0000-7002-8011-000000000019', 'An answer', 'public', 'user', '00000000-0000-7002-8001-000000000000', 1, '2026-11-01 19:00:00+00', '2026-11-01 19:00:00+00', 'user', NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8012-000000000020', '00000000-0000-7002-8011-000000000020', 'An answer', 'public', 'user', '00000000-0000-7002-8001-000000000000', 1, '2026-11-01 20:00:00+00', '2026-11-01 20:00:00+00', 'user', NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8012-000000000021', '00000000-0000-7002-8011-000000000021', 'An answer', 'public', 'user', '00000000-0000-7002-8001-000000000000', 1, '2026-11-01 21:00:00+00', '2026-11-01 21:00:00+00', 'user', NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8012-000000000022', '00000000-0000-7002-8011-000000000022', 'An answer', 'public', 'user', '00000000-0000-7002-8001-000000000000', 1, '2026-11-01 22:00:00+00', '2026-11-01 22:00:00+00', 'user', NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8012-000000000023', '00000000-0000-7002-8011-000000000023', 'An answer', 'public', 'user', '00000000-0000-7002-8001-000000000000', 1, '2026-11-01 23:00:00+00', '2026-11-01 23:00:00+00', 'user', NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8012-000000000024', '00000000-0000-7002-8011-000000000024', 'An answer', 'public', 'user', '00000000-0000-7002-8001-000000000000', 1, '2026-11-02 00:00:00+00', '2026-11-02 00:00:00+00', 'user', NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8012-000000000025', '00000000-0000-7002-8011-000000000025', 'An answer', 'public', 'user', '00000000-0000-7002-8001-000000000000', 1, '2026-11-02 01:00:00+00', '2026-11-02 01:00:00+00', 'user', NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8012-000000000026', '00000000-0000-7002-8011-000000000026', 'An answer', 'public', 'user', '00000000-0000-7002-8001-000000000000', 1, '2026-11-02 02:00:00+00', '2026-11-02 02:00:00+00', 'user', NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8012-000000000027', '00000000-0000-7002-8011-000000000027', 'An answer', 'public', 'user', '00000000-0000-7002-8001-000000000000', 1, '2026-11-02 03:00:00+00', '2026-11-02 03:00:00+00', 'user', NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8012-000000000028', '00000000-0000-7002-8011-000000000028', 'An answer', 'public', 'user', '00000000-0000-7002-8001-000000000000', 1, '2026-11-02 04:00:00+00', '2026-11-02 04:00:00+00', 'user', NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8012-000000000029', '00000000-0000-7002-8011-000000000029', 'An answer', 'public', 'user', '00000000-0000-7002-8001-000000000000', 1, '2026-11-02 05:00:00+00', '2026-11-02 05:00:00+00', 'user', NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8012-000000000030', '00000000-0000-7002-8011-000000000030', 'An answer', 'public', 'user', '00000000-0000-7002-8001-000000000000', 1, '2026-11-02 06:00:00+00', '2026-11-02 06:00:00+00', 'user', NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8012-000000000031', '00000000-0000-7002-8011-000000000031', 'An answer', 'public', 'user', '00000000-0000-7002-8001-000000000000', 1, '2026-11-02 07:00:00+00', '2026-11-02 07:00:00+00', 'user', NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8012-000000000032', '00000000-0000-7002-8011-000000000032', 'An answer', 'public', 'user', '00000000-0000-7002-8001-000000000000', 1, '2026-11-02 08:00:00+00', '2026-11-02 08:00:00+00', 'user', NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8012-000000000033', '00000000-0000-7002-8011-000000000033', 'An answer', 'public', 'user', '00000000-0000-7002-8001-000000000000', 1, '2026-11-02 09:00:00+00', '2026-11-02 09:00:00+00', 'user', NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8012-000000000034', '00000000-0000-7002-8011-000000000034', 'An answer', 'public', 'user', '00000000-0000-7002-8001-000000000000', 1, '2026-11-02 10:00:00+00', '2026-11-02 10:00:00+00', 'user', NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8012-000000000035', '00000000-0000-7002-8011-000000000035', 'An answer', 'public', 'user', '00000000-0000-7002-8001-000000000000', 1, '2026-11-02 11:00:00+00', '2026-11-02 11:00:00+00', 'user', NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8012-000000000036', '00000000-0000-7002-8011-000000000036', 'An answer', 'public', 'user', '00000000-0000-7002-8001-000000000000', 1, '2026-11-02 12:00:00+00', '2026-11-02 12:00:00+00', 'user', NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8012-000000000037', '00000000-0000-7002-8011-000000000037', 'An answer', 'public', 'user', '00000000-0000-7002-8001-000000000000', 1, '2026-11-02 13:00:00+00', '2026-11-02 13:00:00+00', 'user', NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8012-000000000038', '00000000-0000-7002-8011-000000000038', 'An answer', 'public', 'user', '00000000-0000-7002-8001-000000000000', 1, '2026-11-02 14:00:00+00', '2026-11-02 14:00:00+00', 'user', NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8012-000000000039', '00000000-0000-7002-8011-000000000039', 'An answer', 'public', 'user', '00000000-0000-7002-8001-000000000000', 1, '2026-11-02 15:00:00+00', '2026-11-02 15:00:00+00', 'user', NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8012-000000000040', '00000000-0000-7002-8011-000000000040', 'An answer', 'public', 'user', '00000000-0000-7002-8001-000000000000', 1, '2026-11-02 16:00:00+00', '2026-11-02 16:00:00+00', 'user', NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8012-000000000001', '00000000-0000-7003-8011-000000000001', 'An answer', 'public', 'user', '00000000-0000-7003-8001-000000000000', 1, '2026-11-01 01:00:00+00', '2026-11-01 01:00:00+00', 'user', NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8012-000000000002', '00000000-0000-7003-8011-000000000002', 'An answer', 'public', 'user', '00000000-0000-7003-8001-000000000000', 1, '2026-11-01 02:00:00+00', '2026-11-01 02:00:00+00', 'user', NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8012-000000000003', '00000000-0000-7003-8011-000000000003', 'An answer', 'public', 'user', '00000000-0000-7003-8001-000000000000', 1, '2026-11-01 03:00:00+00', '2026-11-01 03:00:00+00', 'user', NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8012-000000000004', '00000000-0000-7003-8011-000000000004', 'An answer', 'public', 'user', '00000000-0000-7003-8001-000000000000', 1, '2026-11-01 04:00:00+00', '2026-11-01 04:00:00+00', 'user', NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8012-000000000005', '00000000-0000-7003-8011-000000000005', 'An answer', 'public', 'user', '00000000-0000-7003-8001-000000000000', 1, '2026-11-01 05:00:00+00', '2026-11-01 05:00:00+00', 'user', NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8012-000000000006', '00000000-0000-7003-8011-000000000006', 'An answer', 'public', 'user', '00000000-0000-7003-8001-000000000000', 1, '2026-11-01 06:00:00+00', '2026-11-01 06:00:00+00', 'user', NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8012-000000000007', '00000000-0000-7003-8011-000000000007', 'An answer', 'public', 'user', '00000000-0000-7003-8001-000000000000', 1, '2026-11-01 07:00:00+00', '2026-11-01 07:00:00+00', 'user', NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8012-000000000008', '00000000-0000-7003-8011-000000000008', 'An answer', 'public', 'user', '00000000-0000-7003-8001-000000000000', 1, '2026-11-01 08:00:00+00', '2026-11-01 08:00:00+00', 'user', NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8012-000000000009', '00000000-0000-7003-8011-000000000009', 'An answer', 'public', 'user', '00000000-0000-7003-8001-000000000000', 1, '2026-11-01 09:00:00+00', '2026-11-01 09:00:00+00', 'user', NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8012-000000000010', '00000000-0000-7003-8011-000000000010', 'An answer', 'public', 'user', '00000000-0000-7003-8001-000000000000', 1, '2026-11-01 10:00:00+00', '2026-11-01 10:00:00+00', 'user', NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8012-000000000011', '00000000-0000-7003-8011-000000000011', 'An answer', 'public', 'user', '00000000-0000-7003-8001-000000000000', 1, '2026-11-01 11:00:00+00', '2026-11-01 11:00:00+00', 'user', NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8012-000000000012', '00000000-0000-7003-8011-000000000012', 'An answer', 'public', 'user', '00000000-0000-7003-8001-000000000000', 1, '2026-11-01 12:00:00+00', '2026-11-01 12:00:00+00', 'user', NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8012-000000000013', '00000000-0000-7003-8011-000000000013', 'An answer', 'public', 'user', '00000000-0000-7003-8001-000000000000', 1, '2026-11-01 13:00:00+00', '2026-11-01 13:00:00+00', 'user', NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8012-000000000014', '00000000-0000-7003-8011-000000000014', 'An answer', 'public', 'user', '00000000-0000-7003-8001-000000000000', 1, '2026-11-01 14:00:00+00', '2026-11-01 14:00:00+00', 'user', NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8012-000000000015', '00000000-0000-7003-8011-000000000015', 'An answer', 'public', 'user', '00000000-0000-7003-8001-000000000000', 1, '2026-11-01 15:00:00+00', '2026-11-01 15:00:00+00', 'user', NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8012-000000000016', '00000000-0000-7003-8011-000000000016', 'An answer', 'public', 'user', '00000000-0000-7003-8001-000000000000', 1, '2026-11-01 16:00:00+00', '2026-11-01 16:00:00+00', 'user', NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8012-000000000017', '00000000-0000-7003-8011-000000000017', 'An answer', 'public', 'user', '00000000-0000-7003-8001-000000000000', 1, '2026-11-01 17:00:00+00', '2026-11-01 17:00:00+00', 'user', NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8012-000000000018', '00000000-0000-7003-8011-000000000018', 'An answer', 'public', 'user', '00000000-0000-7003-8001-000000000000', 1, '2026-11-01 18:00:00+00', '2026-11-01 18:00:00+00', 'user', NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8012-000000000019', '00000000-0000-7003-8011-000000000019', 'An answer', 'public', 'user', '00000000-0000-7003-8001-000000000000', 1, '2026-11-01 19:00:00+00', '2026-11-01 19:00:00+00', 'user', NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8012-000000000020', '00000000-0000-7003-8011-000000000020', 'An answer', 'public', 'user', '00000000-0000-7003-8001-000000000000', 1, '2026-11-01 20:00:00+00', '2026-11-01 20:00:00+00', 'user', NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8012-000000000021', '00000000-0000-7003-8011-000000000021', 'An answer', 'public', 'user', '00000000-0000-7003-8001-000000000000', 1, '2026-11-01 21:00:00+00', '2026-11-01 21:00:00+00', 'user', NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8012-000000000022', '00000000-0000-7003-8011-000000000022', 'An answer', 'public', 'user', '00000000-0000-7003-8001-000000000000', 1, '2026-11-01 22:00:00+00', '2026-11-01 22:00:00+00', 'user', NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8012-000000000023', '00000000-0000-7003-8011-000000000023', 'An answer', 'public', 'user', '00000000-0000-7003-8001-000000000000', 1, '2026-11-01 23:00:00+00', '2026-11-01 23:00:00+00', 'user', NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8012-000000000024', '00000000-0000-7003-8011-000000000024', 'An answer', 'public', 'user', '00000000-0000-7003-8001-000000000000', 1, '2026-11-02 00:00:00+00', '2026-11-02 00:00:00+00', 'user', NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8012-000000000025', '00000000-0000-7003-8011-000000000025', 'An answer', 'public', 'user', '00000000-0000-7003-8001-000000000000', 1, '2026-11-02 01:00:00+00', '2026-11-02 01:00:00+00', 'user', NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8012-000000000026', '00000000-0000-7003-8011-000000000026', 'An answer', 'public', 'user', '00000000-0000-7003-8001-000000000000', 1, '2026-11-02 02:00:00+00', '2026-11-02 02:00:00+00', 'user', NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8012-000000000027', '00000000-0000-7003-8011-000000000027', 'An answer', 'public', 'user', '00000000-0000-7003-8001-000000000000', 1, '2026-11-02 03:00:00+00', '2026-11-02 03:00:00+00', 'user', NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8012-000000000028', '00000000-0000-7003-8011-000000000028', 'An answer', 'public', 'user', '00000000-0000-7003-8001-000000000000', 1, '2026-11-02 04:00:00+00', '2026-11-02 04:00:00+00', 'user', NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8012-000000000029', '00000000-0000-7003-8011-000000000029', 'An answer', 'public', 'user', '00000000-0000-7003-8001-000000000000', 1, '2026-11-02 05:00:00+00', '2026-11-02 05:00:00+00', 'user', NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8012-000000000030', '00000000-0000-7003-8011-000000000030', 'An answer', 'public', 'user', '00000000-0000-7003-8001-000000000000', 1, '2026-11-02 06:00:00+00', '2026-11-02 06:00:00+00', 'user', NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8012-000000000031', '00000000-0000-7003-8011-000000000031', 'An answer', 'public', 'user', '00000000-0000-7003-8001-000000000000', 1, '2026-11-02 07:00:00+00', '2026-11-02 07:00:00+00', 'user', NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8012-000000000032', '00000000-0000-7003-8011-000000000032', 'An answer', 'public', 'user', '00000000-0000-7003-8001-000000000000', 1, '2026-11-02 08:00:00+00', '2026-11-02 08:00:00+00', 'user', NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8012-000000000033', '00000000-0000-7003-8011-000000000033', 'An answer', 'public', 'user', '00000000-0000-7003-8001-000000000000', 1, '2026-11-02 09:00:00+00', '2026-11-02 09:00:00+00', 'user', NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8012-000000000034', '00000000-0000-7003-8011-000000000034', 'An answer', 'public', 'user', '00000000-0000-7003-8001-000000000000', 1, '2026-11-02 10:00:00+00', '2026-11-02 10:00:00+00', 'user', NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8012-000000000035', '00000000-0000-7003-8011-000000000035', 'An answer', 'public', 'user', '00000000-0000-7003-8001-000000000000', 1, '2026-11-02 11:00:00+00', '2026-11-02 11:00:00+00', 'user', NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8012-000000000036', '00000000-0000-7003-8011-000000000036', 'An answer', 'public', 'user', '00000000-0000-7003-8001-000000000000', 1, '2026-11-02 12:00:00+00', '2026-11-02 12:00:00+00', 'user', NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8012-000000000037', '00000000-0000-7003-8011-000000000037', 'An answer', 'public', 'user', '00000000-0000-7003-8001-000000000000', 1, '2026-11-02 13:00:00+00', '2026-11-02 13:00:00+00', 'user', NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8012-000000000038', '00000000-0000-7003-8011-000000000038', 'An answer', 'public', 'user', '00000000-0000-7003-8001-000000000000', 1, '2026-11-02 14:00:00+00', '2026-11-02 14:00:00+00', 'user', NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8012-000000000039', '00000000-0000-7003-8011-000000000039', 'An answer', 'public', 'user', '00000000-0000-7003-8001-000000000000', 1, '2026-11-02 15:00:00+00', '2026-11-02 15:00:00+00', 'user', NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8012-000000000040', '00000000-0000-7003-8011-000000000040', 'An answer', 'public', 'user', '00000000-0000-7003-8001-000000000000', 1, '2026-11-02 16:00:00+00', '2026-11-02 16:00:00+00', 'user', NULL, NULL);
INSERT INTO public.companies VALUES
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8005-000000000001', 'Company 1', 'c1.example', NULL, NULL, NULL, NULL, 'c-1', 1, '2026-11-01 01:00:00+00', '2026-11-01 01:00:00+00', 'system', NULL, NULL, '''1'':2 ''company'':1', NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8005-000000000002', 'Company 2', 'c2.example', NULL, NULL, NULL, NULL, 'c-2', 1, '2026-11-01 02:00:00+00', '2026-11-01 02:00:00+00', 'system', NULL, NULL, '''2'':2 ''company'':1', NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8005-000000000003', 'Company 3', 'c3.example', NULL, NULL, NULL, NULL, 'c-3', 1, '2026-11-01 03:00:00+00', '2026-11-01 03:00:00+00', 'system', NULL, NULL, '''3'':2 ''company'':1', NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8005-000000000004', 'Company 4', 'c4.example', NULL, NULL, NULL, NULL, 'c-4', 1, '2026-11-01 04:00:00+00', '2026-11-01 04:00:00+00', 'system', NULL, NULL, '''4'':2 ''company'':1', NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8005-000000000005', 'Company 5', 'c5.example', NULL, NULL, NULL, NULL, 'c-5', 1, '2026-11-01 05:00:00+00', '2026-11-01 05:00:00+00', 'system', NULL, NULL, '''5'':2 ''company'':1', NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8005-000000000006', 'Company 6', 'c6.example', NULL, NULL, NULL, NULL, 'c-6', 1, '2026-11-01 06:00:00+00', '2026-11-01 06:00:00+00', 'system', NULL, NULL, '''6'':2 ''company'':1', NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8005-000000000007', 'Company 7', 'c7.example', NULL, NULL, NULL, NULL, 'c-7', 1, '2026-11-01 07:00:00+00', '2026-11-01 07:00:00+00', 'system', NULL, NULL, '''7'':2 ''company'':1', NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8005-000000000008', 'Company 8', 'c8.example', NULL, NULL, NULL, NULL, 'c-8', 1, '2026-11-01 08:00:00+00', '2026-11-01 08:00:00+00', 'system', NULL, NULL, '''8'':2 ''company'':1', NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8005-000000000009', 'Company 9', 'c9.example', NULL, NULL, NULL, NULL, 'c-9', 1, '2026-11-01 09:00:00+00', '2026-11-01 09:00:00+00', 'system', NULL, NULL, '''9'':2 ''company'':1', NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8005-000000000010', 'Company 10', 'c10.example', NULL, NULL, NULL, NULL, 'c-10', 1, '2026-11-01 10:00:00+00', '2026-11-01 10:00:00+00', 'system', NULL, NULL, '''10'':2 ''company'':1', NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8005-000000000011', 'Company 11', 'c11.example', NULL, NULL, NULL, NULL, 'c-11', 1, '2026-11-01 11:00:00+00', '2026-11-01 11:00:00+00', 'system', NULL, NULL, '''11'':2 ''company'':1', NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8005-000000000012', 'Company 12', 'c12.example', NULL, NULL, NULL, NULL, 'c-12', 1, '2026-11-01 12:00:00+00', '2026-11-01 12:00:00+00', 'system', NULL, NULL, '''12'':2 ''company'':1', NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8005-000000000013', 'Company 13', 'c13.example', NULL, NULL, NULL, NULL, 'c-13', 1, '2026-11-01 13:00:00+00', '2026-11-01 13:00:00+00', 'system', NULL, NULL, '''13'':2 ''company'':1', NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8005-000000000014', 'Company 14', 'c14.example', NULL, NULL, NULL, NULL, 'c-14', 1, '2026-11-01 14:00:00+00', '2026-11-01 14:00:00+00', 'system', NULL, NULL, '''14'':2 ''company'':1', NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8005-000000000015', 'Company 15', 'c15.example', NULL, NULL, NULL, NULL, 'c-15', 1, '2026-11-01 15:00:00+00', '2026-11-01 15:00:00+00', 'system', NULL, NULL, '''15'':2 ''company'':1', NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8005-000000000016', 'Company 16', 'c16.example', NULL, NULL, NULL, NULL, 'c-16', 1, '2026-11-01 16:00:00+00', '2026-11-01 16:00:00+00', 'system', NULL, NULL, '''16'':2 ''company'':1', NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8005-000000000017', 'Company 17', 'c17.example', NULL, NULL, NULL, NULL, 'c-17', 1, '2026-11-01 17:00:00+00', '2026-11-01 17:00:00+00', 'system', NULL, NULL, '''17'':2 ''company'':1', NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8005-000000000018', 'Company 18', 'c18.example', NULL, NULL, NULL, NULL, 'c-18', 1, '2026-11-01 18:00:00+00', '2026-11-01 18:00:00+00', 'system', NULL, NULL, '''18'':2 ''company'':1', NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8005-000000000019', 'Company 19', 'c19.example', NULL, NULL, NULL, NULL, 'c-19', 1, '2026-11-01 19:00:00+00', '2026-11-01 19:00:00+00', 'system', NULL, NULL, '''19'':2 ''company'':1', NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8005-000000000020', 'Company 20', 'c20.example', NULL, NULL, NULL, NULL, 'c-20', 1, '2026-11-01 20:00:00+00', '2026-11-01 20:00:00+00', 'system', NULL, NULL, '''20'':2 ''company'':1', NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8005-000000000021', 'Company 21', 'c21.example', NULL, NULL, NULL, NULL, 'c-21', 1, '2026-11-01 21:00:00+00', '2026-11-01 21:00:00+00', 'system', NULL, NULL, '''21'':2 ''company'':1', NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8005-000000000022', 'Company 22', 'c22.example', NULL, NULL, NULL, NULL, 'c-22', 1, '2026-11-01 22:00:00+00', '2026-11-01 22:00:00+00', 'system', NULL, NULL, '''22'':2 ''company'':1', NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8005-000000000023', 'Company 23', 'c23.example', NULL, NULL, NULL, NULL, 'c-23', 1, '2026-11-01 23:00:00+00', '2026-11-01 23:00:00+00', 'system', NULL, NULL, '''23'':2 ''company'':1', NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8005-000000000024', 'Company 24', 'c24.example', NULL, NULL, NULL, NULL, 'c-24', 1, '2026-11-02 00:00:00+00', '2026-11-02 00:00:00+00', 'system', NULL, NULL, '''24'':2 ''company'':1', NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8005-000000000025', 'Company 25', 'c25.example', NULL, NULL, NULL, NULL, 'c-25', 1, '2026-11-02 01:00:00+00', '2026-11-02 01:00:00+00', 'system', NULL, NULL, '''25'':2 ''company'':1', NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8005-000000000026', 'Company 26', 'c26.example', NULL, NULL, NULL, NULL, 'c-26', 1, '2026-11-02 02:00:00+00', '2026-11-02 02:00:00+00', 'system', NULL, NULL, '''26'':2 ''company'':1', NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8005-000000000027', 'Company 27', 'c27.example', NULL, NULL, NULL, NULL, 'c-27', 1, '2026-11-02 03:00:00+00', '2026-11-02 03:00:00+00', 'system', NULL, NULL, '''27'':2 ''company'':1', NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8005-000000000028', 'Company 28', 'c28.example', NULL, NULL, NULL, NULL, 'c-28', 1, '2026-11-02 04:00:00+00', '2026-11-02 04:00:00+00', 'system', NULL, NULL, '''28'':2 ''company'':1', NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8005-000000000029', 'Company 29', 'c29.example', NULL, NULL, NULL, NULL, 'c-29', 1, '2026-11-02 05:00:00+00', '2026-11-02 05:00:00+00', 'system', NULL, NULL, '''29'':2 ''company'':1', NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8005-000000000030', 'Company 30', 'c30.example', NULL, NULL, NULL, NULL, 'c-30', 1, '2026-11-02 06:00:00+00', '2026-11-02 06:00:00+00', 'system', NULL, NULL, '''30'':2 ''company'':1', NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8005-000000000031', 'Company 31', 'c31.example', NULL, NULL, NULL, NULL, 'c-31', 1, '2026-11-02 07:00:00+00', '2026-11-02 07:00:00+00', 'system', NULL, NULL, '''31'':2 ''company'':1', NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8005-000000000032', 'Company 32', 'c32.example', NULL, NULL, NULL, NULL, 'c-32', 1, '2026-11-02 08:00:00+00', '2026-11-02 08:00:00+00', 'system', NULL, NULL, '''32'':2 ''company'':1', NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8005-000000000033', 'Company 33', 'c33.example', NULL, NULL, NULL, NULL, 'c-33', 1, '2026-11-02 09:00:00+00', '2026-11-02 09:00:00+00', 'system', NULL, NULL, '''33'':2 ''company'':1', NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8005-000000000034', 'Company 34', 'c34.example', NULL, NULL, NULL, NULL, 'c-34', 1, '2026-11-02 10:00:00+00', '2026-11-02 10:00:00+00', 'system', NULL, NULL, '''34'':2 ''company'':1', NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8005-000000000035', 'Company 35', 'c35.example', NULL, NULL, NULL, NULL, 'c-35', 1, '2026-11-02 11:00:00+00', '2026-11-02 11:00:00+00', 'system', NULL, NULL, '''35'':2 ''company'':1', NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8005-000000000036', 'Company 36', 'c36.example', NULL, NULL, NULL, NULL, 'c-36', 1, '2026-11-02 12:00:00+00', '2026-11-02 12:00:00+00', 'system', NULL, NULL, '''36'':2 ''company'':1', NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8005-000000000037', 'Company 37', 'c37.example', NULL, NULL, NULL, NULL, 'c-37', 1, '2026-11-02 13:00:00+00', '2026-11-02 13:00:00+00', 'system', NULL, NULL, '''37'':2 ''company'':1', NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8005-000000000038', 'Company 38', 'c38.example', NULL, NULL, NULL, NULL, 'c-38', 1, '2026-11-02 14:00:00+00', '2026-11-02 14:00:00+00', 'system', NULL, NULL, '''38'':2 ''company'':1', NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8005-000000000039', 'Company 39', 'c39.example', NULL, NULL, NULL, NULL, 'c-39', 1, '2026-11-02 15:00:00+00', '2026-11-02 15:00:00+00', 'system', NULL, '2026-11-02 15:00:00+00', '''39'':2 ''company'':1', NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8005-000000000040', 'Company 40', 'c40.example', NULL, NULL, NULL, NULL, 'c-40', 1, '2026-11-02 16:00:00+00', '2026-11-02 16:00:00+00', 'system', NULL, '2026-11-02 16:00:00+00', '''40'':2 ''company'':1', NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8005-000000000001', 'Company 1', 'c1.example', NULL, NULL, NULL, NULL, 'c-1', 1, '2026-11-01 01:00:00+00', '2026-11-01 01:00:00+00', 'system', NULL, NULL, '''1'':2 ''company'':1', NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8005-000000000002', 'Company 2', 'c2.example', NULL, NULL, NULL, NULL, 'c-2', 1, '2026-11-01 02:00:00+00', '2026-11-01 02:00:00+00', 'system', NULL, NULL, '''2'':2 ''company'':1', NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8005-000000000003', 'Company 3', 'c3.example', NULL, NULL, NULL, NULL, 'c-3', 1, '2026-11-01 03:00:00+00', '2026-11-01 03:00:00+00', 'system', NULL, NULL, '''3'':2 ''company'':1', NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8005-000000000004', 'Company 4', 'c4.example', NULL, NULL, NULL, NULL, 'c-4', 1, '2026-11-01 04:00:00+00', '2026-11-01 04:00:00+00', 'system', NULL, NULL, '''4'':2 ''company'':1', NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8005-000000000005', 'Company 5', 'c5.example', NULL, NULL, NULL, NULL, 'c-5', 1, '2026-11-01 05:00:00+00', '2026-11-01 05:00:00+00', 'system', NULL, NULL, '''5'':2 ''company'':1', NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8005-000000000006', 'Company 6', 'c6.example', NULL, NULL, NULL, NULL, 'c-6', 1, '2026-11-01 06:00:00+00', '2026-11-01 06:00:00+00', 'system', NULL, NULL, '''6'':2 ''company'':1', NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8005-000000000007', 'Company 7', 'c7.example', NULL, NULL, NULL, NULL, 'c-7', 1, '2026-11-01 07:00:00+00', '2026-11-01 07:00:00+00', 'system', NULL, NULL, '''7'':2 ''company'':1', NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8005-000000000008', 'Company 8', 'c8.example', NULL, NULL, NULL, NULL, 'c-8', 1, '2026-11-01 08:00:00+00', '2026-11-01 08:00:00+00', 'system', NULL, NULL, '''8'':2 ''company'':1', NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8005-000000000009', 'Company 9', 'c9.example', NULL, NULL, NULL, NULL, 'c-9', 1, '2026-11-01 09:00:00+00', '2026-11-01 09:00:00+00', 'system', NULL, NULL, '''9'':2 ''company'':1', NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8005-000000000010', 'Company 10', 'c10.example', NULL, NULL, NULL, NULL, 'c-10', 1, '2026-11-01 10:00:00+00', '2026-11-01 10:00:00+00', 'system', NULL, NULL, '''10'':2 ''company'':1', NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8005-000000000011', 'Company 11', 'c11.example', NULL, NULL, NULL, NULL, 'c-11', 1, '2026-11-01 11:00:00+00', '2026-11-01 11:00:00+00', 'system', NULL, NULL, '''11'':2 ''company'':1', NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8005-000000000012', 'Company 12', 'c12.example', NULL, NULL, NULL, NULL, 'c-12', 1, '2026-11-01 12:00:00+00', '2026-11-01 12:00:00+00', 'system', NULL, NULL, '''12'':2 ''company'':1', NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8005-000000000013', 'Company 13', 'c13.example', NULL, NULL, NULL, NULL, 'c-13', 1, '2026-11-01 13:00:00+00', '2026-11-01 13:00:00+00', 'system', NULL, NULL, '''13'':2 ''company'':1', NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8005-000000000014', 'Company 14', 'c14.example', NULL, NULL, NULL, NULL, 'c-14', 1, '2026-11-01 14:00:00+00', '2026-11-01 14:00:00+00', 'system', NULL, NULL, '''14'':2 ''company'':1', NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8005-000000000015', 'Company 15', 'c15.example', NULL, NULL, NULL, NULL, 'c-15', 1, '2026-11-01 15:00:00+00', '2026-11-01 15:00:00+00', 'system', NULL, NULL, '''15'':2 ''company'':1', NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8005-000000000016', 'Company 16', 'c16.example', NULL, NULL, NULL, NULL, 'c-16', 1, '2026-11-01 16:00:00+00', '2026-11-01 16:00:00+00', 'system', NULL, NULL, '''16'':2 ''company'':1', NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8005-000000000017', 'Company 17', 'c17.example', NULL, NULL, NULL, NULL, 'c-17', 1, '2026-11-01 17:00:00+00', '2026-11-01 17:00:00+00', 'system', NULL, NULL, '''17'':2 ''company'':1', NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8005-000000000018', 'Company 18', 'c18.example', NULL, NULL, NULL, NULL, 'c-18', 1, '2026-11-01 18:00:00+00', '2026-11-01 18:00:00+00', 'system', NULL, NULL, '''18'':2 ''company'':1', NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8005-000000000019', 'Company 19', 'c19.example', NULL, NULL, NULL, NULL, 'c-19', 1, '2026-11-01 19:00:00+00', '2026-11-01 19:00:00+00', 'system', NULL, NULL, '''19'':2 ''company'':1', NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8005-000000000020', 'Company 20', 'c20.example', NULL, NULL, NULL, NULL, 'c-20', 1, '2026-11-01 20:00:00+00', '2026-11-01 20:00:00+00', 'system', NULL, NULL, '''20'':2 ''company'':1', NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8005-000000000021', 'Company 21', 'c21.example', NULL, NULL, NULL, NULL, 'c-21', 1, '2026-11-01 21:00:00+00', '2026-11-01 21:00:00+00', 'system', NULL, NULL, '''21'':2 ''company'':1', NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8005-000000000022', 'Company 22', 'c22.example', NULL, NULL, NULL, NULL, 'c-22', 1, '2026-11-01 22:00:00+00', '2026-11-01 22:00:00+00', 'system', NULL, NULL, '''22'':2 ''company'':1', NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8005-000000000023', 'Company 23', 'c23.example', NULL, NULL, NULL, NULL, 'c-23', 1, '2026-11-01 23:00:00+00', '2026-11-01 23:00:00+00', 'system', NULL, NULL, '''23'':2 ''company'':1', NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8005-000000000024', 'Company 24', 'c24.example', NULL, NULL, NULL, NULL, 'c-24', 1, '2026-11-02 00:00:00+00', '2026-11-02 00:00:00+00', 'system', NULL, NULL, '''24'':2 ''company'':1', NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8005-000000000025', 'Company 25', 'c25.example', NULL, NULL, NULL, NULL, 'c-25', 1, '2026-11-02 01:00:00+00', '2026-11-02 01:00:00+00', 'system', NULL, NULL, '''25'':2 ''company'':1', NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8005-000000000026', 'Company 26', 'c26.example', NULL, NULL, NULL, NULL, 'c-26', 1, '2026-11-02 02:00:00+00', '2026-11-02 02:00:00+00', 'system', NULL, NULL, '''26'':2 ''company'':1', NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8005-000000000027', 'Company 27', 'c27.example', NULL, NULL, NULL, NULL, 'c-27', 1, '2026-11-02 03:00:00+00', '2026-11-02 03:00:00+00', 'system', NULL, NULL, '''27'':2 ''company'':1', NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8005-000000000028', 'Company 28', 'c28.example', NULL, NULL, NULL, NULL, 'c-28', 1, '2026-11-02 04:00:00+00', '2026-11-02 04:00:00+00', 'system', NULL, NULL, '''28'':2 ''company'':1', NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8005-000000000029', 'Company 29', 'c29.example', NULL, NULL, NULL, NULL, 'c-29', 1, '2026-11-02 05:00:00+00', '2026-11-02 05:00:00+00', 'system', NULL, NULL, '''29'':2 ''company'':1', NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8005-000000000030', 'Company 30', 'c30.example', NULL, NULL, NULL, NULL, 'c-30', 1, '2026-11-02 06:00:00+00', '2026-11-02 06:00:00+00', 'system', NULL, NULL, '''30'':2 ''company'':1', NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8005-000000000031', 'Company 31', 'c31.example', NULL, NULL, NULL, NULL, 'c-31', 1, '2026-11-02 07:00:00+00', '2026-11-02 07:00:00+00', 'system', NULL, NULL, '''31'':2 ''company'':1', NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8005-000000000032', 'Company 32', 'c32.example', NULL, NULL, NULL, NULL, 'c-32', 1, '2026-11-02 08:00:00+00', '2026-11-02 08:00:00+00', 'system', NULL, NULL, '''32'':2 ''company'':1', NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8005-000000000033', 'Company 33', 'c33.example', NULL, NULL, NULL, NULL, 'c-33', 1, '2026-11-02 09:00:00+00', '2026-11-02 09:00:00+00', 'system', NULL, NULL, '''33'':2 ''company'':1', NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8005-000000000034', 'Company 34', 'c34.example', NULL, NULL, NULL, NULL, 'c-34', 1, '2026-11-02 10:00:00+00', '2026-11-02 10:00:00+00', 'system', NULL, NULL, '''34'':2 ''company'':1', NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8005-000000000035', 'Company 35', 'c35.example', NULL, NULL, NULL, NULL, 'c-35', 1, '2026-11-02 11:00:00+00', '2026-11-02 11:00:00+00', 'system', NULL, NULL, '''35'':2 ''company'':1', NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8005-000000000036', 'Company 36', 'c36.example', NULL, NULL, NULL, NULL, 'c-36', 1, '2026-11-02 12:00:00+00', '2026-11-02 12:00:00+00', 'system', NULL, NULL, '''36'':2 ''company'':1', NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8005-000000000037', 'Company 37', 'c37.example', NULL, NULL, NULL, NULL, 'c-37', 1, '2026-11-02 13:00:00+00', '2026-11-02 13:00:00+00', 'system', NULL, NULL, '''37'':2 ''company'':1', NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8005-000000000038', 'Company 38', 'c38.example', NULL, NULL, NULL, NULL, 'c-38', 1, '2026-11-02 14:00:00+00', '2026-11-02 14:00:00+00', 'system', NULL, NULL, '''38'':2 ''company'':1', NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8005-000000000039', 'Company 39', 'c39.example', NULL, NULL, NULL, NULL, 'c-39', 1, '2026-11-02 15:00:00+00', '2026-11-02 15:00:00+00', 'system', NULL, '2026-11-02 15:00:00+00', '''39'':2 ''company'':1', NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8005-000000000040', 'Company 40', 'c40.example', NULL, NULL, NULL, NULL, 'c-40', 1, '2026-11-02 16:00:00+00', '2026-11-02 16:00:00+00', 'system', NULL, '2026-11-02 16:00:00+00', '''40'':2 ''company'':1', NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8005-000000000001', 'Company 1', 'c1.example', NULL, NULL, NULL, NULL, 'c-1', 1, '2026-11-01 01:00:00+00', '2026-11-01 01:00:00+00', 'system', NULL, NULL, '''1'':2 ''company'':1', NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8005-000000000002', 'Company 2', 'c2.example', NULL, NULL, NULL, NULL, 'c-2', 1, '2026-11-01 02:00:00+00', '2026-11-01 02:00:00+00', 'system', NULL, NULL, '''2'':2 ''company'':1', NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8005-000000000003', 'Company 3', 'c3.example', NULL, NULL, NULL, NULL, 'c-3', 1, '2026-11-01 03:00:00+00', '2026-11-01 03:00:00+00', 'system', NULL, NULL, '''3'':2 ''company'':1', NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8005-000000000004', 'Company 4', 'c4.example', NULL, NULL, NULL, NULL, 'c-4', 1, '2026-11-01 04:00:00+00', '2026-11-01 04:00:00+00', 'system', NULL, NULL, '''4'':2 ''company'':1', NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8005-000000000005', 'Company 5', 'c5.example', NULL, NULL, NULL, NULL, 'c-5', 1, '2026-11-01 05:00:00+00', '2026-11-01 05:00:00+00', 'system', NULL, NULL, '''5'':2 ''company'':1', NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8005-000000000006', 'Company 6', 'c6.example', NULL, NULL, NULL, NULL, 'c-6', 1, '2026-11-01 06:00:00+00', '2026-11-01 06:00:00+00', 'system', NULL, NULL, '''6'':2 ''company'':1', NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8005-000000000007', 'Company 7', 'c7.example', NULL, NULL, NULL, NULL, 'c-7', 1, '2026-11-01 07:00:00+00', '2026-11-01 07:00:00+00', 'system', NULL, NULL, '''7'':2 ''company'':1', NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8005-000000000008', 'Company 8', 'c8.example', NULL, NULL, NULL, NULL, 'c-8', 1, '2026-11-01 08:00:00+00', '2026-11-01 08:00:00+00', 'system', NULL, NULL, '''8'':2 ''company'':1', NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8005-000000000009', 'Company 9', 'c9.example', NULL, NULL, NULL, NULL, 'c-9', 1, '2026-11-01 09:00:00+00', '2026-11-01 09:00:00+00', 'system', NULL, NULL, '''9'':2 ''company'':1', NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8005-000000000010', 'Company 10', 'c10.example', NULL, NULL, NULL, NULL, 'c-10', 1, '2026-11-01 10:00:00+00', '2026-11-01 10:00:00+00', 'system', NULL, NULL, '''10'':2 ''company'':1', NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8005-000000000011', 'Company 11', 'c11.example', NULL, NULL, NULL, NULL, 'c-11', 1, '2026-11-01 11:00:00+00', '2026-11-01 11:00:00+00', 'system', NULL, NULL, '''11'':2 ''company'':1', NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8005-000000000012', 'Company 12', 'c12.example', NULL, NULL, NULL, NULL, 'c-12', 1, '2026-11-01 12:00:00+00', '2026-11-01 12:00:00+00', 'system', NULL, NULL, '''12'':2 ''company'':1', NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8005-000000000013', 'Company 13', 'c13.example', NULL, NULL, NULL, NULL, 'c-13', 1, '2026-11-01 13:00:00+00', '2026-11-01 13:00:00+00', 'system', NULL, NULL, '''13'':2 ''company'':1', NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8005-000000000014', 'Company 14', 'c14.example', NULL, NULL, NULL, NULL, 'c-14', 1, '2026-11-01 14:00:00+00', '2026-11-01 14:00:00+00', 'system', NULL, NULL, '''14'':2 ''company'':1', NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8005-000000000015', 'Company 15', 'c15.example', NULL, NULL, NULL, NULL, 'c-15', 1, '2026-11-01 15:00:00+00', '2026-11-01 15:00:00+00', 'system', NULL, NULL, '''15'':2 ''company'':1', NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8005-000000000016', 'Company 16', 'c16.example', NULL, NULL, NULL, NULL, 'c-16', 1, '2026-11-01 16:00:00+00', '2026-11-01 16:00:00+00', 'system', NULL, NULL, '''16'':2 ''company'':1', NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8005-000000000017', 'Company 17', 'c17.example', NULL, NULL, NULL, NULL, 'c-17', 1, '2026-11-01 17:00:00+00', '2026-11-01 17:00:00+00', 'system', NULL, NULL, '''17'':2 ''company'':1', NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8005-000000000018', 'Company 18', 'c18.example', NULL, NULL, NULL, NULL, 'c-18', 1, '2026-11-01 18:00:00+00', '2026-11-01 18:00:00+00', 'system', NULL, NULL, '''18'':2 ''company'':1', NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8005-000000000019', 'Company 19', 'c19.example', NULL, NULL, NULL, NULL, 'c-19', 1, '2026-11-01 19:00:00+00', '2026-11-01 19:00:00+00', 'system', NULL, NULL, '''19'':2 ''company'':1', NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8005-000000000020', 'Company 20', 'c20.example', NULL, NULL, NULL, NULL, 'c-20', 1, '2026-11-01 20:00:00+00', '2026-11-01 20:00:00+00', 'system', NULL, NULL, '''20'':2 ''company'':1', NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8005-000000000021', 'Company 21', 'c21.example', NULL, NULL, NULL, NULL, 'c-21', 1, '2026-11-01 21:00:00+00', '2026-11-01 21:00:00+00', 'system', NULL, NULL, '''21'':2 ''company'':1', NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8005-000000000022', 'Company 22', 'c22.example', NULL, NULL, NULL, NULL, 'c-22', 1, '2026-11-01 22:00:00+00', '2026-11-01 22:00:00+00', 'system', NULL, NULL, '''22'':2 ''company'':1', NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8005-000000000023', 'Company 23', 'c23.example', NULL, NULL, NULL, NULL, 'c-23', 1, '2026-11-01 23:00:00+00', '2026-11-01 23:00:00+00', 'system', NULL, NULL, '''23'':2 ''company'':1', NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8005-000000000024', 'Company 24', 'c24.example', NULL, NULL, NULL, NULL, 'c-24', 1, '2026-11-02 00:00:00+00', '2026-11-02 00:00:00+00', 'system', NULL, NULL, '''24'':2 ''company'':1', NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8005-000000000025', 'Company 25', 'c25.example', NULL, NULL, NULL, NULL, 'c-25', 1, '2026-11-02 01:00:00+00', '2026-11-02 01:00:00+00', 'system', NULL, NULL, '''25'':2 ''company'':1', NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8005-000000000026', 'Company 26', 'c26.example', NULL, NULL, NULL, NULL, 'c-26', 1, '2026-11-02 02:00:00+00', '2026-11-02 02:00:00+00', 'system', NULL, NULL, '''26'':2 ''company'':1', NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8005-000000000027', 'Company 27', 'c27.example', NULL, NULL, NULL, NULL, 'c-27', 1, '2026-11-02 03:00:00+00', '2026-11-02 03:00:00+00', 'system', NULL, NULL, '''27'':2 ''company'':1', NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8005-000000000028', 'Company 28', 'c28.example', NULL, NULL, NULL, NULL, 'c-28', 1, '2026-11-02 04:00:00+00', '2026-11-02 04:00:00+00', 'system', NULL, NULL, '''28'':2 ''company'':1', NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8005-000000000029', 'Company 29', 'c29.example', NULL, NULL, NULL, NULL, 'c-29', 1, '2026-11-02 05:00:00+00', '2026-11-02 05:00:00+00', 'system', NULL, NULL, '''29'':2 ''company'':1', NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8005-000000000030', 'Company 30', 'c30.example', NULL, NULL, NULL, NULL, 'c-30', 1, '2026-11-02 06:00:00+00', '2026-11-02 06:00:00+00', 'system', NULL, NULL, '''30'':2 ''company'':1', NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8005-000000000031', 'Company 31', 'c31.example', NULL, NULL, NULL, NULL, 'c-31', 1, '2026-11-02 07:00:00+00', '2026-11-02 07:00:00+00', 'system', NULL, NULL, '''31'':2 ''company'':1', NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8005-000000000032', 'Company 32', 'c32.example', NULL, NULL, NULL, NULL, 'c-32', 1, '2026-11-02 08:00:00+00', '2026-11-02 08:00:00+00', 'system', NULL, NULL, '''32'':2 ''company'':1', NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8005-000000000033', 'Company 33', 'c33.example', NULL, NULL, NULL, NULL, 'c-33', 1, '2026-11-02 09:00:00+00', '2026-11-02 09:00:00+00', 'system', NULL, NULL, '''33'':2 ''company'':1', NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8005-000000000034', 'Company 34', 'c34.example', NULL, NULL, NULL, NULL, 'c-34', 1, '2026-11-02 10:00:00+00', '2026-11-02 10:00:00+00', 'system', NULL, NULL, '''34'':2 ''company'':1', NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8005-000000000035', 'Company 35', 'c35.example', NULL, NULL, NULL, NULL, 'c-35', 1, '2026-11-02 11:00:00+00', '2026-11-02 11:00:00+00', 'system', NULL, NULL, '''35'':2 ''company'':1', NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8005-000000000036', 'Company 36', 'c36.example', NULL, NULL, NULL, NULL, 'c-36', 1, '2026-11-02 12:00:00+00', '2026-11-02 12:00:00+00', 'system', NULL, NULL, '''36'':2 ''company'':1', NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8005-000000000037', 'Company 37', 'c37.example', NULL, NULL, NULL, NULL, 'c-37', 1, '2026-11-02 13:00:00+00', '2026-11-02 13:00:00+00', 'system', NULL, NULL, '''37'':2 ''company'':1', NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8005-000000000038', 'Company 38', 'c38.example', NULL, NULL, NULL, NULL, 'c-38', 1, '2026-11-02 14:00:00+00', '2026-11-02 14:00:00+00', 'system', NULL, NULL, '''38'':2 ''company'':1', NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8005-000000000039', 'Company 39', 'c39.example', NULL, NULL, NULL, NULL, 'c-39', 1, '2026-11-02 15:00:00+00', '2026-11-02 15:00:00+00', 'system', NULL, '2026-11-02 15:00:00+00', '''39'':2 ''company'':1', NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8005-000000000040', 'Company 40', 'c40.example', NULL, NULL, NULL, NULL, 'c-40', 1, '2026-11-02 16:00:00+00', '2026-11-02 16:00:00+00', 'system', NULL, '2026-11-02 16:00:00+00', '''40'':2 ''company'':1', NULL);
INSERT INTO public.contacts VALUES
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8006-000000000001', 'Person1@example.org', 'person1@example.org', 'Grace 1', NULL, NULL, NULL, '00000000-0000-7001-8005-000000000001', NULL, 'lead', 'active', NULL, NULL, NULL, '{vip}', '{"score": 7}', NULL, NULL, NULL, NULL, NULL, 1, '2026-11-01 01:00:00+00', '2026-11-01 01:00:00+00', 'user', NULL, NULL, '', true, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8006-000000000002', 'Person2@example.org', 'person2@example.org', 'Grace 2', NULL, NULL, NULL, '00000000-0000-7001-8005-000000000002', NULL, 'lead', 'active', NULL, NULL, NULL, '{vip}', '{"score": 7}', NULL, NULL, NULL, NULL, NULL, 1, '2026-11-01 02:00:00+00', '2026-11-01 02:00:00+00', 'user', NULL, NULL, '', true, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8006-000000000003', 'Person3@example.org', 'person3@example.org', 'Grace 3', NULL, NULL, NULL, '00000000-0000-7001-8005-000000000003', NULL, 'lead', 'active', NULL, NULL, NULL, '{vip}', '{"score": 7}', NULL, NULL, NULL, NULL, NULL, 1, '2026-11-01 03:00:00+00', '2026-11-01 03:00:00+00', 'user', NULL, NULL, '', true, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8006-000000000004', 'Person4@example.org', 'person4@example.org', 'Grace 4', NULL, NULL, NULL, '00000000-0000-7001-8005-000000000004', NULL, 'lead', 'active', NULL, NULL, NULL, '{vip}', '{"score": 7}', NULL, NULL, NULL, NULL, NULL, 1, '2026-11-01 04:00:00+00', '2026-11-01 04:00:00+00', 'user', NULL, NULL, '', true, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8006-000000000005', 'Person5@example.org', 'person5@example.org', 'Grace 5', NULL, NULL, NULL, '00000000-0000-7001-8005-000000000005', NULL, 'lead', 'active', NULL, NULL, NULL, '{vip}', '{"score": 7}', NULL, NULL, NULL, NULL, NULL, 1, '2026-11-01 05:00:00+00', '2026-11-01 05:00:00+00', 'user', NULL, NULL, '', true, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8006-000000000006', 'Person6@example.org', 'person6@example.org', 'Grace 6', NULL, NULL, NULL, '00000000-0000-7001-8005-000000000006', NULL, 'lead', 'active', NULL, NULL, NULL, '{vip}', '{"score": 7}', NULL, NULL, NULL, NULL, NULL, 1, '2026-11-01 06:00:00+00', '2026-11-01 06:00:00+00', 'user', NULL, NULL, '', true, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8006-000000000007', 'Person7@example.org', 'person7@example.org', 'Grace 7', NULL, NULL, NULL, '00000000-0000-7001-8005-000000000007', NULL, 'lead', 'active', NULL, NULL, NULL, '{vip}', '{"score": 7}', NULL, NULL, NULL, NULL, NULL, 1, '2026-11-01 07:00:00+00', '2026-11-01 07:00:00+00', 'user', NULL, NULL, '', true, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8006-000000000008', 'Person8@example.org', 'person8@example.org', 'Grace 8', NULL, NULL, NULL, '00000000-0000-7001-8005-000000000008', NULL, 'lead', 'active', NULL, NULL, NULL, '{vip}', '{"score": 7}', NULL, NULL, NULL, NULL, NULL, 1, '2026-11-01 08:00:00+00', '2026-11-01 08:00:00+00', 'user', NULL, NULL, '', true, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8006-000000000009', 'Person9@example.org', 'person9@example.org', 'Grace 9', NULL, NULL, NULL, '00000000-0000-7001-8005-000000000009', NULL, 'lead', 'active', NULL, NULL, NULL, '{vip}', '{"score": 7}', NULL, NULL, NULL, NULL, NULL, 1, '2026-11-01 09:00:00+00', '2026-11-01 09:00:00+00', 'user', NULL, NULL, '', true, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8006-000000000010', 'Person10@example.org', 'person10@example.org', 'Grace 10', NULL, NULL, NULL, '00000000-0000-7001-8005-000000000010', NULL, 'lead', 'active', NULL, NULL, NULL, '{vip}', '{"score": 7}', NULL, NULL, NULL, NULL, NULL, 1, '2026-11-01 10:00:00+00', '2026-11-01 10:00:00+00', 'user', NULL, NULL, '', true, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8006-000000000011', 'Person11@example.org', 'person11@example.org', 'Grace 11', NULL, NULL, NULL, '00000000-0000-7001-8005-000000000011', NULL, 'lead', 'active', NULL, NULL, NULL, '{vip}', '{"score": 7}', NULL, NULL, NULL, NULL, NULL, 1, '2026-11-01 11:00:00+00', '2026-11-01 11:00:00+00', 'user', NULL, NULL, '', true, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8006-000000000012', 'Person12@example.org', 'person12@example.org', 'Grace 12', NULL, NULL, NULL, '00000000-0000-7001-8005-000000000012', NULL, 'lead', 'active', NULL, NULL, NULL, '{vip}', '{"score": 7}', NULL, NULL, NULL, NULL, NULL, 1, '2026-11-01 12:00:00+00', '2026-11-01 12:00:00+00', 'user', NULL, NULL, '', true, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8006-000000000013', 'Person13@example.org', 'person13@example.org', 'Grace 13', NULL, NULL, NULL, '00000000-0000-7001-8005-000000000013', NULL, 'lead', 'active', NULL, NULL, NULL, '{vip}', '{"score": 7}', NULL, NULL, NULL, NULL, NULL, 1, '2026-11-01 13:00:00+00', '2026-11-01 13:00:00+00', 'user', NULL, NULL, '', true, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8006-000000000014', 'Person14@example.org', 'person14@example.org', 'Grace 14', NULL, NULL, NULL, '00000000-0000-7001-8005-000000000014', NULL, 'lead', 'active', NULL, NULL, NULL, '{vip}', '{"score": 7}', NULL, NULL, NULL, NULL, NULL, 1, '2026-11-01 14:00:00+00', '2026-11-01 14:00:00+00', 'user', NULL, NULL, '', true, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8006-000000000015', 'Person15@example.org', 'person15@example.org', 'Grace 15', NULL, NULL, NULL, '00000000-0000-7001-8005-000000000015', NULL, 'lead', 'active', NULL, NULL, NULL, '{vip}', '{"score": 7}', NULL, NULL, NULL, NULL, NULL, 1, '2026-11-01 15:00:00+00', '2026-11-01 15:00:00+00', 'user', NULL, NULL, '', true, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8006-000000000016', 'Person16@example.org', 'person16@example.org', 'Grace 16', NULL, NULL, NULL, '00000000-0000-7001-8005-000000000016', NULL, 'lead', 'active', NULL, NULL, NULL, '{vip}', '{"score": 7}', NULL, NULL, NULL, NULL, NULL, 1, '2026-11-01 16:00:00+00', '2026-11-01 16:00:00+00', 'user', NULL, NULL, '', true, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8006-000000000017', 'Person17@example.org', 'person17@example.org', 'Grace 17', NULL, NULL, NULL, '00000000-0000-7001-8005-000000000017', NULL, 'lead', 'active', NULL, NULL, NULL, '{vip}', '{"score": 7}', NULL, NULL, NULL, NULL, NULL, 1, '2026-11-01 17:00:00+00', '2026-11-01 17:00:00+00', 'user', NULL, NULL, '', true, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8006-000000000018', 'Person18@example.org', 'person18@example.org', 'Grace 18', NULL, NULL, NULL, '00000000-0000-7001-8005-000000000018', NULL, 'lead', 'active', NULL, NULL, NULL, '{vip}', '{"score": 7}', NULL, NULL, NULL, NULL, NULL, 1, '2026-11-01 18:00:00+00', '2026-11-01 18:00:00+00', 'user', NULL, NULL, '', true, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8006-000000000019', 'Person19@example.org', 'person19@example.org', 'Grace 19', NULL, NULL, NULL, '00000000-0000-7001-8005-000000000019', NULL, 'lead', 'active', NULL, NULL, NULL, '{vip}', '{"score": 7}', NULL, NULL, NULL, NULL, NULL, 1, '2026-11-01 19:00:00+00', '2026-11-01 19:00:00+00', 'user', NULL, NULL, '', true, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8006-000000000020', 'Person20@example.org', 'person20@example.org', 'Grace 20', NULL, NULL, NULL, '00000000-0000-7001-8005-000000000020', NULL, 'lead', 'active', NULL, NULL, NULL, '{vip}', '{"score": 7}', NULL, NULL, NULL, NULL, NULL, 1, '2026-11-01 20:00:00+00', '2026-11-01 20:00:00+00', 'user', NULL, NULL, '', true, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8006-000000000021', 'Person21@example.org', 'person21@example.org', 'Grace 21', NULL, NULL, NULL, '00000000-0000-7001-8005-000000000021', NULL, 'lead', 'active', NULL, NULL, NULL, '{vip}', '{"score": 7}', NULL, NULL, NULL, NULL, NULL, 1, '2026-11-01 21:00:00+00', '2026-11-01 21:00:00+00', 'user', NULL, NULL, '', true, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8006-000000000022', 'Person22@example.org', 'person22@example.org', 'Grace 22', NULL, NULL, NULL, '00000000-0000-7001-8005-000000000022', NULL, 'lead', 'active', NULL, NULL, NULL, '{vip}', '{"score": 7}', NULL, NULL, NULL, NULL, NULL, 1, '2026-11-01 22:00:00+00', '2026-11-01 22:00:00+00', 'user', NULL, NULL, '', true, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8006-000000000023', 'Person23@example.org', 'person23@example.org', 'Grace 23', NULL, NULL, NULL, '00000000-0000-7001-8005-000000000023', NULL, 'lead', 'active', NULL, NULL, NULL, '{vip}', '{"score": 7}', NULL, NULL, NULL, NULL, NULL, 1, '2026-11-01 23:00:00+00', '2026-11-01 23:00:00+00', 'user', NULL, NULL, '', true, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8006-000000000024', 'Person24@example.org', 'person24@example.org', 'Grace 24', NULL, NULL, NULL, '00000000-0000-7001-8005-000000000024', NULL, 'lead', 'active', NULL, NULL, NULL, '{vip}', '{"score": 7}', NULL, NULL, NULL, NULL, NULL, 1, '2026-11-02 00:00:00+00', '2026-11-02 00:00:00+00', 'user', NULL, NULL, '', true, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8006-000000000025', 'Person25@example.org', 'person25@example.org', 'Grace 25', NULL, NULL, NULL, '00000000-0000-7001-8005-000000000025', NULL, 'lead', 'active', NULL, NULL, NULL, '{vip}', '{"score": 7}', NULL, NULL, NULL, NULL, NULL, 1, '2026-11-02 01:00:00+00', '2026-11-02 01:00:00+00', 'user', NULL, NULL, '', true, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8006-000000000026', 'Person26@example.org', 'person26@example.org', 'Grace 26', NULL, NULL, NULL, '00000000-0000-7001-8005-000000000026', NULL, 'lead', 'active', NULL, NULL, NULL, '{vip}', '{"score": 7}', NULL, NULL, NULL, NULL, NULL, 1, '2026-11-02 02:00:00+00', '2026-11-02 02:00:00+00', 'user', NULL, NULL, '', true, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8006-000000000027', 'Person27@example.org', 'person27@example.org', 'Grace 27', NULL, NULL, NULL, '00000000-0000-7001-8005-000000000027', NULL, 'lead', 'active', NULL, NULL, NULL, '{vip}', '{"score": 7}', NULL, NULL, NULL, NULL, NULL, 1, '2026-11-02 03:00:00+00', '2026-11-02 03:00:00+00', 'user', NULL, NULL, '', true, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8006-000000000028', 'Person28@example.org', 'person28@example.org', 'Grace 28', NULL, NULL, NULL, '00000000-0000-7001-8005-000000000028', NULL, 'lead', 'active', NULL, NULL, NULL, '{vip}', '{"score": 7}', NULL, NULL, NULL, NULL, NULL, 1, '2026-11-02 04:00:00+00', '2026-11-02 04:00:00+00', 'user', NULL, NULL, '', true, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8006-000000000029', 'Person29@example.org', 'person29@example.org', 'Grace 29', NULL, NULL, NULL, '00000000-0000-7001-8005-000000000029', NULL, 'lead', 'active', NULL, NULL, NULL, '{vip}', '{"score": 7}', NULL, NULL, NULL, NULL, NULL, 1, '2026-11-02 05:00:00+00', '2026-11-02 05:00:00+00', 'user', NULL, NULL, '', true, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8006-000000000030', 'Person30@example.org', 'person30@example.org', 'Grace 30', NULL, NULL, NULL, '00000000-0000-7001-8005-000000000030', NULL, 'lead', 'active', NULL, NULL, NULL, '{vip}', '{"score": 7}', NULL, NULL, NULL, NULL, NULL, 1, '2026-11-02 06:00:00+00', '2026-11-02 06:00:00+00', 'user', NULL, NULL, '', true, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8006-000000000031', 'Person31@example.org', 'person31@example.org', 'Grace 31', NULL, NULL, NULL, '00000000-0000-7001-8005-000000000031', NULL, 'lead', 'active', NULL, NULL, NULL, '{vip}', '{"score": 7}', NULL, NULL, NULL, NULL, NULL, 1, '2026-11-02 07:00:00+00', '2026-11-02 07:00:00+00', 'user', NULL, NULL, '', true, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8006-000000000032', 'Person32@example.org', 'person32@example.org', 'Grace 32', NULL, NULL, NULL, '00000000-0000-7001-8005-000000000032', NULL, 'lead', 'active', NULL, NULL, NULL, '{vip}', '{"score": 7}', NULL, NULL, NULL, NULL, NULL, 1, '2026-11-02 08:00:00+00', '2026-11-02 08:00:00+00', 'user', NULL, NULL, '', true, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8006-000000000033', 'Person33@example.org', 'person33@example.org', 'Grace 33', NULL, NULL, NULL, '00000000-0000-7001-8005-000000000033', NULL, 'lead', 'active', NULL, NULL, NULL, '{vip}', '{"score": 7}', NULL, NULL, NULL, NULL, NULL, 1, '2026-11-02 09:00:00+00', '2026-11-02 09:00:00+00', 'user', NULL, NULL, '', true, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8006-000000000034', 'Person34@example.org', 'person34@example.org', 'Grace 34', NULL, NULL, NULL, '00000000-0000-7001-8005-000000000034', NULL, 'lead', 'active', NULL, NULL, NULL, '{vip}', '{"score": 7}', NULL, NULL, NULL, NULL, NULL, 1, '2026-11-02 10:00:00+00', '2026-11-02 10:00:00+00', 'user', NULL, NULL, '', true, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8006-000000000035', 'Person35@example.org', 'person35@example.org', 'Grace 35', NULL, NULL, NULL, '00000000-0000-7001-8005-000000000035', NULL, 'lead', 'active', NULL, NULL, NULL, '{vip}', '{"score": 7}', NULL, NULL, NULL, NULL, NULL, 1, '2026-11-02 11:00:00+00', '2026-11-02 11:00:00+00', 'user', NULL, NULL, '', true, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8006-000000000036', 'Person36@example.org', 'person36@example.org', 'Grace 36', NULL, NULL, NULL, '00000000-0000-7001-8005-000000000036', NULL, 'lead', 'active', NULL, NULL, NULL, '{vip}', '{"score": 7}', NULL, NULL, NULL, NULL, NULL, 1, '2026-11-02 12:00:00+00', '2026-11-02 12:00:00+00', 'user', NULL, NULL, '', true, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8006-000000000037', 'Person37@example.org', 'person37@example.org', 'Grace 37', NULL, NULL, NULL, '00000000-0000-7001-8005-000000000037', NULL, 'lead', 'active', NULL, NULL, NULL, '{vip}', '{"score": 7}', NULL, NULL, NULL, NULL, NULL, 1, '2026-11-02 13:00:00+00', '2026-11-02 13:00:00+00', 'user', NULL, NULL, '', true, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8006-000000000038', 'Person38@example.org', 'person38@example.org', 'Grace 38', NULL, NULL, NULL, '00000000-0000-7001-8005-000000000038', NULL, 'lead', 'active', NULL, NULL, NULL, '{vip}', '{"score": 7}', NULL, NULL, NULL, NULL, NULL, 1, '2026-11-02 14:00:00+00', '2026-11-02 14:00:00+00', 'user', NULL, NULL, '', true, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8006-000000000039', 'Person39@example.org', 'person39@example.org', 'Grace 39', NULL, NULL, NULL, '00000000-0000-7001-8005-000000000039', NULL, 'lead', 'active', NULL, NULL, NULL, '{vip}', '{"score": 7}', NULL, NULL, NULL, NULL, NULL, 1, '2026-11-02 15:00:00+00', '2026-11-02 15:00:00+00', 'user', NULL, '2026-11-02 15:00:00+00', '', true, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8006-000000000040', 'Person40@example.org', 'person40@example.org', 'Grace 40', NULL, NULL, NULL, '00000000-0000-7001-8005-000000000040', NULL, 'lead', 'active', NULL, NULL, NULL, '{vip}', '{"score": 7}', NULL, NULL, NULL, NULL, NULL, 1, '2026-11-02 16:00:00+00', '2026-11-02 16:00:00+00', 'user', NULL, '2026-11-02 16:00:00+00', '', true, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8006-000000000001', 'Person1@example.org', 'person1@example.org', 'Grace 1', NULL, NULL, NULL, '00000000-0000-7002-8005-000000000001', NULL, 'lead', 'active', NULL, NULL, NULL, '{vip}', '{"score": 7}', NULL, NULL, NULL, NULL, NULL, 1, '2026-11-01 01:00:00+00', '2026-11-01 01:00:00+00', 'user', NULL, NULL, '', true, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8006-000000000002', 'Person2@example.org', 'person2@example.org', 'Grace 2', NULL, NULL, NULL, '00000000-0000-7002-8005-000000000002', NULL, 'lead', 'active', NULL, NULL, NULL, '{vip}', '{"score": 7}', NULL, NULL, NULL, NULL, NULL, 1, '2026-11-01 02:00:00+00', '2026-11-01 02:00:00+00', 'user', NULL, NULL, '', true, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8006-000000000003', 'Person3@example.org', 'person3@example.org', 'Grace 3', NULL, NULL, NULL, '00000000-0000-7002-8005-000000000003', NULL, 'lead', 'active', NULL, NULL, NULL, '{vip}', '{"score": 7}', NULL, NULL, NULL, NULL, NULL, 1, '2026-11-01 03:00:00+00', '2026-11-01 03:00:00+00', 'user', NULL, NULL, '', true, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8006-000000000004', 'Person4@example.org', 'person4@example.org', 'Grace 4', NULL, NULL, NULL, '00000000-0000-7002-8005-000000000004', NULL, 'lead', 'active', NULL, NULL, NULL, '{vip}', '{"score": 7}', NULL, NULL, NULL, NULL, NULL, 1, '2026-11-01 04:00:00+00', '2026-11-01 04:00:00+00', 'user', NULL, NULL, '', true, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8006-000000000005', 'Person5@example.org', 'person5@example.org', 'Grace 5', NULL, NULL, NULL, '00000000-0000-7002-8005-000000000005', NULL, 'lead', 'active', NULL, NULL, NULL, '{vip}', '{"score": 7}', NULL, NULL, NULL, NULL, NULL, 1, '2026-11-01 05:00:00+00', '2026-11-01 05:00:00+00', 'user', NULL, NULL, '', true, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8006-000000000006', 'Person6@example.org', 'person6@example.org', 'Grace 6', NULL, NULL, NULL, '00000000-0000-7002-8005-000000000006', NULL, 'lead', 'active', NULL, NULL, NULL, '{vip}', '{"score": 7}', NULL, NULL, NULL, NULL, NULL, 1, '2026-11-01 06:00:00+00', '2026-11-01 06:00:00+00', 'user', NULL, NULL, '', true, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8006-000000000007', 'Person7@example.org', 'person7@example.org', 'Grace 7', NULL, NULL, NULL, '00000000-0000-7002-8005-000000000007', NULL, 'lead', 'active', NULL, NULL, NULL, '{vip}', '{"score": 7}', NULL, NULL, NULL, NULL, NULL, 1, '2026-11-01 07:00:00+00', '2026-11-01 07:00:00+00', 'user', NULL, NULL, '', true, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8006-000000000008', 'Person8@example.org', 'person8@example.org', 'Grace 8', NULL, NULL, NULL, '00000000-0000-7002-8005-000000000008', NULL, 'lead', 'active', NULL, NULL, NULL, '{vip}', '{"score": 7}', NULL, NULL, NULL, NULL, NULL, 1, '2026-11-01 08:00:00+00', '2026-11-01 08:00:00+00', 'user', NULL, NULL, '', true, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8006-000000000009', 'Person9@example.org', 'person9@example.org', 'Grace 9', NULL, NULL, NULL, '00000000-0000-7002-8005-000000000009', NULL, 'lead', 'active', NULL, NULL, NULL, '{vip}', '{"score": 7}', NULL, NULL, NULL, NULL, NULL, 1, '2026-11-01 09:00:00+00', '2026-11-01 09:00:00+00', 'user', NULL, NULL, '', true, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8006-000000000010', 'Person10@example.org', 'person10@example.org', 'Grace 10', NULL, NULL, NULL, '00000000-0000-7002-8005-000000000010', NULL, 'lead', 'active', NULL, NULL, NULL, '{vip}', '{"score": 7}', NULL, NULL, NULL, NULL, NULL, 1, '2026-11-01 10:00:00+00', '2026-11-01 10:00:00+00', 'user', NULL, NULL, '', true, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8006-000000000011', 'Person11@example.org', 'person11@example.org', 'Grace 11', NULL, NULL, NULL, '00000000-0000-7002-8005-000000000011', NULL, 'lead', 'active', NULL, NULL, NULL, '{vip}', '{"score": 7}', NULL, NULL, NULL, NULL, NULL, 1, '2026-11-01 11:00:00+00', '2026-11-01 11:00:00+00', 'user', NULL, NULL, '', true, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8006-000000000012', 'Person12@example.org', 'person12@example.org', 'Grace 12', NULL, NULL, NULL, '00000000-0000-7002-8005-000000000012', NULL, 'lead', 'active', NULL, NULL, NULL, '{vip}', '{"score": 7}', NULL, NULL, NULL, NULL, NULL, 1, '2026-11-01 12:00:00+00', '2026-11-01 12:00:00+00', 'user', NULL, NULL, '', true, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8006-000000000013', 'Person13@example.org', 'person13@example.org', 'Grace 13', NULL, NULL, NULL, '00000000-0000-7002-8005-000000000013', NULL, 'lead', 'active', NULL, NULL, NULL, '{vip}', '{"score": 7}', NULL, NULL, NULL, NULL, NULL, 1, '2026-11-01 13:00:00+00', '2026-11-01 13:00:00+00', 'user', NULL, NULL, '', true, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8006-000000000014', 'Person14@example.org', 'person14@example.org', 'Grace 14', NULL, NULL, NULL, '00000000-0000-7002-8005-000000000014', NULL, 'lead', 'active', NULL, NULL, NULL, '{vip}', '{"score": 7}', NULL, NULL, NULL, NULL, NULL, 1, '2026-11-01 14:00:00+00', '2026-11-01 14:00:00+00', 'user', NULL, NULL, '', true, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8006-000000000015', 'Person15@example.org', 'person15@example.org', 'Grace 15', NULL, NULL, NULL, '00000000-0000-7002-8005-000000000015', NULL, 'lead', 'active', NULL, NULL, NULL, '{vip}', '{"score": 7}', NULL, NULL, NULL, NULL, NULL, 1, '2026-11-01 15:00:00+00', '2026-11-01 15:00:00+00', 'user', NULL, NULL, '', true, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8006-000000000016', 'Person16@example.org', 'person16@example.org', 'Grace 16', NULL, NULL, NULL, '00000000-0000-7002-8005-000000000016', NULL, 'lead', 'active', NULL, NULL, NULL, '{vip}', '{"score": 7}', NULL, NULL, NULL, NULL, NULL, 1, '2026-11-01 16:00:00+00', '2026-11-01 16:00:00+00', 'user', NULL, NULL, '', true, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8006-000000000017', 'Person17@example.org', 'person17@example.org', 'Grace 17', NULL, NULL, NULL, '00000000-0000-7002-8005-000000000017', NULL, 'lead', 'active', NULL, NULL, NULL, '{vip}', '{"score": 7}', NULL, NULL, NULL, NULL, NULL, 1, '2026-11-01 17:00:00+00', '2026-11-01 17:00:00+00', 'user', NULL, NULL, '', true, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8006-000000000018', 'Person18@example.org', 'person18@example.org', 'Grace 18', NULL, NULL, NULL, '00000000-0000-7002-8005-000000000018', NULL, 'lead', 'active', NULL, NULL, NULL, '{vip}', '{"score": 7}', NULL, NULL, NULL, NULL, NULL, 1, '2026-11-01 18:00:00+00', '2026-11-01 18:00:00+00', 'user', NULL, NULL, '', true, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8006-000000000019', 'Person19@example.org', 'person19@example.org', 'Grace 19', NULL, NULL, NULL, '00000000-0000-7002-8005-000000000019', NULL, 'lead', 'active', NULL, NULL, NULL, '{vip}', '{"score": 7}', NULL, NULL, NULL, NULL, NULL, 1, '2026-11-01 19:00:00+00', '2026-11-01 19:00:00+00', 'user', NULL, NULL, '', true, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8006-000000000020', 'Person20@example.org', 'person20@example.org', 'Grace 20', NULL, NULL, NULL, '00000000-0000-7002-8005-000000000020', NULL, 'lead', 'active', NULL, NULL, NULL, '{vip}', '{"score": 7}', NULL, NULL, NULL, NULL, NULL, 1, '2026-11-01 20:00:00+00', '2026-11-01 20:00:00+00', 'user', NULL, NULL, '', true, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8006-000000000021', 'Person21@example.org', 'person21@example.org', 'Grace 21', NULL, NULL, NULL, '00000000-0000-7002-8005-000000000021', NULL, 'lead', 'active', NULL, NULL, NULL, '{vip}', '{"score": 7}', NULL, NULL, NULL, NULL, NULL, 1, '2026-11-01 21:00:00+00', '2026-11-01 21:00:00+00', 'user', NULL, NULL, '', true, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8006-000000000022', 'Person22@example.org', 'person22@example.org', 'Grace 22', NULL, NULL, NULL, '00000000-0000-7002-8005-000000000022', NULL, 'lead', 'active', NULL, NULL, NULL, '{vip}', '{"score": 7}', NULL, NULL, NULL, NULL, NULL, 1, '2026-11-01 22:00:00+00', '2026-11-01 22:00:00+00', 'user', NULL, NULL, '', true, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8006-000000000023', 'Person23@example.org', 'person23@example.org', 'Grace 23', NULL, NULL, NULL, '00000000-0000-7002-8005-000000000023', NULL, 'lead', 'active', NULL, NULL, NULL, '{vip}', '{"score": 7}', NULL, NULL, NULL, NULL, NULL, 1, '2026-11-01 23:00:00+00', '2026-11-01 23:00:00+00', 'user', NULL, NULL, '', true, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8006-000000000024', 'Person24@example.org', 'person24@example.org', 'Grace 24', NULL, NULL, NULL, '00000000-0000-7002-8005-000000000024', NULL, 'lead', 'active', NULL, NULL, NULL, '{vip}', '{"score": 7}', NULL, NULL, NULL, NULL, NULL, 1, '2026-11-02 00:00:00+00', '2026-11-02 00:00:00+00', 'user', NULL, NULL, '', true, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8006-000000000025', 'Person25@example.org', 'person25@example.org', 'Grace 25', NULL, NULL, NULL, '00000000-0000-7002-8005-000000000025', NULL, 'lead', 'active', NULL, NULL, NULL, '{vip}', '{"score": 7}', NULL, NULL, NULL, NULL, NULL, 1, '2026-11-02 01:00:00+00', '2026-11-02 01:00:00+00', 'user', NULL, NULL, '', true, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8006-000000000026', 'Person26@example.org', 'person26@example.org', 'Grace 26', NULL, NULL, NULL, '00000000-0000-7002-8005-000000000026', NULL, 'lead', 'active', NULL, NULL, NULL, '{vip}', '{"score": 7}', NULL, NULL, NULL, NULL, NULL, 1, '2026-11-02 02:00:00+00', '2026-11-02 02:00:00+00', 'user', NULL, NULL, '', true, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8006-000000000027', 'Person27@example.org', 'person27@example.org', 'Grace 27', NULL, NULL, NULL, '00000000-0000-7002-8005-000000000027', NULL, 'lead', 'active', NULL, NULL, NULL, '{vip}', '{"score": 7}', NULL, NULL, NULL, NULL, NULL, 1, '2026-11-02 03:00:00+00', '2026-11-02 03:00:00+00', 'user', NULL, NULL, '', true, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8006-000000000028', 'Person28@example.org', 'person28@example.org', 'Grace 28', NULL, NULL, NULL, '00000000-0000-7002-8005-000000000028', NULL, 'lead', 'active', NULL, NULL, NULL, '{vip}', '{"score": 7}', NULL, NULL, NULL, NULL, NULL, 1, '2026-11-02 04:00:00+00', '2026-11-02 04:00:00+00', 'user', NULL, NULL, '', true, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8006-000000000029', 'Person29@example.org', 'person29@example.org', 'Grace 29', NULL, NULL, NULL, '00000000-0000-7002-8005-000000000029', NULL, 'lead', 'active', NULL, NULL, NULL, '{vip}', '{"score": 7}', NULL, NULL, NULL, NULL, NULL, 1, '2026-11-02 05:00:00+00', '2026-11-02 05:00:00+00', 'user', NULL, NULL, '', true, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8006-000000000030', 'Person30@example.org', 'person30@example.org', 'Grace 30', NULL, NULL, NULL, '00000000-0000-7002-8005-000000000030', NULL, 'lead', 'active', NULL, NULL, NULL, '{vip}', '{"score": 7}', NULL, NULL, NULL, NULL, NULL, 1, '2026-11-02 06:00:00+00', '2026-11-02 06:00:00+00', 'user', NULL, NULL, '', true, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8006-000000000031', 'Person31@example.org', 'person31@example.org', 'Grace 31', NULL, NULL, NULL, '00000000-0000-7002-8005-000000000031', NULL, 'lead', 'active', NULL, NULL, NULL, '{vip}', '{"score": 7}', NULL, NULL, NULL, NULL, NULL, 1, '2026-11-02 07:00:00+00', '2026-11-02 07:00:00+00', 'user', NULL, NULL, '', true, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8006-000000000032', 'Person32@example.org', 'person32@example.org', 'Grace 32', NULL, NULL, NULL, '00000000-0000-7002-8005-000000000032', NULL, 'lead', 'active', NULL, NULL, NULL, '{vip}', '{"score": 7}', NULL, NULL, NULL, NULL, NULL, 1, '2026-11-02 08:00:00+00', '2026-11-02 08:00:00+00', 'user', NULL, NULL, '', true, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8006-000000000033', 'Person33@example.org', 'person33@example.org', 'Grace 33', NULL, NULL, NULL, '00000000-0000-7002-8005-000000000033', NULL, 'lead', 'active', NULL, NULL, NULL, '{vip}', '{"score": 7}', NULL, NULL, NULL, NULL, NULL, 1, '2026-11-02 09:00:00+00', '2026-11-02 09:00:00+00', 'user', NULL, NULL, '', true, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8006-000000000034', 'Person34@example.org', 'person34@example.org', 'Grace 34', NULL, NULL, NULL, '00000000-0000-7002-8005-000000000034', NULL, 'lead', 'active', NULL, NULL, NULL, '{vip}', '{"score": 7}', NULL, NULL, NULL, NULL, NULL, 1, '2026-11-02 10:00:00+00', '2026-11-02 10:00:00+00', 'user', NULL, NULL, '', true, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8006-000000000035', 'Person35@example.org', 'person35@example.org', 'Grace 35', NULL, NULL, NULL, '00000000-0000-7002-8005-000000000035', NULL, 'lead', 'active', NULL, NULL, NULL, '{vip}', '{"score": 7}', NULL, NULL, NULL, NULL, NULL, 1, '2026-11-02 11:00:00+00', '2026-11-02 11:00:00+00', 'user', NULL, NULL, '', true, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8006-000000000036', 'Person36@example.org', 'person36@example.org', 'Grace 36', NULL, NULL, NULL, '00000000-0000-7002-8005-000000000036', NULL, 'lead', 'active', NULL, NULL, NULL, '{vip}', '{"score": 7}', NULL, NULL, NULL, NULL, NULL, 1, '2026-11-02 12:00:00+00', '2026-11-02 12:00:00+00', 'user', NULL, NULL, '', true, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8006-000000000037', 'Person37@example.org', 'person37@example.org', 'Grace 37', NULL, NULL, NULL, '00000000-0000-7002-8005-000000000037', NULL, 'lead', 'active', NULL, NULL, NULL, '{vip}', '{"score": 7}', NULL, NULL, NULL, NULL, NULL, 1, '2026-11-02 13:00:00+00', '2026-11-02 13:00:00+00', 'user', NULL, NULL, '', true, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8006-000000000038', 'Person38@example.org', 'person38@example.org', 'Grace 38', NULL, NULL, NULL, '00000000-0000-7002-8005-000000000038', NULL, 'lead', 'active', NULL, NULL, NULL, '{vip}', '{"score": 7}', NULL, NULL, NULL, NULL, NULL, 1, '2026-11-02 14:00:00+00', '2026-11-02 14:00:00+00', 'user', NULL, NULL, '', true, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8006-000000000039', 'Person39@example.org', 'person39@example.org', 'Grace 39', NULL, NULL, NULL, '00000000-0000-7002-8005-000000000039', NULL, 'lead', 'active', NULL, NULL, NULL, '{vip}', '{"score": 7}', NULL, NULL, NULL, NULL, NULL, 1, '2026-11-02 15:00:00+00', '2026-11-02 15:00:00+00', 'user', NULL, '2026-11-02 15:00:00+00', '', true, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8006-000000000040', 'Person40@example.org', 'person40@example.org', 'Grace 40', NULL, NULL, NULL, '00000000-0000-7002-8005-000000000040', NULL, 'lead', 'active', NULL, NULL, NULL, '{vip}', '{"score": 7}', NULL, NULL, NULL, NULL, NULL, 1, '2026-11-02 16:00:00+00', '2026-11-02 16:00:00+00', 'user', NULL, '2026-11-02 16:00:00+00', '', true, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8006-000000000001', 'Person1@example.org', 'person1@example.org', 'Grace 1', NULL, NULL, NULL, '00000000-0000-7003-8005-000000000001', NULL, 'lead', 'active', NULL, NULL, NULL, '{vip}', '{"score": 7}', NULL, NULL, NULL, NULL, NULL, 1, '2026-11-01 01:00:00+00', '2026-11-01 01:00:00+00', 'user', NULL, NULL, '', true, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8006-000000000002', 'Person2@example.org', 'person2@example.org', 'Grace 2', NULL, NULL, NULL, '00000000-0000-7003-8005-000000000002', NULL, 'lead', 'active', NULL, NULL, NULL, '{vip}', '{"score": 7}', NULL, NULL, NULL, NULL, NULL, 1, '2026-11-01 02:00:00+00', '2026-11-01 02:00:00+00', 'user', NULL, NULL, '', true, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8006-000000000003', 'Person3@example.org', 'person3@example.org', 'Grace 3', NULL, NULL, NULL, '00000000-0000-7003-8005-000000000003', NULL, 'lead', 'active', NULL, NULL, NULL, '{vip}', '{"score": 7}', NULL, NULL, NULL, NULL, NULL, 1, '2026-11-01 03:00:00+00', '2026-11-01 03:00:00+00', 'user', NULL, NULL, '', true, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8006-000000000004', 'Person4@example.org', 'person4@example.org', 'Grace 4', NULL, NULL, NULL, '00000000-0000-7003-8005-000000000004', NULL, 'lead', 'active', NULL, NULL, NULL, '{vip}', '{"score": 7}', NULL, NULL, NULL, NULL, NULL, 1, '2026-11-01 04:00:00+00', '2026-11-01 04:00:00+00', 'user', NULL, NULL, '', true, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8006-000000000005', 'Person5@example.org', 'person5@example.org', 'Grace 5', NULL, NULL, NULL, '00000000-0000-7003-8005-000000000005', NULL, 'lead', 'active', NULL, NULL, NULL, '{vip}', '{"score": 7}', NULL, NULL, NULL, NULL, NULL, 1, '2026-11-01 05:00:00+00', '2026-11-01 05:00:00+00', 'user', NULL, NULL, '', true, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8006-000000000006', 'Person6@example.org', 'person6@example.org', 'Grace 6', NULL, NULL, NULL, '00000000-0000-7003-8005-000000000006', NULL, 'lead', 'active', NULL, NULL, NULL, '{vip}', '{"score": 7}', NULL, NULL, NULL, NULL, NULL, 1, '2026-11-01 06:00:00+00', '2026-11-01 06:00:00+00', 'user', NULL, NULL, '', true, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8006-000000000007', 'Person7@example.org', 'person7@example.org', 'Grace 7', NULL, NULL, NULL, '00000000-0000-7003-8005-000000000007', NULL, 'lead', 'active', NULL, NULL, NULL, '{vip}', '{"score": 7}', NULL, NULL, NULL, NULL, NULL, 1, '2026-11-01 07:00:00+00', '2026-11-01 07:00:00+00', 'user', NULL, NULL, '', true, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8006-000000000008', 'Person8@example.org', 'person8@example.org', 'Grace 8', NULL, NULL, NULL, '00000000-0000-7003-8005-000000000008', NULL, 'lead', 'active', NULL, NULL, NULL, '{vip}', '{"score": 7}', NULL, NULL, NULL, NULL, NULL, 1, '2026-11-01 08:00:00+00', '2026-11-01 08:00:00+00', 'user', NULL, NULL, '', true, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8006-000000000009', 'Person9@example.org', 'person9@example.org', 'Grace 9', NULL, NULL, NULL, '00000000-0000-7003-8005-000000000009', NULL, 'lead', 'active', NULL, NULL, NULL, '{vip}', '{"score": 7}', NULL, NULL, NULL, NULL, NULL, 1, '2026-11-01 09:00:00+00', '2026-11-01 09:00:00+00', 'user', NULL, NULL, '', true, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8006-000000000010', 'Person10@example.org', 'person10@example.org', 'Grace 10', NULL, NULL, NULL, '00000000-0000-7003-8005-000000000010', NULL, 'lead', 'active', NULL, NULL, NULL, '{vip}', '{"score": 7}', NULL, NULL, NULL, NULL, NULL, 1, '2026-11-01 10:00:00+00', '2026-11-01 10:00:00+00', 'user', NULL, NULL, '', true, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8006-000000000011', 'Person11@example.org', 'person11@example.org', 'Grace 11', NULL, NULL, NULL, '00000000-0000-7003-8005-000000000011', NULL, 'lead', 'active', NULL, NULL, NULL, '{vip}', '{"score": 7}', NULL, NULL, NULL, NULL, NULL, 1, '2026-11-01 11:00:00+00', '2026-11-01 11:00:00+00', 'user', NULL, NULL, '', true, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8006-000000000012', 'Person12@example.org', 'person12@example.org', 'Grace 12', NULL, NULL, NULL, '00000000-0000-7003-8005-000000000012', NULL, 'lead', 'active', NULL, NULL, NULL, '{vip}', '{"score": 7}', NULL, NULL, NULL, NULL, NULL, 1, '2026-11-01 12:00:00+00', '2026-11-01 12:00:00+00', 'user', NULL, NULL, '', true, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8006-000000000013', 'Person13@example.org', 'person13@example.org', 'Grace 13', NULL, NULL, NULL, '00000000-0000-7003-8005-000000000013', NULL, 'lead', 'active', NULL, NULL, NULL, '{vip}', '{"score": 7}', NULL, NULL, NULL, NULL, NULL, 1, '2026-11-01 13:00:00+00', '2026-11-01 13:00:00+00', 'user', NULL, NULL, '', true, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8006-000000000014', 'Person14@example.org', 'person14@example.org', 'Grace 14', NULL, NULL, NULL, '00000000-0000-7003-8005-000000000014', NULL, 'lead', 'active', NULL, NULL, NULL, '{vip}', '{"score": 7}', NULL, NULL, NULL, NULL, NULL, 1, '2026-11-01 14:00:00+00', '2026-11-01 14:00:00+00', 'user', NULL, NULL, '', true, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8006-000000000015', 'Person15@example.org', 'person15@example.org', 'Grace 15', NULL, NULL, NULL, '00000000-0000-7003-8005-000000000015', NULL, 'lead', 'active', NULL, NULL, NULL, '{vip}', '{"score": 7}', NULL, NULL, NULL, NULL, NULL, 1, '2026-11-01 15:00:00+00', '2026-11-01 15:00:00+00', 'user', NULL, NULL, '', true, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8006-000000000016', 'Person16@example.org', 'person16@example.org', 'Grace 16', NULL, NULL, NULL, '00000000-0000-7003-8005-000000000016', NULL, 'lead', 'active', NULL, NULL, NULL, '{vip}', '{"score": 7}', NULL, NULL, NULL, NULL, NULL, 1, '2026-11-01 16:00:00+00', '2026-11-01 16:00:00+00', 'user', NULL, NULL, '', true, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8006-000000000017', 'Person17@example.org', 'person17@example.org', 'Grace 17', NULL, NULL, NULL, '00000000-0000-7003-8005-000000000017', NULL, 'lead', 'active', NULL, NULL, NULL, '{vip}', '{"score": 7}', NULL, NULL, NULL, NULL, NULL, 1, '2026-11-01 17:00:00+00', '2026-11-01 17:00:00+00', 'user', NULL, NULL, '', true, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8006-000000000018', 'Person18@example.org', 'person18@example.org', 'Grace 18', NULL, NULL, NULL, '00000000-0000-7003-8005-000000000018', NULL, 'lead', 'active', NULL, NULL, NULL, '{vip}', '{"score": 7}', NULL, NULL, NULL, NULL, NULL, 1, '2026-11-01 18:00:00+00', '2026-11-01 18:00:00+00', 'user', NULL, NULL, '', true, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8006-000000000019', 'Person19@example.org', 'person19@example.org', 'Grace 19', NULL, NULL, NULL, '00000000-0000-7003-8005-000000000019', NULL, 'lead', 'active', NULL, NULL, NULL, '{vip}', '{"score": 7}', NULL, NULL, NULL, NULL, NULL, 1, '2026-11-01 19:00:00+00', '2026-11-01 19:00:00+00', 'user', NULL, NULL, '', true, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8006-000000000020', 'Person20@example.org', 'person20@example.org', 'Grace 20', NULL, NULL, NULL, '00000000-0000-7003-8005-000000000020', NULL, 'lead', 'active', NULL, NULL, NULL, '{vip}', '{"score": 7}', NULL, NULL, NULL, NULL, NULL, 1, '2026-11-01 20:00:00+00', '2026-11-01 20:00:00+00', 'user', NULL, NULL, '', true, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8006-000000000021', 'Person21@example.org', 'person21@example.org', 'Grace 21', NULL, NULL, NULL, '00000000-0000-7003-8005-000000000021', NULL, 'lead', 'active', NULL, NULL, NULL, '{vip}', '{"score": 7}', NULL, NULL, NULL, NULL, NULL, 1, '2026-11-01 21:00:00+00', '2026-11-01 21:00:00+00', 'user', NULL, NULL, '', true, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8006-000000000022', 'Person22@example.org', 'person22@example.org', 'Grace 22', NULL, NULL, NULL, '00000000-0000-7003-8005-000000000022', NULL, 'lead', 'active', NULL, NULL, NULL, '{vip}', '{"score": 7}', NULL, NULL, NULL, NULL, NULL, 1, '2026-11-01 22:00:00+00', '2026-11-01 22:00:00+00', 'user', NULL, NULL, '', true, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8006-000000000023', 'Person23@example.org', 'person23@example.org', 'Grace 23', NULL, NULL, NULL, '00000000-0000-7003-8005-000000000023', NULL, 'lead', 'active', NULL, NULL, NULL, '{vip}', '{"score": 7}', NULL, NULL, NULL, NULL, NULL, 1, '2026-11-01 23:00:00+00', '2026-11-01 23:00:00+00', 'user', NULL, NULL, '', true, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8006-000000000024', 'Person24@example.org', 'person24@example.org', 'Grace 24', NULL, NULL, NULL, '00000000-0000-7003-8005-000000000024', NULL, 'lead', 'active', NULL, NULL, NULL, '{vip}', '{"score": 7}', NULL, NULL, NULL, NULL, NULL, 1, '2026-11-02 00:00:00+00', '2026-11-02 00:00:00+00', 'user', NULL, NULL, '', true, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8006-000000000025', 'Person25@example.org', 'person25@example.org', 'Grace 25', NULL, NULL, NULL, '00000000-0000-7003-8005-000000000025', NULL, 'lead', 'active', NULL, NULL, NULL, '{vip}', '{"score": 7}', NULL, NULL, NULL, NULL, NULL, 1, '2026-11-02 01:00:00+00', '2026-11-02 01:00:00+00', 'user', NULL, NULL, '', true, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8006-000000000026', 'Person26@example.org', 'person26@example.org', 'Grace 26', NULL, NULL, NULL, '00000000-0000-7003-8005-000000000026', NULL, 'lead', 'active', NULL, NULL, NULL, '{vip}', '{"score": 7}', NULL, NULL, NULL, NULL, NULL, 1, '2026-11-02 02:00:00+00', '2026-11-02 02:00:00+00', 'user', NULL, NULL, '', true, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8006-000000000027', 'Person27@example.org', 'person27@example.org', 'Grace 27', NULL, NULL, NULL, '00000000-0000-7003-8005-000000000027', NULL, 'lead', 'active', NULL, NULL, NULL, '{vip}', '{"score": 7}', NULL, NULL, NULL, NULL, NULL, 1, '2026-11-02 03:00:00+00', '2026-11-02 03:00:00+00', 'user', NULL, NULL, '', true, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8006-000000000028', 'Person28@example.org', 'person28@example.org', 'Grace 28', NULL, NULL, NULL, '00000000-0000-7003-8005-000000000028', NULL, 'lead', 'active', NULL, NULL, NULL, '{vip}', '{"score": 7}', NULL, NULL, NULL, NULL, NULL, 1, '2026-11-02 04:00:00+00', '2026-11-02 04:00:00+00', 'user', NULL, NULL, '', true, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8006-000000000029', 'Person29@example.org', 'person29@example.org', 'Grace 29', NULL, NULL, NULL, '00000000-0000-7003-8005-000000000029', NULL, 'lead', 'active', NULL, NULL, NULL, '{vip}', '{"score": 7}', NULL, NULL, NULL, NULL, NULL, 1, '2026-11-02 05:00:00+00', '2026-11-02 05:00:00+00', 'user', NULL, NULL, '', true, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8006-000000000030', 'Person30@example.org', 'person30@example.org', 'Grace 30', NULL, NULL, NULL, '00000000-0000-7003-8005-000000000030', NULL, 'lead', 'active', NULL, NULL, NULL, '{vip}', '{"score": 7}', NULL, NULL, NULL, NULL, NULL, 1, '2026-11-02 06:00:00+00', '2026-11-02 06:00:00+00', 'user', NULL, NULL, '', true, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8006-000000000031', 'Person31@example.org', 'person31@example.org', 'Grace 31', NULL, NULL, NULL, '00000000-0000-7003-8005-000000000031', NULL, 'lead', 'active', NULL, NULL, NULL, '{vip}', '{"score": 7}', NULL, NULL, NULL, NULL, NULL, 1, '2026-11-02 07:00:00+00', '2026-11-02 07:00:00+00', 'user', NULL, NULL, '', true, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8006-000000000032', 'Person32@example.org', 'person32@example.org', 'Grace 32', NULL, NULL, NULL, '00000000-0000-7003-8005-000000000032', NULL, 'lead', 'active', NULL, NULL, NULL, '{vip}', '{"score": 7}', NULL, NULL, NULL, NULL, NULL, 1, '2026-11-02 08:00:00+00', '2026-11-02 08:00:00+00', 'user', NULL, NULL, '', true, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8006-000000000033', 'Person33@example.org', 'person33@example.org', 'Grace 33', NULL, NULL, NULL, '00000000-0000-7003-8005-000000000033', NULL, 'lead', 'active', NULL, NULL, NULL, '{vip}', '{"score": 7}', NULL, NULL, NULL, NULL, NULL, 1, '2026-11-02 09:00:00+00', '2026-11-02 09:00:00+00', 'user', NULL, NULL, '', true, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8006-000000000034', 'Person34@example.org', 'person34@example.org', 'Grace 34', NULL, NULL, NULL, '00000000-0000-7003-8005-000000000034', NULL, 'lead', 'active', NULL, NULL, NULL, '{vip}', '{"score": 7}', NULL, NULL, NULL, NULL, NULL, 1, '2026-11-02 10:00:00+00', '2026-11-02 10:00:00+00', 'user', NULL, NULL, '', true, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8006-000000000035', 'Person35@example.org', 'person35@example.org', 'Grace 35', NULL, NULL, NULL, '00000000-0000-7003-8005-000000000035', NULL, 'lead', 'active', NULL, NULL, NULL, '{vip}', '{"score": 7}', NULL, NULL, NULL, NULL, NULL, 1, '2026-11-02 11:00:00+00', '2026-11-02 11:00:00+00', 'user', NULL, NULL, '', true, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8006-000000000036', 'Person36@example.org', 'person36@example.org', 'Grace 36', NULL, NULL, NULL, '00000000-0000-7003-8005-000000000036', NULL, 'lead', 'active', NULL, NULL, NULL, '{vip}', '{"score": 7}', NULL, NULL, NULL, NULL, NULL, 1, '2026-11-02 12:00:00+00', '2026-11-02 12:00:00+00', 'user', NULL, NULL, '', true, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8006-000000000037', 'Person37@example.org', 'person37@example.org', 'Grace 37', NULL, NULL, NULL, '00000000-0000-7003-8005-000000000037', NULL, 'lead', 'active', NULL, NULL, NULL, '{vip}', '{"score": 7}', NULL, NULL, NULL, NULL, NULL, 1, '2026-11-02 13:00:00+00', '2026-11-02 13:00:00+00', 'user', NULL, NULL, '', true, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8006-000000000038', 'Person38@example.org', 'person38@example.org', 'Grace 38', NULL, NULL, NULL, '00000000-0000-7003-8005-000000000038', NULL, 'lead', 'active', NULL, NULL, NULL, '{vip}', '{"score": 7}', NULL, NULL, NULL, NULL, NULL, 1, '2026-11-02 14:00:00+00', '2026-11-02 14:00:00+00', 'user', NULL, NULL, '', true, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8006-000000000039', 'Person39@example.org', 'person39@example.org', 'Grace 39', NULL, NULL, NULL, '00000000-0000-7003-8005-000000000039', NULL, 'lead', 'active', NULL, NULL, NULL, '{vip}', '{"score": 7}', NULL, NULL, NULL, NULL, NULL, 1, '2026-11-02 15:00:00+00', '2026-11-02 15:00:00+00', 'user', NULL, '2026-11-02 15:00:00+00', '', true, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8006-000000000040', 'Person40@example.org', 'person40@example.org', 'Grace 40', NULL, NULL, NULL, '00000000-0000-7003-8005-000000000040', NULL, 'lead', 'active', NULL, NULL, NULL, '{vip}', '{"score": 7}', NULL, NULL, NULL, NULL, NULL, 1, '2026-11-02 16:00:00+00', '2026-11-02 16:00:00+00', 'user', NULL, '2026-11-02 16:00:00+00', '', true, NULL);
INSERT INTO public.crm_quota VALUES
	('00000000-0000-7001-8000-000000000000', '2026-11-01', 120, 120),
	('00000000-0000-7002-8000-000000000000', '2026-11-01', 120, 120),
	('00000000-0000-7003-8000-000000000000', '2026-11-01', 120, 120);
INSERT INTO public.cycles VALUES
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8009-000000000001', '00000000-0000-7001-8008-000000000001', 1, 'Cycle', NULL, '2026-11-01', '2026-11-14', 1, '2026-11-01 01:00:00+00', '2026-11-01 01:00:00+00', 'system', NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8009-000000000002', '00000000-0000-7001-8008-000000000002', 1, 'Cycle', NULL, '2026-11-01', '2026-11-14', 1, '2026-11-01 02:00:00+00', '2026-11-01 02:00:00+00', 'system', NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8009-000000000003', '00000000-0000-7001-8008-000000000003', 1, 'Cycle', NULL, '2026-11-01', '2026-11-14', 1, '2026-11-01 03:00:00+00', '2026-11-01 03:00:00+00', 'system', NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8009-000000000004', '00000000-0000-7001-8008-000000000004', 1, 'Cycle', NULL, '2026-11-01', '2026-11-14', 1, '2026-11-01 04:00:00+00', '2026-11-01 04:00:00+00', 'system', NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8009-000000000005', '00000000-0000-7001-8008-000000000005', 1, 'Cycle', NULL, '2026-11-01', '2026-11-14', 1, '2026-11-01 05:00:00+00', '2026-11-01 05:00:00+00', 'system', NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8009-000000000006', '00000000-0000-7001-8008-000000000006', 1, 'Cycle', NULL, '2026-11-01', '2026-11-14', 1, '2026-11-01 06:00:00+00', '2026-11-01 06:00:00+00', 'system', NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8009-000000000007', '00000000-0000-7001-8008-000000000007', 1, 'Cycle', NULL, '2026-11-01', '2026-11-14', 1, '2026-11-01 07:00:00+00', '2026-11-01 07:00:00+00', 'system', NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8009-000000000008', '00000000-0000-7001-8008-000000000008', 1, 'Cycle', NULL, '2026-11-01', '2026-11-14', 1, '2026-11-01 08:00:00+00', '2026-11-01 08:00:00+00', 'system', NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8009-000000000009', '00000000-0000-7001-8008-000000000009', 1, 'Cycle', NULL, '2026-11-01', '2026-11-14', 1, '2026-11-01 09:00:00+00', '2026-11-01 09:00:00+00', 'system', NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8009-000000000010', '00000000-0000-7001-8008-000000000010', 1, 'Cycle', NULL, '2026-11-01', '2026-11-14', 1, '2026-11-01 10:00:00+00', '2026-11-01 10:00:00+00', 'system', NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8009-000000000011', '00000000-0000-7001-8008-000000000011', 1, 'Cycle', NULL, '2026-11-01', '2026-11-14', 1, '2026-11-01 11:00:00+00', '2026-11-01 11:00:00+00', 'system', NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8009-000000000012', '00000000-0000-7001-8008-000000000012', 1, 'Cycle', NULL, '2026-11-01', '2026-11-14', 1, '2026-11-01 12:00:00+00', '2026-11-01 12:00:00+00', 'system', NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8009-000000000013', '00000000-0000-7001-8008-000000000013', 1, 'Cycle', NULL, '2026-11-01', '2026-11-14', 1, '2026-11-01 13:00:00+00', '2026-11-01 13:00:00+00', 'system', NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8009-000000000014', '00000000-0000-7001-8008-000000000014', 1, 'Cycle', NULL, '2026-11-01', '2026-11-14', 1, '2026-11-01 14:00:00+00', '2026-11-01 14:00:00+00', 'system', NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8009-000000000015', '00000000-0000-7001-8008-000000000015', 1, 'Cycle', NULL, '2026-11-01', '2026-11-14', 1, '2026-11-01 15:00:00+00', '2026-11-01 15:00:00+00', 'system', NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8009-000000000016', '00000000-0000-7001-8008-000000000016', 1, 'Cycle', NULL, '2026-11-01', '2026-11-14', 1, '2026-11-01 16:00:00+00', '2026-11-01 16:00:00+00', 'system', NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8009-000000000017', '00000000-0000-7001-8008-000000000017', 1, 'Cycle', NULL, '2026-11-01', '2026-11-14', 1, '2026-11-01 17:00:00+00', '2026-11-01 17:00:00+00', 'system', NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8009-000000000018', '00000000-0000-7001-8008-000000000018', 1, 'Cycle', NULL, '2026-11-01', '2026-11-14', 1, '2026-11-01 18:00:00+00', '2026-11-01 18:00:00+00', 'system', NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8009-000000000019', '00000000-0000-7001-8008-000000000019', 1, 'Cycle', NULL, '2026-11-01', '2026-11-14', 1, '2026-11-01 19:00:00+00', '2026-11-01 19:00:00+00', 'system', NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8009-000000000020', '00000000-0000-7001-8008-000000000020', 1, 'Cycle', NULL, '2026-11-01', '2026-11-14', 1, '2026-11-01 20:00:00+00', '2026-11-01 20:00:00+00', 'system', NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8009-000000000021', '00000000-0000-7001-8008-000000000021', 1, 'Cycle', NULL, '2026-11-01', '2026-11-14', 1, '2026-11-01 21:00:00+00', '2026-11-01 21:00:00+00', 'system', NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8009-000000000022', '00000000-0000-7001-8008-000000000022', 1, 'Cycle', NULL, '2026-11-01', '2026-11-14', 1, '2026-11-01 22:00:00+00', '2026-11-01 22:00:00+00', 'system', NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8009-000000000023', '00000000-0000-7001-8008-000000000023', 1, 'Cycle', NULL, '2026-11-01', '2026-11-14', 1, '2026-11-01 23:00:00+00', '2026-11-01 23:00:00+00', 'system', NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8009-000000000024', '00000000-0000-7001-8008-000000000024', 1, 'Cycle', NULL, '2026-11-01', '2026-11-14', 1, '2026-11-02 00:00:00+00', '2026-11-02 00:00:00+00', 'system', NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8009-000000000025', '00000000-0000-7001-8008-000000000025', 1, 'Cycle', NULL, '2026-11-01', '2026-11-14', 1, '2026-11-02 01:00:00+00', '2026-11-02 01:00:00+00', 'system', NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8009-000000000026', '00000000-0000-7001-8008-000000000026', 1, 'Cycle', NULL, '2026-11-01', '2026-11-14', 1, '2026-11-02 02:00:00+00', '2026-11-02 02:00:00+00', 'system', NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8009-000000000027', '00000000-0000-7001-8008-000000000027', 1, 'Cycle', NULL, '2026-11-01', '2026-11-14', 1, '2026-11-02 03:00:00+00', '2026-11-02 03:00:00+00', 'system', NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8009-000000000028', '00000000-0000-7001-8008-000000000028', 1, 'Cycle', NULL, '2026-11-01', '2026-11-14', 1, '2026-11-02 04:00:00+00', '2026-11-02 04:00:00+00', 'system', NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8009-000000000029', '00000000-0000-7001-8008-000000000029', 1, 'Cycle', NULL, '2026-11-01', '2026-11-14', 1, '2026-11-02 05:00:00+00', '2026-11-02 05:00:00+00', 'system', NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8009-000000000030', '00000000-0000-7001-8008-000000000030', 1, 'Cycle', NULL, '2026-11-01', '2026-11-14', 1, '2026-11-02 06:00:00+00', '2026-11-02 06:00:00+00', 'system', NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8009-000000000031', '00000000-0000-7001-8008-000000000031', 1, 'Cycle', NULL, '2026-11-01', '2026-11-14', 1, '2026-11-02 07:00:00+00', '2026-11-02 07:00:00+00', 'system', NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8009-000000000032', '00000000-0000-7001-8008-000000000032', 1, 'Cycle', NULL, '2026-11-01', '2026-11-14', 1, '2026-11-02 08:00:00+00', '2026-11-02 08:00:00+00', 'system', NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8009-000000000033', '00000000-0000-7001-8008-000000000033', 1, 'Cycle', NULL, '2026-11-01', '2026-11-14', 1, '2026-11-02 09:00:00+00', '2026-11-02 09:00:00+00', 'system', NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8009-000000000034', '00000000-0000-7001-8008-000000000034', 1, 'Cycle', NULL, '2026-11-01', '2026-11-14', 1, '2026-11-02 10:00:00+00', '2026-11-02 10:00:00+00', 'system', NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8009-000000000035', '00000000-0000-7001-8008-000000000035', 1, 'Cycle', NULL, '2026-11-01', '2026-11-14', 1, '2026-11-02 11:00:00+00', '2026-11-02 11:00:00+00', 'system', NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8009-000000000036', '00000000-0000-7001-8008-000000000036', 1, 'Cycle', NULL, '2026-11-01', '2026-11-14', 1, '2026-11-02 12:00:00+00', '2026-11-02 12:00:00+00', 'system', NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8009-000000000037', '00000000-0000-7001-8008-000000000037', 1, 'Cycle', NULL, '2026-11-01', '2026-11-14', 1, '2026-11-02 13:00:00+00', '2026-11-02 13:00:00+00', 'system', NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8009-000000000038', '00000000-0000-7001-8008-000000000038', 1, 'Cycle', NULL, '2026-11-01', '2026-11-14', 1, '2026-11-02 14:00:00+00', '2026-11-02 14:00:00+00', 'system', NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8009-000000000039', '00000000-0000-7001-8008-000000000039', 1, 'Cycle', NULL, '2026-11-01', '2026-11-14', 1, '2026-11-02 15:00:00+00', '2026-11-02 15:00:00+00', 'system', NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8009-000000000040', '00000000-0000-7001-8008-000000000040', 1, 'Cycle', NULL, '2026-11-01', '2026-11-14', 1, '2026-11-02 16:00:00+00', '2026-11-02 16:00:00+00', 'system', NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8009-000000000001', '00000000-0000-7002-8008-000000000001', 1, 'Cycle', NULL, '2026-11-01', '2026-11-14', 1, '2026-11-01 01:00:00+00', '2026-11-01 01:00:00+00', 'system', NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8009-000000000002', '00000000-0000-7002-8008-000000000002', 1, 'Cycle', NULL, '2026-11-01', '2026-11-14', 1, '2026-11-01 02:00:00+00', '2026-11-01 02:00:00+00', 'system', NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8009-000000000003', '00000000-0000-7002-8008-000000000003', 1, 'Cycle', NULL, '2026-11-01', '2026-11-14', 1, '2026-11-01 03:00:00+00', '2026-11-01 03:00:00+00', 'system', NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8009-000000000004', '00000000-0000-7002-8008-000000000004', 1, 'Cycle', NULL, '2026-11-01', '2026-11-14', 1, '2026-11-01 04:00:00+00', '2026-11-01 04:00:00+00', 'system', NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8009-000000000005', '00000000-0000-7002-8008-000000000005', 1, 'Cycle', NULL, '2026-11-01', '2026-11-14', 1, '2026-11-01 05:00:00+00', '2026-11-01 05:00:00+00', 'system', NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8009-000000000006', '00000000-0000-7002-8008-000000000006', 1, 'Cycle', NULL, '2026-11-01', '2026-11-14', 1, '2026-11-01 06:00:00+00', '2026-11-01 06:00:00+00', 'system', NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8009-000000000007', '00000000-0000-7002-8008-000000000007', 1, 'Cycle', NULL, '2026-11-01', '2026-11-14', 1, '2026-11-01 07:00:00+00', '2026-11-01 07:00:00+00', 'system', NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8009-000000000008', '00000000-0000-7002-8008-000000000008', 1, 'Cycle', NULL, '2026-11-01', '2026-11-14', 1, '2026-11-01 08:00:00+00', '2026-11-01 08:00:00+00', 'system', NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8009-000000000009', '00000000-0000-7002-8008-000000000009', 1, 'Cycle', NULL, '2026-11-01', '2026-11-14', 1, '2026-11-01 09:00:00+00', '2026-11-01 09:00:00+00', 'system', NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8009-000000000010', '00000000-0000-7002-8008-000000000010', 1, 'Cycle', NULL, '2026-11-01', '2026-11-14', 1, '2026-11-01 10:00:00+00', '2026-11-01 10:00:00+00', 'system', NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8009-000000000011', '00000000-0000-7002-8008-000000000011', 1, 'Cycle', NULL, '2026-11-01', '2026-11-14', 1, '2026-11-01 11:00:00+00', '2026-11-01 11:00:00+00', 'system', NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8009-000000000012', '00000000-0000-7002-8008-000000000012', 1, 'Cycle', NULL, '2026-11-01', '2026-11-14', 1, '2026-11-01 12:00:00+00', '2026-11-01 12:00:00+00', 'system', NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8009-000000000013', '00000000-0000-7002-8008-000000000013', 1, 'Cycle', NULL, '2026-11-01', '2026-11-14', 1, '2026-11-01 13:00:00+00', '2026-11-01 13:00:00+00', 'system', NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8009-000000000014', '00000000-0000-7002-8008-000000000014', 1, 'Cycle', NULL, '2026-11-01', '2026-11-14', 1, '2026-11-01 14:00:00+00', '2026-11-01 14:00:00+00', 'system', NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8009-000000000015', '00000000-0000-7002-8008-000000000015', 1, 'Cycle', NULL, '2026-11-01', '2026-11-14', 1, '2026-11-01 15:00:00+00', '2026-11-01 15:00:00+00', 'system', NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8009-000000000016', '00000000-0000-7002-8008-000000000016', 1, 'Cycle', NULL, '2026-11-01', '2026-11-14', 1, '2026-11-01 16:00:00+00', '2026-11-01 16:00:00+00', 'system', NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8009-000000000017', '00000000-0000-7002-8008-000000000017', 1, 'Cycle', NULL, '2026-11-01', '2026-11-14', 1, '2026-11-01 17:00:00+00', '2026-11-01 17:00:00+00', 'system', NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8009-000000000018', '00000000-0000-7002-8008-000000000018', 1, 'Cycle', NULL, '2026-11-01', '2026-11-14', 1, '2026-11-01 18:00:00+00', '2026-11-01 18:00:00+00', 'system', NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8009-000000000019', '00000000-0000-7002-8008-000000000019', 1, 'Cycle', NULL, '2026-11-01', '2026-11-14', 1, '2026-11-01 19:00:00+00', '2026-11-01 19:00:00+00', 'system', NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8009-000000000020', '00000000-0000-7002-8008-000000000020', 1, 'Cycle', NULL, '2026-11-01', '2026-11-14', 1, '2026-11-01 20:00:00+00', '2026-11-01 20:00:00+00', 'system', NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8009-000000000021', '00000000-0000-7002-8008-000000000021', 1, 'Cycle', NULL, '2026-11-01', '2026-11-14', 1, '2026-11-01 21:00:00+00', '2026-11-01 21:00:00+00', 'system', NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8009-000000000022', '00000000-0000-7002-8008-000000000022', 1, 'Cycle', NULL, '2026-11-01', '2026-11-14', 1, '2026-11-01 22:00:00+00', '2026-11-01 22:00:00+00', 'system', NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8009-000000000023', '00000000-0000-7002-8008-000000000023', 1, 'Cycle', NULL, '2026-11-01', '2026-11-14', 1, '2026-11-01 23:00:00+00', '2026-11-01 23:00:00+00', 'system', NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8009-000000000024', '00000000-0000-7002-8008-000000000024', 1, 'Cycle', NULL, '2026-11-01', '2026-11-14', 1, '2026-11-02 00:00:00+00', '2026-11-02 00:00:00+00', 'system', NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8009-000000000025', '00000000-0000-7002-8008-000000000025', 1, 'Cycle', NULL, '2026-11-01', '2026-11-14', 1, '2026-11-02 01:00:00+00', '2026-11-02 01:00:00+00', 'system', NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8009-000000000026', '00000000-0000-7002-8008-000000000026', 1, 'Cycle', NULL, '2026-11-01', '2026-11-14', 1, '2026-11-02 02:00:00+00', '2026-11-02 02:00:00+00', 'system', NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8009-000000000027', '00000000-0000-7002-8008-000000000027', 1, 'Cycle', NULL, '2026-11-01', '2026-11-14', 1, '2026-11-02 03:00:00+00', '2026-11-02 03:00:00+00', 'system', NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8009-000000000028', '00000000-0000-7002-8008-000000000028', 1, 'Cycle', NULL, '2026-11-01', '2026-11-14', 1, '2026-11-02 04:00:00+00', '2026-11-02 04:00:00+00', 'system', NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8009-000000000029', '00000000-0000-7002-8008-000000000029', 1, 'Cycle', NULL, '2026-11-01', '2026-11-14', 1, '2026-11-02 05:00:00+00', '2026-11-02 05:00:00+00', 'system', NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8009-000000000030', '00000000-0000-7002-8008-000000000030', 1, 'Cycle', NULL, '2026-11-01', '2026-11-14', 1, '2026-11-02 06:00:00+00', '2026-11-02 06:00:00+00', 'system', NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8009-000000000031', '00000000-0000-7002-8008-000000000031', 1, 'Cycle', NULL, '2026-11-01', '2026-11-14', 1, '2026-11-02 07:00:00+00', '2026-11-02 07:00:00+00', 'system', NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8009-000000000032', '00000000-0000-7002-8008-000000000032', 1, 'Cycle', NULL, '2026-11-01', '2026-11-14', 1, '2026-11-02 08:00:00+00', '2026-11-02 08:00:00+00', 'system', NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8009-000000000033', '00000000-0000-7002-8008-000000000033', 1, 'Cycle', NULL, '2026-11-01', '2026-11-14', 1, '2026-11-02 09:00:00+00', '2026-11-02 09:00:00+00', 'system', NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8009-000000000034', '00000000-0000-7002-8008-000000000034', 1, 'Cycle', NULL, '2026-11-01', '2026-11-14', 1, '2026-11-02 10:00:00+00', '2026-11-02 10:00:00+00', 'system', NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8009-000000000035', '00000000-0000-7002-8008-000000000035', 1, 'Cycle', NULL, '2026-11-01', '2026-11-14', 1, '2026-11-02 11:00:00+00', '2026-11-02 11:00:00+00', 'system', NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8009-000000000036', '00000000-0000-7002-8008-000000000036', 1, 'Cycle', NULL, '2026-11-01', '2026-11-14', 1, '2026-11-02 12:00:00+00', '2026-11-02 12:00:00+00', 'system', NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8009-000000000037', '00000000-0000-7002-8008-000000000037', 1, 'Cycle', NULL, '2026-11-01', '2026-11-14', 1, '2026-11-02 13:00:00+00', '2026-11-02 13:00:00+00', 'system', NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8009-000000000038', '00000000-0000-7002-8008-000000000038', 1, 'Cycle', NULL, '2026-11-01', '2026-11-14', 1, '2026-11-02 14:00:00+00', '2026-11-02 14:00:00+00', 'system', NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8009-000000000039', '00000000-0000-7002-8008-000000000039', 1, 'Cycle', NULL, '2026-11-01', '2026-11-14', 1, '2026-11-02 15:00:00+00', '2026-11-02 15:00:00+00', 'system', NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8009-000000000040', '00000000-0000-7002-8008-000000000040', 1, 'Cycle', NULL, '2026-11-01', '2026-11-14', 1, '2026-11-02 16:00:00+00', '2026-11-02 16:00:00+00', 'system', NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8009-000000000001', '00000000-0000-7003-8008-000000000001', 1, 'Cycle', NULL, '2026-11-01', '2026-11-14', 1, '2026-11-01 01:00:00+00', '2026-11-01 01:00:00+00', 'system', NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8009-000000000002', '00000000-0000-7003-8008-000000000002', 1, 'Cycle', NULL, '2026-11-01', '2026-11-14', 1, '2026-11-01 02:00:00+00', '2026-11-01 02:00:00+00', 'system', NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8009-000000000003', '00000000-0000-7003-8008-000000000003', 1, 'Cycle', NULL, '2026-11-01', '2026-11-14', 1, '2026-11-01 03:00:00+00', '2026-11-01 03:00:00+00', 'system', NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8009-000000000004', '00000000-0000-7003-8008-000000000004', 1, 'Cycle', NULL, '2026-11-01', '2026-11-14', 1, '2026-11-01 04:00:00+00', '2026-11-01 04:00:00+00', 'system', NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8009-000000000005', '00000000-0000-7003-8008-000000000005', 1, 'Cycle', NULL, '2026-11-01', '2026-11-14', 1, '2026-11-01 05:00:00+00', '2026-11-01 05:00:00+00', 'system', NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8009-000000000006', '00000000-0000-7003-8008-000000000006', 1, 'Cycle', NULL, '2026-11-01', '2026-11-14', 1, '2026-11-01 06:00:00+00', '2026-11-01 06:00:00+00', 'system', NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8009-000000000007', '00000000-0000-7003-8008-000000000007', 1, 'Cycle', NULL, '2026-11-01', '2026-11-14', 1, '2026-11-01 07:00:00+00', '2026-11-01 07:00:00+00', 'system', NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8009-000000000008', '00000000-0000-7003-8008-000000000008', 1, 'Cycle', NULL, '2026-11-01', '2026-11-14', 1, '2026-11-01 08:00:00+00', '2026-11-01 08:00:00+00', 'system', NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8009-000000000009', '00000000-0000-7003-8008-000000000009', 1, 'Cycle', NULL, '2026-11-01', '2026-11-14', 1, '2026-11-01 09:00:00+00', '2026-11-01 09:00:00+00', 'system', NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8009-000000000010', '00000000-0000-7003-8008-000000000010', 1, 'Cycle', NULL, '2026-11-01', '2026-11-14', 1, '2026-11-01 10:00:00+00', '2026-11-01 10:00:00+00', 'system', NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8009-000000000011', '00000000-0000-7003-8008-000000000011', 1, 'Cycle', NULL, '2026-11-01', '2026-11-14', 1, '2026-11-01 11:00:00+00', '2026-11-01 11:00:00+00', 'system', NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8009-000000000012', '00000000-0000-7003-8008-000000000012', 1, 'Cycle', NULL, '2026-11-01', '2026-11-14', 1, '2026-11-01 12:00:00+00', '2026-11-01 12:00:00+00', 'system', NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8009-000000000013', '00000000-0000-7003-8008-000000000013', 1, 'Cycle', NULL, '2026-11-01', '2026-11-14', 1, '2026-11-01 13:00:00+00', '2026-11-01 13:00:00+00', 'system', NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8009-000000000014', '00000000-0000-7003-8008-000000000014', 1, 'Cycle', NULL, '2026-11-01', '2026-11-14', 1, '2026-11-01 14:00:00+00', '2026-11-01 14:00:00+00', 'system', NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8009-000000000015', '00000000-0000-7003-8008-000000000015', 1, 'Cycle', NULL, '2026-11-01', '2026-11-14', 1, '2026-11-01 15:00:00+00', '2026-11-01 15:00:00+00', 'system', NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8009-000000000016', '00000000-0000-7003-8008-000000000016', 1, 'Cycle', NULL, '2026-11-01', '2026-11-14', 1, '2026-11-01 16:00:00+00', '2026-11-01 16:00:00+00', 'system', NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8009-000000000017', '00000000-0000-7003-8008-000000000017', 1, 'Cycle', NULL, '2026-11-01', '2026-11-14', 1, '2026-11-01 17:00:00+00', '2026-11-01 17:00:00+00', 'system', NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8009-000000000018', '00000000-0000-7003-8008-000000000018', 1, 'Cycle', NULL, '2026-11-01', '2026-11-14', 1, '2026-11-01 18:00:00+00', '2026-11-01 18:00:00+00', 'system', NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8009-000000000019', '00000000-0000-7003-8008-000000000019', 1, 'Cycle', NULL, '2026-11-01', '2026-11-14', 1, '2026-11-01 19:00:00+00', '2026-11-01 19:00:00+00', 'system', NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8009-000000000020', '00000000-0000-7003-8008-000000000020', 1, 'Cycle', NULL, '2026-11-01', '2026-11-14', 1, '2026-11-01 20:00:00+00', '2026-11-01 20:00:00+00', 'system', NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8009-000000000021', '00000000-0000-7003-8008-000000000021', 1, 'Cycle', NULL, '2026-11-01', '2026-11-14', 1, '2026-11-01 21:00:00+00', '2026-11-01 21:00:00+00', 'system', NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8009-000000000022', '00000000-0000-7003-8008-000000000022', 1, 'Cycle', NULL, '2026-11-01', '2026-11-14', 1, '2026-11-01 22:00:00+00', '2026-11-01 22:00:00+00', 'system', NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8009-000000000023', '00000000-0000-7003-8008-000000000023', 1, 'Cycle', NULL, '2026-11-01', '2026-11-14', 1, '2026-11-01 23:00:00+00', '2026-11-01 23:00:00+00', 'system', NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8009-000000000024', '00000000-0000-7003-8008-000000000024', 1, 'Cycle', NULL, '2026-11-01', '2026-11-14', 1, '2026-11-02 00:00:00+00', '2026-11-02 00:00:00+00', 'system', NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8009-000000000025', '00000000-0000-7003-8008-000000000025', 1, 'Cycle', NULL, '2026-11-01', '2026-11-14', 1, '2026-11-02 01:00:00+00', '2026-11-02 01:00:00+00', 'system', NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8009-000000000026', '00000000-0000-7003-8008-000000000026', 1, 'Cycle', NULL, '2026-11-01', '2026-11-14', 1, '2026-11-02 02:00:00+00', '2026-11-02 02:00:00+00', 'system', NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8009-000000000027', '00000000-0000-7003-8008-000000000027', 1, 'Cycle', NULL, '2026-11-01', '2026-11-14', 1, '2026-11-02 03:00:00+00', '2026-11-02 03:00:00+00', 'system', NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8009-000000000028', '00000000-0000-7003-8008-000000000028', 1, 'Cycle', NULL, '2026-11-01', '2026-11-14', 1, '2026-11-02 04:00:00+00', '2026-11-02 04:00:00+00', 'system', NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8009-000000000029', '00000000-0000-7003-8008-000000000029', 1, 'Cycle', NULL, '2026-11-01', '2026-11-14', 1, '2026-11-02 05:00:00+00', '2026-11-02 05:00:00+00', 'system', NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8009-000000000030', '00000000-0000-7003-8008-000000000030', 1, 'Cycle', NULL, '2026-11-01', '2026-11-14', 1, '2026-11-02 06:00:00+00', '2026-11-02 06:00:00+00', 'system', NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8009-000000000031', '00000000-0000-7003-8008-000000000031', 1, 'Cycle', NULL, '2026-11-01', '2026-11-14', 1, '2026-11-02 07:00:00+00', '2026-11-02 07:00:00+00', 'system', NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8009-000000000032', '00000000-0000-7003-8008-000000000032', 1, 'Cycle', NULL, '2026-11-01', '2026-11-14', 1, '2026-11-02 08:00:00+00', '2026-11-02 08:00:00+00', 'system', NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8009-000000000033', '00000000-0000-7003-8008-000000000033', 1, 'Cycle', NULL, '2026-11-01', '2026-11-14', 1, '2026-11-02 09:00:00+00', '2026-11-02 09:00:00+00', 'system', NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8009-000000000034', '00000000-0000-7003-8008-000000000034', 1, 'Cycle', NULL, '2026-11-01', '2026-11-14', 1, '2026-11-02 10:00:00+00', '2026-11-02 10:00:00+00', 'system', NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8009-000000000035', '00000000-0000-7003-8008-000000000035', 1, 'Cycle', NULL, '2026-11-01', '2026-11-14', 1, '2026-11-02 11:00:00+00', '2026-11-02 11:00:00+00', 'system', NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8009-000000000036', '00000000-0000-7003-8008-000000000036', 1, 'Cycle', NULL, '2026-11-01', '2026-11-14', 1, '2026-11-02 12:00:00+00', '2026-11-02 12:00:00+00', 'system', NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8009-000000000037', '00000000-0000-7003-8008-000000000037', 1, 'Cycle', NULL, '2026-11-01', '2026-11-14', 1, '2026-11-02 13:00:00+00', '2026-11-02 13:00:00+00', 'system', NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8009-000000000038', '00000000-0000-7003-8008-000000000038', 1, 'Cycle', NULL, '2026-11-01', '2026-11-14', 1, '2026-11-02 14:00:00+00', '2026-11-02 14:00:00+00', 'system', NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8009-000000000039', '00000000-0000-7003-8008-000000000039', 1, 'Cycle', NULL, '2026-11-01', '2026-11-14', 1, '2026-11-02 15:00:00+00', '2026-11-02 15:00:00+00', 'system', NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8009-000000000040', '00000000-0000-7003-8008-000000000040', 1, 'Cycle', NULL, '2026-11-01', '2026-11-14', 1, '2026-11-02 16:00:00+00', '2026-11-02 16:00:00+00', 'system', NULL, NULL, NULL);
INSERT INTO public.deal_totals VALUES
	('00000000-0000-7001-8000-000000000000', 'closed_won', 'closed_won', 'EUR', 9, 18000.00),
	('00000000-0000-7001-8000-000000000000', 'proposal', 'open', 'EUR', 29, 56100.00),
	('00000000-0000-7002-8000-000000000000', 'closed_won', 'closed_won', 'EUR', 9, 18000.00),
	('00000000-0000-7002-8000-000000000000', 'proposal', 'open', 'EUR', 29, 56100.00),
	('00000000-0000-7003-8000-000000000000', 'closed_won', 'closed_won', 'EUR', 9, 18000.00),
	('00000000-0000-7003-8000-000000000000', 'proposal', 'open', 'EUR', 29, 56100.00);
INSERT INTO public.deals VALUES
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8007-000000000001', 'Deal 1', NULL, '00000000-0000-7001-8006-000000000001', '00000000-0000-7001-8005-000000000001', '00000000-0000-7001-8001-000000000000', 'open', 'proposal', 100.00, 'EUR', NULL, NULL, NULL, NULL, NULL, '{}', '{}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1, '2026-11-01 01:00:00+00', '2026-11-01 01:00:00+00', 'api_key', NULL, NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8007-000000000002', 'Deal 2', NULL, '00000000-0000-7001-8006-000000000002', '00000000-0000-7001-8005-000000000002', '00000000-0000-7001-8001-000000000000', 'open', 'proposal', 200.00, 'EUR', NULL, NULL, NULL, NULL, NULL, '{}', '{}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1, '2026-11-01 02:00:00+00', '2026-11-01 02:00:00+00', 'api_key', NULL, NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8007-000000000003', 'Deal 3', NULL, '00000000-0000-7001-8006-000000000003', '00000000-0000-7001-8005-000000000003', '00000000-0000-7001-8001-000000000000', 'open', 'proposal', 300.00, 'EUR', NULL, NULL, NULL, NULL, NULL, '{}', '{}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1, '2026-11-01 03:00:00+00', '2026-11-01 03:00:00+00', 'api_key', NULL, NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8007-000000000004', 'Deal 4', NULL, '00000000-0000-7001-8006-000000000004', '00000000-0000-7001-8005-000000000004', '00000000-0000-7001-8001-000000000000', 'closed_won', 'closed_won', 400.00, 'EUR', NULL, NULL, NULL, NULL, NULL, '{}', '{}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1, '2026-11-01 04:00:00+00', '2026-11-01 04:00:00+00', 'api_key', NULL, NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8007-000000000005', 'Deal 5', NULL, '00000000-0000-7001-8006-000000000005', '00000000-0000-7001-8005-000000000005', '00000000-0000-7001-8001-000000000000', 'open', 'proposal', 500.00, 'EUR', NULL, NULL, NULL, NULL, NULL, '{}', '{}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1, '2026-11-01 05:00:00+00', '2026-11-01 05:00:00+00', 'api_key', NULL, NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8007-000000000006', 'Deal 6', NULL, '00000000-0000-7001-8006-000000000006', '00000000-0000-7001-8005-000000000006', '00000000-0000-7001-8001-000000000000', 'open', 'proposal', 600.00, 'EUR', NULL, NULL, NULL, NULL, NULL, '{}', '{}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1, '2026-11-01 06:00:00+00', '2026-11-01 06:00:00+00', 'api_key', NULL, NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8007-000000000007', 'Deal 7', NULL, '00000000-0000-7001-8006-000000000007', '00000000-0000-7001-8005-000000000007', '00000000-0000-7001-8001-000000000000', 'open', 'proposal', 700.00, 'EUR', NULL, NULL, NULL, NULL, NULL, '{}', '{}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1, '2026-11-01 07:00:00+00', '2026-11-01 07:00:00+00', 'api_key', NULL, NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8007-000000000008', 'Deal 8', NULL, '00000000-0000-7001-8006-000000000008', '00000000-0000-7001-8005-000000000008', '00000000-0000-7001-8001-000000000000', 'closed_won', 'closed_won', 800.00, 'EUR', NULL, NULL, NULL, NULL, NULL, '{}', '{}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1, '2026-11-01 08:00:00+00', '2026-11-01 08:00:00+00', 'api_key', NULL, NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8007-000000000009', 'Deal 9', NULL, '00000000-0000-7001-8006-000000000009', '00000000-0000-7001-8005-000000000009', '00000000-0000-7001-8001-000000000000', 'open', 'proposal', 900.00, 'EUR', NULL, NULL, NULL, NULL, NULL, '{}', '{}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1, '2026-11-01 09:00:00+00', '2026-11-01 09:00:00+00', 'api_key', NULL, NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8007-000000000010', 'Deal 10', NULL, '00000000-0000-7001-8006-000000000010', '00000000-0000-7001-8005-000000000010', '00000000-0000-7001-8001-000000000000', 'open', 'proposal', 1000.00, 'EUR', NULL, NULL, NULL, NULL, NULL, '{}', '{}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1, '2026-11-01 10:00:00+00', '2026-11-01 10:00:00+00', 'api_key', NULL, NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8007-000000000011', 'Deal 11', NULL, '00000000-0000-7001-8006-000000000011', '00000000-0000-7001-8005-000000000011', '00000000-0000-7001-8001-000000000000', 'open', 'proposal', 1100.00, 'EUR', NULL, NULL, NULL, NULL, NULL, '{}', '{}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1, '2026-11-01 11:00:00+00', '2026-11-01 11:00:00+00', 'api_key', NULL, NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8007-000000000012', 'Deal 12', NULL, '00000000-0000-7001-8006-000000000012', '00000000-0000-7001-8005-000000000012', '00000000-0000-7001-8001-000000000000', 'closed_won', 'closed_won', 1200.00, 'EUR', NULL, NULL, NULL, NULL, NULL, '{}', '{}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1, '2026-11-01 12:00:00+00', '2026-11-01 12:00:00+00', 'api_key', NULL, NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8007-000000000013', 'Deal 13', NULL, '00000000-0000-7001-8006-000000000013', '00000000-0000-7001-8005-000000000013', '00000000-0000-7001-8001-000000000000', 'open', 'proposal', 1300.00, 'EUR', NULL, NULL, NULL, NULL, NULL, '{}', '{}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1, '2026-11-01 13:00:00+00', '2026-11-01 13:00:00+00', 'api_key', NULL, NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8007-000000000014', 'Deal 14', NULL, '00000000-0000-7001-8006-000000000014', '00000000-0000-7001-8005-000000000014', '00000000-0000-7001-8001-000000000000', 'open', 'proposal', 1400.00, 'EUR', NULL, NULL, NULL, NULL, NULL, '{}', '{}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1, '2026-11-01 14:00:00+00', '2026-11-01 14:00:00+00', 'api_key', NULL, NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8007-000000000015', 'Deal 15', NULL, '00000000-0000-7001-8006-000000000015', '00000000-0000-7001-8005-000000000015', '00000000-0000-7001-8001-000000000000', 'open', 'proposal', 1500.00, 'EUR', NULL, NULL, NULL, NULL, NULL, '{}', '{}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1, '2026-11-01 15:00:00+00', '2026-11-01 15:00:00+00', 'api_key', NULL, NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8007-000000000016', 'Deal 16', NULL, '00000000-0000-7001-8006-000000000016', '00000000-0000-7001-8005-000000000016', '00000000-0000-7001-8001-000000000000', 'closed_won', 'closed_won', 1600.00, 'EUR', NULL, NULL, NULL, NULL, NULL, '{}', '{}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1, '2026-11-01 16:00:00+00', '2026-11-01 16:00:00+00', 'api_key', NULL, NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8007-000000000017', 'Deal 17', NULL, '00000000-0000-7001-8006-000000000017', '00000000-0000-7001-8005-000000000017', '00000000-0000-7001-8001-000000000000', 'open', 'proposal', 1700.00, 'EUR', NULL, NULL, NULL, NULL, NULL, '{}', '{}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1, '2026-11-01 17:00:00+00', '2026-11-01 17:00:00+00', 'api_key', NULL, NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8007-000000000018', 'Deal 18', NULL, '00000000-0000-7001-8006-000000000018', '00000000-0000-7001-8005-000000000018', '00000000-0000-7001-8001-000000000000', 'open', 'proposal', 1800.00, 'EUR', NULL, NULL, NULL, NULL, NULL, '{}', '{}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1, '2026-11-01 18:00:00+00', '2026-11-01 18:00:00+00', 'api_key', NULL, NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8007-000000000019', 'Deal 19', NULL, '00000000-0000-7001-8006-000000000019', '00000000-0000-7001-8005-000000000019', '00000000-0000-7001-8001-000000000000', 'open', 'proposal', 1900.00, 'EUR', NULL, NULL, NULL, NULL, NULL, '{}', '{}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1, '2026-11-01 19:00:00+00', '2026-11-01 19:00:00+00', 'api_key', NULL, NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8007-000000000020', 'Deal 20', NULL, '00000000-0000-7001-8006-000000000020', '00000000-0000-7001-8005-000000000020', '00000000-0000-7001-8001-000000000000', 'closed_won', 'closed_won', 2000.00, 'EUR', NULL, NULL, NULL, NULL, NULL, '{}', '{}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1, '2026-11-01 20:00:00+00', '2026-11-01 20:00:00+00', 'api_key', NULL, NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8007-000000000021', 'Deal 21', NULL, '00000000-0000-7001-8006-000000000021', '00000000-0000-7001-8005-000000000021', '00000000-0000-7001-8001-000000000000', 'open', 'proposal', 2100.00, 'EUR', NULL, NULL, NULL, NULL, NULL, '{}', '{}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1, '2026-11-01 21:00:00+00', '2026-11-01 21:00:00+00', 'api_key', NULL, NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8007-000000000022', 'Deal 22', NULL, '00000000-0000-7001-8006-000000000022', '00000000-0000-7001-8005-000000000022', '00000000-0000-7001-8001-000000000000', 'open', 'proposal', 2200.00, 'EUR', NULL, NULL, NULL, NULL, NULL, '{}', '{}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1, '2026-11-01 22:00:00+00', '2026-11-01 22:00:00+00', 'api_key', NULL, NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8007-000000000023', 'Deal 23', NULL, '00000000-0000-7001-8006-000000000023', '00000000-0000-7001-8005-000000000023', '00000000-0000-7001-8001-000000000000', 'open', 'proposal', 2300.00, 'EUR', NULL, NULL, NULL, NULL, NULL, '{}', '{}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1, '2026-11-01 23:00:00+00', '2026-11-01 23:00:00+00', 'api_key', NULL, NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8007-000000000024', 'Deal 24', NULL, '00000000-0000-7001-8006-000000000024', '00000000-0000-7001-8005-000000000024', '00000000-0000-7001-8001-000000000000', 'closed_won', 'closed_won', 2400.00, 'EUR', NULL, NULL, NULL, NULL, NULL, '{}', '{}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1, '2026-11-02 00:00:00+00', '2026-11-02 00:00:00+00', 'api_key', NULL, NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8007-000000000025', 'Deal 25', NULL, '00000000-0000-7001-8006-000000000025', '00000000-0000-7001-8005-000000000025', '00000000-0000-7001-8001-000000000000', 'open', 'proposal', 2500.00, 'EUR', NULL, NULL, NULL, NULL, NULL, '{}', '{}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1, '2026-11-02 01:00:00+00', '2026-11-02 01:00:00+00', 'api_key', NULL, NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8007-000000000026', 'Deal 26', NULL, '00000000-0000-7001-8006-000000000026', '00000000-0000-7001-8005-000000000026', '00000000-0000-7001-8001-000000000000', 'open', 'proposal', 2600.00, 'EUR', NULL, NULL, NULL, NULL, NULL, '{}', '{}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1, '2026-11-02 02:00:00+00', '2026-11-02 02:00:00+00', 'api_key', NULL, NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8007-000000000027', 'Deal 27', NULL, '00000000-0000-7001-8006-000000000027', '00000000-0000-7001-8005-000000000027', '00000000-0000-7001-8001-000000000000', 'open', 'proposal', 2700.00, 'EUR', NULL, NULL, NULL, NULL, NULL, '{}', '{}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1, '2026-11-02 03:00:00+00', '2026-11-02 03:00:00+00', 'api_key', NULL, NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8007-000000000028', 'Deal 28', NULL, '00000000-0000-7001-8006-000000000028', '00000000-0000-7001-8005-000000000028', '00000000-0000-7001-8001-000000000000', 'closed_won', 'closed_won', 2800.00, 'EUR', NULL, NULL, NULL, NULL, NULL, '{}', '{}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1, '2026-11-02 04:00:00+00', '2026-11-02 04:00:00+00', 'api_key', NULL, NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8007-000000000029', 'Deal 29', NULL, '00000000-0000-7001-8006-000000000029', '00000000-0000-7001-8005-000000000029', '00000000-0000-7001-8001-000000000000', 'open', 'proposal', 2900.00, 'EUR', NULL, NULL, NULL, NULL, NULL, '{}', '{}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1, '2026-11-02 05:00:00+00', '2026-11-02 05:00:00+00', 'api_key', NULL, NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8007-000000000030', 'Deal 30', NULL, '00000000-0000-7001-8006-000000000030', '00000000-0000-7001-8005-000000000030', '00000000-0000-7001-8001-000000000000', 'open', 'proposal', 3000.00, 'EUR', NULL, NULL, NULL, NULL, NULL, '{}', '{}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1, '2026-11-02 06:00:00+00', '2026-11-02 06:00:00+00', 'api_key', NULL, NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8007-000000000031', 'Deal 31', NULL, '00000000-0000-7001-8006-000000000031', '00000000-0000-7001-8005-000000000031', '00000000-0000-7001-8001-000000000000', 'open', 'proposal', 3100.00, 'EUR', NULL, NULL, NULL, NULL, NULL, '{}', '{}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1, '2026-11-02 07:00:00+00', '2026-11-02 07:00:00+00', 'api_key', NULL, NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8007-000000000032', 'Deal 32', NULL, '00000000-0000-7001-8006-000000000032', '00000000-0000-7001-8005-000000000032', '00000000-0000-7001-8001-000000000000', 'closed_won', 'closed_won', 3200.00, 'EUR', NULL, NULL, NULL, NULL, NULL, '{}', '{}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1, '2026-11-02 08:00:00+00', '2026-11-02 08:00:00+00', 'api_key', NULL, NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8007-000000000033', 'Deal 33', NULL, '00000000-0000-7001-8006-000000000033', '00000000-0000-7001-8005-000000000033', '00000000-0000-7001-8001-000000000000', 'open', 'proposal', 3300.00, 'EUR', NULL, NULL, NULL, NULL, NULL, '{}', '{}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1, '2026-11-02 09:00:00+00', '2026-11-02 09:00:00+00', 'api_key', NULL, NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8007-000000000034', 'Deal 34', NULL, '00000000-0000-7001-8006-000000000034', '00000000-0000-7001-8005-000000000034', '00000000-0000-7001-8001-000000000000', 'open', 'proposal', 3400.00, 'EUR', NULL, NULL, NULL, NULL, NULL, '{}', '{}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1, '2026-11-02 10:00:00+00', '2026-11-02 10:00:00+00', 'api_key', NULL, NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8007-000000000035', 'Deal 35', NULL, '00000000-0000-7001-8006-000000000035', '00000000-0000-7001-8005-000000000035', '00000000-0000-7001-8001-000000000000', 'open', 'proposal', 3500.00, 'EUR', NULL, NULL, NULL, NULL, NULL, '{}', '{}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1, '2026-11-02 11:00:00+00', '2026-11-02 11:00:00+00', 'api_key', NULL, NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8007-000000000036', 'Deal 36', NULL, '00000000-0000-7001-8006-000000000036', '00000000-0000-7001-8005-000000000036', '00000000-0000-7001-8001-000000000000', 'closed_won', 'closed_won', 3600.00, 'EUR', NULL, NULL, NULL, NULL, NULL, '{}', '{}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1, '2026-11-02 12:00:00+00', '2026-11-02 12:00:00+00', 'api_key', NULL, NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8007-000000000037', 'Deal 37', NULL, '00000000-0000-7001-8006-000000000037', '00000000-0000-7001-8005-000000000037', '00000000-0000-7001-8001-000000000000', 'open', 'proposal', 3700.00, 'EUR', NULL, NULL, NULL, NULL, NULL, '{}', '{}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1, '2026-11-02 13:00:00+00', '2026-11-02 13:00:00+00', 'api_key', NULL, NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8007-000000000038', 'Deal 38', NULL, '00000000-0000-7001-8006-000000000038', '00000000-0000-7001-8005-000000000038', '00000000-0000-7001-8001-000000000000', 'open', 'proposal', 3800.00, 'EUR', NULL, NULL, NULL, NULL, NULL, '{}', '{}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1, '2026-11-02 14:00:00+00', '2026-11-02 14:00:00+00', 'api_key', NULL, NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8007-000000000039', 'Deal 39', NULL, '00000000-0000-7001-8006-000000000039', '00000000-0000-7001-8005-000000000039', '00000000-0000-7001-8001-000000000000', 'open', 'proposal', 3900.00, 'EUR', NULL, NULL, NULL, NULL, NULL, '{}', '{}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1, '2026-11-02 15:00:00+00', '2026-11-02 15:00:00+00', 'api_key', NULL, '2026-11-02 15:00:00+00', NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8007-000000000040', 'Deal 40', NULL, '00000000-0000-7001-8006-000000000040', '00000000-0000-7001-8005-000000000040', '00000000-0000-7001-8001-000000000000', 'closed_won', 'closed_won', 4000.00, 'EUR', NULL, NULL, NULL, NULL, NULL, '{}', '{}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1, '2026-11-02 16:00:00+00', '2026-11-02 16:00:00+00', 'api_key', NULL, '2026-11-02 16:00:00+00', NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8007-000000000001', 'Deal 1', NULL, '00000000-0000-7002-8006-000000000001', '00000000-0000-7002-8005-000000000001', '00000000-0000-7002-8001-000000000000', 'open', 'proposal', 100.00, 'EUR', NULL, NULL, NULL, NULL, NULL, '{}', '{}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1, '2026-11-01 01:00:00+00', '2026-11-01 01:00:00+00', 'api_key', NULL, NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8007-000000000002', 'Deal 2', NULL, '00000000-0000-7002-8006-000000000002', '00000000-0000-7002-8005-000000000002', '00000000-0000-7002-8001-000000000000', 'open', 'proposal', 200.00, 'EUR', NULL, NULL, NULL, NULL, NULL, '{}', '{}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1, '2026-11-01 02:00:00+00', '2026-11-01 02:00:00+00', 'api_key', NULL, NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8007-000000000003', 'Deal 3', NULL, '00000000-0000-7002-8006-000000000003', '00000000-0000-7002-8005-000000000003', '00000000-0000-7002-8001-000000000000', 'open', 'proposal', 300.00, 'EUR', NULL, NULL, NULL, NULL, NULL, '{}', '{}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1, '2026-11-01 03:00:00+00', '2026-11-01 03:00:00+00', 'api_key', NULL, NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8007-000000000004', 'Deal 4', NULL, '00000000-0000-7002-8006-000000000004', '00000000-0000-7002-8005-000000000004', '00000000-0000-7002-8001-000000000000', 'closed_won', 'closed_won', 400.00, 'EUR', NULL, NULL, NULL, NULL, NULL, '{}', '{}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1, '2026-11-01 04:00:00+00', '2026-11-01 04:00:00+00', 'api_key', NULL, NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8007-000000000005', 'Deal 5', NULL, '00000000-0000-7002-8006-000000000005', '00000000-0000-7002-8005-000000000005', '00000000-0000-7002-8001-000000000000', 'open', 'proposal', 500.00, 'EUR', NULL, NULL, NULL, NULL, NULL, '{}', '{}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1, '2026-11-01 05:00:00+00', '2026-11-01 05:00:00+00', 'api_key', NULL, NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8007-000000000006', 'Deal 6', NULL, '00000000-0000-7002-8006-000000000006', '00000000-0000-7002-8005-000000000006', '00000000-0000-7002-8001-000000000000', 'open', 'proposal', 600.00, 'EUR', NULL, NULL, NULL, NULL, NULL, '{}', '{}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1, '2026-11-01 06:00:00+00', '2026-11-01 06:00:00+00', 'api_key', NULL, NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8007-000000000007', 'Deal 7', NULL, '00000000-0000-7002-8006-000000000007', '00000000-0000-7002-8005-000000000007', '00000000-0000-7002-8001-000000000000', 'open', 'proposal', 700.00, 'EUR', NULL, NULL, NULL, NULL, NULL, '{}', '{}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1, '2026-11-01 07:00:00+00', '2026-11-01 07:00:00+00', 'api_key', NULL, NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8007-000000000008', 'Deal 8', NULL, '00000000-0000-7002-8006-000000000008', '00000000-0000-7002-8005-000000000008', '00000000-0000-7002-8001-000000000000', 'closed_won', 'closed_won', 800.00, 'EUR', NULL, NULL, NULL, NULL, NULL, '{}', '{}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1, '2026-11-01 08:00:00+00', '2026-11-01 08:00:00+00', 'api_key', NULL, NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8007-000000000009', 'Deal 9', NULL, '00000000-0000-7002-8006-000000000009', '00000000-0000-7002-8005-000000000009', '00000000-0000-7002-8001-000000000000', 'open', 'proposal', 900.00, 'EUR', NULL, NULL, NULL, NULL, NULL, '{}', '{}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1, '2026-11-01 09:00:00+00', '2026-11-01 09:00:00+00', 'api_key', NULL, NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8007-000000000010', 'Deal 10', NULL, '00000000-0000-7002-8006-000000000010', '00000000-0000-7002-8005-000000000010', '00000000-0000-7002-8001-000000000000', 'open', 'proposal', 1000.00, 'EUR', NULL, NULL, NULL, NULL, NULL, '{}', '{}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1, '2026-11-01 10:00:00+00', '2026-11-01 10:00:00+00', 'api_key', NULL, NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8007-000000000011', 'Deal 11', NULL, '00000000-0000-7002-8006-000000000011', '00000000-0000-7002-8005-000000000011', '00000000-0000-7002-8001-000000000000', 'open', 'proposal', 1100.00, 'EUR', NULL, NULL, NULL, NULL, NULL, '{}', '{}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1, '2026-11-01 11:00:00+00', '2026-11-01 11:00:00+00', 'api_key', NULL, NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8007-000000000012', 'Deal 12', NULL, '00000000-0000-7002-8006-000000000012', '00000000-0000-7002-8005-000000000012', '00000000-0000-7002-8001-000000000000', 'closed_won', 'closed_won', 1200.00, 'EUR', NULL, NULL, NULL, NULL, NULL, '{}', '{}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1, '2026-11-01 12:00:00+00', '2026-11-01 12:00:00+00', 'api_key', NULL, NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8007-000000000013', 'Deal 13', NULL, '00000000-0000-7002-8006-000000000013', '00000000-0000-7002-8005-000000000013', '00000000-0000-7002-8001-000000000000', 'open', 'proposal', 1300.00, 'EUR', NULL, NULL, NULL, NULL, NULL, '{}', '{}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1, '2026-11-01 13:00:00+00', '2026-11-01 13:00:00+00', 'api_key', NULL, NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8007-000000000014', 'Deal 14', NULL, '00000000-0000-7002-8006-000000000014', '00000000-0000-7002-8005-000000000014', '00000000-0000-7002-8001-000000000000', 'open', 'proposal', 1400.00, 'EUR', NULL, NULL, NULL, NULL, NULL, '{}', '{}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1, '2026-11-01 14:00:00+00', '2026-11-01 14:00:00+00', 'api_key', NULL, NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8007-000000000015', 'Deal 15', NULL, '00000000-0000-7002-8006-000000000015', '00000000-0000-7002-8005-000000000015', '00000000-0000-7002-8001-000000000000', 'open', 'proposal', 1500.00, 'EUR', NULL, NULL, NULL, NULL, NULL, '{}', '{}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1, '2026-11-01 15:00:00+00', '2026-11-01 15:00:00+00', 'api_key', NULL, NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8007-000000000016', 'Deal 16', NULL, '00000000-0000-7002-8006-000000000016', '00000000-0000-7002-8005-000000000016', '00000000-0000-7002-8001-000000000000', 'closed_won', 'closed_won', 1600.00, 'EUR', NULL, NULL, NULL, NULL, NULL, '{}', '{}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1, '2026-11-01 16:00:00+00', '2026-11-01 16:00:00+00', 'api_key', NULL, NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8007-000000000017', 'Deal 17', NULL, '00000000-0000-7002-8006-000000000017', '00000000-0000-7002-8005-000000000017', '00000000-0000-7002-8001-000000000000', 'open', 'proposal', 1700.00, 'EUR', NULL, NULL, NULL, NULL, NULL, '{}', '{}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1, '2026-11-01 17:00:00+00', '2026-11-01 17:00:00+00', 'api_key', NULL, NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8007-000000000018', 'Deal 18', NULL, '00000000-0000-7002-8006-000000000018', '00000000-0000-7002-8005-000000000018', '00000000-0000-7002-8001-000000000000', 'open', 'proposal', 1800.00, 'EUR', NULL, NULL, NULL, NULL, NULL, '{}', '{}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1, '2026-11-01 18:00:00+00', '2026-11-01 18:00:00+00', 'api_key', NULL, NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8007-000000000019', 'Deal 19', NULL, '00000000-0000-7002-8006-000000000019', '00000000-0000-7002-8005-000000000019', '00000000-0000-7002-8001-000000000000', 'open', 'proposal', 1900.00, 'EUR', NULL, NULL, NULL, NULL, NULL, '{}', '{}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1, '2026-11-01 19:00:00+00', '2026-11-01 19:00:00+00', 'api_key', NULL, NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8007-000000000020', 'Deal 20', NULL, '00000000-0000-7002-8006-000000000020', '00000000-0000-7002-8005-000000000020', '00000000-0000-7002-8001-000000000000', 'closed_won', 'closed_won', 2000.00, 'EUR', NULL, NULL, NULL, NULL, NULL, '{}', '{}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1, '2026-11-01 20:00:00+00', '2026-11-01 20:00:00+00', 'api_key', NULL, NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8007-000000000021', 'Deal 21', NULL, '00000000-0000-7002-8006-000000000021', '00000000-0000-7002-8005-000000000021', '00000000-0000-7002-8001-000000000000', 'open', 'proposal', 2100.00, 'EUR', NULL, NULL, NULL, NULL, NULL, '{}', '{}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1, '2026-11-01 21:00:00+00', '2026-11-01 21:00:00+00', 'api_key', NULL, NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8007-000000000022', 'Deal 22', NULL, '00000000-0000-7002-8006-000000000022', '00000000-0000-7002-8005-000000000022', '00000000-0000-7002-8001-000000000000', 'open', 'proposal', 2200.00, 'EUR', NULL, NULL, NULL, NULL, NULL, '{}', '{}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1, '2026-11-01 22:00:00+00', '2026-11-01 22:00:00+00', 'api_key', NULL, NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8007-000000000023', 'Deal 23', NULL, '00000000-0000-7002-8006-000000000023', '00000000-0000-7002-8005-000000000023', '00000000-0000-7002-8001-000000000000', 'open', 'proposal', 2300.00, 'EUR', NULL, NULL, NULL, NULL, NULL, '{}', '{}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1, '2026-11-01 23:00:00+00', '2026-11-01 23:00:00+00', 'api_key', NULL, NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8007-000000000024', 'Deal 24', NULL, '00000000-0000-7002-8006-000000000024', '00000000-0000-7002-8005-000000000024', '00000000-0000-7002-8001-000000000000', 'closed_won', 'closed_won', 2400.00, 'EUR', NULL, NULL, NULL, NULL, NULL, '{}', '{}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1, '2026-11-02 00:00:00+00', '2026-11-02 00:00:00+00', 'api_key', NULL, NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8007-000000000025', 'Deal 25', NULL, '00000000-0000-7002-8006-000000000025', '00000000-0000-7002-8005-000000000025', '00000000-0000-7002-8001-000000000000', 'open', 'proposal', 2500.00, 'EUR', NULL, NULL, NULL, NULL, NULL, '{}', '{}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1, '2026-11-02 01:00:00+00', '2026-11-02 01:00:00+00', 'api_key', NULL, NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8007-000000000026', 'Deal 26', NULL, '00000000-0000-7002-8006-000000000026', '00000000-0000-7002-8005-000000000026', '00000000-0000-7002-8001-000000000000', 'open', 'proposal', 2600.00, 'EUR', NULL, NULL, NULL, NULL, NULL, '{}', '{}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1, '2026-11-02 02:00:00+00', '2026-11-02 02:00:00+00', 'api_key', NULL, NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8007-000000000027', 'Deal 27', NULL, '00000000-0000-7002-8006-000000000027', '00000000-0000-7002-8005-000000000027', '00000000-0000-7002-8001-000000000000', 'open', 'proposal', 2700.00, 'EUR', NULL, NULL, NULL, NULL, NULL, '{}', '{}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1, '2026-11-02 03:00:00+00', '2026-11-02 03:00:00+00', 'api_key', NULL, NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8007-000000000028', 'Deal 28', NULL, '00000000-0000-7002-8006-000000000028', '00000000-0000-7002-8005-000000000028', '00000000-0000-7002-8001-000000000000', 'closed_won', 'closed_won', 2800.00, 'EUR', NULL, NULL, NULL, NULL, NULL, '{}', '{}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1, '2026-11-02 04:00:00+00', '2026-11-02 04:00:00+00', 'api_key', NULL, NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8007-000000000029', 'Deal 29', NULL, '00000000-0000-7002-8006-000000000029', '00000000-0000-7002-8005-000000000029', '00000000-0000-7002-8001-000000000000', 'open', 'proposal', 2900.00, 'EUR', NULL, NULL, NULL, NULL, NULL, '{}', '{}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1, '2026-11-02 05:00:00+00', '2026-11-02 05:00:00+00', 'api_key', NULL, NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8007-000000000030', 'Deal 30', NULL, '00000000-0000-7002-8006-000000000030', '00000000-0000-7002-8005-000000000030', '00000000-0000-7002-8001-000000000000', 'open', 'proposal', 3000.00, 'EUR', NULL, NULL, NULL, NULL, NULL, '{}', '{}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1, '2026-11-02 06:00:00+00', '2026-11-02 06:00:00+00', 'api_key', NULL, NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8007-000000000031', 'Deal 31', NULL, '00000000-0000-7002-8006-000000000031', '00000000-0000-7002-8005-000000000031', '00000000-0000-7002-8001-000000000000', 'open', 'proposal', 3100.00, 'EUR', NULL, NULL, NULL, NULL, NULL, '{}', '{}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1, '2026-11-02 07:00:00+00', '2026-11-02 07:00:00+00', 'api_key', NULL, NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8007-000000000032', 'Deal 32', NULL, '00000000-0000-7002-8006-000000000032', '00000000-0000-7002-8005-000000000032', '00000000-0000-7002-8001-000000000000', 'closed_won', 'closed_won', 3200.00, 'EUR', NULL, NULL, NULL, NULL, NULL, '{}', '{}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1, '2026-11-02 08:00:00+00', '2026-11-02 08:00:00+00', 'api_key', NULL, NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8007-000000000033', 'Deal 33', NULL, '00000000-0000-7002-8006-000000000033', '00000000-0000-7002-8005-000000000033', '00000000-0000-7002-8001-000000000000', 'open', 'proposal', 3300.00, 'EUR', NULL, NULL, NULL, NULL, NULL, '{}', '{}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1, '2026-11-02 09:00:00+00', '2026-11-02 09:00:00+00', 'api_key', NULL, NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8007-000000000034', 'Deal 34', NULL, '00000000-0000-7002-8006-000000000034', '00000000-0000-7002-8005-000000000034', '00000000-0000-7002-8001-000000000000', 'open', 'proposal', 3400.00, 'EUR', NULL, NULL, NULL, NULL, NULL, '{}', '{}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1, '2026-11-02 10:00:00+00', '2026-11-02 10:00:00+00', 'api_key', NULL, NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8007-000000000035', 'Deal 35', NULL, '00000000-0000-7002-8006-000000000035', '00000000-0000-7002-8005-000000000035', '00000000-0000-7002-8001-000000000000', 'open', 'proposal', 3500.00, 'EUR', NULL, NULL, NULL, NULL, NULL, '{}', '{}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1, '2026-11-02 11:00:00+00', '2026-11-02 11:00:00+00', 'api_key', NULL, NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8007-000000000036', 'Deal 36', NULL, '00000000-0000-7002-8006-000000000036', '00000000-0000-7002-8005-000000000036', '00000000-0000-7002-8001-000000000000', 'closed_won', 'closed_won', 3600.00, 'EUR', NULL, NULL, NULL, NULL, NULL, '{}', '{}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1, '2026-11-02 12:00:00+00', '2026-11-02 12:00:00+00', 'api_key', NULL, NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8007-000000000037', 'Deal 37', NULL, '00000000-0000-7002-8006-000000000037', '00000000-0000-7002-8005-000000000037', '00000000-0000-7002-8001-000000000000', 'open', 'proposal', 3700.00, 'EUR', NULL, NULL, NULL, NULL, NULL, '{}', '{}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1, '2026-11-02 13:00:00+00', '2026-11-02 13:00:00+00', 'api_key', NULL, NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8007-000000000038', 'Deal 38', NULL, '00000000-0000-7002-8006-000000000038', '00000000-0000-7002-8005-000000000038', '00000000-0000-7002-8001-000000000000', 'open', 'proposal', 3800.00, 'EUR', NULL, NULL, NULL, NULL, NULL, '{}', '{}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1, '2026-11-02 14:00:00+00', '2026-11-02 14:00:00+00', 'api_key', NULL, NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8007-000000000039', 'Deal 39', NULL, '00000000-0000-7002-8006-000000000039', '00000000-0000-7002-8005-000000000039', '00000000-0000-7002-8001-000000000000', 'open', 'proposal', 3900.00, 'EUR', NULL, NULL, NULL, NULL, NULL, '{}', '{}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1, '2026-11-02 15:00:00+00', '2026-11-02 15:00:00+00', 'api_key', NULL, '2026-11-02 15:00:00+00', NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8007-000000000040', 'Deal 40', NULL, '00000000-0000-7002-8006-000000000040', '00000000-0000-7002-8005-000000000040', '00000000-0000-7002-8001-000000000000', 'closed_won', 'closed_won', 4000.00, 'EUR', NULL, NULL, NULL, NULL, NULL, '{}', '{}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1, '2026-11-02 16:00:00+00', '2026-11-02 16:00:00+00', 'api_key', NULL, '2026-11-02 16:00:00+00', NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8007-000000000001', 'Deal 1', NULL, '00000000-0000-7003-8006-000000000001', '00000000-0000-7003-8005-000000000001', '00000000-0000-7003-8001-000000000000', 'open', 'proposal', 100.00, 'EUR', NULL, NULL, NULL, NULL, NULL, '{}', '{}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1, '2026-11-01 01:00:00+00', '2026-11-01 01:00:00+00', 'api_key', NULL, NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8007-000000000002', 'Deal 2', NULL, '00000000-0000-7003-8006-000000000002', '00000000-0000-7003-8005-000000000002', '00000000-0000-7003-8001-000000000000', 'open', 'proposal', 200.00, 'EUR', NULL, NULL, NULL, NULL, NULL, '{}', '{}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1, '2026-11-01 02:00:00+00', '2026-11-01 02:00:00+00', 'api_key', NULL, NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8007-000000000003', 'Deal 3', NULL, '00000000-0000-7003-8006-000000000003', '00000000-0000-7003-8005-000000000003', '00000000-0000-7003-8001-000000000000', 'open', 'proposal', 300.00, 'EUR', NULL, NULL, NULL, NULL, NULL, '{}', '{}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1, '2026-11-01 03:00:00+00', '2026-11-01 03:00:00+00', 'api_key', NULL, NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8007-000000000004', 'Deal 4', NULL, '00000000-0000-7003-8006-000000000004', '00000000-0000-7003-8005-000000000004', '00000000-0000-7003-8001-000000000000', 'closed_won', 'closed_won', 400.00, 'EUR', NULL, NULL, NULL, NULL, NULL, '{}', '{}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1, '2026-11-01 04:00:00+00', '2026-11-01 04:00:00+00', 'api_key', NULL, NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8007-000000000005', 'Deal 5', NULL, '00000000-0000-7003-8006-000000000005', '00000000-0000-7003-8005-000000000005', '00000000-0000-7003-8001-000000000000', 'open', 'proposal', 500.00, 'EUR', NULL, NULL, NULL, NULL, NULL, '{}', '{}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1, '2026-11-01 05:00:00+00', '2026-11-01 05:00:00+00', 'api_key', NULL, NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8007-000000000006', 'Deal 6', NULL, '00000000-0000-7003-8006-000000000006', '00000000-0000-7003-8005-000000000006', '00000000-0000-7003-8001-000000000000', 'open', 'proposal', 600.00, 'EUR', NULL, NULL, NULL, NULL, NULL, '{}', '{}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1, '2026-11-01 06:00:00+00', '2026-11-01 06:00:00+00', 'api_key', NULL, NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8007-000000000007', 'Deal 7', NULL, '00000000-0000-7003-8006-000000000007', '00000000-0000-7003-8005-000000000007', '00000000-0000-7003-8001-000000000000', 'open', 'proposal', 700.00, 'EUR', NULL, NULL, NULL, NULL, NULL, '{}', '{}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1, '2026-11-01 07:00:00+00', '2026-11-01 07:00:00+00', 'api_key', NULL, NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8007-000000000008', 'Deal 8', NULL, '00000000-0000-7003-8006-000000000008', '00000000-0000-7003-8005-000000000008', '00000000-0000-7003-8001-000000000000', 'closed_won', 'closed_won', 800.00, 'EUR', NULL, NULL, NULL, NULL, NULL, '{}', '{}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1, '2026-11-01 08:00:00+00', '2026-11-01 08:00:00+00', 'api_key', NULL, NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8007-000000000009', 'Deal 9', NULL, '00000000-0000-7003-8006-000000000009', '00000000-0000-7003-8005-000000000009', '00000000-0000-7003-8001-000000000000', 'open', 'proposal', 900.00, 'EUR', NULL, NULL, NULL, NULL, NULL, '{}', '{}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1, '2026-11-01 09:00:00+00', '2026-11-01 09:00:00+00', 'api_key', NULL, NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8007-000000000010', 'Deal 10', NULL, '00000000-0000-7003-8006-000000000010', '00000000-0000-7003-8005-000000000010', '00000000-0000-7003-8001-000000000000', 'open', 'proposal', 1000.00, 'EUR', NULL, NULL, NULL, NULL, NULL, '{}', '{}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1, '2026-11-01 10:00:00+00', '2026-11-01 10:00:00+00', 'api_key', NULL, NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8007-000000000011', 'Deal 11', NULL, '00000000-0000-7003-8006-000000000011', '00000000-0000-7003-8005-000000000011', '00000000-0000-7003-8001-000000000000', 'open', 'proposal', 1100.00, 'EUR', NULL, NULL, NULL, NULL, NULL, '{}', '{}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1, '2026-11-01 11:00:00+00', '2026-11-01 11:00:00+00', 'api_key', NULL, NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8007-000000000012', 'Deal 12', NULL, '00000000-0000-7003-8006-000000000012', '00000000-0000-7003-8005-000000000012', '00000000-0000-7003-8001-000000000000', 'closed_won', 'closed_won', 1200.00, 'EUR', NULL, NULL, NULL, NULL, NULL, '{}', '{}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1, '2026-11-01 12:00:00+00', '2026-11-01 12:00:00+00', 'api_key', NULL, NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8007-000000000013', 'Deal 13', NULL, '00000000-0000-7003-8006-000000000013', '00000000-0000-7003-8005-000000000013', '00000000-0000-7003-8001-000000000000', 'open', 'proposal', 1300.00, 'EUR', NULL, NULL, NULL, NULL, NULL, '{}', '{}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1, '2026-11-01 13:00:00+00', '2026-11-01 13:00:00+00', 'api_key', NULL, NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8007-000000000014', 'Deal 14', NULL, '00000000-0000-7003-8006-000000000014', '00000000-0000-7003-8005-000000000014', '00000000-0000-7003-8001-000000000000', 'open', 'proposal', 1400.00, 'EUR', NULL, NULL, NULL, NULL, NULL, '{}', '{}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1, '2026-11-01 14:00:00+00', '2026-11-01 14:00:00+00', 'api_key', NULL, NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8007-000000000015', 'Deal 15', NULL, '00000000-0000-7003-8006-000000000015', '00000000-0000-7003-8005-000000000015', '00000000-0000-7003-8001-000000000000', 'open', 'proposal', 1500.00, 'EUR', NULL, NULL, NULL, NULL, NULL, '{}', '{}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1, '2026-11-01 15:00:00+00', '2026-11-01 15:00:00+00', 'api_key', NULL, NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8007-000000000016', 'Deal 16', NULL, '00000000-0000-7003-8006-000000000016', '00000000-0000-7003-8005-000000000016', '00000000-0000-7003-8001-000000000000', 'closed_won', 'closed_won', 1600.00, 'EUR', NULL, NULL, NULL, NULL, NULL, '{}', '{}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1, '2026-11-01 16:00:00+00', '2026-11-01 16:00:00+00', 'api_key', NULL, NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8007-000000000017', 'Deal 17', NULL, '00000000-0000-7003-8006-000000000017', '00000000-0000-7003-8005-000000000017', '00000000-0000-7003-8001-000000000000', 'open', 'proposal', 1700.00, 'EUR', NULL, NULL, NULL, NULL, NULL, '{}', '{}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1, '2026-11-01 17:00:00+00', '2026-11-01 17:00:00+00', 'api_key', NULL, NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8007-000000000018', 'Deal 18', NULL, '00000000-0000-7003-8006-000000000018', '00000000-0000-7003-8005-000000000018', '00000000-0000-7003-8001-000000000000', 'open', 'proposal', 1800.00, 'EUR', NULL, NULL, NULL, NULL, NULL, '{}', '{}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1, '2026-11-01 18:00:00+00', '2026-11-01 18:00:00+00', 'api_key', NULL, NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8007-000000000019', 'Deal 19', NULL, '00000000-0000-7003-8006-000000000019', '00000000-0000-7003-8005-000000000019', '00000000-0000-7003-8001-000000000000', 'open', 'proposal', 1900.00, 'EUR', NULL, NULL, NULL, NULL, NULL, '{}', '{}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1, '2026-11-01 19:00:00+00', '2026-11-01 19:00:00+00', 'api_key', NULL, NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8007-000000000020', 'Deal 20', NULL, '00000000-0000-7003-8006-000000000020', '00000000-0000-7003-8005-000000000020', '00000000-0000-7003-8001-000000000000', 'closed_won', 'closed_won', 2000.00, 'EUR', NULL, NULL, NULL, NULL, NULL, '{}', '{}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1, '2026-11-01 20:00:00+00', '2026-11-01 20:00:00+00', 'api_key', NULL, NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8007-000000000021', 'Deal 21', NULL, '00000000-0000-7003-8006-000000000021', '00000000-0000-7003-8005-000000000021', '00000000-0000-7003-8001-000000000000', 'open', 'proposal', 2100.00, 'EUR', NULL, NULL, NULL, NULL, NULL, '{}', '{}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1, '2026-11-01 21:00:00+00', '2026-11-01 21:00:00+00', 'api_key', NULL, NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8007-000000000022', 'Deal 22', NULL, '00000000-0000-7003-8006-000000000022', '00000000-0000-7003-8005-000000000022', '00000000-0000-7003-8001-000000000000', 'open', 'proposal', 2200.00, 'EUR', NULL, NULL, NULL, NULL, NULL, '{}', '{}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1, '2026-11-01 22:00:00+00', '2026-11-01 22:00:00+00', 'api_key', NULL, NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8007-000000000023', 'Deal 23', NULL, '00000000-0000-7003-8006-000000000023', '00000000-0000-7003-8005-000000000023', '00000000-0000-7003-8001-000000000000', 'open', 'proposal', 2300.00, 'EUR', NULL, NULL, NULL, NULL, NULL, '{}', '{}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1, '2026-11-01 23:00:00+00', '2026-11-01 23:00:00+00', 'api_key', NULL, NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8007-000000000024', 'Deal 24', NULL, '00000000-0000-7003-8006-000000000024', '00000000-0000-7003-8005-000000000024', '00000000-0000-7003-8001-000000000000', 'closed_won', 'closed_won', 2400.00, 'EUR', NULL, NULL, NULL, NULL, NULL, '{}', '{}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1, '2026-11-02 00:00:00+00', '2026-11-02 00:00:00+00', 'api_key', NULL, NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8007-000000000025', 'Deal 25', NULL, '00000000-0000-7003-8006-000000000025', '00000000-0000-7003-8005-000000000025', '00000000-0000-7003-8001-000000000000', 'open', 'proposal', 2500.00, 'EUR', NULL, NULL, NULL, NULL, NULL, '{}', '{}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1, '2026-11-02 01:00:00+00', '2026-11-02 01:00:00+00', 'api_key', NULL, NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8007-000000000026', 'Deal 26', NULL, '00000000-0000-7003-8006-000000000026', '00000000-0000-7003-8005-000000000026', '00000000-0000-7003-8001-000000000000', 'open', 'proposal', 2600.00, 'EUR', NULL, NULL, NULL, NULL, NULL, '{}', '{}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1, '2026-11-02 02:00:00+00', '2026-11-02 02:00:00+00', 'api_key', NULL, NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8007-000000000027', 'Deal 27', NULL, '00000000-0000-7003-8006-000000000027', '00000000-0000-7003-8005-000000000027', '00000000-0000-7003-8001-000000000000', 'open', 'proposal', 2700.00, 'EUR', NULL, NULL, NULL, NULL, NULL, '{}', '{}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1, '2026-11-02 03:00:00+00', '2026-11-02 03:00:00+00', 'api_key', NULL, NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8007-000000000028', 'Deal 28', NULL, '00000000-0000-7003-8006-000000000028', '00000000-0000-7003-8005-000000000028', '00000000-0000-7003-8001-000000000000', 'closed_won', 'closed_won', 2800.00, 'EUR', NULL, NULL, NULL, NULL, NULL, '{}', '{}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1, '2026-11-02 04:00:00+00', '2026-11-02 04:00:00+00', 'api_key', NULL, NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8007-000000000029', 'Deal 29', NULL, '00000000-0000-7003-8006-000000000029', '00000000-0000-7003-8005-000000000029', '00000000-0000-7003-8001-000000000000', 'open', 'proposal', 2900.00, 'EUR', NULL, NULL, NULL, NULL, NULL, '{}', '{}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1, '2026-11-02 05:00:00+00', '2026-11-02 05:00:00+00', 'api_key', NULL, NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8007-000000000030', 'Deal 30', NULL, '00000000-0000-7003-8006-000000000030', '00000000-0000-7003-8005-000000000030', '00000000-0000-7003-8001-000000000000', 'open', 'proposal', 3000.00, 'EUR', NULL, NULL, NULL, NULL, NULL, '{}', '{}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1, '2026-11-02 06:00:00+00', '2026-11-02 06:00:00+00', 'api_key', NULL, NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8007-000000000031', 'Deal 31', NULL, '00000000-0000-7003-8006-000000000031', '00000000-0000-7003-8005-000000000031', '00000000-0000-7003-8001-000000000000', 'open', 'proposal', 3100.00, 'EUR', NULL, NULL, NULL, NULL, NULL, '{}', '{}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1, '2026-11-02 07:00:00+00', '2026-11-02 07:00:00+00', 'api_key', NULL, NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8007-000000000032', 'Deal 32', NULL, '00000000-0000-7003-8006-000000000032', '00000000-0000-7003-8005-000000000032', '00000000-0000-7003-8001-000000000000', 'closed_won', 'closed_won', 3200.00, 'EUR', NULL, NULL, NULL, NULL, NULL, '{}', '{}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1, '2026-11-02 08:00:00+00', '2026-11-02 08:00:00+00', 'api_key', NULL, NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8007-000000000033', 'Deal 33', NULL, '00000000-0000-7003-8006-000000000033', '00000000-0000-7003-8005-000000000033', '00000000-0000-7003-8001-000000000000', 'open', 'proposal', 3300.00, 'EUR', NULL, NULL, NULL, NULL, NULL, '{}', '{}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1, '2026-11-02 09:00:00+00', '2026-11-02 09:00:00+00', 'api_key', NULL, NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8007-000000000034', 'Deal 34', NULL, '00000000-0000-7003-8006-000000000034', '00000000-0000-7003-8005-000000000034', '00000000-0000-7003-8001-000000000000', 'open', 'proposal', 3400.00, 'EUR', NULL, NULL, NULL, NULL, NULL, '{}', '{}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1, '2026-11-02 10:00:00+00', '2026-11-02 10:00:00+00', 'api_key', NULL, NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8007-000000000035', 'Deal 35', NULL, '00000000-0000-7003-8006-000000000035', '00000000-0000-7003-8005-000000000035', '00000000-0000-7003-8001-000000000000', 'open', 'proposal', 3500.00, 'EUR', NULL, NULL, NULL, NULL, NULL, '{}', '{}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1, '2026-11-02 11:00:00+00', '2026-11-02 11:00:00+00', 'api_key', NULL, NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8007-000000000036', 'Deal 36', NULL, '00000000-0000-7003-8006-000000000036', '00000000-0000-7003-8005-000000000036', '00000000-0000-7003-8001-000000000000', 'closed_won', 'closed_won', 3600.00, 'EUR', NULL, NULL, NULL, NULL, NULL, '{}', '{}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1, '2026-11-02 12:00:00+00', '2026-11-02 12:00:00+00', 'api_key', NULL, NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8007-000000000037', 'Deal 37', NULL, '00000000-0000-7003-8006-000000000037', '00000000-0000-7003-8005-000000000037', '00000000-0000-7003-8001-000000000000', 'open', 'proposal', 3700.00, 'EUR', NULL, NULL, NULL, NULL, NULL, '{}', '{}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1, '2026-11-02 13:00:00+00', '2026-11-02 13:00:00+00', 'api_key', NULL, NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8007-000000000038', 'Deal 38', NULL, '00000000-0000-7003-8006-000000000038', '00000000-0000-7003-8005-000000000038', '00000000-0000-7003-8001-000000000000', 'open', 'proposal', 3800.00, 'EUR', NULL, NULL, NULL, NULL, NULL, '{}', '{}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1, '2026-11-02 14:00:00+00', '2026-11-02 14:00:00+00', 'api_key', NULL, NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8007-000000000039', 'Deal 39', NULL, '00000000-0000-7003-8006-000000000039', '00000000-0000-7003-8005-000000000039', '00000000-0000-7003-8001-000000000000', 'open', 'proposal', 3900.00, 'EUR', NULL, NULL, NULL, NULL, NULL, '{}', '{}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1, '2026-11-02 15:00:00+00', '2026-11-02 15:00:00+00', 'api_key', NULL, '2026-11-02 15:00:00+00', NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8007-000000000040', 'Deal 40', NULL, '00000000-0000-7003-8006-000000000040', '00000000-0000-7003-8005-000000000040', '00000000-0000-7003-8001-000000000000', 'closed_won', 'closed_won', 4000.00, 'EUR', NULL, NULL, NULL, NULL, NULL, '{}', '{}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1, '2026-11-02 16:00:00+00', '2026-11-02 16:00:00+00', 'api_key', NULL, '2026-11-02 16:00:00+00', NULL, NULL);
INSERT INTO public.idempotency_keys VALUES
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8003-000000000001', 'POST /api/v1/crm/contacts', 'k1', '\x0000000000000000000000000000000000000000000000000000000000000000', 201, NULL, '{}', '2026-11-01 01:00:00+00'),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8003-000000000002', 'POST /api/v1/crm/contacts', 'k2', '\x0000000000000000000000000000000000000000000000000000000000000000', 201, NULL, '{}', '2026-11-01 02:00:00+00'),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8003-000000000003', 'POST /api/v1/crm/contacts', 'k3', '\x0000000000000000000000000000000000000000000000000000000000000000', 201, NULL, '{}', '2026-11-01 03:00:00+00'),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8003-000000000004', 'POST /api/v1/crm/contacts', 'k4', '\x0000000000000000000000000000000000000000000000000000000000000000', 201, NULL, '{}', '2026-11-01 04:00:00+00'),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8003-000000000005', 'POST /api/v1/crm/contacts', 'k5', '\x0000000000000000000000000000000000000000000000000000000000000000', 201, NULL, '{}', '2026-11-01 05:00:00+00'),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8003-000000000006', 'POST /api/v1/crm/contacts', 'k6', '\x0000000000000000000000000000000000000000000000000000000000000000', 201, NULL, '{}', '2026-11-01 06:00:00+00'),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8003-000000000007', 'POST /api/v1/crm/contacts', 'k7', '\x0000000000000000000000000000000000000000000000000000000000000000', 201, NULL, '{}', '2026-11-01 07:00:00+00'),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8003-000000000008', 'POST /api/v1/crm/contacts', 'k8', '\x0000000000000000000000000000000000000000000000000000000000000000', 201, NULL, '{}', '2026-11-01 08:00:00+00'),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8003-000000000009', 'POST /api/v1/crm/contacts', 'k9', '\x0000000000000000000000000000000000000000000000000000000000000000', 201, NULL, '{}', '2026-11-01 09:00:00+00'),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8003-000000000010', 'POST /api/v1/crm/contacts', 'k10', '\x0000000000000000000000000000000000000000000000000000000000000000', 201, NULL, '{}', '2026-11-01 10:00:00+00'),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8003-000000000011', 'POST /api/v1/crm/contacts', 'k11', '\x0000000000000000000000000000000000000000000000000000000000000000', 201, NULL, '{}', '2026-11-01 11:00:00+00'),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8003-000000000012', 'POST /api/v1/crm/contacts', 'k12', '\x0000000000000000000000000000000000000000000000000000000000000000', 201, NULL, '{}', '2026-11-01 12:00:00+00'),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8003-000000000013', 'POST /api/v1/crm/contacts', 'k13', '\x0000000000000000000000000000000000000000000000000000000000000000', 201, NULL, '{}', '2026-11-01 13:00:00+00'),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8003-000000000014', 'POST /api/v1/crm/contacts', 'k14', '\x0000000000000000000000000000000000000000000000000000000000000000', 201, NULL, '{}', '2026-11-01 14:00:00+00'),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8003-000000000015', 'POST /api/v1/crm/contacts', 'k15', '\x0000000000000000000000000000000000000000000000000000000000000000', 201, NULL, '{}', '2026-11-01 15:00:00+00'),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8003-000000000016', 'POST /api/v1/crm/contacts', 'k16', '\x0000000000000000000000000000000000000000000000000000000000000000', 201, NULL, '{}', '2026-11-01 16:00:00+00'),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8003-000000000017', 'POST /api/v1/crm/contacts', 'k17', '\x0000000000000000000000000000000000000000000000000000000000000000', 201, NULL, '{}', '2026-11-01 17:00:00+00'),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8003-000000000018', 'POST /api/v1/crm/contacts', 'k18', '\x0000000000000000000000000000000000000000000000000000000000000000', 201, NULL, '{}', '2026-11-01 18:00:00+00'),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8003-000000000019', 'POST /api/v1/crm/contacts', 'k19', '\x0000000000000000000000000000000000000000000000000000000000000000', 201, NULL, '{}', '2026-11-01 19:00:00+00'),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8003-000000000020', 'POST /api/v1/crm/contacts', 'k20', '\x0000000000000000000000000000000000000000000000000000000000000000', 201, NULL, '{}', '2026-11-01 20:00:00+00'),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8003-000000000021', 'POST /api/v1/crm/contacts', 'k21', '\x0000000000000000000000000000000000000000000000000000000000000000', 201, NULL, '{}', '2026-11-01 21:00:00+00'),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8003-000000000022', 'POST /api/v1/crm/contacts', 'k22', '\x0000000000000000000000000000000000000000000000000000000000000000', 201, NULL, '{}', '2026-11-01 22:00:00+00'),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8003-000000000023', 'POST /api/v1/crm/contacts', 'k23', '\x0000000000000000000000000000000000000000000000000000000000000000', 201, NULL, '{}', '2026-11-01 23:00:00+00'),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8003-000000000024', 'POST /api/v1/crm/contacts', 'k24', '\x0000000000000000000000000000000000000000000000000000000000000000', 201, NULL, '{}', '2026-11-02 00:00:00+00'),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8003-000000000025', 'POST /api/v1/crm/contacts', 'k25', '\x0000000000000000000000000000000000000000000000000000000000000000', 201, NULL, '{}', '2026-11-02 01:00:00+00'),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8003-000000000026', 'POST /api/v1/crm/contacts', 'k26', '\x0000000000000000000000000000000000000000000000000000000000000000', 201, NULL, '{}', '2026-11-02 02:00:00+00'),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8003-000000000027', 'POST /api/v1/crm/contacts', 'k27', '\x0000000000000000000000000000000000000000000000000000000000000000', 201, NULL, '{}', '2026-11-02 03:00:00+00'),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8003-000000000028', 'POST /api/v1/crm/contacts', 'k28', '\x0000000000000000000000000000000000000000000000000000000000000000', 201, NULL, '{}', '2026-11-02 04:00:00+00'),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8003-000000000029', 'POST /api/v1/crm/contacts', 'k29', '\x0000000000000000000000000000000000000000000000000000000000000000', 201, NULL, '{}', '2026-11-02 05:00:00+00'),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8003-000000000030', 'POST /api/v1/crm/contacts', 'k30', '\x0000000000000000000000000000000000000000000000000000000000000000', 201, NULL, '{}', '2026-11-02 06:00:00+00'),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8003-000000000031', 'POST /api/v1/crm/contacts', 'k31', '\x0000000000000000000000000000000000000000000000000000000000000000', 201, NULL, '{}', '2026-11-02 07:00:00+00'),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8003-000000000032', 'POST /api/v1/crm/contacts', 'k32', '\x0000000000000000000000000000000000000000000000000000000000000000', 201, NULL, '{}', '2026-11-02 08:00:00+00'),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8003-000000000033', 'POST /api/v1/crm/contacts', 'k33', '\x0000000000000000000000000000000000000000000000000000000000000000', 201, NULL, '{}', '2026-11-02 09:00:00+00'),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8003-000000000034', 'POST /api/v1/crm/contacts', 'k34', '\x0000000000000000000000000000000000000000000000000000000000000000', 201, NULL, '{}', '2026-11-02 10:00:00+00'),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8003-000000000035', 'POST /api/v1/crm/contacts', 'k35', '\x0000000000000000000000000000000000000000000000000000000000000000', 201, NULL, '{}', '2026-11-02 11:00:00+00'),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8003-000000000036', 'POST /api/v1/crm/contacts', 'k36', '\x0000000000000000000000000000000000000000000000000000000000000000', 201, NULL, '{}', '2026-11-02 12:00:00+00'),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8003-000000000037', 'POST /api/v1/crm/contacts', 'k37', '\x0000000000000000000000000000000000000000000000000000000000000000', 201, NULL, '{}', '2026-11-02 13:00:00+00'),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8003-000000000038', 'POST /api/v1/crm/contacts', 'k38', '\x0000000000000000000000000000000000000000000000000000000000000000', 201, NULL, '{}', '2026-11-02 14:00:00+00'),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8003-000000000039', 'POST /api/v1/crm/contacts', 'k39', '\x0000000000000000000000000000000000000000000000000000000000000000', 201, NULL, '{}', '2026-11-02 15:00:00+00'),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8003-000000000040', 'POST /api/v1/crm/contacts', 'k40', '\x0000000000000000000000000000000000000000000000000000000000000000', 201, NULL, '{}', '2026-11-02 16:00:00+00'),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8003-000000000001', 'POST /api/v1/crm/contacts', 'k1', '\x0000000000000000000000000000000000000000000000000000000000000000', 201, NULL, '{}', '2026-11-01 01:00:00+00'),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8003-000000000002', 'POST /api/v1/crm/contacts', 'k2', '\x0000000000000000000000000000000000000000000000000000000000000000', 201, NULL, '{}', '2026-11-01 02:00:00+00'),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8003-000000000003', 'POST /api/v1/crm/contacts', 'k3', '\x0000000000000000000000000000000000000000000000000000000000000000', 201, NULL, '{}', '2026-11-01 03:00:00+00'),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8003-000000000004', 'POST /api/v1/crm/contacts', 'k4', '\x0000000000000000000000000000000000000000000000000000000000000000', 201, NULL, '{}', '2026-11-01 04:00:00+00'),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8003-000000000005', 'POST /api/v1/crm/contacts', 'k5', '\x0000000000000000000000000000000000000000000000000000000000000000', 201, NULL, '{}', '2026-11-01 05:00:00+00'),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8003-000000000006', 'POST /api/v1/crm/contacts', 'k6', '\x0000000000000000000000000000000000000000000000000000000000000000', 201, NULL, '{}', '2026-11-01 06:00:00+00'),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8003-000000000007', 'POST /api/v1/crm/contacts', 'k7', '\x0000000000000000000000000000000000000000000000000000000000000000', 201, NULL, '{}', '2026-11-01 07:00:00+00'),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8003-000000000008', 'POST /api/v1/crm/contacts', 'k8', '\x0000000000000000000000000000000000000000000000000000000000000000', 201, NULL, '{}', '2026-11-01 08:00:00+00'),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8003-000000000009', 'POST /api/v1/crm/contacts', 'k9', '\x0000000000000000000000000000000000000000000000000000000000000000', 201, NULL, '{}', '2026-11-01 09:00:00+00'),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8003-000000000010', 'POST /api/v1/crm/contacts', 'k10', '\x0000000000000000000000000000000000000000000000000000000000000000', 201, NULL, '{}', '2026-11-01 10:00:00+00'),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8003-000000000011', 'POST /api/v1/crm/contacts', 'k11', '\x0000000000000000000000000000000000000000000000000000000000000000', 201, NULL, '{}', '2026-11-01 11:00:00+00'),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8003-000000000012', 'POST /api/v1/crm/contacts', 'k12', '\x0000000000000000000000000000000000000000000000000000000000000000', 201, NULL, '{}', '2026-11-01 12:00:00+00'),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8003-000000000013', 'POST /api/v1/crm/contacts', 'k13', '\x0000000000000000000000000000000000000000000000000000000000000000', 201, NULL, '{}', '2026-11-01 13:00:00+00'),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8003-000000000014', 'POST /api/v1/crm/contacts', 'k14', '\x0000000000000000000000000000000000000000000000000000000000000000', 201, NULL, '{}', '2026-11-01 14:00:00+00'),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8003-000000000015', 'POST /api/v1/crm/contacts', 'k15', '\x0000000000000000000000000000000000000000000000000000000000000000', 201, NULL, '{}', '2026-11-01 15:00:00+00'),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8003-000000000016', 'POST /api/v1/crm/contacts', 'k16', '\x0000000000000000000000000000000000000000000000000000000000000000', 201, NULL, '{}', '2026-11-01 16:00:00+00'),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8003-000000000017', 'POST /api/v1/crm/contacts', 'k17', '\x0000000000000000000000000000000000000000000000000000000000000000', 201, NULL, '{}', '2026-11-01 17:00:00+00'),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8003-000000000018', 'POST /api/v1/crm/contacts', 'k18', '\x0000000000000000000000000000000000000000000000000000000000000000', 201, NULL, '{}', '2026-11-01 18:00:00+00'),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8003-000000000019', 'POST /api/v1/crm/contacts', 'k19', '\x0000000000000000000000000000000000000000000000000000000000000000', 201, NULL, '{}', '2026-11-01 19:00:00+00'),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8003-000000000020', 'POST /api/v1/crm/contacts', 'k20', '\x0000000000000000000000000000000000000000000000000000000000000000', 201, NULL, '{}', '2026-11-01 20:00:00+00'),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8003-000000000021', 'POST /api/v1/crm/contacts', 'k21', '\x0000000000000000000000000000000000000000000000000000000000000000', 201, NULL, '{}', '2026-11-01 21:00:00+00'),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8003-000000000022', 'POST /api/v1/crm/contacts', 'k22', '\x0000000000000000000000000000000000000000000000000000000000000000', 201, NULL, '{}', '2026-11-01 22:00:00+00'),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8003-000000000023', 'POST /api/v1/crm/contacts', 'k23', '\x0000000000000000000000000000000000000000000000000000000000000000', 201, NULL, '{}', '2026-11-01 23:00:00+00'),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8003-000000000024', 'POST /api/v1/crm/contacts', 'k24', '\x0000000000000000000000000000000000000000000000000000000000000000', 201, NULL, '{}', '2026-11-02 00:00:00+00'),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8003-000000000025', 'POST /api/v1/crm/contacts', 'k25', '\x0000000000000000000000000000000000000000000000000000000000000000', 201, NULL, '{}', '2026-11-02 01:00:00+00'),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8003-000000000026', 'POST /api/v1/crm/contacts', 'k26', '\x0000000000000000000000000000000000000000000000000000000000000000', 201, NULL, '{}', '2026-11-02 02:00:00+00'),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8003-000000000027', 'POST /api/v1/crm/contacts', 'k27', '\x0000000000000000000000000000000000000000000000000000000000000000', 201, NULL, '{}', '2026-11-02 03:00:00+00'),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8003-000000000028', 'POST /api/v1/crm/contacts', 'k28', '\x0000000000000000000000000000000000000000000000000000000000000000', 201, NULL, '{}', '2026-11-02 04:00:00+00'),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8003-000000000029', 'POST /api/v1/crm/contacts', 'k29', '\x0000000000000000000000000000000000000000000000000000000000000000', 201, NULL, '{}', '2026-11-02 05:00:00+00'),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8003-000000000030', 'POST /api/v1/crm/contacts', 'k30', '\x0000000000000000000000000000000000000000000000000000000000000000', 201, NULL, '{}', '2026-11-02 06:00:00+00'),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8003-000000000031', 'POST /api/v1/crm/contacts', 'k31', '\x0000000000000000000000000000000000000000000000000000000000000000', 201, NULL, '{}', '2026-11-02 07:00:00+00'),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8003-000000000032', 'POST /api/v1/crm/contacts', 'k32', '\x0000000000000000000000000000000000000000000000000000000000000000', 201, NULL, '{}', '2026-11-02 08:00:00+00'),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8003-000000000033', 'POST /api/v1/crm/contacts', 'k33', '\x0000000000000000000000000000000000000000000000000000000000000000', 201, NULL, '{}', '2026-11-02 09:00:00+00'),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8003-000000000034', 'POST /api/v1/crm/contacts', 'k34', '\x0000000000000000000000000000000000000000000000000000000000000000', 201, NULL, '{}', '2026-11-02 10:00:00+00'),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8003-000000000035', 'POST /api/v1/crm/contacts', 'k35', '\x0000000000000000000000000000000000000000000000000000000000000000', 201, NULL, '{}', '2026-11-02 11:00:00+00'),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8003-000000000036', 'POST /api/v1/crm/contacts', 'k36', '\x0000000000000000000000000000000000000000000000000000000000000000', 201, NULL, '{}', '2026-11-02 12:00:00+00'),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8003-000000000037', 'POST /api/v1/crm/contacts', 'k37', '\x0000000000000000000000000000000000000000000000000000000000000000', 201, NULL, '{}', '2026-11-02 13:00:00+00'),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8003-000000000038', 'POST /api/v1/crm/contacts', 'k38', '\x0000000000000000000000000000000000000000000000000000000000000000', 201, NULL, '{}', '2026-11-02 14:00:00+00'),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8003-000000000039', 'POST /api/v1/crm/contacts', 'k39', '\x0000000000000000000000000000000000000000000000000000000000000000', 201, NULL, '{}', '2026-11-02 15:00:00+00'),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8003-000000000040', 'POST /api/v1/crm/contacts', 'k40', '\x0000000000000000000000000000000000000000000000000000000000000000', 201, NULL, '{}', '2026-11-02 16:00:00+00'),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8003-000000000001', 'POST /api/v1/crm/contacts', 'k1', '\x0000000000000000000000000000000000000000000000000000000000000000', 201, NULL, '{}', '2026-11-01 01:00:00+00'),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8003-000000000002', 'POST /api/v1/crm/contacts', 'k2', '\x0000000000000000000000000000000000000000000000000000000000000000', 201, NULL, '{}', '2026-11-01 02:00:00+00'),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8003-000000000003', 'POST /api/v1/crm/contacts', 'k3', '\x0000000000000000000000000000000000000000000000000000000000000000', 201, NULL, '{}', '2026-11-01 03:00:00+00'),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8003-000000000004', 'POST /api/v1/crm/contacts', 'k4', '\x0000000000000000000000000000000000000000000000000000000000000000', 201, NULL, '{}', '2026-11-01 04:00:00+00'),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8003-000000000005', 'POST /api/v1/crm/contacts', 'k5', '\x0000000000000000000000000000000000000000000000000000000000000000', 201, NULL, '{}', '2026-11-01 05:00:00+00'),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8003-000000000006', 'POST /api/v1/crm/contacts', 'k6', '\x0000000000000000000000000000000000000000000000000000000000000000', 201, NULL, '{}', '2026-11-01 06:00:00+00'),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8003-000000000007', 'POST /api/v1/crm/contacts', 'k7', '\x0000000000000000000000000000000000000000000000000000000000000000', 201, NULL, '{}', '2026-11-01 07:00:00+00'),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8003-000000000008', 'POST /api/v1/crm/contacts', 'k8', '\x0000000000000000000000000000000000000000000000000000000000000000', 201, NULL, '{}', '2026-11-01 08:00:00+00'),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8003-000000000009', 'POST /api/v1/crm/contacts', 'k9', '\x0000000000000000000000000000000000000000000000000000000000000000', 201, NULL, '{}', '2026-11-01 09:00:00+00'),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8003-000000000010', 'POST /api/v1/crm/contacts', 'k10', '\x0000000000000000000000000000000000000000000000000000000000000000', 201, NULL, '{}', '2026-11-01 10:00:00+00'),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8003-000000000011', 'POST /api/v1/crm/contacts', 'k11', '\x0000000000000000000000000000000000000000000000000000000000000000', 201, NULL, '{}', '2026-11-01 11:00:00+00'),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8003-000000000012', 'POST /api/v1/crm/contacts', 'k12', '\x0000000000000000000000000000000000000000000000000000000000000000', 201, NULL, '{}', '2026-11-01 12:00:00+00'),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8003-000000000013', 'POST /api/v1/crm/contacts', 'k13', '\x0000000000000000000000000000000000000000000000000000000000000000', 201, NULL, '{}', '2026-11-01 13:00:00+00'),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8003-000000000014', 'POST /api/v1/crm/contacts', 'k14', '\x0000000000000000000000000000000000000000000000000000000000000000', 201, NULL, '{}', '2026-11-01 14:00:00+00'),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8003-000000000015', 'POST /api/v1/crm/contacts', 'k15', '\x0000000000000000000000000000000000000000000000000000000000000000', 201, NULL, '{}', '2026-11-01 15:00:00+00'),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8003-000000000016', 'POST /api/v1/crm/contacts', 'k16', '\x0000000000000000000000000000000000000000000000000000000000000000', 201, NULL, '{}', '2026-11-01 16:00:00+00'),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8003-000000000017', 'POST /api/v1/crm/contacts', 'k17', '\x0000000000000000000000000000000000000000000000000000000000000000', 201, NULL, '{}', '2026-11-01 17:00:00+00'),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8003-000000000018', 'POST /api/v1/crm/contacts', 'k18', '\x0000000000000000000000000000000000000000000000000000000000000000', 201, NULL, '{}', '2026-11-01 18:00:00+00'),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8003-000000000019', 'POST /api/v1/crm/contacts', 'k19', '\x0000000000000000000000000000000000000000000000000000000000000000', 201, NULL, '{}', '2026-11-01 19:00:00+00'),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8003-000000000020', 'POST /api/v1/crm/contacts', 'k20', '\x0000000000000000000000000000000000000000000000000000000000000000', 201, NULL, '{}', '2026-11-01 20:00:00+00'),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8003-000000000021', 'POST /api/v1/crm/contacts', 'k21', '\x0000000000000000000000000000000000000000000000000000000000000000', 201, NULL, '{}', '2026-11-01 21:00:00+00'),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8003-000000000022', 'POST /api/v1/crm/contacts', 'k22', '\x0000000000000000000000000000000000000000000000000000000000000000', 201, NULL, '{}', '2026-11-01 22:00:00+00'),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8003-000000000023', 'POST /api/v1/crm/contacts', 'k23', '\x0000000000000000000000000000000000000000000000000000000000000000', 201, NULL, '{}', '2026-11-01 23:00:00+00'),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8003-000000000024', 'POST /api/v1/crm/contacts', 'k24', '\x0000000000000000000000000000000000000000000000000000000000000000', 201, NULL, '{}', '2026-11-02 00:00:00+00'),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8003-000000000025', 'POST /api/v1/crm/contacts', 'k25', '\x0000000000000000000000000000000000000000000000000000000000000000', 201, NULL, '{}', '2026-11-02 01:00:00+00'),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8003-000000000026', 'POST /api/v1/crm/contacts', 'k26', '\x0000000000000000000000000000000000000000000000000000000000000000', 201, NULL, '{}', '2026-11-02 02:00:00+00'),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8003-000000000027', 'POST /api/v1/crm/contacts', 'k27', '\x0000000000000000000000000000000000000000000000000000000000000000', 201, NULL, '{}', '2026-11-02 03:00:00+00'),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8003-000000000028', 'POST /api/v1/crm/contacts', 'k28', '\x0000000000000000000000000000000000000000000000000000000000000000', 201, NULL, '{}', '2026-11-02 04:00:00+00'),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8003-000000000029', 'POST /api/v1/crm/contacts', 'k29', '\x0000000000000000000000000000000000000000000000000000000000000000', 201, NULL, '{}', '2026-11-02 05:00:00+00'),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8003-000000000030', 'POST /api/v1/crm/contacts', 'k30', '\x0000000000000000000000000000000000000000000000000000000000000000', 201, NULL, '{}', '2026-11-02 06:00:00+00'),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8003-000000000031', 'POST /api/v1/crm/contacts', 'k31', '\x0000000000000000000000000000000000000000000000000000000000000000', 201, NULL, '{}', '2026-11-02 07:00:00+00'),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8003-000000000032', 'POST /api/v1/crm/contacts', 'k32', '\x0000000000000000000000000000000000000000000000000000000000000000', 201, NULL, '{}', '2026-11-02 08:00:00+00'),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8003-000000000033', 'POST /api/v1/crm/contacts', 'k33', '\x0000000000000000000000000000000000000000000000000000000000000000', 201, NULL, '{}', '2026-11-02 09:00:00+00'),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8003-000000000034', 'POST /api/v1/crm/contacts', 'k34', '\x0000000000000000000000000000000000000000000000000000000000000000', 201, NULL, '{}', '2026-11-02 10:00:00+00'),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8003-000000000035', 'POST /api/v1/crm/contacts', 'k35', '\x0000000000000000000000000000000000000000000000000000000000000000', 201, NULL, '{}', '2026-11-02 11:00:00+00'),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8003-000000000036', 'POST /api/v1/crm/contacts', 'k36', '\x0000000000000000000000000000000000000000000000000000000000000000', 201, NULL, '{}', '2026-11-02 12:00:00+00'),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8003-000000000037', 'POST /api/v1/crm/contacts', 'k37', '\x0000000000000000000000000000000000000000000000000000000000000000', 201, NULL, '{}', '2026-11-02 13:00:00+00'),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8003-000000000038', 'POST /api/v1/crm/contacts', 'k38', '\x0000000000000000000000000000000000000000000000000000000000000000', 201, NULL, '{}', '2026-11-02 14:00:00+00'),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8003-000000000039', 'POST /api/v1/crm/contacts', 'k39', '\x0000000000000000000000000000000000000000000000000000000000000000', 201, NULL, '{}', '2026-11-02 15:00:00+00'),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8003-000000000040', 'POST /api/v1/crm/contacts', 'k40', '\x0000000000000000000000000000000000000000000000000000000000000000', 201, NULL, '{}', '2026-11-02 16:00:00+00');
INSERT INTO public.issue_counters VALUES
	('00000000-0000-7001-8000-000000000000', 'task', 41),
	('00000000-0000-7002-8000-000000000000', 'task', 41),
	('00000000-0000-7003-8000-000000000000', 'task', 41),
	('00000000-0000-7001-8000-000000000000', 'ticket', 41),
	('00000000-0000-7002-8000-000000000000', 'ticket', 41),
	('00000000-0000-7003-8000-000000000000', 'ticket', 41);
INSERT INTO public.issues VALUES
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8010-000000000001', 'task', 1, NULL, 'Task 1', 'Oil the bearings', 'todo', 'medium', '00000000-0000-7001-8008-000000000001', '00000000-0000-7001-8001-000000000000', NULL, NULL, NULL, NULL, '00000000-0000-7001-8009-000000000001', NULL, '{urgent}', NULL, 1, '2026-11-01 01:00:00+00', '2026-11-01 01:00:00+00', 'user', NULL, NULL, '', NULL, NULL, NULL, NULL, NULL, NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8010-000000000002', 'task', 2, NULL, 'Task 2', 'Oil the bearings', 'done', 'medium', '00000000-0000-7001-8008-000000000002', '00000000-0000-7001-8001-000000000000', NULL, NULL, NULL, NULL, '00000000-0000-7001-8009-000000000002', NULL, '{urgent}', '2026-11-01 02:00:00+00', 1, '2026-11-01 02:00:00+00', '2026-11-01 02:00:00+00', 'user', NULL, NULL, '', NULL, NULL, NULL, NULL, NULL, NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8010-000000000003', 'task', 3, NULL, 'Task 3', 'Oil the bearings', 'todo', 'medium', '00000000-0000-7001-8008-000000000003', '00000000-0000-7001-8001-000000000000', NULL, NULL, NULL, NULL, '00000000-0000-7001-8009-000000000003', NULL, '{urgent}', NULL, 1, '2026-11-01 03:00:00+00', '2026-11-01 03:00:00+00', 'user', NULL, NULL, '', NULL, NULL, NULL, NULL, NULL, NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8010-000000000004', 'task', 4, NULL, 'Task 4', 'Oil the bearings', 'done', 'medium', '00000000-0000-7001-8008-000000000004', '00000000-0000-7001-8001-000000000000', NULL, NULL, NULL, NULL, '00000000-0000-7001-8009-000000000004', NULL, '{urgent}', '2026-11-01 04:00:00+00', 1, '2026-11-01 04:00:00+00', '2026-11-01 04:00:00+00', 'user', NULL, NULL, '', NULL, NULL, NULL, NULL, NULL, NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8010-000000000005', 'task', 5, NULL, 'Task 5', 'Oil the bearings', 'todo', 'medium', '00000000-0000-7001-8008-000000000005', '00000000-0000-7001-8001-000000000000', NULL, NULL, NULL, NULL, '00000000-0000-7001-8009-000000000005', NULL, '{urgent}', NULL, 1, '2026-11-01 05:00:00+00', '2026-11-01 05:00:00+00', 'user', NULL, NULL, '', NULL, NULL, NULL, NULL, NULL, NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8010-000000000006', 'task', 6, NULL, 'Task 6', 'Oil the bearings', 'done', 'medium', '00000000-0000-7001-8008-000000000006', '00000000-0000-7001-8001-000000000000', NULL, NULL, NULL, NULL, '00000000-0000-7001-8009-000000000006', NULL, '{urgent}', '2026-11-01 06:00:00+00', 1, '2026-11-01 06:00:00+00', '2026-11-01 06:00:00+00', 'user', NULL, NULL, '', NULL, NULL, NULL, NULL, NULL, NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8010-000000000007', 'task', 7, NULL, 'Task 7', 'Oil the bearings', 'todo', 'medium', '00000000-0000-7001-8008-000000000007', '00000000-0000-7001-8001-000000000000', NULL, NULL, NULL, NULL, '00000000-0000-7001-8009-000000000007', NULL, '{urgent}', NULL, 1, '2026-11-01 07:00:00+00', '2026-11-01 07:00:00+00', 'user', NULL, NULL, '', NULL, NULL, NULL, NULL, NULL, NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8010-000000000008', 'task', 8, NULL, 'Task 8', 'Oil the bearings', 'done', 'medium', '00000000-0000-7001-8008-000000000008', '00000000-0000-7001-8001-000000000000', NULL, NULL, NULL, NULL, '00000000-0000-7001-8009-000000000008', NULL, '{urgent}', '2026-11-01 08:00:00+00', 1, '2026-11-01 08:00:00+00', '2026-11-01 08:00:00+00', 'user', NULL, NULL, '', NULL, NULL, NULL, NULL, NULL, NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8010-000000000009', 'task', 9, NULL, 'Task 9', 'Oil the bearings', 'todo', 'medium', '00000000-0000-7001-8008-000000000009', '00000000-0000-7001-8001-000000000000', NULL, NULL, NULL, NULL, '00000000-0000-7001-8009-000000000009', NULL, '{urgent}', NULL, 1, '2026-11-01 09:00:00+00', '2026-11-01 09:00:00+00', 'user', NULL, NULL, '', NULL, NULL, NULL, NULL, NULL, NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8010-000000000010', 'task', 10, NULL, 'Task 10', 'Oil the bearings', 'done', 'medium', '00000000-0000-7001-8008-000000000010', '00000000-0000-7001-8001-000000000000', NULL, NULL, NULL, NULL, '00000000-0000-7001-8009-000000000010', NULL, '{urgent}', '2026-11-01 10:00:00+00', 1, '2026-11-01 10:00:00+00', '2026-11-01 10:00:00+00', 'user', NULL, NULL, '', NULL, NULL, NULL, NULL, NULL, NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8010-000000000011', 'task', 11, NULL, 'Task 11', 'Oil the bearings', 'todo', 'medium', '00000000-0000-7001-8008-000000000011', '00000000-0000-7001-8001-000000000000', NULL, NULL, NULL, NULL, '00000000-0000-7001-8009-000000000011', NULL, '{urgent}', NULL, 1, '2026-11-01 11:00:00+00', '2026-11-01 11:00:00+00', 'user', NULL, NULL, '', NULL, NULL, NULL, NULL, NULL, NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8010-000000000012', 'task', 12, NULL, 'Task 12', 'Oil the bearings', 'done', 'medium', '00000000-0000-7001-8008-000000000012', '00000000-0000-7001-8001-000000000000', NULL, NULL, NULL, NULL, '00000000-0000-7001-8009-000000000012', NULL, '{urgent}', '2026-11-01 12:00:00+00', 1, '2026-11-01 12:00:00+00', '2026-11-01 12:00:00+00', 'user', NULL, NULL, '', NULL, NULL, NULL, NULL, NULL, NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8010-000000000013', 'task', 13, NULL, 'Task 13', 'Oil the bearings', 'todo', 'medium', '00000000-0000-7001-8008-000000000013', '00000000-0000-7001-8001-000000000000', NULL, NULL, NULL, NULL, '00000000-0000-7001-8009-000000000013', NULL, '{urgent}', NULL, 1, '2026-11-01 13:00:00+00', '2026-11-01 13:00:00+00', 'user', NULL, NULL, '', NULL, NULL, NULL, NULL, NULL, NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8010-000000000014', 'task', 14, NULL, 'Task 14', 'Oil the bearings', 'done', 'medium', '00000000-0000-7001-8008-000000000014', '00000000-0000-7001-8001-000000000000', NULL, NULL, NULL, NULL, '00000000-0000-7001-8009-000000000014', NULL, '{urgent}', '2026-11-01 14:00:00+00', 1, '2026-11-01 14:00:00+00', '2026-11-01 14:00:00+00', 'user', NULL, NULL, '', NULL, NULL, NULL, NULL, NULL, NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8010-000000000015', 'task', 15, NULL, 'Task 15', 'Oil the bearings', 'todo', 'medium', '00000000-0000-7001-8008-000000000015', '00000000-0000-7001-8001-000000000000', NULL, NULL, NULL, NULL, '00000000-0000-7001-8009-000000000015', NULL, '{urgent}', NULL, 1, '2026-11-01 15:00:00+00', '2026-11-01 15:00:00+00', 'user', NULL, NULL, '', NULL, NULL, NULL, NULL, NULL, NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8010-000000000016', 'task', 16, NULL, 'Task 16', 'Oil the bearings', 'done', 'medium', '00000000-0000-7001-8008-000000000016', '00000000-0000-7001-8001-000000000000', NULL, NULL, NULL, NULL, '00000000-0000-7001-8009-000000000016', NULL, '{urgent}', '2026-11-01 16:00:00+00', 1, '2026-11-01 16:00:00+00', '2026-11-01 16:00:00+00', 'user', NULL, NULL, '', NULL, NULL, NULL, NULL, NULL, NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8010-000000000017', 'task', 17, NULL, 'Task 17', 'Oil the bearings', 'todo', 'medium', '00000000-0000-7001-8008-000000000017', '00000000-0000-7001-8001-000000000000', NULL, NULL, NULL, NULL, '00000000-0000-7001-8009-000000000017', NULL, '{urgent}', NULL, 1, '2026-11-01 17:00:00+00', '2026-11-01 17:00:00+00', 'user', NULL, NULL, '', NULL, NULL, NULL, NULL, NULL, NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8010-000000000018', 'task', 18, NULL, 'Task 18', 'Oil the bearings', 'done', 'medium', '00000000-0000-7001-8008-000000000018', '00000000-0000-7001-8001-000000000000', NULL, NULL, NULL, NULL, '00000000-0000-7001-8009-000000000018', NULL, '{urgent}', '2026-11-01 18:00:00+00', 1, '2026-11-01 18:00:00+00', '2026-11-01 18:00:00+00', 'user', NULL, NULL, '', NULL, NULL, NULL, NULL, NULL, NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8010-000000000019', 'task', 19, NULL, 'Task 19', 'Oil the bearings', 'todo', 'medium', '00000000-0000-7001-8008-000000000019', '00000000-0000-7001-8001-000000000000', NULL, NULL, NULL, NULL, '00000000-0000-7001-8009-000000000019', NULL, '{urgent}', NULL, 1, '2026-11-01 19:00:00+00', '2026-11-01 19:00:00+00', 'user', NULL, NULL, '', NULL, NULL, NULL, NULL, NULL, NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8010-000000000020', 'task', 20, NULL, 'Task 20', 'Oil the bearings', 'done', 'medium', '00000000-0000-7001-8008-000000000020', '00000000-0000-7001-8001-000000000000', NULL, NULL, NULL, NULL, '00000000-0000-7001-8009-000000000020', NULL, '{urgent}', '2026-11-01 20:00:00+00', 1, '2026-11-01 20:00:00+00', '2026-11-01 20:00:00+00', 'user', NULL, NULL, '', NULL, NULL, NULL, NULL, NULL, NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8010-000000000021', 'task', 21, NULL, 'Task 21', 'Oil the bearings', 'todo', 'medium', '00000000-0000-7001-8008-000000000021', '00000000-0000-7001-8001-000000000000', NULL, NULL, NULL, NULL, '00000000-0000-7001-8009-000000000021', NULL, '{urgent}', NULL, 1, '2026-11-01 21:00:00+00', '2026-11-01 21:00:00+00', 'user', NULL, NULL, '', NULL, NULL, NULL, NULL, NULL, NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8010-000000000022', 'task', 22, NULL, 'Task 22', 'Oil the bearings', 'done', 'medium', '00000000-0000-7001-8008-000000000022', '00000000-0000-7001-8001-000000000000', NULL, NULL, NULL, NULL, '00000000-0000-7001-8009-000000000022', NULL, '{urgent}', '2026-11-01 22:00:00+00', 1, '2026-11-01 22:00:00+00', '2026-11-01 22:00:00+00', 'user', NULL, NULL, '', NULL, NULL, NULL, NULL, NULL, NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8010-000000000023', 'task', 23, NULL, 'Task 23', 'Oil the bearings', 'todo', 'medium', '00000000-0000-7001-8008-000000000023', '00000000-0000-7001-8001-000000000000', NULL, NULL, NULL, NULL, '00000000-0000-7001-8009-000000000023', NULL, '{urgent}', NULL, 1, '2026-11-01 23:00:00+00', '2026-11-01 23:00:00+00', 'user', NULL, NULL, '', NULL, NULL, NULL, NULL, NULL, NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8010-000000000024', 'task', 24, NULL, 'Task 24', 'Oil the bearings', 'done', 'medium', '00000000-0000-7001-8008-000000000024', '00000000-0000-7001-8001-000000000000', NULL, NULL, NULL, NULL, '00000000-0000-7001-8009-000000000024', NULL, '{urgent}', '2026-11-02 00:00:00+00', 1, '2026-11-02 00:00:00+00', '2026-11-02 00:00:00+00', 'user', NULL, NULL, '', NULL, NULL, NULL, NULL, NULL, NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8010-000000000025', 'task', 25, NULL, 'Task 25', 'Oil the bearings', 'todo', 'medium', '00000000-0000-7001-8008-000000000025', '00000000-0000-7001-8001-000000000000', NULL, NULL, NULL, NULL, '00000000-0000-7001-8009-000000000025', NULL, '{urgent}', NULL, 1, '2026-11-02 01:00:00+00', '2026-11-02 01:00:00+00', 'user', NULL, NULL, '', NULL, NULL, NULL, NULL, NULL, NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8010-000000000026', 'task', 26, NULL, 'Task 26', 'Oil the bearings', 'done', 'medium', '00000000-0000-7001-8008-000000000026', '00000000-0000-7001-8001-000000000000', NULL, NULL, NULL, NULL, '00000000-0000-7001-8009-000000000026', NULL, '{urgent}', '2026-11-02 02:00:00+00', 1, '2026-11-02 02:00:00+00', '2026-11-02 02:00:00+00', 'user', NULL, NULL, '', NULL, NULL, NULL, NULL, NULL, NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8010-000000000027', 'task', 27, NULL, 'Task 27', 'Oil the bearings', 'todo', 'medium', '00000000-0000-7001-8008-000000000027', '00000000-0000-7001-8001-000000000000', NULL, NULL, NULL, NULL, '00000000-0000-7001-8009-000000000027', NULL, '{urgent}', NULL, 1, '2026-11-02 03:00:00+00', '2026-11-02 03:00:00+00', 'user', NULL, NULL, '', NULL, NULL, NULL, NULL, NULL, NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8010-000000000028', 'task', 28, NULL, 'Task 28', 'Oil the bearings', 'done', 'medium', '00000000-0000-7001-8008-000000000028', '00000000-0000-7001-8001-000000000000', NULL, NULL, NULL, NULL, '00000000-0000-7001-8009-000000000028', NULL, '{urgent}', '2026-11-02 04:00:00+00', 1, '2026-11-02 04:00:00+00', '2026-11-02 04:00:00+00', 'user', NULL, NULL, '', NULL, NULL, NULL, NULL, NULL, NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8010-000000000029', 'task', 29, NULL, 'Task 29', 'Oil the bearings', 'todo', 'medium', '00000000-0000-7001-8008-000000000029', '00000000-0000-7001-8001-000000000000', NULL, NULL, NULL, NULL, '00000000-0000-7001-8009-000000000029', NULL, '{urgent}', NULL, 1, '2026-11-02 05:00:00+00', '2026-11-02 05:00:00+00', 'user', NULL, NULL, '', NULL, NULL, NULL, NULL, NULL, NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8010-000000000030', 'task', 30, NULL, 'Task 30', 'Oil the bearings', 'done', 'medium', '00000000-0000-7001-8008-000000000030', '00000000-0000-7001-8001-000000000000', NULL, NULL, NULL, NULL, '00000000-0000-7001-8009-000000000030', NULL, '{urgent}', '2026-11-02 06:00:00+00', 1, '2026-11-02 06:00:00+00', '2026-11-02 06:00:00+00', 'user', NULL, NULL, '', NULL, NULL, NULL, NULL, NULL, NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8010-000000000031', 'task', 31, NULL, 'Task 31', 'Oil the bearings', 'todo', 'medium', '00000000-0000-7001-8008-000000000031', '00000000-0000-7001-8001-000000000000', NULL, NULL, NULL, NULL, '00000000-0000-7001-8009-000000000031', NULL, '{urgent}', NULL, 1, '2026-11-02 07:00:00+00', '2026-11-02 07:00:00+00', 'user', NULL, NULL, '', NULL, NULL, NULL, NULL, NULL, NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8010-000000000032', 'task', 32, NULL, 'Task 32', 'Oil the bearings', 'done', 'medium', '00000000-0000-7001-8008-000000000032', '00000000-0000-7001-8001-000000000000', NULL, NULL, NULL, NULL, '00000000-0000-7001-8009-000000000032', NULL, '{urgent}', '2026-11-02 08:00:00+00', 1, '2026-11-02 08:00:00+00', '2026-11-02 08:00:00+00', 'user', NULL, NULL, '', NULL, NULL, NULL, NULL, NULL, NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8010-000000000033', 'task', 33, NULL, 'Task 33', 'Oil the bearings', 'todo', 'medium', '00000000-0000-7001-8008-000000000033', '00000000-0000-7001-8001-000000000000', NULL, NULL, NULL, NULL, '00000000-0000-7001-8009-000000000033', NULL, '{urgent}', NULL, 1, '2026-11-02 09:00:00+00', '2026-11-02 09:00:00+00', 'user', NULL, NULL, '', NULL, NULL, NULL, NULL, NULL, NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8010-000000000034', 'task', 34, NULL, 'Task 34', 'Oil the bearings', 'done', 'medium', '00000000-0000-7001-8008-000000000034', '00000000-0000-7001-8001-000000000000', NULL, NULL, NULL, NULL, '00000000-0000-7001-8009-000000000034', NULL, '{urgent}', '2026-11-02 10:00:00+00', 1, '2026-11-02 10:00:00+00', '2026-11-02 10:00:00+00', 'user', NULL, NULL, '', NULL, NULL, NULL, NULL, NULL, NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8010-000000000035', 'task', 35, NULL, 'Task 35', 'Oil the bearings', 'todo', 'medium', '00000000-0000-7001-8008-000000000035', '00000000-0000-7001-8001-000000000000', NULL, NULL, NULL, NULL, '00000000-0000-7001-8009-000000000035', NULL, '{urgent}', NULL, 1, '2026-11-02 11:00:00+00', '2026-11-02 11:00:00+00', 'user', NULL, NULL, '', NULL, NULL, NULL, NULL, NULL, NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8010-000000000036', 'task', 36, NULL, 'Task 36', 'Oil the bearings', 'done', 'medium', '00000000-0000-7001-8008-000000000036', '00000000-0000-7001-8001-000000000000', NULL, NULL, NULL, NULL, '00000000-0000-7001-8009-000000000036', NULL, '{urgent}', '2026-11-02 12:00:00+00', 1, '2026-11-02 12:00:00+00', '2026-11-02 12:00:00+00', 'user', NULL, NULL, '', NULL, NULL, NULL, NULL, NULL, NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8010-000000000037', 'task', 37, NULL, 'Task 37', 'Oil the bearings', 'todo', 'medium', '00000000-0000-7001-8008-000000000037', '00000000-0000-7001-8001-000000000000', NULL, NULL, NULL, NULL, '00000000-0000-7001-8009-000000000037', NULL, '{urgent}', NULL, 1, '2026-11-02 13:00:00+00', '2026-11-02 13:00:00+00', 'user', NULL, NULL, '', NULL, NULL, NULL, NULL, NULL, NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8010-000000000038', 'task', 38, NULL, 'Task 38', 'Oil the bearings', 'done', 'medium', '00000000-0000-7001-8008-000000000038', '00000000-0000-7001-8001-000000000000', NULL, NULL, NULL, NULL, '00000000-0000-7001-8009-000000000038', NULL, '{urgent}', '2026-11-02 14:00:00+00', 1, '2026-11-02 14:00:00+00', '2026-11-02 14:00:00+00', 'user', NULL, NULL, '', NULL, NULL, NULL, NULL, NULL, NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8010-000000000039', 'task', 39, NULL, 'Task 39', 'Oil the bearings', 'todo', 'medium', '00000000-0000-7001-8008-000000000039', '00000000-0000-7001-8001-000000000000', NULL, NULL, NULL, NULL, '00000000-0000-7001-8009-000000000039', NULL, '{urgent}', NULL, 1, '2026-11-02 15:00:00+00', '2026-11-02 15:00:00+00', 'user', NULL, NULL, '', NULL, NULL, NULL, NULL, NULL, NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8010-000000000040', 'task', 40, NULL, 'Task 40', 'Oil the bearings', 'done', 'medium', '00000000-0000-7001-8008-000000000040', '00000000-0000-7001-8001-000000000000', NULL, NULL, NULL, NULL, '00000000-0000-7001-8009-000000000040', NULL, '{urgent}', '2026-11-02 16:00:00+00', 1, '2026-11-02 16:00:00+00', '2026-11-02 16:00:00+00', 'user', NULL, NULL, '', NULL, NULL, NULL, NULL, NULL, NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8010-000000000001', 'task', 1, NULL, 'Task 1', 'Oil the bearings', 'todo', 'medium', '00000000-0000-7002-8008-000000000001', '00000000-0000-7002-8001-000000000000', NULL, NULL, NULL, NULL, '00000000-0000-7002-8009-000000000001', NULL, '{urgent}', NULL, 1, '2026-11-01 01:00:00+00', '2026-11-01 01:00:00+00', 'user', NULL, NULL, '', NULL, NULL, NULL, NULL, NULL, NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8010-000000000002', 'task', 2, NULL, 'Task 2', 'Oil the bearings', 'done', 'medium', '00000000-0000-7002-8008-000000000002', '00000000-0000-7002-8001-000000000000', NULL, NULL, NULL, NULL, '00000000-0000-7002-8009-000000000002', NULL, '{urgent}', '2026-11-01 02:00:00+00', 1, '2026-11-01 02:00:00+00', '2026-11-01 02:00:00+00', 'user', NULL, NULL, '', NULL, NULL, NULL, NULL, NULL, NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8010-000000000003', 'task', 3, NULL, 'Task 3', 'Oil the bearings', 'todo', 'medium', '00000000-0000-7002-8008-000000000003', '00000000-0000-7002-8001-000000000000', NULL, NULL, NULL, NULL, '00000000-0000-7002-8009-000000000003', NULL, '{urgent}', NULL, 1, '2026-11-01 03:00:00+00', '2026-11-01 03:00:00+00', 'user', NULL, NULL, '', NULL, NULL, NULL, NULL, NULL, NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8010-000000000004', 'task', 4, NULL, 'Task 4', 'Oil the bearings', 'done', 'medium', '00000000-0000-7002-8008-000000000004', '00000000-0000-7002-8001-000000000000', NULL, NULL, NULL, NULL, '00000000-0000-7002-8009-000000000004', NULL, '{urgent}', '2026-11-01 04:00:00+00', 1, '2026-11-01 04:00:00+00', '2026-11-01 04:00:00+00', 'user', NULL, NULL, '', NULL, NULL, NULL, NULL, NULL, NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8010-000000000005', 'task', 5, NULL, 'Task 5', 'Oil the bearings', 'todo', 'medium', '00000000-0000-7002-8008-000000000005', '00000000-0000-7002-8001-000000000000', NULL, NULL, NULL, NULL, '00000000-0000-7002-8009-000000000005', NULL, '{urgent}', NULL, 1, '2026-11-01 05:00:00+00', '2026-11-01 05:00:00+00', 'user', NULL, NULL, '', NULL, NULL, NULL, NULL, NULL, NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8010-000000000006', 'task', 6, NULL, 'Task 6', 'Oil the bearings', 'done', 'medium', '00000000-0000-7002-8008-000000000006', '00000000-0000-7002-8001-000000000000', NULL, NULL, NULL, NULL, '00000000-0000-7002-8009-000000000006', NULL, '{urgent}', '2026-11-01 06:00:00+00', 1, '2026-11-01 06:00:00+00', '2026-11-01 06:00:00+00', 'user', NULL, NULL, '', NULL, NULL, NULL, NULL, NULL, NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8010-000000000007', 'task', 7, NULL, 'Task 7', 'Oil the bearings', 'todo', 'medium', '00000000-0000-7002-8008-000000000007', '00000000-0000-7002-8001-000000000000', NULL, NULL, NULL, NULL, '00000000-0000-7002-8009-000000000007', NULL, '{urgent}', NULL, 1, '2026-11-01 07:00:00+00', '2026-11-01 07:00:00+00', 'user', NULL, NULL, '', NULL, NULL, NULL, NULL, NULL, NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8010-000000000008', 'task', 8, NULL, 'Task 8', 'Oil the bearings', 'done', 'medium', '00000000-0000-7002-8008-000000000008', '00000000-0000-7002-8001-000000000000', NULL, NULL, NULL, NULL, '00000000-0000-7002-8009-000000000008', NULL, '{urgent}', '2026-11-01 08:00:00+00', 1, '2026-11-01 08:00:00+00', '2026-11-01 08:00:00+00', 'user', NULL, NULL, '', NULL, NULL, NULL, NULL, NULL, NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8010-000000000009', 'task', 9, NULL, 'Task 9', 'Oil the bearings', 'todo', 'medium', '00000000-0000-7002-8008-000000000009', '00000000-0000-7002-8001-000000000000', NULL, NULL, NULL, NULL, '00000000-0000-7002-8009-000000000009', NULL, '{urgent}', NULL, 1, '2026-11-01 09:00:00+00', '2026-11-01 09:00:00+00', 'user', NULL, NULL, '', NULL, NULL, NULL, NULL, NULL, NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8010-000000000010', 'task', 10, NULL, 'Task 10', 'Oil the bearings', 'done', 'medium', '00000000-0000-7002-8008-000000000010', '00000000-0000-7002-8001-000000000000', NULL, NULL, NULL, NULL, '00000000-0000-7002-8009-000000000010', NULL, '{urgent}', '2026-11-01 10:00:00+00', 1, '2026-11-01 10:00:00+00', '2026-11-01 10:00:00+00', 'user', NULL, NULL, '', NULL, NULL, NULL, NULL, NULL, NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8010-000000000011', 'task', 11, NULL, 'Task 11', 'Oil the bearings', 'todo', 'medium', '00000000-0000-7002-8008-000000000011', '00000000-0000-7002-8001-000000000000', NULL, NULL, NULL, NULL, '00000000-0000-7002-8009-000000000011', NULL, '{urgent}', NULL, 1, '2026-11-01 11:00:00+00', '2026-11-01 11:00:00+00', 'user', NULL, NULL, '', NULL, NULL, NULL, NULL, NULL, NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8010-000000000012', 'task', 12, NULL, 'Task 12', 'Oil the bearings', 'done', 'medium', '00000000-0000-7002-8008-000000000012', '00000000-0000-7002-8001-000000000000', NULL, NULL, NULL, NULL, '00000000-0000-7002-8009-000000000012', NULL, '{urgent}', '2026-11-01 12:00:00+00', 1, '2026-11-01 12:00:00+00', '2026-11-01 12:00:00+00', 'user', NULL, NULL, '', NULL, NULL, NULL, NULL, NULL, NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8010-000000000013', 'task', 13, NULL, 'Task 13', 'Oil the bearings', 'todo', 'medium', '00000000-0000-7002-8008-000000000013', '00000000-0000-7002-8001-000000000000', NULL, NULL, NULL, NULL, '00000000-0000-7002-8009-000000000013', NULL, '{urgent}', NULL, 1, '2026-11-01 13:00:00+00', '2026-11-01 13:00:00+00', 'user', NULL, NULL, '', NULL, NULL, NULL, NULL, NULL, NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8010-000000000014', 'task', 14, NULL, 'Task 14', 'Oil the bearings', 'done', 'medium', '00000000-0000-7002-8008-000000000014', '00000000-0000-7002-8001-000000000000', NULL, NULL, NULL, NULL, '00000000-0000-7002-8009-000000000014', NULL, '{urgent}', '2026-11-01 14:00:00+00', 1, '2026-11-01 14:00:00+00', '2026-11-01 14:00:00+00', 'user', NULL, NULL, '', NULL, NULL, NULL, NULL, NULL, NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8010-000000000015', 'task', 15, NULL, 'Task 15', 'Oil the bearings', 'todo', 'medium', '00000000-0000-7002-8008-000000000015', '00000000-0000-7002-8001-000000000000', NULL, NULL, NULL, NULL, '00000000-0000-7002-8009-000000000015', NULL, '{urgent}', NULL, 1, '2026-11-01 15:00:00+00', '2026-11-01 15:00:00+00', 'user', NULL, NULL, '', NULL, NULL, NULL, NULL, NULL, NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8010-000000000016', 'task', 16, NULL, 'Task 16', 'Oil the bearings', 'done', 'medium', '00000000-0000-7002-8008-000000000016', '00000000-0000-7002-8001-000000000000', NULL, NULL, NULL, NULL, '00000000-0000-7002-8009-000000000016', NULL, '{urgent}', '2026-11-01 16:00:00+00', 1, '2026-11-01 16:00:00+00', '2026-11-01 16:00:00+00', 'user', NULL, NULL, '', NULL, NULL, NULL, NULL, NULL, NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8010-000000000017', 'task', 17, NULL, 'Task 17', 'Oil the bearings', 'todo', 'medium', '00000000-0000-7002-8008-000000000017', '00000000-0000-7002-8001-000000000000', NULL, NULL, NULL, NULL, '00000000-0000-7002-8009-000000000017', NULL, '{urgent}', NULL, 1, '2026-11-01 17:00:00+00', '2026-11-01 17:00:00+00', 'user', NULL, NULL, '', NULL, NULL, NULL, NULL, NULL, NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8010-000000000018', 'task', 18, NULL, 'Task 18', 'Oil the bearings', 'done', 'medium', '00000000-0000-7002-8008-000000000018', '00000000-0000-7002-8001-000000000000', NULL, NULL, NULL, NULL, '00000000-0000-7002-8009-000000000018', NULL, '{urgent}', '2026-11-01 18:00:00+00', 1, '2026-11-01 18:00:00+00', '2026-11-01 18:00:00+00', 'user', NULL, NULL, '', NULL, NULL, NULL, NULL, NULL, NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8010-000000000019', 'task', 19, NULL, 'Task 19', 'Oil the bearings', 'todo', 'medium', '00000000-0000-7002-8008-000000000019', '00000000-0000-7002-8001-000000000000', NULL, NULL, NULL, NULL, '00000000-0000-7002-8009-000000000019', NULL, '{urgent}', NULL, 1, '2026-11-01 19:00:00+00', '2026-11-01 19:00:00+00', 'user', NULL, NULL, '', NULL, NULL, NULL, NULL, NULL, NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8010-000000000020', 'task', 20, NULL, 'Task 20', 'Oil the bearings', 'done', 'medium', '00000000-0000-7002-8008-000000000020', '00000000-0000-7002-8001-000000000000', NULL, NULL, NULL, NULL, '00000000-0000-7002-8009-000000000020', NULL, '{urgent}', '2026-11-01 20:00:00+00', 1, '2026-11-01 20:00:00+00', '2026-11-01 20:00:00+00', 'user', NULL, NULL, '', NULL, NULL, NULL, NULL, NULL, NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8010-000000000021', 'task', 21, NULL, 'Task 21', 'Oil the bearings', 'todo', 'medium', '00000000-0000-7002-8008-000000000021', '00000000-0000-7002-8001-000000000000', NULL, NULL, NULL, NULL, '00000000-0000-7002-8009-000000000021', NULL, '{urgent}', NULL, 1, '2026-11-01 21:00:00+00', '2026-11-01 21:00:00+00', 'user', NULL, NULL, '', NULL, NULL, NULL, NULL, NULL, NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8010-000000000022', 'task', 22, NULL, 'Task 22', 'Oil the bearings', 'done', 'medium', '00000000-0000-7002-8008-000000000022', '00000000-0000-7002-8001-000000000000', NULL, NULL, NULL, NULL, '00000000-0000-7002-8009-000000000022', NULL, '{urgent}', '2026-11-01 22:00:00+00', 1, '2026-11-01 22:00:00+00', '2026-11-01 22:00:00+00', 'user', NULL, NULL, '', NULL, NULL, NULL, NULL, NULL, NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8010-000000000023', 'task', 23, NULL, 'Task 23', 'Oil the bearings', 'todo', 'medium', '00000000-0000-7002-8008-000000000023', '00000000-0000-7002-8001-000000000000', NULL, NULL, NULL, NULL, '00000000-0000-7002-8009-000000000023', NULL, '{urgent}', NULL, 1, '2026-11-01 23:00:00+00', '2026-11-01 23:00:00+00', 'user', NULL, NULL, '', NULL, NULL, NULL, NULL, NULL, NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8010-000000000024', 'task', 24, NULL, 'Task 24', 'Oil the bearings', 'done', 'medium', '00000000-0000-7002-8008-000000000024', '00000000-0000-7002-8001-000000000000', NULL, NULL, NULL, NULL, '00000000-0000-7002-8009-000000000024', NULL, '{urgent}', '2026-11-02 00:00:00+00', 1, '2026-11-02 00:00:00+00', '2026-11-02 00:00:00+00', 'user', NULL, NULL, '', NULL, NULL, NULL, NULL, NULL, NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8010-000000000025', 'task', 25, NULL, 'Task 25', 'Oil the bearings', 'todo', 'medium', '00000000-0000-7002-8008-000000000025', '00000000-0000-7002-8001-000000000000', NULL, NULL, NULL, NULL, '00000000-0000-7002-8009-000000000025', NULL, '{urgent}', NULL, 1, '2026-11-02 01:00:00+00', '2026-11-02 01:00:00+00', 'user', NULL, NULL, '', NULL, NULL, NULL, NULL, NULL, NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8010-000000000026', 'task', 26, NULL, 'Task 26', 'Oil the bearings', 'done', 'medium', '00000000-0000-7002-8008-000000000026', '00000000-0000-7002-8001-000000000000', NULL, NULL, NULL, NULL, '00000000-0000-7002-8009-000000000026', NULL, '{urgent}', '2026-11-02 02:00:00+00', 1, '2026-11-02 02:00:00+00', '2026-11-02 02:00:00+00', 'user', NULL, NULL, '', NULL, NULL, NULL, NULL, NULL, NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8010-000000000027', 'task', 27, NULL, 'Task 27', 'Oil the bearings', 'todo', 'medium', '00000000-0000-7002-8008-000000000027', '00000000-0000-7002-8001-000000000000', NULL, NULL, NULL, NULL, '00000000-0000-7002-8009-000000000027', NULL, '{urgent}', NULL, 1, '2026-11-02 03:00:00+00', '2026-11-02 03:00:00+00', 'user', NULL, NULL, '', NULL, NULL, NULL, NULL, NULL, NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8010-000000000028', 'task', 28, NULL, 'Task 28', 'Oil the bearings', 'done', 'medium', '00000000-0000-7002-8008-000000000028', '00000000-0000-7002-8001-000000000000', NULL, NULL, NULL, NULL, '00000000-0000-7002-8009-000000000028', NULL, '{urgent}', '2026-11-02 04:00:00+00', 1, '2026-11-02 04:00:00+00', '2026-11-02 04:00:00+00', 'user', NULL, NULL, '', NULL, NULL, NULL, NULL, NULL, NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8010-000000000029', 'task', 29, NULL, 'Task 29', 'Oil the bearings', 'todo', 'medium', '00000000-0000-7002-8008-000000000029', '00000000-0000-7002-8001-000000000000', NULL, NULL, NULL, NULL, '00000000-0000-7002-8009-000000000029', NULL, '{urgent}', NULL, 1, '2026-11-02 05:00:00+00', '2026-11-02 05:00:00+00', 'user', NULL, NULL, '', NULL, NULL, NULL, NULL, NULL, NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8010-000000000030', 'task', 30, NULL, 'Task 30', 'Oil the bearings', 'done', 'medium', '00000000-0000-7002-8008-000000000030', '00000000-0000-7002-8001-000000000000', NULL, NULL, NULL, NULL, '00000000-0000-7002-8009-000000000030', NULL, '{urgent}', '2026-11-02 06:00:00+00', 1, '2026-11-02 06:00:00+00', '2026-11-02 06:00:00+00', 'user', NULL, NULL, '', NULL, NULL, NULL, NULL, NULL, NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8010-000000000031', 'task', 31, NULL, 'Task 31', 'Oil the bearings', 'todo', 'medium', '00000000-0000-7002-8008-000000000031', '00000000-0000-7002-8001-000000000000', NULL, NULL, NULL, NULL, '00000000-0000-7002-8009-000000000031', NULL, '{urgent}', NULL, 1, '2026-11-02 07:00:00+00', '2026-11-02 07:00:00+00', 'user', NULL, NULL, '', NULL, NULL, NULL, NULL, NULL, NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8010-000000000032', 'task', 32, NULL, 'Task 32', 'Oil the bearings', 'done', 'medium', '00000000-0000-7002-8008-000000000032', '00000000-0000-7002-8001-000000000000', NULL, NULL, NULL, NULL, '00000000-0000-7002-8009-000000000032', NULL, '{urgent}', '2026-11-02 08:00:00+00', 1, '2026-11-02 08:00:00+00', '2026-11-02 08:00:00+00', 'user', NULL, NULL, '', NULL, NULL, NULL, NULL, NULL, NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8010-000000000033', 'task', 33, NULL, 'Task 33', 'Oil the bearings', 'todo', 'medium', '00000000-0000-7002-8008-000000000033', '00000000-0000-7002-8001-000000000000', NULL, NULL, NULL, NULL, '00000000-0000-7002-8009-000000000033', NULL, '{urgent}', NULL, 1, '2026-11-02 09:00:00+00', '2026-11-02 09:00:00+00', 'user', NULL, NULL, '', NULL, NULL, NULL, NULL, NULL, NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8010-000000000034', 'task', 34, NULL, 'Task 34', 'Oil the bearings', 'done', 'medium', '00000000-0000-7002-8008-000000000034', '00000000-0000-7002-8001-000000000000', NULL, NULL, NULL, NULL, '00000000-0000-7002-8009-000000000034', NULL, '{urgent}', '2026-11-02 10:00:00+00', 1, '2026-11-02 10:00:00+00', '2026-11-02 10:00:00+00', 'user', NULL, NULL, '', NULL, NULL, NULL, NULL, NULL, NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8010-000000000035', 'task', 35, NULL, 'Task 35', 'Oil the bearings', 'todo', 'medium', '00000000-0000-7002-8008-000000000035', '00000000-0000-7002-8001-000000000000', NULL, NULL, NULL, NULL, '00000000-0000-7002-8009-000000000035', NULL, '{urgent}', NULL, 1, '2026-11-02 11:00:00+00', '2026-11-02 11:00:00+00', 'user', NULL, NULL, '', NULL, NULL, NULL, NULL, NULL, NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8010-000000000036', 'task', 36, NULL, 'Task 36', 'Oil the bearings', 'done', 'medium', '00000000-0000-7002-8008-000000000036', '00000000-0000-7002-8001-000000000000', NULL, NULL, NULL, NULL, '00000000-0000-7002-8009-000000000036', NULL, '{urgent}', '2026-11-02 12:00:00+00', 1, '2026-11-02 12:00:00+00', '2026-11-02 12:00:00+00', 'user', NULL, NULL, '', NULL, NULL, NULL, NULL, NULL, NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8010-000000000037', 'task', 37, NULL, 'Task 37', 'Oil the bearings', 'todo', 'medium', '00000000-0000-7002-8008-000000000037', '00000000-0000-7002-8001-000000000000', NULL, NULL, NULL, NULL, '00000000-0000-7002-8009-000000000037', NULL, '{urgent}', NULL, 1, '2026-11-02 13:00:00+00', '2026-11-02 13:00:00+00', 'user', NULL, NULL, '', NULL, NULL, NULL, NULL, NULL, NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8010-000000000038', 'task', 38, NULL, 'Task 38', 'Oil the bearings', 'done', 'medium', '00000000-0000-7002-8008-000000000038', '00000000-0000-7002-8001-000000000000', NULL, NULL, NULL, NULL, '00000000-0000-7002-8009-000000000038', NULL, '{urgent}', '2026-11-02 14:00:00+00', 1, '2026-11-02 14:00:00+00', '2026-11-02 14:00:00+00', 'user', NULL, NULL, '', NULL, NULL, NULL, NULL, NULL, NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8010-000000000039', 'task', 39, NULL, 'Task 39', 'Oil the bearings', 'todo', 'medium', '00000000-0000-7002-8008-000000000039', '00000000-0000-7002-8001-000000000000', NULL, NULL, NULL, NULL, '00000000-0000-7002-8009-000000000039', NULL, '{urgent}', NULL, 1, '2026-11-02 15:00:00+00', '2026-11-02 15:00:00+00', 'user', NULL, NULL, '', NULL, NULL, NULL, NULL, NULL, NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8010-000000000040', 'task', 40, NULL, 'Task 40', 'Oil the bearings', 'done', 'medium', '00000000-0000-7002-8008-000000000040', '00000000-0000-7002-8001-000000000000', NULL, NULL, NULL, NULL, '00000000-0000-7002-8009-000000000040', NULL, '{urgent}', '2026-11-02 16:00:00+00', 1, '2026-11-02 16:00:00+00', '2026-11-02 16:00:00+00', 'user', NULL, NULL, '', NULL, NULL, NULL, NULL, NULL, NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8010-000000000001', 'task', 1, NULL, 'Task 1', 'Oil the bearings', 'todo', 'medium', '00000000-0000-7003-8008-000000000001', '00000000-0000-7003-8001-000000000000', NULL, NULL, NULL, NULL, '00000000-0000-7003-8009-000000000001', NULL, '{urgent}', NULL, 1, '2026-11-01 01:00:00+00', '2026-11-01 01:00:00+00', 'user', NULL, NULL, '', NULL, NULL, NULL, NULL, NULL, NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8010-000000000002', 'task', 2, NULL, 'Task 2', 'Oil the bearings', 'done', 'medium', '00000000-0000-7003-8008-000000000002', '00000000-0000-7003-8001-000000000000', NULL, NULL, NULL, NULL, '00000000-0000-7003-8009-000000000002', NULL, '{urgent}', '2026-11-01 02:00:00+00', 1, '2026-11-01 02:00:00+00', '2026-11-01 02:00:00+00', 'user', NULL, NULL, '', NULL, NULL, NULL, NULL, NULL, NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8010-000000000003', 'task', 3, NULL, 'Task 3', 'Oil the bearings', 'todo', 'medium', '00000000-0000-7003-8008-000000000003', '00000000-0000-7003-8001-000000000000', NULL, NULL, NULL, NULL, '00000000-0000-7003-8009-000000000003', NULL, '{urgent}', NULL, 1, '2026-11-01 03:00:00+00', '2026-11-01 03:00:00+00', 'user', NULL, NULL, '', NULL, NULL, NULL, NULL, NULL, NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8010-000000000004', 'task', 4, NULL, 'Task 4', 'Oil the bearings', 'done', 'medium', '00000000-0000-7003-8008-000000000004', '00000000-0000-7003-8001-000000000000', NULL, NULL, NULL, NULL, '00000000-0000-7003-8009-000000000004', NULL, '{urgent}', '2026-11-01 04:00:00+00', 1, '2026-11-01 04:00:00+00', '2026-11-01 04:00:00+00', 'user', NULL, NULL, '', NULL, NULL, NULL, NULL, NULL, NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8010-000000000005', 'task', 5, NULL, 'Task 5', 'Oil the bearings', 'todo', 'medium', '00000000-0000-7003-8008-000000000005', '00000000-0000-7003-8001-000000000000', NULL, NULL, NULL, NULL, '00000000-0000-7003-8009-000000000005', NULL, '{urgent}', NULL, 1, '2026-11-01 05:00:00+00', '2026-11-01 05:00:00+00', 'user', NULL, NULL, '', NULL, NULL, NULL, NULL, NULL, NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8010-000000000006', 'task', 6, NULL, 'Task 6', 'Oil the bearings', 'done', 'medium', '00000000-0000-7003-8008-000000000006', '00000000-0000-7003-8001-000000000000', NULL, NULL, NULL, NULL, '00000000-0000-7003-8009-000000000006', NULL, '{urgent}', '2026-11-01 06:00:00+00', 1, '2026-11-01 06:00:00+00', '2026-11-01 06:00:00+00', 'user', NULL, NULL, '', NULL, NULL, NULL, NULL, NULL, NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8010-000000000007', 'task', 7, NULL, 'Task 7', 'Oil the bearings', 'todo', 'medium', '00000000-0000-7003-8008-000000000007', '00000000-0000-7003-8001-000000000000', NULL, NULL, NULL, NULL, '00000000-0000-7003-8009-000000000007', NULL, '{urgent}', NULL, 1, '2026-11-01 07:00:00+00', '2026-11-01 07:00:00+00', 'user', NULL, NULL, '', NULL, NULL, NULL, NULL, NULL, NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8010-000000000008', 'task', 8, NULL, 'Task 8', 'Oil the bearings', 'done', 'medium', '00000000-0000-7003-8008-000000000008', '00000000-0000-7003-8001-000000000000', NULL, NULL, NULL, NULL, '00000000-0000-7003-8009-000000000008', NULL, '{urgent}', '2026-11-01 08:00:00+00', 1, '2026-11-01 08:00:00+00', '2026-11-01 08:00:00+00', 'user', NULL, NULL, '', NULL, NULL, NULL, NULL, NULL, NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8010-000000000009', 'task', 9, NULL, 'Task 9', 'Oil the bearings', 'todo', 'medium', '00000000-0000-7003-8008-000000000009', '00000000-0000-7003-8001-000000000000', NULL, NULL, NULL, NULL, '00000000-0000-7003-8009-000000000009', NULL, '{urgent}', NULL, 1, '2026-11-01 09:00:00+00', '2026-11-01 09:00:00+00', 'user', NULL, NULL, '', NULL, NULL, NULL, NULL, NULL, NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8010-000000000010', 'task', 10, NULL, 'Task 10', 'Oil the bearings', 'done', 'medium', '00000000-0000-7003-8008-000000000010', '00000000-0000-7003-8001-000000000000', NULL, NULL, NULL, NULL, '00000000-0000-7003-8009-000000000010', NULL, '{urgent}', '2026-11-01 10:00:00+00', 1, '2026-11-01 10:00:00+00', '2026-11-01 10:00:00+00', 'user', NULL, NULL, '', NULL, NULL, NULL, NULL, NULL, NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8010-000000000011', 'task', 11, NULL, 'Task 11', 'Oil the bearings', 'todo', 'medium', '00000000-0000-7003-8008-000000000011', '00000000-0000-7003-8001-000000000000', NULL, NULL, NULL, NULL, '00000000-0000-7003-8009-000000000011', NULL, '{urgent}', NULL, 1, '2026-11-01 11:00:00+00', '2026-11-01 11:00:00+00', 'user', NULL, NULL, '', NULL, NULL, NULL, NULL, NULL, NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8010-000000000012', 'task', 12, NULL, 'Task 12', 'Oil the bearings', 'done', 'medium', '00000000-0000-7003-8008-000000000012', '00000000-0000-7003-8001-000000000000', NULL, NULL, NULL, NULL, '00000000-0000-7003-8009-000000000012', NULL, '{urgent}', '2026-11-01 12:00:00+00', 1, '2026-11-01 12:00:00+00', '2026-11-01 12:00:00+00', 'user', NULL, NULL, '', NULL, NULL, NULL, NULL, NULL, NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8010-000000000013', 'task', 13, NULL, 'Task 13', 'Oil the bearings', 'todo', 'medium', '00000000-0000-7003-8008-000000000013', '00000000-0000-7003-8001-000000000000', NULL, NULL, NULL, NULL, '00000000-0000-7003-8009-000000000013', NULL, '{urgent}', NULL, 1, '2026-11-01 13:00:00+00', '2026-11-01 13:00:00+00', 'user', NULL, NULL, '', NULL, NULL, NULL, NULL, NULL, NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8010-000000000014', 'task', 14, NULL, 'Task 14', 'Oil the bearings', 'done', 'medium', '00000000-0000-7003-8008-000000000014', '00000000-0000-7003-8001-000000000000', NULL, NULL, NULL, NULL, '00000000-0000-7003-8009-000000000014', NULL, '{urgent}', '2026-11-01 14:00:00+00', 1, '2026-11-01 14:00:00+00', '2026-11-01 14:00:00+00', 'user', NULL, NULL, '', NULL, NULL, NULL, NULL, NULL, NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8010-000000000015', 'task', 15, NULL, 'Task 15', 'Oil the bearings', 'todo', 'medium', '00000000-0000-7003-8008-000000000015', '00000000-0000-7003-8001-000000000000', NULL, NULL, NULL, NULL, '00000000-0000-7003-8009-000000000015', NULL, '{urgent}', NULL, 1, '2026-11-01 15:00:00+00', '2026-11-01 15:00:00+00', 'user', NULL, NULL, '', NULL, NULL, NULL, NULL, NULL, NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8010-000000000016', 'task', 16, NULL, 'Task 16', 'Oil the bearings', 'done', 'medium', '00000000-0000-7003-8008-000000000016', '00000000-0000-7003-8001-000000000000', NULL, NULL, NULL, NULL, '00000000-0000-7003-8009-000000000016', NULL, '{urgent}', '2026-11-01 16:00:00+00', 1, '2026-11-01 16:00:00+00', '2026-11-01 16:00:00+00', 'user', NULL, NULL, '', NULL, NULL, NULL, NULL, NULL, NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8010-000000000017', 'task', 17, NULL, 'Task 17', 'Oil the bearings', 'todo', 'medium', '00000000-0000-7003-8008-000000000017', '00000000-0000-7003-8001-000000000000', NULL, NULL, NULL, NULL, '00000000-0000-7003-8009-000000000017', NULL, '{urgent}', NULL, 1, '2026-11-01 17:00:00+00', '2026-11-01 17:00:00+00', 'user', NULL, NULL, '', NULL, NULL, NULL, NULL, NULL, NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8010-000000000018', 'task', 18, NULL, 'Task 18', 'Oil the bearings', 'done', 'medium', '00000000-0000-7003-8008-000000000018', '00000000-0000-7003-8001-000000000000', NULL, NULL, NULL, NULL, '00000000-0000-7003-8009-000000000018', NULL, '{urgent}', '2026-11-01 18:00:00+00', 1, '2026-11-01 18:00:00+00', '2026-11-01 18:00:00+00', 'user', NULL, NULL, '', NULL, NULL, NULL, NULL, NULL, NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8010-000000000019', 'task', 19, NULL, 'Task 19', 'Oil the bearings', 'todo', 'medium', '00000000-0000-7003-8008-000000000019', '00000000-0000-7003-8001-000000000000', NULL, NULL, NULL, NULL, '00000000-0000-7003-8009-000000000019', NULL, '{urgent}', NULL, 1, '2026-11-01 19:00:00+00', '2026-11-01 19:00:00+00', 'user', NULL, NULL, '', NULL, NULL, NULL, NULL, NULL, NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8010-000000000020', 'task', 20, NULL, 'Task 20', 'Oil the bearings', 'done', 'medium', '00000000-0000-7003-8008-000000000020', '00000000-0000-7003-8001-000000000000', NULL, NULL, NULL, NULL, '00000000-0000-7003-8009-000000000020', NULL, '{urgent}', '2026-11-01 20:00:00+00', 1, '2026-11-01 20:00:00+00', '2026-11-01 20:00:00+00', 'user', NULL, NULL, '', NULL, NULL, NULL, NULL, NULL, NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8010-000000000021', 'task', 21, NULL, 'Task 21', 'Oil the bearings', 'todo', 'medium', '00000000-0000-7003-8008-000000000021', '00000000-0000-7003-8001-000000000000', NULL, NULL, NULL, NULL, '00000000-0000-7003-8009-000000000021', NULL, '{urgent}', NULL, 1, '2026-11-01 21:00:00+00', '2026-11-01 21:00:00+00', 'user', NULL, NULL, '', NULL, NULL, NULL, NULL, NULL, NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8010-000000000022', 'task', 22, NULL, 'Task 22', 'Oil the bearings', 'done', 'medium', '00000000-0000-7003-8008-000000000022', '00000000-0000-7003-8001-000000000000', NULL, NULL, NULL, NULL, '00000000-0000-7003-8009-000000000022', NULL, '{urgent}', '2026-11-01 22:00:00+00', 1, '2026-11-01 22:00:00+00', '2026-11-01 22:00:00+00', 'user', NULL, NULL, '', NULL, NULL, NULL, NULL, NULL, NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8010-000000000023', 'task', 23, NULL, 'Task 23', 'Oil the bearings', 'todo', 'medium', '00000000-0000-7003-8008-000000000023', '00000000-0000-7003-8001-000000000000', NULL, NULL, NULL, NULL, '00000000-0000-7003-8009-000000000023', NULL, '{urgent}', NULL, 1, '2026-11-01 23:00:00+00', '2026-11-01 23:00:00+00', 'user', NULL, NULL, '', NULL, NULL, NULL, NULL, NULL, NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8010-000000000024', 'task', 24, NULL, 'Task 24', 'Oil the bearings', 'done', 'medium', '00000000-0000-7003-8008-000000000024', '00000000-0000-7003-8001-000000000000', NULL, NULL, NULL, NULL, '00000000-0000-7003-8009-000000000024', NULL, '{urgent}', '2026-11-02 00:00:00+00', 1, '2026-11-02 00:00:00+00', '2026-11-02 00:00:00+00', 'user', NULL, NULL, '', NULL, NULL, NULL, NULL, NULL, NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8010-000000000025', 'task', 25, NULL, 'Task 25', 'Oil the bearings', 'todo', 'medium', '00000000-0000-7003-8008-000000000025', '00000000-0000-7003-8001-000000000000', NULL, NULL, NULL, NULL, '00000000-0000-7003-8009-000000000025', NULL, '{urgent}', NULL, 1, '2026-11-02 01:00:00+00', '2026-11-02 01:00:00+00', 'user', NULL, NULL, '', NULL, NULL, NULL, NULL, NULL, NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8010-000000000026', 'task', 26, NULL, 'Task 26', 'Oil the bearings', 'done', 'medium', '00000000-0000-7003-8008-000000000026', '00000000-0000-7003-8001-000000000000', NULL, NULL, NULL, NULL, '00000000-0000-7003-8009-000000000026', NULL, '{urgent}', '2026-11-02 02:00:00+00', 1, '2026-11-02 02:00:00+00', '2026-11-02 02:00:00+00', 'user', NULL, NULL, '', NULL, NULL, NULL, NULL, NULL, NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8010-000000000027', 'task', 27, NULL, 'Task 27', 'Oil the bearings', 'todo', 'medium', '00000000-0000-7003-8008-000000000027', '00000000-0000-7003-8001-000000000000', NULL, NULL, NULL, NULL, '00000000-0000-7003-8009-000000000027', NULL, '{urgent}', NULL, 1, '2026-11-02 03:00:00+00', '2026-11-02 03:00:00+00', 'user', NULL, NULL, '', NULL, NULL, NULL, NULL, NULL, NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8010-000000000028', 'task', 28, NULL, 'Task 28', 'Oil the bearings', 'done', 'medium', '00000000-0000-7003-8008-000000000028', '00000000-0000-7003-8001-000000000000', NULL, NULL, NULL, NULL, '00000000-0000-7003-8009-000000000028', NULL, '{urgent}', '2026-11-02 04:00:00+00', 1, '2026-11-02 04:00:00+00', '2026-11-02 04:00:00+00', 'user', NULL, NULL, '', NULL, NULL, NULL, NULL, NULL, NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8010-000000000029', 'task', 29, NULL, 'Task 29', 'Oil the bearings', 'todo', 'medium', '00000000-0000-7003-8008-000000000029', '00000000-0000-7003-8001-000000000000', NULL, NULL, NULL, NULL, '00000000-0000-7003-8009-000000000029', NULL, '{urgent}', NULL, 1, '2026-11-02 05:00:00+00', '2026-11-02 05:00:00+00', 'user', NULL, NULL, '', NULL, NULL, NULL, NULL, NULL, NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8010-000000000030', 'task', 30, NULL, 'Task 30', 'Oil the bearings', 'done', 'medium', '00000000-0000-7003-8008-000000000030', '00000000-0000-7003-8001-000000000000', NULL, NULL, NULL, NULL, '00000000-0000-7003-8009-000000000030', NULL, '{urgent}', '2026-11-02 06:00:00+00', 1, '2026-11-02 06:00:00+00', '2026-11-02 06:00:00+00', 'user', NULL, NULL, '', NULL, NULL, NULL, NULL, NULL, NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8010-000000000031', 'task', 31, NULL, 'Task 31', 'Oil the bearings', 'todo', 'medium', '00000000-0000-7003-8008-000000000031', '00000000-0000-7003-8001-000000000000', NULL, NULL, NULL, NULL, '00000000-0000-7003-8009-000000000031', NULL, '{urgent}', NULL, 1, '2026-11-02 07:00:00+00', '2026-11-02 07:00:00+00', 'user', NULL, NULL, '', NULL, NULL, NULL, NULL, NULL, NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8010-000000000032', 'task', 32, NULL, 'Task 32', 'Oil the bearings', 'done', 'medium', '00000000-0000-7003-8008-000000000032', '00000000-0000-7003-8001-000000000000', NULL, NULL, NULL, NULL, '00000000-0000-7003-8009-000000000032', NULL, '{urgent}', '2026-11-02 08:00:00+00', 1, '2026-11-02 08:00:00+00', '2026-11-02 08:00:00+00', 'user', NULL, NULL, '', NULL, NULL, NULL, NULL, NULL, NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8010-000000000033', 'task', 33, NULL, 'Task 33', 'Oil the bearings', 'todo', 'medium', '00000000-0000-7003-8008-000000000033', '00000000-0000-7003-8001-000000000000', NULL, NULL, NULL, NULL, '00000000-0000-7003-8009-000000000033', NULL, '{urgent}', NULL, 1, '2026-11-02 09:00:00+00', '2026-11-02 09:00:00+00', 'user', NULL, NULL, '', NULL, NULL, NULL, NULL, NULL, NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8010-000000000034', 'task', 34, NULL, 'Task 34', 'Oil the bearings', 'done', 'medium', '00000000-0000-7003-8008-000000000034', '00000000-0000-7003-8001-000000000000', NULL, NULL, NULL, NULL, '00000000-0000-7003-8009-000000000034', NULL, '{urgent}', '2026-11-02 10:00:00+00', 1, '2026-11-02 10:00:00+00', '2026-11-02 10:00:00+00', 'user', NULL, NULL, '', NULL, NULL, NULL, NULL, NULL, NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8010-000000000035', 'task', 35, NULL, 'Task 35', 'Oil the bearings', 'todo', 'medium', '00000000-0000-7003-8008-000000000035', '00000000-0000-7003-8001-000000000000', NULL, NULL, NULL, NULL, '00000000-0000-7003-8009-000000000035', NULL, '{urgent}', NULL, 1, '2026-11-02 11:00:00+00', '2026-11-02 11:00:00+00', 'user', NULL, NULL, '', NULL, NULL, NULL, NULL, NULL, NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8010-000000000036', 'task', 36, NULL, 'Task 36', 'Oil the bearings', 'done', 'medium', '00000000-0000-7003-8008-000000000036', '00000000-0000-7003-8001-000000000000', NULL, NULL, NULL, NULL, '00000000-0000-7003-8009-000000000036', NULL, '{urgent}', '2026-11-02 12:00:00+00', 1, '2026-11-02 12:00:00+00', '2026-11-02 12:00:00+00', 'user', NULL, NULL, '', NULL, NULL, NULL, NULL, NULL, NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8010-000000000037', 'task', 37, NULL, 'Task 37', 'Oil the bearings', 'todo', 'medium', '00000000-0000-7003-8008-000000000037', '00000000-0000-7003-8001-000000000000', NULL, NULL, NULL, NULL, '00000000-0000-7003-8009-000000000037', NULL, '{urgent}', NULL, 1, '2026-11-02 13:00:00+00', '2026-11-02 13:00:00+00', 'user', NULL, NULL, '', NULL, NULL, NULL, NULL, NULL, NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8010-000000000038', 'task', 38, NULL, 'Task 38', 'Oil the bearings', 'done', 'medium', '00000000-0000-7003-8008-000000000038', '00000000-0000-7003-8001-000000000000', NULL, NULL, NULL, NULL, '00000000-0000-7003-8009-000000000038', NULL, '{urgent}', '2026-11-02 14:00:00+00', 1, '2026-11-02 14:00:00+00', '2026-11-02 14:00:00+00', 'user', NULL, NULL, '', NULL, NULL, NULL, NULL, NULL, NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8010-000000000039', 'task', 39, NULL, 'Task 39', 'Oil the bearings', 'todo', 'medium', '00000000-0000-7003-8008-000000000039', '00000000-0000-7003-8001-000000000000', NULL, NULL, NULL, NULL, '00000000-0000-7003-8009-000000000039', NULL, '{urgent}', NULL, 1, '2026-11-02 15:00:00+00', '2026-11-02 15:00:00+00', 'user', NULL, NULL, '', NULL, NULL, NULL, NULL, NULL, NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8010-000000000040', 'task', 40, NULL, 'Task 40', 'Oil the bearings', 'done', 'medium', '00000000-0000-7003-8008-000000000040', '00000000-0000-7003-8001-000000000000', NULL, NULL, NULL, NULL, '00000000-0000-7003-8009-000000000040', NULL, '{urgent}', '2026-11-02 16:00:00+00', 1, '2026-11-02 16:00:00+00', '2026-11-02 16:00:00+00', 'user', NULL, NULL, '', NULL, NULL, NULL, NULL, NULL, NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8011-000000000001', 'ticket', 1, 'T1-1', 'Ticket 1', NULL, 'open', 'low', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '{}', NULL, 1, '2026-11-01 01:00:00+00', '2026-11-01 01:00:00+00', 'system', NULL, NULL, '''1'':2 ''ticket'':1', 'Grace', 'Person1@example.org', 'person1@example.org', 'question', '00000000-0000-7001-8006-000000000001', NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8011-000000000002', 'ticket', 2, 'T1-2', 'Ticket 2', NULL, 'resolved', 'low', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '{}', '2026-11-01 02:00:00+00', 1, '2026-11-01 02:00:00+00', '2026-11-01 02:00:00+00', 'system', NULL, NULL, '''2'':2 ''ticket'':1', 'Grace', 'Person2@example.org', 'person2@example.org', 'question', '00000000-0000-7001-8006-000000000002', NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8011-000000000003', 'ticket', 3, 'T1-3', 'Ticket 3', NULL, 'open', 'low', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '{}', NULL, 1, '2026-11-01 03:00:00+00', '2026-11-01 03:00:00+00', 'system', NULL, NULL, '''3'':2 ''ticket'':1', 'Grace', 'Person3@example.org', 'person3@example.org', 'question', '00000000-0000-7001-8006-000000000003', NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8011-000000000004', 'ticket', 4, 'T1-4', 'Ticket 4', NULL, 'resolved', 'low', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '{}', '2026-11-01 04:00:00+00', 1, '2026-11-01 04:00:00+00', '2026-11-01 04:00:00+00', 'system', NULL, NULL, '''4'':2 ''ticket'':1', 'Grace', 'Person4@example.org', 'person4@example.org', 'question', '00000000-0000-7001-8006-000000000004', NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8011-000000000005', 'ticket', 5, 'T1-5', 'Ticket 5', NULL, 'open', 'low', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '{}', NULL, 1, '2026-11-01 05:00:00+00', '2026-11-01 05:00:00+00', 'system', NULL, NULL, '''5'':2 ''ticket'':1', 'Grace', 'Person5@example.org', 'person5@example.org', 'question', '00000000-0000-7001-8006-000000000005', NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8011-000000000006', 'ticket', 6, 'T1-6', 'Ticket 6', NULL, 'resolved', 'low', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '{}', '2026-11-01 06:00:00+00', 1, '2026-11-01 06:00:00+00', '2026-11-01 06:00:00+00', 'system', NULL, NULL, '''6'':2 ''ticket'':1', 'Grace', 'Person6@example.org', 'person6@example.org', 'question', '00000000-0000-7001-8006-000000000006', NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8011-000000000007', 'ticket', 7, 'T1-7', 'Ticket 7', NULL, 'open', 'low', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '{}', NULL, 1, '2026-11-01 07:00:00+00', '2026-11-01 07:00:00+00', 'system', NULL, NULL, '''7'':2 ''ticket'':1', 'Grace', 'Person7@example.org', 'person7@example.org', 'question', '00000000-0000-7001-8006-000000000007', NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8011-000000000008', 'ticket', 8, 'T1-8', 'Ticket 8', NULL, 'resolved', 'low', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '{}', '2026-11-01 08:00:00+00', 1, '2026-11-01 08:00:00+00', '2026-11-01 08:00:00+00', 'system', NULL, NULL, '''8'':2 ''ticket'':1', 'Grace', 'Person8@example.org', 'person8@example.org', 'question', '00000000-0000-7001-8006-000000000008', NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8011-000000000009', 'ticket', 9, 'T1-9', 'Ticket 9', NULL, 'open', 'low', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '{}', NULL, 1, '2026-11-01 09:00:00+00', '2026-11-01 09:00:00+00', 'system', NULL, NULL, '''9'':2 ''ticket'':1', 'Grace', 'Person9@example.org', 'person9@example.org', 'question', '00000000-0000-7001-8006-000000000009', NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8011-000000000010', 'ticket', 10, 'T1-10', 'Ticket 10', NULL, 'resolved', 'low', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '{}', '2026-11-01 10:00:00+00', 1, '2026-11-01 10:00:00+00', '2026-11-01 10:00:00+00', 'system', NULL, NULL, '''10'':2 ''ticket'':1', 'Grace', 'Person10@example.org', 'person10@example.org', 'question', '00000000-0000-7001-8006-000000000010', NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8011-000000000011', 'ticket', 11, 'T1-11', 'Ticket 11', NULL, 'open', 'low', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '{}', NULL, 1, '2026-11-01 11:00:00+00', '2026-11-01 11:00:00+00', 'system', NULL, NULL, '''11'':2 ''ticket'':1', 'Grace', 'Person11@example.org', 'person11@example.org', 'question', '00000000-0000-7001-8006-000000000011', NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8011-000000000012', 'ticket', 12, 'T1-12', 'Ticket 12', NULL, 'resolved', 'low', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '{}', '2026-11-01 12:00:00+00', 1, '2026-11-01 12:00:00+00', '2026-11-01 12:00:00+00', 'system', NULL, NULL, '''12'':2 ''ticket'':1', 'Grace', 'Person12@example.org', 'person12@example.org', 'question', '00000000-0000-7001-8006-000000000012', NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8011-000000000013', 'ticket', 13, 'T1-13', 'Ticket 13', NULL, 'open', 'low', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '{}', NULL, 1, '2026-11-01 13:00:00+00', '2026-11-01 13:00:00+00', 'system', NULL, NULL, '''13'':2 ''ticket'':1', 'Grace', 'Person13@example.org', 'person13@example.org', 'question', '00000000-0000-7001-8006-000000000013', NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8011-000000000014', 'ticket', 14, 'T1-14', 'Ticket 14', NULL, 'resolved', 'low', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '{}', '2026-11-01 14:00:00+00', 1, '2026-11-01 14:00:00+00', '2026-11-01 14:00:00+00', 'system', NULL, NULL, '''14'':2 ''ticket'':1', 'Grace', 'Person14@example.org', 'person14@example.org', 'question', '00000000-0000-7001-8006-000000000014', NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8011-000000000015', 'ticket', 15, 'T1-15', 'Ticket 15', NULL, 'open', 'low', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '{}', NULL, 1, '2026-11-01 15:00:00+00', '2026-11-01 15:00:00+00', 'system', NULL, NULL, '''15'':2 ''ticket'':1', 'Grace', 'Person15@example.org', 'person15@example.org', 'question', '00000000-0000-7001-8006-000000000015', NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8011-000000000016', 'ticket', 16, 'T1-16', 'Ticket 16', NULL, 'resolved', 'low', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '{}', '2026-11-01 16:00:00+00', 1, '2026-11-01 16:00:00+00', '2026-11-01 16:00:00+00', 'system', NULL, NULL, '''16'':2 ''ticket'':1', 'Grace', 'Person16@example.org', 'person16@example.org', 'question', '00000000-0000-7001-8006-000000000016', NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8011-000000000017', 'ticket', 17, 'T1-17', 'Ticket 17', NULL, 'open', 'low', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '{}', NULL, 1, '2026-11-01 17:00:00+00', '2026-11-01 17:00:00+00', 'system', NULL, NULL, '''17'':2 ''ticket'':1', 'Grace', 'Person17@example.org', 'person17@example.org', 'question', '00000000-0000-7001-8006-000000000017', NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8011-000000000018', 'ticket', 18, 'T1-18', 'Ticket 18', NULL, 'resolved', 'low', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '{}', '2026-11-01 18:00:00+00', 1, '2026-11-01 18:00:00+00', '2026-11-01 18:00:00+00', 'system', NULL, NULL, '''18'':2 ''ticket'':1', 'Grace', 'Person18@example.org', 'person18@example.org', 'question', '00000000-0000-7001-8006-000000000018', NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8011-000000000019', 'ticket', 19, 'T1-19', 'Ticket 19', NULL, 'open', 'low', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '{}', NULL, 1, '2026-11-01 19:00:00+00', '2026-11-01 19:00:00+00', 'system', NULL, NULL, '''19'':2 ''ticket'':1', 'Grace', 'Person19@example.org', 'person19@example.org', 'question', '00000000-0000-7001-8006-000000000019', NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8011-000000000020', 'ticket', 20, 'T1-20', 'Ticket 20', NULL, 'resolved', 'low', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '{}', '2026-11-01 20:00:00+00', 1, '2026-11-01 20:00:00+00', '2026-11-01 20:00:00+00', 'system', NULL, NULL, '''20'':2 ''ticket'':1', 'Grace', 'Person20@example.org', 'person20@example.org', 'question', '00000000-0000-7001-8006-000000000020', NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8011-000000000021', 'ticket', 21, 'T1-21', 'Ticket 21', NULL, 'open', 'low', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '{}', NULL, 1, '2026-11-01 21:00:00+00', '2026-11-01 21:00:00+00', 'system', NULL, NULL, '''21'':2 ''ticket'':1', 'Grace', 'Person21@example.org', 'person21@example.org', 'question', '00000000-0000-7001-8006-000000000021', NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8011-000000000022', 'ticket', 22, 'T1-22', 'Ticket 22', NULL, 'resolved', 'low', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '{}', '2026-11-01 22:00:00+00', 1, '2026-11-01 22:00:00+00', '2026-11-01 22:00:00+00', 'system', NULL, NULL, '''22'':2 ''ticket'':1', 'Grace', 'Person22@example.org', 'person22@example.org', 'question', '00000000-0000-7001-8006-000000000022', NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8011-000000000023', 'ticket', 23, 'T1-23', 'Ticket 23', NULL, 'open', 'low', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '{}', NULL, 1, '2026-11-01 23:00:00+00', '2026-11-01 23:00:00+00', 'system', NULL, NULL, '''23'':2 ''ticket'':1', 'Grace', 'Person23@example.org', 'person23@example.org', 'question', '00000000-0000-7001-8006-000000000023', NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8011-000000000024', 'ticket', 24, 'T1-24', 'Ticket 24', NULL, 'resolved', 'low', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '{}', '2026-11-02 00:00:00+00', 1, '2026-11-02 00:00:00+00', '2026-11-02 00:00:00+00', 'system', NULL, NULL, '''24'':2 ''ticket'':1', 'Grace', 'Person24@example.org', 'person24@example.org', 'question', '00000000-0000-7001-8006-000000000024', NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8011-000000000025', 'ticket', 25, 'T1-25', 'Ticket 25', NULL, 'open', 'low', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '{}', NULL, 1, '2026-11-02 01:00:00+00', '2026-11-02 01:00:00+00', 'system', NULL, NULL, '''25'':2 ''ticket'':1', 'Grace', 'Person25@example.org', 'person25@example.org', 'question', '00000000-0000-7001-8006-000000000025', NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8011-000000000026', 'ticket', 26, 'T1-26', 'Ticket 26', NULL, 'resolved', 'low', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '{}', '2026-11-02 02:00:00+00', 1, '2026-11-02 02:00:00+00', '2026-11-02 02:00:00+00', 'system', NULL, NULL, '''26'':2 ''ticket'':1', 'Grace', 'Person26@example.org', 'person26@example.org', 'question', '00000000-0000-7001-8006-000000000026', NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8011-000000000027', 'ticket', 27, 'T1-27', 'Ticket 27', NULL, 'open', 'low', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '{}', NULL, 1, '2026-11-02 03:00:00+00', '2026-11-02 03:00:00+00', 'system', NULL, NULL, '''27'':2 ''ticket'':1', 'Grace', 'Person27@example.org', 'person27@example.org', 'question', '00000000-0000-7001-8006-000000000027', NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8011-000000000028', 'ticket', 28, 'T1-28', 'Ticket 28', NULL, 'resolved', 'low', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '{}', '2026-11-02 04:00:00+00', 1, '2026-11-02 04:00:00+00', '2026-11-02 04:00:00+00', 'system', NULL, NULL, '''28'':2 ''ticket'':1', 'Grace', 'Person28@example.org', 'person28@example.org', 'question', '00000000-0000-7001-8006-000000000028', NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8011-000000000029', 'ticket', 29, 'T1-29', 'Ticket 29', NULL, 'open', 'low', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '{}', NULL, 1, '2026-11-02 05:00:00+00', '2026-11-02 05:00:00+00', 'system', NULL, NULL, '''29'':2 ''ticket'':1', 'Grace', 'Person29@example.org', 'person29@example.org', 'question', '00000000-0000-7001-8006-000000000029', NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8011-000000000030', 'ticket', 30, 'T1-30', 'Ticket 30', NULL, 'resolved', 'low', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '{}', '2026-11-02 06:00:00+00', 1, '2026-11-02 06:00:00+00', '2026-11-02 06:00:00+00', 'system', NULL, NULL, '''30'':2 ''ticket'':1', 'Grace', 'Person30@example.org', 'person30@example.org', 'question', '00000000-0000-7001-8006-000000000030', NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8011-000000000031', 'ticket', 31, 'T1-31', 'Ticket 31', NULL, 'open', 'low', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '{}', NULL, 1, '2026-11-02 07:00:00+00', '2026-11-02 07:00:00+00', 'system', NULL, NULL, '''31'':2 ''ticket'':1', 'Grace', 'Person31@example.org', 'person31@example.org', 'question', '00000000-0000-7001-8006-000000000031', NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8011-000000000032', 'ticket', 32, 'T1-32', 'Ticket 32', NULL, 'resolved', 'low', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '{}', '2026-11-02 08:00:00+00', 1, '2026-11-02 08:00:00+00', '2026-11-02 08:00:00+00', 'system', NULL, NULL, '''32'':2 ''ticket'':1', 'Grace', 'Person32@example.org', 'person32@example.org', 'question', '00000000-0000-7001-8006-000000000032', NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8011-000000000033', 'ticket', 33, 'T1-33', 'Ticket 33', NULL, 'open', 'low', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '{}', NULL, 1, '2026-11-02 09:00:00+00', '2026-11-02 09:00:00+00', 'system', NULL, NULL, '''33'':2 ''ticket'':1', 'Grace', 'Person33@example.org', 'person33@example.org', 'question', '00000000-0000-7001-8006-000000000033', NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8011-000000000034', 'ticket', 34, 'T1-34', 'Ticket 34', NULL, 'resolved', 'low', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '{}', '2026-11-02 10:00:00+00', 1, '2026-11-02 10:00:00+00', '2026-11-02 10:00:00+00', 'system', NULL, NULL, '''34'':2 ''ticket'':1', 'Grace', 'Person34@example.org', 'person34@example.org', 'question', '00000000-0000-7001-8006-000000000034', NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8011-000000000035', 'ticket', 35, 'T1-35', 'Ticket 35', NULL, 'open', 'low', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '{}', NULL, 1, '2026-11-02 11:00:00+00', '2026-11-02 11:00:00+00', 'system', NULL, NULL, '''35'':2 ''ticket'':1', 'Grace', 'Person35@example.org', 'person35@example.org', 'question', '00000000-0000-7001-8006-000000000035', NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8011-000000000036', 'ticket', 36, 'T1-36', 'Ticket 36', NULL, 'resolved', 'low', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '{}', '2026-11-02 12:00:00+00', 1, '2026-11-02 12:00:00+00', '2026-11-02 12:00:00+00', 'system', NULL, NULL, '''36'':2 ''ticket'':1', 'Grace', 'Person36@example.org', 'person36@example.org', 'question', '00000000-0000-7001-8006-000000000036', NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8011-000000000037', 'ticket', 37, 'T1-37', 'Ticket 37', NULL, 'open', 'low', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '{}', NULL, 1, '2026-11-02 13:00:00+00', '2026-11-02 13:00:00+00', 'system', NULL, NULL, '''37'':2 ''ticket'':1', 'Grace', 'Person37@example.org', 'person37@example.org', 'question', '00000000-0000-7001-8006-000000000037', NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8011-000000000038', 'ticket', 38, 'T1-38', 'Ticket 38', NULL, 'resolved', 'low', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '{}', '2026-11-02 14:00:00+00', 1, '2026-11-02 14:00:00+00', '2026-11-02 14:00:00+00', 'system', NULL, NULL, '''38'':2 ''ticket'':1', 'Grace', 'Person38@example.org', 'person38@example.org', 'question', '00000000-0000-7001-8006-000000000038', NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8011-000000000039', 'ticket', 39, 'T1-39', 'Ticket 39', NULL, 'open', 'low', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '{}', NULL, 1, '2026-11-02 15:00:00+00', '2026-11-02 15:00:00+00', 'system', NULL, NULL, '''39'':2 ''ticket'':1', 'Grace', 'Person39@example.org', 'person39@example.org', 'question', '00000000-0000-7001-8006-000000000039', NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8011-000000000040', 'ticket', 40, 'T1-40', 'Ticket 40', NULL, 'resolved', 'low', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '{}', '2026-11-02 16:00:00+00', 1, '2026-11-02 16:00:00+00', '2026-11-02 16:00:00+00', 'system', NULL, NULL, '''40'':2 ''ticket'':1', 'Grace', 'Person40@example.org', 'person40@example.org', 'question', '00000000-0000-7001-8006-000000000040', NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8011-000000000001', 'ticket', 1, 'T2-1', 'Ticket 1', NULL, 'open', 'low', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '{}', NULL, 1, '2026-11-01 01:00:00+00', '2026-11-01 01:00:00+00', 'system', NULL, NULL, '''1'':2 ''ticket'':1', 'Grace', 'Person1@example.org', 'person1@example.org', 'question', '00000000-0000-7002-8006-000000000001', NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8011-000000000002', 'ticket', 2, 'T2-2', 'Ticket 2', NULL, 'resolved', 'low', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '{}', '2026-11-01 02:00:00+00', 1, '2026-11-01 02:00:00+00', '2026-11-01 02:00:00+00', 'system', NULL, NULL, '''2'':2 ''ticket'':1', 'Grace', 'Person2@example.org', 'person2@example.org', 'question', '00000000-0000-7002-8006-000000000002', NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8011-000000000003', 'ticket', 3, 'T2-3', 'Ticket 3', NULL, 'open', 'low', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '{}', NULL, 1, '2026-11-01 03:00:00+00', '2026-11-01 03:00:00+00', 'system', NULL, NULL, '''3'':2 ''ticket'':1', 'Grace', 'Person3@example.org', 'person3@example.org', 'question', '00000000-0000-7002-8006-000000000003', NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8011-000000000004', 'ticket', 4, 'T2-4', 'Ticket 4', NULL, 'resolved', 'low', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '{}', '2026-11-01 04:00:00+00', 1, '2026-11-01 04:00:00+00', '2026-11-01 04:00:00+00', 'system', NULL, NULL, '''4'':2 ''ticket'':1', 'Grace', 'Person4@example.org', 'person4@example.org', 'question', '00000000-0000-7002-8006-000000000004', NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8011-000000000005', 'ticket', 5, 'T2-5', 'Ticket 5', NULL, 'open', 'low', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '{}', NULL, 1, '2026-11-01 05:00:00+00', '2026-11-01 05:00:00+00', 'system', NULL, NULL, '''5'':2 ''ticket'':1', 'Grace', 'Person5@example.org', 'person5@example.org', 'question', '00000000-0000-7002-8006-000000000005', NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8011-000000000006', 'ticket', 6, 'T2-6', 'Ticket 6', NULL, 'resolved', 'low', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '{}', '2026-11-01 06:00:00+00', 1, '2026-11-01 06:00:00+00', '2026-11-01 06:00:00+00', 'system', NULL, NULL, '''6'':2 ''ticket'':1', 'Grace', 'Person6@example.org', 'person6@example.org', 'question', '00000000-0000-7002-8006-000000000006', NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8011-000000000007', 'ticket', 7, 'T2-7', 'Ticket 7', NULL, 'open', 'low', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '{}', NULL, 1, '2026-11-01 07:00:00+00', '2026-11-01 07:00:00+00', 'system', NULL, NULL, '''7'':2 ''ticket'':1', 'Grace', 'Person7@example.org', 'person7@example.org', 'question', '00000000-0000-7002-8006-000000000007', NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8011-000000000008', 'ticket', 8, 'T2-8', 'Ticket 8', NULL, 'resolved', 'low', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '{}', '2026-11-01 08:00:00+00', 1, '2026-11-01 08:00:00+00', '2026-11-01 08:00:00+00', 'system', NULL, NULL, '''8'':2 ''ticket'':1', 'Grace', 'Person8@example.org', 'person8@example.org', 'question', '00000000-0000-7002-8006-000000000008', NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8011-000000000009', 'ticket', 9, 'T2-9', 'Ticket 9', NULL, 'open', 'low', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '{}', NULL, 1, '2026-11-01 09:00:00+00', '2026-11-01 09:00:00+00', 'system', NULL, NULL, '''9'':2 ''ticket'':1', 'Grace', 'Person9@example.org', 'person9@example.org', 'question', '00000000-0000-7002-8006-000000000009', NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8011-000000000010', 'ticket', 10, 'T2-10', 'Ticket 10', NULL, 'resolved', 'low', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '{}', '2026-11-01 10:00:00+00', 1, '2026-11-01 10:00:00+00', '2026-11-01 10:00:00+00', 'system', NULL, NULL, '''10'':2 ''ticket'':1', 'Grace', 'Person10@example.org', 'person10@example.org', 'question', '00000000-0000-7002-8006-000000000010', NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8011-000000000011', 'ticket', 11, 'T2-11', 'Ticket 11', NULL, 'open', 'low', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '{}', NULL, 1, '2026-11-01 11:00:00+00', '2026-11-01 11:00:00+00', 'system', NULL, NULL, '''11'':2 ''ticket'':1', 'Grace', 'Person11@example.org', 'person11@example.org', 'question', '00000000-0000-7002-8006-000000000011', NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8011-000000000012', 'ticket', 12, 'T2-12', 'Ticket 12', NULL, 'resolved', 'low', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '{}', '2026-11-01 12:00:00+00', 1, '2026-11-01 12:00:00+00', '2026-11-01 12:00:00+00', 'system', NULL, NULL, '''12'':2 ''ticket'':1', 'Grace', 'Person12@example.org', 'person12@example.org', 'question', '00000000-0000-7002-8006-000000000012', NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8011-000000000013', 'ticket', 13, 'T2-13', 'Ticket 13', NULL, 'open', 'low', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '{}', NULL, 1, '2026-11-01 13:00:00+00', '2026-11-01 13:00:00+00', 'system', NULL, NULL, '''13'':2 ''ticket'':1', 'Grace', 'Person13@example.org', 'person13@example.org', 'question', '00000000-0000-7002-8006-000000000013', NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8011-000000000014', 'ticket', 14, 'T2-14', 'Ticket 14', NULL, 'resolved', 'low', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '{}', '2026-11-01 14:00:00+00', 1, '2026-11-01 14:00:00+00', '2026-11-01 14:00:00+00', 'system', NULL, NULL, '''14'':2 ''ticket'':1', 'Grace', 'Person14@example.org', 'person14@example.org', 'question', '00000000-0000-7002-8006-000000000014', NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8011-000000000015', 'ticket', 15, 'T2-15', 'Ticket 15', NULL, 'open', 'low', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '{}', NULL, 1, '2026-11-01 15:00:00+00', '2026-11-01 15:00:00+00', 'system', NULL, NULL, '''15'':2 ''ticket'':1', 'Grace', 'Person15@example.org', 'person15@example.org', 'question', '00000000-0000-7002-8006-000000000015', NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8011-000000000016', 'ticket', 16, 'T2-16', 'Ticket 16', NULL, 'resolved', 'low', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '{}', '2026-11-01 16:00:00+00', 1, '2026-11-01 16:00:00+00', '2026-11-01 16:00:00+00', 'system', NULL, NULL, '''16'':2 ''ticket'':1', 'Grace', 'Person16@example.org', 'person16@example.org', 'question', '00000000-0000-7002-8006-000000000016', NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8011-000000000017', 'ticket', 17, 'T2-17', 'Ticket 17', NULL, 'open', 'low', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '{}', NULL, 1, '2026-11-01 17:00:00+00', '2026-11-01 17:00:00+00', 'system', NULL, NULL, '''17'':2 ''ticket'':1', 'Grace', 'Person17@example.org', 'person17@example.org', 'question', '00000000-0000-7002-8006-000000000017', NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8011-000000000018', 'ticket', 18, 'T2-18', 'Ticket 18', NULL, 'resolved', 'low', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '{}', '2026-11-01 18:00:00+00', 1, '2026-11-01 18:00:00+00', '2026-11-01 18:00:00+00', 'system', NULL, NULL, '''18'':2 ''ticket'':1', 'Grace', 'Person18@example.org', 'person18@example.org', 'question', '00000000-0000-7002-8006-000000000018', NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8011-000000000019', 'ticket', 19, 'T2-19', 'Ticket 19', NULL, 'open', 'low', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '{}', NULL, 1, '2026-11-01 19:00:00+00', '2026-11-01 19:00:00+00', 'system', NULL, NULL, '''19'':2 ''ticket'':1', 'Grace', 'Person19@example.org', 'person19@example.org', 'question', '00000000-0000-7002-8006-000000000019', NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8011-000000000020', 'ticket', 20, 'T2-20', 'Ticket 20', NULL, 'resolved', 'low', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '{}', '2026-11-01 20:00:00+00', 1, '2026-11-01 20:00:00+00', '2026-11-01 20:00:00+00', 'system', NULL, NULL, '''20'':2 ''ticket'':1', 'Grace', 'Person20@example.org', 'person20@example.org', 'question', '00000000-0000-7002-8006-000000000020', NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8011-000000000021', 'ticket', 21, 'T2-21', 'Ticket 21', NULL, 'open', 'low', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '{}', NULL, 1, '2026-11-01 21:00:00+00', '2026-11-01 21:00:00+00', 'system', NULL, NULL, '''21'':2 ''ticket'':1', 'Grace', 'Person21@example.org', 'person21@example.org', 'question', '00000000-0000-7002-8006-000000000021', NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8011-000000000022', 'ticket', 22, 'T2-22', 'Ticket 22', NULL, 'resolved', 'low', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '{}', '2026-11-01 22:00:00+00', 1, '2026-11-01 22:00:00+00', '2026-11-01 22:00:00+00', 'system', NULL, NULL, '''22'':2 ''ticket'':1', 'Grace', 'Person22@example.org', 'person22@example.org', 'question', '00000000-0000-7002-8006-000000000022', NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8011-000000000023', 'ticket', 23, 'T2-23', 'Ticket 23', NULL, 'open', 'low', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '{}', NULL, 1, '2026-11-01 23:00:00+00', '2026-11-01 23:00:00+00', 'system', NULL, NULL, '''23'':2 ''ticket'':1', 'Grace', 'Person23@example.org', 'person23@example.org', 'question', '00000000-0000-7002-8006-000000000023', NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8011-000000000024', 'ticket', 24, 'T2-24', 'Ticket 24', NULL, 'resolved', 'low', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '{}', '2026-11-02 00:00:00+00', 1, '2026-11-02 00:00:00+00', '2026-11-02 00:00:00+00', 'system', NULL, NULL, '''24'':2 ''ticket'':1', 'Grace', 'Person24@example.org', 'person24@example.org', 'question', '00000000-0000-7002-8006-000000000024', NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8011-000000000025', 'ticket', 25, 'T2-25', 'Ticket 25', NULL, 'open', 'low', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '{}', NULL, 1, '2026-11-02 01:00:00+00', '2026-11-02 01:00:00+00', 'system', NULL, NULL, '''25'':2 ''ticket'':1', 'Grace', 'Person25@example.org', 'person25@example.org', 'question', '00000000-0000-7002-8006-000000000025', NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8011-000000000026', 'ticket', 26, 'T2-26', 'Ticket 26', NULL, 'resolved', 'low', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '{}', '2026-11-02 02:00:00+00', 1, '2026-11-02 02:00:00+00', '2026-11-02 02:00:00+00', 'system', NULL, NULL, '''26'':2 ''ticket'':1', 'Grace', 'Person26@example.org', 'person26@example.org', 'question', '00000000-0000-7002-8006-000000000026', NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8011-000000000027', 'ticket', 27, 'T2-27', 'Ticket 27', NULL, 'open', 'low', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '{}', NULL, 1, '2026-11-02 03:00:00+00', '2026-11-02 03:00:00+00', 'system', NULL, NULL, '''27'':2 ''ticket'':1', 'Grace', 'Person27@example.org', 'person27@example.org', 'question', '00000000-0000-7002-8006-000000000027', NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8011-000000000028', 'ticket', 28, 'T2-28', 'Ticket 28', NULL, 'resolved', 'low', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '{}', '2026-11-02 04:00:00+00', 1, '2026-11-02 04:00:00+00', '2026-11-02 04:00:00+00', 'system', NULL, NULL, '''28'':2 ''ticket'':1', 'Grace', 'Person28@example.org', 'person28@example.org', 'question', '00000000-0000-7002-8006-000000000028', NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8011-000000000029', 'ticket', 29, 'T2-29', 'Ticket 29', NULL, 'open', 'low', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '{}', NULL, 1, '2026-11-02 05:00:00+00', '2026-11-02 05:00:00+00', 'system', NULL, NULL, '''29'':2 ''ticket'':1', 'Grace', 'Person29@example.org', 'person29@example.org', 'question', '00000000-0000-7002-8006-000000000029', NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8011-000000000030', 'ticket', 30, 'T2-30', 'Ticket 30', NULL, 'resolved', 'low', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '{}', '2026-11-02 06:00:00+00', 1, '2026-11-02 06:00:00+00', '2026-11-02 06:00:00+00', 'system', NULL, NULL, '''30'':2 ''ticket'':1', 'Grace', 'Person30@example.org', 'person30@example.org', 'question', '00000000-0000-7002-8006-000000000030', NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8011-000000000031', 'ticket', 31, 'T2-31', 'Ticket 31', NULL, 'open', 'low', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '{}', NULL, 1, '2026-11-02 07:00:00+00', '2026-11-02 07:00:00+00', 'system', NULL, NULL, '''31'':2 ''ticket'':1', 'Grace', 'Person31@example.org', 'person31@example.org', 'question', '00000000-0000-7002-8006-000000000031', NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8011-000000000032', 'ticket', 32, 'T2-32', 'Ticket 32', NULL, 'resolved', 'low', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '{}', '2026-11-02 08:00:00+00', 1, '2026-11-02 08:00:00+00', '2026-11-02 08:00:00+00', 'system', NULL, NULL, '''32'':2 ''ticket'':1', 'Grace', 'Person32@example.org', 'person32@example.org', 'question', '00000000-0000-7002-8006-000000000032', NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8011-000000000033', 'ticket', 33, 'T2-33', 'Ticket 33', NULL, 'open', 'low', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '{}', NULL, 1, '2026-11-02 09:00:00+00', '2026-11-02 09:00:00+00', 'system', NULL, NULL, '''33'':2 ''ticket'':1', 'Grace', 'Person33@example.org', 'person33@example.org', 'question', '00000000-0000-7002-8006-000000000033', NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8011-000000000034', 'ticket', 34, 'T2-34', 'Ticket 34', NULL, 'resolved', 'low', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '{}', '2026-11-02 10:00:00+00', 1, '2026-11-02 10:00:00+00', '2026-11-02 10:00:00+00', 'system', NULL, NULL, '''34'':2 ''ticket'':1', 'Grace', 'Person34@example.org', 'person34@example.org', 'question', '00000000-0000-7002-8006-000000000034', NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8011-000000000035', 'ticket', 35, 'T2-35', 'Ticket 35', NULL, 'open', 'low', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '{}', NULL, 1, '2026-11-02 11:00:00+00', '2026-11-02 11:00:00+00', 'system', NULL, NULL, '''35'':2 ''ticket'':1', 'Grace', 'Person35@example.org', 'person35@example.org', 'question', '00000000-0000-7002-8006-000000000035', NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8011-000000000036', 'ticket', 36, 'T2-36', 'Ticket 36', NULL, 'resolved', 'low', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '{}', '2026-11-02 12:00:00+00', 1, '2026-11-02 12:00:00+00', '2026-11-02 12:00:00+00', 'system', NULL, NULL, '''36'':2 ''ticket'':1', 'Grace', 'Person36@example.org', 'person36@example.org', 'question', '00000000-0000-7002-8006-000000000036', NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8011-000000000037', 'ticket', 37, 'T2-37', 'Ticket 37', NULL, 'open', 'low', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '{}', NULL, 1, '2026-11-02 13:00:00+00', '2026-11-02 13:00:00+00', 'system', NULL, NULL, '''37'':2 ''ticket'':1', 'Grace', 'Person37@example.org', 'person37@example.org', 'question', '00000000-0000-7002-8006-000000000037', NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8011-000000000038', 'ticket', 38, 'T2-38', 'Ticket 38', NULL, 'resolved', 'low', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '{}', '2026-11-02 14:00:00+00', 1, '2026-11-02 14:00:00+00', '2026-11-02 14:00:00+00', 'system', NULL, NULL, '''38'':2 ''ticket'':1', 'Grace', 'Person38@example.org', 'person38@example.org', 'question', '00000000-0000-7002-8006-000000000038', NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8011-000000000039', 'ticket', 39, 'T2-39', 'Ticket 39', NULL, 'open', 'low', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '{}', NULL, 1, '2026-11-02 15:00:00+00', '2026-11-02 15:00:00+00', 'system', NULL, NULL, '''39'':2 ''ticket'':1', 'Grace', 'Person39@example.org', 'person39@example.org', 'question', '00000000-0000-7002-8006-000000000039', NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8011-000000000040', 'ticket', 40, 'T2-40', 'Ticket 40', NULL, 'resolved', 'low', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '{}', '2026-11-02 16:00:00+00', 1, '2026-11-02 16:00:00+00', '2026-11-02 16:00:00+00', 'system', NULL, NULL, '''40'':2 ''ticket'':1', 'Grace', 'Person40@example.org', 'person40@example.org', 'question', '00000000-0000-7002-8006-000000000040', NULL, true, NULL, NULL, NULL, NULL);
INSERT INTO public.issues VALUES
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8011-000000000001', 'ticket', 1, 'T3-1', 'Ticket 1', NULL, 'open', 'low', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '{}', NULL, 1, '2026-11-01 01:00:00+00', '2026-11-01 01:00:00+00', 'system', NULL, NULL, '''1'':2 ''ticket'':1', 'Grace', 'Person1@example.org', 'person1@example.org', 'question', '00000000-0000-7003-8006-000000000001', NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8011-000000000002', 'ticket', 2, 'T3-2', 'Ticket 2', NULL, 'resolved', 'low', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '{}', '2026-11-01 02:00:00+00', 1, '2026-11-01 02:00:00+00', '2026-11-01 02:00:00+00', 'system', NULL, NULL, '''2'':2 ''ticket'':1', 'Grace', 'Person2@example.org', 'person2@example.org', 'question', '00000000-0000-7003-8006-000000000002', NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8011-000000000003', 'ticket', 3, 'T3-3', 'Ticket 3', NULL, 'open', 'low', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '{}', NULL, 1, '2026-11-01 03:00:00+00', '2026-11-01 03:00:00+00', 'system', NULL, NULL, '''3'':2 ''ticket'':1', 'Grace', 'Person3@example.org', 'person3@example.org', 'question', '00000000-0000-7003-8006-000000000003', NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8011-000000000004', 'ticket', 4, 'T3-4', 'Ticket 4', NULL, 'resolved', 'low', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '{}', '2026-11-01 04:00:00+00', 1, '2026-11-01 04:00:00+00', '2026-11-01 04:00:00+00', 'system', NULL, NULL, '''4'':2 ''ticket'':1', 'Grace', 'Person4@example.org', 'person4@example.org', 'question', '00000000-0000-7003-8006-000000000004', NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8011-000000000005', 'ticket', 5, 'T3-5', 'Ticket 5', NULL, 'open', 'low', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '{}', NULL, 1, '2026-11-01 05:00:00+00', '2026-11-01 05:00:00+00', 'system', NULL, NULL, '''5'':2 ''ticket'':1', 'Grace', 'Person5@example.org', 'person5@example.org', 'question', '00000000-0000-7003-8006-000000000005', NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8011-000000000006', 'ticket', 6, 'T3-6', 'Ticket 6', NULL, 'resolved', 'low', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '{}', '2026-11-01 06:00:00+00', 1, '2026-11-01 06:00:00+00', '2026-11-01 06:00:00+00', 'system', NULL, NULL, '''6'':2 ''ticket'':1', 'Grace', 'Person6@example.org', 'person6@example.org', 'question', '00000000-0000-7003-8006-000000000006', NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8011-000000000007', 'ticket', 7, 'T3-7', 'Ticket 7', NULL, 'open', 'low', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '{}', NULL, 1, '2026-11-01 07:00:00+00', '2026-11-01 07:00:00+00', 'system', NULL, NULL, '''7'':2 ''ticket'':1', 'Grace', 'Person7@example.org', 'person7@example.org', 'question', '00000000-0000-7003-8006-000000000007', NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8011-000000000008', 'ticket', 8, 'T3-8', 'Ticket 8', NULL, 'resolved', 'low', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '{}', '2026-11-01 08:00:00+00', 1, '2026-11-01 08:00:00+00', '2026-11-01 08:00:00+00', 'system', NULL, NULL, '''8'':2 ''ticket'':1', 'Grace', 'Person8@example.org', 'person8@example.org', 'question', '00000000-0000-7003-8006-000000000008', NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8011-000000000009', 'ticket', 9, 'T3-9', 'Ticket 9', NULL, 'open', 'low', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '{}', NULL, 1, '2026-11-01 09:00:00+00', '2026-11-01 09:00:00+00', 'system', NULL, NULL, '''9'':2 ''ticket'':1', 'Grace', 'Person9@example.org', 'person9@example.org', 'question', '00000000-0000-7003-8006-000000000009', NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8011-000000000010', 'ticket', 10, 'T3-10', 'Ticket 10', NULL, 'resolved', 'low', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '{}', '2026-11-01 10:00:00+00', 1, '2026-11-01 10:00:00+00', '2026-11-01 10:00:00+00', 'system', NULL, NULL, '''10'':2 ''ticket'':1', 'Grace', 'Person10@example.org', 'person10@example.org', 'question', '00000000-0000-7003-8006-000000000010', NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8011-000000000011', 'ticket', 11, 'T3-11', 'Ticket 11', NULL, 'open', 'low', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '{}', NULL, 1, '2026-11-01 11:00:00+00', '2026-11-01 11:00:00+00', 'system', NULL, NULL, '''11'':2 ''ticket'':1', 'Grace', 'Person11@example.org', 'person11@example.org', 'question', '00000000-0000-7003-8006-000000000011', NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8011-000000000012', 'ticket', 12, 'T3-12', 'Ticket 12', NULL, 'resolved', 'low', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '{}', '2026-11-01 12:00:00+00', 1, '2026-11-01 12:00:00+00', '2026-11-01 12:00:00+00', 'system', NULL, NULL, '''12'':2 ''ticket'':1', 'Grace', 'Person12@example.org', 'person12@example.org', 'question', '00000000-0000-7003-8006-000000000012', NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8011-000000000013', 'ticket', 13, 'T3-13', 'Ticket 13', NULL, 'open', 'low', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '{}', NULL, 1, '2026-11-01 13:00:00+00', '2026-11-01 13:00:00+00', 'system', NULL, NULL, '''13'':2 ''ticket'':1', 'Grace', 'Person13@example.org', 'person13@example.org', 'question', '00000000-0000-7003-8006-000000000013', NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8011-000000000014', 'ticket', 14, 'T3-14', 'Ticket 14', NULL, 'resolved', 'low', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '{}', '2026-11-01 14:00:00+00', 1, '2026-11-01 14:00:00+00', '2026-11-01 14:00:00+00', 'system', NULL, NULL, '''14'':2 ''ticket'':1', 'Grace', 'Person14@example.org', 'person14@example.org', 'question', '00000000-0000-7003-8006-000000000014', NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8011-000000000015', 'ticket', 15, 'T3-15', 'Ticket 15', NULL, 'open', 'low', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '{}', NULL, 1, '2026-11-01 15:00:00+00', '2026-11-01 15:00:00+00', 'system', NULL, NULL, '''15'':2 ''ticket'':1', 'Grace', 'Person15@example.org', 'person15@example.org', 'question', '00000000-0000-7003-8006-000000000015', NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8011-000000000016', 'ticket', 16, 'T3-16', 'Ticket 16', NULL, 'resolved', 'low', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '{}', '2026-11-01 16:00:00+00', 1, '2026-11-01 16:00:00+00', '2026-11-01 16:00:00+00', 'system', NULL, NULL, '''16'':2 ''ticket'':1', 'Grace', 'Person16@example.org', 'person16@example.org', 'question', '00000000-0000-7003-8006-000000000016', NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8011-000000000017', 'ticket', 17, 'T3-17', 'Ticket 17', NULL, 'open', 'low', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '{}', NULL, 1, '2026-11-01 17:00:00+00', '2026-11-01 17:00:00+00', 'system', NULL, NULL, '''17'':2 ''ticket'':1', 'Grace', 'Person17@example.org', 'person17@example.org', 'question', '00000000-0000-7003-8006-000000000017', NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8011-000000000018', 'ticket', 18, 'T3-18', 'Ticket 18', NULL, 'resolved', 'low', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '{}', '2026-11-01 18:00:00+00', 1, '2026-11-01 18:00:00+00', '2026-11-01 18:00:00+00', 'system', NULL, NULL, '''18'':2 ''ticket'':1', 'Grace', 'Person18@example.org', 'person18@example.org', 'question', '00000000-0000-7003-8006-000000000018', NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8011-000000000019', 'ticket', 19, 'T3-19', 'Ticket 19', NULL, 'open', 'low', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '{}', NULL, 1, '2026-11-01 19:00:00+00', '2026-11-01 19:00:00+00', 'system', NULL, NULL, '''19'':2 ''ticket'':1', 'Grace', 'Person19@example.org', 'person19@example.org', 'question', '00000000-0000-7003-8006-000000000019', NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8011-000000000020', 'ticket', 20, 'T3-20', 'Ticket 20', NULL, 'resolved', 'low', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '{}', '2026-11-01 20:00:00+00', 1, '2026-11-01 20:00:00+00', '2026-11-01 20:00:00+00', 'system', NULL, NULL, '''20'':2 ''ticket'':1', 'Grace', 'Person20@example.org', 'person20@example.org', 'question', '00000000-0000-7003-8006-000000000020', NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8011-000000000021', 'ticket', 21, 'T3-21', 'Ticket 21', NULL, 'open', 'low', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '{}', NULL, 1, '2026-11-01 21:00:00+00', '2026-11-01 21:00:00+00', 'system', NULL, NULL, '''21'':2 ''ticket'':1', 'Grace', 'Person21@example.org', 'person21@example.org', 'question', '00000000-0000-7003-8006-000000000021', NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8011-000000000022', 'ticket', 22, 'T3-22', 'Ticket 22', NULL, 'resolved', 'low', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '{}', '2026-11-01 22:00:00+00', 1, '2026-11-01 22:00:00+00', '2026-11-01 22:00:00+00', 'system', NULL, NULL, '''22'':2 ''ticket'':1', 'Grace', 'Person22@example.org', 'person22@example.org', 'question', '00000000-0000-7003-8006-000000000022', NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8011-000000000023', 'ticket', 23, 'T3-23', 'Ticket 23', NULL, 'open', 'low', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '{}', NULL, 1, '2026-11-01 23:00:00+00', '2026-11-01 23:00:00+00', 'system', NULL, NULL, '''23'':2 ''ticket'':1', 'Grace', 'Person23@example.org', 'person23@example.org', 'question', '00000000-0000-7003-8006-000000000023', NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8011-000000000024', 'ticket', 24, 'T3-24', 'Ticket 24', NULL, 'resolved', 'low', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '{}', '2026-11-02 00:00:00+00', 1, '2026-11-02 00:00:00+00', '2026-11-02 00:00:00+00', 'system', NULL, NULL, '''24'':2 ''ticket'':1', 'Grace', 'Person24@example.org', 'person24@example.org', 'question', '00000000-0000-7003-8006-000000000024', NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8011-000000000025', 'ticket', 25, 'T3-25', 'Ticket 25', NULL, 'open', 'low', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '{}', NULL, 1, '2026-11-02 01:00:00+00', '2026-11-02 01:00:00+00', 'system', NULL, NULL, '''25'':2 ''ticket'':1', 'Grace', 'Person25@example.org', 'person25@example.org', 'question', '00000000-0000-7003-8006-000000000025', NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8011-000000000026', 'ticket', 26, 'T3-26', 'Ticket 26', NULL, 'resolved', 'low', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '{}', '2026-11-02 02:00:00+00', 1, '2026-11-02 02:00:00+00', '2026-11-02 02:00:00+00', 'system', NULL, NULL, '''26'':2 ''ticket'':1', 'Grace', 'Person26@example.org', 'person26@example.org', 'question', '00000000-0000-7003-8006-000000000026', NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8011-000000000027', 'ticket', 27, 'T3-27', 'Ticket 27', NULL, 'open', 'low', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '{}', NULL, 1, '2026-11-02 03:00:00+00', '2026-11-02 03:00:00+00', 'system', NULL, NULL, '''27'':2 ''ticket'':1', 'Grace', 'Person27@example.org', 'person27@example.org', 'question', '00000000-0000-7003-8006-000000000027', NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8011-000000000028', 'ticket', 28, 'T3-28', 'Ticket 28', NULL, 'resolved', 'low', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '{}', '2026-11-02 04:00:00+00', 1, '2026-11-02 04:00:00+00', '2026-11-02 04:00:00+00', 'system', NULL, NULL, '''28'':2 ''ticket'':1', 'Grace', 'Person28@example.org', 'person28@example.org', 'question', '00000000-0000-7003-8006-000000000028', NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8011-000000000029', 'ticket', 29, 'T3-29', 'Ticket 29', NULL, 'open', 'low', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '{}', NULL, 1, '2026-11-02 05:00:00+00', '2026-11-02 05:00:00+00', 'system', NULL, NULL, '''29'':2 ''ticket'':1', 'Grace', 'Person29@example.org', 'person29@example.org', 'question', '00000000-0000-7003-8006-000000000029', NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8011-000000000030', 'ticket', 30, 'T3-30', 'Ticket 30', NULL, 'resolved', 'low', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '{}', '2026-11-02 06:00:00+00', 1, '2026-11-02 06:00:00+00', '2026-11-02 06:00:00+00', 'system', NULL, NULL, '''30'':2 ''ticket'':1', 'Grace', 'Person30@example.org', 'person30@example.org', 'question', '00000000-0000-7003-8006-000000000030', NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8011-000000000031', 'ticket', 31, 'T3-31', 'Ticket 31', NULL, 'open', 'low', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '{}', NULL, 1, '2026-11-02 07:00:00+00', '2026-11-02 07:00:00+00', 'system', NULL, NULL, '''31'':2 ''ticket'':1', 'Grace', 'Person31@example.org', 'person31@example.org', 'question', '00000000-0000-7003-8006-000000000031', NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8011-000000000032', 'ticket', 32, 'T3-32', 'Ticket 32', NULL, 'resolved', 'low', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '{}', '2026-11-02 08:00:00+00', 1, '2026-11-02 08:00:00+00', '2026-11-02 08:00:00+00', 'system', NULL, NULL, '''32'':2 ''ticket'':1', 'Grace', 'Person32@example.org', 'person32@example.org', 'question', '00000000-0000-7003-8006-000000000032', NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8011-000000000033', 'ticket', 33, 'T3-33', 'Ticket 33', NULL, 'open', 'low', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '{}', NULL, 1, '2026-11-02 09:00:00+00', '2026-11-02 09:00:00+00', 'system', NULL, NULL, '''33'':2 ''ticket'':1', 'Grace', 'Person33@example.org', 'person33@example.org', 'question', '00000000-0000-7003-8006-000000000033', NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8011-000000000034', 'ticket', 34, 'T3-34', 'Ticket 34', NULL, 'resolved', 'low', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '{}', '2026-11-02 10:00:00+00', 1, '2026-11-02 10:00:00+00', '2026-11-02 10:00:00+00', 'system', NULL, NULL, '''34'':2 ''ticket'':1', 'Grace', 'Person34@example.org', 'person34@example.org', 'question', '00000000-0000-7003-8006-000000000034', NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8011-000000000035', 'ticket', 35, 'T3-35', 'Ticket 35', NULL, 'open', 'low', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '{}', NULL, 1, '2026-11-02 11:00:00+00', '2026-11-02 11:00:00+00', 'system', NULL, NULL, '''35'':2 ''ticket'':1', 'Grace', 'Person35@example.org', 'person35@example.org', 'question', '00000000-0000-7003-8006-000000000035', NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8011-000000000036', 'ticket', 36, 'T3-36', 'Ticket 36', NULL, 'resolved', 'low', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '{}', '2026-11-02 12:00:00+00', 1, '2026-11-02 12:00:00+00', '2026-11-02 12:00:00+00', 'system', NULL, NULL, '''36'':2 ''ticket'':1', 'Grace', 'Person36@example.org', 'person36@example.org', 'question', '00000000-0000-7003-8006-000000000036', NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8011-000000000037', 'ticket', 37, 'T3-37', 'Ticket 37', NULL, 'open', 'low', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '{}', NULL, 1, '2026-11-02 13:00:00+00', '2026-11-02 13:00:00+00', 'system', NULL, NULL, '''37'':2 ''ticket'':1', 'Grace', 'Person37@example.org', 'person37@example.org', 'question', '00000000-0000-7003-8006-000000000037', NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8011-000000000038', 'ticket', 38, 'T3-38', 'Ticket 38', NULL, 'resolved', 'low', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '{}', '2026-11-02 14:00:00+00', 1, '2026-11-02 14:00:00+00', '2026-11-02 14:00:00+00', 'system', NULL, NULL, '''38'':2 ''ticket'':1', 'Grace', 'Person38@example.org', 'person38@example.org', 'question', '00000000-0000-7003-8006-000000000038', NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8011-000000000039', 'ticket', 39, 'T3-39', 'Ticket 39', NULL, 'open', 'low', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '{}', NULL, 1, '2026-11-02 15:00:00+00', '2026-11-02 15:00:00+00', 'system', NULL, NULL, '''39'':2 ''ticket'':1', 'Grace', 'Person39@example.org', 'person39@example.org', 'question', '00000000-0000-7003-8006-000000000039', NULL, true, NULL, NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8011-000000000040', 'ticket', 40, 'T3-40', 'Ticket 40', NULL, 'resolved', 'low', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '{}', '2026-11-02 16:00:00+00', 1, '2026-11-02 16:00:00+00', '2026-11-02 16:00:00+00', 'system', NULL, NULL, '''40'':2 ''ticket'':1', 'Grace', 'Person40@example.org', 'person40@example.org', 'question', '00000000-0000-7003-8006-000000000040', NULL, true, NULL, NULL, NULL, NULL);
INSERT INTO public.kb_articles VALUES
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8013-000000000001', 'Article 1', 'article-1', 'Oil the bearings', 'published', '{}', '2026-11-01 01:00:00+00', 1, '2026-11-01 01:00:00+00', '2026-11-01 01:00:00+00', 'user', NULL, NULL, '', '1', NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8013-000000000002', 'Article 2', 'article-2', 'Oil the bearings', 'published', '{}', '2026-11-01 02:00:00+00', 1, '2026-11-01 02:00:00+00', '2026-11-01 02:00:00+00', 'user', NULL, NULL, '', '1', NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8013-000000000003', 'Article 3', 'article-3', 'Oil the bearings', 'published', '{}', '2026-11-01 03:00:00+00', 1, '2026-11-01 03:00:00+00', '2026-11-01 03:00:00+00', 'user', NULL, NULL, '', '1', NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8013-000000000004', 'Article 4', 'article-4', 'Oil the bearings', 'published', '{}', '2026-11-01 04:00:00+00', 1, '2026-11-01 04:00:00+00', '2026-11-01 04:00:00+00', 'user', NULL, NULL, '', '1', NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8013-000000000005', 'Article 5', 'article-5', 'Oil the bearings', 'published', '{}', '2026-11-01 05:00:00+00', 1, '2026-11-01 05:00:00+00', '2026-11-01 05:00:00+00', 'user', NULL, NULL, '', '1', NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8013-000000000006', 'Article 6', 'article-6', 'Oil the bearings', 'published', '{}', '2026-11-01 06:00:00+00', 1, '2026-11-01 06:00:00+00', '2026-11-01 06:00:00+00', 'user', NULL, NULL, '', '1', NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8013-000000000007', 'Article 7', 'article-7', 'Oil the bearings', 'published', '{}', '2026-11-01 07:00:00+00', 1, '2026-11-01 07:00:00+00', '2026-11-01 07:00:00+00', 'user', NULL, NULL, '', '1', NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8013-000000000008', 'Article 8', 'article-8', 'Oil the bearings', 'published', '{}', '2026-11-01 08:00:00+00', 1, '2026-11-01 08:00:00+00', '2026-11-01 08:00:00+00', 'user', NULL, NULL, '', '1', NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8013-000000000009', 'Article 9', 'article-9', 'Oil the bearings', 'published', '{}', '2026-11-01 09:00:00+00', 1, '2026-11-01 09:00:00+00', '2026-11-01 09:00:00+00', 'user', NULL, NULL, '', '1', NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8013-000000000010', 'Article 10', 'article-10', 'Oil the bearings', 'published', '{}', '2026-11-01 10:00:00+00', 1, '2026-11-01 10:00:00+00', '2026-11-01 10:00:00+00', 'user', NULL, NULL, '', '1', NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8013-000000000011', 'Article 11', 'article-11', 'Oil the bearings', 'published', '{}', '2026-11-01 11:00:00+00', 1, '2026-11-01 11:00:00+00', '2026-11-01 11:00:00+00', 'user', NULL, NULL, '', '1', NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8013-000000000012', 'Article 12', 'article-12', 'Oil the bearings', 'published', '{}', '2026-11-01 12:00:00+00', 1, '2026-11-01 12:00:00+00', '2026-11-01 12:00:00+00', 'user', NULL, NULL, '', '1', NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8013-000000000013', 'Article 13', 'article-13', 'Oil the bearings', 'published', '{}', '2026-11-01 13:00:00+00', 1, '2026-11-01 13:00:00+00', '2026-11-01 13:00:00+00', 'user', NULL, NULL, '', '1', NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8013-000000000014', 'Article 14', 'article-14', 'Oil the bearings', 'published', '{}', '2026-11-01 14:00:00+00', 1, '2026-11-01 14:00:00+00', '2026-11-01 14:00:00+00', 'user', NULL, NULL, '', '1', NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8013-000000000015', 'Article 15', 'article-15', 'Oil the bearings', 'published', '{}', '2026-11-01 15:00:00+00', 1, '2026-11-01 15:00:00+00', '2026-11-01 15:00:00+00', 'user', NULL, NULL, '', '1', NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8013-000000000016', 'Article 16', 'article-16', 'Oil the bearings', 'published', '{}', '2026-11-01 16:00:00+00', 1, '2026-11-01 16:00:00+00', '2026-11-01 16:00:00+00', 'user', NULL, NULL, '', '1', NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8013-000000000017', 'Article 17', 'article-17', 'Oil the bearings', 'published', '{}', '2026-11-01 17:00:00+00', 1, '2026-11-01 17:00:00+00', '2026-11-01 17:00:00+00', 'user', NULL, NULL, '', '1', NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8013-000000000018', 'Article 18', 'article-18', 'Oil the bearings', 'published', '{}', '2026-11-01 18:00:00+00', 1, '2026-11-01 18:00:00+00', '2026-11-01 18:00:00+00', 'user', NULL, NULL, '', '1', NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8013-000000000019', 'Article 19', 'article-19', 'Oil the bearings', 'published', '{}', '2026-11-01 19:00:00+00', 1, '2026-11-01 19:00:00+00', '2026-11-01 19:00:00+00', 'user', NULL, NULL, '', '1', NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8013-000000000020', 'Article 20', 'article-20', 'Oil the bearings', 'published', '{}', '2026-11-01 20:00:00+00', 1, '2026-11-01 20:00:00+00', '2026-11-01 20:00:00+00', 'user', NULL, NULL, '', '1', NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8013-000000000021', 'Article 21', 'article-21', 'Oil the bearings', 'published', '{}', '2026-11-01 21:00:00+00', 1, '2026-11-01 21:00:00+00', '2026-11-01 21:00:00+00', 'user', NULL, NULL, '', '1', NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8013-000000000022', 'Article 22', 'article-22', 'Oil the bearings', 'published', '{}', '2026-11-01 22:00:00+00', 1, '2026-11-01 22:00:00+00', '2026-11-01 22:00:00+00', 'user', NULL, NULL, '', '1', NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8013-000000000023', 'Article 23', 'article-23', 'Oil the bearings', 'published', '{}', '2026-11-01 23:00:00+00', 1, '2026-11-01 23:00:00+00', '2026-11-01 23:00:00+00', 'user', NULL, NULL, '', '1', NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8013-000000000024', 'Article 24', 'article-24', 'Oil the bearings', 'published', '{}', '2026-11-02 00:00:00+00', 1, '2026-11-02 00:00:00+00', '2026-11-02 00:00:00+00', 'user', NULL, NULL, '', '1', NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8013-000000000025', 'Article 25', 'article-25', 'Oil the bearings', 'published', '{}', '2026-11-02 01:00:00+00', 1, '2026-11-02 01:00:00+00', '2026-11-02 01:00:00+00', 'user', NULL, NULL, '', '1', NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8013-000000000026', 'Article 26', 'article-26', 'Oil the bearings', 'published', '{}', '2026-11-02 02:00:00+00', 1, '2026-11-02 02:00:00+00', '2026-11-02 02:00:00+00', 'user', NULL, NULL, '', '1', NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8013-000000000027', 'Article 27', 'article-27', 'Oil the bearings', 'published', '{}', '2026-11-02 03:00:00+00', 1, '2026-11-02 03:00:00+00', '2026-11-02 03:00:00+00', 'user', NULL, NULL, '', '1', NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8013-000000000028', 'Article 28', 'article-28', 'Oil the bearings', 'published', '{}', '2026-11-02 04:00:00+00', 1, '2026-11-02 04:00:00+00', '2026-11-02 04:00:00+00', 'user', NULL, NULL, '', '1', NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8013-000000000029', 'Article 29', 'article-29', 'Oil the bearings', 'published', '{}', '2026-11-02 05:00:00+00', 1, '2026-11-02 05:00:00+00', '2026-11-02 05:00:00+00', 'user', NULL, NULL, '', '1', NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8013-000000000030', 'Article 30', 'article-30', 'Oil the bearings', 'published', '{}', '2026-11-02 06:00:00+00', 1, '2026-11-02 06:00:00+00', '2026-11-02 06:00:00+00', 'user', NULL, NULL, '', '1', NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8013-000000000031', 'Article 31', 'article-31', 'Oil the bearings', 'published', '{}', '2026-11-02 07:00:00+00', 1, '2026-11-02 07:00:00+00', '2026-11-02 07:00:00+00', 'user', NULL, NULL, '', '1', NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8013-000000000032', 'Article 32', 'article-32', 'Oil the bearings', 'published', '{}', '2026-11-02 08:00:00+00', 1, '2026-11-02 08:00:00+00', '2026-11-02 08:00:00+00', 'user', NULL, NULL, '', '1', NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8013-000000000033', 'Article 33', 'article-33', 'Oil the bearings', 'published', '{}', '2026-11-02 09:00:00+00', 1, '2026-11-02 09:00:00+00', '2026-11-02 09:00:00+00', 'user', NULL, NULL, '', '1', NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8013-000000000034', 'Article 34', 'article-34', 'Oil the bearings', 'published', '{}', '2026-11-02 10:00:00+00', 1, '2026-11-02 10:00:00+00', '2026-11-02 10:00:00+00', 'user', NULL, NULL, '', '1', NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8013-000000000035', 'Article 35', 'article-35', 'Oil the bearings', 'published', '{}', '2026-11-02 11:00:00+00', 1, '2026-11-02 11:00:00+00', '2026-11-02 11:00:00+00', 'user', NULL, NULL, '', '1', NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8013-000000000036', 'Article 36', 'article-36', 'Oil the bearings', 'published', '{}', '2026-11-02 12:00:00+00', 1, '2026-11-02 12:00:00+00', '2026-11-02 12:00:00+00', 'user', NULL, NULL, '', '1', NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8013-000000000037', 'Article 37', 'article-37', 'Oil the bearings', 'published', '{}', '2026-11-02 13:00:00+00', 1, '2026-11-02 13:00:00+00', '2026-11-02 13:00:00+00', 'user', NULL, NULL, '', '1', NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8013-000000000038', 'Article 38', 'article-38', 'Oil the bearings', 'published', '{}', '2026-11-02 14:00:00+00', 1, '2026-11-02 14:00:00+00', '2026-11-02 14:00:00+00', 'user', NULL, NULL, '', '1', NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8013-000000000039', 'Article 39', 'article-39', 'Oil the bearings', 'published', '{}', '2026-11-02 15:00:00+00', 1, '2026-11-02 15:00:00+00', '2026-11-02 15:00:00+00', 'user', NULL, NULL, '', '1', NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8013-000000000040', 'Article 40', 'article-40', 'Oil the bearings', 'published', '{}', '2026-11-02 16:00:00+00', 1, '2026-11-02 16:00:00+00', '2026-11-02 16:00:00+00', 'user', NULL, NULL, '', '1', NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8013-000000000001', 'Article 1', 'article-1', 'Oil the bearings', 'published', '{}', '2026-11-01 01:00:00+00', 1, '2026-11-01 01:00:00+00', '2026-11-01 01:00:00+00', 'user', NULL, NULL, '', '1', NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8013-000000000002', 'Article 2', 'article-2', 'Oil the bearings', 'published', '{}', '2026-11-01 02:00:00+00', 1, '2026-11-01 02:00:00+00', '2026-11-01 02:00:00+00', 'user', NULL, NULL, '', '1', NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8013-000000000003', 'Article 3', 'article-3', 'Oil the bearings', 'published', '{}', '2026-11-01 03:00:00+00', 1, '2026-11-01 03:00:00+00', '2026-11-01 03:00:00+00', 'user', NULL, NULL, '', '1', NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8013-000000000004', 'Article 4', 'article-4', 'Oil the bearings', 'published', '{}', '2026-11-01 04:00:00+00', 1, '2026-11-01 04:00:00+00', '2026-11-01 04:00:00+00', 'user', NULL, NULL, '', '1', NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8013-000000000005', 'Article 5', 'article-5', 'Oil the bearings', 'published', '{}', '2026-11-01 05:00:00+00', 1, '2026-11-01 05:00:00+00', '2026-11-01 05:00:00+00', 'user', NULL, NULL, '', '1', NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8013-000000000006', 'Article 6', 'article-6', 'Oil the bearings', 'published', '{}', '2026-11-01 06:00:00+00', 1, '2026-11-01 06:00:00+00', '2026-11-01 06:00:00+00', 'user', NULL, NULL, '', '1', NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8013-000000000007', 'Article 7', 'article-7', 'Oil the bearings', 'published', '{}', '2026-11-01 07:00:00+00', 1, '2026-11-01 07:00:00+00', '2026-11-01 07:00:00+00', 'user', NULL, NULL, '', '1', NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8013-000000000008', 'Article 8', 'article-8', 'Oil the bearings', 'published', '{}', '2026-11-01 08:00:00+00', 1, '2026-11-01 08:00:00+00', '2026-11-01 08:00:00+00', 'user', NULL, NULL, '', '1', NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8013-000000000009', 'Article 9', 'article-9', 'Oil the bearings', 'published', '{}', '2026-11-01 09:00:00+00', 1, '2026-11-01 09:00:00+00', '2026-11-01 09:00:00+00', 'user', NULL, NULL, '', '1', NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8013-000000000010', 'Article 10', 'article-10', 'Oil the bearings', 'published', '{}', '2026-11-01 10:00:00+00', 1, '2026-11-01 10:00:00+00', '2026-11-01 10:00:00+00', 'user', NULL, NULL, '', '1', NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8013-000000000011', 'Article 11', 'article-11', 'Oil the bearings', 'published', '{}', '2026-11-01 11:00:00+00', 1, '2026-11-01 11:00:00+00', '2026-11-01 11:00:00+00', 'user', NULL, NULL, '', '1', NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8013-000000000012', 'Article 12', 'article-12', 'Oil the bearings', 'published', '{}', '2026-11-01 12:00:00+00', 1, '2026-11-01 12:00:00+00', '2026-11-01 12:00:00+00', 'user', NULL, NULL, '', '1', NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8013-000000000013', 'Article 13', 'article-13', 'Oil the bearings', 'published', '{}', '2026-11-01 13:00:00+00', 1, '2026-11-01 13:00:00+00', '2026-11-01 13:00:00+00', 'user', NULL, NULL, '', '1', NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8013-000000000014', 'Article 14', 'article-14', 'Oil the bearings', 'published', '{}', '2026-11-01 14:00:00+00', 1, '2026-11-01 14:00:00+00', '2026-11-01 14:00:00+00', 'user', NULL, NULL, '', '1', NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8013-000000000015', 'Article 15', 'article-15', 'Oil the bearings', 'published', '{}', '2026-11-01 15:00:00+00', 1, '2026-11-01 15:00:00+00', '2026-11-01 15:00:00+00', 'user', NULL, NULL, '', '1', NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8013-000000000016', 'Article 16', 'article-16', 'Oil the bearings', 'published', '{}', '2026-11-01 16:00:00+00', 1, '2026-11-01 16:00:00+00', '2026-11-01 16:00:00+00', 'user', NULL, NULL, '', '1', NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8013-000000000017', 'Article 17', 'article-17', 'Oil the bearings', 'published', '{}', '2026-11-01 17:00:00+00', 1, '2026-11-01 17:00:00+00', '2026-11-01 17:00:00+00', 'user', NULL, NULL, '', '1', NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8013-000000000018', 'Article 18', 'article-18', 'Oil the bearings', 'published', '{}', '2026-11-01 18:00:00+00', 1, '2026-11-01 18:00:00+00', '2026-11-01 18:00:00+00', 'user', NULL, NULL, '', '1', NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8013-000000000019', 'Article 19', 'article-19', 'Oil the bearings', 'published', '{}', '2026-11-01 19:00:00+00', 1, '2026-11-01 19:00:00+00', '2026-11-01 19:00:00+00', 'user', NULL, NULL, '', '1', NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8013-000000000020', 'Article 20', 'article-20', 'Oil the bearings', 'published', '{}', '2026-11-01 20:00:00+00', 1, '2026-11-01 20:00:00+00', '2026-11-01 20:00:00+00', 'user', NULL, NULL, '', '1', NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8013-000000000021', 'Article 21', 'article-21', 'Oil the bearings', 'published', '{}', '2026-11-01 21:00:00+00', 1, '2026-11-01 21:00:00+00', '2026-11-01 21:00:00+00', 'user', NULL, NULL, '', '1', NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8013-000000000022', 'Article 22', 'article-22', 'Oil the bearings', 'published', '{}', '2026-11-01 22:00:00+00', 1, '2026-11-01 22:00:00+00', '2026-11-01 22:00:00+00', 'user', NULL, NULL, '', '1', NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8013-000000000023', 'Article 23', 'article-23', 'Oil the bearings', 'published', '{}', '2026-11-01 23:00:00+00', 1, '2026-11-01 23:00:00+00', '2026-11-01 23:00:00+00', 'user', NULL, NULL, '', '1', NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8013-000000000024', 'Article 24', 'article-24', 'Oil the bearings', 'published', '{}', '2026-11-02 00:00:00+00', 1, '2026-11-02 00:00:00+00', '2026-11-02 00:00:00+00', 'user', NULL, NULL, '', '1', NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8013-000000000025', 'Article 25', 'article-25', 'Oil the bearings', 'published', '{}', '2026-11-02 01:00:00+00', 1, '2026-11-02 01:00:00+00', '2026-11-02 01:00:00+00', 'user', NULL, NULL, '', '1', NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8013-000000000026', 'Article 26', 'article-26', 'Oil the bearings', 'published', '{}', '2026-11-02 02:00:00+00', 1, '2026-11-02 02:00:00+00', '2026-11-02 02:00:00+00', 'user', NULL, NULL, '', '1', NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8013-000000000027', 'Article 27', 'article-27', 'Oil the bearings', 'published', '{}', '2026-11-02 03:00:00+00', 1, '2026-11-02 03:00:00+00', '2026-11-02 03:00:00+00', 'user', NULL, NULL, '', '1', NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8013-000000000028', 'Article 28', 'article-28', 'Oil the bearings', 'published', '{}', '2026-11-02 04:00:00+00', 1, '2026-11-02 04:00:00+00', '2026-11-02 04:00:00+00', 'user', NULL, NULL, '', '1', NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8013-000000000029', 'Article 29', 'article-29', 'Oil the bearings', 'published', '{}', '2026-11-02 05:00:00+00', 1, '2026-11-02 05:00:00+00', '2026-11-02 05:00:00+00', 'user', NULL, NULL, '', '1', NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8013-000000000030', 'Article 30', 'article-30', 'Oil the bearings', 'published', '{}', '2026-11-02 06:00:00+00', 1, '2026-11-02 06:00:00+00', '2026-11-02 06:00:00+00', 'user', NULL, NULL, '', '1', NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8013-000000000031', 'Article 31', 'article-31', 'Oil the bearings', 'published', '{}', '2026-11-02 07:00:00+00', 1, '2026-11-02 07:00:00+00', '2026-11-02 07:00:00+00', 'user', NULL, NULL, '', '1', NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8013-000000000032', 'Article 32', 'article-32', 'Oil the bearings', 'published', '{}', '2026-11-02 08:00:00+00', 1, '2026-11-02 08:00:00+00', '2026-11-02 08:00:00+00', 'user', NULL, NULL, '', '1', NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8013-000000000033', 'Article 33', 'article-33', 'Oil the bearings', 'published', '{}', '2026-11-02 09:00:00+00', 1, '2026-11-02 09:00:00+00', '2026-11-02 09:00:00+00', 'user', NULL, NULL, '', '1', NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8013-000000000034', 'Article 34', 'article-34', 'Oil the bearings', 'published', '{}', '2026-11-02 10:00:00+00', 1, '2026-11-02 10:00:00+00', '2026-11-02 10:00:00+00', 'user', NULL, NULL, '', '1', NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8013-000000000035', 'Article 35', 'article-35', 'Oil the bearings', 'published', '{}', '2026-11-02 11:00:00+00', 1, '2026-11-02 11:00:00+00', '2026-11-02 11:00:00+00', 'user', NULL, NULL, '', '1', NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8013-000000000036', 'Article 36', 'article-36', 'Oil the bearings', 'published', '{}', '2026-11-02 12:00:00+00', 1, '2026-11-02 12:00:00+00', '2026-11-02 12:00:00+00', 'user', NULL, NULL, '', '1', NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8013-000000000037', 'Article 37', 'article-37', 'Oil the bearings', 'published', '{}', '2026-11-02 13:00:00+00', 1, '2026-11-02 13:00:00+00', '2026-11-02 13:00:00+00', 'user', NULL, NULL, '', '1', NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8013-000000000038', 'Article 38', 'article-38', 'Oil the bearings', 'published', '{}', '2026-11-02 14:00:00+00', 1, '2026-11-02 14:00:00+00', '2026-11-02 14:00:00+00', 'user', NULL, NULL, '', '1', NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8013-000000000039', 'Article 39', 'article-39', 'Oil the bearings', 'published', '{}', '2026-11-02 15:00:00+00', 1, '2026-11-02 15:00:00+00', '2026-11-02 15:00:00+00', 'user', NULL, NULL, '', '1', NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8013-000000000040', 'Article 40', 'article-40', 'Oil the bearings', 'published', '{}', '2026-11-02 16:00:00+00', 1, '2026-11-02 16:00:00+00', '2026-11-02 16:00:00+00', 'user', NULL, NULL, '', '1', NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8013-000000000001', 'Article 1', 'article-1', 'Oil the bearings', 'published', '{}', '2026-11-01 01:00:00+00', 1, '2026-11-01 01:00:00+00', '2026-11-01 01:00:00+00', 'user', NULL, NULL, '', '1', NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8013-000000000002', 'Article 2', 'article-2', 'Oil the bearings', 'published', '{}', '2026-11-01 02:00:00+00', 1, '2026-11-01 02:00:00+00', '2026-11-01 02:00:00+00', 'user', NULL, NULL, '', '1', NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8013-000000000003', 'Article 3', 'article-3', 'Oil the bearings', 'published', '{}', '2026-11-01 03:00:00+00', 1, '2026-11-01 03:00:00+00', '2026-11-01 03:00:00+00', 'user', NULL, NULL, '', '1', NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8013-000000000004', 'Article 4', 'article-4', 'Oil the bearings', 'published', '{}', '2026-11-01 04:00:00+00', 1, '2026-11-01 04:00:00+00', '2026-11-01 04:00:00+00', 'user', NULL, NULL, '', '1', NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8013-000000000005', 'Article 5', 'article-5', 'Oil the bearings', 'published', '{}', '2026-11-01 05:00:00+00', 1, '2026-11-01 05:00:00+00', '2026-11-01 05:00:00+00', 'user', NULL, NULL, '', '1', NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8013-000000000006', 'Article 6', 'article-6', 'Oil the bearings', 'published', '{}', '2026-11-01 06:00:00+00', 1, '2026-11-01 06:00:00+00', '2026-11-01 06:00:00+00', 'user', NULL, NULL, '', '1', NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8013-000000000007', 'Article 7', 'article-7', 'Oil the bearings', 'published', '{}', '2026-11-01 07:00:00+00', 1, '2026-11-01 07:00:00+00', '2026-11-01 07:00:00+00', 'user', NULL, NULL, '', '1', NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8013-000000000008', 'Article 8', 'article-8', 'Oil the bearings', 'published', '{}', '2026-11-01 08:00:00+00', 1, '2026-11-01 08:00:00+00', '2026-11-01 08:00:00+00', 'user', NULL, NULL, '', '1', NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8013-000000000009', 'Article 9', 'article-9', 'Oil the bearings', 'published', '{}', '2026-11-01 09:00:00+00', 1, '2026-11-01 09:00:00+00', '2026-11-01 09:00:00+00', 'user', NULL, NULL, '', '1', NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8013-000000000010', 'Article 10', 'article-10', 'Oil the bearings', 'published', '{}', '2026-11-01 10:00:00+00', 1, '2026-11-01 10:00:00+00', '2026-11-01 10:00:00+00', 'user', NULL, NULL, '', '1', NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8013-000000000011', 'Article 11', 'article-11', 'Oil the bearings', 'published', '{}', '2026-11-01 11:00:00+00', 1, '2026-11-01 11:00:00+00', '2026-11-01 11:00:00+00', 'user', NULL, NULL, '', '1', NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8013-000000000012', 'Article 12', 'article-12', 'Oil the bearings', 'published', '{}', '2026-11-01 12:00:00+00', 1, '2026-11-01 12:00:00+00', '2026-11-01 12:00:00+00', 'user', NULL, NULL, '', '1', NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8013-000000000013', 'Article 13', 'article-13', 'Oil the bearings', 'published', '{}', '2026-11-01 13:00:00+00', 1, '2026-11-01 13:00:00+00', '2026-11-01 13:00:00+00', 'user', NULL, NULL, '', '1', NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8013-000000000014', 'Article 14', 'article-14', 'Oil the bearings', 'published', '{}', '2026-11-01 14:00:00+00', 1, '2026-11-01 14:00:00+00', '2026-11-01 14:00:00+00', 'user', NULL, NULL, '', '1', NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8013-000000000015', 'Article 15', 'article-15', 'Oil the bearings', 'published', '{}', '2026-11-01 15:00:00+00', 1, '2026-11-01 15:00:00+00', '2026-11-01 15:00:00+00', 'user', NULL, NULL, '', '1', NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8013-000000000016', 'Article 16', 'article-16', 'Oil the bearings', 'published', '{}', '2026-11-01 16:00:00+00', 1, '2026-11-01 16:00:00+00', '2026-11-01 16:00:00+00', 'user', NULL, NULL, '', '1', NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8013-000000000017', 'Article 17', 'article-17', 'Oil the bearings', 'published', '{}', '2026-11-01 17:00:00+00', 1, '2026-11-01 17:00:00+00', '2026-11-01 17:00:00+00', 'user', NULL, NULL, '', '1', NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8013-000000000018', 'Article 18', 'article-18', 'Oil the bearings', 'published', '{}', '2026-11-01 18:00:00+00', 1, '2026-11-01 18:00:00+00', '2026-11-01 18:00:00+00', 'user', NULL, NULL, '', '1', NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8013-000000000019', 'Article 19', 'article-19', 'Oil the bearings', 'published', '{}', '2026-11-01 19:00:00+00', 1, '2026-11-01 19:00:00+00', '2026-11-01 19:00:00+00', 'user', NULL, NULL, '', '1', NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8013-000000000020', 'Article 20', 'article-20', 'Oil the bearings', 'published', '{}', '2026-11-01 20:00:00+00', 1, '2026-11-01 20:00:00+00', '2026-11-01 20:00:00+00', 'user', NULL, NULL, '', '1', NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8013-000000000021', 'Article 21', 'article-21', 'Oil the bearings', 'published', '{}', '2026-11-01 21:00:00+00', 1, '2026-11-01 21:00:00+00', '2026-11-01 21:00:00+00', 'user', NULL, NULL, '', '1', NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8013-000000000022', 'Article 22', 'article-22', 'Oil the bearings', 'published', '{}', '2026-11-01 22:00:00+00', 1, '2026-11-01 22:00:00+00', '2026-11-01 22:00:00+00', 'user', NULL, NULL, '', '1', NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8013-000000000023', 'Article 23', 'article-23', 'Oil the bearings', 'published', '{}', '2026-11-01 23:00:00+00', 1, '2026-11-01 23:00:00+00', '2026-11-01 23:00:00+00', 'user', NULL, NULL, '', '1', NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8013-000000000024', 'Article 24', 'article-24', 'Oil the bearings', 'published', '{}', '2026-11-02 00:00:00+00', 1, '2026-11-02 00:00:00+00', '2026-11-02 00:00:00+00', 'user', NULL, NULL, '', '1', NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8013-000000000025', 'Article 25', 'article-25', 'Oil the bearings', 'published', '{}', '2026-11-02 01:00:00+00', 1, '2026-11-02 01:00:00+00', '2026-11-02 01:00:00+00', 'user', NULL, NULL, '', '1', NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8013-000000000026', 'Article 26', 'article-26', 'Oil the bearings', 'published', '{}', '2026-11-02 02:00:00+00', 1, '2026-11-02 02:00:00+00', '2026-11-02 02:00:00+00', 'user', NULL, NULL, '', '1', NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8013-000000000027', 'Article 27', 'article-27', 'Oil the bearings', 'published', '{}', '2026-11-02 03:00:00+00', 1, '2026-11-02 03:00:00+00', '2026-11-02 03:00:00+00', 'user', NULL, NULL, '', '1', NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8013-000000000028', 'Article 28', 'article-28', 'Oil the bearings', 'published', '{}', '2026-11-02 04:00:00+00', 1, '2026-11-02 04:00:00+00', '2026-11-02 04:00:00+00', 'user', NULL, NULL, '', '1', NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8013-000000000029', 'Article 29', 'article-29', 'Oil the bearings', 'published', '{}', '2026-11-02 05:00:00+00', 1, '2026-11-02 05:00:00+00', '2026-11-02 05:00:00+00', 'user', NULL, NULL, '', '1', NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8013-000000000030', 'Article 30', 'article-30', 'Oil the bearings', 'published', '{}', '2026-11-02 06:00:00+00', 1, '2026-11-02 06:00:00+00', '2026-11-02 06:00:00+00', 'user', NULL, NULL, '', '1', NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8013-000000000031', 'Article 31', 'article-31', 'Oil the bearings', 'published', '{}', '2026-11-02 07:00:00+00', 1, '2026-11-02 07:00:00+00', '2026-11-02 07:00:00+00', 'user', NULL, NULL, '', '1', NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8013-000000000032', 'Article 32', 'article-32', 'Oil the bearings', 'published', '{}', '2026-11-02 08:00:00+00', 1, '2026-11-02 08:00:00+00', '2026-11-02 08:00:00+00', 'user', NULL, NULL, '', '1', NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8013-000000000033', 'Article 33', 'article-33', 'Oil the bearings', 'published', '{}', '2026-11-02 09:00:00+00', 1, '2026-11-02 09:00:00+00', '2026-11-02 09:00:00+00', 'user', NULL, NULL, '', '1', NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8013-000000000034', 'Article 34', 'article-34', 'Oil the bearings', 'published', '{}', '2026-11-02 10:00:00+00', 1, '2026-11-02 10:00:00+00', '2026-11-02 10:00:00+00', 'user', NULL, NULL, '', '1', NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8013-000000000035', 'Article 35', 'article-35', 'Oil the bearings', 'published', '{}', '2026-11-02 11:00:00+00', 1, '2026-11-02 11:00:00+00', '2026-11-02 11:00:00+00', 'user', NULL, NULL, '', '1', NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8013-000000000036', 'Article 36', 'article-36', 'Oil the bearings', 'published', '{}', '2026-11-02 12:00:00+00', 1, '2026-11-02 12:00:00+00', '2026-11-02 12:00:00+00', 'user', NULL, NULL, '', '1', NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8013-000000000037', 'Article 37', 'article-37', 'Oil the bearings', 'published', '{}', '2026-11-02 13:00:00+00', 1, '2026-11-02 13:00:00+00', '2026-11-02 13:00:00+00', 'user', NULL, NULL, '', '1', NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8013-000000000038', 'Article 38', 'article-38', 'Oil the bearings', 'published', '{}', '2026-11-02 14:00:00+00', 1, '2026-11-02 14:00:00+00', '2026-11-02 14:00:00+00', 'user', NULL, NULL, '', '1', NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8013-000000000039', 'Article 39', 'article-39', 'Oil the bearings', 'published', '{}', '2026-11-02 15:00:00+00', 1, '2026-11-02 15:00:00+00', '2026-11-02 15:00:00+00', 'user', NULL, NULL, '', '1', NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8013-000000000040', 'Article 40', 'article-40', 'Oil the bearings', 'published', '{}', '2026-11-02 16:00:00+00', 1, '2026-11-02 16:00:00+00', '2026-11-02 16:00:00+00', 'user', NULL, NULL, '', '1', NULL, NULL, NULL);
INSERT INTO public.mails VALUES
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8016-000000000001', 'person@example.org', 'Your ticket', NULL, NULL, 1, NULL, NULL, NULL, '2026-11-01 01:00:00+00', '2026-11-01 01:00:00+00', NULL, NULL, 0, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8016-000000000002', 'person@example.org', 'Your ticket', NULL, NULL, 1, NULL, NULL, NULL, '2026-11-01 02:00:00+00', '2026-11-01 02:00:00+00', NULL, NULL, 0, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8016-000000000003', 'person@example.org', 'Your ticket', NULL, NULL, 1, NULL, NULL, NULL, '2026-11-01 03:00:00+00', '2026-11-01 03:00:00+00', NULL, NULL, 0, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8016-000000000004', 'person@example.org', 'Your ticket', NULL, NULL, 1, NULL, NULL, NULL, '2026-11-01 04:00:00+00', '2026-11-01 04:00:00+00', NULL, NULL, 0, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8016-000000000005', 'person@example.org', 'Your ticket', NULL, NULL, 1, NULL, NULL, NULL, '2026-11-01 05:00:00+00', '2026-11-01 05:00:00+00', NULL, NULL, 0, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8016-000000000006', 'person@example.org', 'Your ticket', NULL, NULL, 1, NULL, NULL, NULL, '2026-11-01 06:00:00+00', '2026-11-01 06:00:00+00', NULL, NULL, 0, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8016-000000000007', 'person@example.org', 'Your ticket', NULL, NULL, 1, NULL, NULL, NULL, '2026-11-01 07:00:00+00', '2026-11-01 07:00:00+00', NULL, NULL, 0, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8016-000000000008', 'person@example.org', 'Your ticket', NULL, NULL, 1, NULL, NULL, NULL, '2026-11-01 08:00:00+00', '2026-11-01 08:00:00+00', NULL, NULL, 0, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8016-000000000009', 'person@example.org', 'Your ticket', NULL, NULL, 1, NULL, NULL, NULL, '2026-11-01 09:00:00+00', '2026-11-01 09:00:00+00', NULL, NULL, 0, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8016-000000000010', 'person@example.org', 'Your ticket', NULL, NULL, 1, NULL, NULL, NULL, '2026-11-01 10:00:00+00', '2026-11-01 10:00:00+00', NULL, NULL, 0, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8016-000000000011', 'person@example.org', 'Your ticket', NULL, NULL, 1, NULL, NULL, NULL, '2026-11-01 11:00:00+00', '2026-11-01 11:00:00+00', NULL, NULL, 0, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8016-000000000012', 'person@example.org', 'Your ticket', NULL, NULL, 1, NULL, NULL, NULL, '2026-11-01 12:00:00+00', '2026-11-01 12:00:00+00', NULL, NULL, 0, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8016-000000000013', 'person@example.org', 'Your ticket', NULL, NULL, 1, NULL, NULL, NULL, '2026-11-01 13:00:00+00', '2026-11-01 13:00:00+00', NULL, NULL, 0, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8016-000000000014', 'person@example.org', 'Your ticket', NULL, NULL, 1, NULL, NULL, NULL, '2026-11-01 14:00:00+00', '2026-11-01 14:00:00+00', NULL, NULL, 0, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8016-000000000015', 'person@example.org', 'Your ticket', NULL, NULL, 1, NULL, NULL, NULL, '2026-11-01 15:00:00+00', '2026-11-01 15:00:00+00', NULL, NULL, 0, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8016-000000000016', 'person@example.org', 'Your ticket', NULL, NULL, 1, NULL, NULL, NULL, '2026-11-01 16:00:00+00', '2026-11-01 16:00:00+00', NULL, NULL, 0, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8016-000000000017', 'person@example.org', 'Your ticket', NULL, NULL, 1, NULL, NULL, NULL, '2026-11-01 17:00:00+00', '2026-11-01 17:00:00+00', NULL, NULL, 0, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8016-000000000018', 'person@example.org', 'Your ticket', NULL, NULL, 1, NULL, NULL, NULL, '2026-11-01 18:00:00+00', '2026-11-01 18:00:00+00', NULL, NULL, 0, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8016-000000000019', 'person@example.org', 'Your ticket', NULL, NULL, 1, NULL, NULL, NULL, '2026-11-01 19:00:00+00', '2026-11-01 19:00:00+00', NULL, NULL, 0, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8016-000000000020', 'person@example.org', 'Your ticket', NULL, NULL, 1, NULL, NULL, NULL, '2026-11-01 20:00:00+00', '2026-11-01 20:00:00+00', NULL, NULL, 0, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8016-000000000021', 'person@example.org', 'Your ticket', NULL, NULL, 1, NULL, NULL, NULL, '2026-11-01 21:00:00+00', '2026-11-01 21:00:00+00', NULL, NULL, 0, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8016-000000000022', 'person@example.org', 'Your ticket', NULL, NULL, 1, NULL, NULL, NULL, '2026-11-01 22:00:00+00', '2026-11-01 22:00:00+00', NULL, NULL, 0, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8016-000000000023', 'person@example.org', 'Your ticket', NULL, NULL, 1, NULL, NULL, NULL, '2026-11-01 23:00:00+00', '2026-11-01 23:00:00+00', NULL, NULL, 0, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8016-000000000024', 'person@example.org', 'Your ticket', NULL, NULL, 1, NULL, NULL, NULL, '2026-11-02 00:00:00+00', '2026-11-02 00:00:00+00', NULL, NULL, 0, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8016-000000000025', 'person@example.org', 'Your ticket', NULL, NULL, 1, NULL, NULL, NULL, '2026-11-02 01:00:00+00', '2026-11-02 01:00:00+00', NULL, NULL, 0, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8016-000000000026', 'person@example.org', 'Your ticket', NULL, NULL, 1, NULL, NULL, NULL, '2026-11-02 02:00:00+00', '2026-11-02 02:00:00+00', NULL, NULL, 0, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8016-000000000027', 'person@example.org', 'Your ticket', NULL, NULL, 1, NULL, NULL, NULL, '2026-11-02 03:00:00+00', '2026-11-02 03:00:00+00', NULL, NULL, 0, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8016-000000000028', 'person@example.org', 'Your ticket', NULL, NULL, 1, NULL, NULL, NULL, '2026-11-02 04:00:00+00', '2026-11-02 04:00:00+00', NULL, NULL, 0, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8016-000000000029', 'person@example.org', 'Your ticket', NULL, NULL, 1, NULL, NULL, NULL, '2026-11-02 05:00:00+00', '2026-11-02 05:00:00+00', NULL, NULL, 0, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8016-000000000030', 'person@example.org', 'Your ticket', NULL, NULL, 1, NULL, NULL, NULL, '2026-11-02 06:00:00+00', '2026-11-02 06:00:00+00', NULL, NULL, 0, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8016-000000000031', 'person@example.org', 'Your ticket', NULL, NULL, 1, NULL, NULL, NULL, '2026-11-02 07:00:00+00', '2026-11-02 07:00:00+00', NULL, NULL, 0, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8016-000000000032', 'person@example.org', 'Your ticket', NULL, NULL, 1, NULL, NULL, NULL, '2026-11-02 08:00:00+00', '2026-11-02 08:00:00+00', NULL, NULL, 0, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8016-000000000033', 'person@example.org', 'Your ticket', NULL, NULL, 1, NULL, NULL, NULL, '2026-11-02 09:00:00+00', '2026-11-02 09:00:00+00', NULL, NULL, 0, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8016-000000000034', 'person@example.org', 'Your ticket', NULL, NULL, 1, NULL, NULL, NULL, '2026-11-02 10:00:00+00', '2026-11-02 10:00:00+00', NULL, NULL, 0, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8016-000000000035', 'person@example.org', 'Your ticket', NULL, NULL, 1, NULL, NULL, NULL, '2026-11-02 11:00:00+00', '2026-11-02 11:00:00+00', NULL, NULL, 0, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8016-000000000036', 'person@example.org', 'Your ticket', NULL, NULL, 1, NULL, NULL, NULL, '2026-11-02 12:00:00+00', '2026-11-02 12:00:00+00', NULL, NULL, 0, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8016-000000000037', 'person@example.org', 'Your ticket', NULL, NULL, 1, NULL, NULL, NULL, '2026-11-02 13:00:00+00', '2026-11-02 13:00:00+00', NULL, NULL, 0, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8016-000000000038', 'person@example.org', 'Your ticket', NULL, NULL, 1, NULL, NULL, NULL, '2026-11-02 14:00:00+00', '2026-11-02 14:00:00+00', NULL, NULL, 0, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8016-000000000039', 'person@example.org', 'Your ticket', NULL, NULL, 1, NULL, NULL, NULL, '2026-11-02 15:00:00+00', '2026-11-02 15:00:00+00', NULL, NULL, 0, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8016-000000000040', 'person@example.org', 'Your ticket', NULL, NULL, 1, NULL, NULL, NULL, '2026-11-02 16:00:00+00', '2026-11-02 16:00:00+00', NULL, NULL, 0, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8016-000000000001', 'person@example.org', 'Your ticket', NULL, NULL, 1, NULL, NULL, NULL, '2026-11-01 01:00:00+00', '2026-11-01 01:00:00+00', NULL, NULL, 0, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8016-000000000002', 'person@example.org', 'Your ticket', NULL, NULL, 1, NULL, NULL, NULL, '2026-11-01 02:00:00+00', '2026-11-01 02:00:00+00', NULL, NULL, 0, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8016-000000000003', 'person@example.org', 'Your ticket', NULL, NULL, 1, NULL, NULL, NULL, '2026-11-01 03:00:00+00', '2026-11-01 03:00:00+00', NULL, NULL, 0, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8016-000000000004', 'person@example.org', 'Your ticket', NULL, NULL, 1, NULL, NULL, NULL, '2026-11-01 04:00:00+00', '2026-11-01 04:00:00+00', NULL, NULL, 0, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8016-000000000005', 'person@example.org', 'Your ticket', NULL, NULL, 1, NULL, NULL, NULL, '2026-11-01 05:00:00+00', '2026-11-01 05:00:00+00', NULL, NULL, 0, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8016-000000000006', 'person@example.org', 'Your ticket', NULL, NULL, 1, NULL, NULL, NULL, '2026-11-01 06:00:00+00', '2026-11-01 06:00:00+00', NULL, NULL, 0, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8016-000000000007', 'person@example.org', 'Your ticket', NULL, NULL, 1, NULL, NULL, NULL, '2026-11-01 07:00:00+00', '2026-11-01 07:00:00+00', NULL, NULL, 0, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8016-000000000008', 'person@example.org', 'Your ticket', NULL, NULL, 1, NULL, NULL, NULL, '2026-11-01 08:00:00+00', '2026-11-01 08:00:00+00', NULL, NULL, 0, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8016-000000000009', 'person@example.org', 'Your ticket', NULL, NULL, 1, NULL, NULL, NULL, '2026-11-01 09:00:00+00', '2026-11-01 09:00:00+00', NULL, NULL, 0, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8016-000000000010', 'person@example.org', 'Your ticket', NULL, NULL, 1, NULL, NULL, NULL, '2026-11-01 10:00:00+00', '2026-11-01 10:00:00+00', NULL, NULL, 0, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8016-000000000011', 'person@example.org', 'Your ticket', NULL, NULL, 1, NULL, NULL, NULL, '2026-11-01 11:00:00+00', '2026-11-01 11:00:00+00', NULL, NULL, 0, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8016-000000000012', 'person@example.org', 'Your ticket', NULL, NULL, 1, NULL, NULL, NULL, '2026-11-01 12:00:00+00', '2026-11-01 12:00:00+00', NULL, NULL, 0, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8016-000000000013', 'person@example.org', 'Your ticket', NULL, NULL, 1, NULL, NULL, NULL, '2026-11-01 13:00:00+00', '2026-11-01 13:00:00+00', NULL, NULL, 0, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8016-000000000014', 'person@example.org', 'Your ticket', NULL, NULL, 1, NULL, NULL, NULL, '2026-11-01 14:00:00+00', '2026-11-01 14:00:00+00', NULL, NULL, 0, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8016-000000000015', 'person@example.org', 'Your ticket', NULL, NULL, 1, NULL, NULL, NULL, '2026-11-01 15:00:00+00', '2026-11-01 15:00:00+00', NULL, NULL, 0, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8016-000000000016', 'person@example.org', 'Your ticket', NULL, NULL, 1, NULL, NULL, NULL, '2026-11-01 16:00:00+00', '2026-11-01 16:00:00+00', NULL, NULL, 0, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8016-000000000017', 'person@example.org', 'Your ticket', NULL, NULL, 1, NULL, NULL, NULL, '2026-11-01 17:00:00+00', '2026-11-01 17:00:00+00', NULL, NULL, 0, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8016-000000000018', 'person@example.org', 'Your ticket', NULL, NULL, 1, NULL, NULL, NULL, '2026-11-01 18:00:00+00', '2026-11-01 18:00:00+00', NULL, NULL, 0, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8016-000000000019', 'person@example.org', 'Your ticket', NULL, NULL, 1, NULL, NULL, NULL, '2026-11-01 19:00:00+00', '2026-11-01 19:00:00+00', NULL, NULL, 0, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8016-000000000020', 'person@example.org', 'Your ticket', NULL, NULL, 1, NULL, NULL, NULL, '2026-11-01 20:00:00+00', '2026-11-01 20:00:00+00', NULL, NULL, 0, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8016-000000000021', 'person@example.org', 'Your ticket', NULL, NULL, 1, NULL, NULL, NULL, '2026-11-01 21:00:00+00', '2026-11-01 21:00:00+00', NULL, NULL, 0, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8016-000000000022', 'person@example.org', 'Your ticket', NULL, NULL, 1, NULL, NULL, NULL, '2026-11-01 22:00:00+00', '2026-11-01 22:00:00+00', NULL, NULL, 0, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8016-000000000023', 'person@example.org', 'Your ticket', NULL, NULL, 1, NULL, NULL, NULL, '2026-11-01 23:00:00+00', '2026-11-01 23:00:00+00', NULL, NULL, 0, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8016-000000000024', 'person@example.org', 'Your ticket', NULL, NULL, 1, NULL, NULL, NULL, '2026-11-02 00:00:00+00', '2026-11-02 00:00:00+00', NULL, NULL, 0, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8016-000000000025', 'person@example.org', 'Your ticket', NULL, NULL, 1, NULL, NULL, NULL, '2026-11-02 01:00:00+00', '2026-11-02 01:00:00+00', NULL, NULL, 0, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8016-000000000026', 'person@example.org', 'Your ticket', NULL, NULL, 1, NULL, NULL, NULL, '2026-11-02 02:00:00+00', '2026-11-02 02:00:00+00', NULL, NULL, 0, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8016-000000000027', 'person@example.org', 'Your ticket', NULL, NULL, 1, NULL, NULL, NULL, '2026-11-02 03:00:00+00', '2026-11-02 03:00:00+00', NULL, NULL, 0, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8016-000000000028', 'person@example.org', 'Your ticket', NULL, NULL, 1, NULL, NULL, NULL, '2026-11-02 04:00:00+00', '2026-11-02 04:00:00+00', NULL, NULL, 0, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8016-000000000029', 'person@example.org', 'Your ticket', NULL, NULL, 1, NULL, NULL, NULL, '2026-11-02 05:00:00+00', '2026-11-02 05:00:00+00', NULL, NULL, 0, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8016-000000000030', 'person@example.org', 'Your ticket', NULL, NULL, 1, NULL, NULL, NULL, '2026-11-02 06:00:00+00', '2026-11-02 06:00:00+00', NULL, NULL, 0, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8016-000000000031', 'person@example.org', 'Your ticket', NULL, NULL, 1, NULL, NULL, NULL, '2026-11-02 07:00:00+00', '2026-11-02 07:00:00+00', NULL, NULL, 0, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8016-000000000032', 'person@example.org', 'Your ticket', NULL, NULL, 1, NULL, NULL, NULL, '2026-11-02 08:00:00+00', '2026-11-02 08:00:00+00', NULL, NULL, 0, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8016-000000000033', 'person@example.org', 'Your ticket', NULL, NULL, 1, NULL, NULL, NULL, '2026-11-02 09:00:00+00', '2026-11-02 09:00:00+00', NULL, NULL, 0, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8016-000000000034', 'person@example.org', 'Your ticket', NULL, NULL, 1, NULL, NULL, NULL, '2026-11-02 10:00:00+00', '2026-11-02 10:00:00+00', NULL, NULL, 0, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8016-000000000035', 'person@example.org', 'Your ticket', NULL, NULL, 1, NULL, NULL, NULL, '2026-11-02 11:00:00+00', '2026-11-02 11:00:00+00', NULL, NULL, 0, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8016-000000000036', 'person@example.org', 'Your ticket', NULL, NULL, 1, NULL, NULL, NULL, '2026-11-02 12:00:00+00', '2026-11-02 12:00:00+00', NULL, NULL, 0, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8016-000000000037', 'person@example.org', 'Your ticket', NULL, NULL, 1, NULL, NULL, NULL, '2026-11-02 13:00:00+00', '2026-11-02 13:00:00+00', NULL, NULL, 0, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8016-000000000038', 'person@example.org', 'Your ticket', NULL, NULL, 1, NULL, NULL, NULL, '2026-11-02 14:00:00+00', '2026-11-02 14:00:00+00', NULL, NULL, 0, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8016-000000000039', 'person@example.org', 'Your ticket', NULL, NULL, 1, NULL, NULL, NULL, '2026-11-02 15:00:00+00', '2026-11-02 15:00:00+00', NULL, NULL, 0, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8016-000000000040', 'person@example.org', 'Your ticket', NULL, NULL, 1, NULL, NULL, NULL, '2026-11-02 16:00:00+00', '2026-11-02 16:00:00+00', NULL, NULL, 0, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8016-000000000001', 'person@example.org', 'Your ticket', NULL, NULL, 1, NULL, NULL, NULL, '2026-11-01 01:00:00+00', '2026-11-01 01:00:00+00', NULL, NULL, 0, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8016-000000000002', 'person@example.org', 'Your ticket', NULL, NULL, 1, NULL, NULL, NULL, '2026-11-01 02:00:00+00', '2026-11-01 02:00:00+00', NULL, NULL, 0, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8016-000000000003', 'person@example.org', 'Your ticket', NULL, NULL, 1, NULL, NULL, NULL, '2026-11-01 03:00:00+00', '2026-11-01 03:00:00+00', NULL, NULL, 0, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8016-000000000004', 'person@example.org', 'Your ticket', NULL, NULL, 1, NULL, NULL, NULL, '2026-11-01 04:00:00+00', '2026-11-01 04:00:00+00', NULL, NULL, 0, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8016-000000000005', 'person@example.org', 'Your ticket', NULL, NULL, 1, NULL, NULL, NULL, '2026-11-01 05:00:00+00', '2026-11-01 05:00:00+00', NULL, NULL, 0, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8016-000000000006', 'person@example.org', 'Your ticket', NULL, NULL, 1, NULL, NULL, NULL, '2026-11-01 06:00:00+00', '2026-11-01 06:00:00+00', NULL, NULL, 0, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8016-000000000007', 'person@example.org', 'Your ticket', NULL, NULL, 1, NULL, NULL, NULL, '2026-11-01 07:00:00+00', '2026-11-01 07:00:00+00', NULL, NULL, 0, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8016-000000000008', 'person@example.org', 'Your ticket', NULL, NULL, 1, NULL, NULL, NULL, '2026-11-01 08:00:00+00', '2026-11-01 08:00:00+00', NULL, NULL, 0, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8016-000000000009', 'person@example.org', 'Your ticket', NULL, NULL, 1, NULL, NULL, NULL, '2026-11-01 09:00:00+00', '2026-11-01 09:00:00+00', NULL, NULL, 0, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8016-000000000010', 'person@example.org', 'Your ticket', NULL, NULL, 1, NULL, NULL, NULL, '2026-11-01 10:00:00+00', '2026-11-01 10:00:00+00', NULL, NULL, 0, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8016-000000000011', 'person@example.org', 'Your ticket', NULL, NULL, 1, NULL, NULL, NULL, '2026-11-01 11:00:00+00', '2026-11-01 11:00:00+00', NULL, NULL, 0, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8016-000000000012', 'person@example.org', 'Your ticket', NULL, NULL, 1, NULL, NULL, NULL, '2026-11-01 12:00:00+00', '2026-11-01 12:00:00+00', NULL, NULL, 0, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8016-000000000013', 'person@example.org', 'Your ticket', NULL, NULL, 1, NULL, NULL, NULL, '2026-11-01 13:00:00+00', '2026-11-01 13:00:00+00', NULL, NULL, 0, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8016-000000000014', 'person@example.org', 'Your ticket', NULL, NULL, 1, NULL, NULL, NULL, '2026-11-01 14:00:00+00', '2026-11-01 14:00:00+00', NULL, NULL, 0, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8016-000000000015', 'person@example.org', 'Your ticket', NULL, NULL, 1, NULL, NULL, NULL, '2026-11-01 15:00:00+00', '2026-11-01 15:00:00+00', NULL, NULL, 0, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8016-000000000016', 'person@example.org', 'Your ticket', NULL, NULL, 1, NULL, NULL, NULL, '2026-11-01 16:00:00+00', '2026-11-01 16:00:00+00', NULL, NULL, 0, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8016-000000000017', 'person@example.org', 'Your ticket', NULL, NULL, 1, NULL, NULL, NULL, '2026-11-01 17:00:00+00', '2026-11-01 17:00:00+00', NULL, NULL, 0, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8016-000000000018', 'person@example.org', 'Your ticket', NULL, NULL, 1, NULL, NULL, NULL, '2026-11-01 18:00:00+00', '2026-11-01 18:00:00+00', NULL, NULL, 0, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8016-000000000019', 'person@example.org', 'Your ticket', NULL, NULL, 1, NULL, NULL, NULL, '2026-11-01 19:00:00+00', '2026-11-01 19:00:00+00', NULL, NULL, 0, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8016-000000000020', 'person@example.org', 'Your ticket', NULL, NULL, 1, NULL, NULL, NULL, '2026-11-01 20:00:00+00', '2026-11-01 20:00:00+00', NULL, NULL, 0, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8016-000000000021', 'person@example.org', 'Your ticket', NULL, NULL, 1, NULL, NULL, NULL, '2026-11-01 21:00:00+00', '2026-11-01 21:00:00+00', NULL, NULL, 0, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8016-000000000022', 'person@example.org', 'Your ticket', NULL, NULL, 1, NULL, NULL, NULL, '2026-11-01 22:00:00+00', '2026-11-01 22:00:00+00', NULL, NULL, 0, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8016-000000000023', 'person@example.org', 'Your ticket', NULL, NULL, 1, NULL, NULL, NULL, '2026-11-01 23:00:00+00', '2026-11-01 23:00:00+00', NULL, NULL, 0, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8016-000000000024', 'person@example.org', 'Your ticket', NULL, NULL, 1, NULL, NULL, NULL, '2026-11-02 00:00:00+00', '2026-11-02 00:00:00+00', NULL, NULL, 0, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8016-000000000025', 'person@example.org', 'Your ticket', NULL, NULL, 1, NULL, NULL, NULL, '2026-11-02 01:00:00+00', '2026-11-02 01:00:00+00', NULL, NULL, 0, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8016-000000000026', 'person@example.org', 'Your ticket', NULL, NULL, 1, NULL, NULL, NULL, '2026-11-02 02:00:00+00', '2026-11-02 02:00:00+00', NULL, NULL, 0, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8016-000000000027', 'person@example.org', 'Your ticket', NULL, NULL, 1, NULL, NULL, NULL, '2026-11-02 03:00:00+00', '2026-11-02 03:00:00+00', NULL, NULL, 0, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8016-000000000028', 'person@example.org', 'Your ticket', NULL, NULL, 1, NULL, NULL, NULL, '2026-11-02 04:00:00+00', '2026-11-02 04:00:00+00', NULL, NULL, 0, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8016-000000000029', 'person@example.org', 'Your ticket', NULL, NULL, 1, NULL, NULL, NULL, '2026-11-02 05:00:00+00', '2026-11-02 05:00:00+00', NULL, NULL, 0, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8016-000000000030', 'person@example.org', 'Your ticket', NULL, NULL, 1, NULL, NULL, NULL, '2026-11-02 06:00:00+00', '2026-11-02 06:00:00+00', NULL, NULL, 0, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8016-000000000031', 'person@example.org', 'Your ticket', NULL, NULL, 1, NULL, NULL, NULL, '2026-11-02 07:00:00+00', '2026-11-02 07:00:00+00', NULL, NULL, 0, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8016-000000000032', 'person@example.org', 'Your ticket', NULL, NULL, 1, NULL, NULL, NULL, '2026-11-02 08:00:00+00', '2026-11-02 08:00:00+00', NULL, NULL, 0, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8016-000000000033', 'person@example.org', 'Your ticket', NULL, NULL, 1, NULL, NULL, NULL, '2026-11-02 09:00:00+00', '2026-11-02 09:00:00+00', NULL, NULL, 0, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8016-000000000034', 'person@example.org', 'Your ticket', NULL, NULL, 1, NULL, NULL, NULL, '2026-11-02 10:00:00+00', '2026-11-02 10:00:00+00', NULL, NULL, 0, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8016-000000000035', 'person@example.org', 'Your ticket', NULL, NULL, 1, NULL, NULL, NULL, '2026-11-02 11:00:00+00', '2026-11-02 11:00:00+00', NULL, NULL, 0, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8016-000000000036', 'person@example.org', 'Your ticket', NULL, NULL, 1, NULL, NULL, NULL, '2026-11-02 12:00:00+00', '2026-11-02 12:00:00+00', NULL, NULL, 0, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8016-000000000037', 'person@example.org', 'Your ticket', NULL, NULL, 1, NULL, NULL, NULL, '2026-11-02 13:00:00+00', '2026-11-02 13:00:00+00', NULL, NULL, 0, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8016-000000000038', 'person@example.org', 'Your ticket', NULL, NULL, 1, NULL, NULL, NULL, '2026-11-02 14:00:00+00', '2026-11-02 14:00:00+00', NULL, NULL, 0, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8016-000000000039', 'person@example.org', 'Your ticket', NULL, NULL, 1, NULL, NULL, NULL, '2026-11-02 15:00:00+00', '2026-11-02 15:00:00+00', NULL, NULL, 0, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8016-000000000040', 'person@example.org', 'Your ticket', NULL, NULL, 1, NULL, NULL, NULL, '2026-11-02 16:00:00+00', '2026-11-02 16:00:00+00', NULL, NULL, 0, NULL, NULL);
INSERT INTO public.members VALUES
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8001-000000000000', 'owner', '2026-11-01 00:00:00+00', NULL, '2026-11-01 00:00:00+00', 1, '2026-11-01 00:00:00+00'),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8001-000000000000', 'owner', '2026-11-01 00:00:00+00', NULL, '2026-11-01 00:00:00+00', 1, '2026-11-01 00:00:00+00'),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8001-000000000000', 'owner', '2026-11-01 00:00:00+00', NULL, '2026-11-01 00:00:00+00', 1, '2026-11-01 00:00:00+00');
INSERT INTO public.projects VALUES
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8008-000000000001', 'Project 1', NULL, 'active', 'high', 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, false, 1, '2026-11-01 01:00:00+00', '2026-11-01 01:00:00+00', 'system', NULL, NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8008-000000000002', 'Project 2', NULL, 'active', 'high', 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, false, 1, '2026-11-01 02:00:00+00', '2026-11-01 02:00:00+00', 'system', NULL, NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8008-000000000003', 'Project 3', NULL, 'active', 'high', 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, false, 1, '2026-11-01 03:00:00+00', '2026-11-01 03:00:00+00', 'system', NULL, NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8008-000000000004', 'Project 4', NULL, 'active', 'high', 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, false, 1, '2026-11-01 04:00:00+00', '2026-11-01 04:00:00+00', 'system', NULL, NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8008-000000000005', 'Project 5', NULL, 'active', 'high', 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, false, 1, '2026-11-01 05:00:00+00', '2026-11-01 05:00:00+00', 'system', NULL, NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8008-000000000006', 'Project 6', NULL, 'active', 'high', 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, false, 1, '2026-11-01 06:00:00+00', '2026-11-01 06:00:00+00', 'system', NULL, NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8008-000000000007', 'Project 7', NULL, 'active', 'high', 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, false, 1, '2026-11-01 07:00:00+00', '2026-11-01 07:00:00+00', 'system', NULL, NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8008-000000000008', 'Project 8', NULL, 'active', 'high', 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, false, 1, '2026-11-01 08:00:00+00', '2026-11-01 08:00:00+00', 'system', NULL, NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8008-000000000009', 'Project 9', NULL, 'active', 'high', 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, false, 1, '2026-11-01 09:00:00+00', '2026-11-01 09:00:00+00', 'system', NULL, NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8008-000000000010', 'Project 10', NULL, 'active', 'high', 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, false, 1, '2026-11-01 10:00:00+00', '2026-11-01 10:00:00+00', 'system', NULL, NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8008-000000000011', 'Project 11', NULL, 'active', 'high', 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, false, 1, '2026-11-01 11:00:00+00', '2026-11-01 11:00:00+00', 'system', NULL, NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8008-000000000012', 'Project 12', NULL, 'active', 'high', 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, false, 1, '2026-11-01 12:00:00+00', '2026-11-01 12:00:00+00', 'system', NULL, NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8008-000000000013', 'Project 13', NULL, 'active', 'high', 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, false, 1, '2026-11-01 13:00:00+00', '2026-11-01 13:00:00+00', 'system', NULL, NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8008-000000000014', 'Project 14', NULL, 'active', 'high', 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, false, 1, '2026-11-01 14:00:00+00', '2026-11-01 14:00:00+00', 'system', NULL, NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8008-000000000015', 'Project 15', NULL, 'active', 'high', 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, false, 1, '2026-11-01 15:00:00+00', '2026-11-01 15:00:00+00', 'system', NULL, NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8008-000000000016', 'Project 16', NULL, 'active', 'high', 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, false, 1, '2026-11-01 16:00:00+00', '2026-11-01 16:00:00+00', 'system', NULL, NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8008-000000000017', 'Project 17', NULL, 'active', 'high', 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, false, 1, '2026-11-01 17:00:00+00', '2026-11-01 17:00:00+00', 'system', NULL, NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8008-000000000018', 'Project 18', NULL, 'active', 'high', 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, false, 1, '2026-11-01 18:00:00+00', '2026-11-01 18:00:00+00', 'system', NULL, NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8008-000000000019', 'Project 19', NULL, 'active', 'high', 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, false, 1, '2026-11-01 19:00:00+00', '2026-11-01 19:00:00+00', 'system', NULL, NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8008-000000000020', 'Project 20', NULL, 'active', 'high', 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, false, 1, '2026-11-01 20:00:00+00', '2026-11-01 20:00:00+00', 'system', NULL, NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8008-000000000021', 'Project 21', NULL, 'active', 'high', 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, false, 1, '2026-11-01 21:00:00+00', '2026-11-01 21:00:00+00', 'system', NULL, NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8008-000000000022', 'Project 22', NULL, 'active', 'high', 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, false, 1, '2026-11-01 22:00:00+00', '2026-11-01 22:00:00+00', 'system', NULL, NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8008-000000000023', 'Project 23', NULL, 'active', 'high', 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, false, 1, '2026-11-01 23:00:00+00', '2026-11-01 23:00:00+00', 'system', NULL, NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8008-000000000024', 'Project 24', NULL, 'active', 'high', 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, false, 1, '2026-11-02 00:00:00+00', '2026-11-02 00:00:00+00', 'system', NULL, NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8008-000000000025', 'Project 25', NULL, 'active', 'high', 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, false, 1, '2026-11-02 01:00:00+00', '2026-11-02 01:00:00+00', 'system', NULL, NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8008-000000000026', 'Project 26', NULL, 'active', 'high', 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, false, 1, '2026-11-02 02:00:00+00', '2026-11-02 02:00:00+00', 'system', NULL, NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8008-000000000027', 'Project 27', NULL, 'active', 'high', 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, false, 1, '2026-11-02 03:00:00+00', '2026-11-02 03:00:00+00', 'system', NULL, NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8008-000000000028', 'Project 28', NULL, 'active', 'high', 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, false, 1, '2026-11-02 04:00:00+00', '2026-11-02 04:00:00+00', 'system', NULL, NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8008-000000000029', 'Project 29', NULL, 'active', 'high', 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, false, 1, '2026-11-02 05:00:00+00', '2026-11-02 05:00:00+00', 'system', NULL, NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8008-000000000030', 'Project 30', NULL, 'active', 'high', 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, false, 1, '2026-11-02 06:00:00+00', '2026-11-02 06:00:00+00', 'system', NULL, NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8008-000000000031', 'Project 31', NULL, 'active', 'high', 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, false, 1, '2026-11-02 07:00:00+00', '2026-11-02 07:00:00+00', 'system', NULL, NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8008-000000000032', 'Project 32', NULL, 'active', 'high', 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, false, 1, '2026-11-02 08:00:00+00', '2026-11-02 08:00:00+00', 'system', NULL, NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8008-000000000033', 'Project 33', NULL, 'active', 'high', 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, false, 1, '2026-11-02 09:00:00+00', '2026-11-02 09:00:00+00', 'system', NULL, NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8008-000000000034', 'Project 34', NULL, 'active', 'high', 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, false, 1, '2026-11-02 10:00:00+00', '2026-11-02 10:00:00+00', 'system', NULL, NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8008-000000000035', 'Project 35', NULL, 'active', 'high', 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, false, 1, '2026-11-02 11:00:00+00', '2026-11-02 11:00:00+00', 'system', NULL, NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8008-000000000036', 'Project 36', NULL, 'active', 'high', 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, false, 1, '2026-11-02 12:00:00+00', '2026-11-02 12:00:00+00', 'system', NULL, NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8008-000000000037', 'Project 37', NULL, 'active', 'high', 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, false, 1, '2026-11-02 13:00:00+00', '2026-11-02 13:00:00+00', 'system', NULL, NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8008-000000000038', 'Project 38', NULL, 'active', 'high', 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, false, 1, '2026-11-02 14:00:00+00', '2026-11-02 14:00:00+00', 'system', NULL, NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8008-000000000039', 'Project 39', NULL, 'active', 'high', 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, false, 1, '2026-11-02 15:00:00+00', '2026-11-02 15:00:00+00', 'system', NULL, NULL, NULL, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8008-000000000040', 'Project 40', NULL, 'active', 'high', 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, false, 1, '2026-11-02 16:00:00+00', '2026-11-02 16:00:00+00', 'system', NULL, NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8008-000000000001', 'Project 1', NULL, 'active', 'high', 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, false, 1, '2026-11-01 01:00:00+00', '2026-11-01 01:00:00+00', 'system', NULL, NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8008-000000000002', 'Project 2', NULL, 'active', 'high', 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, false, 1, '2026-11-01 02:00:00+00', '2026-11-01 02:00:00+00', 'system', NULL, NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8008-000000000003', 'Project 3', NULL, 'active', 'high', 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, false, 1, '2026-11-01 03:00:00+00', '2026-11-01 03:00:00+00', 'system', NULL, NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8008-000000000004', 'Project 4', NULL, 'active', 'high', 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, false, 1, '2026-11-01 04:00:00+00', '2026-11-01 04:00:00+00', 'system', NULL, NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8008-000000000005', 'Project 5', NULL, 'active', 'high', 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, false, 1, '2026-11-01 05:00:00+00', '2026-11-01 05:00:00+00', 'system', NULL, NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8008-000000000006', 'Project 6', NULL, 'active', 'high', 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, false, 1, '2026-11-01 06:00:00+00', '2026-11-01 06:00:00+00', 'system', NULL, NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8008-000000000007', 'Project 7', NULL, 'active', 'high', 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, false, 1, '2026-11-01 07:00:00+00', '2026-11-01 07:00:00+00', 'system', NULL, NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8008-000000000008', 'Project 8', NULL, 'active', 'high', 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, false, 1, '2026-11-01 08:00:00+00', '2026-11-01 08:00:00+00', 'system', NULL, NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8008-000000000009', 'Project 9', NULL, 'active', 'high', 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, false, 1, '2026-11-01 09:00:00+00', '2026-11-01 09:00:00+00', 'system', NULL, NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8008-000000000010', 'Project 10', NULL, 'active', 'high', 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, false, 1, '2026-11-01 10:00:00+00', '2026-11-01 10:00:00+00', 'system', NULL, NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8008-000000000011', 'Project 11', NULL, 'active', 'high', 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, false, 1, '2026-11-01 11:00:00+00', '2026-11-01 11:00:00+00', 'system', NULL, NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8008-000000000012', 'Project 12', NULL, 'active', 'high', 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, false, 1, '2026-11-01 12:00:00+00', '2026-11-01 12:00:00+00', 'system', NULL, NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8008-000000000013', 'Project 13', NULL, 'active', 'high', 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, false, 1, '2026-11-01 13:00:00+00', '2026-11-01 13:00:00+00', 'system', NULL, NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8008-000000000014', 'Project 14', NULL, 'active', 'high', 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, false, 1, '2026-11-01 14:00:00+00', '2026-11-01 14:00:00+00', 'system', NULL, NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8008-000000000015', 'Project 15', NULL, 'active', 'high', 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, false, 1, '2026-11-01 15:00:00+00', '2026-11-01 15:00:00+00', 'system', NULL, NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8008-000000000016', 'Project 16', NULL, 'active', 'high', 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, false, 1, '2026-11-01 16:00:00+00', '2026-11-01 16:00:00+00', 'system', NULL, NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8008-000000000017', 'Project 17', NULL, 'active', 'high', 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, false, 1, '2026-11-01 17:00:00+00', '2026-11-01 17:00:00+00', 'system', NULL, NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8008-000000000018', 'Project 18', NULL, 'active', 'high', 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, false, 1, '2026-11-01 18:00:00+00', '2026-11-01 18:00:00+00', 'system', NULL, NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8008-000000000019', 'Project 19', NULL, 'active', 'high', 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, false, 1, '2026-11-01 19:00:00+00', '2026-11-01 19:00:00+00', 'system', NULL, NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8008-000000000020', 'Project 20', NULL, 'active', 'high', 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, false, 1, '2026-11-01 20:00:00+00', '2026-11-01 20:00:00+00', 'system', NULL, NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8008-000000000021', 'Project 21', NULL, 'active', 'high', 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, false, 1, '2026-11-01 21:00:00+00', '2026-11-01 21:00:00+00', 'system', NULL, NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8008-000000000022', 'Project 22', NULL, 'active', 'high', 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, false, 1, '2026-11-01 22:00:00+00', '2026-11-01 22:00:00+00', 'system', NULL, NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8008-000000000023', 'Project 23', NULL, 'active', 'high', 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, false, 1, '2026-11-01 23:00:00+00', '2026-11-01 23:00:00+00', 'system', NULL, NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8008-000000000024', 'Project 24', NULL, 'active', 'high', 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, false, 1, '2026-11-02 00:00:00+00', '2026-11-02 00:00:00+00', 'system', NULL, NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8008-000000000025', 'Project 25', NULL, 'active', 'high', 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, false, 1, '2026-11-02 01:00:00+00', '2026-11-02 01:00:00+00', 'system', NULL, NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8008-000000000026', 'Project 26', NULL, 'active', 'high', 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, false, 1, '2026-11-02 02:00:00+00', '2026-11-02 02:00:00+00', 'system', NULL, NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8008-000000000027', 'Project 27', NULL, 'active', 'high', 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, false, 1, '2026-11-02 03:00:00+00', '2026-11-02 03:00:00+00', 'system', NULL, NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8008-000000000028', 'Project 28', NULL, 'active', 'high', 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, false, 1, '2026-11-02 04:00:00+00', '2026-11-02 04:00:00+00', 'system', NULL, NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8008-000000000029', 'Project 29', NULL, 'active', 'high', 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, false, 1, '2026-11-02 05:00:00+00', '2026-11-02 05:00:00+00', 'system', NULL, NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8008-000000000030', 'Project 30', NULL, 'active', 'high', 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, false, 1, '2026-11-02 06:00:00+00', '2026-11-02 06:00:00+00', 'system', NULL, NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8008-000000000031', 'Project 31', NULL, 'active', 'high', 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, false, 1, '2026-11-02 07:00:00+00', '2026-11-02 07:00:00+00', 'system', NULL, NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8008-000000000032', 'Project 32', NULL, 'active', 'high', 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, false, 1, '2026-11-02 08:00:00+00', '2026-11-02 08:00:00+00', 'system', NULL, NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8008-000000000033', 'Project 33', NULL, 'active', 'high', 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, false, 1, '2026-11-02 09:00:00+00', '2026-11-02 09:00:00+00', 'system', NULL, NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8008-000000000034', 'Project 34', NULL, 'active', 'high', 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, false, 1, '2026-11-02 10:00:00+00', '2026-11-02 10:00:00+00', 'system', NULL, NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8008-000000000035', 'Project 35', NULL, 'active', 'high', 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, false, 1, '2026-11-02 11:00:00+00', '2026-11-02 11:00:00+00', 'system', NULL, NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8008-000000000036', 'Project 36', NULL, 'active', 'high', 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, false, 1, '2026-11-02 12:00:00+00', '2026-11-02 12:00:00+00', 'system', NULL, NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8008-000000000037', 'Project 37', NULL, 'active', 'high', 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, false, 1, '2026-11-02 13:00:00+00', '2026-11-02 13:00:00+00', 'system', NULL, NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8008-000000000038', 'Project 38', NULL, 'active', 'high', 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, false, 1, '2026-11-02 14:00:00+00', '2026-11-02 14:00:00+00', 'system', NULL, NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8008-000000000039', 'Project 39', NULL, 'active', 'high', 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, false, 1, '2026-11-02 15:00:00+00', '2026-11-02 15:00:00+00', 'system', NULL, NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8008-000000000040', 'Project 40', NULL, 'active', 'high', 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, false, 1, '2026-11-02 16:00:00+00', '2026-11-02 16:00:00+00', 'system', NULL, NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8008-000000000001', 'Project 1', NULL, 'active', 'high', 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, false, 1, '2026-11-01 01:00:00+00', '2026-11-01 01:00:00+00', 'system', NULL, NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8008-000000000002', 'Project 2', NULL, 'active', 'high', 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, false, 1, '2026-11-01 02:00:00+00', '2026-11-01 02:00:00+00', 'system', NULL, NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8008-000000000003', 'Project 3', NULL, 'active', 'high', 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, false, 1, '2026-11-01 03:00:00+00', '2026-11-01 03:00:00+00', 'system', NULL, NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8008-000000000004', 'Project 4', NULL, 'active', 'high', 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, false, 1, '2026-11-01 04:00:00+00', '2026-11-01 04:00:00+00', 'system', NULL, NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8008-000000000005', 'Project 5', NULL, 'active', 'high', 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, false, 1, '2026-11-01 05:00:00+00', '2026-11-01 05:00:00+00', 'system', NULL, NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8008-000000000006', 'Project 6', NULL, 'active', 'high', 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, false, 1, '2026-11-01 06:00:00+00', '2026-11-01 06:00:00+00', 'system', NULL, NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8008-000000000007', 'Project 7', NULL, 'active', 'high', 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, false, 1, '2026-11-01 07:00:00+00', '2026-11-01 07:00:00+00', 'system', NULL, NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8008-000000000008', 'Project 8', NULL, 'active', 'high', 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, false, 1, '2026-11-01 08:00:00+00', '2026-11-01 08:00:00+00', 'system', NULL, NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8008-000000000009', 'Project 9', NULL, 'active', 'high', 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, false, 1, '2026-11-01 09:00:00+00', '2026-11-01 09:00:00+00', 'system', NULL, NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8008-000000000010', 'Project 10', NULL, 'active', 'high', 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, false, 1, '2026-11-01 10:00:00+00', '2026-11-01 10:00:00+00', 'system', NULL, NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8008-000000000011', 'Project 11', NULL, 'active', 'high', 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, false, 1, '2026-11-01 11:00:00+00', '2026-11-01 11:00:00+00', 'system', NULL, NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8008-000000000012', 'Project 12', NULL, 'active', 'high', 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, false, 1, '2026-11-01 12:00:00+00', '2026-11-01 12:00:00+00', 'system', NULL, NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8008-000000000013', 'Project 13', NULL, 'active', 'high', 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, false, 1, '2026-11-01 13:00:00+00', '2026-11-01 13:00:00+00', 'system', NULL, NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8008-000000000014', 'Project 14', NULL, 'active', 'high', 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, false, 1, '2026-11-01 14:00:00+00', '2026-11-01 14:00:00+00', 'system', NULL, NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8008-000000000015', 'Project 15', NULL, 'active', 'high', 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, false, 1, '2026-11-01 15:00:00+00', '2026-11-01 15:00:00+00', 'system', NULL, NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8008-000000000016', 'Project 16', NULL, 'active', 'high', 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, false, 1, '2026-11-01 16:00:00+00', '2026-11-01 16:00:00+00', 'system', NULL, NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8008-000000000017', 'Project 17', NULL, 'active', 'high', 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, false, 1, '2026-11-01 17:00:00+00', '2026-11-01 17:00:00+00', 'system', NULL, NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8008-000000000018', 'Project 18', NULL, 'active', 'high', 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, false, 1, '2026-11-01 18:00:00+00', '2026-11-01 18:00:00+00', 'system', NULL, NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8008-000000000019', 'Project 19', NULL, 'active', 'high', 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, false, 1, '2026-11-01 19:00:00+00', '2026-11-01 19:00:00+00', 'system', NULL, NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8008-000000000020', 'Project 20', NULL, 'active', 'high', 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, false, 1, '2026-11-01 20:00:00+00', '2026-11-01 20:00:00+00', 'system', NULL, NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8008-000000000021', 'Project 21', NULL, 'active', 'high', 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, false, 1, '2026-11-01 21:00:00+00', '2026-11-01 21:00:00+00', 'system', NULL, NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8008-000000000022', 'Project 22', NULL, 'active', 'high', 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, false, 1, '2026-11-01 22:00:00+00', '2026-11-01 22:00:00+00', 'system', NULL, NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8008-000000000023', 'Project 23', NULL, 'active', 'high', 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, false, 1, '2026-11-01 23:00:00+00', '2026-11-01 23:00:00+00', 'system', NULL, NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8008-000000000024', 'Project 24', NULL, 'active', 'high', 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, false, 1, '2026-11-02 00:00:00+00', '2026-11-02 00:00:00+00', 'system', NULL, NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8008-000000000025', 'Project 25', NULL, 'active', 'high', 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, false, 1, '2026-11-02 01:00:00+00', '2026-11-02 01:00:00+00', 'system', NULL, NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8008-000000000026', 'Project 26', NULL, 'active', 'high', 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, false, 1, '2026-11-02 02:00:00+00', '2026-11-02 02:00:00+00', 'system', NULL, NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8008-000000000027', 'Project 27', NULL, 'active', 'high', 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, false, 1, '2026-11-02 03:00:00+00', '2026-11-02 03:00:00+00', 'system', NULL, NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8008-000000000028', 'Project 28', NULL, 'active', 'high', 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, false, 1, '2026-11-02 04:00:00+00', '2026-11-02 04:00:00+00', 'system', NULL, NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8008-000000000029', 'Project 29', NULL, 'active', 'high', 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, false, 1, '2026-11-02 05:00:00+00', '2026-11-02 05:00:00+00', 'system', NULL, NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8008-000000000030', 'Project 30', NULL, 'active', 'high', 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, false, 1, '2026-11-02 06:00:00+00', '2026-11-02 06:00:00+00', 'system', NULL, NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8008-000000000031', 'Project 31', NULL, 'active', 'high', 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, false, 1, '2026-11-02 07:00:00+00', '2026-11-02 07:00:00+00', 'system', NULL, NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8008-000000000032', 'Project 32', NULL, 'active', 'high', 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, false, 1, '2026-11-02 08:00:00+00', '2026-11-02 08:00:00+00', 'system', NULL, NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8008-000000000033', 'Project 33', NULL, 'active', 'high', 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, false, 1, '2026-11-02 09:00:00+00', '2026-11-02 09:00:00+00', 'system', NULL, NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8008-000000000034', 'Project 34', NULL, 'active', 'high', 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, false, 1, '2026-11-02 10:00:00+00', '2026-11-02 10:00:00+00', 'system', NULL, NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8008-000000000035', 'Project 35', NULL, 'active', 'high', 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, false, 1, '2026-11-02 11:00:00+00', '2026-11-02 11:00:00+00', 'system', NULL, NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8008-000000000036', 'Project 36', NULL, 'active', 'high', 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, false, 1, '2026-11-02 12:00:00+00', '2026-11-02 12:00:00+00', 'system', NULL, NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8008-000000000037', 'Project 37', NULL, 'active', 'high', 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, false, 1, '2026-11-02 13:00:00+00', '2026-11-02 13:00:00+00', 'system', NULL, NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8008-000000000038', 'Project 38', NULL, 'active', 'high', 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, false, 1, '2026-11-02 14:00:00+00', '2026-11-02 14:00:00+00', 'system', NULL, NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8008-000000000039', 'Project 39', NULL, 'active', 'high', 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, false, 1, '2026-11-02 15:00:00+00', '2026-11-02 15:00:00+00', 'system', NULL, NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8008-000000000040', 'Project 40', NULL, 'active', 'high', 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, false, 1, '2026-11-02 16:00:00+00', '2026-11-02 16:00:00+00', 'system', NULL, NULL, NULL, NULL);
INSERT INTO public.request_counts VALUES
	('00000000-0000-7001-8000-000000000000', '2026-11-02', 1),
	('00000000-0000-7001-8000-000000000000', '2026-11-03', 2),
	('00000000-0000-7001-8000-000000000000', '2026-11-04', 3),
	('00000000-0000-7001-8000-000000000000', '2026-11-05', 4),
	('00000000-0000-7001-8000-000000000000', '2026-11-06', 5),
	('00000000-0000-7001-8000-000000000000', '2026-11-07', 6),
	('00000000-0000-7001-8000-000000000000', '2026-11-08', 7),
	('00000000-0000-7001-8000-000000000000', '2026-11-09', 8),
	('00000000-0000-7001-8000-000000000000', '2026-11-10', 9),
	('00000000-0000-7001-8000-000000000000', '2026-11-11', 10),
	('00000000-0000-7001-8000-000000000000', '2026-11-12', 11),
	('00000000-0000-7001-8000-000000000000', '2026-11-13', 12),
	('00000000-0000-7001-8000-000000000000', '2026-11-14', 13),
	('00000000-0000-7001-8000-000000000000', '2026-11-15', 14),
	('00000000-0000-7001-8000-000000000000', '2026-11-16', 15),
	('00000000-0000-7001-8000-000000000000', '2026-11-17', 16),
	('00000000-0000-7001-8000-000000000000', '2026-11-18', 17),
	('00000000-0000-7001-8000-000000000000', '2026-11-19', 18),
	('00000000-0000-7001-8000-000000000000', '2026-11-20', 19),
	('00000000-0000-7001-8000-000000000000', '2026-11-21', 20),
	('00000000-0000-7001-8000-000000000000', '2026-11-22', 21),
	('00000000-0000-7001-8000-000000000000', '2026-11-23', 22),
	('00000000-0000-7001-8000-000000000000', '2026-11-24', 23),
	('00000000-0000-7001-8000-000000000000', '2026-11-25', 24),
	('00000000-0000-7001-8000-000000000000', '2026-11-26', 25),
	('00000000-0000-7001-8000-000000000000', '2026-11-27', 26),
	('00000000-0000-7001-8000-000000000000', '2026-11-28', 27),
	('00000000-0000-7001-8000-000000000000', '2026-11-29', 28),
	('00000000-0000-7001-8000-000000000000', '2026-11-30', 29),
	('00000000-0000-7001-8000-000000000000', '2026-12-01', 30),
	('00000000-0000-7001-8000-000000000000', '2026-12-02', 31),
	('00000000-0000-7001-8000-000000000000', '2026-12-03', 32),
	('00000000-0000-7001-8000-000000000000', '2026-12-04', 33),
	('00000000-0000-7001-8000-000000000000', '2026-12-05', 34),
	('00000000-0000-7001-8000-000000000000', '2026-12-06', 35),
	('00000000-0000-7001-8000-000000000000', '2026-12-07', 36),
	('00000000-0000-7001-8000-000000000000', '2026-12-08', 37),
	('00000000-0000-7001-8000-000000000000', '2026-12-09', 38),
	('00000000-0000-7001-8000-000000000000', '2026-12-10', 39),
	('00000000-0000-7001-8000-000000000000', '2026-12-11', 40),
	('00000000-0000-7002-8000-000000000000', '2026-11-02', 1),
	('00000000-0000-7002-8000-000000000000', '2026-11-03', 2),
	('00000000-0000-7002-8000-000000000000', '2026-11-04', 3),
	('00000000-0000-7002-8000-000000000000', '2026-11-05', 4),
	('00000000-0000-7002-8000-000000000000', '2026-11-06', 5),
	('00000000-0000-7002-8000-000000000000', '2026-11-07', 6),
	('00000000-0000-7002-8000-000000000000', '2026-11-08', 7),
	('00000000-0000-7002-8000-000000000000', '2026-11-09', 8),
	('00000000-0000-7002-8000-000000000000', '2026-11-10', 9),
	('00000000-0000-7002-8000-000000000000', '2026-11-11', 10),
	('00000000-0000-7002-8000-000000000000', '2026-11-12', 11),
	('00000000-0000-7002-8000-000000000000', '2026-11-13', 12),
	('00000000-0000-7002-8000-000000000000', '2026-11-14', 13),
	('00000000-0000-7002-8000-000000000000', '2026-11-15', 14),
	('00000000-0000-7002-8000-000000000000', '2026-11-16', 15),
	('00000000-0000-7002-8000-000000000000', '2026-11-17', 16),
	('00000000-0000-7002-8000-000000000000', '2026-11-18', 17),
	('00000000-0000-7002-8000-000000000000', '2026-11-19', 18),
	('00000000-0000-7002-8000-000000000000', '2026-11-20', 19),
	('00000000-0000-7002-8000-000000000000', '2026-11-21', 20),
	('00000000-0000-7002-8000-000000000000', '2026-11-22', 21),
	('00000000-0000-7002-8000-000000000000', '2026-11-23', 22),
	('00000000-0000-7002-8000-000000000000', '2026-11-24', 23),
	('00000000-0000-7002-8000-000000000000', '2026-11-25', 24),
	('00000000-0000-7002-8000-000000000000', '2026-11-26', 25),
	('00000000-0000-7002-8000-000000000000', '2026-11-27', 26),
	('00000000-0000-7002-8000-000000000000', '2026-11-28', 27),
	('00000000-0000-7002-8000-000000000000', '2026-11-29', 28),
	('00000000-0000-7002-8000-000000000000', '2026-11-30', 29),
	('00000000-0000-7002-8000-000000000000', '2026-12-01', 30),
	('00000000-0000-7002-8000-000000000000', '2026-12-02', 31),
	('00000000-0000-7002-8000-000000000000', '2026-12-03', 32),
	('00000000-0000-7002-8000-000000000000', '2026-12-04', 33),
	('00000000-0000-7002-8000-000000000000', '2026-12-05', 34),
	('00000000-0000-7002-8000-000000000000', '2026-12-06', 35),
	('00000000-0000-7002-8000-000000000000', '2026-12-07', 36),
	('00000000-0000-7002-8000-000000000000', '2026-12-08', 37),
	('00000000-0000-7002-8000-000000000000', '2026-12-09', 38),
	('00000000-0000-7002-8000-000000000000', '2026-12-10', 39),
	('00000000-0000-7002-8000-000000000000', '2026-12-11', 40),
	('00000000-0000-7003-8000-000000000000', '2026-11-02', 1),
	('00000000-0000-7003-8000-000000000000', '2026-11-03', 2),
	('00000000-0000-7003-8000-000000000000', '2026-11-04', 3),
	('00000000-0000-7003-8000-000000000000', '2026-11-05', 4),
	('00000000-0000-7003-8000-000000000000', '2026-11-06', 5),
	('00000000-0000-7003-8000-000000000000', '2026-11-07', 6),
	('00000000-0000-7003-8000-000000000000', '2026-11-08', 7),
	('00000000-0000-7003-8000-000000000000', '2026-11-09', 8),
	('00000000-0000-7003-8000-000000000000', '2026-11-10', 9),
	('00000000-0000-7003-8000-000000000000', '2026-11-11', 10),
	('00000000-0000-7003-8000-000000000000', '2026-11-12', 11),
	('00000000-0000-7003-8000-000000000000', '2026-11-13', 12),
	('00000000-0000-7003-8000-000000000000', '2026-11-14', 13),
	('00000000-0000-7003-8000-000000000000', '2026-11-15', 14),
	('00000000-0000-7003-8000-000000000000', '2026-11-16', 15),
	('00000000-0000-7003-8000-000000000000', '2026-11-17', 16),
	('00000000-0000-7003-8000-000000000000', '2026-11-18', 17),
	('00000000-0000-7003-8000-000000000000', '2026-11-19', 18),
	('00000000-0000-7003-8000-000000000000', '2026-11-20', 19),
	('00000000-0000-7003-8000-000000000000', '2026-11-21', 20),
	('00000000-0000-7003-8000-000000000000', '2026-11-22', 21),
	('00000000-0000-7003-8000-000000000000', '2026-11-23', 22),
	('00000000-0000-7003-8000-000000000000', '2026-11-24', 23),
	('00000000-0000-7003-8000-000000000000', '2026-11-25', 24),
	('00000000-0000-7003-8000-000000000000', '2026-11-26', 25),
	('00000000-0000-7003-8000-000000000000', '2026-11-27', 26),
	('00000000-0000-7003-8000-000000000000', '2026-11-28', 27),
	('00000000-0000-7003-8000-000000000000', '2026-11-29', 28),
	('00000000-0000-7003-8000-000000000000', '2026-11-30', 29),
	('00000000-0000-7003-8000-000000000000', '2026-12-01', 30),
	('00000000-0000-7003-8000-000000000000', '2026-12-02', 31),
	('00000000-0000-7003-8000-000000000000', '2026-12-03', 32),
	('00000000-0000-7003-8000-000000000000', '2026-12-04', 33),
	('00000000-0000-7003-8000-000000000000', '2026-12-05', 34),
	('00000000-0000-7003-8000-000000000000', '2026-12-06', 35),
	('00000000-0000-7003-8000-000000000000', '2026-12-07', 36),
	('00000000-0000-7003-8000-000000000000', '2026-12-08', 37),
	('00000000-0000-7003-8000-000000000000', '2026-12-09', 38),
	('00000000-0000-7003-8000-000000000000', '2026-12-10', 39),
	('00000000-0000-7003-8000-000000000000', '2026-12-11', 40);
INSERT INTO public.sessions VALUES
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8002-000000000000', '00000000-0000-7001-8001-000000000000', 's1', '\x0000000000000000000000000000000000000000000000000000000000000000', '2026-11-01 00:00:00+00', '2027-11-01 00:00:00+00', NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8002-000000000000', '00000000-0000-7002-8001-000000000000', 's2', '\x0000000000000000000000000000000000000000000000000000000000000000', '2026-11-01 00:00:00+00', '2027-11-01 00:00:00+00', NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8002-000000000000', '00000000-0000-7003-8001-000000000000', 's3', '\x0000000000000000000000000000000000000000000000000000000000000000', '2026-11-01 00:00:00+00', '2027-11-01 00:00:00+00', NULL, NULL, NULL);
INSERT INTO public.users VALUES
	('00000000-0000-7001-8001-000000000000', 'Owner@w1.example', 'owner@w1.example', 'Owner', NULL, '2026-11-01 00:00:00+00', true, true, false),
	('00000000-0000-7002-8001-000000000000', 'Owner@w2.example', 'owner@w2.example', 'Owner', NULL, '2026-11-01 00:00:00+00', true, true, false),
	('00000000-0000-7003-8001-000000000000', 'Owner@w3.example', 'owner@w3.example', 'Owner', NULL, '2026-11-01 00:00:00+00', true, true, false);
INSERT INTO public.webhook_attempts VALUES
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8015-000000000001', 1, '2026-11-01 01:00:00+00', 12, 200, NULL, 'ok', false),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8015-000000000002', 1, '2026-11-01 02:00:00+00', 12, 200, NULL, 'ok', false),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8015-000000000003', 1, '2026-11-01 03:00:00+00', 12, 200, NULL, 'ok', false),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8015-000000000004', 1, '2026-11-01 04:00:00+00', 12, 200, NULL, 'ok', false),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8015-000000000005', 1, '2026-11-01 05:00:00+00', 12, 200, NULL, 'ok', false),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8015-000000000006', 1, '2026-11-01 06:00:00+00', 12, 200, NULL, 'ok', false),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8015-000000000007', 1, '2026-11-01 07:00:00+00', 12, 200, NULL, 'ok', false),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8015-000000000008', 1, '2026-11-01 08:00:00+00', 12, 200, NULL, 'ok', false),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8015-000000000009', 1, '2026-11-01 09:00:00+00', 12, 200, NULL, 'ok', false),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8015-000000000010', 1, '2026-11-01 10:00:00+00', 12, 200, NULL, 'ok', false),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8015-000000000011', 1, '2026-11-01 11:00:00+00', 12, 200, NULL, 'ok', false),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8015-000000000012', 1, '2026-11-01 12:00:00+00', 12, 200, NULL, 'ok', false),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8015-000000000013', 1, '2026-11-01 13:00:00+00', 12, 200, NULL, 'ok', false),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8015-000000000014', 1, '2026-11-01 14:00:00+00', 12, 200, NULL, 'ok', false),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8015-000000000015', 1, '2026-11-01 15:00:00+00', 12, 200, NULL, 'ok', false),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8015-000000000016', 1, '2026-11-01 16:00:00+00', 12, 200, NULL, 'ok', false),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8015-000000000017', 1, '2026-11-01 17:00:00+00', 12, 200, NULL, 'ok', false),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8015-000000000018', 1, '2026-11-01 18:00:00+00', 12, 200, NULL, 'ok', false),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8015-000000000019', 1, '2026-11-01 19:00:00+00', 12, 200, NULL, 'ok', false),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8015-000000000020', 1, '2026-11-01 20:00:00+00', 12, 200, NULL, 'ok', false),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8015-000000000021', 1, '2026-11-01 21:00:00+00', 12, 200, NULL, 'ok', false),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8015-000000000022', 1, '2026-11-01 22:00:00+00', 12, 200, NULL, 'ok', false),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8015-000000000023', 1, '2026-11-01 23:00:00+00', 12, 200, NULL, 'ok', false),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8015-000000000024', 1, '2026-11-02 00:00:00+00', 12, 200, NULL, 'ok', false),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8015-000000000025', 1, '2026-11-02 01:00:00+00', 12, 200, NULL, 'ok', false),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8015-000000000026', 1, '2026-11-02 02:00:00+00', 12, 200, NULL, 'ok', false),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8015-000000000027', 1, '2026-11-02 03:00:00+00', 12, 200, NULL, 'ok', false),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8015-000000000028', 1, '2026-11-02 04:00:00+00', 12, 200, NULL, 'ok', false),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8015-000000000029', 1, '2026-11-02 05:00:00+00', 12, 200, NULL, 'ok', false),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8015-000000000030', 1, '2026-11-02 06:00:00+00', 12, 200, NULL, 'ok', false),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8015-000000000031', 1, '2026-11-02 07:00:00+00', 12, 200, NULL, 'ok', false),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8015-000000000032', 1, '2026-11-02 08:00:00+00', 12, 200, NULL, 'ok', false),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8015-000000000033', 1, '2026-11-02 09:00:00+00', 12, 200, NULL, 'ok', false),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8015-000000000034', 1, '2026-11-02 10:00:00+00', 12, 200, NULL, 'ok', false),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8015-000000000035', 1, '2026-11-02 11:00:00+00', 12, 200, NULL, 'ok', false),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8015-000000000036', 1, '2026-11-02 12:00:00+00', 12, 200, NULL, 'ok', false),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8015-000000000037', 1, '2026-11-02 13:00:00+00', 12, 200, NULL, 'ok', false),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8015-000000000038', 1, '2026-11-02 14:00:00+00', 12, 200, NULL, 'ok', false),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8015-000000000039', 1, '2026-11-02 15:00:00+00', 12, 200, NULL, 'ok', false),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8015-000000000040', 1, '2026-11-02 16:00:00+00', 12, 200, NULL, 'ok', false),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8015-000000000001', 1, '2026-11-01 01:00:00+00', 12, 200, NULL, 'ok', false),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8015-000000000002', 1, '2026-11-01 02:00:00+00', 12, 200, NULL, 'ok', false),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8015-000000000003', 1, '2026-11-01 03:00:00+00', 12, 200, NULL, 'ok', false),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8015-000000000004', 1, '2026-11-01 04:00:00+00', 12, 200, NULL, 'ok', false),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8015-000000000005', 1, '2026-11-01 05:00:00+00', 12, 200, NULL, 'ok', false),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8015-000000000006', 1, '2026-11-01 06:00:00+00', 12, 200, NULL, 'ok', false),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8015-000000000007', 1, '2026-11-01 07:00:00+00', 12, 200, NULL, 'ok', false),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8015-000000000008', 1, '2026-11-01 08:00:00+00', 12, 200, NULL, 'ok', false),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8015-000000000009', 1, '2026-11-01 09:00:00+00', 12, 200, NULL, 'ok', false),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8015-000000000010', 1, '2026-11-01 10:00:00+00', 12, 200, NULL, 'ok', false),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8015-000000000011', 1, '2026-11-01 11:00:00+00', 12, 200, NULL, 'ok', false),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8015-000000000012', 1, '2026-11-01 12:00:00+00', 12, 200, NULL, 'ok', false),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8015-000000000013', 1, '2026-11-01 13:00:00+00', 12, 200, NULL, 'ok', false),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8015-000000000014', 1, '2026-11-01 14:00:00+00', 12, 200, NULL, 'ok', false),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8015-000000000015', 1, '2026-11-01 15:00:00+00', 12, 200, NULL, 'ok', false),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8015-000000000016', 1, '2026-11-01 16:00:00+00', 12, 200, NULL, 'ok', false),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8015-000000000017', 1, '2026-11-01 17:00:00+00', 12, 200, NULL, 'ok', false),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8015-000000000018', 1, '2026-11-01 18:00:00+00', 12, 200, NULL, 'ok', false),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8015-000000000019', 1, '2026-11-01 19:00:00+00', 12, 200, NULL, 'ok', false),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8015-000000000020', 1, '2026-11-01 20:00:00+00', 12, 200, NULL, 'ok', false),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8015-000000000021', 1, '2026-11-01 21:00:00+00', 12, 200, NULL, 'ok', false),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8015-000000000022', 1, '2026-11-01 22:00:00+00', 12, 200, NULL, 'ok', false),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8015-000000000023', 1, '2026-11-01 23:00:00+00', 12, 200, NULL, 'ok', false),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8015-000000000024', 1, '2026-11-02 00:00:00+00', 12, 200, NULL, 'ok', false),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8015-000000000025', 1, '2026-11-02 01:00:00+00', 12, 200, NULL, 'ok', false),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8015-000000000026', 1, '2026-11-02 02:00:00+00', 12, 200, NULL, 'ok', false),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8015-000000000027', 1, '2026-11-02 03:00:00+00', 12, 200, NULL, 'ok', false),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8015-000000000028', 1, '2026-11-02 04:00:00+00', 12, 200, NULL, 'ok', false),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8015-000000000029', 1, '2026-11-02 05:00:00+00', 12, 200, NULL, 'ok', false),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8015-000000000030', 1, '2026-11-02 06:00:00+00', 12, 200, NULL, 'ok', false),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8015-000000000031', 1, '2026-11-02 07:00:00+00', 12, 200, NULL, 'ok', false),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8015-000000000032', 1, '2026-11-02 08:00:00+00', 12, 200, NULL, 'ok', false),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8015-000000000033', 1, '2026-11-02 09:00:00+00', 12, 200, NULL, 'ok', false),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8015-000000000034', 1, '2026-11-02 10:00:00+00', 12, 200, NULL, 'ok', false),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8015-000000000035', 1, '2026-11-02 11:00:00+00', 12, 200, NULL, 'ok', false),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8015-000000000036', 1, '2026-11-02 12:00:00+00', 12, 200, NULL, 'ok', false),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8015-000000000037', 1, '2026-11-02 13:00:00+00', 12, 200, NULL, 'ok', false),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8015-000000000038', 1, '2026-11-02 14:00:00+00', 12, 200, NULL, 'ok', false),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8015-000000000039', 1, '2026-11-02 15:00:00+00', 12, 200, NULL, 'ok', false),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8015-000000000040', 1, '2026-11-02 16:00:00+00', 12, 200, NULL, 'ok', false),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8015-000000000001', 1, '2026-11-01 01:00:00+00', 12, 200, NULL, 'ok', false),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8015-000000000002', 1, '2026-11-01 02:00:00+00', 12, 200, NULL, 'ok', false),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8015-000000000003', 1, '2026-11-01 03:00:00+00', 12, 200, NULL, 'ok', false),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8015-000000000004', 1, '2026-11-01 04:00:00+00', 12, 200, NULL, 'ok', false),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8015-000000000005', 1, '2026-11-01 05:00:00+00', 12, 200, NULL, 'ok', false),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8015-000000000006', 1, '2026-11-01 06:00:00+00', 12, 200, NULL, 'ok', false),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8015-000000000007', 1, '2026-11-01 07:00:00+00', 12, 200, NULL, 'ok', false),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8015-000000000008', 1, '2026-11-01 08:00:00+00', 12, 200, NULL, 'ok', false),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8015-000000000009', 1, '2026-11-01 09:00:00+00', 12, 200, NULL, 'ok', false),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8015-000000000010', 1, '2026-11-01 10:00:00+00', 12, 200, NULL, 'ok', false),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8015-000000000011', 1, '2026-11-01 11:00:00+00', 12, 200, NULL, 'ok', false),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8015-000000000012', 1, '2026-11-01 12:00:00+00', 12, 200, NULL, 'ok', false),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8015-000000000013', 1, '2026-11-01 13:00:00+00', 12, 200, NULL, 'ok', false),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8015-000000000014', 1, '2026-11-01 14:00:00+00', 12, 200, NULL, 'ok', false),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8015-000000000015', 1, '2026-11-01 15:00:00+00', 12, 200, NULL, 'ok', false),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8015-000000000016', 1, '2026-11-01 16:00:00+00', 12, 200, NULL, 'ok', false),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8015-000000000017', 1, '2026-11-01 17:00:00+00', 12, 200, NULL, 'ok', false),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8015-000000000018', 1, '2026-11-01 18:00:00+00', 12, 200, NULL, 'ok', false),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8015-000000000019', 1, '2026-11-01 19:00:00+00', 12, 200, NULL, 'ok', false),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8015-000000000020', 1, '2026-11-01 20:00:00+00', 12, 200, NULL, 'ok', false),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8015-000000000021', 1, '2026-11-01 21:00:00+00', 12, 200, NULL, 'ok', false),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8015-000000000022', 1, '2026-11-01 22:00:00+00', 12, 200, NULL, 'ok', false),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8015-000000000023', 1, '2026-11-01 23:00:00+00', 12, 200, NULL, 'ok', false),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8015-000000000024', 1, '2026-11-02 00:00:00+00', 12, 200, NULL, 'ok', false),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8015-000000000025', 1, '2026-11-02 01:00:00+00', 12, 200, NULL, 'ok', false),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8015-000000000026', 1, '2026-11-02 02:00:00+00', 12, 200, NULL, 'ok', false),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8015-000000000027', 1, '2026-11-02 03:00:00+00', 12, 200, NULL, 'ok', false),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8015-000000000028', 1, '2026-11-02 04:00:00+00', 12, 200, NULL, 'ok', false),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8015-000000000029', 1, '2026-11-02 05:00:00+00', 12, 200, NULL, 'ok', false),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8015-000000000030', 1, '2026-11-02 06:00:00+00', 12, 200, NULL, 'ok', false),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8015-000000000031', 1, '2026-11-02 07:00:00+00', 12, 200, NULL, 'ok', false),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8015-000000000032', 1, '2026-11-02 08:00:00+00', 12, 200, NULL, 'ok', false),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8015-000000000033', 1, '2026-11-02 09:00:00+00', 12, 200, NULL, 'ok', false),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8015-000000000034', 1, '2026-11-02 10:00:00+00', 12, 200, NULL, 'ok', false),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8015-000000000035', 1, '2026-11-02 11:00:00+00', 12, 200, NULL, 'ok', false),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8015-000000000036', 1, '2026-11-02 12:00:00+00', 12, 200, NULL, 'ok', false),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8015-000000000037', 1, '2026-11-02 13:00:00+00', 12, 200, NULL, 'ok', false),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8015-000000000038', 1, '2026-11-02 14:00:00+00', 12, 200, NULL, 'ok', false),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8015-000000000039', 1, '2026-11-02 15:00:00+00', 12, 200, NULL, 'ok', false),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8015-000000000040', 1, '2026-11-02 16:00:00+00', 12, 200, NULL, 'ok', false);
INSERT INTO public.webhook_deliveries VALUES
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8015-000000000001', '00000000-0000-7001-8014-000000000000', 'deal.created', '{"id": "x"}', 'pending', 1, '2026-11-01 01:00:00+00', NULL, NULL, NULL, NULL, '2026-11-01 01:00:00+00', NULL, NULL, NULL, 0, NULL, false, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8015-000000000002', '00000000-0000-7001-8014-000000000000', 'deal.created', '{"id": "x"}', 'succeeded', 0, NULL, NULL, NULL, NULL, NULL, '2026-11-01 02:00:00+00', '2026-11-01 02:00:00+00', NULL, NULL, 0, NULL, false, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8015-000000000003', '00000000-0000-7001-8014-000000000000', 'deal.created', '{"id": "x"}', 'pending', 1, '2026-11-01 03:00:00+00', NULL, NULL, NULL, NULL, '2026-11-01 03:00:00+00', NULL, NULL, NULL, 0, NULL, false, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8015-000000000004', '00000000-0000-7001-8014-000000000000', 'deal.created', '{"id": "x"}', 'succeeded', 0, NULL, NULL, NULL, NULL, NULL, '2026-11-01 04:00:00+00', '2026-11-01 04:00:00+00', NULL, NULL, 0, NULL, false, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8015-000000000005', '00000000-0000-7001-8014-000000000000', 'deal.created', '{"id": "x"}', 'pending', 1, '2026-11-01 05:00:00+00', NULL, NULL, NULL, NULL, '2026-11-01 05:00:00+00', NULL, NULL, NULL, 0, NULL, false, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8015-000000000006', '00000000-0000-7001-8014-000000000000', 'deal.created', '{"id": "x"}', 'succeeded', 0, NULL, NULL, NULL, NULL, NULL, '2026-11-01 06:00:00+00', '2026-11-01 06:00:00+00', NULL, NULL, 0, NULL, false, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8015-000000000007', '00000000-0000-7001-8014-000000000000', 'deal.created', '{"id": "x"}', 'pending', 1, '2026-11-01 07:00:00+00', NULL, NULL, NULL, NULL, '2026-11-01 07:00:00+00', NULL, NULL, NULL, 0, NULL, false, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8015-000000000008', '00000000-0000-7001-8014-000000000000', 'deal.created', '{"id": "x"}', 'succeeded', 0, NULL, NULL, NULL, NULL, NULL, '2026-11-01 08:00:00+00', '2026-11-01 08:00:00+00', NULL, NULL, 0, NULL, false, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8015-000000000009', '00000000-0000-7001-8014-000000000000', 'deal.created', '{"id": "x"}', 'pending', 1, '2026-11-01 09:00:00+00', NULL, NULL, NULL, NULL, '2026-11-01 09:00:00+00', NULL, NULL, NULL, 0, NULL, false, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8015-000000000010', '00000000-0000-7001-8014-000000000000', 'deal.created', '{"id": "x"}', 'succeeded', 0, NULL, NULL, NULL, NULL, NULL, '2026-11-01 10:00:00+00', '2026-11-01 10:00:00+00', NULL, NULL, 0, NULL, false, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8015-000000000011', '00000000-0000-7001-8014-000000000000', 'deal.created', '{"id": "x"}', 'pending', 1, '2026-11-01 11:00:00+00', NULL, NULL, NULL, NULL, '2026-11-01 11:00:00+00', NULL, NULL, NULL, 0, NULL, false, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8015-000000000012', '00000000-0000-7001-8014-000000000000', 'deal.created', '{"id": "x"}', 'succeeded', 0, NULL, NULL, NULL, NULL, NULL, '2026-11-01 12:00:00+00', '2026-11-01 12:00:00+00', NULL, NULL, 0, NULL, false, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8015-000000000013', '00000000-0000-7001-8014-000000000000', 'deal.created', '{"id": "x"}', 'pending', 1, '2026-11-01 13:00:00+00', NULL, NULL, NULL, NULL, '2026-11-01 13:00:00+00', NULL, NULL, NULL, 0, NULL, false, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8015-000000000014', '00000000-0000-7001-8014-000000000000', 'deal.created', '{"id": "x"}', 'succeeded', 0, NULL, NULL, NULL, NULL, NULL, '2026-11-01 14:00:00+00', '2026-11-01 14:00:00+00', NULL, NULL, 0, NULL, false, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8015-000000000015', '00000000-0000-7001-8014-000000000000', 'deal.created', '{"id": "x"}', 'pending', 1, '2026-11-01 15:00:00+00', NULL, NULL, NULL, NULL, '2026-11-01 15:00:00+00', NULL, NULL, NULL, 0, NULL, false, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8015-000000000016', '00000000-0000-7001-8014-000000000000', 'deal.created', '{"id": "x"}', 'succeeded', 0, NULL, NULL, NULL, NULL, NULL, '2026-11-01 16:00:00+00', '2026-11-01 16:00:00+00', NULL, NULL, 0, NULL, false, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8015-000000000017', '00000000-0000-7001-8014-000000000000', 'deal.created', '{"id": "x"}', 'pending', 1, '2026-11-01 17:00:00+00', NULL, NULL, NULL, NULL, '2026-11-01 17:00:00+00', NULL, NULL, NULL, 0, NULL, false, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8015-000000000018', '00000000-0000-7001-8014-000000000000', 'deal.created', '{"id": "x"}', 'succeeded', 0, NULL, NULL, NULL, NULL, NULL, '2026-11-01 18:00:00+00', '2026-11-01 18:00:00+00', NULL, NULL, 0, NULL, false, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8015-000000000019', '00000000-0000-7001-8014-000000000000', 'deal.created', '{"id": "x"}', 'pending', 1, '2026-11-01 19:00:00+00', NULL, NULL, NULL, NULL, '2026-11-01 19:00:00+00', NULL, NULL, NULL, 0, NULL, false, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8015-000000000020', '00000000-0000-7001-8014-000000000000', 'deal.created', '{"id": "x"}', 'succeeded', 0, NULL, NULL, NULL, NULL, NULL, '2026-11-01 20:00:00+00', '2026-11-01 20:00:00+00', NULL, NULL, 0, NULL, false, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8015-000000000021', '00000000-0000-7001-8014-000000000000', 'deal.created', '{"id": "x"}', 'pending', 1, '2026-11-01 21:00:00+00', NULL, NULL, NULL, NULL, '2026-11-01 21:00:00+00', NULL, NULL, NULL, 0, NULL, false, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8015-000000000022', '00000000-0000-7001-8014-000000000000', 'deal.created', '{"id": "x"}', 'succeeded', 0, NULL, NULL, NULL, NULL, NULL, '2026-11-01 22:00:00+00', '2026-11-01 22:00:00+00', NULL, NULL, 0, NULL, false, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8015-000000000023', '00000000-0000-7001-8014-000000000000', 'deal.created', '{"id": "x"}', 'pending', 1, '2026-11-01 23:00:00+00', NULL, NULL, NULL, NULL, '2026-11-01 23:00:00+00', NULL, NULL, NULL, 0, NULL, false, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8015-000000000024', '00000000-0000-7001-8014-000000000000', 'deal.created', '{"id": "x"}', 'succeeded', 0, NULL, NULL, NULL, NULL, NULL, '2026-11-02 00:00:00+00', '2026-11-02 00:00:00+00', NULL, NULL, 0, NULL, false, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8015-000000000025', '00000000-0000-7001-8014-000000000000', 'deal.created', '{"id": "x"}', 'pending', 1, '2026-11-02 01:00:00+00', NULL, NULL, NULL, NULL, '2026-11-02 01:00:00+00', NULL, NULL, NULL, 0, NULL, false, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8015-000000000026', '00000000-0000-7001-8014-000000000000', 'deal.created', '{"id": "x"}', 'succeeded', 0, NULL, NULL, NULL, NULL, NULL, '2026-11-02 02:00:00+00', '2026-11-02 02:00:00+00', NULL, NULL, 0, NULL, false, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8015-000000000027', '00000000-0000-7001-8014-000000000000', 'deal.created', '{"id": "x"}', 'pending', 1, '2026-11-02 03:00:00+00', NULL, NULL, NULL, NULL, '2026-11-02 03:00:00+00', NULL, NULL, NULL, 0, NULL, false, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8015-000000000028', '00000000-0000-7001-8014-000000000000', 'deal.created', '{"id": "x"}', 'succeeded', 0, NULL, NULL, NULL, NULL, NULL, '2026-11-02 04:00:00+00', '2026-11-02 04:00:00+00', NULL, NULL, 0, NULL, false, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8015-000000000029', '00000000-0000-7001-8014-000000000000', 'deal.created', '{"id": "x"}', 'pending', 1, '2026-11-02 05:00:00+00', NULL, NULL, NULL, NULL, '2026-11-02 05:00:00+00', NULL, NULL, NULL, 0, NULL, false, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8015-000000000030', '00000000-0000-7001-8014-000000000000', 'deal.created', '{"id": "x"}', 'succeeded', 0, NULL, NULL, NULL, NULL, NULL, '2026-11-02 06:00:00+00', '2026-11-02 06:00:00+00', NULL, NULL, 0, NULL, false, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8015-000000000031', '00000000-0000-7001-8014-000000000000', 'deal.created', '{"id": "x"}', 'pending', 1, '2026-11-02 07:00:00+00', NULL, NULL, NULL, NULL, '2026-11-02 07:00:00+00', NULL, NULL, NULL, 0, NULL, false, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8015-000000000032', '00000000-0000-7001-8014-000000000000', 'deal.created', '{"id": "x"}', 'succeeded', 0, NULL, NULL, NULL, NULL, NULL, '2026-11-02 08:00:00+00', '2026-11-02 08:00:00+00', NULL, NULL, 0, NULL, false, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8015-000000000033', '00000000-0000-7001-8014-000000000000', 'deal.created', '{"id": "x"}', 'pending', 1, '2026-11-02 09:00:00+00', NULL, NULL, NULL, NULL, '2026-11-02 09:00:00+00', NULL, NULL, NULL, 0, NULL, false, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8015-000000000034', '00000000-0000-7001-8014-000000000000', 'deal.created', '{"id": "x"}', 'succeeded', 0, NULL, NULL, NULL, NULL, NULL, '2026-11-02 10:00:00+00', '2026-11-02 10:00:00+00', NULL, NULL, 0, NULL, false, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8015-000000000035', '00000000-0000-7001-8014-000000000000', 'deal.created', '{"id": "x"}', 'pending', 1, '2026-11-02 11:00:00+00', NULL, NULL, NULL, NULL, '2026-11-02 11:00:00+00', NULL, NULL, NULL, 0, NULL, false, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8015-000000000036', '00000000-0000-7001-8014-000000000000', 'deal.created', '{"id": "x"}', 'succeeded', 0, NULL, NULL, NULL, NULL, NULL, '2026-11-02 12:00:00+00', '2026-11-02 12:00:00+00', NULL, NULL, 0, NULL, false, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8015-000000000037', '00000000-0000-7001-8014-000000000000', 'deal.created', '{"id": "x"}', 'pending', 1, '2026-11-02 13:00:00+00', NULL, NULL, NULL, NULL, '2026-11-02 13:00:00+00', NULL, NULL, NULL, 0, NULL, false, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8015-000000000038', '00000000-0000-7001-8014-000000000000', 'deal.created', '{"id": "x"}', 'succeeded', 0, NULL, NULL, NULL, NULL, NULL, '2026-11-02 14:00:00+00', '2026-11-02 14:00:00+00', NULL, NULL, 0, NULL, false, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8015-000000000039', '00000000-0000-7001-8014-000000000000', 'deal.created', '{"id": "x"}', 'pending', 1, '2026-11-02 15:00:00+00', NULL, NULL, NULL, NULL, '2026-11-02 15:00:00+00', NULL, NULL, NULL, 0, NULL, false, NULL),
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8015-000000000040', '00000000-0000-7001-8014-000000000000', 'deal.created', '{"id": "x"}', 'succeeded', 0, NULL, NULL, NULL, NULL, NULL, '2026-11-02 16:00:00+00', '2026-11-02 16:00:00+00', NULL, NULL, 0, NULL, false, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8015-000000000001', '00000000-0000-7002-8014-000000000000', 'deal.created', '{"id": "x"}', 'pending', 1, '2026-11-01 01:00:00+00', NULL, NULL, NULL, NULL, '2026-11-01 01:00:00+00', NULL, NULL, NULL, 0, NULL, false, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8015-000000000002', '00000000-0000-7002-8014-000000000000', 'deal.created', '{"id": "x"}', 'succeeded', 0, NULL, NULL, NULL, NULL, NULL, '2026-11-01 02:00:00+00', '2026-11-01 02:00:00+00', NULL, NULL, 0, NULL, false, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8015-000000000003', '00000000-0000-7002-8014-000000000000', 'deal.created', '{"id": "x"}', 'pending', 1, '2026-11-01 03:00:00+00', NULL, NULL, NULL, NULL, '2026-11-01 03:00:00+00', NULL, NULL, NULL, 0, NULL, false, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8015-000000000004', '00000000-0000-7002-8014-000000000000', 'deal.created', '{"id": "x"}', 'succeeded', 0, NULL, NULL, NULL, NULL, NULL, '2026-11-01 04:00:00+00', '2026-11-01 04:00:00+00', NULL, NULL, 0, NULL, false, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8015-000000000005', '00000000-0000-7002-8014-000000000000', 'deal.created', '{"id": "x"}', 'pending', 1, '2026-11-01 05:00:00+00', NULL, NULL, NULL, NULL, '2026-11-01 05:00:00+00', NULL, NULL, NULL, 0, NULL, false, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8015-000000000006', '00000000-0000-7002-8014-000000000000', 'deal.created', '{"id": "x"}', 'succeeded', 0, NULL, NULL, NULL, NULL, NULL, '2026-11-01 06:00:00+00', '2026-11-01 06:00:00+00', NULL, NULL, 0, NULL, false, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8015-000000000007', '00000000-0000-7002-8014-000000000000', 'deal.created', '{"id": "x"}', 'pending', 1, '2026-11-01 07:00:00+00', NULL, NULL, NULL, NULL, '2026-11-01 07:00:00+00', NULL, NULL, NULL, 0, NULL, false, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8015-000000000008', '00000000-0000-7002-8014-000000000000', 'deal.created', '{"id": "x"}', 'succeeded', 0, NULL, NULL, NULL, NULL, NULL, '2026-11-01 08:00:00+00', '2026-11-01 08:00:00+00', NULL, NULL, 0, NULL, false, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8015-000000000009', '00000000-0000-7002-8014-000000000000', 'deal.created', '{"id": "x"}', 'pending', 1, '2026-11-01 09:00:00+00', NULL, NULL, NULL, NULL, '2026-11-01 09:00:00+00', NULL, NULL, NULL, 0, NULL, false, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8015-000000000010', '00000000-0000-7002-8014-000000000000', 'deal.created', '{"id": "x"}', 'succeeded', 0, NULL, NULL, NULL, NULL, NULL, '2026-11-01 10:00:00+00', '2026-11-01 10:00:00+00', NULL, NULL, 0, NULL, false, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8015-000000000011', '00000000-0000-7002-8014-000000000000', 'deal.created', '{"id": "x"}', 'pending', 1, '2026-11-01 11:00:00+00', NULL, NULL, NULL, NULL, '2026-11-01 11:00:00+00', NULL, NULL, NULL, 0, NULL, false, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8015-000000000012', '00000000-0000-7002-8014-000000000000', 'deal.created', '{"id": "x"}', 'succeeded', 0, NULL, NULL, NULL, NULL, NULL, '2026-11-01 12:00:00+00', '2026-11-01 12:00:00+00', NULL, NULL, 0, NULL, false, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8015-000000000013', '00000000-0000-7002-8014-000000000000', 'deal.created', '{"id": "x"}', 'pending', 1, '2026-11-01 13:00:00+00', NULL, NULL, NULL, NULL, '2026-11-01 13:00:00+00', NULL, NULL, NULL, 0, NULL, false, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8015-000000000014', '00000000-0000-7002-8014-000000000000', 'deal.created', '{"id": "x"}', 'succeeded', 0, NULL, NULL, NULL, NULL, NULL, '2026-11-01 14:00:00+00', '2026-11-01 14:00:00+00', NULL, NULL, 0, NULL, false, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8015-000000000015', '00000000-0000-7002-8014-000000000000', 'deal.created', '{"id": "x"}', 'pending', 1, '2026-11-01 15:00:00+00', NULL, NULL, NULL, NULL, '2026-11-01 15:00:00+00', NULL, NULL, NULL, 0, NULL, false, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8015-000000000016', '00000000-0000-7002-8014-000000000000', 'deal.created', '{"id": "x"}', 'succeeded', 0, NULL, NULL, NULL, NULL, NULL, '2026-11-01 16:00:00+00', '2026-11-01 16:00:00+00', NULL, NULL, 0, NULL, false, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8015-000000000017', '00000000-0000-7002-8014-000000000000', 'deal.created', '{"id": "x"}', 'pending', 1, '2026-11-01 17:00:00+00', NULL, NULL, NULL, NULL, '2026-11-01 17:00:00+00', NULL, NULL, NULL, 0, NULL, false, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8015-000000000018', '00000000-0000-7002-8014-000000000000', 'deal.created', '{"id": "x"}', 'succeeded', 0, NULL, NULL, NULL, NULL, NULL, '2026-11-01 18:00:00+00', '2026-11-01 18:00:00+00', NULL, NULL, 0, NULL, false, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8015-000000000019', '00000000-0000-7002-8014-000000000000', 'deal.created', '{"id": "x"}', 'pending', 1, '2026-11-01 19:00:00+00', NULL, NULL, NULL, NULL, '2026-11-01 19:00:00+00', NULL, NULL, NULL, 0, NULL, false, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8015-000000000020', '00000000-0000-7002-8014-000000000000', 'deal.created', '{"id": "x"}', 'succeeded', 0, NULL, NULL, NULL, NULL, NULL, '2026-11-01 20:00:00+00', '2026-11-01 20:00:00+00', NULL, NULL, 0, NULL, false, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8015-000000000021', '00000000-0000-7002-8014-000000000000', 'deal.created', '{"id": "x"}', 'pending', 1, '2026-11-01 21:00:00+00', NULL, NULL, NULL, NULL, '2026-11-01 21:00:00+00', NULL, NULL, NULL, 0, NULL, false, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8015-000000000022', '00000000-0000-7002-8014-000000000000', 'deal.created', '{"id": "x"}', 'succeeded', 0, NULL, NULL, NULL, NULL, NULL, '2026-11-01 22:00:00+00', '2026-11-01 22:00:00+00', NULL, NULL, 0, NULL, false, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8015-000000000023', '00000000-0000-7002-8014-000000000000', 'deal.created', '{"id": "x"}', 'pending', 1, '2026-11-01 23:00:00+00', NULL, NULL, NULL, NULL, '2026-11-01 23:00:00+00', NULL, NULL, NULL, 0, NULL, false, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8015-000000000024', '00000000-0000-7002-8014-000000000000', 'deal.created', '{"id": "x"}', 'succeeded', 0, NULL, NULL, NULL, NULL, NULL, '2026-11-02 00:00:00+00', '2026-11-02 00:00:00+00', NULL, NULL, 0, NULL, false, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8015-000000000025', '00000000-0000-7002-8014-000000000000', 'deal.created', '{"id": "x"}', 'pending', 1, '2026-11-02 01:00:00+00', NULL, NULL, NULL, NULL, '2026-11-02 01:00:00+00', NULL, NULL, NULL, 0, NULL, false, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8015-000000000026', '00000000-0000-7002-8014-000000000000', 'deal.created', '{"id": "x"}', 'succeeded', 0, NULL, NULL, NULL, NULL, NULL, '2026-11-02 02:00:00+00', '2026-11-02 02:00:00+00', NULL, NULL, 0, NULL, false, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8015-000000000027', '00000000-0000-7002-8014-000000000000', 'deal.created', '{"id": "x"}', 'pending', 1, '2026-11-02 03:00:00+00', NULL, NULL, NULL, NULL, '2026-11-02 03:00:00+00', NULL, NULL, NULL, 0, NULL, false, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8015-000000000028', '00000000-0000-7002-8014-000000000000', 'deal.created', '{"id": "x"}', 'succeeded', 0, NULL, NULL, NULL, NULL, NULL, '2026-11-02 04:00:00+00', '2026-11-02 04:00:00+00', NULL, NULL, 0, NULL, false, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8015-000000000029', '00000000-0000-7002-8014-000000000000', 'deal.created', '{"id": "x"}', 'pending', 1, '2026-11-02 05:00:00+00', NULL, NULL, NULL, NULL, '2026-11-02 05:00:00+00', NULL, NULL, NULL, 0, NULL, false, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8015-000000000030', '00000000-0000-7002-8014-000000000000', 'deal.created', '{"id": "x"}', 'succeeded', 0, NULL, NULL, NULL, NULL, NULL, '2026-11-02 06:00:00+00', '2026-11-02 06:00:00+00', NULL, NULL, 0, NULL, false, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8015-000000000031', '00000000-0000-7002-8014-000000000000', 'deal.created', '{"id": "x"}', 'pending', 1, '2026-11-02 07:00:00+00', NULL, NULL, NULL, NULL, '2026-11-02 07:00:00+00', NULL, NULL, NULL, 0, NULL, false, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8015-000000000032', '00000000-0000-7002-8014-000000000000', 'deal.created', '{"id": "x"}', 'succeeded', 0, NULL, NULL, NULL, NULL, NULL, '2026-11-02 08:00:00+00', '2026-11-02 08:00:00+00', NULL, NULL, 0, NULL, false, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8015-000000000033', '00000000-0000-7002-8014-000000000000', 'deal.created', '{"id": "x"}', 'pending', 1, '2026-11-02 09:00:00+00', NULL, NULL, NULL, NULL, '2026-11-02 09:00:00+00', NULL, NULL, NULL, 0, NULL, false, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8015-000000000034', '00000000-0000-7002-8014-000000000000', 'deal.created', '{"id": "x"}', 'succeeded', 0, NULL, NULL, NULL, NULL, NULL, '2026-11-02 10:00:00+00', '2026-11-02 10:00:00+00', NULL, NULL, 0, NULL, false, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8015-000000000035', '00000000-0000-7002-8014-000000000000', 'deal.created', '{"id": "x"}', 'pending', 1, '2026-11-02 11:00:00+00', NULL, NULL, NULL, NULL, '2026-11-02 11:00:00+00', NULL, NULL, NULL, 0, NULL, false, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8015-000000000036', '00000000-0000-7002-8014-000000000000', 'deal.created', '{"id": "x"}', 'succeeded', 0, NULL, NULL, NULL, NULL, NULL, '2026-11-02 12:00:00+00', '2026-11-02 12:00:00+00', NULL, NULL, 0, NULL, false, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8015-000000000037', '00000000-0000-7002-8014-000000000000', 'deal.created', '{"id": "x"}', 'pending', 1, '2026-11-02 13:00:00+00', NULL, NULL, NULL, NULL, '2026-11-02 13:00:00+00', NULL, NULL, NULL, 0, NULL, false, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8015-000000000038', '00000000-0000-7002-8014-000000000000', 'deal.created', '{"id": "x"}', 'succeeded', 0, NULL, NULL, NULL, NULL, NULL, '2026-11-02 14:00:00+00', '2026-11-02 14:00:00+00', NULL, NULL, 0, NULL, false, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8015-000000000039', '00000000-0000-7002-8014-000000000000', 'deal.created', '{"id": "x"}', 'pending', 1, '2026-11-02 15:00:00+00', NULL, NULL, NULL, NULL, '2026-11-02 15:00:00+00', NULL, NULL, NULL, 0, NULL, false, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8015-000000000040', '00000000-0000-7002-8014-000000000000', 'deal.created', '{"id": "x"}', 'succeeded', 0, NULL, NULL, NULL, NULL, NULL, '2026-11-02 16:00:00+00', '2026-11-02 16:00:00+00', NULL, NULL, 0, NULL, false, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8015-000000000001', '00000000-0000-7003-8014-000000000000', 'deal.created', '{"id": "x"}', 'pending', 1, '2026-11-01 01:00:00+00', NULL, NULL, NULL, NULL, '2026-11-01 01:00:00+00', NULL, NULL, NULL, 0, NULL, false, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8015-000000000002', '00000000-0000-7003-8014-000000000000', 'deal.created', '{"id": "x"}', 'succeeded', 0, NULL, NULL, NULL, NULL, NULL, '2026-11-01 02:00:00+00', '2026-11-01 02:00:00+00', NULL, NULL, 0, NULL, false, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8015-000000000003', '00000000-0000-7003-8014-000000000000', 'deal.created', '{"id": "x"}', 'pending', 1, '2026-11-01 03:00:00+00', NULL, NULL, NULL, NULL, '2026-11-01 03:00:00+00', NULL, NULL, NULL, 0, NULL, false, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8015-000000000004', '00000000-0000-7003-8014-000000000000', 'deal.created', '{"id": "x"}', 'succeeded', 0, NULL, NULL, NULL, NULL, NULL, '2026-11-01 04:00:00+00', '2026-11-01 04:00:00+00', NULL, NULL, 0, NULL, false, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8015-000000000005', '00000000-0000-7003-8014-000000000000', 'deal.created', '{"id": "x"}', 'pending', 1, '2026-11-01 05:00:00+00', NULL, NULL, NULL, NULL, '2026-11-01 05:00:00+00', NULL, NULL, NULL, 0, NULL, false, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8015-000000000006', '00000000-0000-7003-8014-000000000000', 'deal.created', '{"id": "x"}', 'succeeded', 0, NULL, NULL, NULL, NULL, NULL, '2026-11-01 06:00:00+00', '2026-11-01 06:00:00+00', NULL, NULL, 0, NULL, false, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8015-000000000007', '00000000-0000-7003-8014-000000000000', 'deal.created', '{"id": "x"}', 'pending', 1, '2026-11-01 07:00:00+00', NULL, NULL, NULL, NULL, '2026-11-01 07:00:00+00', NULL, NULL, NULL, 0, NULL, false, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8015-000000000008', '00000000-0000-7003-8014-000000000000', 'deal.created', '{"id": "x"}', 'succeeded', 0, NULL, NULL, NULL, NULL, NULL, '2026-11-01 08:00:00+00', '2026-11-01 08:00:00+00', NULL, NULL, 0, NULL, false, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8015-000000000009', '00000000-0000-7003-8014-000000000000', 'deal.created', '{"id": "x"}', 'pending', 1, '2026-11-01 09:00:00+00', NULL, NULL, NULL, NULL, '2026-11-01 09:00:00+00', NULL, NULL, NULL, 0, NULL, false, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8015-000000000010', '00000000-0000-7003-8014-000000000000', 'deal.created', '{"id": "x"}', 'succeeded', 0, NULL, NULL, NULL, NULL, NULL, '2026-11-01 10:00:00+00', '2026-11-01 10:00:00+00', NULL, NULL, 0, NULL, false, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8015-000000000011', '00000000-0000-7003-8014-000000000000', 'deal.created', '{"id": "x"}', 'pending', 1, '2026-11-01 11:00:00+00', NULL, NULL, NULL, NULL, '2026-11-01 11:00:00+00', NULL, NULL, NULL, 0, NULL, false, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8015-000000000012', '00000000-0000-7003-8014-000000000000', 'deal.created', '{"id": "x"}', 'succeeded', 0, NULL, NULL, NULL, NULL, NULL, '2026-11-01 12:00:00+00', '2026-11-01 12:00:00+00', NULL, NULL, 0, NULL, false, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8015-000000000013', '00000000-0000-7003-8014-000000000000', 'deal.created', '{"id": "x"}', 'pending', 1, '2026-11-01 13:00:00+00', NULL, NULL, NULL, NULL, '2026-11-01 13:00:00+00', NULL, NULL, NULL, 0, NULL, false, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8015-000000000014', '00000000-0000-7003-8014-000000000000', 'deal.created', '{"id": "x"}', 'succeeded', 0, NULL, NULL, NULL, NULL, NULL, '2026-11-01 14:00:00+00', '2026-11-01 14:00:00+00', NULL, NULL, 0, NULL, false, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8015-000000000015', '00000000-0000-7003-8014-000000000000', 'deal.created', '{"id": "x"}', 'pending', 1, '2026-11-01 15:00:00+00', NULL, NULL, NULL, NULL, '2026-11-01 15:00:00+00', NULL, NULL, NULL, 0, NULL, false, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8015-000000000016', '00000000-0000-7003-8014-000000000000', 'deal.created', '{"id": "x"}', 'succeeded', 0, NULL, NULL, NULL, NULL, NULL, '2026-11-01 16:00:00+00', '2026-11-01 16:00:00+00', NULL, NULL, 0, NULL, false, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8015-000000000017', '00000000-0000-7003-8014-000000000000', 'deal.created', '{"id": "x"}', 'pending', 1, '2026-11-01 17:00:00+00', NULL, NULL, NULL, NULL, '2026-11-01 17:00:00+00', NULL, NULL, NULL, 0, NULL, false, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8015-000000000018', '00000000-0000-7003-8014-000000000000', 'deal.created', '{"id": "x"}', 'succeeded', 0, NULL, NULL, NULL, NULL, NULL, '2026-11-01 18:00:00+00', '2026-11-01 18:00:00+00', NULL, NULL, 0, NULL, false, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8015-000000000019', '00000000-0000-7003-8014-000000000000', 'deal.created', '{"id": "x"}', 'pending', 1, '2026-11-01 19:00:00+00', NULL, NULL, NULL, NULL, '2026-11-01 19:00:00+00', NULL, NULL, NULL, 0, NULL, false, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8015-000000000020', '00000000-0000-7003-8014-000000000000', 'deal.created', '{"id": "x"}', 'succeeded', 0, NULL, NULL, NULL, NULL, NULL, '2026-11-01 20:00:00+00', '2026-11-01 20:00:00+00', NULL, NULL, 0, NULL, false, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8015-000000000021', '00000000-0000-7003-8014-000000000000', 'deal.created', '{"id": "x"}', 'pending', 1, '2026-11-01 21:00:00+00', NULL, NULL, NULL, NULL, '2026-11-01 21:00:00+00', NULL, NULL, NULL, 0, NULL, false, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8015-000000000022', '00000000-0000-7003-8014-000000000000', 'deal.created', '{"id": "x"}', 'succeeded', 0, NULL, NULL, NULL, NULL, NULL, '2026-11-01 22:00:00+00', '2026-11-01 22:00:00+00', NULL, NULL, 0, NULL, false, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8015-000000000023', '00000000-0000-7003-8014-000000000000', 'deal.created', '{"id": "x"}', 'pending', 1, '2026-11-01 23:00:00+00', NULL, NULL, NULL, NULL, '2026-11-01 23:00:00+00', NULL, NULL, NULL, 0, NULL, false, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8015-000000000024', '00000000-0000-7003-8014-000000000000', 'deal.created', '{"id": "x"}', 'succeeded', 0, NULL, NULL, NULL, NULL, NULL, '2026-11-02 00:00:00+00', '2026-11-02 00:00:00+00', NULL, NULL, 0, NULL, false, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8015-000000000025', '00000000-0000-7003-8014-000000000000', 'deal.created', '{"id": "x"}', 'pending', 1, '2026-11-02 01:00:00+00', NULL, NULL, NULL, NULL, '2026-11-02 01:00:00+00', NULL, NULL, NULL, 0, NULL, false, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8015-000000000026', '00000000-0000-7003-8014-000000000000', 'deal.created', '{"id": "x"}', 'succeeded', 0, NULL, NULL, NULL, NULL, NULL, '2026-11-02 02:00:00+00', '2026-11-02 02:00:00+00', NULL, NULL, 0, NULL, false, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8015-000000000027', '00000000-0000-7003-8014-000000000000', 'deal.created', '{"id": "x"}', 'pending', 1, '2026-11-02 03:00:00+00', NULL, NULL, NULL, NULL, '2026-11-02 03:00:00+00', NULL, NULL, NULL, 0, NULL, false, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8015-000000000028', '00000000-0000-7003-8014-000000000000', 'deal.created', '{"id": "x"}', 'succeeded', 0, NULL, NULL, NULL, NULL, NULL, '2026-11-02 04:00:00+00', '2026-11-02 04:00:00+00', NULL, NULL, 0, NULL, false, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8015-000000000029', '00000000-0000-7003-8014-000000000000', 'deal.created', '{"id": "x"}', 'pending', 1, '2026-11-02 05:00:00+00', NULL, NULL, NULL, NULL, '2026-11-02 05:00:00+00', NULL, NULL, NULL, 0, NULL, false, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8015-000000000030', '00000000-0000-7003-8014-000000000000', 'deal.created', '{"id": "x"}', 'succeeded', 0, NULL, NULL, NULL, NULL, NULL, '2026-11-02 06:00:00+00', '2026-11-02 06:00:00+00', NULL, NULL, 0, NULL, false, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8015-000000000031', '00000000-0000-7003-8014-000000000000', 'deal.created', '{"id": "x"}', 'pending', 1, '2026-11-02 07:00:00+00', NULL, NULL, NULL, NULL, '2026-11-02 07:00:00+00', NULL, NULL, NULL, 0, NULL, false, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8015-000000000032', '00000000-0000-7003-8014-000000000000', 'deal.created', '{"id": "x"}', 'succeeded', 0, NULL, NULL, NULL, NULL, NULL, '2026-11-02 08:00:00+00', '2026-11-02 08:00:00+00', NULL, NULL, 0, NULL, false, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8015-000000000033', '00000000-0000-7003-8014-000000000000', 'deal.created', '{"id": "x"}', 'pending', 1, '2026-11-02 09:00:00+00', NULL, NULL, NULL, NULL, '2026-11-02 09:00:00+00', NULL, NULL, NULL, 0, NULL, false, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8015-000000000034', '00000000-0000-7003-8014-000000000000', 'deal.created', '{"id": "x"}', 'succeeded', 0, NULL, NULL, NULL, NULL, NULL, '2026-11-02 10:00:00+00', '2026-11-02 10:00:00+00', NULL, NULL, 0, NULL, false, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8015-000000000035', '00000000-0000-7003-8014-000000000000', 'deal.created', '{"id": "x"}', 'pending', 1, '2026-11-02 11:00:00+00', NULL, NULL, NULL, NULL, '2026-11-02 11:00:00+00', NULL, NULL, NULL, 0, NULL, false, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8015-000000000036', '00000000-0000-7003-8014-000000000000', 'deal.created', '{"id": "x"}', 'succeeded', 0, NULL, NULL, NULL, NULL, NULL, '2026-11-02 12:00:00+00', '2026-11-02 12:00:00+00', NULL, NULL, 0, NULL, false, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8015-000000000037', '00000000-0000-7003-8014-000000000000', 'deal.created', '{"id": "x"}', 'pending', 1, '2026-11-02 13:00:00+00', NULL, NULL, NULL, NULL, '2026-11-02 13:00:00+00', NULL, NULL, NULL, 0, NULL, false, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8015-000000000038', '00000000-0000-7003-8014-000000000000', 'deal.created', '{"id": "x"}', 'succeeded', 0, NULL, NULL, NULL, NULL, NULL, '2026-11-02 14:00:00+00', '2026-11-02 14:00:00+00', NULL, NULL, 0, NULL, false, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8015-000000000039', '00000000-0000-7003-8014-000000000000', 'deal.created', '{"id": "x"}', 'pending', 1, '2026-11-02 15:00:00+00', NULL, NULL, NULL, NULL, '2026-11-02 15:00:00+00', NULL, NULL, NULL, 0, NULL, false, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8015-000000000040', '00000000-0000-7003-8014-000000000000', 'deal.created', '{"id": "x"}', 'succeeded', 0, NULL, NULL, NULL, NULL, NULL, '2026-11-02 16:00:00+00', '2026-11-02 16:00:00+00', NULL, NULL, 0, NULL, false, NULL);
INSERT INTO public.webhook_subscriptions VALUES
	('00000000-0000-7001-8000-000000000000', '00000000-0000-7001-8014-000000000000', 'crm', 'https://hooks.example/in', NULL, '{*}', NULL, true, NULL, 'k', '\x00', NULL, NULL, NULL, NULL, 1, '2026-11-01 00:00:00+00', '2026-11-01 00:00:00+00', 'user', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
	('00000000-0000-7002-8000-000000000000', '00000000-0000-7002-8014-000000000000', 'crm', 'https://hooks.example/in', NULL, '{*}', NULL, true, NULL, 'k', '\x00', NULL, NULL, NULL, NULL, 1, '2026-11-01 00:00:00+00', '2026-11-01 00:00:00+00', 'user', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
	('00000000-0000-7003-8000-000000000000', '00000000-0000-7003-8014-000000000000', 'crm', 'https://hooks.example/in', NULL, '{*}', NULL, true, NULL, 'k', '\x00', NULL, NULL, NULL, NULL, 1, '2026-11-01 00:00:00+00', '2026-11-01 00:00:00+00', 'user', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.workspaces VALUES
	('00000000-0000-7001-8000-000000000000', 'w1', 'Workspace 1', 'professional', 'active', 'EUR', '2026-11-01 00:00:00+00', 1, '2026-11-01 00:00:00+00', false, '{}', NULL, NULL, NULL, NULL, NULL, 'english', '{}', false, NULL, NULL, '''AAAAAAAAAAAAAAAAAAAAAA1'' ''AAAAAAAAAAAAAAAAAAAAAAw1'' ''AAAAAAAAAAAAAAAAAAAAAAworkspace''', NULL, false, true),
	('00000000-0000-7002-8000-000000000000', 'w2', 'Workspace 2', 'professional', 'active', 'EUR', '2026-11-01 00:00:00+00', 1, '2026-11-01 00:00:00+00', false, '{}', NULL, NULL, NULL, NULL, NULL, 'english', '{}', false, NULL, NULL, '''AAAAAAAAAAAAAAAAAAAAAA2'' ''AAAAAAAAAAAAAAAAAAAAAAw2'' ''AAAAAAAAAAAAAAAAAAAAAAworkspace''', NULL, false, true),
	('00000000-0000-7003-8000-000000000000', 'w3', 'Workspace 3', 'professional', 'active', 'EUR', '2026-11-01 00:00:00+00', 1, '2026-11-01 00:00:00+00', false, '{}', NULL, NULL, NULL, NULL, NULL, 'english', '{}', false, NULL, NULL, '''AAAAAAAAAAAAAAAAAAAAAA3'' ''AAAAAAAAAAAAAAAAAAAAAAw3'' ''AAAAAAAAAAAAAAAAAAAAAAworkspace''', NULL, false, true);
SELECT pg_catalog.setval('public.credential_changes_id_seq', 1, false);
SELECT pg_catalog.setval('public.crm_quota_blocks_id_seq', 1, false);
SELECT pg_catalog.setval('public.deal_total_changes_id_seq', 1, false);
SELECT pg_catalog.setval('public.idempotency_bytes_id_seq', 1, false);
ALTER TABLE ONLY public.__diesel_schema_migrations ADD CONSTRAINT __diesel_schema_migrations_pkey PRIMARY KEY (version);
ALTER TABLE ONLY public.api_keys ADD CONSTRAINT api_keys_pkey PRIMARY KEY (workspace_id, id);
ALTER TABLE ONLY public.audit_log_default ADD CONSTRAINT audit_log_default_pkey PRIMARY KEY (workspace_id, id);
ALTER TABLE ONLY public.audit_log_first ADD CONSTRAINT audit_log_first_pkey PRIMARY KEY (workspace_id, id);
ALTER TABLE ONLY public.comments ADD CONSTRAINT comments_pkey PRIMARY KEY (workspace_id, id);
ALTER TABLE ONLY public.companies ADD CONSTRAINT companies_pkey PRIMARY KEY (workspace_id, id);
ALTER TABLE ONLY public.contacts ADD CONSTRAINT contacts_pkey PRIMARY KEY (workspace_id, id);
ALTER TABLE ONLY public.credential_changes ADD CONSTRAINT credential_changes_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.crm_quota_blocks ADD CONSTRAINT crm_quota_blocks_pkey PRIMARY KEY (workspace_id, month, id);
ALTER TABLE ONLY public.crm_quota ADD CONSTRAINT crm_quota_pkey PRIMARY KEY (workspace_id, month);
ALTER TABLE ONLY public.cycle_history ADD CONSTRAINT cycle_history_pkey PRIMARY KEY (workspace_id, cycle_id, issue_id, day);
ALTER TABLE ONLY public.cycles ADD CONSTRAINT cycles_number_key UNIQUE (workspace_id, project_id, number);
ALTER TABLE ONLY public.cycles ADD CONSTRAINT cycles_pkey PRIMARY KEY (workspace_id, id);
ALTER TABLE ONLY public.cycles ADD CONSTRAINT cycles_project_id_key UNIQUE (workspace_id, project_id, id);
ALTER TABLE ONLY public.deal_total_changes ADD CONSTRAINT deal_total_changes_pkey PRIMARY KEY (workspace_id, id);
ALTER TABLE ONLY public.deal_totals ADD CONSTRAINT deal_totals_pkey PRIMARY KEY (workspace_id, stage, status, currency);
ALTER TABLE ONLY public.deals ADD CONSTRAINT deals_pkey PRIMARY KEY (workspace_id, id);
ALTER TABLE ONLY public.demo_workspaces ADD CONSTRAINT demo_workspaces_pkey PRIMARY KEY (workspace_id);
ALTER TABLE ONLY public.drafts ADD CONSTRAINT drafts_pkey PRIMARY KEY (workspace_id, user_id, record_id, visibility);
ALTER TABLE ONLY public.event_positions ADD CONSTRAINT event_positions_pkey PRIMARY KEY (workspace_id, "position", event_id);
ALTER TABLE ONLY public.event_positions_2026_11 ADD CONSTRAINT event_positions_2026_11_pkey PRIMARY KEY (workspace_id, "position", event_id);
ALTER TABLE ONLY public.event_positions_2026_12 ADD CONSTRAINT event_positions_2026_12_pkey PRIMARY KEY (workspace_id, "position", event_id);
ALTER TABLE ONLY public.event_positions_2027_01 ADD CONSTRAINT event_positions_2027_01_pkey PRIMARY KEY (workspace_id, "position", event_id);
ALTER TABLE ONLY public.event_positions_2027_02 ADD CONSTRAINT event_positions_2027_02_pkey PRIMARY KEY (workspace_id, "position", event_id);
ALTER TABLE ONLY public.event_positions_default ADD CONSTRAINT event_positions_default_pkey PRIMARY KEY (workspace_id, "position", event_id);
ALTER TABLE ONLY public.event_sequences ADD CONSTRAINT event_sequences_pkey PRIMARY KEY (workspace_id);
ALTER TABLE ONLY public.events ADD CONSTRAINT events_pkey PRIMARY KEY (workspace_id, id);
ALTER TABLE ONLY public.events_2026_11 ADD CONSTRAINT events_2026_11_pkey PRIMARY KEY (workspace_id, id);
ALTER TABLE ONLY public.events_2026_12 ADD CONSTRAINT events_2026_12_pkey PRIMARY KEY (workspace_id, id);
ALTER TABLE ONLY public.events_2027_01 ADD CONSTRAINT events_2027_01_pkey PRIMARY KEY (workspace_id, id);
ALTER TABLE ONLY public.events_2027_02 ADD CONSTRAINT events_2027_02_pkey PRIMARY KEY (workspace_id, id);
ALTER TABLE ONLY public.events_default ADD CONSTRAINT events_default_pkey PRIMARY KEY (workspace_id, id);
ALTER TABLE ONLY public.events_unnumbered ADD CONSTRAINT events_unnumbered_pkey PRIMARY KEY (workspace_id, event_id);
ALTER TABLE ONLY public.idempotency_bytes ADD CONSTRAINT idempotency_bytes_pkey PRIMARY KEY (workspace_id, hour, id);
ALTER TABLE ONLY public.idempotency_keys ADD CONSTRAINT idempotency_keys_pkey PRIMARY KEY (workspace_id, credential_id, route, key);
ALTER TABLE ONLY public.import_refusals ADD CONSTRAINT import_refusals_pkey PRIMARY KEY (workspace_id, digest, row_number);
ALTER TABLE ONLY public.imports ADD CONSTRAINT imports_pkey PRIMARY KEY (workspace_id, digest);
ALTER TABLE ONLY public.invitations ADD CONSTRAINT invitations_pkey PRIMARY KEY (workspace_id, user_id);
ALTER TABLE ONLY public.issue_counters ADD CONSTRAINT issue_counters_pkey PRIMARY KEY (workspace_id, kind);
ALTER TABLE ONLY public.issues ADD CONSTRAINT issues_kind_id_key UNIQUE (workspace_id, kind, id);
ALTER TABLE ONLY public.issues ADD CONSTRAINT issues_number_key UNIQUE (workspace_id, kind, number);
ALTER TABLE ONLY public.issues ADD CONSTRAINT issues_pkey PRIMARY KEY (workspace_id, id);
ALTER TABLE ONLY public.kb_articles ADD CONSTRAINT kb_articles_pkey PRIMARY KEY (workspace_id, id);
ALTER TABLE ONLY public.kb_vain_searches ADD CONSTRAINT kb_vain_searches_pkey PRIMARY KEY (workspace_id, term);
ALTER TABLE ONLY public.last_backup ADD CONSTRAINT last_backup_pkey PRIMARY KEY (is_only);
ALTER TABLE ONLY public.link_requests ADD CONSTRAINT link_requests_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.mail_hours ADD CONSTRAINT mail_hours_pkey PRIMARY KEY (workspace_id, hour);
ALTER TABLE ONLY public.mail_parts ADD CONSTRAINT mail_parts_pkey PRIMARY KEY (workspace_id, mail_id, id);
ALTER TABLE ONLY public.mail_recipients ADD CONSTRAINT mail_recipients_pkey PRIMARY KEY (recipient, purpose, since);
ALTER TABLE ONLY public.mails ADD CONSTRAINT mails_pkey PRIMARY KEY (workspace_id, id);
ALTER TABLE ONLY public.members ADD CONSTRAINT members_pkey PRIMARY KEY (workspace_id, user_id);
ALTER TABLE ONLY public.password_resets ADD CONSTRAINT password_resets_pkey PRIMARY KEY (user_id);
ALTER TABLE ONLY public.person_erasure_records ADD CONSTRAINT person_erasure_records_pkey PRIMARY KEY (workspace_id, erasure_id, record_id);
ALTER TABLE ONLY public.person_erasures ADD CONSTRAINT person_erasures_pkey PRIMARY KEY (workspace_id, id);
ALTER TABLE ONLY public.portal_sessions ADD CONSTRAINT portal_sessions_pkey PRIMARY KEY (workspace_id, id);
ALTER TABLE ONLY public.presences ADD CONSTRAINT presences_pkey PRIMARY KEY (workspace_id, record_id, user_id);
ALTER TABLE ONLY public.projects ADD CONSTRAINT projects_pkey PRIMARY KEY (workspace_id, id);
ALTER TABLE ONLY public.record_comments ADD CONSTRAINT record_comments_pkey PRIMARY KEY (workspace_id, id);
ALTER TABLE ONLY public.request_counts ADD CONSTRAINT request_counts_pkey PRIMARY KEY (workspace_id, day);
ALTER TABLE ONLY public.saved_views ADD CONSTRAINT saved_views_pkey PRIMARY KEY (workspace_id, id);
ALTER TABLE ONLY public.second_factors ADD CONSTRAINT second_factors_pkey PRIMARY KEY (user_id);
ALTER TABLE ONLY public.sessions ADD CONSTRAINT sessions_pkey PRIMARY KEY (workspace_id, id);
ALTER TABLE ONLY public.set_up_codes ADD CONSTRAINT set_up_codes_pkey PRIMARY KEY (instance);
ALTER TABLE ONLY public.sign_in_challenges ADD CONSTRAINT sign_in_challenges_pkey PRIMARY KEY (workspace_id, lookup_id);
ALTER TABLE ONLY public.sign_in_links ADD CONSTRAINT sign_in_links_pkey PRIMARY KEY (workspace_id, user_id);
ALTER TABLE ONLY public.sign_ins ADD CONSTRAINT sign_ins_pkey PRIMARY KEY (user_id, network, device);
ALTER TABLE ONLY public.tracking_links ADD CONSTRAINT tracking_links_pkey PRIMARY KEY (workspace_id, lookup_id);
ALTER TABLE ONLY public.users ADD CONSTRAINT users_email_key UNIQUE (email_key);
ALTER TABLE ONLY public.users ADD CONSTRAINT users_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.webhook_attempts ADD CONSTRAINT webhook_attempts_pkey PRIMARY KEY (workspace_id, delivery_id, number);
ALTER TABLE ONLY public.webhook_backlog ADD CONSTRAINT webhook_backlog_pkey PRIMARY KEY (workspace_id, event_id);
ALTER TABLE public.webhook_deliveries ADD CONSTRAINT webhook_deliveries_attempts_before_check CHECK (((attempts_before >= 0) AND (attempts_before <= attempts))) NOT VALID;
ALTER TABLE public.webhook_deliveries ADD CONSTRAINT webhook_deliveries_content_check CHECK ((num_nulls(event_id, body) = 1)) NOT VALID;
ALTER TABLE public.webhook_deliveries ADD CONSTRAINT webhook_deliveries_failed_reason_check CHECK ((failed_reason = ANY (ARRAY['expired'::text, 'content_lost'::text]))) NOT VALID;
ALTER TABLE ONLY public.webhook_deliveries ADD CONSTRAINT webhook_deliveries_pkey PRIMARY KEY (workspace_id, id);
ALTER TABLE ONLY public.webhook_replays ADD CONSTRAINT webhook_replays_pkey PRIMARY KEY (workspace_id, id);
ALTER TABLE ONLY public.webhook_subscriptions ADD CONSTRAINT webhook_subscriptions_pkey PRIMARY KEY (workspace_id, id);
ALTER TABLE ONLY public.workspaces ADD CONSTRAINT workspaces_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.workspaces ADD CONSTRAINT workspaces_slug_key UNIQUE (slug);
CREATE INDEX api_keys_active ON public.api_keys USING btree (workspace_id, expires_at) WHERE (revoked_at IS NULL);
CREATE INDEX api_keys_by_creator ON public.api_keys USING btree (workspace_id, created_by_id, created_at DESC) WHERE (revoked_at IS NULL);
CREATE UNIQUE INDEX api_keys_lookup_id_key ON public.api_keys USING btree (lookup_id);
CREATE INDEX api_keys_newest ON public.api_keys USING btree (workspace_id, created_at DESC, id DESC);
CREATE INDEX api_keys_used_by_tools ON public.api_keys USING btree (workspace_id) WHERE (tools_used_at IS NOT NULL);
CREATE INDEX audit_log_by_action ON ONLY public.audit_log USING btree (workspace_id, action, created_at DESC, id DESC);
CREATE INDEX audit_log_by_actor ON ONLY public.audit_log USING btree (workspace_id, actor_id, created_at DESC, id DESC) WHERE (actor_id IS NOT NULL);
CREATE INDEX audit_log_default_workspace_id_action_created_at_id_idx ON public.audit_log_default USING btree (workspace_id, action, created_at DESC, id DESC);
CREATE INDEX audit_log_default_workspace_id_actor_id_created_at_id_idx ON public.audit_log_default USING btree (workspace_id, actor_id, created_at DESC, id DESC) WHERE (actor_id IS NOT NULL);
CREATE INDEX audit_log_newest ON ONLY public.audit_log USING btree (workspace_id, created_at DESC, id DESC);
CREATE INDEX audit_log_default_workspace_id_created_at_id_idx ON public.audit_log_default USING btree (workspace_id, created_at DESC, id DESC);
CREATE INDEX audit_log_first_by_action ON public.audit_log_first USING btree (workspace_id, action, created_at DESC, id DESC);
CREATE INDEX audit_log_first_by_actor ON public.audit_log_first USING btree (workspace_id, actor_id, created_at DESC, id DESC) WHERE (actor_id IS NOT NULL);
CREATE INDEX audit_log_first_newest ON public.audit_log_first USING btree (workspace_id, created_at DESC, id DESC);
CREATE INDEX comments_oldest ON public.comments USING btree (workspace_id, issue_id, created_at, id);
CREATE INDEX comments_public ON public.comments USING btree (workspace_id, issue_id, created_at DESC, id DESC) WHERE (visibility = 'public'::text);
CREATE INDEX companies_by_change ON public.companies USING btree (workspace_id, updated_at, id) WHERE ((deleted_at IS NULL) AND (updated_at > '-infinity'::timestamp with time zone));
CREATE INDEX companies_deleted ON public.companies USING btree (workspace_id, created_at DESC, id DESC) WHERE ((deleted_at > '-infinity'::timestamp with time zone) AND (erased_at IS NULL));
CREATE UNIQUE INDEX companies_domain_key ON public.companies USING btree (workspace_id, domain) WHERE ((deleted_at IS NULL) AND (domain IS NOT NULL));
CREATE INDEX companies_erasable ON public.companies USING btree (deleted_at) WHERE ((deleted_at IS NOT NULL) AND (erased_at IS NULL));
CREATE INDEX companies_erased ON public.companies USING btree (workspace_id, created_at) WHERE (erased_at IS NOT NULL);
CREATE UNIQUE INDEX companies_external_id_key ON public.companies USING btree (workspace_id, external_id) WHERE ((deleted_at IS NULL) AND (external_id IS NOT NULL));
CREATE INDEX companies_newest ON public.companies USING btree (workspace_id, created_at DESC, id DESC) WHERE (deleted_at IS NULL);
CREATE INDEX companies_search ON public.companies USING gin (search) WITH (fastupdate=off) WHERE (deleted_at IS NULL);
CREATE INDEX contacts_by_change ON public.contacts USING btree (workspace_id, updated_at, id) WHERE ((deleted_at IS NULL) AND (updated_at > '-infinity'::timestamp with time zone));
CREATE INDEX contacts_by_company ON public.contacts USING btree (workspace_id, company_id, created_at DESC, id DESC) WHERE ((deleted_at IS NULL) AND (company_id IS NOT NULL));
CREATE INDEX contacts_by_status ON public.contacts USING btree (workspace_id, status, created_at DESC, id DESC) WHERE (deleted_at IS NULL);
CREATE INDEX contacts_by_type ON public.contacts USING btree (workspace_id, contact_type, created_at DESC, id DESC) WHERE (deleted_at IS NULL);
CREATE INDEX contacts_deleted ON public.contacts USING btree (workspace_id, created_at DESC, id DESC) WHERE ((deleted_at > '-infinity'::timestamp with time zone) AND (erased_at IS NULL));
CREATE INDEX contacts_deleted_by_email ON public.contacts USING btree (workspace_id, email_key) WHERE ((deleted_at IS NOT NULL) AND (erased_at IS NULL) AND (email_key IS NOT NULL));
CREATE UNIQUE INDEX contacts_email_key ON public.contacts USING btree (workspace_id, email_key) WHERE (deleted_at IS NULL);
CREATE INDEX contacts_erasable ON public.contacts USING btree (deleted_at) WHERE ((deleted_at IS NOT NULL) AND (erased_at IS NULL));
CREATE INDEX contacts_erased ON public.contacts USING btree (workspace_id, created_at) WHERE (erased_at IS NOT NULL);
CREATE UNIQUE INDEX contacts_external_id_key ON public.contacts USING btree (workspace_id, external_id) WHERE ((deleted_at IS NULL) AND (external_id IS NOT NULL));
CREATE INDEX contacts_newest ON public.contacts USING btree (workspace_id, created_at DESC, id DESC) WHERE (deleted_at IS NULL);
CREATE INDEX contacts_search ON public.contacts USING gin (search) WITH (fastupdate=off) WHERE (deleted_at IS NULL);
CREATE INDEX contacts_search_stale ON public.contacts USING btree (workspace_id, id) WHERE (search_stale AND (deleted_at IS NULL) AND (tags <> '{}'::text[]));
CREATE INDEX credential_changes_newest ON public.credential_changes USING btree (changed_at);
CREATE INDEX cycles_deleted ON public.cycles USING btree (workspace_id, project_id, created_at DESC, id DESC) WHERE ((deleted_at > '-infinity'::timestamp with time zone) AND (erased_at IS NULL));
CREATE INDEX cycles_erasable ON public.cycles USING btree (deleted_at) WHERE ((deleted_at IS NOT NULL) AND (erased_at IS NULL));
CREATE INDEX cycles_newest ON public.cycles USING btree (workspace_id, project_id, created_at DESC, id DESC) WHERE (deleted_at IS NULL);
CREATE INDEX deals_by_assignee ON public.deals USING btree (workspace_id, assigned_to, created_at DESC, id DESC) WHERE ((deleted_at IS NULL) AND (assigned_to IS NOT NULL));
CREATE INDEX deals_by_change ON public.deals USING btree (workspace_id, updated_at, id) WHERE ((deleted_at IS NULL) AND (updated_at > '-infinity'::timestamp with time zone));
CREATE INDEX deals_by_company ON public.deals USING btree (workspace_id, company_id, created_at DESC, id DESC) WHERE ((deleted_at IS NULL) AND (company_id IS NOT NULL));
CREATE INDEX deals_by_contact ON public.deals USING btree (workspace_id, contact_id, created_at DESC, id DESC) WHERE ((deleted_at IS NULL) AND (contact_id IS NOT NULL));
CREATE INDEX deals_by_currency ON public.deals USING btree (workspace_id, currency, created_at DESC, id DESC) WHERE (deleted_at IS NULL);
CREATE INDEX deals_by_stage ON public.deals USING btree (workspace_id, stage, created_at DESC, id DESC) WHERE (deleted_at IS NULL);
CREATE INDEX deals_by_status ON public.deals USING btree (workspace_id, status, created_at DESC, id DESC) WHERE (deleted_at IS NULL);
CREATE INDEX deals_by_value ON public.deals USING btree (workspace_id, COALESCE(value, ('-1'::integer)::numeric) DESC, id DESC) WHERE (deleted_at IS NULL);
CREATE INDEX deals_closing ON public.deals USING btree (workspace_id, expected_close_date, id) WHERE ((deleted_at IS NULL) AND (status = 'open'::text) AND (expected_close_date IS NOT NULL));
CREATE INDEX deals_deleted ON public.deals USING btree (workspace_id, created_at DESC, id DESC) WHERE ((deleted_at > '-infinity'::timestamp with time zone) AND (erased_at IS NULL));
CREATE INDEX deals_erasable ON public.deals USING btree (deleted_at) WHERE ((deleted_at IS NOT NULL) AND (erased_at IS NULL));
CREATE INDEX deals_erased ON public.deals USING btree (workspace_id, created_at) WHERE (erased_at IS NOT NULL);
CREATE UNIQUE INDEX deals_external_id_key ON public.deals USING btree (workspace_id, external_id) WHERE ((deleted_at IS NULL) AND (external_id IS NOT NULL));
CREATE INDEX deals_newest ON public.deals USING btree (workspace_id, created_at DESC, id DESC) WHERE (deleted_at IS NULL);
CREATE INDEX deals_on_board ON public.deals USING btree (workspace_id, stage, created_at DESC, id DESC) WHERE ((deleted_at IS NULL) AND (status = 'open'::text));
CREATE INDEX deals_search ON public.deals USING gin (search) WITH (fastupdate=off) WHERE ((deleted_at IS NULL) AND (search IS NOT NULL));
CREATE INDEX deals_search_stale ON public.deals USING btree (workspace_id, id) WHERE ((search IS NULL) AND (deleted_at IS NULL));
CREATE INDEX drafts_of_record ON public.drafts USING btree (workspace_id, record_id);
CREATE INDEX event_positions_event ON ONLY public.event_positions USING btree (workspace_id, event_id);
CREATE INDEX event_positions_2026_11_workspace_id_event_id_idx ON public.event_positions_2026_11 USING btree (workspace_id, event_id);
CREATE INDEX event_positions_2026_12_workspace_id_event_id_idx ON public.event_positions_2026_12 USING btree (workspace_id, event_id);
CREATE INDEX event_positions_2027_01_workspace_id_event_id_idx ON public.event_positions_2027_01 USING btree (workspace_id, event_id);
CREATE INDEX event_positions_2027_02_workspace_id_event_id_idx ON public.event_positions_2027_02 USING btree (workspace_id, event_id);
CREATE INDEX event_positions_default_workspace_id_event_id_idx ON public.event_positions_default USING btree (workspace_id, event_id);
CREATE INDEX events_record ON ONLY public.events USING btree (workspace_id, record_id, id) WHERE (record_id IS NOT NULL);
CREATE INDEX events_2026_11_workspace_id_record_id_id_idx ON public.events_2026_11 USING btree (workspace_id, record_id, id) WHERE (record_id IS NOT NULL);
CREATE INDEX events_2026_12_workspace_id_record_id_id_idx ON public.events_2026_12 USING btree (workspace_id, record_id, id) WHERE (record_id IS NOT NULL);
CREATE INDEX events_2027_01_workspace_id_record_id_id_idx ON public.events_2027_01 USING btree (workspace_id, record_id, id) WHERE (record_id IS NOT NULL);
CREATE INDEX events_2027_02_workspace_id_record_id_id_idx ON public.events_2027_02 USING btree (workspace_id, record_id, id) WHERE (record_id IS NOT NULL);
CREATE INDEX events_default_workspace_id_record_id_id_idx ON public.events_default USING btree (workspace_id, record_id, id) WHERE (record_id IS NOT NULL);
CREATE INDEX idempotency_bytes_oldest ON public.idempotency_bytes USING btree (hour);
CREATE INDEX idempotency_keys_oldest ON public.idempotency_keys USING btree (created_at);
CREATE INDEX imports_oldest ON public.imports USING btree (workspace_id, started_at);
CREATE UNIQUE INDEX invitations_lookup_id_key ON public.invitations USING btree (lookup_id);
CREATE INDEX issues_by_assignee ON public.issues USING btree (workspace_id, kind, COALESCE(assignee_id, '00000000-0000-0000-0000-000000000000'::uuid), created_at DESC, id DESC) WHERE (deleted_at IS NULL);
CREATE INDEX issues_by_change ON public.issues USING btree (workspace_id, kind, updated_at, id) WHERE ((deleted_at IS NULL) AND (updated_at > '-infinity'::timestamp with time zone));
CREATE INDEX issues_by_company ON public.issues USING btree (workspace_id, company_id, kind, created_at DESC, id DESC) WHERE ((deleted_at IS NULL) AND (company_id IS NOT NULL));
CREATE INDEX issues_by_contact ON public.issues USING btree (workspace_id, contact_id, kind, created_at DESC, id DESC) WHERE ((deleted_at IS NULL) AND (contact_id IS NOT NULL));
CREATE INDEX issues_by_cycle ON public.issues USING btree (workspace_id, cycle_id, status) WHERE ((deleted_at IS NULL) AND (cycle_id IS NOT NULL));
CREATE INDEX issues_by_deal ON public.issues USING btree (workspace_id, deal_id, kind, created_at DESC, id DESC) WHERE ((deleted_at IS NULL) AND (deal_id IS NOT NULL));
CREATE INDEX issues_by_due ON public.issues USING btree (workspace_id, kind, due_at) WHERE ((deleted_at IS NULL) AND (due_at IS NOT NULL));
CREATE INDEX issues_by_epic ON public.issues USING btree (workspace_id, kind, epic_id) WHERE (epic_id IS NOT NULL);
CREATE INDEX issues_by_parent ON public.issues USING btree (workspace_id, kind, parent_id) WHERE (parent_id IS NOT NULL);
CREATE INDEX issues_by_priority ON public.issues USING btree (workspace_id, kind, priority, created_at DESC, id DESC) WHERE (deleted_at IS NULL);
CREATE INDEX issues_by_project ON public.issues USING btree (workspace_id, project_id, kind, created_at DESC, id DESC) WHERE ((deleted_at IS NULL) AND (project_id IS NOT NULL));
CREATE INDEX issues_by_project_and_status ON public.issues USING btree (workspace_id, project_id, kind, status, created_at DESC, id DESC) WHERE ((deleted_at IS NULL) AND (project_id IS NOT NULL));
CREATE INDEX issues_by_requester_contact ON public.issues USING btree (workspace_id, requester_contact_id, created_at DESC, id DESC) WHERE ((deleted_at IS NULL) AND (requester_contact_id IS NOT NULL));
CREATE INDEX issues_by_status ON public.issues USING btree (workspace_id, kind, status, created_at DESC, id DESC) WHERE (deleted_at IS NULL);
CREATE INDEX issues_deleted ON public.issues USING btree (workspace_id, kind, created_at DESC, id DESC) WHERE ((deleted_at > '-infinity'::timestamp with time zone) AND (erased_at IS NULL));
CREATE INDEX issues_deleted_with_project ON public.issues USING btree (workspace_id, project_id, deleted_at) WHERE ((deleted_at > '-infinity'::timestamp with time zone) AND (erased_at IS NULL));
CREATE INDEX issues_erasable ON public.issues USING btree (deleted_at) WHERE ((deleted_at IS NOT NULL) AND (erased_at IS NULL));
CREATE INDEX issues_newest ON public.issues USING btree (workspace_id, kind, created_at DESC, id DESC) WHERE (deleted_at IS NULL);
CREATE INDEX issues_of_cycle ON public.issues USING btree (workspace_id, cycle_id, kind, created_at DESC, id DESC) WHERE ((deleted_at IS NULL) AND (cycle_id IS NOT NULL));
CREATE UNIQUE INDEX issues_reference_key ON public.issues USING btree (workspace_id, reference) WHERE (reference IS NOT NULL);
CREATE INDEX issues_requested_by_email ON public.issues USING btree (workspace_id, requester_email_key, created_at DESC, id DESC) WHERE ((deleted_at IS NULL) AND (requester_email_key IS NOT NULL));
CREATE INDEX issues_requested_by_status ON public.issues USING btree (workspace_id, status, created_at DESC, id DESC) WHERE ((deleted_at IS NULL) AND (requester_email_key IS NOT NULL));
CREATE INDEX issues_requested_by_type ON public.issues USING btree (workspace_id, ticket_type, created_at DESC, id DESC) WHERE ((deleted_at IS NULL) AND (requester_email_key IS NOT NULL));
CREATE INDEX issues_requested_newest ON public.issues USING btree (workspace_id, created_at DESC, id DESC) WHERE ((deleted_at IS NULL) AND (requester_email_key IS NOT NULL));
CREATE INDEX issues_search ON public.issues USING gin (search) WITH (fastupdate=off) WHERE (deleted_at IS NULL);
CREATE INDEX issues_search_stale ON public.issues USING btree (workspace_id, id) WHERE (search_stale AND (deleted_at IS NULL) AND (labels <> '{}'::text[]));
CREATE INDEX issues_to_do ON public.issues USING btree (workspace_id, assignee_id, due_at, id) WHERE ((deleted_at IS NULL) AND (kind = 'task'::text) AND (status = ANY (ARRAY['backlog'::text, 'todo'::text, 'in_progress'::text, 'in_review'::text])) AND (assignee_id IS NOT NULL));
CREATE INDEX kb_articles_by_status ON public.kb_articles USING btree (workspace_id, status, created_at DESC, id DESC) WHERE (deleted_at IS NULL);
CREATE INDEX kb_articles_by_word ON public.kb_articles USING gin (search) WITH (fastupdate=off) WHERE ((deleted_at IS NULL) AND (search IS NOT NULL));
CREATE INDEX kb_articles_deleted ON public.kb_articles USING btree (workspace_id, created_at DESC, id DESC) WHERE ((deleted_at > '-infinity'::timestamp with time zone) AND (erased_at IS NULL));
CREATE INDEX kb_articles_erasable ON public.kb_articles USING btree (deleted_at) WHERE ((deleted_at IS NOT NULL) AND (erased_at IS NULL));
CREATE INDEX kb_articles_newest ON public.kb_articles USING btree (workspace_id, created_at DESC, id DESC) WHERE (deleted_at IS NULL);
CREATE INDEX kb_articles_published ON public.kb_articles USING btree (workspace_id, created_at DESC, id DESC) WHERE ((deleted_at IS NULL) AND (status = 'published'::text));
CREATE INDEX kb_articles_search ON public.kb_articles USING gin (public.kb_lexemes(workspace_id, words)) WITH (fastupdate=off) WHERE ((deleted_at IS NULL) AND (status = 'published'::text));
CREATE INDEX kb_articles_search_stale ON public.kb_articles USING btree (workspace_id, id) WHERE ((search IS NULL) AND (deleted_at IS NULL));
CREATE UNIQUE INDEX kb_articles_slug_key ON public.kb_articles USING btree (workspace_id, slug) WHERE (deleted_at IS NULL);
CREATE INDEX kb_articles_words_by ON public.kb_articles USING btree (workspace_id, words_by) WHERE (deleted_at IS NULL);
CREATE INDEX kb_vain_searches_most ON public.kb_vain_searches USING btree (workspace_id, searches DESC, last_at DESC, term);
CREATE INDEX link_requests_network ON public.link_requests USING btree (network);
CREATE INDEX link_requests_turn ON public.link_requests USING btree (turn_at, id);
CREATE INDEX mail_hours_oldest ON public.mail_hours USING btree (hour);
CREATE INDEX mail_recipients_oldest ON public.mail_recipients USING btree (since);
CREATE INDEX mails_leased ON public.mails USING btree (lease_owner) WHERE (lease_owner IS NOT NULL);
CREATE INDEX mails_newest ON public.mails USING btree (workspace_id, (
CASE
    WHEN (next_attempt_at IS NOT NULL) THEN 'waiting'::text
    WHEN (sent_at IS NOT NULL) THEN 'sent'::text
    ELSE 'failed'::text
END), created_at DESC, id DESC);
CREATE INDEX mails_newest_of_all ON public.mails USING btree ((
CASE
    WHEN (next_attempt_at IS NOT NULL) THEN 'waiting'::text
    WHEN (sent_at IS NOT NULL) THEN 'sent'::text
    ELSE 'failed'::text
END), created_at DESC, id DESC);
CREATE UNIQUE INDEX mails_open_batch ON public.mails USING btree (workspace_id, batch) WHERE (batch IS NOT NULL);
CREATE INDEX mails_over ON public.mails USING btree (COALESCE(sent_at, failed_at)) WHERE (next_attempt_at IS NULL);
CREATE INDEX mails_waiting ON public.mails USING btree (workspace_id, next_attempt_at) WHERE (next_attempt_at IS NOT NULL);
CREATE INDEX members_by_user ON public.members USING btree (user_id);
CREATE INDEX members_joined ON public.members USING btree (workspace_id, created_at DESC, user_id DESC) WHERE (joined_at IS NOT NULL);
CREATE INDEX members_newest ON public.members USING btree (workspace_id, created_at DESC, user_id DESC);
CREATE UNIQUE INDEX password_resets_lookup_id_key ON public.password_resets USING btree (lookup_id);
CREATE INDEX password_resets_oldest ON public.password_resets USING btree (expires_at);
CREATE INDEX person_erasures_newest ON public.person_erasures USING btree (workspace_id, created_at DESC, id DESC);
CREATE INDEX person_erasures_unfinished ON public.person_erasures USING btree (workspace_id, turn_at, id) WHERE (finished_at IS NULL);
CREATE UNIQUE INDEX portal_sessions_lookup_id_key ON public.portal_sessions USING btree (lookup_id);
CREATE INDEX portal_sessions_oldest ON public.portal_sessions USING btree (expires_at);
CREATE INDEX presences_of_user ON public.presences USING btree (workspace_id, user_id);
CREATE INDEX presences_seen ON public.presences USING btree (seen_at);
CREATE INDEX projects_by_change ON public.projects USING btree (workspace_id, updated_at, id) WHERE ((deleted_at IS NULL) AND (updated_at > '-infinity'::timestamp with time zone));
CREATE INDEX projects_by_status ON public.projects USING btree (workspace_id, status, created_at DESC, id DESC) WHERE (deleted_at IS NULL);
CREATE INDEX projects_deleted ON public.projects USING btree (workspace_id, created_at DESC, id DESC) WHERE ((deleted_at > '-infinity'::timestamp with time zone) AND (erased_at IS NULL));
CREATE INDEX projects_erasable ON public.projects USING btree (deleted_at) WHERE ((deleted_at IS NOT NULL) AND (erased_at IS NULL));
CREATE UNIQUE INDEX projects_external_id_key ON public.projects USING btree (workspace_id, external_id) WHERE ((deleted_at IS NULL) AND (external_id IS NOT NULL));
CREATE INDEX projects_newest ON public.projects USING btree (workspace_id, created_at DESC, id DESC) WHERE (deleted_at IS NULL);
CREATE INDEX projects_search ON public.projects USING gin (search) WITH (fastupdate=off) WHERE ((deleted_at IS NULL) AND (search IS NOT NULL));
CREATE INDEX projects_search_stale ON public.projects USING btree (workspace_id, id) WHERE ((search IS NULL) AND (deleted_at IS NULL));
CREATE INDEX record_comments_of_company ON public.record_comments USING btree (workspace_id, company_id, created_at, id) WHERE (company_id IS NOT NULL);
CREATE INDEX record_comments_of_contact ON public.record_comments USING btree (workspace_id, contact_id, created_at, id) WHERE (contact_id IS NOT NULL);
CREATE INDEX record_comments_of_deal ON public.record_comments USING btree (workspace_id, deal_id, created_at, id) WHERE (deal_id IS NOT NULL);
CREATE INDEX saved_views_own ON public.saved_views USING btree (workspace_id, owner_id, page) WHERE (NOT shared);
CREATE INDEX saved_views_shared ON public.saved_views USING btree (workspace_id, page) WHERE shared;
CREATE INDEX sessions_by_user ON public.sessions USING btree (user_id);
CREATE UNIQUE INDEX sessions_lookup_id_key ON public.sessions USING btree (lookup_id);
CREATE INDEX sessions_oldest ON public.sessions USING btree (expires_at);
CREATE UNIQUE INDEX set_up_codes_lookup_id_key ON public.set_up_codes USING btree (lookup_id);
CREATE INDEX sign_in_challenges_by_user ON public.sign_in_challenges USING btree (user_id, expires_at);
CREATE UNIQUE INDEX sign_in_challenges_lookup_id_key ON public.sign_in_challenges USING btree (lookup_id);
CREATE INDEX sign_in_challenges_oldest ON public.sign_in_challenges USING btree (expires_at);
CREATE UNIQUE INDEX sign_in_links_lookup_id_key ON public.sign_in_links USING btree (lookup_id);
CREATE INDEX sign_in_links_oldest ON public.sign_in_links USING btree (expires_at);
CREATE UNIQUE INDEX tracking_links_lookup_id_key ON public.tracking_links USING btree (lookup_id);
CREATE INDEX tracking_links_oldest ON public.tracking_links USING btree (expires_at);
CREATE INDEX tracking_links_requested ON public.tracking_links USING btree (workspace_id, issue_id, expires_at) WHERE (is_requested AND (used_at IS NULL));
CREATE INDEX users_operators ON public.users USING btree (email_key COLLATE "C") WHERE is_operator;
CREATE INDEX webhook_backlog_oldest ON public.webhook_backlog USING btree (created_at);
CREATE INDEX webhook_deliveries_by_event ON public.webhook_deliveries USING btree (workspace_id, subscription_id, event, created_at DESC, id DESC);
CREATE INDEX webhook_deliveries_by_state ON public.webhook_deliveries USING btree (workspace_id, subscription_id, state, created_at DESC, id DESC);
CREATE INDEX webhook_deliveries_delivering ON public.webhook_deliveries USING btree (workspace_id, subscription_id, lease_until) WHERE (state = 'delivering'::text);
CREATE INDEX webhook_deliveries_newest ON public.webhook_deliveries USING btree (workspace_id, subscription_id, created_at DESC, id DESC);
CREATE INDEX webhook_deliveries_oldest ON public.webhook_deliveries USING btree (created_at) WHERE (state = ANY (ARRAY['succeeded'::text, 'failed'::text, 'cancelled'::text]));
CREATE INDEX webhook_deliveries_tests ON public.webhook_deliveries USING btree (workspace_id, subscription_id, next_attempt_at) WHERE ((state = ANY (ARRAY['pending'::text, 'retrying'::text])) AND (event = 'webhook.test'::text));
CREATE INDEX webhook_deliveries_to_replay ON public.webhook_deliveries USING btree (workspace_id, subscription_id, event_id) WHERE (((state = 'failed'::text) OR (replay_id IS NOT NULL)) AND (event_id IS NOT NULL));
CREATE INDEX webhook_deliveries_waiting ON public.webhook_deliveries USING btree (workspace_id, subscription_id, next_attempt_at) WHERE (state = ANY (ARRAY['pending'::text, 'retrying'::text]));
CREATE INDEX webhook_replays_newest ON public.webhook_replays USING btree (workspace_id, subscription_id, created_at DESC, id DESC);
CREATE INDEX webhook_replays_oldest ON public.webhook_replays USING btree (created_at);
CREATE UNIQUE INDEX webhook_replays_running ON public.webhook_replays USING btree (workspace_id, subscription_id) WHERE (state = 'running'::text);
CREATE INDEX webhook_subscriptions_disabled_untold ON public.webhook_subscriptions USING btree (updated_at) WHERE ((disabled_reason IS NOT NULL) AND (disabled_told_at IS NULL) AND (deleted_at IS NULL));
CREATE INDEX webhook_subscriptions_failing ON public.webhook_subscriptions USING btree (failing_since) WHERE ((failing_since IS NOT NULL) AND enabled AND (deleted_at IS NULL));
CREATE INDEX webhook_subscriptions_failing_untold ON public.webhook_subscriptions USING btree (failing_since) WHERE ((failing_since IS NOT NULL) AND enabled AND (deleted_at IS NULL) AND ((failing_told_at IS NULL) OR (failing_told_at < failing_since)));
CREATE INDEX webhook_subscriptions_listening ON public.webhook_subscriptions USING btree (workspace_id, module) WHERE (enabled AND (deleted_at IS NULL));
CREATE INDEX webhook_subscriptions_maker_notice ON public.webhook_subscriptions USING btree (maker_notice_at) WHERE ((maker_notice_at IS NOT NULL) AND (deleted_at IS NULL));
CREATE INDEX webhook_subscriptions_newest ON public.webhook_subscriptions USING btree (workspace_id, created_at DESC, id DESC) WHERE (deleted_at IS NULL);
CREATE INDEX workspaces_by_status ON public.workspaces USING btree (status, created_at DESC, id DESC);
CREATE INDEX workspaces_erasing ON public.workspaces USING btree (erase_at) WHERE (erase_at IS NOT NULL);
CREATE INDEX workspaces_newest ON public.workspaces USING btree (created_at DESC, id DESC);
CREATE INDEX workspaces_search ON public.workspaces USING gin (search) WITH (fastupdate=off);
ALTER INDEX public.audit_log_by_action ATTACH PARTITION public.audit_log_default_workspace_id_action_created_at_id_idx;
ALTER INDEX public.audit_log_by_actor ATTACH PARTITION public.audit_log_default_workspace_id_actor_id_created_at_id_idx;
ALTER INDEX public.audit_log_newest ATTACH PARTITION public.audit_log_default_workspace_id_created_at_id_idx;
ALTER INDEX public.audit_log_by_action ATTACH PARTITION public.audit_log_first_by_action;
ALTER INDEX public.audit_log_by_actor ATTACH PARTITION public.audit_log_first_by_actor;
ALTER INDEX public.audit_log_newest ATTACH PARTITION public.audit_log_first_newest;
ALTER INDEX public.event_positions_pkey ATTACH PARTITION public.event_positions_2026_11_pkey;
ALTER INDEX public.event_positions_event ATTACH PARTITION public.event_positions_2026_11_workspace_id_event_id_idx;
ALTER INDEX public.event_positions_pkey ATTACH PARTITION public.event_positions_2026_12_pkey;
ALTER INDEX public.event_positions_event ATTACH PARTITION public.event_positions_2026_12_workspace_id_event_id_idx;
ALTER INDEX public.event_positions_pkey ATTACH PARTITION public.event_positions_2027_01_pkey;
ALTER INDEX public.event_positions_event ATTACH PARTITION public.event_positions_2027_01_workspace_id_event_id_idx;
ALTER INDEX public.event_positions_pkey ATTACH PARTITION public.event_positions_2027_02_pkey;
ALTER INDEX public.event_positions_event ATTACH PARTITION public.event_positions_2027_02_workspace_id_event_id_idx;
ALTER INDEX public.event_positions_pkey ATTACH PARTITION public.event_positions_default_pkey;
ALTER INDEX public.event_positions_event ATTACH PARTITION public.event_positions_default_workspace_id_event_id_idx;
ALTER INDEX public.events_pkey ATTACH PARTITION public.events_2026_11_pkey;
ALTER INDEX public.events_record ATTACH PARTITION public.events_2026_11_workspace_id_record_id_id_idx;
ALTER INDEX public.events_pkey ATTACH PARTITION public.events_2026_12_pkey;
ALTER INDEX public.events_record ATTACH PARTITION public.events_2026_12_workspace_id_record_id_id_idx;
ALTER INDEX public.events_pkey ATTACH PARTITION public.events_2027_01_pkey;
ALTER INDEX public.events_record ATTACH PARTITION public.events_2027_01_workspace_id_record_id_id_idx;
ALTER INDEX public.events_pkey ATTACH PARTITION public.events_2027_02_pkey;
ALTER INDEX public.events_record ATTACH PARTITION public.events_2027_02_workspace_id_record_id_id_idx;
ALTER INDEX public.events_pkey ATTACH PARTITION public.events_default_pkey;
ALTER INDEX public.events_record ATTACH PARTITION public.events_default_workspace_id_record_id_id_idx;
CREATE STATISTICS public.deals_value ON COALESCE(value, '-1'::integer::numeric) FROM public.deals;
CREATE STATISTICS public.issues_assignee ON COALESCE(assignee_id, '00000000-0000-0000-0000-000000000000'::uuid) FROM public.issues;
CREATE TRIGGER audit_log_entry_stays BEFORE UPDATE ON public.audit_log FOR EACH ROW EXECUTE FUNCTION public.audit_log_entry_stays();
CREATE TRIGGER audit_log_is_erased AFTER DELETE ON public.audit_log REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION public.audit_log_is_erased();
CREATE TRIGGER audit_log_is_erased AFTER DELETE ON public.audit_log_first REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION public.audit_log_is_erased();
CREATE TRIGGER audit_log_stays BEFORE UPDATE OR TRUNCATE ON public.audit_log FOR EACH STATEMENT EXECUTE FUNCTION public.audit_log_stays();
CREATE TRIGGER audit_log_stays BEFORE UPDATE OR TRUNCATE ON public.audit_log_first FOR EACH STATEMENT EXECUTE FUNCTION public.audit_log_stays();
CREATE TRIGGER deals_added AFTER INSERT ON public.deals REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION public.note_deal_totals();
CREATE TRIGGER deals_changed AFTER UPDATE ON public.deals REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION public.note_deal_totals();
CREATE TRIGGER deals_removed AFTER DELETE ON public.deals REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION public.note_deal_totals();
CREATE TRIGGER issues_change_in_cycles AFTER UPDATE ON public.issues FOR EACH ROW WHEN (((old.cycle_id IS DISTINCT FROM new.cycle_id) OR ((new.cycle_id IS NOT NULL) AND (((old.deleted_at IS NULL) <> (new.deleted_at IS NULL)) OR ((old.status = ANY (ARRAY['done'::text, 'resolved'::text, 'closed'::text])) <> (new.status = ANY (ARRAY['done'::text, 'resolved'::text, 'closed'::text]))))))) EXECUTE FUNCTION public.note_cycle_history();
CREATE TRIGGER issues_enter_cycles AFTER INSERT ON public.issues FOR EACH ROW WHEN ((new.cycle_id IS NOT NULL)) EXECUTE FUNCTION public.note_cycle_history();
ALTER TABLE ONLY public.api_keys ADD CONSTRAINT api_keys_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspaces(id);
ALTER TABLE public.audit_log ADD CONSTRAINT audit_log_workspace_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspaces(id);
ALTER TABLE ONLY public.comments ADD CONSTRAINT comments_issue_fkey FOREIGN KEY (workspace_id, issue_id) REFERENCES public.issues(workspace_id, id);
ALTER TABLE ONLY public.comments ADD CONSTRAINT comments_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspaces(id);
ALTER TABLE ONLY public.companies ADD CONSTRAINT companies_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspaces(id);
ALTER TABLE ONLY public.contacts ADD CONSTRAINT contacts_company_fkey FOREIGN KEY (workspace_id, company_id) REFERENCES public.companies(workspace_id, id);
ALTER TABLE ONLY public.contacts ADD CONSTRAINT contacts_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspaces(id);
ALTER TABLE ONLY public.crm_quota_blocks ADD CONSTRAINT crm_quota_blocks_quota_fkey FOREIGN KEY (workspace_id, month) REFERENCES public.crm_quota(workspace_id, month);
ALTER TABLE ONLY public.crm_quota ADD CONSTRAINT crm_quota_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspaces(id);
ALTER TABLE ONLY public.cycle_history ADD CONSTRAINT cycle_history_issue_fkey FOREIGN KEY (workspace_id, issue_id) REFERENCES public.issues(workspace_id, id);
ALTER TABLE ONLY public.cycles ADD CONSTRAINT cycles_project_fkey FOREIGN KEY (workspace_id, project_id) REFERENCES public.projects(workspace_id, id);
ALTER TABLE ONLY public.cycles ADD CONSTRAINT cycles_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspaces(id);
ALTER TABLE ONLY public.deals ADD CONSTRAINT deals_assigned_to_fkey FOREIGN KEY (workspace_id, assigned_to) REFERENCES public.members(workspace_id, user_id);
ALTER TABLE ONLY public.deals ADD CONSTRAINT deals_company_fkey FOREIGN KEY (workspace_id, company_id) REFERENCES public.companies(workspace_id, id);
ALTER TABLE ONLY public.deals ADD CONSTRAINT deals_contact_fkey FOREIGN KEY (workspace_id, contact_id) REFERENCES public.contacts(workspace_id, id);
ALTER TABLE ONLY public.deals ADD CONSTRAINT deals_rep_fkey FOREIGN KEY (workspace_id, rep_id) REFERENCES public.members(workspace_id, user_id);
ALTER TABLE ONLY public.deals ADD CONSTRAINT deals_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspaces(id);
ALTER TABLE ONLY public.demo_workspaces ADD CONSTRAINT demo_workspaces_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspaces(id);
ALTER TABLE ONLY public.drafts ADD CONSTRAINT drafts_company_fkey FOREIGN KEY (workspace_id, company_id) REFERENCES public.companies(workspace_id, id);
ALTER TABLE ONLY public.drafts ADD CONSTRAINT drafts_contact_fkey FOREIGN KEY (workspace_id, contact_id) REFERENCES public.contacts(workspace_id, id);
ALTER TABLE ONLY public.drafts ADD CONSTRAINT drafts_deal_fkey FOREIGN KEY (workspace_id, deal_id) REFERENCES public.deals(workspace_id, id);
ALTER TABLE ONLY public.drafts ADD CONSTRAINT drafts_issue_fkey FOREIGN KEY (workspace_id, issue_id) REFERENCES public.issues(workspace_id, id);
ALTER TABLE ONLY public.drafts ADD CONSTRAINT drafts_user_fkey FOREIGN KEY (workspace_id, user_id) REFERENCES public.members(workspace_id, user_id);
ALTER TABLE ONLY public.idempotency_bytes ADD CONSTRAINT idempotency_bytes_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspaces(id);
ALTER TABLE ONLY public.idempotency_keys ADD CONSTRAINT idempotency_keys_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspaces(id);
ALTER TABLE ONLY public.import_refusals ADD CONSTRAINT import_refusals_workspace_id_digest_fkey FOREIGN KEY (workspace_id, digest) REFERENCES public.imports(workspace_id, digest);
ALTER TABLE ONLY public.imports ADD CONSTRAINT imports_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspaces(id);
ALTER TABLE ONLY public.invitations ADD CONSTRAINT invitations_inviter_fkey FOREIGN KEY (workspace_id, invited_by) REFERENCES public.members(workspace_id, user_id);
ALTER TABLE ONLY public.invitations ADD CONSTRAINT invitations_member_fkey FOREIGN KEY (workspace_id, user_id) REFERENCES public.members(workspace_id, user_id);
ALTER TABLE ONLY public.issue_counters ADD CONSTRAINT issue_counters_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspaces(id);
ALTER TABLE ONLY public.issues ADD CONSTRAINT issues_assignee_fkey FOREIGN KEY (workspace_id, assignee_id) REFERENCES public.members(workspace_id, user_id);
ALTER TABLE ONLY public.issues ADD CONSTRAINT issues_company_fkey FOREIGN KEY (workspace_id, company_id) REFERENCES public.companies(workspace_id, id);
ALTER TABLE ONLY public.issues ADD CONSTRAINT issues_contact_fkey FOREIGN KEY (workspace_id, contact_id) REFERENCES public.contacts(workspace_id, id);
ALTER TABLE ONLY public.issues ADD CONSTRAINT issues_cycle_fkey FOREIGN KEY (workspace_id, project_id, cycle_id) REFERENCES public.cycles(workspace_id, project_id, id);
ALTER TABLE ONLY public.issues ADD CONSTRAINT issues_deal_fkey FOREIGN KEY (workspace_id, deal_id) REFERENCES public.deals(workspace_id, id);
ALTER TABLE ONLY public.issues ADD CONSTRAINT issues_epic_fkey FOREIGN KEY (workspace_id, kind, epic_id) REFERENCES public.issues(workspace_id, kind, id);
ALTER TABLE ONLY public.issues ADD CONSTRAINT issues_parent_fkey FOREIGN KEY (workspace_id, kind, parent_id) REFERENCES public.issues(workspace_id, kind, id);
ALTER TABLE ONLY public.issues ADD CONSTRAINT issues_project_fkey FOREIGN KEY (workspace_id, project_id) REFERENCES public.projects(workspace_id, id);
ALTER TABLE ONLY public.issues ADD CONSTRAINT issues_requester_contact_fkey FOREIGN KEY (workspace_id, requester_contact_id) REFERENCES public.contacts(workspace_id, id);
ALTER TABLE ONLY public.issues ADD CONSTRAINT issues_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspaces(id);
ALTER TABLE ONLY public.kb_articles ADD CONSTRAINT kb_articles_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspaces(id);
ALTER TABLE ONLY public.kb_vain_searches ADD CONSTRAINT kb_vain_searches_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspaces(id);
ALTER TABLE ONLY public.mail_hours ADD CONSTRAINT mail_hours_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspaces(id);
ALTER TABLE ONLY public.mail_parts ADD CONSTRAINT mail_parts_mail_fkey FOREIGN KEY (workspace_id, mail_id) REFERENCES public.mails(workspace_id, id) ON DELETE CASCADE;
ALTER TABLE ONLY public.mails ADD CONSTRAINT mails_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspaces(id);
ALTER TABLE ONLY public.members ADD CONSTRAINT members_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id);
ALTER TABLE ONLY public.members ADD CONSTRAINT members_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspaces(id);
ALTER TABLE ONLY public.password_resets ADD CONSTRAINT password_resets_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id);
ALTER TABLE ONLY public.person_erasure_records ADD CONSTRAINT person_erasure_records_erasure_fkey FOREIGN KEY (workspace_id, erasure_id) REFERENCES public.person_erasures(workspace_id, id) ON DELETE CASCADE;
ALTER TABLE ONLY public.person_erasures ADD CONSTRAINT person_erasures_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspaces(id);
ALTER TABLE ONLY public.portal_sessions ADD CONSTRAINT portal_sessions_issue_fkey FOREIGN KEY (workspace_id, issue_id) REFERENCES public.issues(workspace_id, id);
ALTER TABLE ONLY public.presences ADD CONSTRAINT presences_user_fkey FOREIGN KEY (workspace_id, user_id) REFERENCES public.members(workspace_id, user_id);
ALTER TABLE ONLY public.projects ADD CONSTRAINT projects_company_fkey FOREIGN KEY (workspace_id, company_id) REFERENCES public.companies(workspace_id, id);
ALTER TABLE ONLY public.projects ADD CONSTRAINT projects_deal_fkey FOREIGN KEY (workspace_id, deal_id) REFERENCES public.deals(workspace_id, id);
ALTER TABLE ONLY public.projects ADD CONSTRAINT projects_lead_fkey FOREIGN KEY (workspace_id, lead_user_id) REFERENCES public.members(workspace_id, user_id);
ALTER TABLE ONLY public.projects ADD CONSTRAINT projects_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspaces(id);
ALTER TABLE ONLY public.record_comments ADD CONSTRAINT record_comments_company_fkey FOREIGN KEY (workspace_id, company_id) REFERENCES public.companies(workspace_id, id);
ALTER TABLE ONLY public.record_comments ADD CONSTRAINT record_comments_contact_fkey FOREIGN KEY (workspace_id, contact_id) REFERENCES public.contacts(workspace_id, id);
ALTER TABLE ONLY public.record_comments ADD CONSTRAINT record_comments_deal_fkey FOREIGN KEY (workspace_id, deal_id) REFERENCES public.deals(workspace_id, id);
ALTER TABLE ONLY public.request_counts ADD CONSTRAINT request_counts_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspaces(id);
ALTER TABLE ONLY public.saved_views ADD CONSTRAINT saved_views_owner_fkey FOREIGN KEY (workspace_id, owner_id) REFERENCES public.members(workspace_id, user_id);
ALTER TABLE ONLY public.second_factors ADD CONSTRAINT second_factors_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id);
ALTER TABLE ONLY public.sessions ADD CONSTRAINT sessions_member_fkey FOREIGN KEY (workspace_id, user_id) REFERENCES public.members(workspace_id, user_id);
ALTER TABLE ONLY public.sign_in_challenges ADD CONSTRAINT sign_in_challenges_member_fkey FOREIGN KEY (workspace_id, user_id) REFERENCES public.members(workspace_id, user_id);
ALTER TABLE ONLY public.sign_in_links ADD CONSTRAINT sign_in_links_member_fkey FOREIGN KEY (workspace_id, user_id) REFERENCES public.members(workspace_id, user_id);
ALTER TABLE ONLY public.sign_ins ADD CONSTRAINT sign_ins_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.tracking_links ADD CONSTRAINT tracking_links_issue_fkey FOREIGN KEY (workspace_id, issue_id) REFERENCES public.issues(workspace_id, id);
ALTER TABLE ONLY public.webhook_attempts ADD CONSTRAINT webhook_attempts_delivery_fkey FOREIGN KEY (workspace_id, delivery_id) REFERENCES public.webhook_deliveries(workspace_id, id) ON DELETE CASCADE;
ALTER TABLE ONLY public.webhook_deliveries ADD CONSTRAINT webhook_deliveries_subscription_fkey FOREIGN KEY (workspace_id, subscription_id) REFERENCES public.webhook_subscriptions(workspace_id, id);
ALTER TABLE ONLY public.webhook_replays ADD CONSTRAINT webhook_replays_subscription_fkey FOREIGN KEY (workspace_id, subscription_id) REFERENCES public.webhook_subscriptions(workspace_id, id);
ALTER TABLE ONLY public.webhook_subscriptions ADD CONSTRAINT webhook_subscriptions_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspaces(id);
