//! Which members of a record a list shows (interface 3.14).

use crate::kernel::input::Problems;

/// A record whose fields a list may leave out.
pub trait Members {
    /// Its fields, in the order of its JSON.
    const MEMBERS: &'static [&'static str];
}

/// The fields that a list always shows: the id, and fields that only some lists have.
const ALWAYS_SHOWN: [&str; 3] = ["id", "deleted_at", "matched_comment"];

/// The maximum number of unknown names that an error points at.
const MAX_REPORTED: usize = 10;

/// The fields that a list shows; all of them by default.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Projection(Option<Vec<&'static str>>);

impl Projection {
    /// Reads the parameter `name`, a comma-separated list of fields of `R`.
    pub fn parse<R: Members>(name: &str, text: Option<&str>, problems: &mut Problems) -> Self {
        let Some(text) = text else { return Self::default() };
        let find = |name: &str| R::MEMBERS.iter().copied().find(|member| *member == name);
        let unknown: Vec<_> = (1..).zip(text.split(',')).filter(|(_, name)| find(name).is_none()).collect();
        if unknown.is_empty() {
            return Self(Some(text.split(',').filter_map(find).collect()));
        }
        // The error gives positions, because messages never repeat what was sent.
        let positions: Vec<_> = unknown.iter().take(MAX_REPORTED).map(|(position, _)| position.to_string()).collect();
        let (some, more) = (positions.join(", "), if unknown.len() > MAX_REPORTED { " and others" } else { "" });
        let message =
            format!("unknown at position {some}{more}: must be a comma-separated list of {}", R::MEMBERS.join(", "));
        problems.shape(name, "invalid_value", message);
        Self(None)
    }

    /// Whether all fields are shown.
    pub const fn is_whole(&self) -> bool {
        self.0.is_none()
    }

    pub fn shows(&self, member: &str) -> bool {
        self.0.as_ref().is_none_or(|names| names.contains(&member) || ALWAYS_SHOWN.contains(&member))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::crm::deals::Deal;

    fn parse(text: &str) -> Result<Projection, String> {
        let mut problems = Problems::default();
        let read = Projection::parse::<Deal>("fields", Some(text), &mut problems);
        problems.into_result().map(|()| read).map_err(|error| error.details().remove(0).message)
    }

    #[test]
    fn lists_show_the_wanted_members_and_the_id() {
        let two = parse("title,value,title").unwrap();
        let shown: Vec<_> = Deal::MEMBERS.iter().filter(|member| two.shows(member)).collect();
        assert_eq!(shown, [&"id", &"title", &"value"]);
        assert!(two.shows("deleted_at") && two.shows("matched_comment") && !two.is_whole());
        let whole = Projection::parse::<Deal>("fields", None, &mut Problems::default());
        assert!(whole.is_whole() && Deal::MEMBERS.iter().all(|member| whole.shows(member)));
    }

    #[test]
    fn unknown_members_are_refused_and_the_known_ones_listed() {
        for text in ["", "title,", "title, value", "Title", "nope", "title,nope"] {
            let message = parse(text).unwrap_err();
            assert!(message.contains(" id, title,") && message.ends_with(", created_by"), "{text}: {message}");
        }
        assert!(parse("title,nope,value,").unwrap_err().starts_with("unknown at position 2, 4: must be"));
        let many = parse(&"nope,".repeat(40)).unwrap_err();
        assert!(many.starts_with("unknown at position 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 and others: must be"), "{many}");
    }

    #[test]
    fn members_match_the_json() {
        let json = serde_json::to_value(Deal::blank(
            crate::DealId(uuid::Uuid::nil()),
            "EUR",
            crate::identity::access::Actor { kind: crate::identity::access::ActorKind::ApiKey, id: None },
            time::OffsetDateTime::UNIX_EPOCH,
        ));
        let json = json.unwrap();
        let mut names: Vec<_> = json.as_object().unwrap().keys().map(String::as_str).collect();
        let mut members = Deal::MEMBERS.to_vec();
        names.sort_unstable();
        members.sort_unstable();
        assert_eq!(names, members);
    }
}
