//! The history of a record: its events, newest first (interface 24.6).

use schemars::JsonSchema;
use serde::Serialize;
use time::OffsetDateTime;
use uuid::Uuid;

use super::{RecordKind, may_see_deleted};
use crate::Error;
use crate::events::{EventReach, EventView, HistoryQuery, LoggedEvent};
use crate::identity::access::{Permission, Permit, ReadHistory};
use crate::kernel::Weight;
use crate::kernel::paging::{ListName, MAX_CURSOR_PAGE_BYTES, Page, PageRequest, Paginated, Position};
use crate::ports::{Ports, weighed_read_only};

/// An event of a record's history.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(transparent)]
pub struct HistoryEvent(pub EventView);

impl Paginated for HistoryEvent {
    const LIST: ListName = ListName::HISTORY;

    fn cursor_key(&self) -> (OffsetDateTime, Uuid) {
        (self.0.created_at, self.0.id.0)
    }
}

/// The id of a record whose history is open to everyone who may read the record.
pub trait HasHistory: Copy + Into<Uuid> + Send + 'static {
    /// The permission to read the record, and with it its history.
    type Read: Permission;
    /// The kinds of record that the id can have.
    const KINDS: &'static [RecordKind];
}

/// A page of the history of a record, newest first. Callers who see deleted records can read the history of one.
///
/// # Errors
/// [`Error::NotFound`].
pub async fn read_history<I: HasHistory>(
    ports: &Ports,
    permit: &Permit<I::Read>,
    id: I,
    page: PageRequest,
) -> Result<Page<HistoryEvent>, Error> {
    page_of(ports, permit, I::KINDS, id.into(), page).await
}

/// Like [`read_history`], for a tool that takes a record of any kind. Kinds that the caller may not read are treated as missing.
///
/// # Errors
/// [`Error::NotFound`].
pub async fn read_any_history(
    ports: &Ports,
    permit: &Permit<ReadHistory>,
    (kind, id): (RecordKind, Uuid),
    page: PageRequest,
) -> Result<Page<HistoryEvent>, Error> {
    if !permit.may_read(kind.reads()) {
        return Err(Error::NotFound(kind.as_str()));
    }
    let index = RecordKind::ALL.iter().position(|known| *known == kind).unwrap_or_default();
    page_of(ports, permit, &RecordKind::ALL[index..=index], id, page).await
}

async fn page_of<P>(
    ports: &Ports,
    permit: &Permit<P>,
    kinds: &'static [RecordKind],
    id: Uuid,
    page: PageRequest,
) -> Result<Page<HistoryEvent>, Error> {
    let reach = EventReach::for_permit(permit);
    let query = HistoryQuery {
        record: id,
        nouns: kinds.iter().map(|kind| kind.as_str()).collect(),
        has_comments: kinds.iter().all(|kind| reach.covers_comments_on(kind.as_str())),
        now: ports.clock.now(),
    };
    let reader = permit.actor();
    let sees_deleted = kinds.iter().any(|kind| may_see_deleted(permit, *kind));
    // The events are turned into JSON inside the closure, which does not run on a thread that serves requests.
    let missing = move || Error::NotFound(RecordKind::noun_of(kinds));
    weighed_read_only(ports, permit, Weight::of_page(&page), move |tx| {
        if !sees_deleted && !tx.has_live(kinds, id, reader)? {
            return Err(missing());
        }
        let events = tx.event_log().history(&query, &page)?;
        // A record with events exists or was deleted.
        if events.is_empty()
            && page == PageRequest::first(page.limit)
            && sees_deleted
            && !tx.has_live(kinds, id, reader)?
        {
            return Err(missing());
        }
        Ok(bounded_page(events, &page))
    })
    .await
}

/// The page of the events. A page by cursor ends early if it would become too large.
fn bounded_page(events: Vec<LoggedEvent>, page: &PageRequest) -> Page<HistoryEvent> {
    let mut bytes = 0;
    let fits = |event: &&LoggedEvent| {
        bytes += event.payload.len();
        bytes <= MAX_CURSOR_PAGE_BYTES
    };
    let fitting = match page.position {
        Position::Page(_) => events.len(),
        // At least one event is shown, so that the reader makes progress.
        Position::After(..) | Position::AfterValue(..) | Position::AfterChange(_) | Position::AfterKey(_) => {
            events.iter().take_while(fits).count().max(1)
        }
    };
    let events = events.into_iter().map(|event| HistoryEvent(event.view())).collect();
    let mut bounded = Page::from_rows(events, page);
    bounded.truncate_after(fitting);
    bounded
}
