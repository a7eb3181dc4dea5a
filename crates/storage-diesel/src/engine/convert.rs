//! Conversions between the values of the domain and of the database.

use bigdecimal::num_bigint::BigInt;
use bigdecimal::{BigDecimal, ToPrimitive};
use domain::identity::access::{Actor, ActorKind, HashedSecret};
use domain::kernel::Networks;
use domain::ports::StoreError;
use rust_decimal::Decimal;
use serde_json::{Map, Value};
use uuid::Uuid;

/// Converts a decimal to diesel's type, exactly.
pub(crate) fn to_numeric(decimal: Decimal) -> BigDecimal {
    BigDecimal::new(BigInt::from(decimal.mantissa()), i64::from(decimal.scale()))
}

/// Converts a decimal to the domain's type, exactly; fails if it is out of range.
pub(crate) fn from_numeric(numeric: &BigDecimal) -> Result<Decimal, StoreError> {
    let (digits, scale) = numeric.as_bigint_and_exponent();
    let parts = digits.to_i128().zip(u32::try_from(scale).ok());
    // A negative scale means trailing zeros that were omitted.
    let (mantissa, scale) = match parts {
        Some(parts) => parts,
        None => numeric.with_scale(0).to_i128().map(|whole| (whole, 0)).ok_or_else(|| not_a_decimal(numeric))?,
    };
    Decimal::try_from_i128_with_scale(mantissa, scale).map_err(|_| not_a_decimal(numeric))
}

fn not_a_decimal(numeric: &BigDecimal) -> StoreError {
    StoreError::Internal(format!("{numeric} is out of the range of decimals"))
}

/// Parses a stored code of an enumeration.
pub(crate) fn parse_stored<T>(stored: &str, parse: fn(&str) -> Option<T>) -> Result<T, StoreError> {
    parse(stored).ok_or_else(|| StoreError::Internal(format!("{stored} is not an allowed value")))
}

/// The actor that created a record.
pub(crate) fn actor(kind: &str, id: Option<Uuid>) -> Result<Actor, StoreError> {
    Ok(Actor { kind: parse_stored(kind, ActorKind::parse)?, id })
}

pub(crate) fn object(json: Value) -> Result<Map<String, Value>, StoreError> {
    match json {
        Value::Object(object) => Ok(object),
        _ => Err(StoreError::Internal("a stored value is not a JSON object".to_owned())),
    }
}

/// The stored networks of an allowlist.
pub(crate) fn networks(texts: &[String]) -> Result<Networks, StoreError> {
    Networks::parse(texts).ok_or_else(|| StoreError::Internal("a stored network is malformed".to_owned()))
}

pub(crate) fn secret(hash: Vec<u8>) -> Result<HashedSecret, StoreError> {
    let hash = <[u8; 32]>::try_from(hash)
        .map_err(|_| StoreError::Internal("a secret's hash does not have 32 bytes".to_owned()))?;
    Ok(HashedSecret::from_bytes(hash))
}

pub(crate) fn count(stored: i64) -> Result<u64, StoreError> {
    u64::try_from(stored).map_err(|_| StoreError::Internal(format!("{stored} is not a count")))
}

/// Converts to a narrower type; fails if the value is out of range.
pub(crate) fn small<T: TryFrom<i64>>(stored: i64) -> Result<T, StoreError> {
    T::try_from(stored).map_err(|_| StoreError::Internal(format!("{stored} is out of its range")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_round_trip() {
        for text in ["0", "0.00", "12.5", "999999999999.99", "0.01", "-1.10", "100"] {
            let decimal: Decimal = text.parse().unwrap();
            let converted = from_numeric(&to_numeric(decimal)).unwrap();
            assert_eq!((converted, converted.scale()), (decimal, decimal.scale()), "{text}");
        }
        assert_eq!(from_numeric(&BigDecimal::new(BigInt::from(12), -3)).unwrap(), Decimal::from(12_000));
        assert!(from_numeric(&BigDecimal::new(BigInt::from(1), -40)).is_err());
    }
}
