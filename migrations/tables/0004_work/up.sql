-- Projects, cycles, issues and the comments on all records; drafts, presence and saved views.
SET LOCAL lock_timeout = '3s';

-- Triggers need their functions to exist. The real bodies are in ../../functions.
CREATE FUNCTION note_cycle_history() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END';

CREATE TABLE projects (
    workspace_id uuid NOT NULL REFERENCES workspaces,
    id uuid NOT NULL,
    name text NOT NULL,
    description text,
    status text NOT NULL CHECK (status IN ('planning', 'active', 'on_hold', 'completed', 'cancelled', 'archived')),
    priority text NOT NULL CHECK (priority IN ('low', 'medium', 'high', 'urgent')),
    progress integer NOT NULL CHECK (progress >= 0 AND progress <= 100),
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
    version bigint NOT NULL CHECK (version >= 1),
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    created_by_type text NOT NULL CHECK (created_by_type IN ('api_key', 'user', 'system')),
    created_by_id uuid,
    deleted_at timestamptz,
    search tsvector,
    erased_at timestamptz,
    PRIMARY KEY (workspace_id, id),
    CONSTRAINT projects_company_fkey FOREIGN KEY (workspace_id, company_id) REFERENCES companies(workspace_id, id),
    CONSTRAINT projects_deal_fkey FOREIGN KEY (workspace_id, deal_id) REFERENCES deals(workspace_id, id),
    CONSTRAINT projects_lead_fkey FOREIGN KEY (workspace_id, lead_user_id) REFERENCES members(workspace_id, user_id),
    CONSTRAINT projects_dates_check CHECK (end_date >= start_date)
);
CREATE UNIQUE INDEX projects_external_id_key ON projects (workspace_id, external_id)
    WHERE deleted_at IS NULL AND external_id IS NOT NULL;
CREATE INDEX projects_newest ON projects (workspace_id, created_at DESC, id DESC) WHERE deleted_at IS NULL;
CREATE INDEX projects_by_status ON projects (workspace_id, status, created_at DESC, id DESC) WHERE deleted_at IS NULL;
CREATE INDEX projects_search ON projects USING gin (search) WITH (fastupdate = off)
    WHERE deleted_at IS NULL AND search IS NOT NULL;
CREATE INDEX projects_search_stale ON projects (workspace_id, id) WHERE search IS NULL AND deleted_at IS NULL;
CREATE INDEX projects_deleted ON projects (workspace_id, created_at DESC, id DESC)
    WHERE deleted_at > '-infinity'::timestamptz AND erased_at IS NULL;
CREATE INDEX projects_erasable ON projects (deleted_at) WHERE deleted_at IS NOT NULL AND erased_at IS NULL;
CREATE INDEX projects_by_change ON projects (workspace_id, updated_at, id)
    WHERE deleted_at IS NULL AND updated_at > '-infinity'::timestamptz;
COMMENT ON TABLE projects IS 'Projects contain tasks and cycles, which are hidden while the project is deleted.';
COMMENT ON COLUMN projects.team_id IS 'Refers to a record kept in another system, like template_id.';
COMMENT ON COLUMN projects.search IS
    'The words of name and description, each prefixed with the workspace, so that the index never mixes workspaces.
Null until indexed.';
COMMENT ON COLUMN projects.erased_at IS 'When its content was erased. The row stays only because other records refer to it.';

CREATE TABLE cycles (
    workspace_id uuid NOT NULL REFERENCES workspaces,
    id uuid NOT NULL,
    project_id uuid NOT NULL,
    number integer NOT NULL CHECK (number >= 1),
    name text NOT NULL,
    goal text,
    start_date date NOT NULL,
    end_date date NOT NULL,
    version bigint NOT NULL CHECK (version >= 1),
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    created_by_type text NOT NULL CHECK (created_by_type IN ('api_key', 'user', 'system')),
    created_by_id uuid,
    deleted_at timestamptz,
    erased_at timestamptz,
    PRIMARY KEY (workspace_id, id),
    CONSTRAINT cycles_number_key UNIQUE (workspace_id, project_id, number),
    CONSTRAINT cycles_project_id_key UNIQUE (workspace_id, project_id, id),
    CONSTRAINT cycles_project_fkey FOREIGN KEY (workspace_id, project_id) REFERENCES projects(workspace_id, id),
    CONSTRAINT cycles_dates_check CHECK (end_date >= start_date)
);
CREATE INDEX cycles_newest ON cycles (workspace_id, project_id, created_at DESC, id DESC) WHERE deleted_at IS NULL;
CREATE INDEX cycles_deleted ON cycles (workspace_id, project_id, created_at DESC, id DESC)
    WHERE deleted_at > '-infinity'::timestamptz AND erased_at IS NULL;
