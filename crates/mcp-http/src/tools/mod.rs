//! The tools, one file per kind of record and one entry per tool, each over a use case of the domain.

mod comments;
mod companies;
mod contacts;
mod cycles;
mod deals;
mod deliveries;
mod events;
mod history;
mod issues;
mod kb;
mod members;
mod restore;
mod simple;
mod summaries;
mod tasks;
mod tickets;
mod time_entries;
mod webhooks;

use crate::tool::Entry;

/// All entries, in any order.
pub(crate) fn all() -> Vec<Entry> {
    [
        comments::entries(),
        companies::entries(),
        contacts::entries(),
        cycles::entries(),
        deals::entries(),
        deliveries::entries(),
        history::entries(),
        events::entries(),
        issues::entries(),
        kb::entries(),
        members::entries(),
        restore::entries(),
        simple::entries(),
        summaries::entries(),
        tasks::entries(),
        tickets::entries(),
        time_entries::entries(),
        webhooks::entries(),
    ]
    .into_iter()
    .flatten()
    .collect()
}
