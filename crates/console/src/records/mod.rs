//! Pages of records. One declaration per kind ([`Kind`]) defines its list, its form, its record page and the actions
//! there.

mod bulk;
mod cells;
mod edit;
mod list;
mod merge;
mod money;
mod pages;
mod parts;
mod preview;
mod related;
mod remove;
mod show;
mod talk;
mod totals;
mod use_cases;

pub(crate) use bulk::{bulk_summary, counted, divide, keep_change, keep_former, report_undo, restore_values};
pub(crate) use cells::{
    Cell, CellMaker, Column, actor, address_of, day, icon_of_actor, id_of, kind_of_actor, time_of, title_of_members,
    tone_of,
};
pub(crate) use edit::stored;
pub(crate) use merge::{ConflictPage, SaveOutcome, Target, save, save_to};
pub(crate) use money::{grouped, money};
pub(crate) use pages::{Apply, Bulk, Edit, EditMany, History, RelatedTo, Routes, SHARED, Totals, Update, routes};
use pages::{Comment, Create, Delete, Draft, List, New, Restore, Show, operations};
pub(crate) use parts::{Markup, Parts};
pub(crate) use related::{By, Related};
pub(crate) use remove::deleted_page;
pub(crate) use show::{COMMENT_BYTES, shortened};
pub(crate) use talk::FormerText;
pub(crate) use use_cases::{KindOfIssue, Records, UseCases};

use std::fmt::Display;

use domain::UserId;
use domain::identity::access::{Permit, TransferRecords};
use domain::kernel::input::json::{Json, Map};
use domain::kernel::input::{Input, Problems, SchemaMember};
use domain::kernel::paging::Direction;
use domain::transfer::ExportedList;
use http_core::{Operation, query};

use crate::form::FieldKind;
use crate::lists::ListQuery;
use crate::prelude::*;

/// A kind of record with pages: its use cases, and what its pages show.
pub(crate) trait Kind: UseCases {
    /// What is read together with a record for its own page.
    type PageData: Default + Send;

    const ROUTES: Routes;
    const VIEW: KindView;
    /// The records of a list, for an export.
    const EXPORTED: fn(Self::Filter) -> ExportedList;
    /// All pages of the kind, in order of registration.
    const PAGES: &'static [Operation] = &operations::<Self>();
    /// The path that the navigation links to.
    const START: &'static str = Self::ROUTES.path;
    /// Members that the pages show but no form has.
    const READ_ONLY: &'static [(&'static str, FieldKind)] = &[];

    /// The members that come first on a record's page.
    const FIRST: &'static [&'static str] = &[];

    /// Removes what does not apply to the kind from a form or the filters.
    fn adapt_form(form: FormView) -> FormView {
        form
    }

    /// The members of a record that this caller may not set, so that no form has them.
    fn withheld(_: &Browser) -> &'static [&'static str] {
        &[]
    }

    /// Fills in defaults in the form of a new record.
    fn prefill(_: &Browser, _: &mut FormView) {}

    /// Removes members that follow from others from a submitted form.
    fn adapt_input(_: &Browser, _: &mut Form) {}

    /// An error of a submitted form in the words of the form.
    fn explain(error: Error) -> Error {
        error
    }

    /// Whether the caller may change and delete this record, as far as it depends on the record.
    fn may_change(_: &Browser, _: &Json) -> bool {
        true
    }

    /// Adds the choices of fields to the form of a record, or of a new one.
    async fn with_choices(_: &Ports, _: &Browser, form: FormView, _: &Json) -> Result<FormView, Error> {
        Ok(form)
    }

    /// The members that can be changed in bulk.
    fn bulk_members() -> Vec<SchemaMember> {
        let mut members = Self::Patch::members();
        members.retain(|member| Self::VIEW.bulk.contains(&member.name));
        members.sort_by_key(|member| Self::VIEW.bulk.iter().position(|name| *name == member.name));
        members
    }

    /// A change without the members that follow from others in it, which takes former values back.
    fn without_derived(patch: Map<String, Json>) -> Map<String, Json> {
        patch
    }

    /// Tabs of the list that everybody has: the key of the text, and the query.
    fn presets(browser: &Browser) -> Vec<(&'static str, String)> {
        let user = browser.user().filter(|_| Self::VIEW.responsible.is_some());
        user.map(mine_tab).into_iter().collect()
    }

    /// Sections of a record's page that are specific to this kind.
    async fn parts(_: &Ports, _: &Browser, _: &Json, _: Self::PageData) -> Result<Parts, Error> {
        Ok(Parts::default())
    }
    /// The member with a Markdown preview in the form.
    const PREVIEWED: Option<&'static str> = None;
    /// Whether texts are shown with pictures from other sites. Only allowed for kinds that no customer can write.
    const SHOWS_PICTURES: bool = false;

    /// The page to continue with if changing a field in place needs more input.
    fn next_step(_: Self::Id, _: &Form) -> Option<String> {
        None
    }

    /// The actions for a record besides changing and deleting it; without a record, those of the list.
    fn actions(_: &Browser, _: Option<&Json>) -> Vec<Action> {
        Vec::new()
    }

    /// Reads a record for its own page. One statement.
    async fn read_for_page(
        ports: &Ports,
        permit: &Permit<Self::Read>,
        id: Self::Id,
    ) -> Result<(Self::Record, Self::PageData), Error> {
        Ok((Self::read(ports, permit, id).await?, Self::PageData::default()))
    }
}

