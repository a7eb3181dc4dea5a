//! Deleting a record, at once and with a way back, and restoring it.

use domain::Error;
use domain::records::DeletableKind;
use domain::restore::restore_any;
use http_core::path::RecordPath;

use super::{Delete, Kind, Restore, address_of, path_of};
use crate::answers::{self, Notice};
use crate::page::{PageRequest, PageResult};
use crate::texts::{text, text_with};

pub(super) async fn delete<K: Kind>(request: PageRequest<Delete<K>>) -> PageResult {
    let PageRequest { ports, permit, path, form, browser, .. } = request;
    let id = path.record();
    match K::delete(&ports, &permit, id, form.version()?).await {
        Ok(()) => {
            let name = form.value("_name").unwrap_or_default();
            let notice = Notice::new(text_with("record-deleted", [("name", name.into())]));
            let notice = notice.with_undo(format!("{}/restore", path_of::<K>(id)));
            Ok(answers::redirect(&browser, K::ROUTES.path, Some(notice)))
        }
        Err(Error::ConcurrentUpdate { .. }) => {
            let notice = Notice::new(text("record-changed-before"));
            Ok(answers::redirect(&browser, &path_of::<K>(id), Some(notice)))
        }
        Err(error) => Err(error.into()),
    }
}

pub(super) async fn restore<K: Kind>(request: PageRequest<Restore<K>>) -> PageResult {
    let PageRequest { ports, permit, path, browser, .. } = request;
    let kind = DeletableKind::parse(K::KIND.as_str()).ok_or(Error::NotFound(K::KIND.as_str()))?;
    let id = path.record().to_string().parse().unwrap_or_default();
    let restored = answers::made(restore_any(&ports, &permit, None, kind, id).await?)?;
    let notice = Notice::new(text_with("record-restored", [("name", restored.name.into())]));
    Ok(answers::redirect(&browser, &address_of(K::KIND, id), Some(notice)))
}
