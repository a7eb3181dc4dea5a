//! Undoing the change that a notice has reported.

use domain::UndoId;
use domain::console::undos;
use domain::identity::access::SearchRecords;

use super::kinds;
use crate::prelude::*;
use crate::records::FormerText;

pages! {
    Undo = "POST /undo/{undo_id}", class: Class::Bulk, access: SearchRecords, path: UndoId => undo
}

async fn undo(request: PageRequest<Undo>) -> PageResult {
    let PageRequest { ports, permit, path, form, browser, .. } = request;
    let back = form.next_path().unwrap_or("/").to_owned();
    let undo = match undos::read(&ports, &permit, path).await {
        // Undos of other users get the same answer, so that it reveals nothing.
        Err(Error::NotFound(_)) => return responses::success(&browser, &back, text("undo-gone")),
        undo => undo?,
    };
    let Some(first) = undo.entries.first() else {
        return responses::success(&browser, &back, text("undo-nothing"));
    };
    if let Some(former) = FormerText::of(first) {
        return former.restore(&ports, &browser, undo.id, &back).await;
    }
    (kinds::of(undo.kind).undo)(&ports, &browser, undo, back).await
}
