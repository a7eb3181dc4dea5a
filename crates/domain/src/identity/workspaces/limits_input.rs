//! Limits of a workspace as operators send them.

use serde_json::Value as Json;

use crate::kernel::input::schema::object_schema;
use crate::kernel::input::{Count, Field, Input, InputMode, Integer, Problems, Read, Value, fields};
use crate::limits::{LimitName, MAX_EVENT_BYTES_PER_DAY};

/// The values of most limits.
type Limit = Integer<0, { i32::MAX }>;

fields! {
    /// Limits to set; null goes back to the plan's. Documented at [`LimitName`].
    pub struct LimitFields {
        /// Requests per minute and credential.
        requests_per_minute: Integer<1, { i32::MAX }>,
        /// Contacts, companies and deals created per month.
        crm_quota_per_month: Limit,
        /// Public tickets created per address and hour.
        public_tickets_per_hour: Limit,
        /// Public tickets read per address and minute.
        public_fetches_per_minute: Limit,
        /// Searches of the knowledge base per address and minute.
        public_kb_searches_per_minute: Limit,
        /// E-mails sent for the workspace per hour.
        emails_per_hour: Limit,
        /// Bytes that changes add to the event log per day.
        event_bytes_per_day: Count<MAX_EVENT_BYTES_PER_DAY>,
    }
}

/// The `limits` member of a workspace.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct LimitsObject(LimitFields);

impl Value for LimitsObject {
    fn schema() -> Json {
        object_schema(&LimitFields::members(), InputMode::Patch)
    }

    fn read(json: Json, at: &str, problems: &mut Problems) -> Read<Self> {
        let Json::Object(object) = json else {
            return problems.malformed(at, "invalid_type", "must be an object of limits");
        };
        Read::Value(Self(LimitFields::read(object, at, InputMode::Patch, problems)))
    }
}

impl LimitsObject {
    /// The sent limits; `None` resets one to the plan's.
    pub(super) fn changes(&self) -> Vec<(LimitName, Option<u64>)> {
        let fields = &self.0;
        let changes = [
            change(LimitName::RequestsPerMinute, &fields.requests_per_minute),
            change(LimitName::CrmQuotaPerMonth, &fields.crm_quota_per_month),
            change(LimitName::PublicTicketsPerHour, &fields.public_tickets_per_hour),
            change(LimitName::PublicFetchesPerMinute, &fields.public_fetches_per_minute),
            change(LimitName::PublicKbSearchesPerMinute, &fields.public_kb_searches_per_minute),
            change(LimitName::EmailsPerHour, &fields.emails_per_hour),
            change(LimitName::EventBytesPerDay, &fields.event_bytes_per_day),
        ];
        changes.into_iter().flatten().collect()
    }

    /// The changes that `null` makes instead of an object: all limits are reset to the plan's.
    pub(super) fn reset_all() -> Vec<(LimitName, Option<u64>)> {
        LimitName::ALL.iter().map(|name| (*name, None)).collect()
    }
}

fn change<V: Copy + Into<u64>>(name: LimitName, sent: &Field<V>) -> Option<(LimitName, Option<u64>)> {
    match sent {
        Field::Absent => None,
        Field::Null => Some((name, None)),
        Field::Set(value) => Some((name, Some((*value).into()))),
    }
}

impl<const MIN: i32, const MAX: i32> From<Integer<MIN, MAX>> for u64 {
    fn from(value: Integer<MIN, MAX>) -> Self {
        Self::from(value.get().unsigned_abs())
    }
}

impl<const MAX: u64> From<Count<MAX>> for u64 {
    fn from(value: Count<MAX>) -> Self {
        value.get()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Map, json};

    #[test]
    fn every_limit_has_a_field_with_its_bounds() {
        let names: Vec<_> = LimitName::ALL.iter().map(|name| name.as_str()).collect();
        assert_eq!(LimitFields::NAMES, names);
        for name in LimitName::ALL.iter().copied() {
            let read = |value: Json| {
                let mut problems = Problems::default();
                let object = json!(Map::from_iter([(name.as_str().to_owned(), value)]));
                let Read::Value(read) = LimitsObject::read(object, "limits", &mut problems) else { panic!("{name}") };
                problems.is_empty().then(|| read.changes())
            };
            for value in [name.min_value(), name.max_value()] {
                assert_eq!(read(json!(value)), Some(vec![(name, Some(value))]), "{name}");
            }
            assert_eq!(read(Json::Null), Some(vec![(name, None)]), "{name}");
            for bad in [json!(name.min_value().cast_signed() - 1), json!(name.max_value() + 1), json!("1")] {
                assert_eq!(read(bad.clone()), None, "{name} {bad}");
            }
        }
    }
}
