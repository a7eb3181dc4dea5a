//! A field of a form.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use domain::kernel::input::SchemaMember;
use domain::kernel::input::json::Json;
use domain::kernel::input::schema::NAMES;
use domain::records::RecordKind;
use jiff::tz::TimeZone;
use ring::digest::{SHA256, digest};

use super::duration::{duration_of, seconds_of};
use super::time::{instant_of, local_of, name_of};
use crate::texts;

/// A text with at least this maximum length, in characters, gets an input of several lines.
const MULTILINE_LENGTH: u64 = 1_000;

/// The kind of input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum FieldKind {
    Text {
        max: Option<u64>,
    },
    LongText {
        max: Option<u64>,
    },
    Email,
    Password,
    Number {
        has_decimals: bool,
    },
    /// Seconds, typed and shown as hours and minutes.
    Duration,
    /// The code of a currency.
    Currency,
    Date,
    /// Date and time, in the user's zone.
    Time,
    /// One value of a list.
    Choice,
    /// Several values of a list.
    Choices,
    /// Words separated by commas.
    List,
    YesNo,
    /// A member of the workspace.
    Member,
    /// A record of this kind.
    Record(RecordKind),
    /// A JSON object of any shape.
    Object,
}

impl FieldKind {
    /// The kind of input for a member, from its schema.
    pub(crate) fn of(member: &SchemaMember) -> Self {
        let schema = &member.schema;
        let names_member = |schema: &Json| schema.get(NAMES).and_then(Json::as_str) == Some("member");
        // A member of the workspace, a list of them, or one with a special value such as `none`.
        let choices = [&schema["anyOf"], &schema["items"]["anyOf"]];
        let mut choices = choices.into_iter().filter_map(Json::as_array).flatten();
        if names_member(schema) || names_member(&schema["items"]) || choices.any(names_member) {
            return Self::Member;
        }
        if let Some(kind) = kind_of_reference(member.name) {
            return Self::Record(kind);
        }
        match (schema["type"].as_str(), schema["format"].as_str()) {
            (Some("array"), _) if schema["items"].get("enum").is_some() => Self::Choices,
            (Some("array"), _) => Self::List,
            (Some("boolean"), _) => Self::YesNo,
            (Some("integer"), _) if member.name == "seconds" => Self::Duration,
            (Some("integer"), _) => Self::Number { has_decimals: false },
            (Some("number"), _) => Self::Number { has_decimals: true },
            (Some("object"), _) => Self::Object,
            (_, Some("date")) => Self::Date,
            (_, Some("date-time")) => Self::Time,
            (_, Some("email")) => Self::Email,
            _ if schema.get("enum").is_some() => Self::Choice,
            _ if member.name.ends_with("password") => Self::Password,
            _ if member.name == "currency" || member.name == "default_currency" => Self::Currency,
            // URLs may be long, but are single lines.
            _ if member.name.ends_with("url") => Self::Text { max: schema["maxLength"].as_u64() },
            _ => {
                let max = schema["maxLength"].as_u64();
                if max.is_some_and(|max| max >= MULTILINE_LENGTH) { Self::LongText { max } } else { Self::Text { max } }
            }
        }
    }
}

/// Suggested currencies. All codes of ISO 4217 can be typed.
const SUGGESTED_CURRENCIES: [&str; 24] = [
    "AUD", "BRL", "CAD", "CHF", "CNY", "CZK", "DKK", "EUR", "GBP", "HKD", "HUF", "INR", "JPY", "KRW", "MXN", "NOK",
    "NZD", "PLN", "SEK", "SGD", "TRY", "UAH", "USD", "ZAR",
];

/// The kind of record that a member with this name refers to.
pub(crate) fn kind_of_reference(name: &str) -> Option<RecordKind> {
    match name {
        "parent_id" | "epic_id" => Some(RecordKind::Task),
        _ => name.strip_suffix("_id").and_then(RecordKind::parse),
    }
}

/// A value that can be chosen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Choice {
    pub(crate) value: String,
    pub(crate) label: String,
    pub(crate) is_chosen: bool,
}

impl Choice {
    pub(crate) fn new(value: impl Into<String>, label: impl Into<String>, is_chosen: bool) -> Self {
        Self { value: value.into(), label: label.into(), is_chosen }
    }
}