CREATE INDEX cycles_erasable ON cycles (deleted_at) WHERE deleted_at IS NOT NULL AND erased_at IS NULL;
COMMENT ON TABLE cycles IS 'Date ranges of a project. The domain ensures that those of one project do not overlap.';
COMMENT ON COLUMN cycles.number IS '1, 2, … within the project, counting deleted cycles.';
COMMENT ON COLUMN cycles.erased_at IS 'When its content was erased. The row stays only because other records refer to it.';

CREATE TABLE issue_counters (
    workspace_id uuid NOT NULL REFERENCES workspaces,
    kind text NOT NULL CHECK (kind IN ('task', 'ticket')),
    next_number bigint NOT NULL,
    PRIMARY KEY (workspace_id, kind)
) WITH (fillfactor = 10);
COMMENT ON TABLE issue_counters IS
    'Numbers of issues. Every create updates a row, so most of its page is left free for new row versions.';

CREATE TABLE issues (
    workspace_id uuid NOT NULL REFERENCES workspaces,
    id uuid NOT NULL,
    kind text NOT NULL CHECK (kind IN ('task', 'ticket')),
    number bigint NOT NULL CHECK (number >= 1),
    reference text,
    title text NOT NULL,
    description text,
    status text NOT NULL,
    priority text NOT NULL CHECK (priority IN ('low', 'medium', 'high', 'urgent')),
    project_id uuid,
    assignee_id uuid,
    due_at timestamptz,
    start_date date,
    parent_id uuid,
    epic_id uuid,
    cycle_id uuid,
    estimate_hours numeric(7,2) CHECK (estimate_hours >= 0),
    labels text[] NOT NULL,
    completed_at timestamptz,
    version bigint NOT NULL CHECK (version >= 1),
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    created_by_type text NOT NULL CHECK (created_by_type IN ('api_key', 'user', 'system')),
    created_by_id uuid,
    deleted_at timestamptz,
    search tsvector NOT NULL,
    requester_name text,
    requester_email text,
    requester_email_key text,
    ticket_type text CHECK (ticket_type IN ('question', 'incident', 'problem', 'request')),
    requester_contact_id uuid,
    resolved_at timestamptz,
    search_stale boolean NOT NULL DEFAULT false,
    deal_id uuid,
    contact_id uuid,
    company_id uuid,
    erased_at timestamptz,
    PRIMARY KEY (workspace_id, id),
    CONSTRAINT issues_kind_id_key UNIQUE (workspace_id, kind, id),
    CONSTRAINT issues_number_key UNIQUE (workspace_id, kind, number),
    CONSTRAINT issues_assignee_fkey FOREIGN KEY (workspace_id, assignee_id) REFERENCES members(workspace_id, user_id),
    CONSTRAINT issues_company_fkey FOREIGN KEY (workspace_id, company_id) REFERENCES companies(workspace_id, id),
    CONSTRAINT issues_contact_fkey FOREIGN KEY (workspace_id, contact_id) REFERENCES contacts(workspace_id, id),
    CONSTRAINT issues_cycle_fkey FOREIGN KEY (workspace_id, project_id, cycle_id)
        REFERENCES cycles(workspace_id, project_id, id),
    CONSTRAINT issues_deal_fkey FOREIGN KEY (workspace_id, deal_id) REFERENCES deals(workspace_id, id),
    CONSTRAINT issues_epic_fkey FOREIGN KEY (workspace_id, kind, epic_id) REFERENCES issues(workspace_id, kind, id),
    CONSTRAINT issues_parent_fkey FOREIGN KEY (workspace_id, kind, parent_id) REFERENCES issues(workspace_id, kind, id),
    CONSTRAINT issues_project_fkey FOREIGN KEY (workspace_id, project_id) REFERENCES projects(workspace_id, id),
    CONSTRAINT issues_requester_contact_fkey FOREIGN KEY (workspace_id, requester_contact_id)
        REFERENCES contacts(workspace_id, id),
    CONSTRAINT issues_cycle_check CHECK (cycle_id IS NULL OR project_id IS NOT NULL),
    CONSTRAINT issues_reference_check CHECK (reference IS NULL OR kind = 'ticket'),
    CONSTRAINT issues_requester_check CHECK (num_nonnulls(requester_name, requester_email, requester_email_key,
        ticket_type) IN (0, 4) AND (requester_email_key IS NULL OR kind = 'ticket') AND (requester_contact_id IS NULL
        OR requester_email_key IS NOT NULL)),
    CONSTRAINT issues_status_check CHECK ( CASE kind WHEN 'task' THEN (status IN ('backlog', 'todo', 'in_progress',
        'in_review', 'done', 'cancelled')) ELSE (status IN ('open', 'pending', 'on_hold', 'resolved', 'closed')) END),
    CONSTRAINT issues_ties_check CHECK (kind = 'task' OR num_nonnulls(deal_id, contact_id, company_id) = 0)
);
CREATE UNIQUE INDEX issues_reference_key ON issues (workspace_id, reference) WHERE reference IS NOT NULL;
CREATE INDEX issues_newest ON issues (workspace_id, kind, created_at DESC, id DESC) WHERE deleted_at IS NULL;
CREATE INDEX issues_by_status ON issues (workspace_id, kind, status, created_at DESC, id DESC) WHERE deleted_at IS NULL;
CREATE INDEX issues_by_project ON issues (workspace_id, project_id, kind, created_at DESC, id DESC)
    WHERE deleted_at IS NULL AND project_id IS NOT NULL;
