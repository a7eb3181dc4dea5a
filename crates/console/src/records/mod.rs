//! Records as pages: from one declaration per kind ([`Kind`]) follow its list, its form, its own page and what can be done
//! there.

mod bulk;
mod cells;
mod edit;
mod list;
mod merge;
mod related;
mod remove;
mod show;
mod talk;

pub(crate) use cells::{
    Cell, CellMaker, Column, address_of, day, icon_of_actor, id_of, money, title_of_members, tone_of,
};
pub(crate) use edit::stored;
pub(crate) use merge::{Saved, save};
pub(crate) use related::Related;

use std::collections::HashMap;
use std::fmt::Display;
use std::marker::PhantomData;

use askama::Template;
use askama::filters::Safe;
use domain::Error;
use domain::console::views::ViewPage;
use domain::identity::access::{CreateComments, Permission, Permit, ReadHistory, RestoreRecords};
use domain::kernel::input::json::{Json, Map};
use domain::kernel::input::{Filter, Input, Problems, SchemaMember};
use domain::kernel::paging::{Page, PageRequest as Paging, Paginated};
use domain::kernel::versions::ExpectedVersion;
use domain::ports::{Ports, StoreError};
use domain::records::{HistoryEvent, Listed, RecordKind};
use domain::work::comments::CommentedRecord;
use http_core::Operation;
use http_core::path::RecordPath;
use http_core::query::{self, Paged};
use serde::Serialize;
use uuid::Uuid;

use crate::form::{FieldKind, FormView};
use crate::layout::Browser;
use crate::lists::ListQuery;
use crate::page::{PageRequest, PageResult, PageRoute, operation};

/// A kind of record that has pages: its use cases, and what its pages show.
pub(crate) trait Kind: Sized + 'static {
    type Record: Serialize + Paginated;
    type Fields: Input;
    type Filter: Filter;
    type Id: RecordPath<Id = Self::Id> + Copy + From<Uuid> + Display;
    type Read: Permission;
    type Create: Permission;
    type Update: Permission;
    type Delete: Permission;

    const KIND: RecordKind;
    const ROUTES: Routes;
    const SHOWN: Shown;
    /// Members that its pages show and no form of it has.
    const READ_ONLY: &'static [(&'static str, FieldKind)] = &[];

    /// A form or the filters of the kind, without what does not concern it.
    fn tailored(form: FormView) -> FormView {
        form
    }

    /// A form with what can be chosen in it, for a record, or for a new one.
    async fn with_choices(_: &Ports, _: &Browser, form: FormView, _: &Json) -> Result<FormView, Error> {
        Ok(form)
    }

    /// The members that can be set for many records at once.
    fn bulk_members() -> Vec<SchemaMember> {
        let members = Self::Fields::members().into_iter();
        members.filter(|member| Self::SHOWN.bulk.contains(&member.name)).collect()
    }

    /// Tabs of the list that everybody has: the key of the text, and the query.
    fn presets(_: &Browser) -> Vec<(&'static str, String)> {
        Vec::new()
    }

    /// Changes many records in one step where the kind can; returns why each of those was not changed that were not.
    async fn change_many(
        _: &Ports,
        _: &Permit<Self::Update>,
        _: &[Uuid],
        _: Map<String, Json>,
    ) -> Option<Result<HashMap<Uuid, String>, Error>> {
        None
    }

    /// What only pages of this kind have.
    async fn parts(_: &Ports, _: &Browser, _: &Json) -> Result<Parts, Error> {
        Ok(Parts::default())
    }
    /// The member whose text the form shows as it will be read, beside the writing.
    const PREVIEWED: Option<&'static str> = None;

    /// What can be done with a record beyond changing and deleting it, or, without one, beside the list.
    fn actions(_: &Browser, _: Option<&Json>) -> Vec<Action> {
        Vec::new()
    }

    async fn list(
        ports: &Ports,
        permit: &Permit<Self::Read>,
        filter: Self::Filter,
        page: Paging,
    ) -> Result<Page<Listed<Self::Record>>, Error>;
    async fn read(ports: &Ports, permit: &Permit<Self::Read>, id: Self::Id) -> Result<Self::Record, Error>;
    async fn create(ports: &Ports, permit: &Permit<Self::Create>, fields: Self::Fields) -> Result<Self::Record, Error>;
    async fn update(
        ports: &Ports,
        permit: &Permit<Self::Update>,
        id: Self::Id,
        expected: ExpectedVersion,
        fields: Self::Fields,
    ) -> Result<Self::Record, Error>;
    async fn delete(
        ports: &Ports,
        permit: &Permit<Self::Delete>,
        id: Self::Id,
        expected: ExpectedVersion,
    ) -> Result<(), Error>;
}

/// What a record's page has that only those of its kind have.
#[derive(Default)]
pub(crate) struct Parts {
    /// Sections below the fields.
    pub(crate) main: Vec<Markup>,
    /// Sections beside them.
    pub(crate) side: Vec<Markup>,
    /// Links and buttons above them.
    pub(crate) actions: Vec<Markup>,
}

/// A filled template.
pub(crate) struct Markup(String);

