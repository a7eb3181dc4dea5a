-- A migration that has to wait for a lock gives up rather than make everybody else queue behind it.
SET LOCAL lock_timeout = '3s';

CREATE TABLE drafts (
    workspace_id uuid NOT NULL,
    user_id uuid NOT NULL,
    record_id uuid NOT NULL GENERATED ALWAYS AS (coalesce(issue_id, contact_id, company_id, deal_id)) STORED,
    issue_id uuid,
    contact_id uuid,
    company_id uuid,
    deal_id uuid,
    body text NOT NULL,
    visibility text NOT NULL CONSTRAINT drafts_visibility_check CHECK (visibility IN ('public', 'internal')),
    version bigint NOT NULL CONSTRAINT drafts_version_check CHECK (version >= 1),
    updated_at timestamptz NOT NULL,
    PRIMARY KEY (workspace_id, user_id, record_id, visibility),
    CONSTRAINT drafts_record_check CHECK (num_nonnulls(issue_id, contact_id, company_id, deal_id) = 1),
    CONSTRAINT drafts_user_fkey FOREIGN KEY (workspace_id, user_id) REFERENCES members (workspace_id, user_id),
    CONSTRAINT drafts_issue_fkey FOREIGN KEY (workspace_id, issue_id) REFERENCES issues (workspace_id, id),
    CONSTRAINT drafts_contact_fkey FOREIGN KEY (workspace_id, contact_id) REFERENCES contacts (workspace_id, id),
    CONSTRAINT drafts_company_fkey FOREIGN KEY (workspace_id, company_id) REFERENCES companies (workspace_id, id),
    CONSTRAINT drafts_deal_fkey FOREIGN KEY (workspace_id, deal_id) REFERENCES deals (workspace_id, id)
);
CREATE INDEX drafts_of_record ON drafts (workspace_id, record_id);
COMMENT ON TABLE drafts IS 'Comments that people write and have not sent, one for each person, record and visibility.';
COMMENT ON COLUMN drafts.record_id IS 'The one of issue_id, contact_id, company_id and deal_id that is set.';
COMMENT ON COLUMN drafts.version IS 'Rises with each save, from 1 for each new draft.';
