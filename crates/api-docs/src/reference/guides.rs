//! The guides: the pages of `docs/` for users, integrators and operators.

/// A guide.
#[derive(Debug)]
pub struct Guide {
    /// The last segment of its address, and the name of its file.
    pub slug: &'static str,
    /// Its title in the navigation.
    pub title: &'static str,
    /// Its file in `docs/`.
    pub file: &'static str,
    pub(crate) group: &'static str,
    pub(crate) text: &'static str,
}

macro_rules! guides {
    ($($group:literal { $($slug:literal, $title:literal;)* })*) => {
        /// All guides, in navigation order.
        pub const GUIDES: &[Guide] = &[$($(Guide {
            slug: $slug,
            title: $title,
            file: concat!($slug, ".md"),
            group: $group,
            text: include_str!(concat!("../../../../docs/", $slug, ".md")),
        }),*),*];
    };
}

guides! {
    "Start" {
        "quick-start", "Quick start";
        "concepts", "Concepts";
    }
    "Build" {
        "api", "The REST API in practice";
        "sdks", "Clients in TypeScript, Python and Rust";
        "webhooks", "Webhooks";
        "event-types", "Event types";
        "webhook-receivers", "Receiving webhooks";
        "events", "Events";
        "sync", "Syncing two systems";
        "ai-clients", "AI clients";
        "access", "Roles, scopes and permissions";
        "errors", "Errors and retries";
        "limits", "Limits";
        "versioning", "Versions and deprecation";
        "interface", "All rules of the interface";
    }
    "Use" {
        "console", "The console";
        "support", "Support";
        "time-tracking", "Time tracking";
        "users-and-limits", "Users and keys";
        "accounts", "Accounts and sessions";
    }
    "Operate" {
        "operations", "Operations";
        "settings", "Settings";
        "install", "Install";
        "upgrading", "Upgrading";
        "backup", "Backup and restore";
        "import-export", "Import and export";
        "security", "Security";
        "database", "The database";
        "scaling", "Scaling";
        "observability", "Logs and metrics";
        "performance", "Performance";
    }
}

/// Pages of `docs/` for developers of the service.
#[cfg(test)]
const INTERNAL: &[&str] = &[
    "ARCHITECTURE.md",
    "adding-a-kind.md",
    "adding-a-member.md",
    "adding-a-page.md",
    "adding-an-endpoint.md",
    "flows.md",
    "invariants.md",
    "testing.md",
];

macro_rules! images {
    ($($name:literal),* $(,)?) => {
        /// The images in guides, by name.
        pub(crate) const IMAGES: &[(&str, &[u8])] =
            &[$(($name, include_bytes!(concat!("../../../../docs/images/", $name)))),*];
    };
}

images! {
    "contacts.png",
    "deal-board.png",
    "deal.png",
    "help-centre.png",
    "home-dark.png",
    "home.png",
    "keys.png",
    "search.png",
    "task-board.png",
    "ticket-narrow.png",
    "tickets.png",
    "ticket.png",
    "webhook.png",
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fs;
    use std::path::Path;

    use super::*;

    fn files_of(folder: &str, extension: &str) -> BTreeSet<String> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs").join(folder);
        let paths = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        let files = paths.filter(|path| path.extension().is_some_and(|one| one == extension));
        files.map(|path| path.file_name().unwrap().to_str().unwrap().to_owned()).collect()
    }

    #[test]
    fn every_page_of_docs_is_a_guide_or_internal() {
        let guides = GUIDES.iter().map(|guide| guide.file);
        let listed: Vec<_> = guides.chain(INTERNAL.iter().copied()).map(str::to_owned).collect();
        let distinct: BTreeSet<_> = listed.iter().cloned().collect();
        assert_eq!(distinct.len(), listed.len(), "a page is in the tables twice: {listed:?}");
        let why = "each page of docs/ belongs in GUIDES, for users, or in INTERNAL, for developers of the service";
        assert_eq!(distinct, files_of("", "md"), "{why}");
    }

    #[test]
    fn addresses_of_guides_are_unique() {
        let slugs: BTreeSet<_> = GUIDES.iter().map(|guide| guide.slug).collect();
        assert_eq!(slugs.len(), GUIDES.len());
    }

    #[test]
    fn every_image_in_a_guide_is_served() {
        let images: BTreeSet<_> = IMAGES.iter().map(|(name, _)| (*name).to_owned()).collect();
        for guide in GUIDES {
            for part in guide.text.split("](images/").skip(1) {
                let name = part.split(')').next().unwrap_or_default();
                assert!(images.contains(name), "{} shows {name}", guide.file);
            }
        }
        assert!(images.is_subset(&files_of("images", "png")));
    }
}
