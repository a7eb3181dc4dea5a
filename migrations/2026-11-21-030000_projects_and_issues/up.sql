-- A migration that has to wait for a lock gives up rather than make everybody else queue behind it.
SET LOCAL lock_timeout = '3s';

CREATE TABLE projects (
    workspace_id uuid NOT NULL REFERENCES workspaces (id),
    id uuid NOT NULL,
    name text NOT NULL,
    description text,
    status text NOT NULL CONSTRAINT projects_status_check
        CHECK (status IN ('planning', 'active', 'on_hold', 'completed', 'cancelled', 'archived')),
    priority text NOT NULL CONSTRAINT projects_priority_check CHECK (priority IN ('low', 'medium', 'high', 'urgent')),
    progress integer NOT NULL CONSTRAINT projects_progress_check CHECK (progress BETWEEN 0 AND 100),
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
    version bigint NOT NULL CONSTRAINT projects_version_check CHECK (version >= 1),
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    created_by_type text NOT NULL CONSTRAINT projects_created_by_type_check
        CHECK (created_by_type IN ('api_key', 'user', 'system')),
    created_by_id uuid,
    deleted_at timestamptz,
    PRIMARY KEY (workspace_id, id),
    CONSTRAINT projects_dates_check CHECK (end_date >= start_date),
    CONSTRAINT projects_lead_fkey FOREIGN KEY (workspace_id, lead_user_id) REFERENCES members (workspace_id, user_id),
    CONSTRAINT projects_deal_fkey FOREIGN KEY (workspace_id, deal_id) REFERENCES deals (workspace_id, id),
    CONSTRAINT projects_company_fkey FOREIGN KEY (workspace_id, company_id) REFERENCES companies (workspace_id, id)
);
CREATE UNIQUE INDEX projects_external_id_key ON projects (workspace_id, external_id)
    WHERE deleted_at IS NULL AND external_id IS NOT NULL;
CREATE INDEX projects_newest ON projects (workspace_id, created_at DESC, id DESC) WHERE deleted_at IS NULL;
COMMENT ON TABLE projects IS 'What tasks and cycles belong to. A deleted one takes them out of sight with it.';
COMMENT ON COLUMN projects.team_id IS 'Of a record kept elsewhere, as is template_id.';

CREATE TABLE cycles (
    workspace_id uuid NOT NULL REFERENCES workspaces (id),
    id uuid NOT NULL,
    project_id uuid NOT NULL,
    number integer NOT NULL CONSTRAINT cycles_number_check CHECK (number >= 1),
    name text NOT NULL,
    goal text,
    start_date date NOT NULL,
    end_date date NOT NULL,
    version bigint NOT NULL CONSTRAINT cycles_version_check CHECK (version >= 1),
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    created_by_type text NOT NULL CONSTRAINT cycles_created_by_type_check
        CHECK (created_by_type IN ('api_key', 'user', 'system')),
    created_by_id uuid,
    deleted_at timestamptz,
    PRIMARY KEY (workspace_id, id),
    CONSTRAINT cycles_dates_check CHECK (end_date >= start_date),
    CONSTRAINT cycles_project_id_key UNIQUE (workspace_id, project_id, id),
    CONSTRAINT cycles_number_key UNIQUE (workspace_id, project_id, number),
    CONSTRAINT cycles_project_fkey FOREIGN KEY (workspace_id, project_id) REFERENCES projects (workspace_id, id)
);
CREATE INDEX cycles_newest ON cycles (workspace_id, project_id, created_at DESC, id DESC) WHERE deleted_at IS NULL;
COMMENT ON TABLE cycles IS 'Spans of days of a project; no two of a project overlap, which the domain sees to.';
COMMENT ON COLUMN cycles.number IS '1, 2, … in the project, also counting deleted ones.';
COMMENT ON CONSTRAINT cycles_project_id_key ON cycles IS
    'For issues to refer to a cycle together with its project.';

