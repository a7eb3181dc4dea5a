//! Parsers that are called directly.

use std::net::IpAddr;

use domain::crm::deals::Deal;
use domain::email::{AbuseContact, EmailMessage, to_html};
use domain::identity::access::PlainToken;
use domain::identity::accounts::UserAgent;
use domain::kernel::input::{EmailAddress, Problems};
use domain::kernel::paging::{PageRequest, Paginated};
use domain::kernel::search::SearchQuery;
use domain::support::kb::{KbQuery, excerpt, plain_text};
use domain::webhooks::TargetPolicy;
use domain::work::issues::Issue;
use http_core::TrustedProxies;

use crate::{Check, Target};

const KEYS: Target = Target {
    name: "api_keys",
    seeds: &["svc_dA3n65sanl4yWWkiTTnNtYOuFHUhMPZgUiNEIFXvwWNz0PfH6q", "svs_", "svc_0000", ""],
    words: &["svc_", "svs_", "svi_", "svp_", "svl_", "svt_", "0", "z", "000000", "+/=="],
    check: Check::Pure(|text| {
        let Some(token) = PlainToken::parse(text) else { return Ok(()) };
        ensure(token.reveal() == text && text.len() == 54, "a token is not what was parsed")
    }),
};

const CURSORS: Target = Target {
    name: "cursors",
    seeds: &["", "1", "100", "ZGVhbHM", "eyJhIjoxfQ==", "18446744073709551616"],
    words: &["0", "9", "A", "-", "_", "=", "deals", "4294967295"],
    check: Check::Pure(|text| {
        for list in [Deal::LIST, Issue::LIST] {
            for (page, limit, cursor) in [(Some(text), Some(text), None), (None, None, Some(text))] {
                let parsed = PageRequest::parse(list, page, limit, cursor, &mut Problems::default());
                ensure((1..=100).contains(&parsed.limit) && parsed.offset() <= 100_000, "a page out of range")?;
            }
        }
        Ok(())
    }),
};

const TARGET_URLS: Target = Target {
    name: "target_urls",
    seeds: &[
        "https://hooks.example.com/a?b=c",
        "https://127.0.0.1/",
        "https://[::ffff:10.0.0.1]:8443/",
        "https://0x7f.1/",
        "https://user:pw@example.com/",
        "https://ex\u{ad}ample.com/",
        "https://2130706433/",
        "https://example.com./",
        // Was accepted: the check did not resolve escapes.
        "https://127%2e",
    ],
    words: &[
        "https://",
        "http://",
        "file:",
        "@",
        "[::1]",
        "127.1",
        "localhost",
        "169.254.169.254",
        "。",
        "%2e",
        "xn--",
    ],
    check: Check::Pure(|text| {
        let policy = TargetPolicy::default();
        if policy.check(text).is_err() {
            return Ok(());
        }
        let url = url::Url::parse(text).map_err(|error| format!("accepted, but not a URL: {error}"))?;
        ensure(url.scheme() == "https" && text.len() <= 8_000, "scheme or length")?;
        ensure(url.username().is_empty() && url.password().is_none(), "user info")?;
        let address = url.host_str().and_then(|host| host.trim_matches(['[', ']']).parse::<IpAddr>().ok());
        ensure(address.is_none_or(|address| policy.allows(address)), "an address that is refused")
    }),
};

const MARKDOWN: Target = Target {
    name: "markdown",
    seeds: &[
        "# Steps\n\n1. Open **Settings** and `code <b>`\n",
        "<script>alert(1)</script> [a](javascript:x) ![b](c)",
        "| a | b |\n| - | - |\n| 1 | <mark>2 |",
        "&lt;b&gt; &#x3c; <!-- x --> <a href=\"",
        "```\n<i>\n```\n> quote\n\n- [ ] task",
    ],
    words: &[
        "**", "`", "```\n", "<", "</", "<!--", "-->", "[", "](", "&", "&#", "|", "\n\n", "mark", "<mark>", "steps",
    ],
    check: Check::Pure(|text| {
        let plain = plain_text(text);
        let shown = excerpt(&plain, &["steps".to_owned(), "mark".to_owned(), "b".to_owned()]);
        let (opened, closed) = (shown.matches("<mark>").count(), shown.matches("</mark>").count());
        let rest = shown.replace("<mark>", "").replace("</mark>", "");
        ensure(opened == closed && !rest.contains(['<', '>', '"', '\'']), "HTML of the article's own")
    }),
};

