//! How a deal's status and stage change together (interface 9.4–9.8).

use time::Date;

use super::{Deal, DealFields, DealStage, DealStatus};
use crate::Error;
use crate::kernel::input::{Field, InputMode, Problems};

impl DealStatus {
    /// Whether the deal can still be won.
    pub const fn is_open(self) -> bool {
        !self.is_closed()
    }

    const fn is_closed(self) -> bool {
        matches!(self, Self::ClosedWon | Self::ClosedLost)
    }

    /// Whether a deal may move from this status to `next`.
    const fn may_become(self, next: Self) -> bool {
        match (self, next) {
            (Self::ClosedWon, Self::ClosedWon) | (Self::ClosedLost, Self::ClosedLost) => true,
            (Self::ClosedWon | Self::ClosedLost, next) => matches!(next, Self::Open),
            _ => true,
        }
    }

    const fn closing_stage(self) -> Option<DealStage> {
        match self {
            Self::ClosedWon => Some(DealStage::ClosedWon),
            Self::ClosedLost => Some(DealStage::ClosedLost),
            Self::Open | Self::OnHold => None,
        }
    }
}

impl DealStage {
    const fn closing_status(self) -> Option<DealStatus> {
        match self {
            Self::ClosedWon => Some(DealStatus::ClosedWon),
            Self::ClosedLost => Some(DealStatus::ClosedLost),
            _ => None,
        }
    }
}

/// Reports contradictions between the given fields: status and stage that do not match, and a reason that does not apply.
pub(super) fn check_input(fields: &DealFields, mode: InputMode, problems: &mut Problems) {
    let change = StageChange::of(fields);
    if !change.is_consistent() {
        problems.rule(
            "stage",
            "contradicts_status",
            "must match status: a closed stage requires the same status, any other requires open or on_hold",
        );
    }
    // If a patch does not set the status, the stored one decides, and `check_rules` checks it.
    if let Some(status) = change.requested_status().or((mode == InputMode::Create).then_some(DealStatus::Open)) {
        change.note_reason(status, problems);
    }
}

/// The status, stage, close date and reason of an input; null is read as the default.
#[derive(Debug, Clone)]
pub(super) struct StageChange {
    status: Option<DealStatus>,
    stage: Option<DealStage>,
    actual_close_date: Field<Date>,
    lost_reason: Field<String>,
}

impl StageChange {
    /// Takes the fields from an input. [`check_input`] has checked that they match.
    pub(super) fn of(fields: &DealFields) -> Self {
        Self {
            status: fields.status.clone().or_default(DealStatus::Open),
            stage: fields.stage.clone().or_default(DealStage::Discovery),
            actual_close_date: fields.actual_close_date.clone(),
            lost_reason: fields.lost_reason.clone().into_stored(),
        }
    }

    /// The requested status; a closed stage alone implies one.
    fn requested_status(&self) -> Option<DealStatus> {
        self.status.or_else(|| self.stage.and_then(DealStage::closing_status))
    }

    fn is_consistent(&self) -> bool {
        match (self.status, self.stage) {
            (Some(status), Some(stage)) => {
                status.closing_stage() == stage.closing_status().and_then(DealStatus::closing_stage)
            }
            _ => true,
        }
    }

    /// Checks the rules that depend on the stored status.
    ///
    /// # Errors
    /// [`Error::Invalid`] for a reason on a deal that is not lost.
    pub(super) fn check_rules(&self, stored: DealStatus) -> Result<(), Error> {
        let mut problems = Problems::default();
        self.note_reason(self.requested_status().unwrap_or(stored), &mut problems);
        problems.into_result()
    }

