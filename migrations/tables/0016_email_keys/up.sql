-- Keys of e-mail addresses have their domain in ASCII. The service renews the others in the background, and finds them by
-- these indexes, which are as small as there are few such rows.
--
-- The previous release can run on it: it gives what it writes its own key, which is renewed too.
SET LOCAL lock_timeout = '3s';

CREATE INDEX users_email_key_earlier ON users (id) WHERE octet_length(email_key) > char_length(email_key);
CREATE INDEX contacts_email_key_earlier ON contacts (workspace_id, id) WHERE octet_length(email_key) > char_length(email_key);
CREATE INDEX contacts_email_key_shared ON contacts (workspace_id, split_part(email_key, ' ', 1))
    WHERE position(' ' IN email_key) > 0;
CREATE INDEX issues_requester_email_key_earlier ON issues (workspace_id, id)
    WHERE octet_length(requester_email_key) > char_length(requester_email_key);
COMMENT ON COLUMN users.email_key IS
    'The address in lower case, with its domain in ASCII. Two addresses with the same key are the same address.
An account whose address an older one has keeps the key of earlier releases: the address in lower case.';
COMMENT ON COLUMN contacts.email_key IS
    'The address in lower case, with its domain in ASCII. Two addresses with the same key are the same address.
A contact whose address an older one has, in another spelling, has it followed by a space and the contact''s id.';
COMMENT ON COLUMN issues.requester_email_key IS
    'The address in lower case, with its domain in ASCII. Two addresses with the same key are the same address.';
COMMENT ON COLUMN mail_recipients.recipient IS
    'SHA-256 of the mailbox: the address in lower case, with its domain in ASCII and without a tag after a plus sign.';
COMMENT ON COLUMN link_requests.email IS
    'The key of the claimed address of a ticket''s requester, or of a user who forgot their password.';
