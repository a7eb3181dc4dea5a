//! Forms: converting submitted forms to the JSON that the API takes, and building form fields from the schema of their
//! members.
//!
//! A form has the members of an input type of the domain, with the same names and rules. Nothing about them is repeated
//! here.

mod duration;
mod field;
mod html;
mod number;
mod once;
mod time;
mod view;

pub(crate) use self::duration::{duration_of, hours_of, seconds_of};
pub(crate) use self::time::{ZONE, bound_of, name_of};
pub(crate) use field::{Choice, Field, FieldKind, fingerprint, kind_of_reference, normalized};
pub(crate) use once::{id_response, number_of, once_as_typed, once_for_field, once_with};
pub(crate) use view::FormView;

use domain::Error;
use domain::kernel::input::json::{Json, Map};
use domain::kernel::input::{Input, InputMode, Problems, SchemaMember};
use domain::kernel::versions::ExpectedVersion;
use jiff::tz::TimeZone;

use self::time::{NotAnInstant, instant_of, zone_named};
use crate::layout::Browser;
use crate::page::NEXT;
use crate::responses::is_own_path;
use crate::texts;

/// The maximum number of fields of a submitted form. No page needs nearly as many, and this many take little memory.
const MAX_FIELDS: usize = 2_000;

/// The submitted fields, in order. A name can occur more than once.
#[derive(Debug, Clone, Default)]
pub(crate) struct Form(Vec<(String, String)>);

impl Form {
    pub(crate) fn parse(body: &[u8]) -> Self {
        Self(form_urlencoded::parse(body).into_owned().collect())
    }

    /// Parses the body of a request.
    ///
    /// # Errors
    /// [`Error::Malformed`] if there are too many fields. They are counted before parsing, because a parsed field takes
    /// many times the memory of the two bytes that it needs in the body.
    pub(crate) fn receive(body: &[u8]) -> Result<Self, Error> {
        if body.split(|byte| *byte == b'&').count() > MAX_FIELDS {
            return Err(Error::malformed("body", "too_many", format!("a form has at most {MAX_FIELDS} fields")));
        }
        Ok(Self::parse(body))
    }

    /// The last value of a field: a checked checkbox comes after the hidden field that stands for the unchecked one.
    pub(crate) fn value(&self, name: &str) -> Option<&str> {
        self.0.iter().rev().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// All non-empty values of a field.
    pub(crate) fn values<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        self.0.iter().filter(move |(known, value)| known == name && !value.is_empty()).map(|(_, value)| value.as_str())
    }

    /// All values of a field, including empty ones.
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

    /// A form with only these fields.
    #[must_use]
    pub(crate) fn only(&self, names: &[&str]) -> Self {
        Self(self.0.iter().filter(|(name, _)| names.contains(&name.as_str())).cloned().collect())
    }

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

    /// The path of this host to which the form leads, if it names one.
    pub(crate) fn next_path(&self) -> Option<&str> {
        self.value(NEXT).filter(|next| is_own_path(next))
    }

    /// The version of the record that the user saw, so that later changes are not overwritten.
    ///
    /// # Errors
    /// [`Error::Malformed`] for a form without a version.
    pub(crate) fn version(&self) -> Result<ExpectedVersion, Error> {
        let version = self.value(VERSION).and_then(|text| text.parse().ok());
        let version = version.ok_or_else(|| Error::malformed(VERSION, "required", "must be the record's version"))?;
        Ok(ExpectedVersion::OneOf(vec![version]))
    }

    /// Reads the members of something new. Times whose zone the form does not name are in the browser's zone.
    ///
    /// # Errors
    /// Those of [`Input::from_object`], with the names of the members.
    pub(crate) fn read_new<T: Input>(&self, browser: &Browser) -> Result<T, Error> {
        self.read(&Json::Null, InputMode::Create, browser)
    }

    /// Reads the members that a change has, like [`Form::read_new`].
    ///
    /// # Errors
    /// Those of [`Form::read_new`].
    pub(crate) fn read_patch<T: Input>(&self, browser: &Browser) -> Result<T, Error> {
        self.read_patch_of(&Json::Null, browser)
    }

    /// Reads a change to `record`, which is null if it was not read.
    ///
    /// # Errors
    /// Those of [`Form::read_new`].
    pub(crate) fn read_patch_of<T: Input>(&self, record: &Json, browser: &Browser) -> Result<T, Error> {
        self.read(record, InputMode::Patch, browser)
    }

