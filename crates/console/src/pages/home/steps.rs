//! The card with the next steps of somebody new.

use domain::identity::access::{ManageKeys, ManageMembers, OperateService, ReadWebhooks};
use domain::identity::workspaces::FirstSteps;

use crate::layout::Browser;

/// A step.
pub(super) struct Step {
    /// The key of its text; that of its explanation ends in `-hint`.
    pub(super) text: &'static str,
    pub(super) hint: &'static str,
    pub(super) path: &'static str,
    pub(super) is_done: bool,
}

/// The steps that the caller can take.
pub(super) struct Steps {
    pub(super) steps: Vec<Step>,
    pub(super) done: usize,
}

impl Steps {
    /// Which workspace's steps a browser keeps hidden.
    pub(super) fn place(browser: &Browser) -> String {
        browser.caller.as_ref().map(|caller| caller.workspace().id.to_string()).unwrap_or_default()
    }

    pub(super) fn hidden_in(browser: &Browser) -> bool {
        browser.hidden_steps.as_deref() == Some(&*Self::place(browser))
    }

    /// `None` if there is nothing left to do.
    pub(super) fn left(browser: &Browser, first: FirstSteps) -> Option<Self> {
        let own = browser.may::<OperateService>() || first.has_own_workspace;
        let keys = browser.may::<ManageKeys>();
        let steps = [
            (first.lacks_password, false, "step-password", "step-password-hint", "/account/security"),
            (own, first.has_own_workspace, "step-workspace", "step-workspace-hint", "/workspaces/new"),
            (
                browser.may::<ManageMembers>(),
                first.has_colleague,
                "step-colleague",
                "step-colleague-hint",
                "/settings/members?invite=true",
            ),
            (keys, first.has_key, "step-key", "step-key-hint", "/settings/keys/new"),
            (keys, first.has_ai_client, "step-ai", "step-ai-hint", "/settings/keys"),
            (
                browser.may::<ReadWebhooks>(),
                first.has_webhook,
                "step-webhook",
                "step-webhook-hint",
                "/settings/webhooks/new",
            ),
        ];
        let steps = steps.into_iter().filter(|(may, ..)| *may);
        let steps: Vec<_> = steps.map(|(_, is_done, text, hint, path)| Step { text, hint, path, is_done }).collect();
        let done = steps.iter().filter(|step| step.is_done).count();
        // Owning a workspace already is no reason to show the card to who can do nothing else.
        (done < steps.len()).then_some(Self { steps, done })
    }
}