CREATE INDEX issues_by_cycle ON issues (workspace_id, cycle_id, status) WHERE deleted_at IS NULL AND cycle_id IS NOT NULL;
CREATE INDEX issues_search ON issues USING gin (search) WITH (fastupdate = off) WHERE deleted_at IS NULL;
CREATE INDEX issues_requested_newest ON issues (workspace_id, created_at DESC, id DESC)
    WHERE deleted_at IS NULL AND requester_email_key IS NOT NULL;
CREATE INDEX issues_requested_by_status ON issues (workspace_id, status, created_at DESC, id DESC)
    WHERE deleted_at IS NULL AND requester_email_key IS NOT NULL;
CREATE INDEX issues_requested_by_email ON issues (workspace_id, requester_email_key, created_at DESC, id DESC)
    WHERE deleted_at IS NULL AND requester_email_key IS NOT NULL;
CREATE INDEX issues_requested_by_type ON issues (workspace_id, ticket_type, created_at DESC, id DESC)
    WHERE deleted_at IS NULL AND requester_email_key IS NOT NULL;
CREATE INDEX issues_by_assignee
    ON issues (workspace_id, kind, COALESCE(assignee_id, '00000000-0000-0000-0000-000000000000'::uuid), created_at DESC,
        id DESC) WHERE deleted_at IS NULL;
CREATE INDEX issues_by_priority ON issues (workspace_id, kind, priority, created_at DESC, id DESC) WHERE deleted_at IS NULL;
CREATE INDEX issues_of_cycle ON issues (workspace_id, cycle_id, kind, created_at DESC, id DESC)
    WHERE deleted_at IS NULL AND cycle_id IS NOT NULL;
CREATE INDEX issues_by_due ON issues (workspace_id, kind, due_at) WHERE deleted_at IS NULL AND due_at IS NOT NULL;
CREATE INDEX issues_by_requester_contact ON issues (workspace_id, requester_contact_id, created_at DESC, id DESC)
    WHERE deleted_at IS NULL AND requester_contact_id IS NOT NULL;
CREATE INDEX issues_search_stale ON issues (workspace_id, id) WHERE search_stale AND deleted_at IS NULL AND labels <> '{}';
CREATE INDEX issues_by_deal ON issues (workspace_id, deal_id, kind, created_at DESC, id DESC)
    WHERE deleted_at IS NULL AND deal_id IS NOT NULL;
