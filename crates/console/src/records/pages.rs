//! The pages that every kind has.

use std::marker::PhantomData;

use domain::identity::access::{CreateComments, ReadHistory, RestoreRecords};
use domain::records::HistoryEvent;
use http_core::Operation;
use http_core::query::Paged;

use super::{Kind, bulk, edit, list, preview, related, remove, show, talk, totals};
use crate::lists::ListQuery;
use crate::page::operation;
use crate::prelude::*;

/// The routes of a kind's pages.
pub(crate) struct Routes {
    pub(crate) path: &'static str,
    /// The key of the list's title.
    pub(crate) title: &'static str,
    pub(crate) list: &'static str,
    pub(crate) new: &'static str,
    pub(crate) create: &'static str,
    pub(crate) related: &'static str,
    pub(crate) totals: &'static str,
    pub(crate) bulk: &'static str,
    pub(crate) edit_many: &'static str,
    pub(crate) apply: &'static str,
    pub(crate) show: &'static str,
    pub(crate) edit: &'static str,
    pub(crate) update: &'static str,
    pub(crate) delete: &'static str,
    pub(crate) restore: &'static str,
    pub(crate) history: &'static str,
    pub(crate) comment: &'static str,
    pub(crate) draft: &'static str,
}

/// The [`Routes`] of a kind with its list at this path, and this name for ids in patterns.
macro_rules! routes {
    ($list:literal, $id:literal) => {
        $crate::records::Routes {
            path: concat!("/", $list),
            title: concat!($list, "-title"),
            list: concat!("GET /", $list),
            new: concat!("GET /", $list, "/new"),
            create: concat!("POST /", $list),
            related: concat!("GET /", $list, "/related"),
            totals: concat!("GET /", $list, "/totals"),
            bulk: concat!("POST /", $list, "/bulk"),
            edit_many: concat!("GET /", $list, "/bulk"),
            apply: concat!("POST /", $list, "/bulk/apply"),
            show: concat!("GET /", $list, "/{", $id, "}"),
            edit: concat!("GET /", $list, "/{", $id, "}/edit"),
            update: concat!("POST /", $list, "/{", $id, "}"),
            delete: concat!("POST /", $list, "/{", $id, "}/delete"),
            restore: concat!("POST /", $list, "/{", $id, "}/restore"),
            history: concat!("GET /", $list, "/{", $id, "}/history"),
            comment: concat!("POST /", $list, "/{", $id, "}/comments"),
            draft: concat!("POST /", $list, "/{", $id, "}/draft"),
        }
    };
}
pub(crate) use routes;

/// Declares the pages of every kind on its routes.
macro_rules! pages_of_kinds {
    ($(
        $name:ident = $route:ident $(, class: $class:expr)?, access: $access:ty, path: $path:ty, query: $query:ty => $handler:path;
    )+) => { $(
        pub(crate) struct $name<K>(PhantomData<fn() -> K>);

        impl<K: Kind> PageRoute for $name<K> {
            const ROUTE: &'static str = K::ROUTES.$route;
            $(const CLASS: Class = $class;)?
            type Access = $access;
            type Path = $path;
            type Query = $query;

            fn handle(request: PageRequest<Self>) -> impl Future<Output = PageResult> {
                $handler(request)
            }
        }
    )+

    /// The pages of a kind.
    pub(crate) const fn operations<K: Kind>() -> [Operation; [$(stringify!($name)),+].len()] {
        [$(operation::<$name<K>>()),+]
    }
    };
}

pages_of_kinds! {
    List = list, access: K::Read, path: (), query: ListQuery<K::Filter, K::Record> => list::list;
    New = new, access: K::Create, path: (), query: edit::Prefilled => edit::new;
    Create = create, access: K::Create, path: (), query: () => edit::create;
    RelatedTo = related, access: K::Read, path: (), query: ListQuery<K::Filter, K::Record> => related::related;
    Totals = totals, access: K::Read, path: (), query: ListQuery<K::Filter, K::Record> => totals::totals;
    Bulk = bulk, access: K::Update, path: (), query: () => bulk::bulk;
    EditMany = edit_many, access: K::Update, path: (), query: bulk::Selection => bulk::edit_many;
    Apply = apply, class: Class::Bulk, access: K::Update, path: (), query: () => bulk::apply;
    Show = show, access: K::Read, path: K::Id, query: show::Comments => show::show;
    Edit = edit, access: K::Update, path: K::Id, query: edit::OneField => edit::edit;
    Update = update, access: K::Update, path: K::Id, query: () => edit::update;
    Delete = delete, access: K::Delete, path: K::Id, query: () => remove::delete;
    Restore = restore, access: RestoreRecords, path: K::Id, query: () => remove::restore;
    History = history, access: ReadHistory, path: K::Id, query: Paged<HistoryEvent> => show::history;
    Comment = comment, access: CreateComments, path: K::Id, query: () => talk::comment;
    Draft = draft, access: CreateComments, path: K::Id, query: () => talk::draft;
}

/// Pages for records of all kinds.
pub(crate) const SHARED: [Operation; 3] =
    [operation::<talk::ChangeComment>(), operation::<talk::DeleteComment>(), operation::<preview::Preview>()];
