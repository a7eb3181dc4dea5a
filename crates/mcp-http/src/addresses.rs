//! Arguments may name members by e-mail address; this module looks the addresses up and replaces them with ids.

use std::collections::{BTreeSet, HashMap};

use domain::kernel::input::Problem;
use domain::kernel::input::json::{Json, Map};
use domain::tools::Tool;
use domain::{Error, UserId};
use uuid::Uuid;

use crate::outline::Outline;

/// Longer strings are not addresses and are not looked up.
const MAX_ADDRESS: usize = 320;

/// How the arguments of a call name members.
#[derive(Debug, Default)]
pub(crate) struct NamedMembers {
    /// Distinct addresses, as sent.
    pub(crate) addresses: BTreeSet<String>,
    /// The paths of all values that name a member.
    paths: BTreeSet<String>,
}

impl NamedMembers {
    pub(crate) fn in_arguments(outline: &Outline, arguments: &mut Map<String, Json>) -> Self {
        let mut members = Self::default();
        outline.each_member_in(arguments, "", &mut |value, at| {
            members.addresses.extend(address(value).map(ToOwned::to_owned));
            members.paths.insert(at.to_owned());
        });
        members
    }

    /// Adds to the problems with these values that an e-mail address is also accepted, and where to find members.
    pub(crate) fn explain(&self, error: Error) -> Error {
        match error {
            Error::Malformed(problems) => Error::Malformed(self.explain_problems(problems)),
            Error::Invalid(problems) => Error::Invalid(self.explain_problems(problems)),
            other => other,
        }
    }

    fn explain_problems(&self, mut problems: Vec<Problem>) -> Vec<Problem> {
        for problem in problems.iter_mut().filter(|problem| self.paths.contains(&problem.field)) {
            match problem.code {
                "invalid_uuid" => {
                    let none_suffix = if problem.message.contains("none") { ", or none" } else { "" };
                    problem.message = format!(
                        "must be the id or the e-mail address of a member{none_suffix}: list_members shows both"
                    );
                }
                "not_found" => problem.message.push_str(": list_members shows them"),
                _ => {}
            }
        }
        problems
    }
}

fn address(value: &Json) -> Option<&str> {
    value.as_str().filter(|text| text.contains('@'))
}

/// The arguments with a placeholder for each address: they can be validated but must not be used.
pub(crate) fn without_addresses(outline: &Outline, mut arguments: Map<String, Json>) -> Map<String, Json> {
    outline.each_member_in(&mut arguments, "", &mut |value, _| {
        if address(value).is_some() {
            *value = Uuid::nil().to_string().into();
        }
    });
    arguments
}

/// The addresses to look up.
pub(crate) fn addresses_to_look_up(addresses: &BTreeSet<String>) -> Vec<String> {
    addresses.iter().filter(|address| address.len() <= MAX_ADDRESS).cloned().collect()
}

/// The arguments with ids. In a call whose items have separate outcomes, an unknown address becomes an unused id, so that
/// the item fails instead of the call. Other calls fail with [`Error::Invalid`], which lists all unknown addresses.
pub(crate) fn with_ids(
    outline: &Outline,
    tool: Tool,
    mut arguments: Map<String, Json>,
    ids: &HashMap<String, UserId>,
) -> Result<Map<String, Json>, Error> {
    let mut unknown = Vec::new();
    outline.each_member_in(&mut arguments, "", &mut |value, at| {
        let Some(text) = address(value) else { return };
        match ids.get(text) {
            Some(id) => *value = id.to_string().into(),
            None if tool.has_outcomes() => *value = Uuid::nil().to_string().into(),
            None => unknown.push(Problem::new(
                at,
                "not_found",
                "no member of the workspace has this e-mail address: list_members shows the members",
            )),
        }
    });
    if unknown.is_empty() { Ok(arguments) } else { Err(Error::Invalid(unknown)) }
}
