-- Customer access to tickets, the knowledge base, and the erasure of personal data.
SET LOCAL lock_timeout = '3s';

-- An index uses this function. Changing it needs a migration that rebuilds the index.
CREATE FUNCTION kb_lexemes(of_workspace uuid, words tsvector) RETURNS tsvector LANGUAGE sql IMMUTABLE COST 1000 AS $$
    SELECT array_to_tsvector(array_agg(right(of_workspace::text, 8) || place || left(lexeme, 64)))
    FROM unnest(words) AS word CROSS JOIN LATERAL unnest(
        CASE WHEN word.weights && ARRAY['A', 'B'] THEN ARRAY['t', 'w'] ELSE ARRAY['w'] END) AS place
$$;
COMMENT ON FUNCTION kb_lexemes IS
    'Words for the index, each prefixed with the workspace and a letter: w for all words, and t in addition
for those of title and tags.';
REVOKE ALL ON FUNCTION kb_lexemes FROM PUBLIC;

CREATE TABLE tracking_links (
    workspace_id uuid NOT NULL,
    lookup_id text NOT NULL,
    issue_id uuid NOT NULL,
    secret_hash bytea NOT NULL CHECK (octet_length(secret_hash) = 32),
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    expires_at timestamptz NOT NULL,
    used_at timestamptz,
    is_requested boolean NOT NULL DEFAULT false,
    PRIMARY KEY (workspace_id, lookup_id),
    CONSTRAINT tracking_links_issue_fkey FOREIGN KEY (workspace_id, issue_id) REFERENCES issues(workspace_id, id)
);
CREATE UNIQUE INDEX tracking_links_lookup_id_key ON tracking_links (lookup_id);
CREATE INDEX tracking_links_oldest ON tracking_links (expires_at);
CREATE INDEX tracking_links_requested ON tracking_links (workspace_id, issue_id, expires_at)
    WHERE is_requested AND used_at IS NULL;
COMMENT ON TABLE tracking_links IS 'One-time links that take customers to a ticket, without the secrets of their tokens.';
COMMENT ON COLUMN tracking_links.lookup_id IS 'Public part of the token, by which the row is found.';
COMMENT ON COLUMN tracking_links.secret_hash IS 'SHA-256 of the secret part, which is random.';
COMMENT ON COLUMN tracking_links.is_requested IS 'Whether it was e-mailed because the customer requested it.';

CREATE TABLE portal_sessions (
    workspace_id uuid NOT NULL,
    id uuid NOT NULL,
    issue_id uuid NOT NULL,
    lookup_id text NOT NULL,
    secret_hash bytea NOT NULL CHECK (octet_length(secret_hash) = 32),
    created_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    PRIMARY KEY (workspace_id, id),
    CONSTRAINT portal_sessions_issue_fkey FOREIGN KEY (workspace_id, issue_id) REFERENCES issues(workspace_id, id)
);
CREATE UNIQUE INDEX portal_sessions_lookup_id_key ON portal_sessions (lookup_id);
CREATE INDEX portal_sessions_oldest ON portal_sessions (expires_at);
COMMENT ON TABLE portal_sessions IS 'Customers who opened a link: an hour of access to one ticket.';
COMMENT ON COLUMN portal_sessions.lookup_id IS 'Public part of the token, by which the row is found.';
COMMENT ON COLUMN portal_sessions.secret_hash IS 'SHA-256 of the secret part, which is random.';

CREATE TABLE kb_articles (
    workspace_id uuid NOT NULL REFERENCES workspaces,
    id uuid NOT NULL,
    title text NOT NULL,
    slug text NOT NULL,
    body text,
    status text NOT NULL CHECK (status IN ('draft', 'published')),
    tags text[] NOT NULL,
    published_at timestamptz,
    version bigint NOT NULL CHECK (version >= 1),
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    created_by_type text NOT NULL CHECK (created_by_type IN ('api_key', 'user', 'system')),
    created_by_id uuid,
    deleted_at timestamptz,
    words tsvector NOT NULL,
    words_by text NOT NULL DEFAULT '1',
    shown text,
    erased_at timestamptz,
    search tsvector,
    PRIMARY KEY (workspace_id, id)
) WITH (toast_tuple_target = 8160);
ALTER TABLE kb_articles ALTER COLUMN words SET STORAGE MAIN;
CREATE UNIQUE INDEX kb_articles_slug_key ON kb_articles (workspace_id, slug) WHERE deleted_at IS NULL;
CREATE INDEX kb_articles_newest ON kb_articles (workspace_id, created_at DESC, id DESC) WHERE deleted_at IS NULL;
CREATE INDEX kb_articles_by_status ON kb_articles (workspace_id, status, created_at DESC, id DESC) WHERE deleted_at IS NULL;
CREATE INDEX kb_articles_published ON kb_articles (workspace_id, created_at DESC, id DESC)
    WHERE deleted_at IS NULL AND status = 'published';
CREATE INDEX kb_articles_search ON kb_articles USING gin (kb_lexemes(workspace_id, words)) WITH (fastupdate = off)
    WHERE deleted_at IS NULL AND status = 'published';
