SET LOCAL lock_timeout = '3s';

DROP INDEX deals_on_board;
DROP TRIGGER deals_removed ON deals;
DROP TRIGGER deals_changed ON deals;
DROP TRIGGER deals_added ON deals;
DROP FUNCTION note_deal_totals();
DROP TABLE deal_total_changes;
DROP TABLE deal_totals;
