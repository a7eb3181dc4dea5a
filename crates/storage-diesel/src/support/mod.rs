//! Tickets for customers, the knowledge base, and erasures.

pub(crate) mod canned_replies;
pub(crate) mod erasure;
pub(crate) mod kb;
pub(crate) mod kb_reindex;
pub(crate) mod kb_search;
pub(crate) mod kb_vain_searches;
pub(crate) mod lexemes;
pub(crate) mod tickets;
pub(crate) mod tsvector;
