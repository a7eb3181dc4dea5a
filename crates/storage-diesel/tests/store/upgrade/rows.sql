-- Rows of the schema of 2026-11-21: 3 workspaces, each with 40 of most records, whose ids end with their numbers.
CREATE FUNCTION pg_temp.id(workspace int, kind int, number int) RETURNS uuid LANGUAGE sql AS $$
    SELECT format('00000000-0000-7%s-8%s-%s', lpad(workspace::text, 3, '0'), lpad(kind::text, 3, '0'), lpad(number::text, 12, '0'))::uuid
$$;
CREATE TEMP TABLE numbers AS
    SELECT workspace, number, pg_temp.id(workspace, 0, 0) AS workspace_id, timestamptz '2026-11-01Z' + number * interval '1 hour' AS at
    FROM generate_series(1, 3) AS workspace, generate_series(1, 40) AS number;

INSERT INTO workspaces (id, slug, name, plan, status, default_currency, created_at, updated_at)
    SELECT pg_temp.id(n, 0, 0), 'w' || n, 'Workspace ' || n, 'professional', 'active', 'EUR', '2026-11-01Z', '2026-11-01Z'
    FROM generate_series(1, 3) AS n;
INSERT INTO users SELECT pg_temp.id(n, 1, 0), 'Owner@w' || n || '.example', 'owner@w' || n || '.example', 'Owner', NULL, '2026-11-01Z'
    FROM generate_series(1, 3) AS n;
INSERT INTO members (workspace_id, user_id, role, created_at, joined_at, updated_at)
    SELECT pg_temp.id(n, 0, 0), pg_temp.id(n, 1, 0), 'owner', '2026-11-01Z', '2026-11-01Z', '2026-11-01Z' FROM generate_series(1, 3) AS n;
INSERT INTO sessions SELECT pg_temp.id(n, 0, 0), pg_temp.id(n, 2, 0), pg_temp.id(n, 1, 0), 's' || n, decode(repeat('00', 32), 'hex'),
    '2026-11-01Z', '2027-11-01Z' FROM generate_series(1, 3) AS n;
INSERT INTO api_keys (workspace_id, id, name, lookup_id, secret_hash, scopes, preset, created_at, updated_at, created_by_type)
    SELECT workspace_id, pg_temp.id(workspace, 3, number), 'key ' || number, workspace || '-' || number, decode(repeat('00', 32), 'hex'),
        '{contacts:read}', CASE WHEN number % 2 = 0 THEN 'crm' END, at, at, 'system' FROM numbers;
INSERT INTO audit_log SELECT workspace_id, pg_temp.id(workspace, 4, number), 'api_key.created', 'user', pg_temp.id(workspace, 1, 0),
    'Owner', 'api_key', pg_temp.id(workspace, 3, number), '{"name": "key"}', '192.0.2.1', at FROM numbers;
INSERT INTO companies (workspace_id, id, name, domain, external_id, version, created_at, updated_at, created_by_type, deleted_at, search)
    SELECT workspace_id, pg_temp.id(workspace, 5, number), 'Company ' || number, 'c' || number || '.example', 'c-' || number, 1, at, at,
        'system', CASE WHEN number > 38 THEN at END, to_tsvector('simple', 'Company ' || number) FROM numbers;
INSERT INTO contacts (workspace_id, id, email, email_key, first_name, company_id, contact_type, status, tags, custom_fields, version,
        created_at, updated_at, created_by_type, deleted_at, search)
    SELECT workspace_id, pg_temp.id(workspace, 6, number), 'Person' || number || '@example.org', 'person' || number || '@example.org',
        'Grace ' || number, pg_temp.id(workspace, 5, number), 'lead', 'active', '{vip}', '{"score": 7}', 1, at, at, 'user',
        CASE WHEN number > 38 THEN at END, '' FROM numbers;
INSERT INTO deals (workspace_id, id, title, contact_id, company_id, assigned_to, status, stage, value, currency, tags, custom_fields,
        version, created_at, updated_at, created_by_type, deleted_at)
    SELECT workspace_id, pg_temp.id(workspace, 7, number), 'Deal ' || number, pg_temp.id(workspace, 6, number),
        pg_temp.id(workspace, 5, number), pg_temp.id(workspace, 1, 0), CASE WHEN number % 4 = 0 THEN 'closed_won' ELSE 'open' END,
        CASE WHEN number % 4 = 0 THEN 'closed_won' ELSE 'proposal' END, 100 * number, 'EUR', '{}', '{}', 1, at, at, 'api_key',
        CASE WHEN number > 38 THEN at END FROM numbers;
INSERT INTO projects (workspace_id, id, name, status, priority, progress, hosted, version, created_at, updated_at, created_by_type)
    SELECT workspace_id, pg_temp.id(workspace, 8, number), 'Project ' || number, 'active', 'high', 0, false, 1, at, at, 'system'
    FROM numbers;
