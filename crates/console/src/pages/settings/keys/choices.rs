//! What a new key may do: a preset, scopes, tool permissions, or a trial.
//!
//! All rows come from tables in the domain, so a new area, permission or tool gets its row without a change here.

use std::collections::BTreeSet;

use domain::identity::access::{Area, Preset, Scope};
use domain::kernel::input::format_timestamp;
use domain::tools::{Feature, Tool, ToolPermission};
use serde_json::{Map, Value as Json};
use time::{Duration, OffsetDateTime};

use crate::form::Choice;
use crate::prelude::*;

/// A row of check boxes: an area with its scopes, a kind of record with its permissions, or a feature with its tools.
pub(super) struct Row {
    pub(super) label: String,
    /// `None` where the row has no check box in this column.
    pub(super) boxes: Vec<Option<Choice>>,
}

pub(super) struct PresetChoice {
    /// Empty for custom scopes.
    pub(super) value: &'static str,
    pub(super) label: String,
    pub(super) help: String,
    pub(super) is_chosen: bool,
}

/// All choices of the form, with what is ticked.
pub(super) struct KeyChoices {
    pub(super) presets: Vec<PresetChoice>,
    pub(super) scopes: Vec<Row>,
    /// Scopes for events that other systems report.
    pub(super) report_scopes: Vec<Row>,
    pub(super) has_report_scope: bool,
    pub(super) verbs: Vec<String>,
    pub(super) permissions: Vec<Row>,
    pub(super) tools: Vec<Row>,
    pub(super) calls: String,
    /// How long the key can be valid.
    pub(super) expiries: Vec<Choice>,
}

/// The number of days that can be chosen directly, as form values.
const EXPIRIES: [&str; 4] = ["7", "30", "90", "365"];
/// The choice of a date, which has a separate field.
const ON_A_DATE: &str = "date";

/// The verbs in permission names, in the order of the columns.
const VERBS: [&str; 4] = ["read", "create", "update", "delete"];

impl KeyChoices {
    /// The choices as typed. In an empty form, the read-only preset is chosen.
    pub(super) fn of(form: &Form) -> Self {
        let ticked = |name: &'static str| form.values(name).map(str::to_owned).collect::<BTreeSet<_>>();
        let (scopes, report_scopes) = scopes(&ticked("scopes"));
        let mut report_boxes = report_scopes.iter().flat_map(|row| &row.boxes).flatten();
        Self {
            has_report_scope: report_boxes.any(|one| one.is_chosen),
            report_scopes,
            presets: presets(form.value("preset").unwrap_or(Preset::ReadOnly.as_str())),
            scopes,
            verbs: VERBS.iter().map(|verb| label("verb", verb)).collect(),
            permissions: permissions(&ticked("permission")),
            tools: tools(&ticked("trial_tool")),
            calls: form.value("trial_calls").unwrap_or_default().to_owned(),
            expiries: expiries(form.value("expiry").unwrap_or_default()),
        }
    }
}

fn check_box(value: &str, label: String, ticked: &BTreeSet<String>) -> Choice {
    Choice::new(value, label, ticked.contains(value))
}

fn presets(chosen: &str) -> Vec<PresetChoice> {
    let values = Preset::ALL.iter().map(|preset| preset.as_str()).chain([""]);
    let choice = |value: &'static str| {
        let name = if value.is_empty() { "custom" } else { value };
        PresetChoice {
            value,
            label: label("value", name),
            help: text(&format!("preset-{}", name.replace('_', "-"))),
            is_chosen: value == chosen,
        }
    };
    values.map(choice).collect()
}

fn expiries(chosen: &str) -> Vec<Choice> {
    let label = |value: &str| match value {
        "" => text("keys-expiry-never"),
        ON_A_DATE => text("keys-expiry-date"),
        days => text_with("keys-expiry-days", [("days", days.into())]),
    };
    let values = std::iter::once("").chain(EXPIRIES).chain([ON_A_DATE]);
    values.map(|value| Choice::new(value, label(value), value == chosen)).collect()
}

/// Areas whose records are kept here. Those of the others are kept by other programs, which report events.
const OWN_AREAS: [Area; 7] =
    [Area::Tickets, Area::Crm, Area::Contacts, Area::Deals, Area::Projects, Area::Issues, Area::Time];

/// The scopes of our own areas, and those of areas that other systems manage.
fn scopes(all: &BTreeSet<String>) -> (Vec<Row>, Vec<Row>) {
    let row = |area: &Area| {
        let boxes = [Scope::read(*area), Scope::write(*area)]
            .map(|scope| Some(check_box(&scope.to_string(), scope.to_string(), all)));
        Row { label: label("area", area.as_str()), boxes: boxes.into() }
    };
    let (own, others) = Area::ALL.iter().partition::<Vec<&Area>, _>(|area| OWN_AREAS.contains(area));
    (own.into_iter().map(row).collect(), others.into_iter().map(row).collect())
}