    fn read<T: Input>(&self, record: &Json, mode: InputMode, browser: &Browser) -> Result<T, Error> {
        let (members, zone) = (T::members(), &browser.preferences.zone);
        let mut problems = Problems::in_context(&browser.ports);
        self.note_unreadable(&members, zone, &mut problems);
        let mut object = self.to_object(&members, zone);
        for member in members.iter().filter(|member| FieldKind::of(member) == FieldKind::Object) {
            if let Some(Json::Object(typed)) = object.get_mut(member.name) {
                remove_others(typed, &record[member.name]);
            }
        }
        T::from_object_with(object, mode, problems)
    }

    /// Records a problem for each number, duration and time that is not understood.
    pub(crate) fn note_unreadable(&self, members: &[SchemaMember], zone: &TimeZone, problems: &mut Problems) {
        for member in members {
            let typed = self.value(member.name).unwrap_or_default().trim();
            match FieldKind::of(member) {
                FieldKind::Number { has_decimals: true } if !typed.is_empty() && number::of(typed).is_none() => {
                    problems.shape(member.name, "invalid_type", texts::text("form-number"));
                }
                FieldKind::Duration if !typed.is_empty() && seconds_of(typed).is_none() => {
                    problems.shape(member.name, "invalid_value", texts::text("form-duration"));
                }
                FieldKind::Time if !typed.is_empty() => {
                    if let Some(message) = self.problem_of_time(member.name, typed, zone) {
                        problems.shape(member.name, "invalid_value", message);
                    }
                }
                _ => {}
            }
        }
    }

    /// Whether the form has an object, such as `custom_fields`. Updates merge objects into the stored ones.
    pub(crate) fn has_objects(&self, members: &[SchemaMember]) -> bool {
        members.iter().any(|member| self.has(member.name) && FieldKind::of(member) == FieldKind::Object)
    }

    /// Why a local time cannot be converted; `None` if it can.
    fn problem_of_time(&self, member: &str, typed: &str, zone: &TimeZone) -> Option<String> {
        // Whether a text is a local time does not depend on the zone.
        let is_local = instant_of(typed, &TimeZone::UTC).is_ok();
        let Some(zone) = self.zone_of(member, zone) else {
            let name = self.value(&format!("{ZONE}{member}")).unwrap_or_default();
            let name: String = name.chars().filter(|character| !character.is_control()).take(MAX_ZONE_NAME).collect();
            return is_local.then(|| texts::text_with("form-zone-unknown", [("zone", name.into())]));
        };
        (instant_of(typed, &zone) == Err(NotAnInstant::Skipped)).then(|| {
            let values = [("time", typed.replace('T', " ").into()), ("zone", name_of(&zone).to_owned().into())];
            texts::text_with("form-time-skipped", values)
        })
    }

    /// The zone in which the time of a member was typed: the zone that the form showed, or `usual` if it showed none.
    /// `None` for an unknown zone name.
    pub(crate) fn zone_of(&self, member: &str, usual: &TimeZone) -> Option<TimeZone> {
        self.value(&format!("{ZONE}{member}")).map_or_else(|| Some(usual.clone()), zone_named)
    }

    /// The members of the form as a body of the API. Values that cannot be parsed stay strings, which their members
    /// reject; [`Self::note_unreadable`] gives the reason.
    pub(crate) fn to_object(&self, members: &[SchemaMember], zone: &TimeZone) -> Map<String, Json> {
        let submitted = members.iter().filter(|member| self.has(member.name));
        submitted.map(|member| (member.name.to_owned(), self.to_json(member, zone))).collect()
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
            // A text that is not a number, time or object is kept, and the member refuses it.
            FieldKind::Number { .. } => number::of(text).unwrap_or_else(|| Json::String(text.to_owned())),
            FieldKind::Duration => seconds_of(text).map_or_else(|| Json::String(text.to_owned()), Json::from),
            FieldKind::Currency => Json::String(text.to_ascii_uppercase()),
            FieldKind::Time => {
                let zone = self.zone_of(member.name, zone);
                let instant = zone.and_then(|zone| instant_of(text, &zone).ok());
                Json::String(instant.map_or_else(|| text.to_owned(), |instant| instant.to_string()))
            }
            FieldKind::Object => serde_json::from_str(text).unwrap_or_else(|_| Json::String(text.to_owned())),
            // Not trimmed, but with line feeds only: browsers end lines with two characters.
            FieldKind::LongText { .. } => {
                Json::String(self.value(member.name).unwrap_or_default().replace("\r\n", "\n"))
            }
            _ => Json::String(text.to_owned()),
        }
    }
}

