//! The sender information in e-mails to people outside the workspace.

use std::fmt;

use crate::kernel::input::EmailAddress;
use crate::ports::Settings;

/// Where recipients report abuse: an e-mail address or a page, in one line without spaces.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AbuseContact(String);

impl AbuseContact {
    /// An e-mail address, or an `https` URL.
    pub fn parse(text: &str) -> Option<Self> {
        let is_page = text.starts_with("https://")
            && url::Url::parse(text).is_ok_and(|url| url.host().is_some())
            && text.bytes().all(|byte| byte.is_ascii_graphic());
        let is_address = || EmailAddress::parse(text).is_some_and(|address| address.as_str() == text);
        (is_page || is_address()).then(|| Self(text.to_owned()))
    }

    /// The sender for a header, with the domain of its address in ASCII.
    pub fn to_ascii(&self) -> String {
        EmailAddress::parse(&self.0).map_or_else(|| self.0.clone(), |address| address.to_ascii())
    }
}

impl fmt::Display for AbuseContact {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

/// The last lines of an e-mail to a recipient outside the workspace: on whose behalf it was sent, and where to report abuse.
pub(crate) fn footer(settings: &Settings, workspace: &str) -> String {
    let service = settings.public_url.trim_end_matches('/');
    let report = match &settings.abuse_contact {
        Some(contact) => format!("To report abuse, forward this e-mail to {contact}"),
        None => "To report abuse, forward this e-mail to the operator of that service".to_owned(),
    };
    format!("This e-mail was sent on behalf of {workspace} by the service at {service}. {report}.\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_contact_is_an_address_or_a_page() {
        for good in ["abuse@example.com", "https://example.com/abuse?from=mail"] {
            assert_eq!(AbuseContact::parse(good).map(|contact| contact.to_string()).as_deref(), Some(good));
        }
        for bad in
            ["", "abuse", "http://example.com", "https://", "https://example.com/a b", "a@example.com\r\nBcc: x@y.z"]
        {
            assert_eq!(AbuseContact::parse(bad), None, "{bad:?}");
        }
    }

    #[test]
    fn the_footer_names_sender_and_contact() {
        let mut settings = Settings { public_url: "https://work.example.com/".to_owned(), ..Settings::default() };
        assert!(footer(&settings, "Suite").contains("on behalf of Suite by the service at https://work.example.com."));
        settings.abuse_contact = AbuseContact::parse("abuse@example.com");
        assert!(footer(&settings, "Suite").ends_with("forward this e-mail to abuse@example.com.\n"));
    }
}