/// A button on a record's page, or on a list.
pub(crate) struct Action {
    pub(crate) label: String,
    pub(crate) icon: &'static str,
    /// The link's URL. If there are values, a form is sent there instead.
    pub(crate) href: String,
    pub(crate) values: Vec<(&'static str, String)>,
}

impl Action {
    /// The link from a list to its import page.
    pub(crate) fn import(browser: &Browser, list: &str) -> Option<Self> {
        let import =
            || Self { label: text("import"), icon: "upload", href: format!("/import{list}"), values: Vec::new() };
        browser.may::<TransferRecords>().then(import)
    }
}

/// The orders that sort a list by a column. The empty order is the default.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct ColumnOrder {
    pub(crate) column: &'static str,
    pub(crate) up: &'static str,
    pub(crate) down: &'static str,
    /// The direction of the first click.
    pub(crate) first: Direction,
}

impl ColumnOrder {
    pub(crate) const CREATED: Self = Self::descending("created_at", "oldest", "");
    pub(crate) const CHANGED: Self = Self::descending("updated_at", "updated", "updated_desc");

    pub(crate) const fn ascending(column: &'static str, up: &'static str, down: &'static str) -> Self {
        Self { column, up, down, first: Direction::Up }
    }

    pub(crate) const fn descending(column: &'static str, up: &'static str, down: &'static str) -> Self {
        Self { column, up, down, first: Direction::Down }
    }

    /// The direction of a list with this order, if the order is by this column.
    fn direction_of(&self, order: &str) -> Option<Direction> {
        let up = (order == self.up).then_some(Direction::Up);
        up.or_else(|| (order == self.down).then_some(Direction::Down))
    }

    /// The order that a click on the column's header selects.
    fn next(&self, current: Option<Direction>) -> &'static str {
        let is_ascending = current.map_or(self.first == Direction::Up, |direction| direction == Direction::Down);
        if is_ascending { self.up } else { self.down }
    }
}

/// What the pages of a kind show.
pub(crate) struct KindView {
    /// The member that serves as a record's title; its column is the first.
    pub(crate) title: &'static str,
    pub(crate) title_of: fn(&Json) -> String,
    /// The default columns.
    pub(crate) columns: &'static [&'static str],
    /// The columns that a list can be sorted by.
    pub(crate) orders: &'static [ColumnOrder],
    /// The member with an amount of money, and the member with its currency.
    pub(crate) money: Option<(&'static str, &'static str)>,
    /// Members that no form has.
    pub(crate) hidden: &'static [&'static str],
    /// The members that the form of a new record shows at first. The others are hidden until more fields are requested.
    /// Empty for all.
    pub(crate) usual: &'static [&'static str],
    /// The member with the responsible person: by default, whoever creates the record.
    pub(crate) responsible: Option<&'static str>,
    /// Members that can be changed in bulk.
    pub(crate) bulk: &'static [&'static str],
    /// Whether tags can be added in bulk.
    pub(crate) has_tags: bool,
    /// Whether its long texts are plain, not Markdown.
    pub(crate) has_plain_texts: bool,
    pub(crate) related: &'static [Related],
    /// Filters by a record whose value is found by a search.
    pub(crate) searched: &'static [&'static str],
    /// Another view of the list: its path and the key of its text.
    pub(crate) other_form: Option<(&'static str, &'static str)>,
    pub(crate) icon: &'static str,
    /// Whether search results are told apart by a text, such as an e-mail address, rather than by a value with a label.
    pub(crate) detail_is_text: bool,
    /// Whether a record with this status is still open, so that its dates are due.
    pub(crate) is_open: fn(&str) -> bool,
    /// The status from which records can move to every other status, if not all statuses allow that.
    pub(crate) reopened: Option<&'static str>,
}

impl KindView {
    /// A kind whose records have a `title` member, with defaults for everything else.
    pub(crate) const fn of(icon: &'static str, columns: &'static [&'static str]) -> Self {
        Self {
            title: "title",
            title_of: |record| title_of_members(record, &["title"]),
            columns,
            orders: const { &[ColumnOrder::CREATED, ColumnOrder::CHANGED] },
            money: None,
            hidden: &[],
            usual: &[],
            responsible: None,
            bulk: &[],
            has_tags: false,
            has_plain_texts: false,
            related: &[],
            searched: &[],
            other_form: None,
            icon,
            detail_is_text: false,
            is_open: |_| true,
            reopened: None,
        }
    }
}

/// The tab with the records that the user is responsible for.
pub(crate) fn mine_tab(user: UserId) -> (&'static str, String) {
    ("list-mine", format!("assignee={user}"))
}

/// Checks the query of a list of the kind.
///
/// # Errors
/// [`Error::Malformed`] with every parameter that the list does not accept.
pub(crate) fn check_query<K: Kind>(query: &str) -> Result<(), Error> {
    let mut problems = Problems::default();
    let _: ListQuery<K::Filter, K::Record> = query::read(query, &mut problems);
    problems.into_result()
}

/// The URL of a record.
pub(crate) fn path_of<K: Kind>(id: impl Display) -> String {
    format!("{}/{id}", K::ROUTES.path)
}
