//! The card with the next steps for a new user.

use domain::identity::access::{ManageKeys, ManageMembers, OperateService, ReadWebhooks};
use domain::identity::workspaces::FirstSteps;

use uuid::Uuid;

use crate::layout::Browser;
use crate::sessions::MAX_SESSIONS;

pub(super) struct Step {
    /// The key of its text. The explanation's key ends in `-hint`.
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
    fn workspace_id(browser: &Browser) -> Option<Uuid> {
        browser.caller.as_ref().map(|caller| caller.workspace().id.0)
    }

    /// The workspaces whose steps are hidden in this browser.
    fn hidden(browser: &Browser) -> impl Iterator<Item = Uuid> {
        let ids = browser.hidden_steps.as_deref().unwrap_or_default().split('.');
        ids.filter_map(|id| id.parse().ok())
    }

    pub(super) fn hidden_in(browser: &Browser) -> bool {
        Self::hidden(browser).any(|id| Some(id) == Self::workspace_id(browser))
    }

    /// The cookie value that also hides the steps of this workspace. It lists at most as many workspaces as there may
    /// be sessions.
    pub(super) fn hidden_with(browser: &Browser) -> String {
        let own = Self::workspace_id(browser);
        let others = Self::hidden(browser).filter(|id| Some(*id) != own);
        let ids: Vec<_> = own.into_iter().chain(others).take(MAX_SESSIONS).map(|id| id.to_string()).collect();
        ids.join(".")
    }

    /// `None` if there is nothing left to do.
    pub(super) fn remaining(browser: &Browser, first: FirstSteps) -> Option<Self> {
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
        // Owning a workspace alone does not show the card to users who can take no other step.
        (done < steps.len()).then_some(Self { steps, done })
    }
}