const EMAILS: Target = Target {
    name: "emails",
    seeds: &["ann@example.com", "a.b+c@sub.example.co", "\"a b\"@x.com", "ann@[127.0.0.1]", "ann@exämple.com", "x@y"],
    words: &["@", "\"", "example.com", "\r\nBcc: ", "=?utf-8?q?", "https://work.example.com/", "https://", "<a href="],
    check: Check::Pure(|text| {
        let _ = AbuseContact::parse(text);
        if let Some(address) = EmailAddress::parse(text) {
            let address = address.as_str();
            ensure(!address.chars().any(|sign| sign.is_control() || sign.is_whitespace()), "an address of two lines")?;
            ensure(EmailMessage::to_stored(address, text, text).is_some(), "an address that is not one when stored")?;
        }
        let message = EmailMessage::to_stored("ann@example.com", text, text).ok_or("no message")?;
        ensure(!message.subject().chars().any(char::is_control), "a subject of two lines")?;
        let html = to_html(message.text(), "https://work.example.com");
        let body = html.split_once("<body>\n").map_or("", |(_, rest)| rest.trim_end_matches("</body></html>\n"));
        let ours = ["<p>", "</p>", "<br>", "<a href=\"https://work.example.com", "\">", "</a>"];
        let rest = ours.iter().fold(body.to_owned(), |all, tag| all.replace(tag, ""));
        ensure(!rest.contains(['<', '>', '"', '\'']), "HTML of the sender's own")
    }),
};

const SEARCHES: Target = Target {
    name: "search_words",
    seeds: &[
        "acme corp",
        "ann@example.com",
        "+49 (0)30 1234",
        "/etc/app.conf",
        "v1.2.3-rc1",
        "naïve İstanbul",
        "北京大学 ガス 한국",
    ],
    words: &["'", "’", "\u{200b}", "\u{640}", "ค้", "大", ":*", "&", "|", "!", "<->", "\\", "(", ")", "a.b.c", "@", "—"],
    check: Check::Pure(|text| {
        let mut problems = Problems::default();
        if let Some(query) = KbQuery::parse("q", Some(text), &mut problems) {
            ensure(query.words().len() <= 200, "too many words")?;
        }
        if let Ok(Some(query)) = SearchQuery::parse(text) {
            let words = query.tokens().iter().flatten().flatten();
            ensure(words.clone().all(|word| !word.is_empty()), "an empty word")?;
            ensure(words.clone().all(|word| !word.contains('\0')), "a word that the database cannot hold")?;
        }
        Ok(())
    }),
};

const CLIENTS: Target = Target {
    name: "clients",
    seeds: &[
        "Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0",
        "curl/8.5.0",
        "10.0.0.0/8",
        "2001:db8::/32",
        "::ffff:1.2.3.4/96",
    ],
    words: &["/", "::", ":", "10.0.0.1", "/33", "/129", "/-1", "Chrome/", "Safari/", "Windows NT", "Android"],
    check: Check::Pure(|text| {
        let _ = TrustedProxies::parse([text]);
        let _ = TrustedProxies::parse(text.split(','));
        let Some(agent) = UserAgent::parse(text) else { return Ok(()) };
        ensure(!agent.as_str().chars().any(char::is_control), "a control character")?;
        ensure(agent.device().is_ascii() && agent.device().len() < 60, "a device in the client's own words")
    }),
};

pub(crate) const TARGETS: [Target; 7] = [KEYS, CURSORS, TARGET_URLS, MARKDOWN, EMAILS, SEARCHES, CLIENTS];

fn ensure(holds: bool, otherwise: &str) -> Result<(), String> {
    if holds { Ok(()) } else { Err(otherwise.to_owned()) }
}
