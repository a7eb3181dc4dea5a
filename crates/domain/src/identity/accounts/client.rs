//! The client of a request without a credential, as sign-ins record it: address and device.

use std::net::IpAddr;

/// Maximum stored length of a `User-Agent`, in characters; the rest is cut.
const MAX_USER_AGENT: usize = 300;

/// Shown if a client does not identify itself.
const UNKNOWN: &str = "an unknown device";

/// Names of programs, each with a text that its `User-Agent` contains. The first match counts, because most browsers also claim to
/// be older ones.
const PROGRAMS: [(&str, &str); 14] = [
    ("edg/", "Edge"),
    ("edga/", "Edge"),
    ("edgios/", "Edge"),
    ("opr/", "Opera"),
    ("samsungbrowser/", "Samsung Internet"),
    ("fxios/", "Firefox"),
    ("firefox/", "Firefox"),
    ("crios/", "Chrome"),
    ("chrome/", "Chrome"),
    ("safari/", "Safari"),
    ("curl/", "curl"),
    ("wget/", "Wget"),
    ("python", "Python"),
    ("postmanruntime/", "Postman"),
];

/// Names of operating systems, in the same form.
const SYSTEMS: [(&str, &str); 8] = [
    ("iphone", "iPhone"),
    ("ipad", "iPad"),
    ("android", "Android"),
    ("windows", "Windows"),
    ("cros ", "ChromeOS"),
    ("mac os", "macOS"),
    ("macintosh", "macOS"),
    ("linux", "Linux"),
];

/// The `User-Agent` header, bounded and without control characters. Clients may claim anything in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UserAgent(String);

/// Where a request without a credential comes from.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Client {
    /// `None` only without a network connection, such as in in-process tests.
    pub address: Option<IpAddr>,
    /// `None` if the client sent none.
    pub user_agent: Option<UserAgent>,
    /// Whether an untrusted proxy has forwarded the request; the address is then the proxy's.
    pub is_behind_unlisted_proxy: bool,
}

impl UserAgent {
    /// Keeps the printable characters, up to the maximum length; `None` if nothing is left.
    pub fn parse(text: &str) -> Option<Self> {
        let printable = text.chars().filter(|character| !character.is_control());
        let text: String = printable.take(MAX_USER_AGENT).collect();
        let text = text.trim();
        (!text.is_empty()).then(|| Self(text.to_owned()))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The program and the operating system, such as `Firefox on Linux`. Contains only known names, so that a client cannot put its
    /// own text into an e-mail, and no versions, so that an update does not look like a new device.
    pub fn device(&self) -> String {
        let text = self.0.to_lowercase();
        let find =
            |names: &[(&str, &'static str)]| names.iter().find(|(part, _)| text.contains(part)).map(|(_, name)| *name);
        match (find(&PROGRAMS), find(&SYSTEMS)) {
            (Some(program), Some(system)) => format!("{program} on {system}"),
            (Some(program), None) => program.to_owned(),
            (None, Some(system)) => format!("a program on {system}"),
            (None, None) => UNKNOWN.to_owned(),
        }
    }
}

impl Client {
    /// The device: see [`UserAgent::device`].
    pub fn device(&self) -> String {
        self.user_agent.as_ref().map_or_else(|| UNKNOWN.to_owned(), UserAgent::device)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_device_is_the_program_and_the_system_without_versions() {
        for (text, device) in [
            ("Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", "Firefox on Linux"),
            (
                "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 \
                 Safari/537.36 Edg/140.0.0.0",
                "Edge on Windows",
            ),
            (
                "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) \
                 Version/18.0 Safari/605.1.15",
                "Safari on macOS",
            ),
            (
                "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) \
                 CriOS/140.0 Mobile/15E148 Safari/604.1",
                "Chrome on iPhone",
            ),
            (
                "Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 Chrome/140.0 Mobile Safari/537.36",
                "Chrome on Android",
            ),
            ("curl/8.5.0", "curl"),
            ("python-requests/2.32", "Python"),
            ("Acme (Windows)", "a program on Windows"),
            ("Call +1 555 0100 to keep your account", UNKNOWN),
        ] {
            assert_eq!(UserAgent::parse(text).unwrap().device(), device, "{text}");
        }
        assert_eq!(Client::default().device(), UNKNOWN);
    }

    proptest! {
        #[test]
        fn any_user_agent_is_bounded_and_printable(text in "\\PC{0,400}|[\\x00-\\x20]{0,20}|.{0,400}") {
            if let Some(agent) = UserAgent::parse(&text) {
                let stored = agent.as_str();
                prop_assert!((1..=MAX_USER_AGENT).contains(&stored.chars().count()));
                prop_assert!(stored.chars().all(|character| !character.is_control()));
                prop_assert_eq!(UserAgent::parse(stored), Some(agent.clone()));
                prop_assert!(agent.device().len() < 40);
            }
        }
    }
}
