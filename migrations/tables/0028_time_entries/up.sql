-- Time entries, the rates of members, and the settings of a workspace that are about time. The previous release can run on it: it knows none of
-- the tables, and leaves the columns as they are. A deleted workspace with time entries is erased by this release alone: to the previous one,
-- keys refuse it, and it tries again. The start page of the console of the previous release fails for readers of time entries once this release
-- has logged an event about one: run both at the same time only while nobody logs time.
--
-- The tables are new, so that nothing is read to build their keys and indexes. The keys lock what they refer to for a moment; the new columns
-- have constant defaults, for which no row is written.
SET LOCAL lock_timeout = '3s';

ALTER TABLE workspaces ADD COLUMN time_zone text NOT NULL DEFAULT 'UTC';
ALTER TABLE workspaces ADD COLUMN time_locked_until date;
ALTER TABLE workspaces ADD COLUMN time_overlaps_allowed boolean NOT NULL DEFAULT false;
COMMENT ON COLUMN workspaces.time_zone IS 'IANA name of the time zone in which time entries have their days.';
COMMENT ON COLUMN workspaces.time_locked_until IS 'The last day whose time entries are locked.';
COMMENT ON COLUMN workspaces.time_overlaps_allowed IS 'Whether time entries of one member may overlap.';

CREATE TABLE time_entries (
    workspace_id uuid NOT NULL REFERENCES workspaces,
    id uuid NOT NULL,
    member_id uuid NOT NULL,
    task_id uuid,
    ticket_id uuid,
    project_id uuid,
    deal_id uuid,
    date date NOT NULL,
    started_at timestamptz,
    ended_at timestamptz,
    seconds integer CHECK (seconds >= 0 AND seconds <= 86400),
    billable boolean NOT NULL,
    note text NOT NULL,
    status text NOT NULL CHECK (status IN ('running', 'stopped', 'submitted', 'approved', 'exported')),
    in_project_id uuid,
    for_company_id uuid,
    rate numeric(8, 2) CHECK (rate >= 0),
    rate_currency text,
    version bigint NOT NULL CHECK (version >= 1),
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    created_by_type text NOT NULL CHECK (created_by_type IN ('api_key', 'user', 'system')),
    created_by_id uuid,
    deleted_at timestamptz,
    erased_at timestamptz,
    PRIMARY KEY (workspace_id, id),
    CONSTRAINT time_entries_member_fkey FOREIGN KEY (workspace_id, member_id) REFERENCES members(workspace_id, user_id),
    CONSTRAINT time_entries_task_fkey FOREIGN KEY (workspace_id, task_id) REFERENCES issues(workspace_id, id),
    CONSTRAINT time_entries_ticket_fkey FOREIGN KEY (workspace_id, ticket_id) REFERENCES issues(workspace_id, id),
    CONSTRAINT time_entries_project_fkey FOREIGN KEY (workspace_id, project_id) REFERENCES projects(workspace_id, id),
    CONSTRAINT time_entries_deal_fkey FOREIGN KEY (workspace_id, deal_id) REFERENCES deals(workspace_id, id),
    CONSTRAINT time_entries_in_project_fkey FOREIGN KEY (workspace_id, in_project_id) REFERENCES projects(workspace_id, id),
    CONSTRAINT time_entries_for_company_fkey FOREIGN KEY (workspace_id, for_company_id) REFERENCES companies(workspace_id, id),
    CONSTRAINT time_entries_target_check CHECK (num_nonnulls(task_id, ticket_id, project_id, deal_id) <= 1),
    CONSTRAINT time_entries_times_check CHECK (ended_at >= started_at AND (ended_at IS NULL OR started_at IS NOT NULL)),
    CONSTRAINT time_entries_running_check CHECK ((status = 'running') = (started_at IS NOT NULL AND ended_at IS NULL)),
    CONSTRAINT time_entries_no_seconds_check CHECK ((seconds IS NULL) = (status = 'running')),
    CONSTRAINT time_entries_currency_check CHECK ((rate IS NULL) = (rate_currency IS NULL))
);
-- The domain stops a timer before it starts another; this keeps two instances from running two.
CREATE UNIQUE INDEX time_entries_running_key ON time_entries (workspace_id, member_id)
    WHERE status = 'running' AND deleted_at IS NULL;
CREATE INDEX time_entries_running ON time_entries (started_at) WHERE status = 'running' AND deleted_at IS NULL;
CREATE INDEX time_entries_by_start ON time_entries (workspace_id, member_id, started_at)
    WHERE deleted_at IS NULL AND started_at IS NOT NULL;
