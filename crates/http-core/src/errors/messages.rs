//! Error messages for clients: the domain's, with hints that only HTTP and tool clients can use.

use domain::Error;

/// The message for clients. It discloses nothing internal: the store's error text stays in the log.
pub fn message_of(error: &Error) -> String {
    let hint = match error {
        Error::Unauthorized => ": send it as Authorization: Bearer <API_KEY>",
        Error::PortalTokenNeeded | Error::LinkExpired => " (POST /api/portal/magic-links)",
        Error::SessionNeeded => " (POST /api/auth/login) and send the access token",
        Error::GrantNeeded { .. } => " (POST /api/auth/login)",
        Error::SecondFactorNeeded => " (POST /api/account/second-factor)",
        Error::UnknownTool => ": tools/list shows the available tools",
        Error::ToolNotInTrial { .. } => ": tools/list shows its tools",
        Error::ConcurrentUpdate { current } => {
            return format!("the record is at version {current}, not the one in If-Match: read it again first");
        }
        other => return other.client_message(),
    };
    format!("{error}{hint}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_get_protocol_hints() {
        for (error, message) in [
            (Error::Unauthorized, "a valid API key is required: send it as Authorization: Bearer <API_KEY>"),
            (
                Error::PortalTokenNeeded,
                "a valid portal token is required: ask for a new link to the ticket (POST /api/portal/magic-links)",
            ),
            (
                Error::LinkExpired,
                "this link is unknown or has expired: ask for a new one (POST /api/portal/magic-links)",
            ),
            (
                Error::SessionNeeded,
                "an API key cannot do this: sign in (POST /api/auth/login) and send the access token",
            ),
            (
                Error::GrantNeeded { needs: "read_webhooks" },
                "an API key cannot do this unless its permission map grants read_webhooks: use a key that has this \
                 permission, or sign in (POST /api/auth/login)",
            ),
            (Error::UnknownTool, "there is no such tool: tools/list shows the available tools"),
            (
                Error::ToolNotInTrial { tool: "get_deal" },
                "this trial key cannot call get_deal: tools/list shows its tools",
            ),
            (
                Error::ConcurrentUpdate { current: 3 },
                "the record is at version 3, not the one in If-Match: read it again first",
            ),
            (Error::NotFound("deal"), "there is no such deal"),
        ] {
            assert_eq!(message_of(&error), message);
        }
    }
}
