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

/// The id of a record whose history whoever reads the record reads too.
pub trait HasHistory: Copy + Into<Uuid> + Send + 'static {
    /// What it takes to read the record, and with it its history.
    type Read: Permission;
    /// The kinds of record that the id can have.
    const KINDS: &'static [RecordKind];
}

/// A page of the history of a record, newest first; also of a deleted one for those who see deleted records.
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

/// Like [`read_history`], of a record of any kind that the caller reads: for tools. Others are treated as missing.
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
    let place = RecordKind::ALL.iter().position(|known| *known == kind).unwrap_or_default();
    page_of(ports, permit, &RecordKind::ALL[place..=place], id, page).await
}

async fn page_of<P>(
    ports: &Ports,
    permit: &Permit<P>,
    kinds: &'static [RecordKind],
    id: Uuid,
    page: PageRequest,
) -> Result<Page<HistoryEvent>, Error> {
    let reach = EventReach::of(permit);
    let query = HistoryQuery {
        record: id,
        nouns: kinds.iter().map(|kind| kind.as_str()).collect(),
        has_comments: kinds.iter().all(|kind| reach.covers_comments_on(kind.as_str())),
        now: ports.clock.now(),
    };
    let reader = permit.actor();
    let sees_deleted = kinds.iter().any(|kind| may_see_deleted(permit, *kind));
    // The events become JSON here, and not on a thread that serves requests.
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
        Ok(shown(events, &page))
    })
    .await
}

/// The page of the events. One by cursor ends early where it would become too large.
fn shown(events: Vec<LoggedEvent>, page: &PageRequest) -> Page<HistoryEvent> {
    let mut bytes = 0;
    let fits = |event: &&LoggedEvent| {
        bytes += event.payload.len();
        bytes <= MAX_CURSOR_PAGE_BYTES
    };
    let fitting = match page.position {
        Position::Page(_) => events.len(),
        // At least one is shown, so that a reader gets on.
        Position::After(..) | Position::AfterValue(..) | Position::AfterChange(_) | Position::AfterKey(_) => {
            events.iter().take_while(fits).count().max(1)
        }
    };
    let events = events.into_iter().map(|event| HistoryEvent(event.view())).collect();
    let mut shown = Page::from_rows(events, page);
    shown.truncate_after(fitting);
    shown
}
