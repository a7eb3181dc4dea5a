//! Finds elements the way people do, by the roles and names that the browser exposes to assistive technology.

use std::fmt;

use fantoccini::elements::{Element, ElementRef};
use fantoccini::error::CmdError;
use serde_json::{Value, json};
use test_support::waiting::{WAIT_TIMEOUT, poll};

use crate::Page;

/// The roles that tests look for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AriaRole {
    Alert,
    Article,
    Button,
    Cell,
    Checkbox,
    ColumnHeader,
    Combobox,
    Dialog,
    Form,
    Group,
    Heading,
    Image,
    Link,
    List,
    ListItem,
    Main,
    Menu,
    MenuItem,
    Navigation,
    Option,
    Radio,
    Region,
    Row,
    Search,
    Status,
    Summary,
    Tab,
    Table,
    Textbox,
}

impl AriaRole {
    const fn text(self) -> &'static str {
        match self {
            Self::Alert => "alert",
            Self::Article => "article",
            Self::Button => "button",
            Self::Cell => "cell",
            Self::Checkbox => "checkbox",
            Self::ColumnHeader => "columnheader",
            Self::Combobox => "combobox",
            Self::Dialog => "dialog",
            Self::Form => "form",
            Self::Group => "group",
            Self::Heading => "heading",
            Self::Image => "image",
            Self::Link => "link",
            Self::List => "list",
            Self::ListItem => "listitem",
            Self::Main => "main",
            Self::Menu => "menu",
            Self::MenuItem => "menuitem",
            Self::Navigation => "navigation",
            Self::Option => "option",
            Self::Radio => "radio",
            Self::Region => "region",
            Self::Row => "row",
            Self::Search => "search",
            Self::Status => "status",
            Self::Summary => "summary",
            Self::Tab => "tab",
            Self::Table => "table",
            Self::Textbox => "textbox",
        }
    }
}

/// A description of one element. It is looked up on each use, so it stays valid when the page replaces the element.
/// Each use waits until exactly one element matches.
#[derive(Clone)]
pub struct Locator {
    pub(crate) page: Page,
    /// From the outermost to the element itself.
    steps: Vec<Step>,
}

#[derive(Clone, Default, PartialEq, Debug)]
struct Step {
    /// `None` matches anything that takes input.
    role: Option<AriaRole>,
    name: Option<String>,
    /// Text that its visible text must contain.
    text: Option<String>,
}

/// `arguments[0]` contains the steps. Returns the elements and, if `arguments[1]` is true, the names and texts of all with the role.
const FIND: &str = r#"
const plain = (text) => (text || "").replace(/\s+/g, " ").trim();
const isInput = (element) =>
    element.matches("input:not([type=hidden],[type=submit],[type=button]), textarea, select, [contenteditable=true]");
const isShown = (element) => element.checkVisibility({ visibilityProperty: true });
// Browsers name the role of `summary` differently, and not all expose an unnamed form as a form.
const roleOf = (element) => element.localName === "summary" ? "summary"
    : element.localName === "form" && element.computedRole === "generic" ? "form" : ({ img: "image", gridcell: "cell" })[element.computedRole] || element.computedRole;
// Computing roles and names is slow, so only candidates for the role are checked.
const places = {
    alert: "output", article: "article", button: "button, input", cell: "td", checkbox: "input", columnheader: "th",
    combobox: "input, select", dialog: "dialog", form: "form", group: "details, fieldset, optgroup",
    heading: "h1, h2, h3, h4, h5, h6", image: "img, svg, [role=img]", link: "a, area", list: "ul, ol, menu", listitem: "li",
    main: "main", navigation: "nav", option: "option", radio: "input", region: "section", row: "tr", search: "search",
    status: "output", summary: "summary", tab: "[role=tab]", table: "table", textbox: "input, textarea",
};
const candidates = (role) => role === null ? "input, textarea, select, [contenteditable]"
    : role in places ? `${places[role]}, [role=${role}]` : "*";
// Whether all words of a name occur in the possible sources of an element's name, so that few names are computed.
const labelsOf = (element) => [...(element.labels || []),
    ...(element.getAttribute("aria-labelledby") || "").split(" ").map((id) => document.getElementById(id)).filter(Boolean)];
const textsOf = (element) => [
    element.textContent, element.value, ...[element, ...element.querySelectorAll("[aria-label], [alt], [title]")].flatMap((one) =>
        ["aria-label", "alt", "title", "placeholder"].map((name) => one.getAttribute(name))),
];
const canBeNamed = (element, name) => {
    // The browser names parts that it draws itself, such as "No file chosen".
    if (element.type === "file") return true;
    const texts = [element, ...labelsOf(element)].flatMap(textsOf).filter(Boolean).join(" ");
    return plain(name).split(" ").every((word) => texts.includes(word));
};
const [steps, explains] = arguments;
let within = [document];
let seen = [];
for (const step of steps) {
    const hasRole = (element) => step.role === null ? isInput(element) : roleOf(element) === step.role;
    const all = [...new Set(within.flatMap((root) => [...root.querySelectorAll(candidates(step.role))]))].filter(isShown);
    if (explains)
        seen = all.filter(hasRole).map((element) => plain(element.computedName) || plain(element.innerText).slice(0, 60));
    within = all.filter((element) =>
        (step.text === null || plain(element.innerText).includes(step.text)) &&
        (step.name === null || canBeNamed(element, step.name)) &&
        hasRole(element) && (step.name === null || plain(element.computedName) === step.name));
}
return { elements: within, seen: seen.slice(0, 40) };
"#;

