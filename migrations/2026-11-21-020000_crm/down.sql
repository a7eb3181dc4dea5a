DROP TABLE deals;
DROP TABLE contacts;
DROP TABLE companies;
