//! The list from which a ticket was opened, and links to the previous and next ticket in that list.

use domain::IssueId;
use domain::identity::access::ReadIssues;
use domain::work::issues::{self, Issue, IssueFilter, IssueOrder};

use super::list::WAITING;
use super::path_of;
use crate::lists::{ListQuery, with};
use crate::prelude::*;

page! {
    /// The query is that of the list, with the cursor of the ticket's position.
    Next = "GET /tickets/{issue_id}/next", access: ReadIssues, path: IssueId,
        query: ListQuery<IssueFilter, Issue> => next;
    Previous = "GET /tickets/{issue_id}/previous", access: ReadIssues, path: IssueId,
        query: ListQuery<IssueFilter, Issue> => previous;
}

/// The maximum length of a list's query that ticket pages remember.
const MAX_QUERY: usize = 1_000;

/// The position of a ticket in the list from which it was opened.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct ListPosition {
    /// The query of the list; empty if unknown.
    list: String,
    /// The cursor after the ticket at the position where the reader found it, since an answer moves the ticket. Empty
    /// until the ticket is changed.
    cursor: String,
}

impl ListPosition {
    /// In the list with this query.
    pub(super) fn in_list(query: &str) -> Self {
        let pairs = form_urlencoded::parse(query.as_bytes());
        let is_kept = |name: &str, value: &str| match name {
            "cursor" | "page" | "limit" | "columns" => false,
            "order" => IssueOrder::parse(value).is_some(),
            _ => !value.is_empty(),
        };
        let pairs = pairs.filter(|(name, value)| is_kept(name, value));
        let list = form_urlencoded::Serializer::new(String::new()).extend_pairs(pairs).finish();
        Self { list: if list.len() > MAX_QUERY { String::new() } else { list }, cursor: String::new() }
    }

    pub(super) fn read(query: &mut QueryReader<'_>) -> Self {
        let mut value = |name: &str| Parameters::single(query, name).unwrap_or_default();
        let list = value("list");
        Self::in_list(&list).at(&value("place"))
    }

    pub(super) fn of_form(form: &Form) -> Self {
        Self::in_list(form.value("_list").unwrap_or_default()).at(form.value("_place").unwrap_or_default())
    }

    /// At the position of this cursor, if it is valid for the list.
    fn at(self, cursor: &str) -> Self {
        let is_valid = issues::is_inbox_cursor(cursor, self.order());
        Self { cursor: if is_valid { cursor.to_owned() } else { String::new() }, ..self }
    }

    fn order(&self) -> Option<IssueOrder> {
        let mut pairs = form_urlencoded::parse(self.list.as_bytes());
        pairs.find(|(name, _)| name == "order").and_then(|(_, value)| IssueOrder::parse(&value))
    }

    /// Without the position, for a ticket that has not been changed.
    pub(super) fn without_cursor(self) -> Self {
        Self { cursor: String::new(), ..self }
    }

    /// Whether the reader has just answered.
    pub(super) fn was_just_answered(&self) -> bool {
        !self.cursor.is_empty()
    }

    /// Sets the current position of the ticket, unless a position is known.
    pub(super) fn or_current(self, ticket: &Issue) -> Self {
        if self.was_just_answered() {
            return self;
        }
        Self { cursor: issues::inbox_cursor(ticket, self.order()), ..self }
    }