impl Page {
    /// The element with this role and this accessible name.
    pub fn role(&self, role: AriaRole, name: &str) -> Locator {
        self.any(role).step(|step| step.name = Some(name.to_owned()))
    }

    /// The element with this role, whatever its name. Narrow it with [`Locator::containing`].
    pub fn any(&self, role: AriaRole) -> Locator {
        Locator { page: self.clone(), steps: vec![Step { role: Some(role), ..Step::default() }] }
    }

    pub fn button(&self, name: &str) -> Locator {
        self.role(AriaRole::Button, name)
    }

    pub fn link(&self, name: &str) -> Locator {
        self.role(AriaRole::Link, name)
    }

    pub fn heading(&self, name: &str) -> Locator {
        self.role(AriaRole::Heading, name)
    }

    /// Opens a `details` element, such as a menu, by its summary.
    pub async fn open_details(&self, summary: &str) {
        self.role(AriaRole::Summary, summary).click().await;
    }

    /// The input with this label.
    pub fn field(&self, label: &str) -> Locator {
        Locator { page: self.clone(), steps: vec![Step { name: Some(label.to_owned()), ..Step::default() }] }
    }
}

impl Locator {
    fn step(mut self, change: impl FnOnce(&mut Step)) -> Self {
        if let Some(last) = self.steps.last_mut() {
            change(last);
        }
        self
    }

    /// Requires its visible text to contain this.
    #[must_use]
    pub fn containing(self, text: &str) -> Self {
        self.step(|step| step.text = Some(text.to_owned()))
    }

    /// Requires it to be inside another element.
    #[must_use]
    pub fn within(self, outer: &Self) -> Self {
        Self { steps: [outer.steps.clone(), self.steps].concat(), page: self.page }
    }

    /// Waits until the element exists.
    pub async fn wait(&self) {
        self.act("is not there", async |_| Ok(())).await;
    }

    /// Waits until no element matches.
    pub async fn wait_until_gone(&self) {
        let check = async || match self.matches().await {
            Ok(elements) if elements.is_empty() => Ok(()),
            Ok(_) => Err("it is still there".to_owned()),
            Err(error) => Err(error.to_string()),
        };
        if let Err(state) = poll(check).await {
            panic!("{self} is not gone after {WAIT_TIMEOUT:?}: {state}");
        }
    }

    /// The current number of matches, without waiting.
    pub async fn count(&self) -> usize {
        self.matches().await.unwrap_or_else(|error| panic!("{self}: {error}")).len()
    }

    /// Its visible text.
    pub async fn text(&self) -> String {
        self.act("has no text", async |element| element.text().await).await
    }

    /// The value of a field.
    pub async fn value(&self) -> String {
        self.act("has no value", async |element| element.prop("value").await).await.unwrap_or_default()
    }

    pub async fn attribute(&self, name: &str) -> Option<String> {
        self.act("has no attributes", async |element| element.attr(name).await).await
    }

    pub async fn is_checked(&self) -> bool {
        self.act("cannot be checked", async |element| element.is_selected().await).await
    }

    pub async fn is_enabled(&self) -> bool {
        self.act("cannot be enabled", async |element| element.is_enabled().await).await
    }

    /// Acts on the one matching element. Retries while there is none or several, and when the page replaced or
    /// covered it.
    pub(crate) async fn act<T>(&self, fault: &str, act: impl AsyncFn(&Element) -> Result<T, CmdError>) -> T {
        let attempt = async || match self.matches().await {
            Ok(elements) => match elements.as_slice() {
                [element] => act(element).await.map_err(|error| error.to_string()),
                [] => Err("none matches".to_owned()),
                several => Err(format!("{} match", several.len())),
            },
            Err(error) => Err(error.to_string()),
        };
        match poll(attempt).await {
            Ok(value) => value,
            Err(state) => {
                panic!("{self} {fault} after {WAIT_TIMEOUT:?}: {state}; the page has {:?}", self.names().await)
            }
        }
    }

    async fn query(&self, explains: bool) -> Result<Value, CmdError> {
        let steps: Vec<Value> = self.steps.iter().map(Step::json).collect();
        self.page.client().execute(FIND, vec![json!(steps), json!(explains)]).await
    }

    /// The names of all elements with the role, for failure messages.
    async fn names(&self) -> Vec<String> {
        let result = self.query(true).await.unwrap_or_default();
        result["seen"].as_array().into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect()
    }

    /// The current matches.
    async fn matches(&self) -> Result<Vec<Element>, CmdError> {
        let result = self.query(false).await?;
        let elements = result["elements"].as_array().into_iter().flatten().filter_map(|reference| {
            let id = reference.as_object()?.values().next()?.as_str()?;
            Some(Element::from_element_id(self.page.client().clone(), ElementRef::from(id.to_owned())))
        });
        Ok(elements.collect())
    }
}

impl Step {
    fn json(&self) -> Value {
        json!({"role": self.role.map(AriaRole::text), "name": self.name, "text": self.text})
    }
}

impl fmt::Display for Locator {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, step) in self.steps.iter().rev().enumerate() {
            let role = step.role.map_or("field", AriaRole::text);
            write!(formatter, "{}{role}", if number == 0 { "the " } else { " in the " })?;
            step.name.iter().try_for_each(|name| write!(formatter, " {name:?}"))?;
            step.text.iter().try_for_each(|text| write!(formatter, " with {text:?}"))?;
        }
        Ok(())
    }
}
