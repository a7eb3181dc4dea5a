//! The event log.

use domain::EventId;
use domain::events::{Event, EventActor, HistoryQuery, LoggedEvent};
use domain::kernel::paging::PageRequest;
use domain::ports::{EventLogRepo, EventScan, LogBounds, LogWindow, Scanned, StoreError};
use time::OffsetDateTime;
use uuid::Uuid;

use super::not_in_memory::not_in_memory;
use super::state::{MemoryTx, Records};

impl EventLogRepo for MemoryTx<'_> {
    fn number(&mut self) -> Result<i64, StoreError> {
        Ok(self.records.number_events())
    }

    fn after(&mut self, _: i64, _: u32) -> Result<Vec<LoggedEvent>, StoreError> {
        not_in_memory("EventLogRepo::after")
    }

    fn position_before(&mut self, since: OffsetDateTime) -> Result<i64, StoreError> {
        let is_since = |id: &EventId| self.records.events.get(id).is_some_and(|event| event.at >= since);
        let before = self.records.positions.iter().take_while(|id| !is_since(id));
        Ok(count(before.count()))
    }

    fn history(&mut self, _: &HistoryQuery, _: &PageRequest) -> Result<Vec<LoggedEvent>, StoreError> {
        not_in_memory("EventLogRepo::history")
    }

    fn window(&mut self, _: i64, _: i64) -> Result<LogWindow, StoreError> {
        not_in_memory("EventLogRepo::window")
    }

    fn bounds(
        &mut self,
        since: Option<OffsetDateTime>,
        record: Option<Uuid>,
        few: u32,
    ) -> Result<LogBounds, StoreError> {
        let before = since.map_or(Ok(0), |since| self.position_before(since))?;
        let first = (before < count(self.records.positions.len())).then_some(before + 1);
        Ok(LogBounds { first, has_few: record.map_or(Ok(true), |record| self.has_at_most(record, few))? })
    }

    fn has_at_most(&mut self, record: Uuid, most: u32) -> Result<bool, StoreError> {
        let is_about = |event: &&Event| event.record.is_some_and(|about| about.id == record);
        Ok(self.records.events.values().filter(is_about).count() <= most as usize)
    }

    fn scan(&mut self, _: &EventScan) -> Result<Scanned, StoreError> {
        not_in_memory("EventLogRepo::scan")
    }

    fn scan_newest(&mut self, scan: &EventScan) -> Result<Scanned, StoreError> {
        Ok(take_fitting(scan, self.records.matching(scan).into_iter().rev()))
    }

    fn earliest(&mut self, after: i64, last: i64, at: OffsetDateTime) -> Result<Option<OffsetDateTime>, StoreError> {
        let matching = (1..).zip(&self.records.positions).filter(|(place, _)| (after + 1..=last).contains(place));
        let times = matching.filter_map(|(_, id)| Some(self.records.events.get(id)?.at));
        Ok(times.min().filter(|earliest| *earliest <= at))
    }
}

impl Records {
    /// Gives positions to events without one, in the order of their times; returns the last position.
    fn number_events(&mut self) -> i64 {
        let mut fresh: Vec<_> = self.events.iter().filter(|(id, _)| !self.positions.contains(id)).collect();
        fresh.sort_by_key(|(id, event)| (event.at, **id));
        let fresh: Vec<_> = fresh.into_iter().map(|(id, _)| *id).collect();
        self.positions.extend(fresh);
        count(self.positions.len())
    }

    /// The matching events in a part of the log, in order.
    fn matching(&self, scan: &EventScan) -> Vec<LoggedEvent> {
        let places = (1..).zip(&self.positions).filter(|(place, _)| (scan.after + 1..=scan.upto).contains(place));
        let logged = places.filter_map(|(place, id)| self.logged(*id, place));
        logged.filter(|event| scan.matcher.matches(event) && scan.reach.covers(event.module, &event.name)).collect()
    }

    /// An event in the form for readers.
    fn logged(&self, id: EventId, position: i64) -> Option<LoggedEvent> {
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

/// The first events that fit.
fn take_fitting(scan: &EventScan, events: impl Iterator<Item = LoggedEvent>) -> Scanned {
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