    /// The hidden fields of forms.
    pub(super) fn fields(&self) -> [(&'static str, &str); 2] {
        [("_list", &self.list), ("_place", &self.cursor)]
    }

    /// The URL of a ticket in the list.
    pub(super) fn ticket(&self, id: IssueId) -> String {
        let pairs = [("list", &self.list), ("place", &self.cursor)];
        pairs.into_iter().filter(|(_, value)| !value.is_empty()).fold(path_of(id), |address, (name, value)| {
            let (path, query) = address.split_once('?').unwrap_or((&address, ""));
            with(path, query, name, value)
        })
    }

    /// The URL of a part of its conversation.
    pub(super) fn part(&self, id: IssueId, name: &str, value: &str) -> String {
        let address = self.clone().without_cursor().ticket(id);
        let (path, query) = address.split_once('?').unwrap_or((&address, ""));
        with(path, query, name, value)
    }

    /// The query of the list; empty if unknown.
    pub(super) fn list(&self) -> &str {
        &self.list
    }

    /// The URL of the canned replies for a ticket in the list.
    pub(super) fn replies(&self, id: IssueId) -> String {
        let path = format!("{}/replies", path_of(id));
        if self.list.is_empty() { path } else { with(&path, "", "list", &self.list) }
    }

    pub(super) fn list_address(&self) -> String {
        if self.list.is_empty() { "/tickets".to_owned() } else { format!("/tickets?{}", self.list) }
    }

    /// The URLs of the previous and the next ticket.
    pub(super) fn neighbours(&self, id: IssueId) -> [String; 2] {
        // Without a list, the next ticket is one that is waiting.
        let list = if self.list.is_empty() { WAITING } else { &self.list };
        let path = path_of(id);
        [format!("{path}/previous?{list}"), with(&format!("{path}/next"), list, "cursor", &self.cursor)]
    }
}

async fn next(request: PageRequest<Next>) -> PageResult {
    let PageRequest { ports, permit, path, query, browser, .. } = request;
    let found = issues::next_in_inbox(&ports, &permit, query.filter, query.page, path).await?;
    let notice = found.is_some_and(|found| found.starts_over).then(|| Notice::new(text("tickets-begins-again")));
    Ok(redirect_to_ticket(&browser, found.map(|found| found.id), notice, "tickets-no-next"))
}

async fn previous(request: PageRequest<Previous>) -> PageResult {
    let PageRequest { ports, permit, path, query, browser, .. } = request;
    let found = issues::previous_in_inbox(&ports, &permit, query.filter, path).await?;
    Ok(redirect_to_ticket(&browser, found, None, "tickets-no-previous"))
}

/// Redirects to a ticket of the list with a notice, or to the list if there is no such ticket.
fn redirect_to_ticket(
    browser: &Browser,
    found: Option<IssueId>,
    notice: Option<Notice>,
    none: &str,
) -> actix_web::HttpResponse {
    let position = ListPosition::in_list(browser.address.split_once('?').map_or("", |(_, query)| query));
    match found {
        Some(id) => responses::redirect(browser, &position.ticket(id), notice),
        None => responses::redirect(browser, &position.list_address(), Some(Notice::new(text(none)))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invalid_positions_are_dropped() {
        let position = |list: &str, cursor: &str| ListPosition::in_list(list).at(cursor);
        assert_eq!(position("status=open", "zzz"), ListPosition::in_list("status=open"));
        assert_eq!(position("order=zzz", "").list_address(), "/tickets");
        assert_eq!(position("order=newest", "").list_address(), "/tickets?order=newest");
        let form = Form::parse(b"_list=status%3Dopen&_place=zzz");
        assert!(!ListPosition::of_form(&form).was_just_answered());
    }

    #[test]
    fn a_ticket_remembers_only_the_query_of_its_list() {
        let id = IssueId(uuid::Uuid::nil());
        let path = path_of(id);
        let position = ListPosition::in_list("assignee=none&status=open&cursor=abc&page=2&columns=title&search=");
        assert_eq!(position.ticket(id), format!("{path}?list=assignee%3Dnone%26status%3Dopen"));
        assert_eq!(position.list_address(), "/tickets?assignee=none&status=open");
        let answered = ListPosition { cursor: "xyz".to_owned(), ..position };
        let beginning = format!("{path}?list=assignee%3Dnone%26status%3Dopen&from=beginning");
        assert_eq!(answered.part(id, "from", "beginning"), beginning);
        assert_eq!(answered.ticket(id), format!("{path}?list=assignee%3Dnone%26status%3Dopen&place=xyz"));
        assert_eq!(answered.replies(id), format!("{path}/replies?list=assignee%3Dnone%26status%3Dopen"));
        let [previous, next] = answered.neighbours(id);
        assert_eq!(previous, format!("{path}/previous?assignee=none&status=open"));
        assert_eq!(next, format!("{path}/next?assignee=none&status=open&cursor=xyz"));
        let unknown = ListPosition::in_list(&format!("search={}", "a".repeat(MAX_QUERY)));
        assert_eq!(unknown.replies(id), format!("{path}/replies"));
        assert_eq!((unknown.ticket(id), unknown.list_address()), (path, "/tickets".to_owned()));
    }
}
