//! Scopes: 17 areas, each with a read and a write scope (interface 5.8).

use std::fmt;

use crate::kernel::input::{choices, readable_choices};
use crate::tools::{ToolPermission, ToolPermissions, permission_rows};

choices! {
    /// A product area that scopes are granted on.
    pub enum Area {
        /// Support tickets.
        Tickets = "tickets",
        /// Shared CRM resources: companies.
        Crm = "crm",
        /// CRM contacts.
        Contacts = "contacts",
        /// CRM deals.
        Deals = "deals",
        /// Projects and their cycles.
        Projects = "projects",
        /// Tasks, and tickets on `/issues`.
        Issues = "issues",
        Planning = "planning",
        Assets = "assets",
        Bookings = "bookings",
        /// Field service.
        Fsm = "fsm",
        Goals = "goals",
        Marketing = "marketing",
        Procurement = "procurement",
        Stock = "stock",
        Subscriptions = "subscriptions",
        Surveys = "surveys",
        /// Time entries.
        Time = "time",
    }
}

choices! {
    /// The level of a scope; write includes read.
    pub enum Level {
        Read = "read",
        /// Read and write.
        Write = "write",
    }
}

/// One scope, such as `deals.write`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Scope {
    pub area: Area,
    pub level: Level,
}

impl Scope {
    pub const fn read(area: Area) -> Self {
        Self { area, level: Level::Read }
    }

    pub const fn write(area: Area) -> Self {
        Self { area, level: Level::Write }
    }

    /// Parses `area.level`. Granular names such as `stock.products.read` are not scopes.
    pub fn parse(text: &str) -> Option<Self> {
        let (area, level) = text.split_once('.')?;
        Some(Self { area: Area::parse(area)?, level: Level::parse(level)? })
    }

    /// All 34 scopes.
    pub fn all() -> impl Iterator<Item = Self> {
        Area::ALL.iter().flat_map(|area| [Self::read(*area), Self::write(*area)])
    }

    const fn bit(self) -> u64 {
        1 << ((self.area as u64) * 2 + self.level as u64)
    }
}

impl fmt::Display for Scope {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}.{}", self.area, self.level)
    }
}

