//! Tracks in the conversation of a ticket whose turn it is: the customer's or the team's.

use time::macros::datetime;
use time::{Duration, OffsetDateTime};

use super::Issue;
use crate::kernel::IssueKind;

/// How long a message can be unread. Older messages count as read, so that their read marks can be removed.
pub const UNREAD_FOR: Duration = Duration::days(90);
/// Later than any message. The sort key of a ticket without a waiting customer is the mirror image of its last message around this
/// time, so that the ticket with the latest message comes first.
const LAST_TURN: OffsetDateTime = datetime!(2500-01-01 00:00 UTC);

/// When the customer and the team of a ticket last wrote, and since when the customer has been waiting. Tasks have none of these times.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Conversation {
    /// The customer's last message, including the one that opened the ticket.
    pub customer_wrote_at: Option<OffsetDateTime>,
    /// The team's last public answer.
    pub answered_at: Option<OffsetDateTime>,
    /// The customer's oldest unanswered message; `None` in a resolved or closed ticket.
    pub waiting_since: Option<OffsetDateTime>,
    /// The last message by anyone, including internal notes. `None` in tickets from before this field existed, until the next message.
    pub last_message_at: Option<OffsetDateTime>,
}

/// The times of the messages that remain after one was deleted, without the message that opened the ticket.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct MessageTimes {
    /// The customer's last message.
    pub customer_wrote_at: Option<OffsetDateTime>,
    /// The team's last public answer.
    pub answered_at: Option<OffsetDateTime>,
    /// The last message by anyone.
    pub last_at: Option<OffsetDateTime>,
    /// The customer's first message after that answer, or after a given time if that is later.
    pub unanswered_at: Option<OffsetDateTime>,
}

impl Conversation {
    /// Records a message of the customer.
    pub(crate) fn customer_wrote(&mut self, at: OffsetDateTime) {
        self.customer_wrote_at = self.customer_wrote_at.max(Some(at));
        self.waiting_since.get_or_insert(at);
        self.message_added(at);
    }

    /// Records a public answer of the team.
    pub(crate) fn team_answered(&mut self, at: OffsetDateTime) {
        self.answered_at = self.answered_at.max(Some(at));
        self.waiting_since = None;
        self.message_added(at);
    }

    /// Records a message that does not change whose turn it is.
    pub(crate) fn message_added(&mut self, at: OffsetDateTime) {
        self.last_message_at = self.last_message_at.max(Some(at));
    }

    /// Records a change of the status. The customer of a finished ticket does not wait; if it is reopened, they wait again if they wrote
    /// last.
    pub(super) fn status_changed(&mut self, is_finished: bool) {
        if is_finished {
            self.waiting_since = None;
        } else if self.customer_wrote_at > self.answered_at {
            self.waiting_since = self.waiting_since.or(self.customer_wrote_at);
        }
    }
}

impl Issue {
    /// Starts the conversation of a new ticket. A customer's ticket counts as opened by their message, even if a member entered it.
    pub(crate) fn begin_conversation(&mut self) {
        if self.kind != IssueKind::Ticket {
            return;
        }
        if self.requester.is_some() {
            self.conversation.customer_wrote(self.created_at);
            self.conversation.status_changed(self.status.is_completed());
        } else {
            self.conversation.message_added(self.created_at);
        }
    }

    /// The time from which the customer's messages count as unanswered after a message was deleted. Earlier ones were answered or the
    /// ticket was finished after them. `None` if the deleted message was the last answer: then the remaining messages decide.
    pub(crate) fn waits_from(&self, deleted_answer_at: Option<OffsetDateTime>) -> Option<OffsetDateTime> {
        if self.is_last_answer(deleted_answer_at) { None } else { self.conversation.waiting_since }
    }

    fn is_last_answer(&self, at: Option<OffsetDateTime>) -> bool {
        at.is_some() && at == self.conversation.answered_at
    }

