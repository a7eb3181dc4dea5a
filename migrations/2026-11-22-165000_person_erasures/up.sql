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
    turn_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (workspace_id, id),
    CONSTRAINT person_erasures_finished_check CHECK ((finished_at IS NOT NULL) = (phase = 'done')),
    CONSTRAINT person_erasures_values_check CHECK (phase <> 'done' OR emails = '{}' AND names = '{}')
);
CREATE INDEX person_erasures_unfinished ON person_erasures (workspace_id, turn_at, id) WHERE finished_at IS NULL;
COMMENT ON TABLE person_erasures IS
    'Requests to erase a person''s data. A worker does them in steps; each goes on where the last one ended.';
COMMENT ON COLUMN person_erasures.phase IS 'What the next step erases.';
COMMENT ON COLUMN person_erasures.behind IS 'Where the phase goes on; null at its beginning.';
COMMENT ON COLUMN person_erasures.turn_at IS
    'The one with the oldest is done first: when it was requested, or when a step of it failed last.';
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

ALTER TABLE webhook_deliveries ADD COLUMN erased boolean NOT NULL DEFAULT false;
COMMENT ON COLUMN webhook_deliveries.erased IS
    'Whether an erasure found a person in what was sent: responses that come later, too, are stored as erased.';

ALTER TABLE mails ADD COLUMN purpose text;
COMMENT ON COLUMN mails.purpose IS
    'Why it is sent: an erasure of a customer leaves what is sent to members and invited people alone. Null: queued before.';

-- The audit log is still only added to, but for what a running erasure takes out of it.

CREATE FUNCTION person_pattern(emails text[], names text[]) RETURNS text LANGUAGE sql IMMUTABLE AS $$
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
COMMENT ON FUNCTION person_pattern IS
    'The regular expression of a person''s addresses and names; null if there are none. The domain''s Redaction has the same rule.';

CREATE FUNCTION erased_audit_details(details jsonb, pattern text) RETURNS jsonb LANGUAGE plpgsql STABLE AS $$
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
COMMENT ON FUNCTION erased_audit_details IS
    'The details with all that matches the pattern of person_pattern, in whatever case, replaced by erased.';

CREATE FUNCTION erase_from_audit_log(
    of_workspace uuid, of_erasure uuid, behind uuid, most bigint, OUT erased bigint, OUT last uuid
) LANGUAGE plpgsql SECURITY DEFINER AS $$
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
            AND NEW.details = erased_audit_details(OLD.details, person_pattern(emails, names))
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
