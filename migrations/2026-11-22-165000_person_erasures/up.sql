-- A migration that has to wait for a lock gives up rather than make everybody else queue behind it.
SET LOCAL lock_timeout = '3s';

CREATE TABLE person_erasures (
    workspace_id uuid NOT NULL REFERENCES workspaces (id),
    id uuid NOT NULL,
    contact_id uuid,
    phase text NOT NULL CONSTRAINT person_erasures_phase_check CHECK (phase IN
        ('contacts', 'tickets', 'comments', 'emails', 'answers', 'deliveries', 'events', 'reports', 'audit_log',
            'records', 'done')),
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
    created_by_type text NOT NULL CONSTRAINT person_erasures_created_by_type_check
        CHECK (created_by_type IN ('api_key', 'user', 'system')),
    created_by_id uuid,
    created_by_name text NOT NULL,
    created_at timestamptz NOT NULL,
    finished_at timestamptz,
    PRIMARY KEY (workspace_id, id),
    CONSTRAINT person_erasures_finished_check CHECK ((finished_at IS NOT NULL) = (phase = 'done')),
    CONSTRAINT person_erasures_values_check CHECK (phase <> 'done' OR emails = '{}' AND names = '{}')
);
CREATE INDEX person_erasures_unfinished ON person_erasures (workspace_id, created_at, id) WHERE finished_at IS NULL;
COMMENT ON TABLE person_erasures IS
    'Requests to erase a person''s data. A worker does them in steps; each goes on where the last one ended.';
COMMENT ON COLUMN person_erasures.phase IS 'What the next step erases.';
COMMENT ON COLUMN person_erasures.behind IS 'Where the phase goes on; null at its beginning.';
COMMENT ON COLUMN person_erasures.emails IS 'The addresses that are looked for; none once it is done, as for names.';
COMMENT ON COLUMN person_erasures.contacts IS 'How many were erased, as the other numbers.';

CREATE TABLE person_erasure_records (
    workspace_id uuid NOT NULL,
    erasure_id uuid NOT NULL,
    record_id uuid NOT NULL,
    PRIMARY KEY (workspace_id, erasure_id, record_id),
    CONSTRAINT person_erasure_records_erasure_fkey FOREIGN KEY (workspace_id, erasure_id)
        REFERENCES person_erasures (workspace_id, id) ON DELETE CASCADE
);
COMMENT ON TABLE person_erasure_records IS
    'Contacts and tickets whose content an erasure has erased, until their comments and events are erased too.';

-- Deleted contacts with an address; empty at first, and small.
CREATE INDEX contacts_deleted_by_email ON contacts (workspace_id, email_key)
    WHERE deleted_at IS NOT NULL AND erased_at IS NULL AND email_key IS NOT NULL;

-- The audit log is still only added to, but for what a running erasure takes out of it.

CREATE FUNCTION erased_audit_details(details jsonb, texts text[]) RETURNS jsonb LANGUAGE sql STABLE AS $$
    SELECT CASE WHEN cardinality(texts) = 0 THEN details ELSE regexp_replace(details::text, (
        -- As they stand in JSON, and with what has a meaning in a regular expression escaped.
        SELECT string_agg(regexp_replace(trim(BOTH '"' FROM to_json(text)::text), '([^[:alnum:][:space:]])', '\\\1', 'g'), '|'
            ORDER BY length(text) DESC)
        FROM unnest(texts) AS text
    ), 'erased', 'gi')::jsonb END
$$;
COMMENT ON FUNCTION erased_audit_details IS 'The details with each of the texts, in whatever case, replaced by erased.';

CREATE FUNCTION erase_from_audit_log(
    of_workspace uuid, of_erasure uuid, behind uuid, most bigint, OUT erased bigint, OUT last uuid
) LANGUAGE plpgsql SECURITY DEFINER AS $$
DECLARE
    texts CONSTANT text[] := (SELECT emails || names FROM person_erasures
        WHERE workspace_id = of_workspace AND id = of_erasure AND finished_at IS NULL);
    page uuid[];
BEGIN
    erased := 0;
    page := ARRAY(SELECT id FROM audit_log WHERE workspace_id = of_workspace AND id > behind ORDER BY id LIMIT most);
    last := page[cardinality(page)];
    IF cardinality(texts) > 0 THEN
        PERFORM set_config('audit_log.erasure', of_erasure::text, true);
        UPDATE audit_log SET details = erased_audit_details(details, texts)
            WHERE workspace_id = of_workspace AND id = ANY (page) AND details <> erased_audit_details(details, texts);
        GET DIAGNOSTICS erased = ROW_COUNT;
        PERFORM set_config('audit_log.erasure', '', true);
    END IF;
END
$$;
COMMENT ON FUNCTION erase_from_audit_log IS
    'Takes what an unfinished erasure looks for out of the next entries of the audit log. Returns how many entries changed,
and the last one looked at; null at the end.';

CREATE OR REPLACE FUNCTION audit_log_stays() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    -- Of erase_from_audit_log; audit_log_entry_stays checks what becomes of each row.
    IF TG_OP = 'UPDATE' AND coalesce(current_setting('audit_log.erasure', true), '') <> '' THEN
        RETURN NULL;
    END IF;
    RAISE EXCEPTION 'the audit log is only added to: % is refused', TG_OP USING ERRCODE = 'insufficient_privilege';
END
$$;
CREATE FUNCTION audit_log_entry_stays() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF to_jsonb(NEW) - 'details' = to_jsonb(OLD) - 'details' AND EXISTS (
        SELECT FROM person_erasures WHERE workspace_id = OLD.workspace_id AND finished_at IS NULL
            AND id::text = current_setting('audit_log.erasure', true)
            AND NEW.details = erased_audit_details(OLD.details, emails || names)
    ) THEN
        RETURN NEW;
    END IF;
    RAISE EXCEPTION 'the audit log is only added to: % is refused', TG_OP USING ERRCODE = 'insufficient_privilege';
END
$$;
CREATE TRIGGER audit_log_entry_stays BEFORE UPDATE ON audit_log
    FOR EACH ROW EXECUTE FUNCTION audit_log_entry_stays();
COMMENT ON FUNCTION audit_log_entry_stays() IS
    'Refuses every change of an entry but that of erase_from_audit_log for an erasure that is under way.';
COMMENT ON TABLE audit_log IS
    'Administrative acts. Rows are added, never changed but for an erased person, and removed only when their workspace is erased; triggers see to it.';
DO $$
BEGIN
    EXECUTE format('ALTER FUNCTION erase_from_audit_log SET search_path = %I, pg_temp', current_schema());
END
$$;
