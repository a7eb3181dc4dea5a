-- A migration that has to wait for a lock gives up rather than make everybody else queue behind it.
SET LOCAL lock_timeout = '3s';

CREATE TABLE saved_views (
    workspace_id uuid NOT NULL,
    id uuid NOT NULL,
    page text NOT NULL CONSTRAINT saved_views_page_check
        CHECK (page IN ('contacts', 'companies', 'deals', 'projects', 'tasks', 'tickets', 'articles')),
    owner_id uuid NOT NULL,
    name text NOT NULL,
    query text NOT NULL,
    column_names text[] NOT NULL,
    shared boolean NOT NULL,
    position integer NOT NULL CONSTRAINT saved_views_position_check CHECK (position >= 1),
    version bigint NOT NULL CONSTRAINT saved_views_version_check CHECK (version >= 1),
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    PRIMARY KEY (workspace_id, id),
    CONSTRAINT saved_views_owner_fkey FOREIGN KEY (workspace_id, owner_id) REFERENCES members (workspace_id, user_id)
);
CREATE INDEX saved_views_own ON saved_views (workspace_id, owner_id, page) WHERE NOT shared;
CREATE INDEX saved_views_shared ON saved_views (workspace_id, page) WHERE shared;
COMMENT ON TABLE saved_views IS
    'Lists under a name: at most 50 of a member alone and 200 that members share, which the domain sees to.';
COMMENT ON COLUMN saved_views.query IS 'The query string of the page, without its question mark.';
COMMENT ON COLUMN saved_views.column_names IS 'The columns that are shown; empty for those that the page shows by default.';
COMMENT ON COLUMN saved_views.position IS 'Its place on the page; several may have the same.';
