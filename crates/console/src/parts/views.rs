//! Saved views: the tabs above a list, and what is done with them.

use askama::Template;
use domain::Error;
use domain::SavedViewId;
use domain::console::views::{self, SavedView, ViewFields, ViewPage};
use domain::identity::access::UseSavedViews;
use domain::kernel::idempotency::IdempotentResult;
use domain::kernel::input::InputMode;
use domain::ports::Ports;

use crate::answers::{self, Notice, is_own_path};
use crate::filters;
use crate::form::{Form, FormView, once_as_typed};
use crate::layout::{Browser, Shell};
use crate::page::{PageRequest, PageResult, PageRoute, page};
use crate::pages;
use crate::texts::{text, text_with};

page! {
    Save = "POST /views", access: UseSavedViews => save
}

page! {
    Change = "POST /views/{view_id}", access: UseSavedViews, path: SavedViewId => change
}

page! {
    Delete = "POST /views/{view_id}/delete", access: UseSavedViews, path: SavedViewId => delete
}

/// A view as a tab.
pub(crate) struct Tab {
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) href: String,
    pub(crate) is_shared: bool,
    pub(crate) is_current: bool,
    pub(crate) version: i64,
}

/// A tab that everybody has.
pub(crate) struct Preset {
    pub(crate) name: String,
    pub(crate) href: String,
    pub(crate) is_current: bool,
}

/// The tabs of a list.
pub(crate) struct Tabs {
    /// The list without a view.
    pub(crate) path: String,
    pub(crate) page: &'static str,
    /// Those that everybody has.
    pub(crate) presets: Vec<Preset>,
    pub(crate) views: Vec<Tab>,
    /// The current filters, which can be saved.
    pub(crate) query: String,
    pub(crate) address: String,
    /// Whether neither a filter nor an order is set.
    pub(crate) is_plain: bool,
}

impl Tabs {
    /// The view that is shown, if one is.
    pub(crate) fn current(&self) -> Option<&Tab> {
        self.views.iter().find(|tab| tab.is_current)
    }
}

/// The tabs of the list at the browser's address; `None` for who has no views. One statement.
///
/// # Errors
/// Those of the store.
pub(crate) async fn tabs(
    ports: &Ports,
    browser: &Browser,
    page: ViewPage,
    presets: Vec<(&'static str, String)>,
) -> Result<Option<Tabs>, Error> {
    let Some(permit) = browser.permit::<UseSavedViews>() else { return Ok(None) };
    let found = views::list(ports, &permit, page).await?;
    let (path, query) = browser.address.split_once('?').unwrap_or((&browser.address, ""));
    let query = state_of(query);
    let tab = |view: SavedView| Tab {
        href: if view.query.is_empty() { path.to_owned() } else { format!("{path}?{}", view.query) },
        is_current: !query.is_empty() && state_of(&view.query) == query,
        id: view.id.to_string(),
        name: view.name,
        is_shared: view.shared,
        version: view.version,
    };
    let views = found.into_iter().map(tab).collect();
    let preset = |(key, wanted): (&str, String)| Preset {
        name: text(key),
        href: format!("{path}?{wanted}"),
        is_current: state_of(&wanted) == query,
    };
    Ok(Some(Tabs {
        path: path.to_owned(),
        page: page.as_str(),
        presets: presets.into_iter().map(preset).collect(),
        views,
        is_plain: query.is_empty(),
        query,
        address: browser.address.clone(),
    }))
}

/// The parameters of an address that make up a view: without its place in the list.
fn state_of(query: &str) -> String {
    let pairs = form_urlencoded::parse(query.as_bytes());
    let mut pairs: Vec<_> =
        pairs.filter(|(name, value)| !matches!(&**name, "cursor" | "page" | "limit") && !value.is_empty()).collect();
    pairs.sort();
    form_urlencoded::Serializer::new(String::new()).extend_pairs(pairs).finish()
}

#[derive(Template)]
#[template(path = "parts/view_form.html")]
struct ViewForm {
    shell: Shell,
    form: FormView,
    action: String,
    hidden: Vec<(&'static str, String)>,
    back: String,
}

fn refused_page(browser: &Browser, form: &Form, action: String, error: Error) -> PageResult {
    let view = FormView::new::<ViewFields>().only(&["name", "shared"]).typed(form).with_error(error)?;
    let kept = ["page", "query", "_next"].map(|name| (name, form.value(name).unwrap_or_default().to_owned()));
    let hidden = kept.into_iter().filter(|(name, _)| form.has(name)).collect();
    let back = next_of(form).to_owned();
    let shell = browser.shell(text("view-save"));
    answers::refused(browser, ViewForm { shell, form: view, action, hidden, back })
}

fn next_of(form: &Form) -> &str {
    form.value("_next").filter(|next| is_own_path(next)).unwrap_or("/")
}

async fn save(request: PageRequest<Save>) -> PageResult {
    let PageRequest { ports, permit, form, browser, .. } = request;
    let page = form.value("page").and_then(ViewPage::parse);
    let page = page.ok_or_else(|| {
        Error::malformed("page", "invalid_value", format!("must be one of {}", ViewPage::allowed_values()))
    })?;
    let fields = form.read::<ViewFields>(InputMode::Create, &ports, &browser.preferences.zone);
    let checked = pages::check_view(page, form.value("query").unwrap_or_default());
    let result = match checked.and(fields) {
        Ok(fields) => views::create(&ports, &permit, once_as_typed(&form, Save::ROUTE), page, fields).await,
        Err(error) => Err(error),
    };
    match result {
        Ok(IdempotentResult::Replayed(_)) => {
            Ok(answers::redirect(&browser, next_of(&form), Some(Notice::new(text("made-already")))))
        }
        Ok(IdempotentResult::Fresh(view)) => {
            let notice = Notice::new(text_with("view-saved", [("name", view.name.into())]));
            Ok(answers::redirect(&browser, next_of(&form), Some(notice)))
        }
        Err(error) => refused_page(&browser, &form, "/views".to_owned(), error),
    }
}

async fn change(request: PageRequest<Change>) -> PageResult {
    let PageRequest { ports, permit, path, form, browser, .. } = request;
    // A name or who sees it: the query stays.
    let form = form.without(&["query", "column_names"]);
    let result = match form.read::<ViewFields>(InputMode::Patch, &ports, &browser.preferences.zone) {
        Ok(fields) => views::update(&ports, &permit, path, form.version()?, fields).await,
        Err(error) => Err(error),
    };
    match result {
        Ok(view) => {
            let notice = Notice::new(text_with("view-saved", [("name", view.name.into())]));
            Ok(answers::redirect(&browser, next_of(&form), Some(notice)))
        }
        Err(error) => refused_page(&browser, &form, format!("/views/{path}"), error),
    }
}

async fn delete(request: PageRequest<Delete>) -> PageResult {
    let PageRequest { ports, permit, path, form, browser, .. } = request;
    views::delete(&ports, &permit, path).await?;
    Ok(answers::redirect(&browser, next_of(&form), Some(Notice::new(text("view-deleted")))))
}