/// Expands the rows of permissions to their areas.
macro_rules! areas {
    ($( [$($area:ident),*] { $( $(#[$doc:meta])* $permission:ident = $name:literal ),+ } $($types:ident)*; )+) => {
        /// The areas whose scopes grant the permission of a tool; any one suffices.
        pub(super) const fn areas_of(permission: ToolPermission) -> &'static [Area] {
            match permission { $( $(ToolPermission::$permission)|+ => &[$(Area::$area),*], )+ }
        }
    };
}

permission_rows!(areas);

/// Scopes of one level without duplicates, in the documented order of the permissions that they grant.
pub(super) struct AreaScopes {
    scopes: [Scope; Area::ALL.len()],
    count: usize,
}

impl AreaScopes {
    /// The scopes of the areas of all kinds of records, then of other areas.
    pub(super) const fn for_records_and(level: Level, others: &[Area]) -> Self {
        let records = ToolPermission::READ_RECORDS;
        let mut list = Self { scopes: [Scope { area: Area::Tickets, level }; Area::ALL.len()], count: 0 };
        let mut index = 0;
        while index < records.len() + others.len() {
            list.add(if index < records.len() { areas_of(records[index])[0] } else { others[index - records.len()] });
            index += 1;
        }
        list
    }

    const fn add(&mut self, area: Area) {
        let mut index = 0;
        while index < self.count {
            if self.scopes[index].area as usize == area as usize {
                return;
            }
            index += 1;
        }
        self.scopes[self.count].area = area;
        self.count += 1;
    }

    pub(super) const fn as_slice(&self) -> &[Scope] {
        self.scopes.split_at(self.count).0
    }
}

/// A set of scopes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ScopeSet(u64);

impl ScopeSet {
    /// Whether the set satisfies a scope: a write scope also satisfies the read scope of its area.
    pub const fn allows(self, scope: Scope) -> bool {
        let accepted = match scope.level {
            Level::Read => scope.bit() | Scope::write(scope.area).bit(),
            Level::Write => scope.bit(),
        };
        self.0 & accepted != 0
    }

    /// The scopes as granted.
    pub fn iter(self) -> impl Iterator<Item = Scope> {
        Scope::all().filter(move |scope| self.0 & scope.bit() != 0)
    }

    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The scopes as text, for storage and responses.
    pub fn to_strings(self) -> Vec<String> {
        self.iter().map(|scope| scope.to_string()).collect()
    }
}

impl FromIterator<Scope> for ScopeSet {
    fn from_iter<I: IntoIterator<Item = Scope>>(scopes: I) -> Self {
        Self(scopes.into_iter().fold(0, |bits, scope| bits | scope.bit()))
    }
}

choices! {
    /// A named set of scopes for a key.
    pub enum Preset {
        /// Every read scope.
        ReadOnly = "read_only",
        /// Companies, contacts and deals.
        Crm = "crm",
        /// Projects, tasks, planning, goals and time.
        Projects = "projects",
        /// Tickets, with contacts to read.
        Support = "support",
        /// Every write scope.
        FullAccess = "full_access",
        /// Every read scope, and permissions to read records and webhooks, and to create and delete webhooks.
        Integration = "integration",
        /// No scopes: a few tools, a few calls and a short lifetime.
        AgentTrial = "agent_trial",
    }
}

readable_choices!(Preset);

impl Preset {
    pub fn scopes(self) -> ScopeSet {
        let writes = |areas: &[Area]| areas.iter().map(|area| Scope::write(*area)).collect::<Vec<_>>();
        match self {
            Self::ReadOnly | Self::Integration => Area::ALL.iter().map(|area| Scope::read(*area)).collect(),
            Self::Crm => writes(&[Area::Crm, Area::Contacts, Area::Deals]).into_iter().collect(),
            Self::Projects => {
                writes(&[Area::Projects, Area::Issues, Area::Planning, Area::Goals, Area::Time]).into_iter().collect()
            }
            Self::Support => {
                writes(&[Area::Tickets, Area::Issues]).into_iter().chain([Scope::read(Area::Contacts)]).collect()
            }
            Self::FullAccess => writes(Area::ALL).into_iter().collect(),
            Self::AgentTrial => ScopeSet::default(),
        }
    }

    /// The permission map for keys with this preset that do not send their own. Permissions on webhooks come only from a map.
    pub fn permissions(self) -> Option<ToolPermissions> {
        let webhook_permissions = [ToolPermission::CreateWebhooks, ToolPermission::DeleteWebhooks];
        let read_permissions = || ToolPermission::ALL.iter().copied().filter(|permission| permission.is_read());
        (self == Self::Integration).then(|| read_permissions().chain(webhook_permissions).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_34_scopes_and_write_satisfies_read_only_of_its_own_area() {
        assert_eq!(Scope::all().count(), 34);
        for granted in Scope::all() {
            let set: ScopeSet = [granted].into_iter().collect();
            for required in Scope::all() {
                let expected =
                    required.area == granted.area && (required.level == granted.level || granted.level == Level::Write);
                assert_eq!(set.allows(required), expected, "{granted} for {required}");
            }
            assert_eq!(Scope::parse(&granted.to_string()), Some(granted));
        }
    }

    #[test]
    fn granular_and_unknown_scopes_do_not_exist() {
        for text in [
            "stock.products.read",
            "stock.movements.write",
            "stock",
            "stock.",
            ".read",
            "Stock.read",
            "stock.Read",
            "nope.read",
        ] {
            assert_eq!(Scope::parse(text), None, "{text}");
        }
    }

    #[test]
    fn presets_have_the_documented_scopes() {
        assert_eq!(Preset::ReadOnly.scopes().iter().filter(|scope| scope.level == Level::Read).count(), 17);
        assert_eq!(Preset::FullAccess.scopes().iter().filter(|scope| scope.level == Level::Write).count(), 17);
        assert_eq!(Preset::Crm.scopes().to_strings(), ["crm.write", "contacts.write", "deals.write"]);
        assert_eq!(
            Preset::Projects.scopes().to_strings(),
            ["projects.write", "issues.write", "planning.write", "goals.write", "time.write"]
        );
        assert_eq!(Preset::Support.scopes().to_strings(), ["tickets.write", "contacts.read", "issues.write"]);
        assert_eq!(Preset::Integration.scopes(), Preset::ReadOnly.scopes());
        for preset in Preset::ALL.iter().copied() {
            let map = preset.permissions();
            assert_eq!(map.is_some(), preset == Preset::Integration, "{preset}");
            let writes: Vec<_> = map.iter().flat_map(ToolPermissions::granted).filter(|one| !one.is_read()).collect();
            let expected = [ToolPermission::CreateWebhooks, ToolPermission::DeleteWebhooks];
            assert!(map.is_none() || writes == expected, "{writes:?}");
        }
    }
}