impl Markup {
    /// # Errors
    /// None: templates have no step that fails.
    pub(crate) fn of(template: &impl Template) -> Result<Self, Error> {
        let failed = |error| Error::Store(StoreError::Internal(format!("a template failed: {error}")));
        template.render().map(Self).map_err(failed)
    }

    pub(crate) fn as_html(&self) -> Safe<&str> {
        Safe(&self.0)
    }
}

/// A button of a record's page, or of its list.
pub(crate) struct Action {
    pub(crate) label: String,
    pub(crate) icon: &'static str,
    /// Where it leads; a form with values is sent there.
    pub(crate) href: String,
    pub(crate) values: Vec<(&'static str, String)>,
}

/// What the pages of a kind show.
pub(crate) struct Shown {
    /// The word that the keys of its texts begin with, such as `companies`.
    pub(crate) texts: &'static str,
    pub(crate) icon: &'static str,
    /// The list whose views can be saved.
    pub(crate) views: Option<ViewPage>,
    /// The member by which a record goes; its column is the first.
    pub(crate) title: &'static str,
    /// What a record is called.
    pub(crate) title_of: fn(&Json) -> String,
    /// The columns that are shown unless others are chosen.
    pub(crate) columns: &'static [&'static str],
    /// The columns by which a list can be sorted, and the order that does it; an empty one is that without a parameter.
    pub(crate) orders: &'static [(&'static str, &'static str)],
    /// The member with an amount of money, and the one with its currency.
    pub(crate) money: Option<(&'static str, &'static str)>,
    /// Members that no form has.
    pub(crate) hidden: &'static [&'static str],
    /// Members that can be set for many records at once.
    pub(crate) bulk: &'static [&'static str],
    /// Whether tags can be added to many at once.
    pub(crate) has_tags: bool,
    pub(crate) related: &'static [Related],
    /// The record as comments name it; `None` where there are none.
    pub(crate) commented: Option<fn(Uuid) -> CommentedRecord>,
    /// Another form of the list: its path and the key of its text.
    pub(crate) other_form: Option<(&'static str, &'static str)>,
}

/// The routes of a kind's pages.
pub(crate) struct Routes {
    pub(crate) path: &'static str,
    pub(crate) list: &'static str,
    pub(crate) new: &'static str,
    pub(crate) create: &'static str,
    pub(crate) related: &'static str,
    pub(crate) bulk: &'static str,
    pub(crate) show: &'static str,
    pub(crate) edit: &'static str,
    pub(crate) update: &'static str,
    pub(crate) delete: &'static str,
    pub(crate) restore: &'static str,
    pub(crate) history: &'static str,
    pub(crate) comment: &'static str,
    pub(crate) draft: &'static str,
}

/// The [`Routes`] below a path, for ids of this name.
macro_rules! routes {
    ($path:literal, $id:literal) => {
        $crate::records::Routes {
            path: $path,
            list: concat!("GET ", $path),
            new: concat!("GET ", $path, "/new"),
            create: concat!("POST ", $path),
            related: concat!("GET ", $path, "/related"),
            bulk: concat!("POST ", $path, "/bulk"),
            show: concat!("GET ", $path, "/{", $id, "}"),
            edit: concat!("GET ", $path, "/{", $id, "}/edit"),
            update: concat!("POST ", $path, "/{", $id, "}"),
            delete: concat!("POST ", $path, "/{", $id, "}/delete"),
            restore: concat!("POST ", $path, "/{", $id, "}/restore"),
            history: concat!("GET ", $path, "/{", $id, "}/history"),
            comment: concat!("POST ", $path, "/{", $id, "}/comments"),
            draft: concat!("POST ", $path, "/{", $id, "}/draft"),
        }
    };
}
pub(crate) use routes;

/// Declares the page of every kind on one of its routes.
macro_rules! pages_of_kinds {
    ($(
        $name:ident = $route:ident, access: $access:ty, path: $path:ty, query: $query:ty => $handler:path;
    )+) => { $(
        pub(crate) struct $name<K>(PhantomData<fn() -> K>);

        impl<K: Kind> PageRoute for $name<K> {
            const ROUTE: &'static str = K::ROUTES.$route;
            type Access = $access;
            type Path = $path;
            type Query = $query;

            fn handle(request: PageRequest<Self>) -> impl Future<Output = PageResult> {
                $handler(request)
            }
        }
    )+ };
}

pages_of_kinds! {
    List = list, access: K::Read, path: (), query: ListQuery<K::Filter, K::Record> => list::list;
    New = new, access: K::Create, path: (), query: edit::Prefilled => edit::new;
    Create = create, access: K::Create, path: (), query: () => edit::create;
    RelatedTo = related, access: K::Read, path: (), query: ListQuery<K::Filter, K::Record> => related::related;
    Bulk = bulk, access: K::Update, path: (), query: () => bulk::bulk;
    Show = show, access: K::Read, path: K::Id, query: show::Comments => show::show;
    Edit = edit, access: K::Update, path: K::Id, query: edit::OneField => edit::edit;
    Update = update, access: K::Update, path: K::Id, query: () => edit::update;
    Delete = delete, access: K::Delete, path: K::Id, query: () => remove::delete;
    Restore = restore, access: RestoreRecords, path: K::Id, query: () => remove::restore;
    History = history, access: ReadHistory, path: K::Id, query: Paged<HistoryEvent> => show::history;
    Comment = comment, access: CreateComments, path: K::Id, query: () => talk::comment;
    Draft = draft, access: CreateComments, path: K::Id, query: () => talk::draft;
}

