//! The event log.

use async_trait::async_trait;
use domain::events::{Event, EventActor, EventRetention, HistoryQuery, LogPlace, LoggedEvent};
use domain::kernel::paging::{PageRequest, Position};
use domain::ports::{EventLogRepo, EventLogs, EventMonths, EventScan, LogBounds, LogWindow, Scanned, StoreError};
use domain::{EventId, WorkspaceId};
use time::OffsetDateTime;
use uuid::Uuid;

use super::MemoryStore;
use super::state::{MemoryTx, Records};

impl EventLogRepo for MemoryTx<'_> {
    fn number(&mut self) -> Result<i64, StoreError> {
        Ok(self.records.number_events())
    }

    fn after(&mut self, position: i64, most: u32) -> Result<Vec<LoggedEvent>, StoreError> {
        let positions = (1..).zip(&self.records.positions).skip_while(|(place, _)| *place <= position);
        let events = positions.filter_map(|(place, id)| self.records.logged(*id, place));
        Ok(events.take(most as usize).collect())
    }

    fn position_before(&mut self, since: OffsetDateTime) -> Result<i64, StoreError> {
        let is_since = |id: &EventId| self.records.events.get(id).is_some_and(|event| event.at >= since);
        let before = self.records.positions.iter().take_while(|id| !is_since(id));
        Ok(count(before.count()))
    }

    fn history(&mut self, of: &HistoryQuery, page: &PageRequest) -> Result<Vec<LoggedEvent>, StoreError> {
        let is_of = |event: &Event| {
            event.record.is_some_and(|record| record.id == of.record && of.nouns.contains(&record.noun))
                && (of.has_comments || event.version.is_some())
        };
        let found = self.records.events.iter().filter(|(_, event)| is_of(event));
        let mut found: Vec<_> = found.map(|(id, event)| (event.at, *id)).collect();
        found.sort_unstable_by(|one, other| other.cmp(one));
        let is_behind = |place: &(OffsetDateTime, EventId)| match page.position {
            Position::After(at, id) => *place < (at, EventId(id)),
            Position::Page(_) | Position::AfterValue(..) | Position::AfterChange(_) => true,
        };
        let shown = found.into_iter().filter(is_behind).skip(page.offset() as usize).take(page.limit as usize + 1);
        Ok(shown.filter_map(|(_, id)| self.records.logged(id, 0)).collect())
    }

    fn window(&mut self, position: i64, most: i64) -> Result<LogWindow, StoreError> {
        let end = count(self.records.positions.len());
        let last = (position < end).then(|| position.saturating_add(most).min(end));
        let place = |position| Some(LogPlace { position, event: self.records.event_at(position)? });
        Ok(LogWindow {
            here: self.records.event_at(position),
            first: last.map(|_| position + 1),
            last: last.and_then(place),
        })
    }

    fn bounds(
        &mut self,
        since: Option<OffsetDateTime>,
        record: Option<Uuid>,
        few: u32,
    ) -> Result<LogBounds, StoreError> {
        let before = since.map_or(Ok(0), |since| self.position_before(since))?;
        let first = self.window(before, 1)?.first;
        Ok(LogBounds { first, has_few: record.map_or(Ok(true), |record| self.has_at_most(record, few))? })
    }

    fn has_at_most(&mut self, record: Uuid, most: u32) -> Result<bool, StoreError> {
        let is_about = |event: &&Event| event.record.is_some_and(|about| about.id == record);
        Ok(self.records.events.values().filter(is_about).count() <= most as usize)
    }

    fn scan(&mut self, scan: &EventScan) -> Result<Scanned, StoreError> {
        Ok(self.records.scan(scan))
    }

    fn scan_newest(&mut self, scan: &EventScan) -> Result<Scanned, StoreError> {
        Ok(self.records.scan_newest(scan))
    }

    fn earliest(&mut self, after: i64, last: i64, at: OffsetDateTime) -> Result<Option<OffsetDateTime>, StoreError> {
        let asked = (1..).zip(&self.records.positions).filter(|(place, _)| (after + 1..=last).contains(place));
        let times = asked.filter_map(|(_, id)| Some(self.records.events.get(id)?.at));
        Ok(times.min().filter(|earliest| *earliest <= at))
    }
}

