//! An AI client that starts the binary and exchanges lines with it.

use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader, Lines};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};
use tokio::task::JoinHandle;
use tokio::time::timeout;

use crate::fake_service::{Fake, FakeReply};

/// Timeout for each line.
const WAIT_TIMEOUT: Duration = Duration::from_mins(1);
/// The key of all tests, so that the secrecy tests can search the output for it.
pub(crate) const KEY: &str = "svc_marker0123456789";

/// The running binary.
pub(crate) struct Adapter {
    pub(crate) child: Child,
    input: Option<ChildStdin>,
    output: Lines<BufReader<ChildStdout>>,
    errors: JoinHandle<String>,
    next_id: u64,
    /// Everything written to standard output.
    pub(crate) received: String,
}

/// The exit status and the output.
pub(crate) struct ProgramOutput {
    pub(crate) status: ExitStatus,
    pub(crate) output: String,
    pub(crate) errors: String,
}

/// The binary, without configuration from the environment of the tests.
pub(crate) fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_service-mcp"));
    for name in ["SERVICE_MCP_API_KEY", "SERVICE_MCP_API_URL", "SERVICE_MCP_LOG"] {
        command.env_remove(name);
    }
    command.args(arguments).kill_on_drop(true);
    command
}

/// Runs the binary to its end, without input.
pub(crate) async fn run(mut command: Command) -> ProgramOutput {
    let output = timeout(WAIT_TIMEOUT, command.stdin(Stdio::null()).output()).await.unwrap().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    ProgramOutput { status: output.status, output: text(output.stdout), errors: text(output.stderr) }
}

impl Adapter {
    /// Starts the adapter for a fake service, with a session of the 2025 revision.
    pub(crate) async fn connected_to(fake: &Fake, arguments: &[&str]) -> Self {
        let mut adapter = Self::at(&fake.url, arguments);
        let _ = adapter.initialize("2025-11-25").await;
        adapter
    }

    /// Starts a fake service, whose replies to calls come from `reply`, and the adapter for it.
    pub(crate) async fn with_fake(reply: impl Fn(usize) -> FakeReply + Send + Sync + 'static) -> (Fake, Self) {
        let fake = Fake::with_call_reply(reply).await;
        let adapter = Self::connected_to(&fake, &[]).await;
        (fake, adapter)
    }

    /// Starts the adapter for a URL, without sending anything.
    pub(crate) fn at(url: &str, arguments: &[&str]) -> Self {
        let mut command = command(arguments);
        command.env("SERVICE_MCP_API_KEY", KEY).env("SERVICE_MCP_API_URL", url);
        Self::start(command)
    }

    pub(crate) fn start(mut command: Command) -> Self {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let (input, output) = (child.stdin.take(), child.stdout.take().unwrap());
        let mut stderr = child.stderr.take().unwrap();
        let errors = tokio::spawn(async move {
            let mut text = String::new();
            stderr.read_to_string(&mut text).await.unwrap();
            text
        });
        Self { child, input, output: BufReader::new(output).lines(), errors, next_id: 1, received: String::new() }
    }

    pub(crate) async fn write_line(&mut self, line: &str) {
        let input = self.input.as_mut().unwrap();
        input.write_all(format!("{line}\n").as_bytes()).await.unwrap();
        input.flush().await.unwrap();
    }

    /// The next message; fails on anything but JSON-RPC.
    pub(crate) async fn receive(&mut self) -> Value {
        let line = timeout(WAIT_TIMEOUT, self.output.next_line()).await.unwrap().unwrap().unwrap();
        self.received.push_str(&line);
        let message: Value = serde_json::from_str(&line).unwrap_or_else(|_| panic!("not JSON: {line}"));
        assert_eq!(message["jsonrpc"], "2.0", "{line}");
        message
    }

    /// Sends a request and returns its id.
    pub(crate) async fn send(&mut self, method: &str, params: Value) -> u64 {
        let id = self.next_id;
        self.next_id += 1;
        self.write_line(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}).to_string()).await;
        id
    }

    /// The whole response to a request.
    pub(crate) async fn request(&mut self, method: &str, params: Value) -> Value {
        let id = self.send(method, params).await;
        let response = self.receive().await;
        assert_eq!(response["id"], id, "{response}");
        response
    }

    /// The result of a request of the 2025 revisions.
    pub(crate) async fn result(&mut self, method: &str, params: Value) -> Value {
        let response = self.request(method, params).await;
        assert!(response.get("error").is_none(), "{response}");
        response["result"].clone()
    }

    pub(crate) async fn initialize(&mut self, version: &str) -> Value {
        let client = json!({"name": "test", "version": "1"});
        let params = json!({"protocolVersion": version, "capabilities": {}, "clientInfo": client});
        let result = self.result("initialize", params).await;
        self.write_line(r#"{"jsonrpc": "2.0", "method": "notifications/initialized"}"#).await;
        result
    }

    pub(crate) async fn call(&mut self, name: &str) -> Value {
        self.request("tools/call", json!({"name": name, "arguments": {"limit": 3}})).await
    }

    /// Calls a tool and returns the text of its failure.
    pub(crate) async fn failing_call(&mut self, name: &str) -> String {
        let response = self.call(name).await;
        assert_eq!(response["result"]["isError"], true, "{response}");
        response["result"]["content"][0]["text"].as_str().unwrap().to_owned()
    }

    /// The names of the offered tools.
    pub(crate) async fn names(&mut self) -> Vec<String> {
        let result = self.result("tools/list", json!({})).await;
        let tools = result["tools"].as_array().unwrap();
        tools.iter().map(|tool| tool["name"].as_str().unwrap().to_owned()).collect()
    }

    /// Closes standard input and waits for the exit.
    pub(crate) async fn end(mut self) -> ProgramOutput {
        drop(self.input.take());
        self.wait().await
    }

    /// Waits for the exit.
    pub(crate) async fn wait(mut self) -> ProgramOutput {
        let status = timeout(WAIT_TIMEOUT, self.child.wait()).await.unwrap().unwrap();
        while let Some(line) = self.output.next_line().await.unwrap() {
            let _: Value = serde_json::from_str(&line).unwrap_or_else(|_| panic!("not JSON: {line}"));
            self.received.push_str(&line);
        }
        ProgramOutput { status, output: self.received, errors: self.errors.await.unwrap() }
    }
}
