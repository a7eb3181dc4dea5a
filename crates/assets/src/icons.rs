//! Icons of Tabler, as they stand in pages.

use std::sync::LazyLock;

/// An icon as it stands in pages, dozens of times in some: without line breaks, the namespace and the empty background.
fn compact(svg: &str) -> String {
    let words = svg.split_ascii_whitespace().collect::<Vec<_>>().join(" ");
    let words = words.replace("> <", "><").replace(" >", ">").replace(" />", "/>");
    words
        .replace(" xmlns=\"http://www.w3.org/2000/svg\"", "")
        .replace("<path stroke=\"none\" d=\"M0 0h24v24H0z\" fill=\"none\"/>", "")
}

macro_rules! icons {
    ($($name:literal),* $(,)?) => {
        /// The SVG of an icon; empty for an unknown one, which a test finds.
        pub fn icon(name: &str) -> &'static str {
            match name {
                $($name => {
                    static COMPACT: LazyLock<String> =
                        LazyLock::new(|| compact(include_str!(concat!("../vendor/icons/", $name, ".svg"))));
                    &COMPACT
                })*
                _ => "",
            }
        }
    };
}

icons! {
    "alert-triangle",
    "arrow-down",
    "arrow-up",
    "bell",
    "book",
    "briefcase",
    "building",
    "calendar",
    "chart-bar",
    "check",
    "checkbox",
    "chevron-down",
    "chevron-left",
    "chevron-right",
    "chevron-up",
    "clock",
    "coin",
    "columns",
    "copy",
    "currency-euro",
    "dots",
    "dots-vertical",
    "download",
    "edit",
    "external-link",
    "eye",
    "eye-off",
    "filter",
    "flag",
    "history",
    "home",
    "info-circle",
    "key",
    "layout-kanban",
    "lifebuoy",
    "list-check",
    "lock",
    "logout",
    "mail",
    "menu-2",
    "message-circle",
    "messages",
    "moon",
    "note",
    "pin",
    "plug",
    "plus",
    "refresh",
    "restore",
    "robot",
    "search",
    "send",
    "settings",
    "shield",
    "sparkles",
    "star",
    "sun",
    "tag",
    "ticket",
    "trash",
    "upload",
    "user",
    "users",
    "webhook",
    "world",
    "x",
}