    /// Updates the conversation after a message was deleted. `deleted_answer_at` is its time if it was a public answer of the team.
    pub(crate) fn message_deleted(&mut self, deleted_answer_at: Option<OffsetDateTime>, remaining: MessageTimes) {
        let stored = self.conversation;
        let is_last_answer = self.is_last_answer(deleted_answer_at);
        let opened_at = self.requester.is_some().then_some(self.created_at);
        let waits = !self.status.is_completed() && (is_last_answer || stored.waiting_since.is_some());
        let is_unanswered = remaining.answered_at.is_none() && (is_last_answer || stored.waiting_since <= opened_at);
        let unanswered_at = opened_at.filter(|_| is_unanswered).or(remaining.unanswered_at);
        self.conversation = Conversation {
            customer_wrote_at: remaining.customer_wrote_at.max(opened_at),
            answered_at: remaining.answered_at,
            waiting_since: unanswered_at.filter(|_| waits),
            last_message_at: stored.last_message_at.and(remaining.last_at.max(Some(self.created_at))),
        };
    }

    /// When the last message was written, or when the issue was created if that is not known.
    pub fn last_message_at(&self) -> OffsetDateTime {
        let Conversation { customer_wrote_at, answered_at, last_message_at, .. } = self.conversation;
        last_message_at.or(customer_wrote_at.max(answered_at)).unwrap_or(self.created_at)
    }

