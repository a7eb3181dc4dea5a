-- Two workspaces of very different sizes, with values as uneven as they are in life. {rows} in the big one.
INSERT INTO workspaces (id, slug, name, plan, status, default_currency, created_at, updated_at) VALUES
    ('00000000-0000-7000-8000-000000000001', 'big', 'Big', 'starter', 'active', 'USD', now(), now()),
    ('00000000-0000-7000-8000-000000000002', 'small', 'Small', 'starter', 'active', 'USD', now(), now());
CREATE TEMPORARY TABLE places AS
    SELECT workspace.id AS workspace_id, number,
        -- Random ids, as far apart as can be from the order of creation.
        md5(workspace.id::text || number)::uuid AS id,
        timestamptz '2025-01-01' + number * interval '1 minute' AS at,
        abs(hashint4(number)) % 1000 AS dice,
        -- Words that many rows have, but none of the newest.
        CASE WHEN number <= workspace.rows / 4 THEN 'oldest' WHEN number <= workspace.rows - 1500 THEN 'early' ELSE 'late' END
            AS age,
        rtrim(translate(encode(decode(replace(workspace.id::text, '-', ''), 'hex'), 'base64'), '+/', '-_'), '=') AS prefix
    FROM (VALUES ('00000000-0000-7000-8000-000000000001'::uuid, {rows}),
        ('00000000-0000-7000-8000-000000000002'::uuid, {rows} / 20)) AS workspace (id, rows)
    CROSS JOIN LATERAL generate_series(1, workspace.rows) AS number;

INSERT INTO users SELECT id, id || '@e.x', id || '@e.x', 'u', NULL, at FROM places WHERE number <= {rows} / 20;
INSERT INTO members (workspace_id, user_id, role, created_at, joined_at, updated_at)
    SELECT workspace_id, id, 'member', at, at, at FROM places WHERE number <= {rows} / 20;
INSERT INTO api_keys (workspace_id, id, name, lookup_id, secret_hash, scopes, created_at, updated_at, created_by_type,
        revoked_at, expires_at)
    SELECT workspace_id, id, 'k', id, decode(repeat('00', 32), 'hex'), '{}', at, at, 'system',
        CASE WHEN number % 5 > 0 THEN at END, CASE WHEN number % 10 > 0 THEN timestamptz '2030-01-01Z' END
    FROM places WHERE number <= {rows} / 20;
INSERT INTO audit_log (workspace_id, id, action, actor_type, actor_name, subject_type, subject_id, details, created_at)
    SELECT workspace_id, id, 'session.started', 'system', 'a', 'workspace', workspace_id, '{}', at FROM places;
INSERT INTO companies (workspace_id, id, name, domain, assigned_to, external_id, version, created_at, updated_at, created_by_type,
        search)
    SELECT workspace_id, id, 'ann', 'n' || number || '.example', md5(workspace_id::text || dice * dice % 100 + 1)::uuid,
        'x' || number, 1, at, at, 'system',
        array_to_tsvector(ARRAY[prefix || 'ann', prefix || 'word' || dice, prefix || 'rare' || number])
    FROM places;
INSERT INTO contacts (workspace_id, id, email, email_key, first_name, company_id, assigned_to, contact_type, external_id, status, tags,
        custom_fields, version, created_at, updated_at, created_by_type, search)
    SELECT workspace_id, id, id || '@e.x', id || '@e.x', 'ann', md5(workspace_id::text || number % 100 + 1)::uuid,
        md5(workspace_id::text || dice * dice % 100 + 1)::uuid,
        CASE WHEN dice < 900 THEN 'new' WHEN dice < 999 THEN 'customer' ELSE 'partner' END, 'x' || number,
        CASE WHEN dice < 900 THEN 'active' WHEN dice < 980 THEN 'pending' WHEN dice < 999 THEN 'inactive' ELSE 'blocked' END,
        '{}', '{}', 1, at, at, 'system',
        array_to_tsvector(ARRAY[prefix || 'ann', prefix || 'word' || dice, prefix || 'rare' || number,
            prefix || '#tag' || dice, prefix || '#all', prefix || age])
    FROM places;
