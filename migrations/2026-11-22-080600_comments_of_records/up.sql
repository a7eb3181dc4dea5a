-- A migration that has to wait for a lock gives up rather than make everybody else queue behind it.
SET LOCAL lock_timeout = '3s';

ALTER TABLE comments ADD COLUMN edited_at timestamptz;
COMMENT ON COLUMN comments.edited_at IS 'When the text was last changed; null if it never was.';

CREATE TABLE record_comments (
    workspace_id uuid NOT NULL,
    id uuid NOT NULL,
    contact_id uuid,
    company_id uuid,
    deal_id uuid,
    body text NOT NULL,
    author_type text NOT NULL CONSTRAINT record_comments_author_type_check
        CHECK (author_type IN ('api_key', 'user', 'system')),
    author_id uuid,
    edited_at timestamptz,
    version bigint NOT NULL CONSTRAINT record_comments_version_check CHECK (version >= 1),
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    created_by_type text NOT NULL CONSTRAINT record_comments_created_by_type_check
        CHECK (created_by_type IN ('api_key', 'user', 'system')),
    created_by_id uuid,
    PRIMARY KEY (workspace_id, id),
    CONSTRAINT record_comments_record_check CHECK (num_nonnulls(contact_id, company_id, deal_id) = 1),
    CONSTRAINT record_comments_contact_fkey FOREIGN KEY (workspace_id, contact_id)
        REFERENCES contacts (workspace_id, id),
    CONSTRAINT record_comments_company_fkey FOREIGN KEY (workspace_id, company_id)
        REFERENCES companies (workspace_id, id),
    CONSTRAINT record_comments_deal_fkey FOREIGN KEY (workspace_id, deal_id) REFERENCES deals (workspace_id, id)
);
CREATE INDEX record_comments_of_contact ON record_comments (workspace_id, contact_id, created_at, id)
    WHERE contact_id IS NOT NULL;
CREATE INDEX record_comments_of_company ON record_comments (workspace_id, company_id, created_at, id)
    WHERE company_id IS NOT NULL;
CREATE INDEX record_comments_of_deal ON record_comments (workspace_id, deal_id, created_at, id)
    WHERE deal_id IS NOT NULL;
COMMENT ON TABLE record_comments IS
    'What was said about a contact, a company or a deal; out of sight when the record is.';
COMMENT ON COLUMN record_comments.contact_id IS 'One of contact_id, company_id and deal_id: the record.';
COMMENT ON COLUMN record_comments.edited_at IS 'When the text was last changed; null if it never was.';