/// A field as templates show it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Field {
    pub(crate) name: &'static str,
    pub(crate) label: String,
    /// The help text, by default from the API documentation.
    pub(crate) help: String,
    pub(crate) kind: FieldKind,
    pub(crate) value: String,
    /// The name shown instead of an id.
    pub(crate) shown: String,
    pub(crate) choices: Vec<Choice>,
    /// The records that a typed name can mean, to choose from.
    pub(crate) offers: Vec<Choice>,
    pub(crate) is_required: bool,
    /// HTML's `autocomplete`, such as `username`; empty to let the browser decide.
    pub(crate) autocomplete: &'static str,
    pub(crate) error: Option<String>,
    /// The unit shown before the value, such as the currency of an amount; empty for none.
    pub(crate) unit: String,
    /// Whether it has the focus when the page opens.
    pub(crate) has_focus: bool,
    /// Whether the form hides it until more fields are requested.
    pub(crate) is_extra: bool,
    /// The value that an empty form would send.
    blank: String,
    /// The fingerprint of the value when the form was rendered, to detect changes; `None` in forms of new records.
    pub(crate) was: Option<String>,
    /// The zone of a time, which the form shows and sends back.
    pub(crate) zone: Option<TimeZone>,
}

impl Field {
    /// An empty field for a member.
    pub(crate) fn of(member: &SchemaMember) -> Self {
        let kind = FieldKind::of(member);
        let enum_values = |schema: &'_ Json| schema["enum"].as_array().cloned().unwrap_or_default();
        let any_of_values =
            |schema: &Json| schema["anyOf"].as_array().into_iter().flatten().flat_map(enum_values).collect();
        let values: Vec<Json> = match kind {
            FieldKind::Choices => enum_values(&member.schema["items"]),
            // Special values, such as `none`.
            FieldKind::Member if member.schema["items"].is_object() => any_of_values(&member.schema["items"]),
            FieldKind::Member => any_of_values(&member.schema),
            _ => enum_values(&member.schema),
        };
        let values = values.iter().filter_map(Json::as_str);
        let is_default = |value: &str| member.default.as_deref() == Some(value);
        let choices = values.map(|value| Choice::new(value, texts::label("value", value), is_default(value)));
        let field = Self {
            name: member.name,
            label: texts::label("member", member.name),
            help: texts::known(&format!("help-{}", member.name.replace('_', "-")))
                .unwrap_or_else(|| without_markup(&member.description)),
            value: if kind == FieldKind::YesNo { member.default.clone().unwrap_or_default() } else { String::new() },
            kind,
            shown: String::new(),
            choices: choices.collect(),
            offers: Vec::new(),
            is_required: member.is_required,
            autocomplete: "",
            error: None,
            unit: String::new(),
            has_focus: false,
            is_extra: false,
            blank: String::new(),
            was: None,
            zone: None,
        };
        Self { blank: field.sent(), ..field }
    }

    /// Whether the value differs from that of an empty form.
    pub(crate) fn is_filled(&self) -> bool {
        self.sent() != self.blank
    }

