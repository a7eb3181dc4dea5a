//! Ready-made configuration for well-known AI clients, and a first request (docs/ai-clients.md).

use serde_json::{Value as Json, json};

/// Stands for a key that is no longer shown.
pub(super) const PLACEHOLDER: &str = "<API_KEY>";

/// How to connect one client.
pub(super) struct ClientSetup {
    /// The element id of the text, for the button that copies it.
    pub(super) id: &'static str,
    /// Its product name, which is the same in every language.
    pub(super) name: &'static str,
    /// The key of the text that says where the configuration belongs.
    pub(super) hint: &'static str,
    pub(super) text: String,
}

/// Where clients connect to, and with which key.
pub(super) struct Connection<'a> {
    pub(super) service: &'a str,
    /// The name of the service in the client's configuration.
    pub(super) server: &'a str,
    pub(super) key: &'a str,
    /// Whether the key can only call tools.
    pub(super) is_trial: bool,
}

impl Connection<'_> {
    fn address(&self, path: &str) -> String {
        format!("{}{path}", self.service.trim_end_matches('/'))
    }

    fn mcp(&self) -> String {
        self.address("/api/mcp")
    }

    fn bearer(&self) -> String {
        format!("Bearer {}", self.key)
    }

    /// The local adapter, for clients that start a process.
    fn process(&self) -> Json {
        json!({
            "command": "service-mcp",
            "args": ["--api-url", self.address("")],
            "env": { "SERVICE_MCP_API_KEY": self.key },
        })
    }

    pub(super) fn curl(&self) -> String {
        let address = self.address(if self.is_trial { "/api/mcp/session" } else { "/api/v1/me" });
        format!("curl -H 'Authorization: {}' {address}", self.bearer())
    }

    /// How to connect each client.
    pub(super) fn setups(&self) -> Vec<ClientSetup> {
        let Self { server, key, .. } = *self;
        let headers = json!({ "Authorization": self.bearer() });
        let claude = format!(
            "claude mcp add --transport http {server} {} --header 'Authorization: {}'",
            self.mcp(),
            self.bearer()
        );
        let vs_code = json!({
            "inputs": [{ "type": "promptString", "id": "key", "description": "API key", "password": true }],
            "servers": { server: {
                "type": "http", "url": self.mcp(), "headers": { "Authorization": "Bearer ${input:key}" },
            } },
        });
        let openai = json!({ "tools": [{
            "type": "mcp", "server_label": server, "server_url": self.mcp(), "authorization": key,
            "require_approval": "always",
        }] });
        let servers = |own: Json| format!("{:#}", json!({ "mcpServers": { server: own } }));
        let cursor = servers(json!({ "url": self.mcp(), "headers": headers }));
        let http = servers(json!({ "type": "http", "url": self.mcp(), "headers": headers }));
        let setup = |id, name, hint, text| ClientSetup { id, name, hint, text };
        vec![
            setup("claude-code", "Claude Code", "client-claude-code", claude),
            setup("claude-desktop", "Claude Desktop", "client-claude-desktop", servers(self.process())),
            setup("cursor", "Cursor", "client-cursor", cursor),
            setup("vs-code", "VS Code", "client-vs-code", format!("{vs_code:#}")),
            setup("openai", "OpenAI API", "client-openai", format!("{openai:#}")),
            setup("http", "HTTP", "client-http", http),
            setup("stdio", "STDIO", "client-stdio", servers(self.process())),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::texts;

    /// The documentation shows the same configurations.
    #[test]
    fn configurations_match_the_documentation() {
        let page = include_str!("../../../../../../docs/ai-clients.md");
        let blocks = page.split("\n```json\n").skip(1).filter_map(|rest| rest.split_once("\n```"));
        let shown: Vec<Json> = blocks.map(|(text, _)| serde_json::from_str(text).unwrap()).collect();
        let service = "https://service.example.com";
        let connection = Connection { service, server: "acme", key: PLACEHOLDER, is_trial: false };
        for setup in connection.setups() {
            let is_shown = match serde_json::from_str::<Json>(&setup.text) {
                Ok(json) => shown.contains(&json),
                Err(_) => page.contains(&setup.text),
            };
            assert!(
                is_shown,
                "docs/ai-clients.md does not show what the console does for {}: {}",
                setup.name, setup.text
            );
        }
    }

    #[test]
    fn every_client_gets_the_address_and_the_key_and_a_hint() {
        let connection =
            Connection { service: "https://crm.example.com/", server: "acme", key: "sk_secret", is_trial: false };
        for setup in connection.setups() {
            assert!(setup.text.contains("https://crm.example.com"), "{}", setup.name);
            // VS Code asks for the key, because its file is often committed.
            assert_eq!(setup.text.contains("sk_secret"), setup.id != "vs-code", "{}", setup.name);
            assert!(texts::known(setup.hint).is_some(), "{}", setup.hint);
        }
        assert_eq!(connection.curl(), "curl -H 'Authorization: Bearer sk_secret' https://crm.example.com/api/v1/me");
    }
}
