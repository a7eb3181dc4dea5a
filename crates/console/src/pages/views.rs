//! Saving, changing and deleting views.

use domain::SavedViewId;
use domain::console::views::{self, ViewFields, ViewPage};
use domain::identity::access::UseSavedViews;
use domain::kernel::idempotency::IdempotentResult;

use super::kinds;
use crate::form::once_as_typed;
use crate::prelude::*;

pages! {
    Save = "POST /views", access: UseSavedViews => save;
    Change = "POST /views/{view_id}", access: UseSavedViews, path: SavedViewId => change;
    Delete = "POST /views/{view_id}/delete", access: UseSavedViews, path: SavedViewId => delete;
}

/// Checks the query of a view by the list that it belongs to.
///
/// # Errors
/// [`Error::Malformed`] for parameters that the list does not accept.
fn check_view(page: ViewPage, query: &str) -> Result<(), Error> {
    let list = kinds::list_at(page.as_str()).ok_or(Error::NotFound("list"))?;
    (list.check_query)(query)
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
    let view = FormView::new::<ViewFields>().only(&["name", "shared"]).with_input(form).with_error(error)?;
    let kept = ["page", "query", "_next"].map(|name| (name, form.value(name).unwrap_or_default().to_owned()));
    let hidden = kept.into_iter().filter(|(name, _)| form.has(name)).collect();
    let back = form.next_path().unwrap_or("/").to_owned();
    let shell = browser.shell(text("view-save"));
    responses::unprocessable(browser, ViewForm { shell, form: view, action, hidden, back })
}

async fn save(request: PageRequest<Save>) -> PageResult {
    let PageRequest { ports, permit, form, browser, .. } = request;
    let page = form.value("page").and_then(ViewPage::parse);
    let page = page.ok_or_else(|| {
        Error::malformed("page", "invalid_value", format!("must be one of {}", ViewPage::allowed_values()))
    })?;
    let fields = form.read_new::<ViewFields>(&browser);
    let checked = check_view(page, form.value("query").unwrap_or_default());
    let result = match checked.and(fields) {
        Ok(fields) => views::create(&ports, &permit, once_as_typed(&form, Save::ROUTE), page, fields).await,
        Err(error) => Err(error),
    };
    match result {
        Ok(IdempotentResult::Replayed(_)) => {
            responses::success(&browser, form.next_path().unwrap_or("/"), text("made-already"))
        }
        Ok(IdempotentResult::Fresh(view)) => {
            responses::success(&browser, form.next_path().unwrap_or("/"), text_named("view-saved", &view.name))
        }
        Err(error) => refused_page(&browser, &form, "/views".to_owned(), error),
    }
}

async fn change(request: PageRequest<Change>) -> PageResult {
    let PageRequest { ports, permit, path, form, browser, .. } = request;
    // Changes the name or the visibility, but not the query.
    let form = form.without(&["query", "column_names"]);
    let result = match form.read_patch::<ViewFields>(&browser) {
        Ok(fields) => views::update(&ports, &permit, path, form.version()?, fields).await,
        Err(error) => Err(error),
    };
    match result {
        Ok(view) => responses::success(&browser, form.next_path().unwrap_or("/"), text_named("view-saved", &view.name)),
        Err(error) => refused_page(&browser, &form, format!("/views/{path}"), error),
    }
}

async fn delete(request: PageRequest<Delete>) -> PageResult {
    let PageRequest { ports, permit, path, form, browser, .. } = request;
    views::delete(&ports, &permit, path).await?;
    responses::success(&browser, form.next_path().unwrap_or("/"), text("view-deleted"))
}