/// Adds nulls for the members that were removed from an object. A form shows the whole object, but an update keeps
/// members that are not sent.
fn remove_others(typed: &mut Map<String, Json>, stored: &Json) {
    for name in stored.as_object().into_iter().flat_map(Map::keys) {
        typed.entry(name.as_str()).or_insert(Json::Null);
    }
}

/// The field with the version of a record.
pub(crate) const VERSION: &str = "_version";
/// Prefix of the field with the fingerprint of a member's value when the form was rendered.
pub(crate) const WAS: &str = "_was.";
/// Prefix of the field with the id that was picked for a member.
pub(crate) const ID_OF: &str = "_id.";
/// Prefix of the field with the name of the record that was picked for a member.
pub(crate) const NAME_OF: &str = "_name.";

/// How many characters of an unknown zone name are repeated in an error. All known names are shorter.
const MAX_ZONE_NAME: usize = 50;

#[cfg(test)]
mod tests {
    use domain::crm::deals::DealFields;
    use domain::work::issues::IssueFields;

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

    fn due_at(form: &str) -> (Json, Option<String>) {
        let (form, zone) = (Form::parse(form.as_bytes()), TimeZone::get("Asia/Tokyo").unwrap());
        let mut problems = Problems::default();
        form.note_unreadable(&IssueFields::members(), &zone, &mut problems);
        let problem = problems.into_result().err().map(|error| error.details()[0].message.clone());
        (form.to_object(&IssueFields::members(), &zone)["due_at"].clone(), problem)
    }

    #[test]
    fn times_are_read_in_the_zone_shown_by_the_form() {
        for (form, instant) in [
            // The reader's zone became known, or changed, after the form was rendered.
            ("due_at=2026-07-01T09:30&_zone.due_at=UTC", "2026-07-01T09:30:00Z"),
            ("due_at=2026-07-01T09:30&_zone.due_at=Europe%2FBerlin", "2026-07-01T07:30:00Z"),
            ("due_at=2026-07-01T09:30", "2026-07-01T00:30:00Z"),
            ("due_at=2026-10-25T02:30&_zone.due_at=Europe%2FBerlin", "2026-10-25T00:30:00Z"),
            ("due_at=2026-07-01T09:30:00%2B02:00&_zone.due_at=UTC", "2026-07-01T09:30:00+02:00"),
        ] {
            assert_eq!(due_at(form), (serde_json::json!(instant), None), "{form}");
        }
        assert_eq!(due_at("due_at=&_zone.due_at=UTC"), (Json::Null, None));
    }

    #[test]
    fn members_removed_from_an_object_become_null() {
        let mut typed = Map::from_iter([("a".to_owned(), 1.into())]);
        remove_others(&mut typed, &serde_json::json!({"a": 2, "b": 3, "c": null}));
        assert_eq!(Json::Object(typed.clone()), serde_json::json!({"a": 1, "b": null, "c": null}));
        remove_others(&mut typed, &Json::Null);
        assert_eq!(typed.len(), 3);
    }

    #[test]
    fn skipped_times_and_unknown_zones_are_refused() {
        let (value, problem) = due_at("due_at=2026-03-29T02:30&_zone.due_at=Europe%2FBerlin");
        assert_eq!(value, "2026-03-29T02:30", "a skipped time stays as typed, and is rejected");
        let problem = problem.unwrap();
        assert!(problem.contains("2026-03-29 02:30") && problem.contains("Europe/Berlin"), "{problem}");
        // Clocks in another zone show it.
        assert_eq!(due_at("due_at=2026-03-29T02:30&_zone.due_at=UTC").1, None);
        let (value, problem) = due_at("due_at=2026-07-01T09:30&_zone.due_at=Mars%2FBase");
        assert_eq!(value, "2026-07-01T09:30");
        assert!(problem.unwrap().contains("Mars/Base"));
    }

    #[test]
    fn the_last_value_of_a_checkbox_counts() {
        assert_eq!(Form::parse(b"a=false&a=true").value("a"), Some("true"));
        assert_eq!(Form::parse(b"a=false").value("a"), Some("false"));
    }

    #[test]
    fn a_form_has_a_bounded_number_of_fields() {
        assert_eq!(Form::receive(b"").unwrap().pairs().count(), 0);
        let full_form = vec!["a="; MAX_FIELDS].join("&");
        assert_eq!(Form::receive(full_form.as_bytes()).unwrap().pairs().count(), MAX_FIELDS);
        assert!(Form::receive(format!("{full_form}&").as_bytes()).is_err());
    }
}
