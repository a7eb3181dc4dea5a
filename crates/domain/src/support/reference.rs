//! References of tickets, as customers type them.

const PREFIX: &str = "TKT-";
const DIGITS: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const LENGTH: usize = PREFIX.len() + 10;

/// A reference of the right form; whether there is such a ticket is another question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TicketReference(String);

impl TicketReference {
    /// Reads a reference in any casing. Another form is `None`: no store needs to be asked.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim().to_ascii_uppercase();
        let digits = text.strip_prefix(PREFIX)?;
        let good = text.len() == LENGTH && digits.bytes().all(|digit| DIGITS.contains(&digit));
        good.then_some(Self(text))
    }

    /// The reference in its one spelling.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::SequenceRandom;
    use crate::work::issues::new_reference;

    #[test]
    fn references_are_read_as_people_type_them() {
        let made = new_reference(&SequenceRandom::default());
        for typed in [made.clone(), made.to_lowercase(), format!("  {made}\n")] {
            assert_eq!(TicketReference::parse(&typed).unwrap().as_str(), made);
        }
        for bad in
            ["", "TKT-", "TKT-0123456789A", "TKT-012345678", "TKT-012345678I", "TKT-01234 6789", "TKT-012345678ä"]
        {
            assert_eq!(TicketReference::parse(bad), None, "{bad}");
        }
    }
}