    /// Applies the change to a stored deal, after its rules were checked. If it closes the deal without a closing date, the date
    /// is `closing_day`.
    ///
    /// # Errors
    /// [`Error::InvalidStateChange`] for a change that the stored status does not allow.
    pub(super) fn apply(&self, deal: &mut Deal, closing_day: Option<Date>) -> Result<(), Error> {
        let (from, from_stage) = (deal.status, deal.stage);
        let to = self.requested_status().unwrap_or(from);
        if from.is_closed() && self.status.is_none() && self.stage.is_some_and(|stage| stage != from_stage) {
            return Err(Error::InvalidStateChange(format!(
                "the stage of a {from} deal cannot change on its own: set status to open to reopen it"
            )));
        }
        if !from.may_become(to) {
            return Err(Error::InvalidStateChange(format!(
                "a {from} deal cannot become {to}: it can only be reopened with status open"
            )));
        }
        self.move_to(deal, to, closing_day);
        Ok(())
    }

    /// Sets the initial state of a new deal.
    pub(super) fn start(&self, deal: &mut Deal, closing_day: Option<Date>) {
        let to = self.requested_status().unwrap_or(DealStatus::Open);
        self.move_to(deal, to, closing_day);
    }

    fn note_reason(&self, status: DealStatus, problems: &mut Problems) {
        if matches!(self.lost_reason, Field::Set(_)) && status != DealStatus::ClosedLost {
            problems.rule("lost_reason", "not_lost", "only a closed_lost deal can have a lost_reason");
        }
    }

