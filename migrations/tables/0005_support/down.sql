SET LOCAL lock_timeout = '3s';

DROP TABLE person_erasure_records;
DROP TABLE person_erasures;
DROP TABLE kb_vain_searches;
DROP TABLE kb_articles;
DROP TABLE portal_sessions;
DROP TABLE tracking_links;
DROP FUNCTION kb_lexemes;