CREATE TABLE issues (
    workspace_id uuid NOT NULL REFERENCES workspaces (id),
    id uuid NOT NULL,
    kind text NOT NULL CONSTRAINT issues_kind_check CHECK (kind IN ('task', 'ticket')),
    number bigint NOT NULL CONSTRAINT issues_number_check CHECK (number >= 1),
    reference text,
    title text NOT NULL,
    description text,
    status text NOT NULL,
    priority text NOT NULL CONSTRAINT issues_priority_check CHECK (priority IN ('low', 'medium', 'high', 'urgent')),
    project_id uuid,
    assignee_id uuid,
    due_at timestamptz,
    start_date date,
    parent_id uuid,
    epic_id uuid,
    cycle_id uuid,
    estimate_hours numeric(7, 2) CONSTRAINT issues_estimate_hours_check CHECK (estimate_hours >= 0),
    labels text[] NOT NULL,
    completed_at timestamptz,
    version bigint NOT NULL CONSTRAINT issues_version_check CHECK (version >= 1),
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    created_by_type text NOT NULL CONSTRAINT issues_created_by_type_check
        CHECK (created_by_type IN ('api_key', 'user', 'system')),
    created_by_id uuid,
    deleted_at timestamptz,
    search tsvector NOT NULL,
    PRIMARY KEY (workspace_id, id),
    CONSTRAINT issues_status_check CHECK (CASE kind
        WHEN 'task' THEN status IN ('backlog', 'todo', 'in_progress', 'in_review', 'done', 'cancelled')
        ELSE status IN ('open', 'pending', 'on_hold', 'resolved', 'closed') END),
    CONSTRAINT issues_reference_check CHECK (reference IS NULL OR kind = 'ticket'),
    CONSTRAINT issues_cycle_check CHECK (cycle_id IS NULL OR project_id IS NOT NULL),
    CONSTRAINT issues_kind_id_key UNIQUE (workspace_id, kind, id),
    CONSTRAINT issues_number_key UNIQUE (workspace_id, kind, number),
    CONSTRAINT issues_project_fkey FOREIGN KEY (workspace_id, project_id) REFERENCES projects (workspace_id, id),
    CONSTRAINT issues_assignee_fkey FOREIGN KEY (workspace_id, assignee_id) REFERENCES members (workspace_id, user_id),
    CONSTRAINT issues_parent_fkey FOREIGN KEY (workspace_id, kind, parent_id) REFERENCES issues (workspace_id, kind, id),
    CONSTRAINT issues_epic_fkey FOREIGN KEY (workspace_id, kind, epic_id) REFERENCES issues (workspace_id, kind, id),
    CONSTRAINT issues_cycle_fkey FOREIGN KEY (workspace_id, project_id, cycle_id)
        REFERENCES cycles (workspace_id, project_id, id)
);
CREATE UNIQUE INDEX issues_reference_key ON issues (workspace_id, reference) WHERE reference IS NOT NULL;
CREATE INDEX issues_newest ON issues (workspace_id, kind, created_at DESC, id DESC) WHERE deleted_at IS NULL;
CREATE INDEX issues_by_status ON issues (workspace_id, kind, status, created_at DESC, id DESC)
    WHERE deleted_at IS NULL;
CREATE INDEX issues_by_project ON issues (workspace_id, project_id, kind, created_at DESC, id DESC)
    WHERE deleted_at IS NULL AND project_id IS NOT NULL;
-- The status, so that the counts of a cycle are read from the index alone.
CREATE INDEX issues_by_cycle ON issues (workspace_id, cycle_id, status)
    WHERE deleted_at IS NULL AND cycle_id IS NOT NULL;
CREATE INDEX issues_search ON issues USING gin (search) WITH (fastupdate = off) WHERE deleted_at IS NULL;
COMMENT ON TABLE issues IS 'Tasks and tickets. An issue refers to issues of its own kind and workspace alone.';
COMMENT ON COLUMN issues.number IS 'Rising in the workspace and kind, with gaps; see issue_counters.';
COMMENT ON COLUMN issues.reference IS 'What customers call a ticket; cannot be guessed.';
COMMENT ON COLUMN issues.search IS
    'The words of title and description, each after workspace and kind, so that the index never mixes them.';

CREATE TABLE issue_counters (
    workspace_id uuid NOT NULL REFERENCES workspaces (id),
    kind text NOT NULL CONSTRAINT issue_counters_kind_check CHECK (kind IN ('task', 'ticket')),
    next_number bigint NOT NULL,
    PRIMARY KEY (workspace_id, kind)
) WITH (fillfactor = 10);
COMMENT ON TABLE issue_counters IS
    'The numbers of issues. One row changes with every create: most of its page is left free for its next versions.';

CREATE TABLE comments (
    workspace_id uuid NOT NULL REFERENCES workspaces (id),
    id uuid NOT NULL,
    issue_id uuid NOT NULL,
    body text NOT NULL,
    visibility text NOT NULL CONSTRAINT comments_visibility_check CHECK (visibility IN ('public', 'internal')),
    author_type text NOT NULL CONSTRAINT comments_author_type_check
        CHECK (author_type IN ('api_key', 'user', 'system')),
    author_id uuid,
    version bigint NOT NULL CONSTRAINT comments_version_check CHECK (version >= 1),
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    created_by_type text NOT NULL CONSTRAINT comments_created_by_type_check
        CHECK (created_by_type IN ('api_key', 'user', 'system')),
    created_by_id uuid,
    PRIMARY KEY (workspace_id, id),
    CONSTRAINT comments_issue_fkey FOREIGN KEY (workspace_id, issue_id) REFERENCES issues (workspace_id, id)
);
CREATE INDEX comments_oldest ON comments (workspace_id, issue_id, created_at, id);
COMMENT ON TABLE comments IS 'What was said about an issue; out of sight when the issue is.';