    fn move_to(&self, deal: &mut Deal, to: DealStatus, closing_day: Option<Date>) {
        let from = deal.status;
        let reopened = from.is_closed() && !to.is_closed();
        deal.status = to;
        deal.stage = match (to.closing_stage(), self.stage) {
            (Some(closed), _) => closed,
            (None, Some(stage)) => stage,
            (None, None) if reopened => DealStage::Negotiation,
            (None, None) => deal.stage,
        };
        if reopened {
            deal.actual_close_date = None;
            deal.lost_reason = None;
        }
        self.actual_close_date.clone().store(&mut deal.actual_close_date);
        self.lost_reason.clone().store(&mut deal.lost_reason);
        let closed_now = to.is_closed() && !from.is_closed();
        if closed_now && deal.actual_close_date.is_none() {
            deal.actual_close_date = closing_day;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::DealId;
    use crate::identity::access::Actor;
    use crate::kernel::input::Input;
    use serde_json::json;
    use time::OffsetDateTime;
    use time::macros::date;

    const TODAY: Date = date!(2030 - 01 - 31);

    fn change(body: serde_json::Value) -> Result<StageChange, Error> {
        let serde_json::Value::Object(object) = body else { panic!() };
        Ok(StageChange::of(&DealFields::from_object(object, InputMode::Patch)?))
    }

    fn deal(status: DealStatus) -> Deal {
        let mut deal = Deal::blank(DealId(uuid::Uuid::nil()), "EUR", Actor::SYSTEM, OffsetDateTime::UNIX_EPOCH);
        change(json!({ "status": status })).unwrap().start(&mut deal, Some(date!(2029 - 12 - 01)));
        if status == DealStatus::ClosedLost {
            deal.lost_reason = Some("price".to_owned());
        }
        deal
    }

    fn after(from: DealStatus, body: serde_json::Value) -> Result<Deal, &'static str> {
        let mut deal = deal(from);
        let checked =
            |change: StageChange| change.check_rules(from).and_then(|()| change.apply(&mut deal, Some(TODAY)));
        match change(body).and_then(checked) {
            Ok(()) => Ok(deal),
            Err(error) => Err(error.code().as_str()),
        }
    }

    #[test]
    fn statuses_change_only_as_allowed() {
        use DealStatus::Open;
        for from in DealStatus::ALL.iter().copied() {
            for to in DealStatus::ALL.iter().copied() {
                let allowed = from == to || !from.is_closed() || to == Open;
                let result = after(from, json!({ "status": to }));
                assert_eq!(result.is_ok(), allowed, "{from} -> {to}");
                match result {
                    Ok(deal) => assert_eq!((deal.status, deal.stage.closing_status().is_some()), (to, to.is_closed())),
                    Err(code) => assert_eq!(code, "invalid_state_change"),
                }
            }
        }
    }

    #[test]
    fn status_and_stage_must_match() {
        for status in DealStatus::ALL.iter().copied() {
            for stage in DealStage::ALL.iter().copied() {
                let agree = match stage.closing_status() {
                    Some(closed) => closed == status,
                    None => !status.is_closed(),
                };
                assert_eq!(change(json!({ "status": status, "stage": stage })).is_ok(), agree, "{status} with {stage}");
            }
        }
    }

    #[test]
    fn a_closed_stage_closes_a_deal_and_an_open_stage_does_not_reopen_it() {
        let won = after(DealStatus::Open, json!({ "stage": "closed_won" })).unwrap();
        assert_eq!((won.status, won.actual_close_date), (DealStatus::ClosedWon, Some(TODAY)));
        assert_eq!(after(DealStatus::ClosedWon, json!({ "stage": "proposal" })), Err("invalid_state_change"));
        assert_eq!(after(DealStatus::ClosedWon, json!({ "stage": "closed_lost" })), Err("invalid_state_change"));
        assert!(after(DealStatus::ClosedWon, json!({ "stage": "closed_won" })).is_ok());
    }

    #[test]
    fn reopening_clears_date_and_reason_and_defaults_to_negotiation() {
        let open = after(DealStatus::ClosedLost, json!({ "status": "open" })).unwrap();
        assert_eq!((open.stage, open.actual_close_date, open.lost_reason), (DealStage::Negotiation, None, None));
        let open = after(DealStatus::ClosedWon, json!({ "status": "open", "stage": "proposal" })).unwrap();
        assert_eq!(open.stage, DealStage::Proposal);
        let open = after(DealStatus::ClosedWon, json!({ "status": null })).unwrap();
        assert_eq!(open.status, DealStatus::Open);
    }

    #[test]
    fn closing_keeps_a_date_set_before() {
        let stored = date!(2029 - 11 - 05);
        let closed = |body: serde_json::Value| {
            let mut deal = deal(DealStatus::Open);
            deal.actual_close_date = Some(stored);
            change(body).unwrap().apply(&mut deal, Some(TODAY)).unwrap();
            deal.actual_close_date
        };
        for body in [json!({ "status": "closed_won" }), json!({ "stage": "closed_lost" })] {
            assert_eq!(closed(body), Some(stored));
        }
        let sent = json!({ "status": "closed_won", "actual_close_date": "2030-01-01" });
        assert_eq!(closed(sent), Some(date!(2030 - 01 - 01)));
        assert_eq!(closed(json!({ "status": "closed_won", "actual_close_date": null })), Some(TODAY));
    }

    #[test]
    fn closing_keeps_a_sent_date_and_a_reason_needs_a_lost_deal() {
        let lost = after(
            DealStatus::Open,
            json!({ "status": "closed_lost", "actual_close_date": "2030-01-01", "lost_reason": "price" }),
        )
        .unwrap();
        assert_eq!((lost.actual_close_date, lost.lost_reason.as_deref()), (Some(date!(2030 - 01 - 01)), Some("price")));
        let null = after(DealStatus::Open, json!({ "status": "closed_won", "actual_close_date": null })).unwrap();
        assert_eq!(null.actual_close_date, Some(TODAY));
        for status in ["open", "on_hold", "closed_won"] {
            assert_eq!(
                after(DealStatus::Open, json!({ "status": status, "lost_reason": "x" })),
                Err("validation_failed")
            );
        }
        assert_eq!(after(DealStatus::ClosedWon, json!({ "lost_reason": "x" })), Err("validation_failed"));
        assert!(after(DealStatus::ClosedLost, json!({ "lost_reason": "other" })).is_ok());
        // An update that does not change the status keeps the close date.
        assert_eq!(
            after(DealStatus::ClosedWon, json!({ "status": "closed_won" })).unwrap().actual_close_date,
            Some(date!(2029 - 12 - 01))
        );
    }
}
