//! Forms: what was typed as the JSON that the API takes, and the fields of a form from the schema of its members.
//!
//! A form has the members of an input of the domain, under the same names and with the same rules, so nothing about them
//! is written twice.

mod field;
mod html;
mod number;
mod once;
mod view;

pub(crate) use field::{Choice, Field, FieldKind, fingerprint, normalized};
pub(crate) use once::{kept, once, once_as_typed, once_with};
pub(crate) use view::FormView;

use domain::Error;
use domain::kernel::input::json::{Json, Map};
use domain::kernel::input::{Input, InputMode, Problems, SchemaMember};
use domain::kernel::versions::ExpectedVersion;
use domain::ports::Ports;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;

use crate::texts;

/// The most fields of a form that is sent: far more than any page has, and few enough to take little memory.
const MAX_FIELDS: usize = 2_000;

/// What was filled in, in order. A name can come several times.
#[derive(Debug, Clone, Default)]
pub(crate) struct Form(Vec<(String, String)>);

impl Form {
    pub(crate) fn parse(body: &[u8]) -> Self {
        Self(form_urlencoded::parse(body).into_owned().collect())
    }

    /// A form as somebody sent it.
    ///
    /// # Errors
    /// [`Error::Malformed`] for one of too many fields, before any of them is read: a field takes many times the memory of
    /// the two bytes that can stand for it.
    pub(crate) fn receive(body: &[u8]) -> Result<Self, Error> {
        if body.split(|byte| *byte == b'&').count() > MAX_FIELDS {
            return Err(Error::malformed("body", "too_many", format!("a form has at most {MAX_FIELDS} fields")));
        }
        Ok(Self::parse(body))
    }

    /// The last value of a field: a checkbox is sent behind the hidden field that stands for its absence.
    pub(crate) fn value(&self, name: &str) -> Option<&str> {
        self.0.iter().rev().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// All values of a field that are not empty.
    pub(crate) fn values<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        self.0.iter().filter(move |(known, value)| known == name && !value.is_empty()).map(|(_, value)| value.as_str())
    }

