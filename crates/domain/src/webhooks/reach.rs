//! Which webhooks a caller reaches: those whose events the caller may read (interface 16.33).

use std::fmt::Write;

use super::{Subscription, SubscriptionRecord};
use crate::Error;
use crate::events::{EventReach, Module, TEST_EVENT};
use crate::identity::access::{Permit, ReadRequirement};

/// The webhooks that a caller reaches, by the events that it may read. Owners, admins and operators reach everything.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WebhookReach(EventReach);

impl WebhookReach {
    pub fn everything() -> Self {
        Self(EventReach::everything())
    }

    /// The webhooks that the caller of a permit reaches.
    pub fn for_permit<P>(permit: &Permit<P>) -> Self {
        Self(EventReach::for_webhooks(permit))
    }

    /// The modules whose events may all be read.
    pub fn modules(&self) -> &[Module] {
        self.0.modules()
    }

    /// The events of the service's own modules that may be read. Each name belongs to one module.
    pub fn events(&self) -> &[&'static str] {
        self.0.events()
    }

    pub(super) fn is_everything(&self) -> bool {
        self.0.is_everything()
    }

    /// Whether the caller reaches a subscription to these events of the module.
    pub fn covers(&self, module: Module, events: &[String]) -> bool {
        self.modules().contains(&module)
            || (!module.events().is_empty() && events.iter().all(|event| self.0.covers(module, event)))
    }

    /// Whether a delivery of the event may be read.
    pub(super) fn covers_event(&self, module: Module, event: &str) -> bool {
        event == TEST_EVENT || self.covers(module, &[event.to_owned()])
    }

    /// Returns the subscription, or an error if it is missing or the caller does not reach it.
    ///
    /// # Errors
    /// [`Error::NotFound`].
    pub(super) fn find(&self, subscription: Option<Subscription>) -> Result<Subscription, Error> {
        subscription.filter(|it| self.covers(it.module, &it.events)).ok_or(Error::NotFound("webhook"))
    }

    /// Like [`WebhookReach::find`], with the state of its maker.
    ///
    /// # Errors
    /// [`Error::NotFound`].
    pub(super) fn find_record(&self, record: Option<SubscriptionRecord>) -> Result<SubscriptionRecord, Error> {
        let reached = record.filter(|it| self.covers(it.subscription.module, &it.subscription.events));
        reached.ok_or(Error::NotFound("webhook"))
    }
}

/// Checks that the caller may read every kind of record whose events a subscription names.
///
/// # Errors
/// [`Error::EventsUnreadable`] with the missing permissions. Sessions that manage webhooks may read everything.
pub(super) fn check_readable<P>(permit: &Permit<P>, module: Module, events: &[String]) -> Result<(), Error> {
    let mut missing: Vec<ReadRequirement> = Vec::new();
    for needs in requirements(module, events) {
        if !permit.may_read(needs) && !missing.contains(&needs) {
            missing.push(needs);
        }
    }
    if missing.is_empty() {
        return Ok(());
    }
    let mut needs = String::new();
    for (index, requirement) in missing.iter().enumerate() {
        let separator = if index == 0 { "" } else { " and " };
        // Writing to a string cannot fail.
        let _ = write!(needs, "{separator}{requirement}");
    }
    Err(Error::EventsUnreadable { needs })
}

/// What a caller must be able to read to see these events of a module; may contain duplicates.
pub(super) fn requirements(module: Module, events: &[String]) -> impl Iterator<Item = ReadRequirement> {
    let names = events.iter().flat_map(move |event| module.expand(event));
    names.flat_map(move |event| module.read_requirements(event))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::identity::access::{CreateWebhooks, Scope};
    use crate::identity::workspaces::Role;
    use crate::testing;
    use crate::tools::Tool;

    fn key(scopes: &[&str], reads: &[&str]) -> Permit<CreateWebhooks> {
        let map = [reads, &["create_webhooks"]].concat();
        let caller = testing::key_in(testing::workspace_value(1), scopes, Some(&map));
        caller.permit_for_tool(Tool::CreateWebhook).unwrap()
    }

    fn missing(permit: &Permit<CreateWebhooks>, module: Module, events: &[&str]) -> Option<String> {
        let events: Vec<_> = events.iter().map(|event| (*event).to_owned()).collect();
        let refusal = check_readable(permit, module, &events).err();
        assert_eq!(WebhookReach::for_permit(permit).covers(module, &events), refusal.is_none(), "{module} {events:?}");
        refusal.map(|error| match error {
            Error::EventsUnreadable { needs } => needs,
            other => panic!("{other}"),
        })
    }

    #[test]
    fn a_key_subscribes_to_what_it_may_read() {
        let deals = key(&["deals.read", "planning.read"], &["read_deals"]);
        for (module, events, expected) in [
            (Module::Crm, &["deal.won", "deal.created"][..], None),
            (Module::Crm, &["deal.won", "contact.created"], Some("read_contacts")),
            (Module::Crm, &["*"], Some("read_contacts and read_companies")),
            (Module::Projects, &["task.comment_added"], Some("read_tasks and read_comments on tasks")),
            (Module::Planning, &["*"], None),
            (Module::Planning, &["plan.made"], None),
            (Module::Scheduling, &["deal.won"], Some("the scope bookings.read")),
            (Module::Contracts, &["*"], Some("the session of an owner or admin")),
        ] {
            assert_eq!(missing(&deals, module, events).as_deref(), expected, "{module} {events:?}");
        }
    }

    #[test]
    fn a_permission_map_narrows_what_scopes_let_a_key_read() {
        let narrowed = key(&["crm.read", "contacts.read", "deals.read"], &["read_companies", "read_contacts"]);
        assert_eq!(missing(&narrowed, Module::Crm, &["*"]).as_deref(), Some("read_deals"));
        let comments = key(&["issues.read", "tickets.read"], &["read_tasks", "read_comments"]);
        assert_eq!(missing(&comments, Module::Projects, &["task.comment_added"]), None);
        let tickets = missing(&comments, Module::Support, &["ticket.comment_added"]);
        assert_eq!(tickets.as_deref(), Some("read_tickets and read_comments on tickets"));
    }

    #[test]
    fn administrators_and_operators_reach_everything() {
        let owner = testing::user_with(Role::Owner, Scope::all().collect()).permit::<CreateWebhooks>().unwrap();
        for module in Module::ALL.iter().copied() {
            assert_eq!(missing(&owner, module, &["*"]), None, "{module}");
        }
    }

    #[test]
    fn past_deliveries_are_readable_by_their_own_events() {
        let reach = WebhookReach::for_permit(&key(&["contacts.read"], &["read_contacts"]));
        assert!(reach.covers_event(Module::Crm, "contact.created") && reach.covers_event(Module::Crm, "webhook.test"));
        assert!(!reach.covers_event(Module::Crm, "deal.won"));
    }
}
