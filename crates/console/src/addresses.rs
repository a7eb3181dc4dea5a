//! URLs of workspace pages: handlers and templates write `/deals`, and the browser gets `/w/acme/deals`.

use std::borrow::Cow;
use std::collections::HashSet;
use std::ops::Range;
use std::sync::LazyLock;

use http_core::Operation;
use http_core::admission::AuthScheme;
pub(crate) use http_core::workspace_address::{base_of, split};

use crate::pages;

/// The first path segments of pages that need a session. Exactly these pages belong to a workspace.
static WORKSPACE_SEGMENTS: LazyLock<HashSet<&'static str>> = LazyLock::new(|| {
    pages::OPERATIONS.iter().filter(|one| is_of_workspace(one)).map(|one| first_part(one.pattern)).collect()
});

/// The attributes with URLs to rewrite. `value` is not one of them, since it holds what users typed.
const URL_ATTRIBUTES: [&str; 9] =
    ["href", "action", "formaction", "hx-get", "hx-post", "data-href", "data-pick", "data-path", "data-draft"];

fn is_of_workspace(operation: &Operation) -> bool {
    operation.auth_scheme == AuthScheme::Browser
}

/// The first segment of a path.
fn first_part(path: &str) -> &str {
    let rest = path.strip_prefix('/').unwrap_or(path);
    &rest[..rest.find(['/', '?', '#']).unwrap_or(rest.len())]
}

/// Whether an address is a page of a workspace.
pub(crate) fn is_inside(address: &str) -> bool {
    address.starts_with('/') && !address.starts_with("//") && WORKSPACE_SEGMENTS.contains(first_part(address))
}

/// An address with the base path of its workspace, as browsers see it.
pub(crate) fn with_base<'a>(base: &str, address: &'a str) -> Cow<'a, str> {
    if base.is_empty() || !is_inside(address) {
        return Cow::Borrowed(address);
    }
    Cow::Owned(format!("{base}{}", suffix_of(address)))
}

/// The part of the address that follows the base path. The home page needs no slash.
fn suffix_of(address: &str) -> &str {
    if address == "/" { "" } else { address }
}

/// An address without the base path of this workspace, as handlers see it.
pub(crate) fn without_base<'a>(slug: &str, address: &'a str) -> Cow<'a, str> {
    match split(address) {
        Some((of, page)) if of == slug => page,
        _ => Cow::Borrowed(address),
    }
}

/// The address with its slug in lower case, if that makes it a different and valid one.
pub(crate) fn with_slug_in_lower_case(address: &str) -> Option<String> {
    let rest = address.strip_prefix("/w/")?;
    let (slug, page) = rest.split_at(rest.find(['/', '?', '#']).unwrap_or(rest.len()));
    let right = format!("{}{page}", base_of(&slug.to_ascii_lowercase()));
    (right != address && split(&right).is_some()).then_some(right)
}

/// A page, or a part of one, with the base path of its workspace in its URLs.
pub(crate) fn html_with_base(base: &str, html: String) -> String {
    if base.is_empty() {
        return html;
    }
    let mut rewritten = String::with_capacity(html.len() + html.len() / 8);
    let mut copied = 0;
    for (name, place) in (Attributes { html: &html, place: 0, is_in_tag: false }) {
        let value = &html[place.clone()];
        if URL_ATTRIBUTES.contains(&name) && is_inside(value) {
            rewritten.push_str(&html[copied..place.start]);
            rewritten.push_str(base);
            copied = place.end - suffix_of(value).len();
        }
    }
    rewritten.push_str(&html[copied..]);
    rewritten
}

/// The attributes of all tags: their names and the ranges of their values. Text is skipped.
struct Attributes<'a> {
    html: &'a str,
    place: usize,
    is_in_tag: bool,
}

impl<'a> Attributes<'a> {
    fn rest(&self) -> &'a str {
        &self.html[self.place..]
    }

    /// Moves past the name of the next tag; `None` if there is none.
    fn enter_tag(&mut self) -> Option<()> {
        loop {
            self.place += self.rest().find('<')? + 1;
            let rest = self.rest();
            if let Some(comment) = rest.strip_prefix("!--") {
                self.place += comment.find("-->")? + 6;
            } else if rest.starts_with(|first: char| first.is_ascii_alphabetic()) {
                self.place += rest.find(is_end_of_name)?;
                self.is_in_tag = true;
                return Some(());
            }
        }
    }

    /// Moves past the value that begins here, and returns its range.
    fn value(&mut self) -> Option<Range<usize>> {
        let rest = self.rest();
        let quote = rest.chars().next().filter(|first| matches!(first, '"' | '\''));
        let Some(quote) = quote else {
            let start = self.place;
            self.place += rest.find(|one: char| one.is_ascii_whitespace() || one == '>')?;
            return Some(start..self.place);
        };
        let start = self.place + 1;
        let end = start + rest[1..].find(quote)?;
        self.place = end + 1;
        Some(start..end)
    }
}

