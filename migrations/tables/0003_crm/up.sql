-- Companies, contacts and deals.
SET LOCAL lock_timeout = '3s';

-- Triggers need their functions to exist. The real bodies are in ../../functions.
CREATE FUNCTION note_deal_totals() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END';

CREATE TABLE companies (
    workspace_id uuid NOT NULL REFERENCES workspaces,
    id uuid NOT NULL,
    name text NOT NULL,
    domain text,
    industry text,
    phone text,
    website text,
    notes text,
    external_id text,
    version bigint NOT NULL CHECK (version >= 1),
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    created_by_type text NOT NULL CHECK (created_by_type IN ('api_key', 'user', 'system')),
    created_by_id uuid,
    deleted_at timestamptz,
    search tsvector NOT NULL,
    erased_at timestamptz,
    PRIMARY KEY (workspace_id, id)
);
CREATE UNIQUE INDEX companies_domain_key ON companies (workspace_id, domain) WHERE deleted_at IS NULL AND domain IS NOT NULL;
CREATE UNIQUE INDEX companies_external_id_key ON companies (workspace_id, external_id)
    WHERE deleted_at IS NULL AND external_id IS NOT NULL;
CREATE INDEX companies_newest ON companies (workspace_id, created_at DESC, id DESC) WHERE deleted_at IS NULL;
CREATE INDEX companies_search ON companies USING gin (search) WITH (fastupdate = off) WHERE deleted_at IS NULL;
CREATE INDEX companies_deleted ON companies (workspace_id, created_at DESC, id DESC)
    WHERE deleted_at > '-infinity'::timestamptz AND erased_at IS NULL;
CREATE INDEX companies_erasable ON companies (deleted_at) WHERE deleted_at IS NOT NULL AND erased_at IS NULL;
CREATE INDEX companies_by_change ON companies (workspace_id, updated_at, id)
    WHERE deleted_at IS NULL AND updated_at > '-infinity'::timestamptz;
CREATE INDEX companies_erased ON companies (workspace_id, created_at) WHERE erased_at IS NOT NULL;
COMMENT ON TABLE companies IS 'Organisations that contacts, deals and projects belong to.';
COMMENT ON COLUMN companies.deleted_at IS 'Soft deletion: records that refer to the company keep its id.';
COMMENT ON COLUMN companies.search IS
    'The words that search finds, each prefixed with the workspace, so that the index never mixes workspaces.';
COMMENT ON COLUMN companies.erased_at IS 'When its content was erased. The row stays only because other records refer to it.';

CREATE TABLE contacts (
    workspace_id uuid NOT NULL REFERENCES workspaces,
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
    status text NOT NULL CHECK (status IN ('active', 'inactive', 'blocked', 'pending')),
    lead_source text,
    industry text,
    notes text,
    tags text[] NOT NULL,
    custom_fields jsonb NOT NULL CHECK (jsonb_typeof(custom_fields) = 'object'),
    external_id text,
    country text,
    state text,
    city text,
    social_linkedin text,
    version bigint NOT NULL CHECK (version >= 1),
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    created_by_type text NOT NULL CHECK (created_by_type IN ('api_key', 'user', 'system')),
    created_by_id uuid,
    deleted_at timestamptz,
    search tsvector NOT NULL,
    search_stale boolean NOT NULL DEFAULT false,
    erased_at timestamptz,
    PRIMARY KEY (workspace_id, id),
    CONSTRAINT contacts_company_fkey FOREIGN KEY (workspace_id, company_id) REFERENCES companies(workspace_id, id),
    CHECK (contact_type IN ('new', 'engaged', 'qualified', 'customer', 'inactive', 'lead', 'prospect', 'partner', 'vendor'))
);
CREATE UNIQUE INDEX contacts_email_key ON contacts (workspace_id, email_key) WHERE deleted_at IS NULL;
CREATE UNIQUE INDEX contacts_external_id_key ON contacts (workspace_id, external_id)
    WHERE deleted_at IS NULL AND external_id IS NOT NULL;
CREATE INDEX contacts_newest ON contacts (workspace_id, created_at DESC, id DESC) WHERE deleted_at IS NULL;
CREATE INDEX contacts_by_status ON contacts (workspace_id, status, created_at DESC, id DESC) WHERE deleted_at IS NULL;
CREATE INDEX contacts_search ON contacts USING gin (search) WITH (fastupdate = off) WHERE deleted_at IS NULL;
CREATE INDEX contacts_by_type ON contacts (workspace_id, contact_type, created_at DESC, id DESC) WHERE deleted_at IS NULL;
CREATE INDEX contacts_by_company ON contacts (workspace_id, company_id, created_at DESC, id DESC)
    WHERE deleted_at IS NULL AND company_id IS NOT NULL;
