//! The event log.

use async_trait::async_trait;
use domain::events::{Event, EventActor, EventRetention, HistoryQuery, LoggedEvent};
use domain::kernel::paging::{PageRequest, Position};
use domain::ports::{EventLogRepo, EventLogs, EventMonths, StoreError};
use domain::{EventId, WorkspaceId};
use time::OffsetDateTime;

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
            Position::Page(_) | Position::AfterValue(..) => true,
        };
        let shown = found.into_iter().filter(is_behind).skip(page.offset() as usize).take(page.limit as usize + 1);
        Ok(shown.filter_map(|(_, id)| self.records.logged(id, 0)).collect())
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
