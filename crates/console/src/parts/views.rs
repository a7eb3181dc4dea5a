//! Saved views: the tabs above a list.

use domain::console::views::{self, SavedView, ViewPage};
use domain::identity::access::UseSavedViews;
use domain::records::RecordKind;

use crate::prelude::*;

/// A saved view as a tab.
pub(crate) struct Tab {
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) href: String,
    pub(crate) is_shared: bool,
    pub(crate) is_current: bool,
    pub(crate) version: i64,
}

/// A tab that everybody has.
pub(crate) struct Preset {
    pub(crate) name: String,
    pub(crate) href: String,
    pub(crate) is_current: bool,
}

pub(crate) struct Tabs {
    /// The path of the list, without a view.
    pub(crate) path: String,
    pub(crate) page: &'static str,
    pub(crate) presets: Vec<Preset>,
    pub(crate) views: Vec<Tab>,
    /// The current filters, which can be saved as a view.
    pub(crate) query: String,
    pub(crate) address: String,
    /// Whether no filter and no order is set.
    pub(crate) is_plain: bool,
}

impl Tabs {
    /// The saved view that is shown, if any.
    pub(crate) fn current(&self) -> Option<&Tab> {
        self.views.iter().find(|tab| tab.is_current)
    }
}

/// The tabs of the list at the browser's URL; `None` if the caller cannot read views. One statement.
pub(crate) async fn tabs(
    ports: &Ports,
    browser: &Browser,
    kind: RecordKind,
    presets: Vec<(&'static str, String)>,
) -> Result<Option<Tabs>, Error> {
    let Some((permit, page)) = browser.permit::<UseSavedViews>().zip(ViewPage::of(kind)) else { return Ok(None) };
    let saved = views::list(ports, &permit, page).await?;
    let (path, query) = browser.address.split_once('?').unwrap_or((&browser.address, ""));
    let query = state_of(query);
    let tab = |view: SavedView| Tab {
        href: if view.query.is_empty() { path.to_owned() } else { format!("{path}?{}", view.query) },
        is_current: !query.is_empty() && state_of(&view.query) == query,
        id: view.id.to_string(),
        name: view.name,
        is_shared: view.shared,
        version: view.version,
    };
    let views = saved.into_iter().map(tab).collect();
    let preset = |(key, wanted): (&str, String)| Preset {
        name: text(key),
        href: format!("{path}?{wanted}"),
        is_current: state_of(&wanted) == query,
    };
    Ok(Some(Tabs {
        path: path.to_owned(),
        page: page.as_str(),
        presets: presets.into_iter().map(preset).collect(),
        views,
        is_plain: query.is_empty(),
        query,
        address: browser.address.clone(),
    }))
}

/// The parameters that a view saves: all except the position in the list.
fn state_of(query: &str) -> String {
    let pairs = form_urlencoded::parse(query.as_bytes());
    let mut pairs: Vec<_> =
        pairs.filter(|(name, value)| !matches!(&**name, "cursor" | "page" | "limit") && !value.is_empty()).collect();
    pairs.sort();
    form_urlencoded::Serializer::new(String::new()).extend_pairs(pairs).finish()
}
