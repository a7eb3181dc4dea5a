//! The kinds of records, for pages that work with all kinds.

use domain::console::undos::Undo;
use domain::identity::access::Caller;
use domain::kernel::input::{Input, SchemaMember};
use domain::records::RecordKind;
use domain::support::canned_replies::CannedReply;
use domain::transfer::ExportedList;
use futures_util::future::LocalBoxFuture;
use http_core::Operation;
use uuid::Uuid;

use super::articles::Articles;
use super::crm::{Companies, Contacts, Deals};
use super::tickets::Tickets;
use super::time::{self, TimeEntries};
use super::transfer;
use super::work::{CYCLES, Projects, Tasks};
use crate::navigation::{Entry, entry};
use crate::prelude::*;
use crate::records::{ColumnOrder, Kind, KindView, Records, Routes, address_of, check_query, restore_values, routes};

/// What such pages need to know about a kind.
pub(crate) struct KindPages {
    pub(crate) kind: RecordKind,
    pub(crate) icon: &'static str,
    /// Whether search results are told apart by a text rather than by a value with a label.
    pub(crate) detail_is_text: bool,
    /// Whether its texts are shown with pictures from other sites.
    pub(crate) shows_pictures: bool,
    /// The fields of a record, and those of a bulk change.
    pub(crate) form: fn() -> FormView,
    /// Undoes a change, and redirects to an address.
    pub(crate) undo: for<'a> fn(&'a Ports, &'a Browser, Undo, String) -> LocalBoxFuture<'a, PageResult>,
    pub(crate) pages: &'static [Operation],
    /// Its list; `None` for cycles, which belong to their projects.
    pub(crate) list: Option<ListPages>,
}

/// Reads the records and columns that a query selects.
type ReadSelection = fn(&str, &Ports) -> Result<(ExportedList, Vec<String>), Error>;

pub(crate) struct ListPages {
    /// Its entry in the navigation.
    pub(crate) entry: Entry,
    pub(crate) may_create: fn(&Caller) -> bool,
    pub(crate) check_query: fn(&str) -> Result<(), Error>,
    /// Reads the records and columns that a query selects for an export.
    pub(crate) exported: ReadSelection,
    pub(crate) members: fn() -> Vec<SchemaMember>,
    #[cfg(test)]
    pub(crate) columns: fn() -> Vec<&'static str>,
}

/// All kinds, in the order of [`RecordKind::ALL`].
pub(crate) const KINDS: &[KindPages; RecordKind::ALL.len()] = &[
    KindPages::of::<Contacts>(),
    KindPages::of::<Companies>(),
    KindPages::of::<Deals>(),
    KindPages::of::<Projects>(),
    CYCLES,
    KindPages::of::<Tasks>(),
    KindPages::of::<Tickets>(),
    KindPages::of::<Articles>(),
    KindPages {
        undo: |ports, browser, undo, back| Box::pin(time::undo_change(ports, browser, undo, back)),
        ..KindPages::of::<TimeEntries>()
    },
    KindPages::of::<Records<CannedReply>>(),
];

impl Kind for Records<CannedReply> {
    type PageData = ();

    const ROUTES: Routes = routes!("canned_replies", "canned_reply_id");
    const EXPORTED: fn(Self::Filter) -> ExportedList = ExportedList::CannedReplies;
    const VIEW: KindView = KindView {
        orders: &[ColumnOrder::CREATED],
        has_plain_texts: true,
        ..KindView::of("message-circle", &["shortcut", "shared", "created_at", "updated_at"])
    };
}

/// The pages of each kind.
pub(super) const OPERATIONS: [&[Operation]; KINDS.len()] = {
    let mut all: [&[Operation]; KINDS.len()] = [&[]; KINDS.len()];
    let mut index = 0;
    while index < KINDS.len() {
        // Each row is at the index of its kind.
        assert!(KINDS[index].kind as usize == index);
        all[index] = KINDS[index].pages;
        index += 1;
    }
    all
};

pub(crate) fn of(kind: RecordKind) -> &'static KindPages {
    &KINDS[kind as usize]
}

