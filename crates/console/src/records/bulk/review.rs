//! The step before many records are changed: how many they are, and what they have now.

use std::collections::BTreeMap;

use askama::Template;
use domain::Error;
use domain::console::WantedNames;
use domain::kernel::input::format_timestamp;
use domain::kernel::input::json::Json;
use domain::ports::Ports;

use super::chosen::{self, Chosen, is_about_all};
use super::panel::{Asked, Panel, blank};
use crate::answers::{self, Notice};
use crate::filters;
use crate::form::{FieldKind, Form};
use crate::layout::{Browser, Shell};
use crate::page::PageResult;
use crate::parts::{history, people};
use crate::records::Kind;
use crate::texts::{self, text, text_with};

/// As many different values as are shown of a member.
const SHOWN_VALUES: usize = 10;

/// A member that is to be set.
struct Line {
    label: String,
    /// The values that the records have, with how many have each.
    before: Vec<(String, usize)>,
    /// How many records have other values.
    others: usize,
    after: String,
}

#[derive(Template)]
#[template(path = "records/review.html")]
struct ReviewPage {
    shell: Shell,
    list: String,
    list_path: &'static str,
    back: String,
    /// The panel again, if something in it is wrong.
    panel: Option<Panel>,
    lines: Vec<Line>,
    /// Names and values that the next form hands on.
    kept: Vec<(&'static str, String)>,
    apply: String,
}

/// Shows what would be changed; nothing is.
pub(super) async fn review<K: Kind>(ports: &Ports, browser: &Browser, form: &Form, back: String) -> PageResult {
    let (asked, chosen) = match read::<K>(ports, browser, form).await {
        Ok(found) => found,
        Err(error) => return refused::<K>(ports, browser, form, back, error).await,
    };
    if chosen.is_empty() {
        return Ok(answers::redirect(browser, &back, Some(Notice::new(text("bulk-none")))));
    }
    let mut kept = vec![("_patch", asked.handing_on())];
    if is_about_all(form) {
        let now = format_timestamp(ports.clock.now());
        kept.extend([("_all", "true".to_owned()), ("_at", now), ("_count", chosen.len().to_string())]);
    } else {
        kept.extend(chosen.iter().map(|one| ("selected", format!("{}:{}", one.id, one.version))));
    }
    let view = ReviewPage {
        shell: browser.shell(text_with("bulk-edit-count", [("count", chosen.len().into())])),
        list: text(&format!("{}-title", K::SHOWN.texts)),
        list_path: K::ROUTES.path,
        back,
        panel: None,
        lines: lines_of(ports, browser, &asked, &chosen).await?,
        kept,
        apply: text_with("bulk-apply", [("count", chosen.len().into())]),
    };
    answers::page(browser, view)
}

async fn read<K: Kind>(ports: &Ports, browser: &Browser, form: &Form) -> Result<(Asked, Vec<Chosen>), Error> {
    let asked = Asked::read::<K>(ports, browser, form).await?;
    let chosen = chosen::read::<K>(ports, browser, form, &asked.patch).await?;
    Ok((asked, chosen))
}

/// The panel with what was typed, and what is wrong with it.
async fn refused<K: Kind>(ports: &Ports, browser: &Browser, form: &Form, back: String, error: Error) -> PageResult {
    let mut view = blank::<K>(browser).typed(form).with_error(error)?;
    if view.fields.iter().any(|field| field.kind == FieldKind::Member) {
        view = view.with_members(&people::choices(ports, browser).await?);
    }
    let mut kept: Vec<_> = form.values("selected").map(|one| ("selected", one.to_owned())).collect();
    kept.extend(form.value("_all").map(|all| ("_all", all.to_owned())));
    let page = ReviewPage {
        shell: browser.shell(text("bulk-edit")),
        list: text(&format!("{}-title", K::SHOWN.texts)),
        list_path: K::ROUTES.path,
        back,
        panel: Some(Panel::of::<K>(view, form)),
        lines: Vec::new(),
        kept,
        apply: String::new(),
    };
    answers::refused(browser, page)
}

/// What each member is now and will be. One statement.
async fn lines_of(ports: &Ports, browser: &Browser, asked: &Asked, chosen: &[Chosen]) -> Result<Vec<Line>, Error> {
    let mut wanted = WantedNames::default();
    let counted: Vec<_> = asked.patch.iter().map(|(name, after)| (name, counts_of(name, chosen), after)).collect();
    for (name, before, after) in &counted {
        for value in before.iter().map(|(value, _)| value).chain([*after]) {
            history::note_name(name, value, &mut wanted);
        }
    }
    let names = people::names(ports, browser, wanted).await?;
    let words = |name: &str, value: &Json| history::in_words(name, value, &names, &browser.preferences.zone);
    let line = |(name, before, after): (&String, Vec<(Json, usize)>, &Json)| {
        let shown: usize = before.iter().map(|(_, count)| count).sum();
        Line {
            label: texts::label("member", name),
            // Labels that are added or removed are not what a record has.
            others: if before.is_empty() { 0 } else { chosen.len() - shown },
            before: before.into_iter().map(|(value, count)| (words(name, &value), count)).collect(),
            after: words(name, after),
        }
    };
    let mut lines: Vec<_> = counted.into_iter().map(line).collect();
    for (key, tags) in [("bulk-add-tags", &asked.add_tags), ("bulk-remove-tags", &asked.remove_tags)] {
        if !tags.is_empty() {
            lines.push(Line { label: text(key), before: Vec::new(), others: 0, after: tags.join(", ") });
        }
    }
    Ok(lines)
}

/// The values that most records have of a member, those of the most records first.
fn counts_of(name: &str, chosen: &[Chosen]) -> Vec<(Json, usize)> {
    if matches!(name, "add_labels" | "remove_labels") {
        return Vec::new();
    }
    let mut counts: BTreeMap<String, (Json, usize)> = BTreeMap::new();
    for value in chosen.iter().filter_map(|one| one.values.get(name)) {
        counts.entry(value.to_string()).or_insert_with(|| (value.clone(), 0)).1 += 1;
    }
    let mut counts: Vec<_> = counts.into_values().collect();
    counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    counts.truncate(SHOWN_VALUES);
    counts
}
