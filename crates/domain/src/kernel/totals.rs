//! The number and total value of the records in a list, up to a bound that keeps counting fast.

use rust_decimal::Decimal;

/// Maximum number of records that are counted.
pub const MAX_COUNTED: u32 = 10_000;

/// The records of a list in one currency. A store reads at most one record more than [`MAX_COUNTED`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CountedPart {
    /// `None` for records without a currency, such as contacts.
    pub currency: Option<String>,
    pub count: u64,
    /// The sum of the values.
    pub value: Decimal,
    /// The sum of each value times its probability in percent. Records without a value or probability add nothing.
    pub percent: Decimal,
}

/// The totals of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListTotals {
    /// `None` if there are more than [`MAX_COUNTED`], or too many to count in time.
    pub count: Option<u64>,
    /// Empty if there are more records than are counted.
    pub sums: Vec<CurrencyTotals>,
}

/// The values in one currency. Sums across currencies would be meaningless.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CurrencyTotals {
    pub currency: String,
    pub value: Decimal,
    /// The sum of the values, weighted by probability.
    pub weighted: Decimal,
}

impl ListTotals {
    /// The totals of a list with more records than are counted.
    pub const MANY: Self = Self { count: None, sums: Vec::new() };

    /// Builds the totals from the parts that a store has counted.
    pub fn of(parts: Vec<CountedPart>) -> Self {
        let count: u64 = parts.iter().map(|part| part.count).sum();
        if count > u64::from(MAX_COUNTED) {
            return Self::MANY;
        }
        let sum = |CountedPart { currency, value, percent, .. }: CountedPart| {
            Some(CurrencyTotals { currency: currency?, value, weighted: percent / Decimal::ONE_HUNDRED })
        };
        Self { count: Some(count), sums: parts.into_iter().filter_map(sum).collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(currency: Option<&str>, count: u64) -> CountedPart {
        let (value, percent) = (Decimal::from(300), Decimal::from(7_550));
        CountedPart { currency: currency.map(str::to_owned), count, value, percent }
    }

    #[test]
    fn records_are_counted_up_to_a_bound_and_summed_by_currency() {
        assert_eq!(ListTotals::of(Vec::new()), ListTotals { count: Some(0), sums: Vec::new() });
        assert_eq!(ListTotals::of(vec![part(None, 7)]), ListTotals { count: Some(7), sums: Vec::new() });
        let totals = ListTotals::of(vec![part(Some("EUR"), 9_999), part(Some("USD"), 1)]);
        let sum = |currency: &str| CurrencyTotals {
            currency: currency.to_owned(),
            value: Decimal::from(300),
            weighted: Decimal::new(7_550, 2),
        };
        assert_eq!(totals, ListTotals { count: Some(10_000), sums: vec![sum("EUR"), sum("USD")] });
        assert_eq!(ListTotals::of(vec![part(Some("EUR"), 9_999), part(Some("USD"), 2)]), ListTotals::MANY);
    }
}
