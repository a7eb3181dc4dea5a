//! The references of tickets: new ones, and those typed by customers.

use serde_json::json;

use crate::kernel::input::json::Json;
use crate::kernel::input::{Problems, Read, Value, filter_values, one_line};
use crate::ports::Random;

const PREFIX: &str = "TKT-";
/// Crockford's base 32: no letters that look like digits.
const DIGITS: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const DIGIT_COUNT: usize = 10;

/// A new random reference, which cannot be guessed.
pub(crate) fn new_reference(random: &dyn Random) -> String {
    let mut bytes = [0; DIGIT_COUNT];
    random.fill(&mut bytes);
    let digits = bytes.iter().map(|byte| char::from(DIGITS[usize::from(byte % 32)]));
    PREFIX.chars().chain(digits).collect()
}

/// A reference of the right form; the ticket may not exist.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TicketReference(String);

impl TicketReference {
    /// Parses a reference in any casing. Any other form is `None`, which avoids a query.
    pub fn parse(text: &str) -> Option<Self> {
        let text = one_line(text).to_ascii_uppercase();
        let digits = text.strip_prefix(PREFIX)?;
        let good = digits.len() == DIGIT_COUNT && digits.bytes().all(|digit| DIGITS.contains(&digit));
        good.then_some(Self(text))
    }

    /// The reference in its canonical spelling.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Value for TicketReference {
    fn schema() -> Json {
        // Lower case is accepted but not documented.
        json!({ "type": "string", "pattern": "^TKT-[0-9A-HJKMNP-TV-Z]{10}$" })
    }

    fn read(json: Json, at: &str, problems: &mut Problems) -> Read<Self> {
        if let Some(reference) = json.as_str().and_then(Self::parse) {
            return Read::Value(reference);
        }
        problems.shape(at, "invalid_value", "must be a ticket reference such as TKT-0123456789");
        Read::Invalid
    }
}

filter_values!(TicketReference);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::SequenceRandom;

    #[test]
    fn references_are_parsed_as_typed() {
        let reference = new_reference(&SequenceRandom::default());
        let spellings = [format!("  {reference}\n"), format!("\u{202a}{reference}\u{202c}")];
        for typed in [reference.clone(), reference.to_lowercase()].into_iter().chain(spellings) {
            assert_eq!(TicketReference::parse(&typed).unwrap().as_str(), reference);
        }
        for bad in
            ["", "TKT-", "TKT-0123456789A", "TKT-012345678", "TKT-012345678I", "TKT-01234 6789", "TKT-012345678ä"]
        {
            assert_eq!(TicketReference::parse(bad), None, "{bad}");
        }
    }

    #[test]
    fn references_have_the_documented_form() {
        let random = SequenceRandom::default();
        let (one, other) = (new_reference(&random), new_reference(&random));
        assert_ne!(one, other);
        assert!(one.starts_with("TKT-") && one.len() == 14);
        assert!(one[4..].bytes().all(|byte| DIGITS.contains(&byte)));
    }
}