CREATE INDEX issues_by_contact ON issues (workspace_id, contact_id, kind, created_at DESC, id DESC)
    WHERE deleted_at IS NULL AND contact_id IS NOT NULL;
CREATE INDEX issues_by_company ON issues (workspace_id, company_id, kind, created_at DESC, id DESC)
    WHERE deleted_at IS NULL AND company_id IS NOT NULL;
CREATE INDEX issues_by_parent ON issues (workspace_id, kind, parent_id) WHERE parent_id IS NOT NULL;
CREATE INDEX issues_by_epic ON issues (workspace_id, kind, epic_id) WHERE epic_id IS NOT NULL;
CREATE INDEX issues_deleted ON issues (workspace_id, kind, created_at DESC, id DESC)
    WHERE deleted_at > '-infinity'::timestamptz AND erased_at IS NULL;
CREATE INDEX issues_deleted_with_project ON issues (workspace_id, project_id, deleted_at)
    WHERE deleted_at > '-infinity'::timestamptz AND erased_at IS NULL;
CREATE INDEX issues_erasable ON issues (deleted_at) WHERE deleted_at IS NOT NULL AND erased_at IS NULL;
CREATE INDEX issues_by_change ON issues (workspace_id, kind, updated_at, id)
    WHERE deleted_at IS NULL AND updated_at > '-infinity'::timestamptz;
CREATE INDEX issues_to_do ON issues (workspace_id, assignee_id, due_at, id)
    WHERE deleted_at IS NULL AND kind = 'task' AND status IN ('backlog', 'todo', 'in_progress', 'in_review')
        AND assignee_id IS NOT NULL;
CREATE INDEX issues_by_project_and_status ON issues (workspace_id, project_id, kind, status, created_at DESC, id DESC)
    WHERE deleted_at IS NULL AND project_id IS NOT NULL;
CREATE STATISTICS issues_assignee ON COALESCE(assignee_id, '00000000-0000-0000-0000-000000000000'::uuid) FROM issues;
CREATE TRIGGER issues_enter_cycles AFTER INSERT
    ON issues FOR EACH ROW WHEN ((new.cycle_id IS NOT NULL)) EXECUTE FUNCTION note_cycle_history();
CREATE TRIGGER issues_change_in_cycles AFTER UPDATE
    ON issues FOR EACH ROW WHEN (((old.cycle_id IS DISTINCT FROM new.cycle_id) OR ((new.cycle_id IS NOT NULL)
        AND (((old.deleted_at IS NULL) <> (new.deleted_at IS NULL)) OR ((old.status = ANY (ARRAY['done', 'resolved',
        'closed'])) <> (new.status = ANY (ARRAY['done', 'resolved',
        'closed']))))))) EXECUTE FUNCTION note_cycle_history();
COMMENT ON TABLE issues IS 'Tasks and tickets. An issue refers only to issues of the same kind and workspace.';
COMMENT ON COLUMN issues.number IS 'Ascending within the workspace and kind, with gaps; see issue_counters.';
COMMENT ON COLUMN issues.reference IS 'The reference that customers use for a ticket. Cannot be guessed.';
COMMENT ON COLUMN issues.search IS
    'The words of title and description, and # with each label, each prefixed with workspace and kind,
so that the index never mixes them.';
COMMENT ON COLUMN issues.requester_name IS 'Set, with the next two columns and ticket_type, if the ticket was requested from outside.';
COMMENT ON COLUMN issues.requester_email_key IS 'The address in lower case. Two addresses with the same key are the same address.';
COMMENT ON COLUMN issues.requester_contact_id IS 'The contact who had the address when the ticket was opened.';
COMMENT ON COLUMN issues.resolved_at IS
    'When a ticket was resolved or closed; null if it has been reopened since. Unknown (null) for older tickets.';
COMMENT ON COLUMN issues.search_stale IS 'Whether search was written before it included labels.';
COMMENT ON COLUMN issues.deal_id IS 'What a task is about, like contact_id and company_id; null for tickets.';
COMMENT ON COLUMN issues.erased_at IS 'When its content was erased. The row stays only because other records refer to it.';

