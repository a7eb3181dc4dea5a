//! The rows of the home page.

use domain::console::{HomeRecord, RecentChange};
use domain::crm::deals::BoardColumn;
use jiff::Zoned;
use time::{Date, Month, OffsetDateTime};

use crate::pages::kinds::own_address_of;
use crate::records::{address_of, kind_of_actor, money};
use crate::texts::label;

/// The date of a time in its zone.
pub(super) fn date_of(now: &Zoned) -> Date {
    let month = u8::try_from(now.month()).ok().and_then(|month| Month::try_from(month).ok());
    let day = u8::try_from(now.day()).ok();
    // Both use the same calendar.
    let date = month.zip(day).and_then(|(month, day)| Date::from_calendar_date(now.year().into(), month, day).ok());
    date.unwrap_or(Date::MIN)
}

fn path_of(record: &HomeRecord) -> String {
    address_of(record.kind, record.id)
}

pub(super) struct Task {
    pub(super) path: String,
    pub(super) title: String,
    /// The status in words.
    pub(super) status: String,
    pub(super) due: Option<OffsetDateTime>,
}

impl Task {
    pub(super) fn of(record: HomeRecord) -> Self {
        Self {
            path: path_of(&record),
            status: record.detail.as_deref().map(|status| label("value", status)).unwrap_or_default(),
            due: record.at,
            title: record.title,
        }
    }
}

/// A ticket or a deal that needs attention.
pub(super) struct Waiting {
    pub(super) path: String,
    pub(super) title: String,
    pub(super) detail: String,
    /// Since when it has been waiting.
    pub(super) since: Option<OffsetDateTime>,
    /// The due day, such as `2026-11-22`.
    pub(super) day: Option<String>,
    pub(super) value: String,
}

impl Waiting {
    pub(super) fn ticket(record: HomeRecord) -> Self {
        Self {
            path: path_of(&record),
            detail: record.detail.unwrap_or_default(),
            since: record.at,
            title: record.title,
            day: None,
            value: String::new(),
        }
    }

    pub(super) fn deal(record: HomeRecord) -> Self {
        Self {
            path: path_of(&record),
            detail: record.detail.as_deref().map(|stage| label("value", stage)).unwrap_or_default(),
            since: None,
            day: record.at.map(|at| at.date().to_string()),
            value: record.value.map(|(value, currency)| money(&value.to_string(), &currency)).unwrap_or_default(),
            title: record.title,
        }
    }
}

pub(super) struct Stage {
    pub(super) label: String,
    pub(super) path: String,
    pub(super) count: u64,
    /// The total value of its open deals, by currency.
    pub(super) values: Vec<String>,
    /// The number of deals relative to the fullest stage, in percent.
    pub(super) share: u64,
}

/// The open stages with their deals; empty if there are no open deals.
pub(super) fn pipeline(columns: Vec<BoardColumn>) -> Vec<Stage> {
    let open: Vec<_> = columns.into_iter().filter(|column| !column.stage.as_str().starts_with("closed")).collect();
    let fullest = open.iter().map(|column| column.totals.count).max().unwrap_or_default();
    if fullest == 0 {
        return Vec::new();
    }
    let stage = |column: BoardColumn| Stage {
        label: label("value", column.stage.as_str()),
        path: format!("/deals?stage={}&status=open", column.stage.as_str()),
        count: column.totals.count,
        values: column
            .totals
            .values
            .unwrap_or_default()
            .iter()
            .map(|sum| money(&sum.value.to_string(), &sum.currency))
            .collect(),
        share: (column.totals.count * 100).div_ceil(fullest),
    };
    open.into_iter().map(stage).collect()
}

/// Something that was done recently.
pub(super) struct Activity {
    pub(super) actor: String,
    pub(super) icon: &'static str,
    /// The kind of actor, in words.
    pub(super) kind: String,
    /// What was done, such as `won`. The record follows.
    pub(super) verb: String,
    pub(super) record_kind: String,
    /// The record's title, if the record still exists.
    pub(super) title: Option<String>,
    pub(super) path: Option<String>,
    pub(super) tool: Option<String>,
    pub(super) at: OffsetDateTime,
}

/// Recent changes. Consecutive equal changes to a record by the same actor are shown once.
pub(super) fn activities(changes: Vec<RecentChange>) -> Vec<Activity> {
    let mut changes = changes;
    changes.dedup_by(|later, earlier| {
        (later.record, later.actor.id, &later.event) == (earlier.record, earlier.actor.id, &earlier.event)
    });
    changes.into_iter().map(activity).collect()
}

fn activity(change: RecentChange) -> Activity {
    let verb = change.event.split_once('.').map_or(&*change.event, |(_, verb)| verb);
    let (icon, kind) = kind_of_actor(&change.actor.kind, change.tool.as_deref());
    Activity {
        actor: change.actor.name,
        icon,
        kind: label("actor", kind),
        verb: label("log", verb),
        record_kind: label("kind", change.kind.as_str()),
        path: change.title.as_ref().and_then(|_| own_address_of(change.kind, change.record)),
        title: change.title,
        tool: change.tool,
        at: change.at,
    }
}

#[cfg(test)]
mod tests {
    use domain::crm::deals::DealStage;
    use domain::events::EventActor;
    use domain::kernel::summary::{CurrencySum, Totals};
    use domain::records::RecordKind;
    use uuid::Uuid;

    use super::*;

    fn column(stage: DealStage, count: u64) -> BoardColumn {
        let values = (count > 0).then(|| CurrencySum { currency: "EUR".to_owned(), count, value: 1_200.into() });
        let totals = Totals { count, values: Some(values.into_iter().collect()) };
        BoardColumn { stage, totals, on_hold: Totals { count: 9, values: None } }
    }

    #[test]
    fn the_pipeline_compares_open_stages_with_the_fullest() {
        let columns = DealStage::ALL.iter().map(|stage| column(*stage, u64::from(*stage == DealStage::Proposal) * 4));
        let stages = pipeline(columns.collect());
        assert_eq!(stages.len(), DealStage::ALL.len() - 2);
        let proposal = stages.iter().find(|stage| stage.count == 4).unwrap();
        assert_eq!((proposal.share, proposal.values.as_slice()), (100, &["€1,200.00".to_owned()][..]));
        assert!(stages.iter().filter(|stage| stage.count == 0).all(|stage| stage.share == 0));
        assert!(pipeline(DealStage::ALL.iter().map(|stage| column(*stage, 0)).collect()).is_empty());
    }

    #[test]
    fn repeated_changes_are_shown_once_and_agents_differ_from_keys() {
        let change = |tool: Option<&str>, record| RecentChange {
            event: "deal.updated".to_owned(),
            kind: RecordKind::Deal,
            record: Uuid::from_u128(record),
            title: Some("A deal".to_owned()),
            actor: EventActor { kind: "api_key".to_owned(), id: None, name: "Sync".to_owned() },
            tool: tool.map(str::to_owned),
            at: OffsetDateTime::UNIX_EPOCH,
        };
        let shown = activities(vec![change(None, 1), change(None, 1), change(Some("update_deal"), 2)]);
        assert_eq!(shown.iter().map(|one| one.icon).collect::<Vec<_>>(), ["key", "robot"]);
    }
}
