//! The navigation: the pages that the caller may open.

use domain::identity::access::{Caller, ManageOwnAccount, ManageWorkspace, OperateService, Permission};

use crate::pages::{account, kinds, settings};

/// An entry as it is shown.
pub(crate) struct Section {
    /// The key of its text.
    pub(crate) text: &'static str,
    pub(crate) icon: &'static str,
    pub(crate) path: &'static str,
    /// Whether the current page belongs to it.
    pub(crate) is_current: bool,
}

/// An entry, and the check whether a caller may open it.
#[derive(Clone, Copy)]
pub(crate) struct Entry {
    text: &'static str,
    icon: &'static str,
    path: &'static str,
    /// Where the link leads, if not to `path`.
    start: &'static str,
    is_open_to: fn(&Caller) -> bool,
}

pub(crate) const fn entry<P: Permission>(text: &'static str, icon: &'static str, path: &'static str) -> Entry {
    Entry { text, icon, path, start: path, is_open_to: |caller| caller.permit::<P>().is_ok() }
}

impl Entry {
    pub(crate) const fn starting_at(self, start: &'static str) -> Self {
        Self { start, ..self }
    }
}

/// The entries before and after the kinds of records.
const FIRST: [Entry; 1] = [entry::<ManageOwnAccount>("nav-home", "home", "/")];
const LAST: [Entry; 3] = [
    entry::<ManageWorkspace>("nav-settings", "settings", "/settings"),
    entry::<ManageOwnAccount>("nav-api", "plug", "/docs"),
    entry::<OperateService>("nav-operator", "shield", "/operator"),
];

/// Pages with addresses of their own, and the entries that they belong to.
const PARTS: [(&str, &str); 2] = [("/cycles", "/projects"), ("/time", "/time_entries")];

/// The entries that the caller may open.
pub(crate) fn sections(caller: &Caller, path: &str) -> Vec<Section> {
    let of_kinds = kinds::KINDS.iter().filter_map(|pages| Some(pages.list.as_ref()?.entry));
    let entries: Vec<_> = FIRST.into_iter().chain(of_kinds).chain(LAST).collect();
    open_to(&entries, caller, path)
}

/// The tabs of a settings or account page; none for other pages.
pub(crate) fn tabs(caller: &Caller, path: &str) -> Vec<Section> {
    match path.split('/').nth(1) {
        Some("settings") => open_to(settings::ENTRIES, caller, path),
        Some("account") => account::tabs(caller, path),
        _ => Vec::new(),
    }
}

/// The entries that the caller may open. A page belongs to the entry whose path is the longest prefix of its own path.
pub(crate) fn open_to(entries: &[Entry], caller: &Caller, path: &str) -> Vec<Section> {
    let current = entries.iter().filter(|entry| is_within(path, entry.path)).max_by_key(|entry| entry.path.len());
    let current = current.map(|entry| entry.path);
    let open = entries.iter().filter(|entry| (entry.is_open_to)(caller));
    open.map(|entry| Section {
        text: entry.text,
        icon: entry.icon,
        path: entry.start,
        is_current: current == Some(entry.path) || is_part_of(path, entry.path),
    })
    .collect()
}

fn is_part_of(path: &str, entry: &str) -> bool {
    PARTS.iter().any(|(part, whole)| *whole == entry && is_within(path, part))
}

/// Whether a path is a page or one below it.
pub(crate) fn is_within(path: &str, page: &str) -> bool {
    path == page || (page != "/" && path.strip_prefix(page).is_some_and(|rest| rest.starts_with('/')))
}
