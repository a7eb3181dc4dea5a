COMMENT ON COLUMN link_requests.email IS
    'The claimed address of a ticket''s requester, or of a user who forgot their password, in lower case.';
COMMENT ON COLUMN mail_recipients.recipient IS 'SHA-256 of the mailbox: the address in lower case, without a tag after a plus sign.';
COMMENT ON COLUMN issues.requester_email_key IS 'The address in lower case. Two addresses with the same key are the same address.';
COMMENT ON COLUMN contacts.email_key IS 'The address in lower case. Two addresses with the same key are the same address.';
COMMENT ON COLUMN users.email_key IS 'The address in lower case. Two addresses with the same key are the same address.';
DROP INDEX issues_requester_email_key_earlier;
DROP INDEX contacts_email_key_shared;
DROP INDEX contacts_email_key_earlier;
DROP INDEX users_email_key_earlier;