CREATE INDEX time_entries_newest ON time_entries (workspace_id, created_at DESC, id DESC) WHERE deleted_at IS NULL;
CREATE INDEX time_entries_by_date ON time_entries (workspace_id, date, id) WHERE deleted_at IS NULL;
CREATE INDEX time_entries_by_member_and_date ON time_entries (workspace_id, member_id, date, id) WHERE deleted_at IS NULL;
CREATE INDEX time_entries_by_member ON time_entries (workspace_id, member_id, created_at DESC, id DESC) WHERE deleted_at IS NULL;
CREATE INDEX time_entries_by_task ON time_entries (workspace_id, task_id, created_at DESC, id DESC)
    WHERE deleted_at IS NULL AND task_id IS NOT NULL;
CREATE INDEX time_entries_by_ticket ON time_entries (workspace_id, ticket_id, created_at DESC, id DESC)
    WHERE deleted_at IS NULL AND ticket_id IS NOT NULL;
CREATE INDEX time_entries_by_deal ON time_entries (workspace_id, deal_id, created_at DESC, id DESC)
    WHERE deleted_at IS NULL AND deal_id IS NOT NULL;
CREATE INDEX time_entries_by_project ON time_entries (workspace_id, in_project_id, created_at DESC, id DESC)
    WHERE deleted_at IS NULL AND in_project_id IS NOT NULL;
CREATE INDEX time_entries_by_company ON time_entries (workspace_id, for_company_id, created_at DESC, id DESC)
    WHERE deleted_at IS NULL AND for_company_id IS NOT NULL;
CREATE INDEX time_entries_by_status ON time_entries (workspace_id, status, created_at DESC, id DESC) WHERE deleted_at IS NULL;
CREATE INDEX time_entries_by_billable ON time_entries (workspace_id, billable, created_at DESC, id DESC) WHERE deleted_at IS NULL;
CREATE INDEX time_entries_by_change ON time_entries (workspace_id, updated_at, id)
    WHERE deleted_at IS NULL AND updated_at > '-infinity'::timestamptz;
CREATE INDEX time_entries_deleted ON time_entries (workspace_id, created_at DESC, id DESC)
    WHERE deleted_at > '-infinity'::timestamptz AND erased_at IS NULL;
CREATE INDEX time_entries_erasable ON time_entries (deleted_at) WHERE deleted_at IS NOT NULL AND erased_at IS NULL;
COMMENT ON TABLE time_entries IS 'Time that members have worked. The domain ensures that entries of one member do not overlap, unless the workspace
allows that.';
COMMENT ON COLUMN time_entries.date IS 'The day it counts on, in the time zone that the workspace had when it was recorded.';
COMMENT ON COLUMN time_entries.started_at IS 'Null, as ended_at, for entries that say only how long the work took.';
COMMENT ON COLUMN time_entries.in_project_id IS 'The project it counts towards, as for_company_id the company: as of when it was recorded.';
COMMENT ON COLUMN time_entries.rate IS 'The member''s rate per hour when it was recorded.';
COMMENT ON COLUMN time_entries.erased_at IS 'When its content was erased.';

CREATE TABLE time_rates (
    workspace_id uuid NOT NULL REFERENCES workspaces,
    member_id uuid NOT NULL,
    place_id uuid NOT NULL,
    project_id uuid,
    rate numeric(8, 2) NOT NULL CHECK (rate >= 0),
    currency text NOT NULL,
    PRIMARY KEY (workspace_id, member_id, place_id),
    CONSTRAINT time_rates_member_fkey FOREIGN KEY (workspace_id, member_id) REFERENCES members(workspace_id, user_id),
    CONSTRAINT time_rates_project_fkey FOREIGN KEY (workspace_id, project_id) REFERENCES projects(workspace_id, id),
    CONSTRAINT time_rates_place_check CHECK (place_id = coalesce(project_id, '00000000-0000-0000-0000-000000000000'))
);
CREATE INDEX time_rates_by_project ON time_rates (workspace_id, project_id) WHERE project_id IS NOT NULL;
COMMENT ON TABLE time_rates IS 'What an hour of a member costs, in general or in a project. At most 2,000 per workspace.';
COMMENT ON COLUMN time_rates.place_id IS 'The project, or a UUID of zeros for the general rate: a part of the key cannot be null.';

-- Few rows, which live for minutes.
ALTER TABLE console_undos DROP CONSTRAINT console_undos_kind_check;
ALTER TABLE console_undos ADD CONSTRAINT console_undos_kind_check
    CHECK (kind IN ('contact', 'company', 'deal', 'project', 'cycle', 'task', 'ticket', 'article', 'time_entry'));
