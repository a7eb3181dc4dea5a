//! One search over all records and commands: a page, and the dialog on every page that shows its results while typing.

use domain::console;
use domain::identity::access::{Caller, ManageOwnAccount, SearchRecords};
use domain::kernel::search::SearchQuery;
use domain::support::kb::ExcerptPart;

use super::{kinds, settings};
use crate::lists::SearchText;
use crate::navigation;
use crate::prelude::*;
use crate::records::address_of;
use crate::texts;

pages! {
    Search = "GET /search", access: ManageOwnAccount, query: SearchText => search
}

/// A page or a record that can be opened.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) icon: &'static str,
    pub(crate) label: String,
    /// The text that tells it from others with the same name.
    pub(crate) detail: String,
    pub(crate) group: String,
    pub(crate) href: String,
    /// The matching part of the comment, if the record was found by a comment.
    pub(crate) excerpt: Vec<ExcerptPart>,
}

/// Pages that are not in the navigation.
const OTHERS: &[navigation::Entry] = &[navigation::entry::<ManageOwnAccount>("command-account", "user", "/account")];

#[derive(Template)]
#[template(path = "search/search.html")]
struct SearchPage {
    shell: Shell,
    typed: String,
    entries: Vec<Entry>,
}

async fn search(request: PageRequest<Search>) -> PageResult {
    let PageRequest { ports, query: SearchText(typed), browser, .. } = request;
    let commands = browser.caller.as_ref().map(commands).unwrap_or_default();
    let mut entries: Vec<_> = commands.into_iter().filter(|command| has_words(&command.label, &typed)).collect();
    // A search without words, or with too many, finds nothing.
    if let (Ok(Some(words)), Some(permit)) = (SearchQuery::parse(&typed), browser.permit::<SearchRecords>()) {
        let mut found: Vec<_> = console::search_all(&ports, &permit, words).await?.into_iter().map(entry_of).collect();
        // Records that match by name come before those that match by something else, such as an e-mail address.
        found.sort_by_key(|entry| !has_words(&entry.label, &typed));
        entries.extend(found);
    }
    responses::page(&browser, SearchPage { shell: browser.shell(text("search")), typed, entries })
}

/// All pages and commands that the caller may open.
fn commands(caller: &Caller) -> Vec<Entry> {
    let group = text("commands");
    let entry = |icon, label, href: &str| {
        let (detail, group) = (String::new(), group.clone());
        Entry { icon, label, detail, group, href: href.to_owned(), excerpt: Vec::new() }
    };
    let sections = navigation::sections(caller, "").into_iter();
    let go_to = |name: &str| text_named("command-go-to", name);
    let mut all: Vec<_> = sections.map(|one| entry(one.icon, go_to(&text(one.text)), one.path)).collect();
    let may_create = |pages: &&kinds::KindPages| pages.list.as_ref().is_some_and(|list| (list.may_create)(caller));
    let new = kinds::KINDS.iter().filter(may_create).map(|pages| pages.kind.plural());
    all.extend(new.map(|kind| entry("plus", text(&format!("{kind}-new")), &format!("/{kind}/new"))));
    let others = navigation::open_to(OTHERS, caller, "").into_iter();
    all.extend(others.map(|one| entry(one.icon, text(one.text), one.path)));
    let settings = navigation::open_to(settings::ENTRIES, caller, "").into_iter();
    let in_settings = |name: &str| text_named("command-settings", name);
    all.extend(settings.map(|one| entry(one.icon, in_settings(&text(one.text)), one.path)));
    all
}

/// Whether every typed word begins a word of the label. Without words, everything matches.
fn has_words(label: &str, typed: &str) -> bool {
    let label = label.to_lowercase();
    typed.to_lowercase().split_whitespace().all(|typed| label.split_whitespace().any(|word| word.starts_with(typed)))
}

fn entry_of(found: console::FoundRecord) -> Entry {
    let pages = kinds::of(found.kind);
    let record = address_of(found.kind, found.id);
    // The page scrolls to the comment if it is on it.
    let (href, excerpt) = match found.comment {
        Some(comment) => (format!("{record}#comment-{}", comment.id.0), comment.excerpt),
        None => (record, Vec::new()),
    };
    Entry {
        icon: pages.icon,
        label: found.title,
        detail: pages.detail(found.detail),
        group: texts::label("kind", found.kind.as_str()),
        href,
        excerpt,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_match_by_word_prefixes() {
        for (typed, is_found) in
            [("", true), ("new", true), ("con NEW", true), ("contact", true), ("ontact", false), ("new deal", false)]
        {
            assert_eq!(has_words("New contact", typed), is_found, "{typed}");
        }
    }
}