INSERT INTO cycles (workspace_id, id, project_id, number, name, start_date, end_date, version, created_at, updated_at, created_by_type)
    SELECT workspace_id, pg_temp.id(workspace, 9, number), pg_temp.id(workspace, 8, number), 1, 'Cycle', '2026-11-01', '2026-11-14', 1,
        at, at, 'system' FROM numbers;
INSERT INTO issues (workspace_id, id, kind, number, title, description, status, priority, project_id, assignee_id, cycle_id, labels,
        completed_at, version, created_at, updated_at, created_by_type, search)
    SELECT workspace_id, pg_temp.id(workspace, 10, number), 'task', number, 'Task ' || number, 'Oil the bearings',
        CASE WHEN number % 2 = 0 THEN 'done' ELSE 'todo' END, 'medium', pg_temp.id(workspace, 8, number), pg_temp.id(workspace, 1, 0),
        pg_temp.id(workspace, 9, number), '{urgent}', CASE WHEN number % 2 = 0 THEN at END, 1, at, at, 'user', '' FROM numbers;
INSERT INTO issues (workspace_id, id, kind, number, reference, title, status, priority, labels, completed_at, version, created_at,
        updated_at, created_by_type, search, requester_name, requester_email, requester_email_key, ticket_type, requester_contact_id)
    SELECT workspace_id, pg_temp.id(workspace, 11, number), 'ticket', number, 'T' || workspace || '-' || number, 'Ticket ' || number,
        CASE WHEN number % 2 = 0 THEN 'resolved' ELSE 'open' END, 'low', '{}', CASE WHEN number % 2 = 0 THEN at END, 1, at, at, 'system',
        to_tsvector('simple', 'Ticket ' || number), 'Grace', 'Person' || number || '@example.org', 'person' || number || '@example.org', 'question',
        pg_temp.id(workspace, 6, number) FROM numbers;
INSERT INTO issue_counters SELECT pg_temp.id(n, 0, 0), kind, 41 FROM generate_series(1, 3) AS n, unnest('{task,ticket}'::text[]) AS kind;
INSERT INTO comments (workspace_id, id, issue_id, body, visibility, author_type, author_id, version, created_at, updated_at, created_by_type)
    SELECT workspace_id, pg_temp.id(workspace, 12, number), pg_temp.id(workspace, 11, number), 'An answer', 'public', 'user',
        pg_temp.id(workspace, 1, 0), 1, at, at, 'user' FROM numbers;
INSERT INTO kb_articles (workspace_id, id, title, slug, body, status, tags, published_at, version, created_at, updated_at,
        created_by_type, words)
    SELECT workspace_id, pg_temp.id(workspace, 13, number), 'Article ' || number, 'article-' || number, 'Oil the bearings', 'published',
        '{}', at, 1, at, at, 'user', '' FROM numbers;
INSERT INTO webhook_subscriptions (workspace_id, id, module, url, events, enabled, secret_key_id, secret, version, created_at,
        updated_at, created_by_type)
    SELECT pg_temp.id(n, 0, 0), pg_temp.id(n, 14, 0), 'crm', 'https://hooks.example/in', '{*}', true, 'k', '\x00', 1, '2026-11-01Z',
        '2026-11-01Z', 'user' FROM generate_series(1, 3) AS n;
INSERT INTO webhook_deliveries (workspace_id, id, subscription_id, event, body, state, attempts, next_attempt_at, created_at, finished_at)
    SELECT workspace_id, pg_temp.id(workspace, 15, number), pg_temp.id(workspace, 14, 0), 'deal.created', '{"id": "x"}',
        CASE WHEN number % 2 = 0 THEN 'succeeded' ELSE 'pending' END, number % 2, CASE WHEN number % 2 = 1 THEN at END, at,
        CASE WHEN number % 2 = 0 THEN at END FROM numbers;
INSERT INTO webhook_attempts SELECT workspace_id, pg_temp.id(workspace, 15, number), 1, at, 12, 200, NULL, 'ok' FROM numbers;
INSERT INTO idempotency_keys SELECT workspace_id, pg_temp.id(workspace, 3, number), 'POST /api/v1/crm/contacts', 'k' || number,
    decode(repeat('00', 32), 'hex'), 201, NULL, '{}', at FROM numbers;
INSERT INTO request_counts SELECT workspace_id, date '2026-11-01' + number, number FROM numbers;
INSERT INTO crm_quota SELECT pg_temp.id(n, 0, 0), '2026-11-01', 120, 120 FROM generate_series(1, 3) AS n;
INSERT INTO mails (workspace_id, id, recipient, subject, attempts, created_at, sent_at)
    SELECT workspace_id, pg_temp.id(workspace, 16, number), 'person@example.org', 'Your ticket', 1, at, at FROM numbers;