#[async_trait]
impl EventLogs for MemoryStore {
    async fn number(&self, workspace: WorkspaceId) -> Result<i64, StoreError> {
        Ok(self.with(|state| state.records.entry(workspace).or_default().number_events()))
    }

    async fn unnumbered(&self, limit: u32) -> Result<Vec<WorkspaceId>, StoreError> {
        Ok(self.with(|state| {
            let behind = state.records.iter().filter(|(_, records)| records.positions.len() < records.events.len());
            behind.map(|(id, _)| *id).take(limit as usize).collect()
        }))
    }

    /// A store that lives as long as a test keeps everything in one place.
    async fn maintain_months(&self, now: OffsetDateTime, _: EventRetention) -> Result<Option<EventMonths>, StoreError> {
        Ok(Some(EventMonths { oldest: now, ahead: 3 }))
    }

    async fn last_positions(&self, workspaces: Vec<WorkspaceId>) -> Result<Vec<(WorkspaceId, i64)>, StoreError> {
        Ok(self.with(|state| {
            let last = |id: &WorkspaceId| state.records.get(id).map_or(0, |records| count(records.positions.len()));
            workspaces.iter().map(|id| (*id, last(id))).filter(|(_, last)| *last > 0).collect()
        }))
    }

    async fn scan(&self, workspace: WorkspaceId, scan: EventScan) -> Result<Scanned, StoreError> {
        Ok(self.with(|state| state.records.entry(workspace).or_default().scan(&scan)))
    }
}

impl Records {
    /// Gives positions to events that have none, in the order of their times; returns the last position.
    fn number_events(&mut self) -> i64 {
        let mut fresh: Vec<_> = self.events.iter().filter(|(id, _)| !self.positions.contains(id)).collect();
        fresh.sort_by_key(|(id, event)| (event.at, **id));
        let fresh: Vec<_> = fresh.into_iter().map(|(id, _)| *id).collect();
        self.positions.extend(fresh);
        count(self.positions.len())
    }

    fn event_at(&self, position: i64) -> Option<EventId> {
        self.positions.get(usize::try_from(position.checked_sub(1)?).ok()?).copied()
    }

    fn scan(&self, scan: &EventScan) -> Scanned {
        fitting(scan, self.asked(scan).into_iter())
    }

    fn scan_newest(&self, scan: &EventScan) -> Scanned {
        fitting(scan, self.asked(scan).into_iter().rev())
    }

    /// The events of a part of the log that match, in order.
    fn asked(&self, scan: &EventScan) -> Vec<LoggedEvent> {
        let places = (1..).zip(&self.positions).filter(|(place, _)| (scan.after + 1..=scan.upto).contains(place));
        let logged = places.filter_map(|(place, id)| self.logged(*id, place));
        logged.filter(|event| scan.matcher.matches(event) && scan.reach.covers(event.module, &event.name)).collect()
    }

    /// An event as readers see it.
    pub(super) fn logged(&self, id: EventId, position: i64) -> Option<LoggedEvent> {
        let event = self.events.get(&id)?;
        let Event { by, record, .. } = event;
        Some(LoggedEvent {
            position,
            id,
            module: event.module,
            name: event.name.clone(),
            record: record.map(|record| (record.noun.to_owned(), record.id)),
            version: event.version,
            is_internal: event.is_internal,
            actor: EventActor { kind: by.actor_type().to_owned(), id: by.actor.id, name: by.name.to_string() },
            request_id: by.request_id.as_deref().map(ToOwned::to_owned),
            tool: by.tool.map(|tool| tool.as_str().to_owned()),
            payload: event.payload.clone(),
            created_at: event.at,
        })
    }
}

fn count(events: usize) -> i64 {
    i64::try_from(events).unwrap_or(i64::MAX)
}

/// The first events, as far as there is room for them.
fn fitting(scan: &EventScan, events: impl Iterator<Item = LoggedEvent>) -> Scanned {
    let (mut found, mut bytes) = (Scanned::default(), 0);
    for event in events {
        bytes += event.payload.len();
        let is_full = found.events.len() >= scan.limit as usize;
        if is_full || (bytes > scan.bytes as usize && !found.events.is_empty()) {
            found.is_cut = true;
            break;
        }
        found.events.push(event);
    }
    found
}