/// The kind with this plural, as in URLs: `contacts`.
pub(crate) fn by_plural(plural: &str) -> Option<&'static KindPages> {
    KINDS.iter().find(|pages| pages.kind.plural() == plural)
}

/// The list at this path, such as `contacts`.
pub(crate) fn list_at(plural: &str) -> Option<&'static ListPages> {
    by_plural(plural)?.list.as_ref()
}

/// The URL of a record, unless its kind is only a part of another record.
pub(crate) fn own_address_of(kind: RecordKind, id: Uuid) -> Option<String> {
    of(kind).list.as_ref().map(|_| address_of(kind, id))
}

impl KindPages {
    const fn of<K: Kind>() -> Self {
        Self {
            kind: K::KIND,
            icon: K::VIEW.icon,
            detail_is_text: K::VIEW.detail_is_text,
            shows_pictures: K::SHOWS_PICTURES,
            form: form_of::<K>,
            undo: |ports, browser, undo, back| Box::pin(restore_values::<K>(ports, browser, undo, back)),
            pages: K::PAGES,
            list: Some(ListPages::of::<K>()),
        }
    }

    /// The text that tells a search result from others with the same name.
    pub(crate) fn detail(&self, found: Option<String>) -> String {
        let detail = found.unwrap_or_default();
        if self.detail_is_text || detail.is_empty() { detail } else { label("value", &detail) }
    }
}

impl ListPages {
    const fn of<K: Kind>() -> Self {
        Self {
            entry: entry::<K::Read>(K::ROUTES.title, K::VIEW.icon, K::ROUTES.path).starting_at(K::START),
            may_create: |caller| caller.permit::<K::Create>().is_ok(),
            check_query: check_query::<K>,
            exported: transfer::exported::<K>,
            members: K::Fields::members,
            #[cfg(test)]
            columns: columns_of::<K>,
        }
    }
}

fn form_of<K: Kind>() -> FormView {
    let mut members = K::Fields::members();
    let is_new = |name: &str| members.iter().all(|known| known.name != name);
    let more: Vec<_> = K::Patch::members().into_iter().filter(|one| is_new(one.name)).collect();
    members.extend(more);
    K::adapt_form(FormView::of_members(&members))
}

#[cfg(test)]
fn columns_of<K: Kind>() -> Vec<&'static str> {
    let columns = crate::records::CellMaker::new::<K>(&[]).columns.into_iter().map(|column| column.name);
    columns.chain([K::VIEW.title]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::texts::known;
    use domain::support::canned_replies::Variable;

    #[test]
    fn each_list_has_its_texts() {
        for kind in KINDS.iter().filter(|pages| pages.list.is_some()).map(|pages| pages.kind) {
            let of_list = ["title", "new", "count", "no-match", "none", "none-hint"];
            let of_list = of_list.into_iter().map(|end| format!("{}-{end}", kind.plural()));
            let labels = [format!("kind-{kind}"), format!("transfer-{}", kind.plural())];
            for key in of_list.chain(labels.map(|key| key.replace('_', "-"))) {
                assert!(known(&key).is_some(), "texts/en.ftl lacks {key}");
            }
        }
    }

    #[test]
    fn the_form_of_a_canned_reply_lists_all_variables() {
        let help = known("help-canned-reply-body").unwrap();
        for variable in Variable::ALL {
            assert!(help.contains(&variable.in_braces()), "{help}");
        }
    }

    #[test]
    fn only_open_records_are_due() {
        let of_task = [("todo", true), ("done", false), ("cancelled", false)];
        let of_ticket = [("open", true), ("on_hold", true), ("resolved", false), ("closed", false)];
        let of_deal = [("open", true), ("on_hold", true), ("closed_lost", false)];
        let of_project = [("active", true), ("on_hold", true), ("completed", false), ("cancelled", false)];
        for (shown, statuses) in [
            (Tasks::VIEW, &of_task[..]),
            (Tickets::VIEW, &of_ticket[..]),
            (Deals::VIEW, &of_deal[..]),
            (Projects::VIEW, &of_project[..]),
        ] {
            for (status, is_open) in statuses {
                assert_eq!((shown.is_open)(status), *is_open, "{status}");
            }
        }
    }
}
