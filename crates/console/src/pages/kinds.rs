//! The kinds of records that have pages, for pages that are of no kind.

use domain::Error;
use domain::identity::access::Caller;
use domain::kernel::input::{Input, SchemaMember};
use domain::records::RecordKind;

use super::articles::Articles;
use super::crm::{Companies, Contacts, Deals};
use super::tickets::Tickets;
use super::work::{Projects, Tasks};
use crate::form::FormView;
use crate::records::{Kind, check_query};

/// What is asked of a kind that has pages.
pub(crate) struct KindPages {
    pub(crate) kind: RecordKind,
    pub(crate) may_create: fn(&Caller) -> bool,
    /// Reads the query of its list.
    pub(crate) check_query: fn(&str) -> Result<(), Error>,
    pub(crate) members: fn() -> Vec<SchemaMember>,
    /// The fields of a record, and those of a change of many.
    pub(crate) form: fn() -> FormView,
}

pub(crate) const KINDS: &[KindPages] = &[
    of::<Contacts>(),
    of::<Companies>(),
    of::<Deals>(),
    of::<Projects>(),
    of::<Tasks>(),
    of::<Tickets>(),
    of::<Articles>(),
];

/// The kind whose list is at this path, such as `contacts`.
pub(crate) fn at(list: &str) -> Option<&'static KindPages> {
    KINDS.iter().find(|pages| pages.kind.plural() == list)
}

const fn of<K: Kind>() -> KindPages {
    KindPages {
        kind: K::KIND,
        may_create: |caller| caller.permit::<K::Create>().is_ok(),
        check_query: check_query::<K>,
        members: K::Fields::members,
        form: form_of::<K>,
    }
}

fn form_of<K: Kind>() -> FormView {
    let mut members = K::Fields::members();
    let is_new = |name: &str| members.iter().all(|known| known.name != name);
    let more: Vec<_> = K::Patch::members().into_iter().filter(|one| is_new(one.name)).collect();
    members.extend(more);
    K::tailored(FormView::of_members(&members))
}