INSERT INTO deals (workspace_id, id, title, contact_id, company_id, assigned_to, status, stage, value, currency, external_id,
        tags, custom_fields, version, created_at, updated_at, created_by_type, search)
    SELECT workspace_id, id, 'deal', md5(workspace_id::text || dice % 100 + 1)::uuid,
        md5(workspace_id::text || dice % 99 + 1)::uuid, md5(workspace_id::text || dice * dice % 100 + 1)::uuid,
        CASE WHEN dice < 850 THEN 'open' WHEN dice < 990 THEN 'closed_won' WHEN dice < 999 THEN 'closed_lost' ELSE 'on_hold' END,
        CASE WHEN dice < 600 THEN 'discovery' WHEN dice < 850 THEN 'proposal' WHEN dice < 990 THEN 'closed_won'
            WHEN dice < 999 THEN 'closed_lost' ELSE 'negotiation' END,
        number / 100.0, CASE WHEN dice < 900 THEN 'USD' WHEN dice < 999 THEN 'EUR' ELSE 'CHF' END, 'x' || number,
        '{}', '{}', 1, at, at, 'system',
        array_to_tsvector(ARRAY[prefix || 'deal', prefix || 'word' || dice, prefix || 'rare' || number,
            prefix || '#tag' || dice, prefix || '#all'])
    FROM places;
INSERT INTO saved_views (workspace_id, id, page, owner_id, name, query, column_names, shared, position, version, created_at,
        updated_at)
    SELECT workspace_id, md5(id::text || place)::uuid, page, id, 'v', '', '{}', number <= 28, number, 1, at, at
    FROM places CROSS JOIN unnest(ARRAY['contacts', 'companies', 'deals', 'projects', 'tasks', 'tickets', 'articles'])
        WITH ORDINALITY AS pages (page, place)
    WHERE number <= {rows} / 20;
INSERT INTO console_undos (workspace_id, id, user_id, kind, made_at, expires_at, entries)
    SELECT workspace_id, id, md5(workspace_id::text || dice % 100)::uuid, 'deal', at, at, '[]' FROM places
    WHERE number <= {rows} / 20;
INSERT INTO kb_vain_searches (workspace_id, term, searches, last_at)
    SELECT workspace_id, 'term ' || number, dice + 1, at FROM places;
INSERT INTO projects (workspace_id, id, name, status, priority, progress, external_id, hosted, version, created_at, updated_at,
        created_by_type, search)
    SELECT workspace_id, id, 'p', CASE WHEN dice < 600 THEN 'active' WHEN dice < 950 THEN 'completed' ELSE 'archived' END,
        'medium', 0, 'x' || number, false, 1, at, at, 'system',
        array_to_tsvector(ARRAY[prefix || 'project', prefix || 'word' || dice, prefix || 'rare' || number])
    FROM places WHERE number <= {rows} / 20;
INSERT INTO cycles (workspace_id, id, project_id, number, name, start_date, end_date, version, created_at, updated_at,
        created_by_type)
    SELECT workspace_id, id, md5(workspace_id::text || number % 20 + 1)::uuid, number, 'c', '2025-01-01', '2025-01-02', 1,
        at, at, 'system' FROM places WHERE number <= {rows} / 20;
INSERT INTO issues (workspace_id, id, kind, number, title, status, priority, project_id, cycle_id, assignee_id, due_at,
        labels, version, created_at, updated_at, created_by_type, search)
    SELECT workspace_id, id, kind, number, 'issue',
        CASE kind WHEN 'task' THEN CASE WHEN dice < 800 THEN 'done' WHEN dice < 998 THEN 'todo' ELSE 'in_review' END
            ELSE CASE WHEN dice < 900 THEN 'closed' WHEN dice < 999 THEN 'open' ELSE 'pending' END END,
        CASE WHEN dice < 900 THEN 'medium' WHEN dice < 999 THEN 'high' ELSE 'urgent' END,
        md5(workspace_id::text || dice % 20 + 1)::uuid,
        md5(workspace_id::text || dice % 20 + CASE WHEN dice % 20 = 0 THEN 20 ELSE 0 END)::uuid,
        CASE WHEN dice % 3 > 0 THEN md5(workspace_id::text || dice % 50 + 1)::uuid END,
        CASE WHEN dice % 2 = 0 THEN at + interval '30 days' END, '{}', 1, at, at, 'system',
        array_to_tsvector(ARRAY[prefix || letter || 'ann', prefix || letter || 'word' || dice,
            prefix || letter || 'rare' || number, prefix || letter || '#tag' || dice, prefix || letter || '#all',
            prefix || letter || '#' || age])
    FROM (SELECT *, CASE WHEN number % 5 = 0 THEN 'ticket' ELSE 'task' END AS kind,
        CASE WHEN number % 5 = 0 THEN 'k' ELSE 't' END AS letter FROM places) AS kinds;
