//! The newest events of a workspace, within a bound of bytes.

use std::collections::VecDeque;
use std::sync::Arc;

use domain::events::ShownEvent;

/// What an event takes beside its JSON, about.
const OVERHEAD: usize = 512;

/// Events in the order of their positions, without a gap.
#[derive(Debug, Default)]
pub(crate) struct Ring {
    events: VecDeque<Arc<ShownEvent>>,
    bytes: usize,
}

fn size_of(event: &ShownEvent) -> usize {
    event.json.len() + OVERHEAD
}

impl Ring {
    pub(crate) const fn bytes(&self) -> usize {
        self.bytes
    }

    /// Adds an event, and drops the oldest beyond the bound. An event that does not follow the last one begins anew.
    pub(crate) fn push(&mut self, event: Arc<ShownEvent>, most: usize) {
        let follows = |last: &Arc<ShownEvent>| last.event.position + 1 == event.event.position;
        if !self.events.back().is_none_or(follows) {
            self.clear();
        }
        self.bytes += size_of(&event);
        self.events.push_back(event);
        while self.bytes > most && self.drop_oldest() {}
    }

    fn drop_oldest(&mut self) -> bool {
        let oldest = self.events.pop_front();
        self.bytes -= oldest.as_deref().map_or(0, size_of);
        oldest.is_some()
    }

    pub(crate) fn clear(&mut self) {
        *self = Self::default();
    }

    /// All events behind a position; `None` if there are none, or not all.
    pub(crate) fn behind(&self, position: i64) -> Option<Vec<Arc<ShownEvent>>> {
        let oldest = self.events.front()?.event.position;
        let known = usize::try_from((position + 1).checked_sub(oldest)?).ok()?;
        let behind: Vec<_> = self.events.iter().skip(known).cloned().collect();
        (!behind.is_empty()).then_some(behind)
    }
}

#[cfg(test)]
mod tests {
    use domain::EventId;
    use domain::events::{EventActor, LoggedEvent, Module};
    use time::OffsetDateTime;
    use uuid::Uuid;

    use super::*;

    fn event(position: i64) -> Arc<ShownEvent> {
        let event = LoggedEvent {
            position,
            id: EventId(Uuid::nil()),
            module: Module::Crm,
            name: "deal.won".to_owned(),
            record: None,
            version: None,
            is_internal: false,
            actor: EventActor { kind: "user".to_owned(), id: None, name: "Ann".to_owned() },
            request_id: None,
            tool: None,
            payload: "{}".to_owned(),
            created_at: OffsetDateTime::UNIX_EPOCH,
        };
        Arc::new(ShownEvent::from(event))
    }

    fn positions(found: Option<Vec<Arc<ShownEvent>>>) -> Option<Vec<i64>> {
        found.map(|events| events.iter().map(|shown| shown.event.position).collect())
    }

    #[test]
    fn it_answers_only_who_misses_nothing() {
        let (mut ring, one) = (Ring::default(), size_of(&event(5)));
        assert_eq!(ring.behind(0), None);
        for position in 5..=9 {
            ring.push(event(position), 3 * one);
        }
        assert_eq!(ring.bytes(), 3 * one);
        for (position, found) in
            [(5, None), (6, Some(vec![7, 8, 9])), (8, Some(vec![9])), (9, None), (10, None), (i64::MAX - 1, None)]
        {
            assert_eq!(positions(ring.behind(position)), found, "{position}");
        }
    }

    #[test]
    fn a_gap_begins_it_anew_and_an_event_beyond_the_bound_is_not_kept() {
        let (mut ring, one) = (Ring::default(), size_of(&event(1)));
        ring.push(event(1), 10 * one);
        ring.push(event(3), 10 * one);
        assert_eq!(positions(ring.behind(2)), Some(vec![3]));
        assert_eq!(ring.behind(0), None);
        ring.push(event(4), one - 1);
        assert_eq!((ring.behind(3), ring.bytes()), (None, 0));
    }
}
