//! A form as templates show it.

use domain::Error;
use domain::console::{Names, WantedNames};
use domain::kernel::input::json::Json;
use domain::kernel::input::{Input, Problem, SchemaMember};
use domain::ports::StoreError;
use http_core::errors::status_of;
use jiff::tz::TimeZone;
use uuid::Uuid;

use super::field::{Choice, Field, fingerprint, normalized};
use super::time::zone_named;
use super::{FieldKind, Form, ID_OF, NAME_OF, WAS, ZONE, number_of};
use crate::errors::message_of;
use crate::texts;

/// The fields of a form, and its errors.
#[derive(Debug, Default)]
pub(crate) struct FormView {
    pub(crate) fields: Vec<Field>,
    /// An error that does not belong to a single field.
    pub(crate) error: Option<String>,
    /// The version of the record; `None` for new records.
    pub(crate) version: Option<i64>,
    /// The number of a form that creates something once.
    pub(crate) once: Option<Uuid>,
}

impl FormView {
    /// The empty form of an input type.
    pub(crate) fn new<T: Input>() -> Self {
        Self::of_members(&T::members())
    }

    /// The empty form of these members.
    pub(crate) fn of_members(members: &[SchemaMember]) -> Self {
        Self { fields: members.iter().map(Field::of).collect(), ..Self::default() }
    }

    /// Keeps only these fields, in this order.
    #[must_use]
    pub(crate) fn only(mut self, names: &[&str]) -> Self {
        self.fields.retain(|field| names.contains(&field.name));
        self.fields.sort_by_key(|field| names.iter().position(|name| *name == field.name));
        self
    }

    /// Removes these fields.
    #[must_use]
    pub(crate) fn without(mut self, names: &[&str]) -> Self {
        self.fields.retain(|field| !names.contains(&field.name));
        self
    }

    /// Fills in a record of the API.
    #[must_use]
    pub(crate) fn with_record(self, record: &Json, zone: &TimeZone) -> Self {
        self.with_record_in_zones(record, |_| zone.clone())
    }

    /// Fills in a record of the API. Each member's time can have its own zone.
    #[must_use]
    pub(crate) fn with_record_in_zones(mut self, record: &Json, zone_of: impl Fn(&str) -> TimeZone) -> Self {
        for field in &mut self.fields {
            field.fill(&record[field.name], &zone_of(field.name));
        }
        self.version = record["version"].as_i64();
        if self.version.is_some() {
            for field in &mut self.fields {
                field.was = Some(fingerprint(&field.sent()));
            }
        }
        self
    }

    /// Sets the zone of times that have none.
    #[must_use]
    pub(crate) fn in_zone(mut self, zone: &TimeZone) -> Self {
        for field in self.fields.iter_mut().filter(|field| !field.has_zone()) {
            field.put_in_zone(zone);
        }
        self
    }

    /// Shows names instead of the ids of members and records.
    #[must_use]
    pub(crate) fn with_names(mut self, names: &Names) -> Self {
        for field in &mut self.fields {
            let Ok(id) = field.value.parse::<Uuid>() else { continue };
            let name = match field.kind {
                FieldKind::Member => names.people.get(&id),
                FieldKind::Record(kind) => names.records.get(&(kind, id)),
                _ => None,
            };
            if let Some(name) = name {
                field.shown.clone_from(name);
            }
        }
        self
    }

