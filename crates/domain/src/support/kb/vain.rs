//! What was searched in vain: terms of searches that found no article (interface 26.26).

use schemars::JsonSchema;
use serde::Serialize;
use time::{Duration, OffsetDateTime};

use super::KbQuery;
use crate::Error;
use crate::identity::access::{Permit, ReadArticles};
use crate::kernel::input::schema::TimestampText;
use crate::ports::{Ports, read_only};

/// How many terms of a workspace are kept.
pub const MAX_VAIN_TERMS: u32 = 1_000;
/// How many of them are shown.
pub const SHOWN_VAIN_TERMS: u32 = 50;
/// For how long a term is shown after the last search.
pub const SHOWN_VAIN_FOR: Duration = Duration::days(90);
/// The maximum length of a term, in characters.
const MAX_LENGTH: usize = 100;
/// With more digits than this a text is rather a number of somebody or something than a term.
const MAX_DIGITS: usize = 6;

/// The words of a search in lower case, as they are kept.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct VainTerm(String);

impl VainTerm {
    /// The term of a query; `None` for a text that could be an e-mail address, a phone number or the like: these say nothing
    /// about articles that are missing, and much about who searched.
    pub fn of(query: &KbQuery) -> Option<Self> {
        let term: String = query.words().join(" ").chars().take(MAX_LENGTH).collect();
        let digits = term.chars().filter(|sign| sign.is_numeric()).count();
        (!term.is_empty() && !term.contains('@') && digits <= MAX_DIGITS).then_some(Self(term))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// A term that was searched in vain.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct VainSearch {
    pub term: String,
    /// How often.
    pub searches: u64,
    /// When last.
    #[serde(with = "TimestampText")]
    pub last_at: OffsetDateTime,
}

/// The terms that were searched in vain most often, of those of the last 90 days.
///
/// # Errors
/// Store errors.
pub async fn vain_searches(ports: &Ports, permit: &Permit<ReadArticles>) -> Result<Vec<VainSearch>, Error> {
    let since = ports.clock.now() - SHOWN_VAIN_FOR;
    read_only(ports, permit, move |tx| Ok(tx.kb_articles().vain_searches(since, SHOWN_VAIN_TERMS)?)).await
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::input::Problems;

    fn term(text: &str) -> Option<String> {
        let query = KbQuery::parse("q", Some(text), &mut Problems::default()).unwrap();
        VainTerm::of(&query).map(|term| term.0)
    }

    #[test]
    fn terms_are_words_and_no_personal_data() {
        assert_eq!(term(" Reset   PASSWORD ").as_deref(), Some("reset password"));
        assert_eq!(term("error 404123").as_deref(), Some("error 404123"));
        for left_out in ["ann@example.org", "reset ann@example.org", "+49 170 1234567", "1234-5678", "- &"] {
            assert_eq!(term(left_out), None, "{left_out}");
        }
        assert_eq!(term(&"ä".repeat(200)).unwrap().chars().count(), MAX_LENGTH);
    }
}
