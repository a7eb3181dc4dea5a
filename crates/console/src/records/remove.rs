//! Deleting records immediately, with an undo, and restoring them.

use actix_web::http::StatusCode;
use domain::events::EventView;
use domain::identity::access::{ReadHistory, RestoreRecords};
use domain::kernel::paging::PageRequest as Paging;
use domain::records;
use domain::restore::restore_any;
use http_core::path::RecordPath;
use time::OffsetDateTime;

use super::edit::stored;
use super::{Delete, Kind, Restore, address_of, path_of};
use crate::pages::form_summary;
use crate::prelude::*;

pub(super) async fn delete<K: Kind>(request: PageRequest<Delete<K>>) -> PageResult {
    let PageRequest { ports, permit, path, form, browser, .. } = request;
    let id = path.record();
    match K::delete(&ports, &permit, id, form.version()?).await {
        Ok(()) => {
            let name = form.value("_name").unwrap_or_default();
            let notice = Notice::new(text_named("record-deleted", name));
            let notice = notice.with_undo(format!("{}/restore", path_of::<K>(id)));
            Ok(responses::redirect(&browser, K::ROUTES.path, Some(notice)))
        }
        Err(Error::ConcurrentUpdate { .. }) => {
            let notice = Notice::refusal(text("record-changed-before"));
            Ok(responses::redirect(&browser, &path_of::<K>(id), Some(notice)))
        }
        Err(error) => Err(error.into()),
    }
}

pub(super) async fn restore<K: Kind>(request: PageRequest<Restore<K>>) -> PageResult {
    let PageRequest { ports, permit, path, browser, .. } = request;
    let id = path.record().to_string().parse().unwrap_or_default();
    let mut name = restore_any(&ports, &permit, None, K::KIND, id).await?.made_now()?.name;
    // A time entry without a note is called by its day and length.
    if name.is_empty() {
        let restored = stored::<K>(&ports, &browser, path.record()).await;
        name = restored.map(|record| (K::VIEW.title_of)(&record)).unwrap_or_default();
    }
    responses::success(&browser, &address_of(K::KIND, id), text_named("record-restored", &name))
}

/// The page of a deleted record, for callers who may see deleted records.
#[derive(Template)]
#[template(path = "records/gone.html")]
struct GonePage {
    shell: Shell,
    list: String,
    list_path: &'static str,
    /// Who deleted it.
    by: String,
    at: OffsetDateTime,
    /// The path to which the restore form is sent, if the caller may restore it.
    restore: Option<String>,
    /// What was typed and could not be saved.
    typed: Vec<form_summary::Line>,
}

/// Says who deleted the record, and offers to restore it. One statement.
pub(crate) async fn deleted_page<K: Kind>(ports: &Ports, browser: &Browser, id: K::Id) -> PageResult {
    deleted_page_with::<K>(ports, browser, id, None).await
}

/// Like [`deleted_page`], in response to a form: what was typed can be copied. Scripts keep their page with the form.
pub(super) async fn deleted_page_with<K: Kind>(
    ports: &Ports,
    browser: &Browser,
    id: K::Id,
    typed: Option<&Form>,
) -> PageResult {
    let last = last_event::<K>(ports, browser, id).await?;
    let Some(event) = last.filter(|event| event.event.ends_with(".deleted")) else {
        return Err(Error::NotFound(K::KIND.as_str()).into());
    };
    let view = GonePage {
        shell: browser.shell((K::VIEW.title_of)(&event.parsed_data())),
        list: text(K::ROUTES.title),
        list_path: K::ROUTES.path,
        by: event.actor.name,
        at: event.created_at,
        restore: browser.may::<RestoreRecords>().then(|| format!("{}/restore", path_of::<K>(id))),
        typed: match typed.filter(|_| !browser.is_htmx) {
            Some(form) => form_summary::lines(ports, browser, form).await,
            None => Vec::new(),
        },
    };
    responses::page_with(StatusCode::NOT_FOUND, browser, view)
}

/// The last event of a record, if the caller may read its history. One statement.
///
/// # Errors
/// [`Error::NotFound`] if the caller may not see the record.
pub(super) async fn last_event<K: Kind>(
    ports: &Ports,
    browser: &Browser,
    id: K::Id,
) -> Result<Option<EventView>, Error> {
    let Some(permit) = browser.permit::<ReadHistory>() else { return Ok(None) };
    let record = (K::KIND, id.to_string().parse().unwrap_or_default());
    let page = records::read_any_history(ports, &permit, record, Paging::first(1)).await?;
    Ok(page.items.into_iter().next().map(|event| event.0))
}