    /// Offers the records that typed names can mean. The text stays, so that it can be changed instead.
    #[must_use]
    pub(crate) fn with_offers(mut self, offers: Vec<(&'static str, Vec<Choice>)>) -> Self {
        for (name, choices) in offers.into_iter().filter(|(_, choices)| !choices.is_empty()) {
            if let Some(field) = self.field_mut(name) {
                // The form sends the text with the choice, which applies to this text only.
                field.shown = std::mem::take(&mut field.value);
                field.offers = choices;
            }
        }
        self
    }

    /// The members and records whose names the fields show.
    pub(crate) fn wanted_names(&self) -> WantedNames {
        let mut wanted = WantedNames::default();
        for field in &self.fields {
            let Ok(id) = field.value.parse::<Uuid>() else { continue };
            match field.kind {
                FieldKind::Member => wanted.people.push(id),
                FieldKind::Record(kind) => wanted.records.push((kind, id)),
                _ => {}
            }
        }
        wanted
    }

    /// Fills in what was typed, so that nothing is lost when a form is rejected.
    #[must_use]
    pub(crate) fn with_input(mut self, form: &Form) -> Self {
        for field in &mut self.fields {
            if form.has(field.name) && field.kind != FieldKind::Password {
                let values: Vec<_> = form.values(field.name).map(str::to_owned).collect();
                field.set(&values);
                // A typed time keeps the zone that was shown next to it.
                if let Some(zone) = form.value(&format!("{ZONE}{}", field.name)).and_then(zone_named) {
                    field.put_in_zone(&zone);
                }
                if field.kind == FieldKind::YesNo {
                    field.value = form.value(field.name).unwrap_or_default().to_owned();
                }
                // The typed name of a record, which may no longer be the one that was picked.
                let name = form.value(&format!("{NAME_OF}{}", field.name)).filter(|name| !name.is_empty());
                let picked_id = form.value(&format!("{ID_OF}{}", field.name)).filter(|id| id.parse::<Uuid>().is_ok());
                if let Some((name, id)) =
                    name.zip(picked_id).filter(|(name, _)| normalized(name) == normalized(&field.value))
                {
                    field.shown = name.to_owned();
                    field.value = id.to_owned();
                }
            }
            if let Some(was) = form.value(&format!("{WAS}{}", field.name)) {
                field.was = Some(was.to_owned());
            }
        }
        // With a new number, sending the form again could create a duplicate if a response was lost.
        self.once = self.once.map(|number| number_of(form).unwrap_or(number));
        self.version = form.value(super::VERSION).and_then(|text| text.parse().ok()).or(self.version);
        self
    }

    /// Sets the choices of a field, such as the members of the workspace. The current value is the chosen one.
    #[must_use]
    pub(crate) fn with_choices(mut self, name: &str, choices: impl IntoIterator<Item = (String, String)>) -> Self {
        if let Some(field) = self.field_mut(name) {
            match field.kind {
                FieldKind::Text { .. } | FieldKind::Number { .. } => field.kind = FieldKind::Choice,
                FieldKind::List => field.kind = FieldKind::Choices,
                _ => {}
            }
            let chosen = field.value.clone();
            let is_chosen = |value: &str| match field.kind {
                FieldKind::Choices => chosen.split(", ").any(|one| one == value),
                _ => chosen == value,
            };
            let choices = choices.into_iter();
            field.choices =
                choices.map(|(value, label)| Choice { is_chosen: is_chosen(&value), value, label }).collect();
            field.shown = field.choices.iter().find(|one| one.is_chosen).map_or(chosen, |one| one.label.clone());
        }
        self
    }

    /// Makes yes and no two choices, of which none has to be taken: a filter for no differs from no filter.
    #[must_use]
    pub(crate) fn with_answers(mut self) -> Self {
        for field in self.fields.iter_mut().filter(|field| field.kind == FieldKind::YesNo) {
            field.kind = FieldKind::Choice;
            field.choices =
                vec![Choice::new("true", texts::text("yes"), false), Choice::new("false", texts::text("no"), false)];
            field.value.clear();
        }
        self
    }

    /// Sets the choices of every field that holds a member. A former member that a field already holds stays a choice.
    #[must_use]
    pub(crate) fn with_members(mut self, members: &[(String, String)]) -> Self {
        for field in self.fields.iter_mut().filter(|field| field.kind == FieldKind::Member && !members.is_empty()) {
            let words = field.choices.iter().map(|choice| (choice.value.clone(), choice.label.clone()));
            let mut choices: Vec<_> = words.chain(members.iter().cloned()).collect();
            let chosen: Vec<_> = field.value.split(", ").filter(|id| !id.is_empty()).collect();
            for id in &chosen {
                if choices.iter().all(|(known, _)| known != id) {
                    let is_named = chosen.len() == 1 && !field.shown.is_empty();
                    let name = if is_named { field.shown.clone() } else { texts::text("unknown-member") };
                    choices.push(((*id).to_owned(), name));
                }
            }
            let choice =
                |(value, label): (String, String)| Choice { is_chosen: chosen.contains(&&*value), value, label };
            field.choices = choices.into_iter().map(choice).collect();
        }
        self
    }

    pub(crate) fn is_blank(&self, name: &str) -> bool {
        self.fields.iter().all(|field| field.name != name || field.value.is_empty())
    }

    /// Sets HTML's `autocomplete` attributes.
    #[must_use]
    pub(crate) fn with_autocomplete(mut self, hints: &[(&str, &'static str)]) -> Self {
        for (name, hint) in hints {
            if let Some(field) = self.field_mut(name) {
                field.autocomplete = hint;
                // An account's e-mail address is plain text in the schema.
                if *hint == "username" {
                    field.kind = FieldKind::Email;
                }
            }
        }
        self
    }

    fn with_field(mut self, name: &str, change: impl FnOnce(&mut Field)) -> Self {
        if let Some(field) = self.field_mut(name) {
            change(field);
        }
        self
    }

    /// Replaces the label of a field by the text with this key.
    #[must_use]
    pub(crate) fn with_label(self, name: &str, key: &str) -> Self {
        self.with_field(name, |field| field.label = texts::text(key))
    }

    /// Replaces the help of a field by the text with this key.
    #[must_use]
    pub(crate) fn with_help(self, name: &str, key: &str) -> Self {
        self.with_field(name, |field| field.help = texts::text(key))
    }

    /// Replaces the help of fields by texts with this key prefix, written for users. The API's descriptions are written
    /// for developers.
    #[must_use]
    pub(crate) fn with_help_for(mut self, keys: &str) -> Self {
        for field in &mut self.fields {
            let key = format!("{keys}-{}", field.name.replace('_', "-"));
            field.help = texts::known(&key).unwrap_or_default();
        }
        self
    }

    /// Replaces the help of a field if the texts have one for it. `keys` is what the keys of these texts begin with.
    #[must_use]
    pub(crate) fn with_own_help(mut self, keys: &str) -> Self {
        for field in &mut self.fields {
            if let Some(help) = texts::known(&format!("{keys}-{}", field.name.replace('_', "-"))) {
                field.help = help;
            }
        }
        self
    }

    /// Makes a form create its record only once, however often it is sent.
    #[must_use]
    pub(crate) fn once(self, number: Uuid) -> Self {
        Self { once: Some(number), ..self }
    }

    /// Puts the usual fields first, and hides the others until more fields are requested. The first field gets the
    /// focus.
    #[must_use]
    pub(crate) fn with_usual(mut self, names: &[&str]) -> Self {
        self.fields.sort_by_key(|field| names.iter().position(|name| *name == field.name).unwrap_or(names.len()));
        for field in self.fields.iter_mut().filter(|_| !names.is_empty()) {
            field.is_extra = !names.contains(&field.name);
        }
        if let Some(first) = self.fields.first_mut() {
            first.has_focus = true;
        }
        self
    }

    /// Whether an error is shown next to its field.
    pub(crate) fn has_field_errors(&self) -> bool {
        self.fields.iter().any(|field| field.error.is_some())
    }

    /// Whether some fields are hidden until more fields are requested.
    pub(crate) fn has_extra(&self) -> bool {
        self.fields.iter().any(|field| field.is_extra)
    }

    /// Whether a hidden field has a value or an error, so that all fields are shown.
    pub(crate) fn shows_extra(&self) -> bool {
        self.fields.iter().any(|field| field.is_extra && (field.error.is_some() || field.is_filled()))
    }

    /// Sets the unit of a number.
    #[must_use]
    pub(crate) fn with_unit(self, name: &str, unit: &str) -> Self {
        self.with_field(name, |field| unit.clone_into(&mut field.unit))
    }

    /// Removes the help where the labels are enough.
    #[must_use]
    pub(crate) fn without_help(mut self) -> Self {
        for field in &mut self.fields {
            field.help.clear();
        }
        self
    }

    /// Shows an error: each problem next to its field, and everything else above the form.
    ///
    /// # Errors
    /// Every error that is not about the input.
    pub(crate) fn with_error(mut self, error: Error) -> Result<Self, Error> {
        let problems = match &error {
            Error::Malformed(_)
            | Error::Invalid(_)
            | Error::Duplicate { .. }
            | Error::Store(StoreError::Duplicate { .. }) => error.details(),
            _ if is_for_the_form(&error) => Vec::new(),
            _ => return Err(error),
        };
        let mut others = Vec::new();
        for Problem { field: path, message, .. } in problems {
            // A form can show the members of an object as separate fields.
            let first = path.split(['.', '[']).next().unwrap_or_default();
            let name = if self.field(first).is_some() { first } else { path.rsplit('.').next().unwrap_or_default() };
            match self.field_mut(name) {
                Some(field) if field.error.is_none() => field.error = Some(message),
                Some(_) => {}
                None => others.push(format!("{}: {message}", texts::label("member", &path))),
            }
        }
        let first_wrong = self.fields.iter().position(|field| field.error.is_some());
        let has_field_errors = first_wrong.is_some();
        for (place, field) in self.fields.iter_mut().enumerate() {
            field.has_focus = if has_field_errors { first_wrong == Some(place) } else { field.has_focus };
        }
        self.error = match (others.is_empty(), has_field_errors) {
            (false, _) => Some(others.join("\n")),
            (true, true) => Some(texts::text("form-check-fields")),
            (true, false) => Some(message_of(&error)),
        };
        Ok(self)
    }

    /// The field of a member, for forms that lay out their fields themselves.
    pub(crate) fn field(&self, name: &str) -> Option<&Field> {
        self.fields.iter().find(|field| field.name == name)
    }

    pub(crate) fn error_of(&self, name: &str) -> Option<&str> {
        self.field(name)?.error.as_deref()
    }

    /// Whether the form has a description, which is Markdown.
    pub(crate) fn has_markdown(&self) -> bool {
        self.fields.iter().any(|field| field.name == "description" && matches!(field.kind, FieldKind::LongText { .. }))
    }

    pub(crate) fn field_mut(&mut self, name: &str) -> Option<&mut Field> {
        self.fields.iter_mut().find(|field| field.name == name)
    }
}

/// Whether an error without a field can be fixed by other input or by trying again.
fn is_for_the_form(error: &Error) -> bool {
    !matches!(error, Error::NotFound(_) | Error::Unauthorized)
        && matches!(status_of(error).as_u16(), 400 | 401 | 409 | 422 | 429)
}