-- As if these had been in their cycles before there was a history, which would also keep them from being erased first.
DELETE FROM cycle_history USING
    (SELECT workspace_id, id, row_number() OVER (PARTITION BY workspace_id ORDER BY id) AS place FROM issues) AS earliest
    WHERE place <= 100 AND cycle_history.workspace_id = earliest.workspace_id AND issue_id = earliest.id;
-- One of three tasks is tied to each kind of record.
UPDATE issues SET deal_id = CASE number % 3 WHEN 0 THEN record END, contact_id = CASE number % 3 WHEN 1 THEN record END,
    company_id = CASE number % 3 WHEN 2 THEN record END
    FROM (SELECT workspace_id, id, md5(workspace_id::text || number / 3 % 100 + 1)::uuid AS record FROM places) AS records
    WHERE issues.workspace_id = records.workspace_id AND issues.id = records.id AND kind = 'task';
-- Three of four tickets were asked for from outside.
UPDATE issues SET reference = 'TKT-' || lpad(number::text, 10, '0'), requester_name = 'n',
    requester_email = 'p' || number % 300 || '@example.com', requester_email_key = 'p' || number % 300 || '@example.com',
    ticket_type = CASE WHEN number % 7 = 0 THEN 'incident' ELSE 'question' END,
    requester_contact_id = md5(workspace_id::text || number % 50 + 1)::uuid
    WHERE kind = 'ticket' AND number % 20 <> 0;
-- Each ticket was read by one member.
INSERT INTO ticket_reads (workspace_id, user_id, ticket_id, seen_at)
    SELECT workspace_id, md5(workspace_id::text || number % 50 + 1)::uuid, id, created_at FROM issues WHERE kind = 'ticket';
INSERT INTO comments (workspace_id, id, issue_id, body, visibility, author_type, version, created_at, updated_at,
        created_by_type, search)
    SELECT workspace_id, id, md5(workspace_id::text || number % 200 + 1)::uuid, 'b',
        CASE WHEN number % 4 = 0 THEN 'public' ELSE 'internal' END, 'system', 1, at, at, 'system',
        array_to_tsvector(ARRAY[prefix || 'said', prefix || 'often' || dice, prefix || 'once' || number, prefix || age])
    FROM places;
INSERT INTO record_comments (workspace_id, id, contact_id, company_id, deal_id, body, author_type, version, created_at,
        updated_at, created_by_type, search)
    SELECT workspace_id, id, CASE number % 3 WHEN 0 THEN record END, CASE number % 3 WHEN 1 THEN record END,
        CASE number % 3 WHEN 2 THEN record END, 'b', 'system', 1, at, at, 'system',
        array_to_tsvector(ARRAY[prefix || letter || 'said', prefix || letter || 'often' || dice,
            prefix || letter || 'once' || number])
    FROM (SELECT *, substr('cod', number % 3 + 1, 1) AS letter,
        md5(workspace_id::text || number / 3 % 200 + 1)::uuid AS record FROM places) AS records;
INSERT INTO kb_articles (workspace_id, id, title, slug, body, status, tags, published_at, version, created_at, updated_at,
        created_by_type, words, search)
    SELECT workspace_id, id, 'article', 'article-' || number, 'b', CASE WHEN dice < 700 THEN 'published' ELSE 'draft' END,
        '{}', NULL, 1, at, at, 'system', ('articl:1A article:1A common:2A often' || dice % 20 || ':3A word' || dice
            || ':3 rare' || number || ':4')::tsvector,
        array_to_tsvector(ARRAY[prefix || 'article', prefix || 'word' || dice, prefix || 'rare' || number,
            prefix || '#tag' || dice, prefix || '#all'])
    FROM places;
