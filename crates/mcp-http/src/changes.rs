//! Limits the size of an event's changes in lists.

use domain::kernel::input::json::{Json, Map};
use serde_json::json;

/// The prefix of custom fields, each of which is a separate change; a record may have thousands.
const CUSTOM_FIELD: &str = "custom_fields.";
/// Maximum size of the custom fields of one event, as JSON, in bytes.
const MAX_CUSTOM_FIELDS: usize = 4_000;

/// Shortens each value, and omits custom fields beyond the limit.
pub(crate) fn bounded(mut changes: Map<String, Json>, shorten: impl Fn(&Json) -> Json) -> Map<String, Json> {
    let (mut bytes, mut omitted) = (0, 0);
    changes.retain(|member, change| {
        for value in change.as_object_mut().into_iter().flat_map(Map::values_mut) {
            *value = shorten(value);
        }
        if member.starts_with(CUSTOM_FIELD) {
            bytes += member.len() + change.to_string().len();
        }
        let fits = !member.starts_with(CUSTOM_FIELD) || bytes <= MAX_CUSTOM_FIELDS;
        omitted += usize::from(!fits);
        fits
    });
    if omitted > 0 {
        let note = format!("[{omitted} more changed, not shown]");
        changes.insert("custom_fields".to_owned(), json!({ "from": null, "to": note }));
    }
    changes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_custom_fields_are_counted_and_other_members_stay() {
        let change = json!({ "from": null, "to": 1 });
        let custom_fields =
            |count: usize| (0..count).map(|number| (format!("custom_fields.n{number:04}"), change.clone()));
        let small: Map<_, _> = custom_fields(3).chain([("title".to_owned(), change.clone())]).collect();
        assert_eq!(bounded(small.clone(), Json::clone), small);
        let output = bounded(custom_fields(5_000).chain(small).collect(), Json::clone);
        assert!(Json::from(output.clone()).to_string().len() < 2 * MAX_CUSTOM_FIELDS, "{output:?}");
        let omitted = 5_000 - (output.len() - 2);
        assert_eq!(output["custom_fields"]["to"], json!(format!("[{omitted} more changed, not shown]")));
        assert_eq!(output["title"], change);
        let long = Map::from_iter([(format!("custom_fields.{}", "x".repeat(5_000)), change)]);
        assert_eq!(bounded(long, Json::clone)["custom_fields"]["to"], "[1 more changed, not shown]");
    }
}