    /// Values suggested while typing.
    pub(crate) fn suggestions(&self) -> &'static [&'static str] {
        if self.kind == FieldKind::Currency { &SUGGESTED_CURRENCIES } else { &[] }
    }

    /// The ids of the elements that describe the field: its error, unit, zone and help.
    pub(crate) fn described_by(&self) -> String {
        let texts = [
            (self.error.is_some(), "error"),
            (!self.unit.is_empty(), "unit"),
            (self.has_zone(), "zone"),
            (!self.help.is_empty(), "help"),
        ];
        let ids =
            texts.into_iter().filter(|(is_present, _)| *is_present).map(|(_, kind)| format!("{}-{kind}", self.name));
        ids.collect::<Vec<_>>().join(" ")
    }

    /// The value that a browser sends if the field is not changed.
    pub(crate) fn sent(&self) -> String {
        match self.kind {
            FieldKind::Choice | FieldKind::Choices => {
                let chosen = self.choices.iter().filter(|choice| choice.is_chosen);
                chosen.map(|choice| choice.value.as_str()).collect::<Vec<_>>().join(", ")
            }
            FieldKind::YesNo if self.value != "true" => "false".to_owned(),
            // The same time in another zone is not a change.
            FieldKind::Time => self.instant().unwrap_or_else(|| normalized(&self.value)),
            FieldKind::Duration => {
                seconds_of(&self.value).map_or_else(|| normalized(&self.value), |seconds| seconds.to_string())
            }
            _ => normalized(&self.value),
        }
    }

    /// The value as readers see it.
    pub(crate) fn displayed(&self) -> String {
        if self.kind == FieldKind::YesNo {
            return texts::text(if self.value == "true" { "yes" } else { "no" });
        }
        let chosen: Vec<_> = self.choices.iter().filter(|one| one.is_chosen).map(|one| one.label.as_str()).collect();
        match (chosen.is_empty(), self.shown.is_empty()) {
            (false, _) => chosen.join(", "),
            (true, false) => self.shown.clone(),
            (true, true) => self.value.clone(),
        }
    }

    /// Whether the user picks a member or record from search results, because the form has no list of all of them.
    pub(crate) fn has_picker(&self) -> bool {
        match self.kind {
            FieldKind::Record(_) | FieldKind::Member => self.choices.is_empty(),
            _ => false,
        }
    }

    /// The `maxlength` of the input; empty for no limit.
    pub(crate) fn max(&self) -> String {
        match self.kind {
            FieldKind::Text { max: Some(max) } | FieldKind::LongText { max: Some(max) } => max.to_string(),
            FieldKind::Currency => "3".to_owned(),
            _ => String::new(),
        }
    }

    /// The kind of record that the field refers to; empty for other fields.
    pub(crate) fn record(&self) -> &'static str {
        match self.kind {
            FieldKind::Record(kind) => kind.as_str(),
            FieldKind::Member => "member",
            _ => "",
        }
    }

    /// Fills the field with a value of the API; a time is converted to a local time in the zone, seconds to hours and minutes.
    pub(crate) fn fill(&mut self, value: &Json, zone: &TimeZone) {
        let texts: Vec<String> = match value {
            Json::Null => Vec::new(),
            Json::Array(items) => items.iter().map(plain).collect(),
            other => vec![plain(other)],
        };
        self.set(&texts);
        if let (FieldKind::Duration, Ok(seconds)) = (&self.kind, self.value.parse()) {
            self.value = duration_of(seconds);
        }
        self.put_in_zone(zone);
    }

    /// Sets the zone of a time, and converts an instant to local time.
    pub(crate) fn put_in_zone(&mut self, zone: &TimeZone) {
        if self.kind == FieldKind::Time {
            if let Some(local) = local_of(&self.value, zone) {
                self.value = local;
            }
            self.zone = Some(zone.clone());
        }
    }

    /// Whether the field is a time with a zone next to it.
    pub(crate) const fn has_zone(&self) -> bool {
        self.zone.is_some()
    }

    pub(crate) fn zone_name(&self) -> &str {
        self.zone.as_ref().map_or("", name_of)
    }

    /// The instant of the field's time; `None` if it is empty, or if the clocks skip it when they are put forward.
    pub(crate) fn instant(&self) -> Option<String> {
        instant_of(self.value.trim(), self.zone.as_ref()?).ok().map(|instant| instant.to_string())
    }

    /// Sets the typed values.
    pub(crate) fn set(&mut self, texts: &[String]) {
        for choice in &mut self.choices {
            choice.is_chosen = texts.contains(&choice.value);
        }
        self.value = texts.join(", ");
    }
}

fn plain(value: &Json) -> String {
    match value {
        Json::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// The text, normalized for comparison. Browsers send CRLF line ends, and do not trim.
pub(crate) fn normalized(text: &str) -> String {
    text.replace("\r\n", "\n").trim().to_owned()
}

/// A short fingerprint of a text. Different texts have different fingerprints.
pub(crate) fn fingerprint(text: &str) -> String {
    URL_SAFE_NO_PAD.encode(&digest(&SHA256, text.as_bytes()).as_ref()[..9])
}

fn without_markup(text: &str) -> String {
    text.replace('`', "")
}