fn is_end_of_name(one: char) -> bool {
    one.is_ascii_whitespace() || matches!(one, '=' | '>' | '/')
}

impl<'a> Iterator for Attributes<'a> {
    type Item = (&'a str, Range<usize>);

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if !self.is_in_tag {
                self.enter_tag()?;
            }
            self.place += self.rest().find(|one: char| !one.is_ascii_whitespace() && one != '/')?;
            let rest = self.rest();
            if rest.starts_with('>') {
                self.is_in_tag = false;
                continue;
            }
            let name = &rest[..rest.find(is_end_of_name)?];
            self.place += name.len();
            if self.rest().starts_with('=') {
                self.place += 1;
                return Some((name, self.value()?));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn workspace_pages_share_no_first_segment_with_other_pages() {
        let mut outside = crate::OPERATIONS.iter().filter(|one| !is_of_workspace(one));
        assert_eq!(outside.find(|one| is_inside(one.pattern)).map(|one| one.pattern), None);
        let mut inside = crate::OPERATIONS.iter().filter(|one| is_of_workspace(one));
        assert_eq!(inside.find(|one| !is_inside(one.pattern)).map(|one| one.pattern), None);
        for path in
            ["/api/v1/crm/deals", "/docs", "/healthz", "/w/acme/deals", "//deals", "deals", "", "/assets/1/x.js"]
        {
            assert!(!is_inside(path), "{path}");
        }
    }

    #[test]
    fn the_base_path_is_added_and_removed() {
        for (address, expected) in [
            ("/", "/w/acme"),
            ("/?x=1", "/w/acme/?x=1"),
            ("/deals/1?a=/b#c", "/w/acme/deals/1?a=/b#c"),
            ("/sign-in", "/sign-in"),
            ("/w/other/deals", "/w/other/deals"),
            ("https://example.com/deals", "https://example.com/deals"),
        ] {
            assert_eq!(with_base("/w/acme", address), expected, "{address}");
            assert_eq!(without_base("acme", expected), address, "{expected}");
            assert_eq!(with_base("", address), address);
        }
    }

    #[test]
    fn slugs_are_written_in_lower_case() {
        for (address, right) in [
            ("/w/DEMO/deals?a=B", Some("/w/demo/deals?a=B")),
            ("/w/Demo", Some("/w/demo")),
            ("/w/demo/Deals", None),
            ("/w/De_mo/deals", None),
            ("/w//deals", None),
            ("/W/demo", None),
        ] {
            assert_eq!(with_slug_in_lower_case(address).as_deref(), right, "{address}");
        }
    }

    #[test]
    fn only_attributes_with_urls_are_rewritten() {
        for (html, expected) in [
            ("<a href=\"/deals\">/deals</a>", "<a href=\"/w/acme/deals\">/deals</a>"),
            ("<a class='x' href='/'>", "<a class='x' href='/w/acme'>"),
            ("<a href=/deals>x", "<a href=/w/acme/deals>x"),
            (
                "<form\n method=post\n action=\"/deals/1?a=1&amp;b\" hidden>",
                "<form\n method=post\n action=\"/w/acme/deals/1?a=1&amp;b\" hidden>",
            ),
            (
                "<input value=\"/deals\" name=href><p>href=\"/deals\"</p>",
                "<input value=\"/deals\" name=href><p>href=\"/deals\"</p>",
            ),
            ("<input value='<a href=\"/deals\">'>", "<input value='<a href=\"/deals\">'>"),
            (
                "<!-- <a href=\"/deals\"> --><br/><a href=\"/tasks\"/>",
                "<!-- <a href=\"/deals\"> --><br/><a href=\"/w/acme/tasks\"/>",
            ),
            (
                "<button formaction=\"/deals\" hx-get=\"/tasks\" hx-post=\"/\">",
                "<button formaction=\"/w/acme/deals\" hx-get=\"/w/acme/tasks\" hx-post=\"/w/acme\">",
            ),
            (
                "<a href=\"/assets/1/a.js\" data-href=\"/deals\">",
                "<a href=\"/assets/1/a.js\" data-href=\"/w/acme/deals\">",
            ),
            (
                "<a href=\"//deals\"><a href=\"/kb/acme\"><a href=\"deals\">",
                "<a href=\"//deals\"><a href=\"/kb/acme\"><a href=\"deals\">",
            ),
            (
                "<script src=\"/deals\"></script>1 < 2 > 3 é<a href=\"/deals\">é",
                "<script src=\"/deals\"></script>1 < 2 > 3 é<a href=\"/w/acme/deals\">é",
            ),
            ("<a href=\"/deals", "<a href=\"/deals"),
            ("<a", "<a"),
            ("<a =\"/deals\" href>", "<a =\"/deals\" href>"),
            ("", ""),
        ] {
            assert_eq!(html_with_base("/w/acme", html.to_owned()), expected);
            assert_eq!(html_with_base("", html.to_owned()), html);
        }
    }
}
