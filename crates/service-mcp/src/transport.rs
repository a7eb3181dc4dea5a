//! Standard input and output.

use rmcp::RoleServer;
use rmcp::model::{ClientJsonRpcMessage, ClientRequest, GetMeta, ProtocolVersion, ServerJsonRpcMessage};
use rmcp::transport::Transport;

/// A transport that drops messages that are invalid before a session begins.
///
/// The SDK stops if the first message is a notification or a response. Dropping it keeps such a client connected.
#[derive(Debug)]
pub(crate) struct SessionGate<T> {
    inner: T,
    has_begun: bool,
}

impl<T> SessionGate<T> {
    /// Wraps a transport that nothing was read from yet.
    pub(crate) fn new(inner: T) -> Self {
        Self { inner, has_begun: false }
    }
}

impl<T: Transport<RoleServer>> Transport<RoleServer> for SessionGate<T> {
    type Error = T::Error;

    fn send(&mut self, item: ServerJsonRpcMessage) -> impl Future<Output = Result<(), T::Error>> + Send + 'static {
        self.inner.send(item)
    }

    async fn receive(&mut self) -> Option<ClientJsonRpcMessage> {
        loop {
            let message = self.inner.receive().await?;
            self.has_begun |= begins(&message);
            if self.has_begun || matches!(message, ClientJsonRpcMessage::Request(_)) {
                return Some(message);
            }
            log::debug!("dropped a message that arrived before the session started");
        }
    }

    fn close(&mut self) -> impl Future<Output = Result<(), T::Error>> + Send {
        self.inner.close()
    }
}

/// Whether the SDK accepts this as the first message: `initialize`, or a request of the revision without sessions.
fn begins(message: &ClientJsonRpcMessage) -> bool {
    let ClientJsonRpcMessage::Request(message) = message else { return false };
    match &message.request {
        ClientRequest::InitializeRequest(_) => true,
        ClientRequest::PingRequest(_) | ClientRequest::DiscoverRequest(_) => false,
        request => {
            let meta = request.get_meta();
            let is_known = meta.protocol_version().is_some_and(|it| ProtocolVersion::KNOWN_VERSIONS.contains(&it));
            is_known && meta.missing_required_keys(&ProtocolVersion::V_2026_07_28).is_empty()
        }
    }
}
