SET LOCAL lock_timeout = '3s';

DROP TABLE deal_total_changes;
DROP TABLE deal_totals;
DROP TABLE deals;
DROP TABLE contacts;
DROP TABLE companies;
