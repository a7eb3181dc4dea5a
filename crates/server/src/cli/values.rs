//! Values of the command line's options.

use domain::limits::LimitName;
use time::format_description::well_known::Rfc3339;
use time::{Duration, OffsetDateTime};

/// Parses one of several values, by the functions of their type.
pub(super) fn one_of<T: Clone + Send + Sync + 'static>(
    parse: fn(&str) -> Option<T>,
    allowed_values: fn() -> String,
) -> impl Fn(&str) -> Result<T, String> + Clone + Send + Sync + 'static {
    move |text: &str| parse(text).ok_or_else(|| format!("must be one of {}", allowed_values()))
}

/// `NAME=VALUE`, or `NAME=default`.
pub(super) fn parse_limit(text: &str) -> Result<(LimitName, Option<u64>), String> {
    let (name, value) = text.split_once('=').ok_or("must be a name and a value, e.g. requests_per_minute=300")?;
    let name =
        LimitName::parse(name).ok_or_else(|| format!("the name must be one of {}", LimitName::allowed_values()))?;
    if value == "default" {
        return Ok((name, None));
    }
    let (least, most) = (name.min_value(), name.max_value());
    let number = value.parse().ok().filter(|number| (least..=most).contains(number));
    let number = number.ok_or_else(|| format!("the value must be a number from {least} to {most}, or default"))?;
    Ok((name, Some(number)))
}

/// Parses a time with an offset from UTC.
pub(super) fn parse_time(text: &str) -> Result<OffsetDateTime, String> {
    let form = "must be a time with an offset from UTC, e.g. 2026-11-23T15:04:05Z";
    OffsetDateTime::parse(text, &Rfc3339).map_err(|_| form.to_owned())
}

/// `2s`, `15m`, `36h` or `7d`.
pub(crate) fn parse_duration(text: &str) -> Result<Duration, String> {
    const FORM: &str = "must be a number with a unit, e.g. 2s, 15m, 36h or 7d";
    let unit = text.chars().last().ok_or(FORM)?;
    let seconds_each = match unit {
        's' => 1,
        'm' => 60,
        'h' => 3_600,
        'd' => 86_400,
        _ => return Err(FORM.to_owned()),
    };
    let digits = &text[..text.len() - 1];
    let number: i64 =
        digits.bytes().all(|byte| byte.is_ascii_digit()).then(|| digits.parse().ok()).flatten().ok_or(FORM)?;
    number.checked_mul(seconds_each).filter(|seconds| *seconds > 0).map(Duration::seconds).ok_or(FORM.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    #[test]
    fn limits_have_a_name_and_a_value() {
        for (text, value) in [("requests_per_minute=1", Some(1)), ("requests_per_minute=default", None)] {
            assert_eq!(parse_limit(text), Ok((LimitName::RequestsPerMinute, value)));
        }
        assert_eq!(parse_limit("crm_quota_per_month=0"), Ok((LimitName::CrmQuotaPerMonth, Some(0))));
        for bad in ["", "requests_per_minute", "requests_per_minute=0", "x=1", "crm_quota_per_month=2147483648"] {
            assert!(parse_limit(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn durations_have_a_unit() {
        for (text, seconds) in [("2s", 2), ("15m", 900), ("36h", 129_600), ("7d", 604_800)] {
            assert_eq!(parse_duration(text).map(Duration::whole_seconds), Ok(seconds));
        }
        for bad in ["", "s", "7", "-1d", "+1d", "1.5h", "0s", "9223372036854775807d", "1é"] {
            assert!(parse_duration(bad).is_err(), "{bad}");
        }
    }
}
