//! Pointer and keyboard input, as real input events.

use std::time::Duration;

use fantoccini::actions::{
    Actions, InputSource, KeyAction, KeyActions, MOUSE_BUTTON_LEFT, MouseActions, PointerAction,
};
use fantoccini::elements::Element;
use fantoccini::error::CmdError;
use fantoccini::key::Key;
use serde_json::{Value, json};

use crate::{Locator, Page};

/// The pointer moves in steps, because pages handle each one while dragging.
const DRAG_STEPS: u32 = 10;
/// The mouse of all tests. It stays pressed between calls.
const MOUSE: &str = "mouse";
const DRAG_STEP: Duration = Duration::from_millis(20);

/// The focused element.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Focus {
    pub role: String,
    pub name: String,
    /// Whether an outline or a shadow shows the focus.
    pub is_visible: bool,
}

const FOCUSED: &str = r#"
const element = document.activeElement;
const style = getComputedStyle(element);
const hasOutline = style.outlineStyle !== "none" && parseFloat(style.outlineWidth) > 0;
return {
    role: element.computedRole,
    name: element.computedName,
    isVisible: hasOutline || style.boxShadow !== "none",
};
"#;

const SCROLL: &str = "arguments[0].scrollIntoView({ block: 'nearest', inline: 'nearest', behavior: 'instant' })";
const SCROLL_TO_CENTRE: &str =
    "arguments[0].scrollIntoView({ block: 'center', inline: 'nearest', behavior: 'instant' })";
const CENTRE: &str = "const box = arguments[0].getBoundingClientRect();\
    return [box.x + box.width / 2, box.y + box.height / 2]";

impl Locator {
    pub async fn click(&self) {
        // Immediately, and to the centre: pages scroll smoothly by default, and show messages at their edges.
        let click = async |element: &Element| {
            run(element, SCROLL_TO_CENTRE).await?;
            element.click().await
        };
        self.act("cannot be clicked", click).await;
    }

    /// Replaces the value of a field.
    pub async fn fill(&self, text: &str) {
        let fill = async |element: &Element| {
            element.clear().await?;
            element.send_keys(text).await
        };
        self.act("cannot be filled", fill).await;
    }

    /// Types into a field, after its current value.
    pub async fn type_text(&self, text: &str) {
        self.act("cannot be typed into", async |element| element.send_keys(text).await).await;
    }

    /// Chooses an option of a `select` by its text.
    pub async fn select(&self, option: &str) {
        self.act("has no such option", async |element| element.select_by_label(option).await).await;
    }

    /// Drags it to the centre of another element with the mouse, and drops it.
    pub async fn drag_to(&self, target: &Self) {
        self.hold_over(target).await;
        self.page.let_go().await;
    }

    /// Drags it to the centre of another element with the mouse, and holds it.
    pub async fn hold_over(&self, target: &Self) {
        // Measured once both have stopped moving.
        for end in [target, self] {
            end.act("cannot be scrolled to", async |element| run(element, SCROLL).await).await;
        }
        let from = self.act("cannot be dragged", centre).await;
        let to = target.act("cannot be dropped on", centre).await;
        let mut mouse = MouseActions::new(MOUSE.to_owned())
            .then(PointerAction::MoveTo { duration: None, x: from.0, y: from.1 })
            .then(PointerAction::Down { button: MOUSE_BUTTON_LEFT });
        for step in 1..=DRAG_STEPS {
            let part = f64::from(step) / f64::from(DRAG_STEPS);
            let (x, y) = (from.0 + (to.0 - from.0) * part, from.1 + (to.1 - from.1) * part);
            mouse = mouse.then(PointerAction::MoveTo { duration: Some(DRAG_STEP), x, y });
        }
        self.page.perform(mouse).await;
    }
}

/// The centre of an element in the window.
async fn centre(element: &Element) -> Result<(f64, f64), CmdError> {
    let point = run(element, CENTRE).await?;
    Ok((point[0].as_f64().unwrap_or_default(), point[1].as_f64().unwrap_or_default()))
}

async fn run(element: &Element, script: &str) -> Result<Value, CmdError> {
    element.clone().client().execute(script, vec![json!(element)]).await
}

impl Page {
    /// Releases the mouse button.
    pub async fn let_go(&self) {
        let mouse = MouseActions::new(MOUSE.to_owned()).then(PointerAction::Up { button: MOUSE_BUTTON_LEFT });
        self.perform(mouse).await;
    }

    /// Presses and releases a key, wherever the focus is: `page.press(Key::Tab)`, `page.press('/')`.
    pub async fn press(&self, key: impl Into<char>) {
        self.press_with(&[], key).await;
    }

    /// Presses a key while others are held: `page.press_with(&[Key::Control], 'k')`.
    pub async fn press_with(&self, held: &[Key], key: impl Into<char>) {
        let held: Vec<char> = held.iter().map(|key| (*key).into()).collect();
        let value = key.into();
        let mut keys = KeyActions::new("keyboard".to_owned());
        for value in held.iter().copied().chain([value]) {
            keys = keys.then(KeyAction::Down { value });
        }
        for value in [value].into_iter().chain(held.into_iter().rev()) {
            keys = keys.then(KeyAction::Up { value });
        }
        self.perform(keys).await;
    }

    /// Types text, wherever the focus is.
    pub async fn type_text(&self, text: &str) {
        let mut keys = KeyActions::new("keyboard".to_owned());
        for value in text.chars() {
            keys = keys.then(KeyAction::Down { value }).then(KeyAction::Up { value });
        }
        self.perform(keys).await;
    }

    pub async fn focused(&self) -> Focus {
        let found = self.script(FOCUSED, vec![]).await;
        let text = |name: &str| found[name].as_str().unwrap_or_default().to_owned();
        Focus { role: text("role"), name: text("name"), is_visible: found["isVisible"] == json!(true) }
    }

    async fn perform(&self, actions: impl Into<Actions>) {
        self.client().perform_actions(actions).await.unwrap_or_else(|error| panic!("cannot move or type: {error}"));
    }
}