    /// The sort key of the inbox order. Tickets with a waiting customer come first, the longest wait first; then the others, the latest
    /// message first.
    pub(super) fn turn(&self) -> OffsetDateTime {
        let last_turn = || LAST_TURN.saturating_add(LAST_TURN - self.last_message_at());
        self.conversation.waiting_since.unwrap_or_else(last_turn)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::testing;
    use crate::work::issues::{IssueStatus, Requester, TicketType};

    /// What can happen to a ticket.
    #[derive(Debug, Clone, Copy)]
    enum Step {
        Customer,
        Answer,
        Note,
        Move(IssueStatus),
    }

    fn at(second: usize) -> OffsetDateTime {
        datetime!(2026-01-01 00:00 UTC) + Duration::seconds(i64::try_from(second).unwrap())
    }

    fn steps() -> impl Strategy<Value = Vec<Step>> {
        let statuses =
            [IssueStatus::Open, IssueStatus::Pending, IssueStatus::OnHold, IssueStatus::Resolved, IssueStatus::Closed];
        let step = prop_oneof![
            Just(Step::Customer),
            Just(Step::Answer),
            Just(Step::Note),
            prop::sample::select(statuses.to_vec()).prop_map(Step::Move),
        ];
        prop::collection::vec(step, 0..30)
    }

    proptest! {
        #[test]
        fn a_ticket_waits_from_the_first_message_without_an_answer(steps in steps()) {
            let mut ticket = testing::issue(IssueKind::Ticket, IssueStatus::Open);
            // The customer's messages since the last answer or the last finish, and all of them since the last answer.
            let (mut unanswered, mut last, mut answered) = (Vec::new(), None, None);
            for (second, step) in steps.into_iter().enumerate() {
                let now = at(second);
                match step {
                    Step::Customer => {
                        ticket.conversation.customer_wrote(now);
                        unanswered.push(now);
                        last = Some(now);
                        // A reply to a finished ticket reopens it.
                        if ticket.status.is_completed() {
                            ticket.move_to(IssueStatus::Open, now).unwrap();
                        }
                    }
                    Step::Answer => {
                        ticket.conversation.team_answered(now);
                        unanswered.clear();
                        answered = Some(now);
                    }
                    Step::Note => ticket.conversation.message_added(now),
                    Step::Move(status) => {
                        let was_finished = ticket.status.is_completed();
                        if ticket.move_to(status, now).is_err() {
                            continue;
                        }
                        if status.is_completed() {
                            unanswered.clear();
                        } else if was_finished && last > answered {
                            unanswered.extend(last);
                        }
                    }
                }
                let conversation = ticket.conversation;
                prop_assert_eq!(conversation.waiting_since, unanswered.first().copied());
                prop_assert_eq!((conversation.customer_wrote_at, conversation.answered_at), (last, answered));
            }
        }
    }

    #[test]
    fn a_deleted_message_no_longer_counts() {
        // The customer writes at 0, the team answers at 2, and the customer writes again at 4 and 6.
        let mut ticket = testing::issue(IssueKind::Ticket, IssueStatus::Open);
        let (name, email) = ("Ada".to_owned(), "ada@example.org".to_owned());
        let requester = Requester { name, email, ticket_type: TicketType::Question, contact_id: None };
        (ticket.created_at, ticket.requester) = (at(0), Some(requester));
        ticket.begin_conversation();
        ticket.conversation.team_answered(at(2));
        ticket.conversation.customer_wrote(at(4));
        ticket.conversation.customer_wrote(at(6));
        let remaining = |customer: Option<usize>, answer: Option<usize>, unanswered: Option<usize>| MessageTimes {
            customer_wrote_at: customer.map(at),
            answered_at: answer.map(at),
            last_at: customer.max(answer).map(at),
            unanswered_at: unanswered.map(at),
        };
        let after = |status, answer: Option<usize>, remaining| {
            let mut ticket = Issue { status, ..ticket.clone() };
            ticket.message_deleted(answer.map(at), remaining);
            let Conversation { customer_wrote_at, answered_at, waiting_since, last_message_at } = ticket.conversation;
            [customer_wrote_at, answered_at, waiting_since, last_message_at]
        };
        let times = |seconds: [Option<usize>; 4]| seconds.map(|second| second.map(at));
        assert_eq!(ticket.waits_from(None), Some(at(4)));
        assert_eq!((ticket.waits_from(Some(at(2))), ticket.waits_from(Some(at(1)))), (None, Some(at(4))));
        for (status, answer, remaining, expected) in [
            // Deleted: the first of the two last messages, then both, then the answer.
            (IssueStatus::Open, None, remaining(Some(6), Some(2), Some(6)), [Some(6), Some(2), Some(6), Some(6)]),
            (IssueStatus::Open, None, remaining(None, Some(2), None), [Some(0), Some(2), None, Some(2)]),
            (IssueStatus::Open, Some(2), remaining(Some(6), None, Some(4)), [Some(6), None, Some(0), Some(6)]),
            (IssueStatus::Resolved, Some(2), remaining(Some(6), None, Some(4)), [Some(6), None, None, Some(6)]),
            // Deleted: an earlier answer.
            (IssueStatus::Open, Some(1), remaining(Some(6), Some(2), Some(4)), [Some(6), Some(2), Some(4), Some(6)]),
        ] {
            assert_eq!(after(status, answer, remaining), times(expected), "{status} {remaining:?}");
        }
        // Deleting an earlier message does not make the customer of an answered ticket wait.
        ticket.conversation.team_answered(at(8));
        ticket.message_deleted(None, remaining(Some(4), Some(8), None));
        assert_eq!(ticket.conversation.waiting_since, None);
    }

    #[test]
    fn the_longest_wait_comes_first_then_the_latest_message() {
        let ticket = |conversation| Issue { conversation, ..testing::issue(IssueKind::Ticket, IssueStatus::Open) };
        let waits = |second| {
            let mut conversation = Conversation::default();
            conversation.customer_wrote(at(second));
            ticket(conversation)
        };
        let answered = |second| {
            let mut conversation = Conversation::default();
            conversation.team_answered(at(second));
            ticket(conversation)
        };
        let silent = ticket(Conversation::default());
        let in_order = [waits(1), waits(5), answered(9), answered(2), silent];
        assert!(in_order.is_sorted_by(|one, next| one.turn() < next.turn()));
        // A ticket from before `last_message_at` was recorded.
        let older =
            Conversation { customer_wrote_at: Some(at(7)), answered_at: Some(at(8)), ..Conversation::default() };
        assert_eq!(ticket(older).last_message_at(), at(8));
    }
}