CREATE INDEX kb_articles_words_by ON kb_articles (workspace_id, words_by) WHERE deleted_at IS NULL;
CREATE INDEX kb_articles_deleted ON kb_articles (workspace_id, created_at DESC, id DESC)
    WHERE deleted_at > '-infinity'::timestamptz AND erased_at IS NULL;
CREATE INDEX kb_articles_erasable ON kb_articles (deleted_at) WHERE deleted_at IS NOT NULL AND erased_at IS NULL;
CREATE INDEX kb_articles_by_word ON kb_articles USING gin (search) WITH (fastupdate = off)
    WHERE deleted_at IS NULL AND search IS NOT NULL;
CREATE INDEX kb_articles_search_stale ON kb_articles (workspace_id, id) WHERE search IS NULL AND deleted_at IS NULL;
COMMENT ON TABLE kb_articles IS 'The knowledge base. Any key with access to it can search the published articles.';
COMMENT ON COLUMN kb_articles.slug IS 'Name in URLs.';
COMMENT ON COLUMN kb_articles.body IS 'Markdown.';
COMMENT ON COLUMN kb_articles.published_at IS 'Published since then; null for a draft.';
COMMENT ON COLUMN kb_articles.words IS
    'The result of kb_words in the workspace''s language. Its texts are in lower case,
with blanks for symbols that are not part of words.';
COMMENT ON COLUMN kb_articles.words_by IS
    'Index version and language that words was made with. If they differ from the current ones, the article is reindexed.';
COMMENT ON COLUMN kb_articles.shown IS
    'The displayed text of a long body, stored because it takes too long to make for each search; null for a short body.';
COMMENT ON COLUMN kb_articles.erased_at IS 'When its content was erased. The row stays only because other records refer to it.';
COMMENT ON COLUMN kb_articles.search IS
    'What the list of articles is filtered by: the words of title and tags, and # with each tag, each prefixed with
the workspace, so that the index never mixes workspaces. Null until indexed. Knowledge base searches use words.';

CREATE TABLE kb_vain_searches (
    workspace_id uuid NOT NULL REFERENCES workspaces,
    term text NOT NULL CHECK (char_length(term) >= 1 AND char_length(term) <= 100),
    searches bigint NOT NULL CHECK (searches >= 1),
    last_at timestamptz NOT NULL,
    PRIMARY KEY (workspace_id, term)
);
CREATE INDEX kb_vain_searches_most ON kb_vain_searches (workspace_id, searches DESC, last_at DESC, term);
COMMENT ON TABLE kb_vain_searches IS 'Search terms that no article matched: about 1,000 per workspace. Who searched is not stored.';
COMMENT ON COLUMN kb_vain_searches.term IS
    'The search''s words in lower case. Terms that could be a person''s address or number are not stored.';

CREATE TABLE person_erasures (
    workspace_id uuid NOT NULL REFERENCES workspaces,
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
    created_by_type text NOT NULL CHECK (created_by_type IN ('api_key', 'user', 'system')),
    created_by_id uuid,
    created_by_name text NOT NULL,
    created_at timestamptz NOT NULL,
    finished_at timestamptz,
    turn_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (workspace_id, id),
    CONSTRAINT person_erasures_finished_check CHECK ((finished_at IS NOT NULL) = (phase = 'done')),
    CHECK (phase IN ('contacts', 'tickets', 'comments', 'emails', 'answers', 'deliveries', 'events', 'reports',
        'audit_log', 'records', 'done')),
    CONSTRAINT person_erasures_values_check CHECK (phase <> 'done' OR (emails = '{}' AND names = '{}'))
);
CREATE INDEX person_erasures_unfinished ON person_erasures (workspace_id, turn_at, id) WHERE finished_at IS NULL;
CREATE INDEX person_erasures_newest ON person_erasures (workspace_id, created_at DESC, id DESC);
COMMENT ON TABLE person_erasures IS
    'Requests to erase a person''s data. A worker runs them in steps; each step continues where the last one ended.';
COMMENT ON COLUMN person_erasures.phase IS 'What the next step erases.';
COMMENT ON COLUMN person_erasures.behind IS 'Where the phase continues; null at its start.';
COMMENT ON COLUMN person_erasures.emails IS 'The addresses to look for. Empty once it is done, like names.';
COMMENT ON COLUMN person_erasures.contacts IS 'Number of contacts erased; the other counts are likewise.';
COMMENT ON COLUMN person_erasures.turn_at IS 'Oldest first: when it was requested, or when one of its steps last failed.';

CREATE TABLE person_erasure_records (
    workspace_id uuid NOT NULL,
    erasure_id uuid NOT NULL,
    record_id uuid NOT NULL,
    PRIMARY KEY (workspace_id, erasure_id, record_id),
    CONSTRAINT person_erasure_records_erasure_fkey FOREIGN KEY (workspace_id, erasure_id)
        REFERENCES person_erasures(workspace_id, id) ON DELETE CASCADE
);
COMMENT ON TABLE person_erasure_records IS
    'Contacts and tickets whose content an erasure has erased, kept until their comments and events are erased too.';