CREATE TABLE cycle_history (
    workspace_id uuid NOT NULL,
    cycle_id uuid NOT NULL,
    issue_id uuid NOT NULL,
    day date NOT NULL,
    is_in boolean NOT NULL,
    is_done boolean NOT NULL,
    PRIMARY KEY (workspace_id, cycle_id, issue_id, day),
    CONSTRAINT cycle_history_issue_fkey FOREIGN KEY (workspace_id, issue_id) REFERENCES issues(workspace_id, id),
    CONSTRAINT cycle_history_done_check CHECK (is_in OR NOT is_done)
);
COMMENT ON TABLE cycle_history IS
    'The state of issues in cycles at the end of each UTC day on which it changed: at most one row per issue, cycle and day.
Issues that were in a cycle before this table existed and have not changed since have no rows;
the burn-up chart derives their state from the issue.';
COMMENT ON COLUMN cycle_history.cycle_id IS
    'No foreign key: the issue was in the cycle, so the issue''s own foreign key has checked it.';
COMMENT ON COLUMN cycle_history.is_in IS 'Whether the issue was live and in the cycle.';

CREATE TABLE comments (
    workspace_id uuid NOT NULL REFERENCES workspaces,
    id uuid NOT NULL,
    issue_id uuid NOT NULL,
    body text NOT NULL,
    visibility text NOT NULL CHECK (visibility IN ('public', 'internal')),
    author_type text NOT NULL CHECK (author_type IN ('api_key', 'user', 'system', 'customer')),
    author_id uuid,
    version bigint NOT NULL CHECK (version >= 1),
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    created_by_type text NOT NULL CHECK (created_by_type IN ('api_key', 'user', 'system')),
    created_by_id uuid,
    edited_at timestamptz,
    PRIMARY KEY (workspace_id, id),
    CONSTRAINT comments_issue_fkey FOREIGN KEY (workspace_id, issue_id) REFERENCES issues(workspace_id, id)
);
CREATE INDEX comments_oldest ON comments (workspace_id, issue_id, created_at, id);
CREATE INDEX comments_public ON comments (workspace_id, issue_id, created_at DESC, id DESC) WHERE visibility = 'public';
COMMENT ON TABLE comments IS 'Comments on issues. Hidden while the issue is deleted.';
COMMENT ON COLUMN comments.edited_at IS 'When the text was last changed; null if never.';

CREATE TABLE record_comments (
    workspace_id uuid NOT NULL,
    id uuid NOT NULL,
    contact_id uuid,
    company_id uuid,
    deal_id uuid,
    body text NOT NULL,
    author_type text NOT NULL CHECK (author_type IN ('api_key', 'user', 'system')),
    author_id uuid,
    edited_at timestamptz,
    version bigint NOT NULL CHECK (version >= 1),
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    created_by_type text NOT NULL CHECK (created_by_type IN ('api_key', 'user', 'system')),
    created_by_id uuid,
    PRIMARY KEY (workspace_id, id),
    CONSTRAINT record_comments_company_fkey FOREIGN KEY (workspace_id, company_id) REFERENCES companies(workspace_id, id),
    CONSTRAINT record_comments_contact_fkey FOREIGN KEY (workspace_id, contact_id) REFERENCES contacts(workspace_id, id),
    CONSTRAINT record_comments_deal_fkey FOREIGN KEY (workspace_id, deal_id) REFERENCES deals(workspace_id, id),
    CONSTRAINT record_comments_record_check CHECK (num_nonnulls(contact_id, company_id, deal_id) = 1)
);
CREATE INDEX record_comments_of_contact ON record_comments (workspace_id, contact_id, created_at, id) WHERE contact_id IS NOT NULL;
CREATE INDEX record_comments_of_company ON record_comments (workspace_id, company_id, created_at, id) WHERE company_id IS NOT NULL;
CREATE INDEX record_comments_of_deal ON record_comments (workspace_id, deal_id, created_at, id) WHERE deal_id IS NOT NULL;
COMMENT ON TABLE record_comments IS 'Comments on contacts, companies and deals. Hidden while the record is deleted.';
COMMENT ON COLUMN record_comments.edited_at IS 'When the text was last changed; null if never.';

