SET LOCAL lock_timeout = '3s';

ALTER TABLE issues DROP COLUMN deal_id, DROP COLUMN contact_id, DROP COLUMN company_id;