fn permissions(all: &BTreeSet<String>) -> Vec<Row> {
    let mut nouns: Vec<_> = ToolPermission::ALL.iter().map(|permission| permission.noun()).collect();
    nouns.dedup();
    let row = |noun: &'static str| {
        let of = |verb: &str| {
            let permission = ToolPermission::parse(&format!("{verb}_{noun}"))?;
            Some(check_box(permission.as_str(), label("permission", permission.as_str()), all))
        };
        Row { label: label("area", noun), boxes: VERBS.iter().map(|verb| of(verb)).collect() }
    };
    nouns.into_iter().map(row).collect()
}

/// The tools that a trial may have, each under its first feature.
fn tools(all: &BTreeSet<String>) -> Vec<Row> {
    let row = |feature: &Feature| {
        let own = Tool::ALL.iter().filter(|tool| !tool.manages_webhooks() && tool.features().first() == Some(feature));
        let boxes = own.map(|tool| Some(check_box(tool.as_str(), tool.as_str().to_owned(), all)));
        Row { label: label("feature", feature.as_str()), boxes: boxes.collect() }
    };
    Feature::ALL.iter().map(row).filter(|row| !row.boxes.is_empty()).collect()
}

/// The form as a body of the API, without what the chosen preset does not use.
pub(super) fn body_of(mut form: Form, now: OffsetDateTime) -> Form {
    match form.value("expiry").map(str::to_owned) {
        Some(days) if EXPIRIES.contains(&&*days) => {
            let days = Duration::days(days.parse().unwrap_or_default());
            form.set("expires_at", &format_timestamp(now + days));
        }
        Some(choice) if choice != ON_A_DATE => form.remove("expires_at"),
        _ => {}
    }
    let preset = form.value("preset").unwrap_or_default().to_owned();
    let permissions: Map<String, Json> =
        form.values("permission").map(|name| (name.to_owned(), Json::Bool(true))).collect();
    if !preset.is_empty() {
        form.remove("scopes");
    }
    if preset == Preset::AgentTrial.as_str() {
        let trial = trial_of(&form);
        form.set("trial", &trial.to_string());
    } else if !permissions.is_empty() {
        form.set("permissions", &Json::Object(permissions).to_string());
    }
    form
}

fn trial_of(form: &Form) -> Json {
    let mut trial = json!({});
    let tools: Vec<_> = form.values("trial_tool").collect();
    if !tools.is_empty() {
        trial["tools"] = json!(tools);
    }
    if let Some(calls) = form.value("trial_calls").filter(|calls| !calls.trim().is_empty()) {
        // Anything that is not a number stays a text, which the member rejects with its own message.
        trial["calls"] = calls.trim().parse::<i64>().map_or_else(|_| json!(calls), |calls| json!(calls));
    }
    trial
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_permission_scope_and_tool_has_one_box() {
        let choices = KeyChoices::of(&Form::default());
        let count = |rows: &[Row]| rows.iter().flat_map(|row| &row.boxes).flatten().count();
        assert_eq!(count(&choices.permissions), ToolPermission::ALL.len());
        assert_eq!(count(&choices.scopes) + count(&choices.report_scopes), Scope::all().count());
        assert_eq!(count(&choices.tools), Tool::ALL.iter().filter(|tool| !tool.manages_webhooks()).count());
        assert_eq!(choices.presets.iter().filter(|preset| preset.is_chosen).count(), 1);
    }

    #[test]
    fn what_a_preset_does_not_use_is_left_out() {
        let typed = "scopes=deals.read&permission=read_deals&trial_calls=5&trial_tool=whoami&preset=";
        let now = OffsetDateTime::UNIX_EPOCH;
        let body = |preset: &str| body_of(Form::parse(format!("{typed}{preset}").as_bytes()), now);
        let crm = body("crm");
        assert!(!crm.has("scopes") && !crm.has("trial"));
        assert_eq!(crm.value("permissions"), Some(r#"{"read_deals":true}"#));
        let trial = body("agent_trial");
        assert!(!trial.has("permissions") && !trial.has("scopes"));
        assert_eq!(trial.value("trial"), Some(r#"{"calls":5,"tools":["whoami"]}"#));
        assert_eq!(body("").value("scopes"), Some("deals.read"));
    }

    #[test]
    fn keys_expire_as_chosen() {
        let body = |text: &str| body_of(Form::parse(text.as_bytes()), OffsetDateTime::UNIX_EPOCH);
        let expiry = |text: &str| body(text).value("expires_at").map(str::to_owned);
        assert_eq!(expiry("expiry=7&expires_at=").as_deref(), Some("1970-01-08T00:00:00.000000Z"));
        assert_eq!(expiry("expiry=date&expires_at=2030-01-01T00:00").as_deref(), Some("2030-01-01T00:00"));
        assert_eq!(expiry("expiry=&expires_at=2030-01-01T00:00"), None);
        assert_eq!(expiry("expires_at=2030-01-01T00:00").as_deref(), Some("2030-01-01T00:00"));
    }
}