CREATE TABLE drafts (
    workspace_id uuid NOT NULL,
    user_id uuid NOT NULL,
    record_id uuid GENERATED ALWAYS AS (COALESCE(issue_id, contact_id, company_id, deal_id)) STORED NOT NULL,
    issue_id uuid,
    contact_id uuid,
    company_id uuid,
    deal_id uuid,
    body text NOT NULL,
    visibility text NOT NULL CHECK (visibility IN ('public', 'internal')),
    version bigint NOT NULL CHECK (version >= 1),
    updated_at timestamptz NOT NULL,
    PRIMARY KEY (workspace_id, user_id, record_id, visibility),
    CONSTRAINT drafts_company_fkey FOREIGN KEY (workspace_id, company_id) REFERENCES companies(workspace_id, id),
    CONSTRAINT drafts_contact_fkey FOREIGN KEY (workspace_id, contact_id) REFERENCES contacts(workspace_id, id),
    CONSTRAINT drafts_deal_fkey FOREIGN KEY (workspace_id, deal_id) REFERENCES deals(workspace_id, id),
    CONSTRAINT drafts_issue_fkey FOREIGN KEY (workspace_id, issue_id) REFERENCES issues(workspace_id, id),
    CONSTRAINT drafts_user_fkey FOREIGN KEY (workspace_id, user_id) REFERENCES members(workspace_id, user_id),
    CONSTRAINT drafts_record_check CHECK (num_nonnulls(issue_id, contact_id, company_id, deal_id) = 1)
);
CREATE INDEX drafts_of_record ON drafts (workspace_id, record_id);
COMMENT ON TABLE drafts IS 'Unsent comments: one per user, record and visibility.';
COMMENT ON COLUMN drafts.version IS 'Starts at 1 for each new draft, and increases with each save.';

CREATE TABLE presences (
    workspace_id uuid NOT NULL,
    record_id uuid NOT NULL,
    user_id uuid NOT NULL,
    state text NOT NULL CHECK (state IN ('looking', 'writing')),
    seen_at timestamptz NOT NULL,
    PRIMARY KEY (workspace_id, record_id, user_id),
    CONSTRAINT presences_user_fkey FOREIGN KEY (workspace_id, user_id) REFERENCES members(workspace_id, user_id)
) WITH (fillfactor = 50);
CREATE INDEX presences_of_user ON presences (workspace_id, user_id);
CREATE INDEX presences_seen ON presences (seen_at);
COMMENT ON TABLE presences IS 'Who has a record open, and who is writing on it.';
COMMENT ON COLUMN presences.record_id IS
    'A record of any kind. No foreign key: presences are only read for a record that was found in the workspace.';
COMMENT ON COLUMN presences.seen_at IS 'Last report from the user''s page. After 30 seconds without one, the user counts as gone.';

CREATE TABLE saved_views (
    workspace_id uuid NOT NULL,
    id uuid NOT NULL,
    page text NOT NULL CHECK (page IN ('contacts', 'companies', 'deals', 'projects', 'tasks', 'tickets', 'articles')),
    owner_id uuid NOT NULL,
    name text NOT NULL,
    query text NOT NULL,
    column_names text[] NOT NULL,
    shared boolean NOT NULL,
    position integer NOT NULL CHECK ("position" >= 1),
    version bigint NOT NULL CHECK (version >= 1),
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    PRIMARY KEY (workspace_id, id),
    CONSTRAINT saved_views_owner_fkey FOREIGN KEY (workspace_id, owner_id) REFERENCES members(workspace_id, user_id)
);
CREATE INDEX saved_views_own ON saved_views (workspace_id, owner_id, page) WHERE NOT shared;
CREATE INDEX saved_views_shared ON saved_views (workspace_id, page) WHERE shared;
COMMENT ON TABLE saved_views IS 'Named lists: at most 50 private ones per member and 200 shared ones. The domain enforces the limits.';
COMMENT ON COLUMN saved_views.query IS 'The query string of the page, without the question mark.';
COMMENT ON COLUMN saved_views.column_names IS 'The displayed columns; empty for the default columns of the page.';
COMMENT ON COLUMN saved_views.position IS 'Order on the page. Several views may share a position.';
