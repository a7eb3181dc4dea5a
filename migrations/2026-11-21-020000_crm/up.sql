-- A migration that has to wait for a lock gives up rather than make everybody else queue behind it.
SET LOCAL lock_timeout = '3s';

CREATE TABLE companies (
    workspace_id uuid NOT NULL REFERENCES workspaces (id),
    id uuid NOT NULL,
    name text NOT NULL,
    domain text,
    industry text,
    phone text,
    website text,
    notes text,
    external_id text,
    version bigint NOT NULL CONSTRAINT companies_version_check CHECK (version >= 1),
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    created_by_type text NOT NULL CONSTRAINT companies_created_by_type_check
        CHECK (created_by_type IN ('api_key', 'user', 'system')),
    created_by_id uuid,
    deleted_at timestamptz,
    PRIMARY KEY (workspace_id, id)
);
CREATE UNIQUE INDEX companies_domain_key ON companies (workspace_id, domain)
    WHERE deleted_at IS NULL AND domain IS NOT NULL;
CREATE UNIQUE INDEX companies_external_id_key ON companies (workspace_id, external_id)
    WHERE deleted_at IS NULL AND external_id IS NOT NULL;
COMMENT ON TABLE companies IS 'What contacts, deals and projects belong to.';
COMMENT ON COLUMN companies.deleted_at IS 'Soft deletion: what refers to the company keeps its id.';

CREATE TABLE contacts (
    workspace_id uuid NOT NULL REFERENCES workspaces (id),
    id uuid NOT NULL,
    email text NOT NULL,
    email_key text NOT NULL,
    first_name text,
    last_name text,
    phone text,
    job_title text,
    company_id uuid,
    company_name text,
    contact_type text NOT NULL CONSTRAINT contacts_contact_type_check CHECK (contact_type IN
        ('new', 'engaged', 'qualified', 'customer', 'inactive', 'lead', 'prospect', 'partner', 'vendor')),
    status text NOT NULL CONSTRAINT contacts_status_check
        CHECK (status IN ('active', 'inactive', 'blocked', 'pending')),
    lead_source text,
    industry text,
    notes text,
    tags text[] NOT NULL,
    custom_fields jsonb NOT NULL CONSTRAINT contacts_custom_fields_check CHECK (jsonb_typeof(custom_fields) = 'object'),
    external_id text,
    country text,
    state text,
    city text,
    social_linkedin text,
    version bigint NOT NULL CONSTRAINT contacts_version_check CHECK (version >= 1),
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    created_by_type text NOT NULL CONSTRAINT contacts_created_by_type_check
        CHECK (created_by_type IN ('api_key', 'user', 'system')),
    created_by_id uuid,
    deleted_at timestamptz,
    search tsvector NOT NULL,
    PRIMARY KEY (workspace_id, id),
    CONSTRAINT contacts_company_fkey FOREIGN KEY (workspace_id, company_id) REFERENCES companies (workspace_id, id)
);
CREATE UNIQUE INDEX contacts_email_key ON contacts (workspace_id, email_key) WHERE deleted_at IS NULL;
CREATE UNIQUE INDEX contacts_external_id_key ON contacts (workspace_id, external_id)
    WHERE deleted_at IS NULL AND external_id IS NOT NULL;
CREATE INDEX contacts_newest ON contacts (workspace_id, created_at DESC, id DESC) WHERE deleted_at IS NULL;
CREATE INDEX contacts_by_status ON contacts (workspace_id, status, created_at DESC, id DESC) WHERE deleted_at IS NULL;
CREATE INDEX contacts_search ON contacts USING gin (search) WITH (fastupdate = off) WHERE deleted_at IS NULL;
COMMENT ON TABLE contacts IS 'People that the workspace deals with.';
COMMENT ON COLUMN contacts.email_key IS 'The address in lower case: what makes two addresses the same.';
COMMENT ON COLUMN contacts.company_name IS 'A text of its own; company_id may name another one.';
COMMENT ON COLUMN contacts.search IS
    'The words that search finds, each after the workspace, so that the index never mixes workspaces.';

CREATE TABLE deals (
    workspace_id uuid NOT NULL REFERENCES workspaces (id),
    id uuid NOT NULL,
    title text NOT NULL,
    description text,
    contact_id uuid,
    company_id uuid,
    assigned_to uuid,
    status text NOT NULL CONSTRAINT deals_status_check
        CHECK (status IN ('open', 'on_hold', 'closed_won', 'closed_lost')),
    stage text NOT NULL CONSTRAINT deals_stage_check CHECK (stage IN
        ('discovery', 'qualified', 'proposal', 'negotiation', 'closed_won', 'closed_lost')),
    value numeric(14, 2) CONSTRAINT deals_value_check CHECK (value >= 0),
    currency text NOT NULL CONSTRAINT deals_currency_check CHECK (currency ~ '^[A-Z]{3}$'),
    probability integer CONSTRAINT deals_probability_check CHECK (probability BETWEEN 0 AND 100),
    expected_close_date date,
    actual_close_date date,
    lost_reason text,
    source text,
    tags text[] NOT NULL,
    custom_fields jsonb NOT NULL CONSTRAINT deals_custom_fields_check CHECK (jsonb_typeof(custom_fields) = 'object'),
    external_id text,
    price_book_id uuid,
    package_id uuid,
    rep_id uuid,
    developer_id uuid,
    commission_pct numeric(5, 2) CONSTRAINT deals_commission_pct_check CHECK (commission_pct BETWEEN 0 AND 100),
    territory text,
    version bigint NOT NULL CONSTRAINT deals_version_check CHECK (version >= 1),
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    created_by_type text NOT NULL CONSTRAINT deals_created_by_type_check
        CHECK (created_by_type IN ('api_key', 'user', 'system')),
    created_by_id uuid,
    deleted_at timestamptz,
    PRIMARY KEY (workspace_id, id),
    CONSTRAINT deals_contact_fkey FOREIGN KEY (workspace_id, contact_id) REFERENCES contacts (workspace_id, id),
    CONSTRAINT deals_company_fkey FOREIGN KEY (workspace_id, company_id) REFERENCES companies (workspace_id, id),
    CONSTRAINT deals_assigned_to_fkey FOREIGN KEY (workspace_id, assigned_to)
        REFERENCES members (workspace_id, user_id),
    CONSTRAINT deals_rep_fkey FOREIGN KEY (workspace_id, rep_id) REFERENCES members (workspace_id, user_id)
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
CREATE INDEX deals_by_value ON deals (workspace_id, value) WHERE deleted_at IS NULL AND value IS NOT NULL;
COMMENT ON TABLE deals IS 'What is being sold. Status and stage agree; the domain sees to it.';
COMMENT ON COLUMN deals.price_book_id IS 'Of a record kept elsewhere, as are package_id and developer_id.';