CREATE INDEX contacts_search_stale ON contacts (workspace_id, id) WHERE search_stale AND deleted_at IS NULL AND tags <> '{}';
CREATE INDEX contacts_deleted ON contacts (workspace_id, created_at DESC, id DESC)
    WHERE deleted_at > '-infinity'::timestamptz AND erased_at IS NULL;
CREATE INDEX contacts_erasable ON contacts (deleted_at) WHERE deleted_at IS NOT NULL AND erased_at IS NULL;
CREATE INDEX contacts_deleted_by_email ON contacts (workspace_id, email_key)
    WHERE deleted_at IS NOT NULL AND erased_at IS NULL AND email_key IS NOT NULL;
CREATE INDEX contacts_by_change ON contacts (workspace_id, updated_at, id)
    WHERE deleted_at IS NULL AND updated_at > '-infinity'::timestamptz;
CREATE INDEX contacts_erased ON contacts (workspace_id, created_at) WHERE erased_at IS NOT NULL;
COMMENT ON TABLE contacts IS 'People that the workspace deals with.';
COMMENT ON COLUMN contacts.email_key IS 'The address in lower case. Two addresses with the same key are the same address.';
COMMENT ON COLUMN contacts.company_name IS 'Free text, independent of company_id.';
COMMENT ON COLUMN contacts.search IS
    'The words that search finds, and # with each tag, each prefixed with the workspace,
so that the index never mixes workspaces.';
COMMENT ON COLUMN contacts.search_stale IS 'Whether search was written before it included tags.';
COMMENT ON COLUMN contacts.erased_at IS 'When its content was erased. The row stays only because other records refer to it.';

CREATE TABLE deals (
    workspace_id uuid NOT NULL REFERENCES workspaces,
    id uuid NOT NULL,
    title text NOT NULL,
    description text,
    contact_id uuid,
    company_id uuid,
    assigned_to uuid,
    status text NOT NULL CHECK (status IN ('open', 'on_hold', 'closed_won', 'closed_lost')),
    stage text NOT NULL CHECK (stage IN ('discovery', 'qualified', 'proposal', 'negotiation', 'closed_won', 'closed_lost')),
    value numeric(14,2) CHECK (value >= 0),
    currency text NOT NULL CHECK (currency ~ '^[A-Z]{3}$'),
    probability integer CHECK (probability >= 0 AND probability <= 100),
    expected_close_date date,
    actual_close_date date,
    lost_reason text,
    source text,
    tags text[] NOT NULL,
    custom_fields jsonb NOT NULL CHECK (jsonb_typeof(custom_fields) = 'object'),
    external_id text,
    price_book_id uuid,
    package_id uuid,
    rep_id uuid,
    developer_id uuid,
    commission_pct numeric(5,2) CHECK (commission_pct >= 0 AND commission_pct <= 100),
    territory text,
    version bigint NOT NULL CHECK (version >= 1),
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    created_by_type text NOT NULL CHECK (created_by_type IN ('api_key', 'user', 'system')),
    created_by_id uuid,
    deleted_at timestamptz,
    search tsvector,
    erased_at timestamptz,
    PRIMARY KEY (workspace_id, id),
    CONSTRAINT deals_assigned_to_fkey FOREIGN KEY (workspace_id, assigned_to) REFERENCES members(workspace_id, user_id),
    CONSTRAINT deals_company_fkey FOREIGN KEY (workspace_id, company_id) REFERENCES companies(workspace_id, id),
    CONSTRAINT deals_contact_fkey FOREIGN KEY (workspace_id, contact_id) REFERENCES contacts(workspace_id, id),
    CONSTRAINT deals_rep_fkey FOREIGN KEY (workspace_id, rep_id) REFERENCES members(workspace_id, user_id)
);
CREATE UNIQUE INDEX deals_external_id_key ON deals (workspace_id, external_id)
    WHERE deleted_at IS NULL AND external_id IS NOT NULL;
