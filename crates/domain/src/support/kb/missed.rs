//! Terms of searches that found no article (interface 26.26).

use schemars::JsonSchema;
use serde::Serialize;
use time::{Duration, OffsetDateTime};

use super::KbQuery;
use crate::Error;
use crate::identity::access::{Permit, ReadArticles};
use crate::kernel::input::schema::TimestampText;
use crate::ports::{Ports, read_only};

/// The maximum number of terms that are kept per workspace.
pub const MAX_MISSED_TERMS: u32 = 1_000;
/// The maximum number of terms that are shown.
pub const SHOWN_MISSED_TERMS: u32 = 50;
/// How long a term is shown after its last search.
pub const SHOWN_MISSED_FOR: Duration = Duration::days(90);
/// The maximum length of a term, in characters.
const MAX_LENGTH: usize = 100;
/// A text with more digits is probably a phone number or another identifier.
const MAX_DIGITS: usize = 6;

/// The words of a search, in lower case.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct MissedTerm(String);

impl MissedTerm {
    /// The term of a query. `None` for a text that could be an e-mail address, a phone number or the like, which would not show what
    /// articles are missing but might identify the person who searched.
    pub fn of(query: &KbQuery) -> Option<Self> {
        let term: String = query.words().join(" ").chars().take(MAX_LENGTH).collect();
        let digits = term.chars().filter(|sign| sign.is_numeric()).count();
        (!term.is_empty() && !term.contains('@') && digits <= MAX_DIGITS).then_some(Self(term))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// A term whose searches found nothing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct MissedSearch {
    pub term: String,
    /// The number of searches.
    pub searches: u64,
    /// The time of the last search.
    #[serde(with = "TimestampText")]
    pub last_at: OffsetDateTime,
}

/// The most frequent terms whose searches found nothing in the last 90 days.
pub async fn missed_searches(ports: &Ports, permit: &Permit<ReadArticles>) -> Result<Vec<MissedSearch>, Error> {
    let since = ports.clock.now() - SHOWN_MISSED_FOR;
    read_only(ports, permit, move |tx| Ok(tx.kb_articles().missed_searches(since, SHOWN_MISSED_TERMS)?)).await
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::input::Problems;

    fn term(text: &str) -> Option<String> {
        let query = KbQuery::parse("q", Some(text), &mut Problems::default()).unwrap();
        MissedTerm::of(&query).map(|term| term.0)
    }

    #[test]
    fn terms_do_not_contain_personal_data() {
        assert_eq!(term(" Reset   PASSWORD ").as_deref(), Some("reset password"));
        assert_eq!(term("error 404123").as_deref(), Some("error 404123"));
        for personal in ["ann@example.org", "reset ann@example.org", "+49 170 1234567", "1234-5678", "- &"] {
            assert_eq!(term(personal), None, "{personal}");
        }
        assert_eq!(term(&"ä".repeat(200)).unwrap().chars().count(), MAX_LENGTH);
    }
}
