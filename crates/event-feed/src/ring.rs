//! The newest events of a workspace, up to a number of bytes.

use std::collections::VecDeque;
use std::sync::Arc;

use domain::events::ShownEvent;

/// The approximate size of an event in addition to its JSON, in bytes.
const OVERHEAD: usize = 512;

/// Events in the order of their positions, without gaps.
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

    /// Adds an event and drops the oldest ones beyond the limit. After a gap in the positions, the ring starts again with this event.
    pub(crate) fn push(&mut self, event: Arc<ShownEvent>, max_bytes: usize) {
        let follows = |last: &Arc<ShownEvent>| last.event.position + 1 == event.event.position;
        if !self.events.back().is_none_or(follows) {
            self.clear();
        }
        self.bytes += size_of(&event);
        self.events.push_back(event);
        while self.bytes > max_bytes && self.drop_oldest() {}
    }

    fn drop_oldest(&mut self) -> bool {
        let oldest = self.events.pop_front();
        self.bytes -= oldest.as_deref().map_or(0, size_of);
        oldest.is_some()
    }

    pub(crate) fn clear(&mut self) {
        *self = Self::default();
    }

    /// All events after a position; `None` if there are none, or if some of them were dropped.
    pub(crate) fn after(&self, position: i64) -> Option<Vec<Arc<ShownEvent>>> {
        let oldest = self.events.front()?.event.position;
        let newer = usize::try_from((position + 1).checked_sub(oldest)?).ok()?;
        let after: Vec<_> = self.events.iter().skip(newer).cloned().collect();
        (!after.is_empty()).then_some(after)
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

    fn positions(events: Option<Vec<Arc<ShownEvent>>>) -> Option<Vec<i64>> {
        events.map(|events| events.iter().map(|event| event.event.position).collect())
    }

    #[test]
    fn events_are_returned_only_if_none_is_missing() {
        let (mut ring, one) = (Ring::default(), size_of(&event(5)));
        assert_eq!(ring.after(0), None);
        for position in 5..=9 {
            ring.push(event(position), 3 * one);
        }
        assert_eq!(ring.bytes(), 3 * one);
        for (position, found) in
            [(5, None), (6, Some(vec![7, 8, 9])), (8, Some(vec![9])), (9, None), (10, None), (i64::MAX - 1, None)]
        {
            assert_eq!(positions(ring.after(position)), found, "{position}");
        }
    }

    #[test]
    fn a_gap_clears_the_ring_and_an_event_over_the_limit_is_not_kept() {
        let (mut ring, one) = (Ring::default(), size_of(&event(1)));
        ring.push(event(1), 10 * one);
        ring.push(event(3), 10 * one);
        assert_eq!(positions(ring.after(2)), Some(vec![3]));
        assert_eq!(ring.after(0), None);
        ring.push(event(4), one - 1);
        assert_eq!((ring.after(3), ring.bytes()), (None, 0));
    }
}