/// How many pages a kind has.
pub(crate) const PAGES_OF_A_KIND: usize = 13;

/// The pages of a kind.
pub(crate) const fn operations<K: Kind>() -> [Operation; PAGES_OF_A_KIND] {
    [
        operation::<List<K>>(),
        operation::<New<K>>(),
        operation::<Create<K>>(),
        operation::<RelatedTo<K>>(),
        operation::<Bulk<K>>(),
        operation::<Show<K>>(),
        operation::<Edit<K>>(),
        operation::<Update<K>>(),
        operation::<Delete<K>>(),
        operation::<Restore<K>>(),
        operation::<History<K>>(),
        operation::<Comment<K>>(),
        operation::<Draft<K>>(),
    ]
}

/// Pages of records of all kinds.
pub(crate) const SHARED: [Operation; 3] =
    [operation::<talk::ChangeComment>(), operation::<talk::DeleteComment>(), operation::<talk::Preview>()];

/// Reads the query of a list of the kind.
///
/// # Errors
/// [`Error::Malformed`] with every parameter that the list does not take.
pub(crate) fn check_query<K: Kind>(query: &str) -> Result<(), Error> {
    let mut problems = Problems::default();
    let _: ListQuery<K::Filter, K::Record> = query::read(query, &mut problems);
    problems.into_result()
}

/// The address of a record.
pub(crate) fn path_of<K: Kind>(id: impl Display) -> String {
    format!("{}/{id}", K::ROUTES.path)
}

/// Implements [`Kind`] for a type by the use cases of a module of the CRM, or of another area.
macro_rules! crm_kind {
    ($kind:ident: $module:ident, $($rest:tt)+) => {
        $crate::records::crm_kind!(@of crm $kind: $module, $($rest)+);
    };
    (
        @of $area:ident $kind:ident: $module:ident, $record:ident, $fields:ident, $filter:ident, $id:ident,
        access: $read:ident, $create:ident, $update:ident, $delete:ident,
        kind: $record_kind:expr, routes: $routes:expr, shown: $shown:expr $(, parts: $parts:path)?
    ) => {
        impl $crate::records::Kind for $kind {
            type Record = domain::$area::$module::$record;
            type Fields = domain::$area::$module::$fields;
            type Filter = domain::$area::$module::$filter;
            type Id = domain::$id;
            type Read = domain::identity::access::$read;
            type Create = domain::identity::access::$create;
            type Update = domain::identity::access::$update;
            type Delete = domain::identity::access::$delete;

            const KIND: domain::records::RecordKind = $record_kind;
            const ROUTES: $crate::records::Routes = $routes;
            const SHOWN: $crate::records::Shown = $shown;

            $(async fn parts(
                ports: &domain::ports::Ports,
                browser: &$crate::layout::Browser,
                record: &domain::kernel::input::json::Json,
            ) -> Result<$crate::records::Parts, domain::Error> {
                $parts(ports, browser, record).await
            })?

            async fn list(
                ports: &domain::ports::Ports,
                permit: &domain::identity::access::Permit<Self::Read>,
                filter: Self::Filter,
                page: domain::kernel::paging::PageRequest,
            ) -> Result<domain::kernel::paging::Page<domain::records::Listed<Self::Record>>, domain::Error> {
                domain::$area::$module::list_or_deleted(ports, permit, filter, page).await
            }

            async fn read(
                ports: &domain::ports::Ports,
                permit: &domain::identity::access::Permit<Self::Read>,
                id: Self::Id,
            ) -> Result<Self::Record, domain::Error> {
                domain::$area::$module::read(ports, permit, id).await
            }

            async fn create(
                ports: &domain::ports::Ports,
                permit: &domain::identity::access::Permit<Self::Create>,
                fields: Self::Fields,
            ) -> Result<Self::Record, domain::Error> {
                $crate::answers::made(domain::$area::$module::create(ports, permit, None, fields).await?)
            }

            async fn update(
                ports: &domain::ports::Ports,
                permit: &domain::identity::access::Permit<Self::Update>,
                id: Self::Id,
                expected: domain::kernel::versions::ExpectedVersion,
                fields: Self::Fields,
            ) -> Result<Self::Record, domain::Error> {
                domain::$area::$module::update(ports, permit, id, expected, fields).await
            }

            async fn delete(
                ports: &domain::ports::Ports,
                permit: &domain::identity::access::Permit<Self::Delete>,
                id: Self::Id,
                expected: domain::kernel::versions::ExpectedVersion,
            ) -> Result<(), domain::Error> {
                domain::$area::$module::delete(ports, permit, id, expected).await
            }
        }
    };
}
pub(crate) use crm_kind;