INSERT INTO person_erasures (workspace_id, id, phase, emails, names, contacts, tickets, comments, events, deliveries,
        queued_emails, answers, audit_entries, created_by_type, created_by_name, created_at, finished_at)
    SELECT workspace_id, id, 'done', '{}', '{}', 1, 1, 1, 1, 1, 1, 1, 1, 'system', 'service', at, at FROM places;
-- Half an hour of each member in fifty minutes.
INSERT INTO time_entries (workspace_id, id, member_id, task_id, deal_id, date, started_at, ended_at, seconds, billable, note, status,
        in_project_id, for_company_id, version, created_at, updated_at, created_by_type)
    SELECT workspace_id, id, md5(workspace_id::text || number % 50 + 1)::uuid,
        CASE WHEN number % 2 = 0 THEN md5(workspace_id::text || number % 200 + 1)::uuid END,
        CASE WHEN number % 2 = 1 THEN md5(workspace_id::text || number % 100 + 1)::uuid END,
        -- The entries for days in 2020 were recorded before all others.
        CASE WHEN number <= 500 THEN date '2020-01-01' + number % 7 ELSE date '2025-01-01' + number % 365 END,
        at, at + interval '30 minutes', 1800, dice < 800, 'n',
        CASE WHEN dice < 900 THEN 'approved' WHEN dice < 999 THEN 'stopped' ELSE 'submitted' END,
        md5(workspace_id::text || dice % 20 + 1)::uuid, md5(workspace_id::text || dice % 99 + 1)::uuid, 1, at, at, 'system'
    FROM places;
INSERT INTO time_rates (workspace_id, member_id, place_id, project_id, rate, currency)
    SELECT DISTINCT workspace_id, member_id, in_project_id, in_project_id, 50, 'EUR' FROM time_entries;
-- The oldest replies are private, each of one of 50 members. Every other one has the same shortcut.
INSERT INTO canned_replies (workspace_id, id, title, shortcut, body, shared, version, created_at, updated_at, created_by_type,
        created_by_id, search)
    SELECT workspace_id, id, 'ann', CASE WHEN number % 2 = 0 THEN 'late' ELSE 's' || number END, 'b', age <> 'oldest', 1, at, at, 'user',
        md5(workspace_id::text || dice % 50 + 1)::uuid, array_to_tsvector(ARRAY[prefix || 'ann', prefix || 'rare' || number])
    FROM places;
-- Records of simple kinds: of those tables of records that have no rows yet.
DO $$
DECLARE
    record_table record;
BEGIN
    FOR record_table IN
        SELECT attrelid::regclass AS name, string_agg(quote_ident(attname), ', ' ORDER BY attnum) AS names,
            string_agg(CASE attname
                WHEN 'workspace_id' THEN 'workspace_id' WHEN 'id' THEN 'id' WHEN 'version' THEN '1'
                WHEN 'created_at' THEN 'at' WHEN 'updated_at' THEN 'at' WHEN 'created_by_type' THEN $text$'system'$text$
                WHEN 'search' THEN $text$array_to_tsvector(ARRAY[prefix || 'ann', prefix || 'rare' || number])$text$
                ELSE CASE format_type(atttypid, NULL) WHEN 'text' THEN $text$'text'$text$ WHEN 'boolean' THEN 'true' ELSE 'NULL' END
            END, ', ' ORDER BY attnum) AS expressions
        FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
        WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND attnum > 0 AND attnotnull AND NOT attisdropped
            AND attrelid IN (SELECT attrelid FROM pg_attribute WHERE attname = 'erased_at')
        GROUP BY attrelid
    LOOP
        EXECUTE format('INSERT INTO %s (%s) SELECT %s FROM places WHERE NOT EXISTS (SELECT FROM %s)',
            record_table.name, record_table.names, record_table.expressions, record_table.name);
    END LOOP;
END $$;
DROP TABLE places;
