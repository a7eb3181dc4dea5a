//! The variables of canned replies: finding them in a text, and filling them in.

use super::CannedReply;
use crate::identity::access::Permit;
use crate::kernel::input::choices;
use crate::work::issues::Issue;

choices! {
    /// What a body may name in double braces, such as `{{customer.name}}`.
    pub enum Variable {
        CustomerName = "customer.name",
        CustomerEmail = "customer.email",
        TicketNumber = "ticket.number",
        TicketTitle = "ticket.title",
        AgentName = "agent.name",
        WorkspaceName = "workspace.name",
    }
}

/// The maximum length of an unknown variable in a message, in characters.
const SHOWN_CHARACTERS: usize = 40;

impl Variable {
    /// As it is written in a body.
    pub fn in_braces(self) -> String {
        in_braces(self.as_str())
    }

    /// All variables, for messages.
    pub(super) fn all_in_braces() -> String {
        Self::ALL.iter().map(|variable| variable.in_braces()).collect::<Vec<_>>().join(", ")
    }
}

fn in_braces(name: &str) -> String {
    format!("{{{{{name}}}}}")
}

/// The text before the next variable, its name, and the text after it.
fn next_variable(text: &str) -> Option<(&str, &str, &str)> {
    let (before, rest) = text.split_once("{{")?;
    let (name, after) = rest.split_once("}}")?;
    Some((before, name.trim(), after))
}

/// The first text in double braces that is not a variable, for a message.
pub(super) fn unknown_in(text: &str) -> Option<String> {
    let mut rest = text;
    while let Some((_, name, after)) = next_variable(rest) {
        if Variable::parse(name).is_none() {
            return Some(in_braces(&name.chars().take(SHOWN_CHARACTERS).collect::<String>()));
        }
        rest = after;
    }
    None
}

/// The variables that a text still has, in documented order.
pub fn variables_in(text: &str) -> Vec<Variable> {
    let is_in = |variable: &Variable| {
        text.split("{{").skip(1).any(|rest| {
            let rest = rest.trim_start_matches('{').trim_start();
            rest.strip_prefix(variable.as_str()).is_some_and(|after| after.trim_start().starts_with("}}"))
        })
    };
    Variable::ALL.iter().copied().filter(is_in).collect()
}

impl CannedReply {
    /// The body for an answer of the caller on a ticket: its variables are filled in.
    pub fn filled_for<P>(&self, permit: &Permit<P>, ticket: &Issue) -> String {
        let customer = ticket.requester.as_ref().filter(|requester| !requester.is_erased());
        self.filled(|variable| match variable {
            Variable::CustomerName => customer.map(|customer| customer.name.clone()),
            Variable::CustomerEmail => customer.map(|customer| customer.email.clone()),
            Variable::TicketNumber => ticket.reference.clone(),
            Variable::TicketTitle => Some(ticket.title.clone()),
            Variable::AgentName => Some(permit.principal().name.to_string()),
            Variable::WorkspaceName => Some(permit.workspace().name.clone()),
        })
    }

    /// The body with its variables replaced. A variable without a value stays, so that the agent notices it.
    fn filled(&self, value_of: impl Fn(Variable) -> Option<String>) -> String {
        let (mut filled, mut rest) = (String::new(), self.body.as_str());
        while let Some((before, name, after)) = next_variable(rest) {
            filled.push_str(before);
            filled.push_str(&Variable::parse(name).and_then(&value_of).unwrap_or_else(|| in_braces(name)));
            rest = after;
        }
        filled.push_str(rest);
        filled
    }
}

#[cfg(test)]
mod tests {
    use super::super::CannedReplyId;
    use super::*;
    use crate::identity::access::Actor;
    use time::OffsetDateTime;
    use uuid::Uuid;

    #[test]
    fn variables_get_their_values_and_those_without_stay() {
        let blank = CannedReply::blank(CannedReplyId(Uuid::nil()), Actor::SYSTEM, OffsetDateTime::UNIX_EPOCH);
        let reply = CannedReply { body: "{{ customer.name }}: {{ticket.number}} {{".to_owned(), ..blank };
        let value_of = |variable: Variable| (variable == Variable::CustomerName).then(|| "{{agent.name}}".to_owned());
        assert_eq!(reply.filled(value_of), "{{agent.name}}: {{ticket.number}} {{", "values are not expanded");
    }

    #[test]
    fn variables_that_are_not_filled_in_are_found() {
        let (name, number) = (Variable::CustomerName, Variable::TicketNumber);
        for (text, expected) in [
            ("Dear Ann, {{size}} {customer.name} customer.name {{ticket.numbers}} {{customer.name", &[][..]),
            ("Dear {{customer.name}}", &[name]),
            ("{{ticket.number}} {{ customer.name }} {{\tcustomer.name}}", &[name, number]),
            ("{{{customer.name}}} and {{ unfinished {{ticket.number}}", &[name, number]),
        ] {
            assert_eq!(variables_in(text), expected, "{text:?}");
        }
    }
}