CREATE INDEX deals_newest ON deals (workspace_id, created_at DESC, id DESC) WHERE deleted_at IS NULL;
CREATE INDEX deals_by_status ON deals (workspace_id, status, created_at DESC, id DESC) WHERE deleted_at IS NULL;
CREATE INDEX deals_by_stage ON deals (workspace_id, stage, created_at DESC, id DESC) WHERE deleted_at IS NULL;
CREATE INDEX deals_by_assignee ON deals (workspace_id, assigned_to, created_at DESC, id DESC)
    WHERE deleted_at IS NULL AND assigned_to IS NOT NULL;
CREATE INDEX deals_by_contact ON deals (workspace_id, contact_id, created_at DESC, id DESC)
    WHERE deleted_at IS NULL AND contact_id IS NOT NULL;
CREATE INDEX deals_by_company ON deals (workspace_id, company_id, created_at DESC, id DESC)
    WHERE deleted_at IS NULL AND company_id IS NOT NULL;
CREATE INDEX deals_by_currency ON deals (workspace_id, currency, created_at DESC, id DESC) WHERE deleted_at IS NULL;
CREATE INDEX deals_by_value ON deals (workspace_id, COALESCE(value, ('-1'::integer)::numeric) DESC, id DESC)
    WHERE deleted_at IS NULL;
CREATE INDEX deals_search ON deals USING gin (search) WITH (fastupdate = off) WHERE deleted_at IS NULL AND search IS NOT NULL;
CREATE INDEX deals_search_stale ON deals (workspace_id, id) WHERE search IS NULL AND deleted_at IS NULL;
CREATE INDEX deals_deleted ON deals (workspace_id, created_at DESC, id DESC)
    WHERE deleted_at > '-infinity'::timestamptz AND erased_at IS NULL;
CREATE INDEX deals_erasable ON deals (deleted_at) WHERE deleted_at IS NOT NULL AND erased_at IS NULL;
CREATE INDEX deals_by_change ON deals (workspace_id, updated_at, id)
    WHERE deleted_at IS NULL AND updated_at > '-infinity'::timestamptz;
CREATE INDEX deals_on_board ON deals (workspace_id, stage, created_at DESC, id DESC) WHERE deleted_at IS NULL AND status = 'open';
CREATE INDEX deals_closing ON deals (workspace_id, expected_close_date, id)
    WHERE deleted_at IS NULL AND status = 'open' AND expected_close_date IS NOT NULL;
CREATE INDEX deals_erased ON deals (workspace_id, created_at) WHERE erased_at IS NOT NULL;
CREATE STATISTICS deals_value ON COALESCE(value, '-1'::integer::numeric) FROM deals;
CREATE TRIGGER deals_added AFTER INSERT
    ON deals REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION note_deal_totals();
CREATE TRIGGER deals_changed AFTER UPDATE
    ON deals REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION note_deal_totals();
CREATE TRIGGER deals_removed AFTER DELETE
    ON deals REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION note_deal_totals();
COMMENT ON TABLE deals IS 'Sales opportunities. The domain keeps status and stage consistent.';
COMMENT ON COLUMN deals.price_book_id IS 'Refers to a record kept in another system, like package_id and developer_id.';
COMMENT ON COLUMN deals.search IS
    'The words of title and description, and # with each tag, each prefixed with the workspace,
so that the index never mixes workspaces. Null until indexed.';
COMMENT ON COLUMN deals.erased_at IS 'When its content was erased. The row stays only because other records refer to it.';

CREATE TABLE deal_totals (
    workspace_id uuid NOT NULL,
    stage text NOT NULL,
    status text NOT NULL,
    currency text NOT NULL,
    deals bigint NOT NULL,
    value numeric NOT NULL,
    PRIMARY KEY (workspace_id, stage, status, currency)
) WITH (fillfactor = 50);
COMMENT ON TABLE deal_totals IS
    'Number and value of live deals by stage, status and currency, not including deal_total_changes.
No foreign key: folding and the erasure of a workspace would wait for each other.';
COMMENT ON COLUMN deal_totals.deals IS 'May fall below 0 while a later change is folded before an earlier one.';

CREATE TABLE deal_total_changes (
    workspace_id uuid NOT NULL,
    id bigint GENERATED ALWAYS AS IDENTITY,
    stage text NOT NULL,
    status text NOT NULL,
    currency text NOT NULL,
    deals bigint NOT NULL,
    value numeric NOT NULL,
    PRIMARY KEY (workspace_id, id)
) WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
COMMENT ON TABLE deal_total_changes IS
    'Changes to add to deal_totals. Rows are only inserted, so that writers of deals never wait,
and are folded into the totals every second.';