    /// All values of a field, also the empty ones.
    pub(crate) fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        self.0.iter().filter(move |(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// All fields and their values, in order.
    pub(crate) fn pairs(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// Replaces the values of a field.
    pub(crate) fn set(&mut self, name: &str, value: &str) {
        self.remove(name);
        self.0.push((name.to_owned(), value.to_owned()));
    }

    /// Without these fields.
    #[must_use]
    pub(crate) fn without(mut self, names: &[&str]) -> Self {
        self.0.retain(|(name, _)| !names.contains(&name.as_str()));
        self
    }

    pub(crate) fn remove(&mut self, name: &str) {
        self.0.retain(|(known, _)| known != name);
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.0.iter().any(|(known, _)| known == name)
    }

    /// The version of the record that the form was filled in for: nothing is overwritten that came later.
    ///
    /// # Errors
    /// [`Error::Malformed`] for a form without one.
    pub(crate) fn version(&self) -> Result<ExpectedVersion, Error> {
        let version = self.value(VERSION).and_then(|text| text.parse().ok());
        let version = version.ok_or_else(|| Error::malformed(VERSION, "required", "must be the record's version"))?;
        Ok(ExpectedVersion::OneOf(vec![version]))
    }

    /// Reads the members of an input that the form has.
    ///
    /// # Errors
    /// Those of [`Input::from_object`], by the names of the members.
    pub(crate) fn read<T: Input>(&self, mode: InputMode, ports: &Ports, zone: &TimeZone) -> Result<T, Error> {
        self.read_for(&Json::Null, mode, ports, zone)
    }

    /// Reads like [`Form::read`] what changes a record: null if it is not read.
    ///
    /// # Errors
    /// Those of [`Form::read`].
    pub(crate) fn read_for<T: Input>(
        &self,
        record: &Json,
        mode: InputMode,
        ports: &Ports,
        zone: &TimeZone,
    ) -> Result<T, Error> {
        let members = T::members();
        let mut problems = Problems::in_context(ports);
        for member in members.iter().filter(|member| FieldKind::of(member).is_decimal()) {
            let typed = self.value(member.name).unwrap_or_default().trim();
            if !typed.is_empty() && number::of(typed).is_none() {
                problems.shape(member.name, "invalid_type", texts::text("form-number"));
            }
        }
        let mut object = self.to_object(&members, zone);
        for member in members.iter().filter(|member| FieldKind::of(member) == FieldKind::Object) {
            if let Some(Json::Object(typed)) = object.get_mut(member.name) {
                remove_others(typed, &record[member.name]);
            }
        }
        T::from_object_with(object, mode, problems)
    }

    /// Whether it has a field of which an update sends parts.
    pub(crate) fn has_objects(&self, members: &[SchemaMember]) -> bool {
        members.iter().any(|member| self.has(member.name) && FieldKind::of(member) == FieldKind::Object)
    }

    /// The members that the form has, as a body of the API.
    pub(crate) fn to_object(&self, members: &[SchemaMember], zone: &TimeZone) -> Map<String, Json> {
        let sent = members.iter().filter(|member| self.has(member.name));
        sent.map(|member| (member.name.to_owned(), self.to_json(member, zone))).collect()
    }

    fn to_json(&self, member: &SchemaMember, zone: &TimeZone) -> Json {
        let text = self.value(member.name).unwrap_or_default().trim();
        match FieldKind::of(member) {
            FieldKind::List | FieldKind::Choices => {
                let parts = self.values(member.name).flat_map(|value| value.split([',', '\n']));
                parts.map(str::trim).filter(|part| !part.is_empty()).collect()
            }
            FieldKind::YesNo => Json::Bool(text == "true"),
            _ if text.is_empty() && member.is_nullable => Json::Null,
            // What is no number, time or object stays a text, which the member refuses in its own words.
            FieldKind::Number { .. } => number::of(text).unwrap_or_else(|| Json::String(text.to_owned())),
            FieldKind::Currency => Json::String(text.to_ascii_uppercase()),
            FieldKind::Time => Json::String(instant_of(text, zone).unwrap_or_else(|| text.to_owned())),
            FieldKind::Object => serde_json::from_str(text).unwrap_or_else(|_| Json::String(text.to_owned())),
            // As it was typed: browsers end lines with two characters.
            FieldKind::LongText { .. } => {
                Json::String(self.value(member.name).unwrap_or_default().replace("\r\n", "\n"))
            }
            _ => Json::String(text.to_owned()),
        }
    }
}

/// Removes what an object has beside what was typed: a form shows the whole of it, and an update leaves alone what it does not name.
fn remove_others(typed: &mut Map<String, Json>, stored: &Json) {
    for name in stored.as_object().into_iter().flat_map(Map::keys) {
        typed.entry(name.as_str()).or_insert(Json::Null);
    }
}

/// The field with the version of a record.
pub(crate) const VERSION: &str = "_version";
/// With the name of a member behind it, the field with the fingerprint of what the form was filled with.
pub(crate) const WAS: &str = "_was.";
/// With the name of a member behind it, the field with the id that was picked.
pub(crate) const ID_OF: &str = "_id.";
/// With the name of a member behind it, the field with the name of the id that was picked.
pub(crate) const NAME_OF: &str = "_name.";

/// The length of a local time with milliseconds.
const MAX_LOCAL_TIME: usize = 23;

/// A local time of a form, such as `2026-11-22T09:30`, as an instant.
pub(crate) fn instant_of(text: &str, zone: &TimeZone) -> Option<String> {
    // Without a zone, and with a time: a day alone is a day everywhere.
    if !text.contains('T') || text.len() > MAX_LOCAL_TIME || text.ends_with('Z') {
        return None;
    }
    let local: DateTime = text.parse().ok()?;
    Some(local.to_zoned(zone.clone()).ok()?.timestamp().to_string())
}

#[cfg(test)]
mod tests {
    use domain::crm::deals::DealFields;

    use super::*;

    #[test]
    fn a_form_becomes_the_body_of_the_api() {
        let form = Form::parse(
            b"title=A+deal&value=12,5&currency=eur&tags=a%2C+b&tags=c&description=x%0D%0Ay&probability=much&source=&stage=proposal&_token=t",
        );
        let object = form.to_object(&DealFields::members(), &TimeZone::UTC);
        let expected = serde_json::json!({
            "title": "A deal", "value": 12.5, "currency": "EUR", "tags": ["a", "b", "c"], "description": "x\ny",
            "probability": "much", "source": null, "stage": "proposal",
        });
        assert_eq!(Json::Object(object), expected);
    }

    #[test]
    fn what_is_taken_out_of_an_object_is_removed() {
        let mut typed = Map::from_iter([("a".to_owned(), 1.into())]);
        remove_others(&mut typed, &serde_json::json!({"a": 2, "b": 3, "c": null}));
        assert_eq!(Json::Object(typed.clone()), serde_json::json!({"a": 1, "b": null, "c": null}));
        remove_others(&mut typed, &Json::Null);
        assert_eq!(typed.len(), 3);
    }

    #[test]
    fn a_local_time_is_an_instant() {
        let berlin = TimeZone::get("Europe/Berlin").unwrap();
        assert_eq!(instant_of("2026-07-01T09:30", &berlin).as_deref(), Some("2026-07-01T07:30:00Z"));
        assert_eq!(instant_of("tomorrow", &berlin), None);
    }

    #[test]
    fn the_last_value_of_a_checkbox_counts() {
        assert_eq!(Form::parse(b"a=false&a=true").value("a"), Some("true"));
        assert_eq!(Form::parse(b"a=false").value("a"), Some("false"));
    }

    #[test]
    fn a_form_has_a_bounded_number_of_fields() {
        assert_eq!(Form::receive(b"").unwrap().pairs().count(), 0);
        let most = vec!["a="; MAX_FIELDS].join("&");
        assert_eq!(Form::receive(most.as_bytes()).unwrap().pairs().count(), MAX_FIELDS);
        assert!(Form::receive(format!("{most}&").as_bytes()).is_err());
    }
}
