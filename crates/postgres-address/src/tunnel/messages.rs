//! The few messages of the Postgres protocol that the tunnel reads or writes.
//!
//! <https://www.postgresql.org/docs/current/protocol-message-formats.html>

use std::io;

use tokio::io::{AsyncRead, AsyncReadExt};

/// Asks the server for TLS.
pub(super) const SSL_REQUEST: [u8; 8] = [0, 0, 0, 8, 0x04, 0xd2, 0x16, 0x2f];
/// Ends the session.
pub(super) const TERMINATE: [u8; 5] = [b'X', 0, 0, 0, 4];
const CANCEL_REQUEST: [u8; 4] = [0x04, 0xd2, 0x16, 0x2e];
/// The same limit as in Postgres.
const MAX_FIRST_PACKET: usize = 10_000;
/// Messages before the first request for a password are short.
const MAX_MESSAGE: usize = 65_536;
const SASL: [u8; 4] = [0, 0, 0, 10];
/// The SASL mechanism that is bound to a TLS connection. libpq refuses it on a connection without TLS.
const CHANNEL_BOUND: &[u8] = b"SCRAM-SHA-256-PLUS";
/// `cannot_connect_now`, the only code after which libpq tries the next host.
const CANNOT_CONNECT: &str = "57P03";

/// The first packet of a client.
pub(super) struct FirstPacket(pub(super) Vec<u8>);

impl FirstPacket {
    pub(super) async fn read(client: &mut (impl AsyncRead + Unpin)) -> io::Result<Self> {
        let length = client.read_u32().await?;
        let size = usize::try_from(length).ok().filter(|size| (8..=MAX_FIRST_PACKET).contains(size));
        let size = size.ok_or_else(|| io::Error::other("the first packet does not start a session"))?;
        let mut packet = vec![0; size];
        packet[..4].copy_from_slice(&length.to_be_bytes());
        client.read_exact(&mut packet[4..]).await?;
        Ok(Self(packet))
    }

    /// Whether it cancels a statement of another connection. The server does not answer such a packet.
    pub(super) fn is_cancel(&self) -> bool {
        self.0[4..8] == CANCEL_REQUEST
    }
}

/// A message of the server before the session begins, as sent.
pub(super) struct ServerMessage(pub(super) Vec<u8>);

impl ServerMessage {
    pub(super) async fn read(server: &mut (impl AsyncRead + Unpin)) -> io::Result<Self> {
        let kind = server.read_u8().await?;
        let length = server.read_u32().await?;
        let size = usize::try_from(length).ok().filter(|size| (4..=MAX_MESSAGE).contains(size));
        let size = size.ok_or_else(|| io::Error::other("it does not speak the protocol of Postgres"))?;
        let mut message = vec![0; size + 1];
        message[0] = kind;
        message[1..5].copy_from_slice(&length.to_be_bytes());
        server.read_exact(&mut message[5..]).await?;
        Ok(Self(message))
    }

    /// Whether the client must respond: the server has asked for a log-in or refused the connection.
    pub(super) fn ends_greeting(&self) -> bool {
        [b'R', b'E'].contains(&self.0[0])
    }

    /// Removes the mechanism that needs TLS in the client; `None` if no other is left.
    pub(super) fn without_channel_binding(self) -> Option<Self> {
        let offered = match self.0.strip_prefix(b"R").and_then(|rest| rest.get(4..)) {
            Some(body) => body.strip_prefix(&SASL),
            None => None,
        };
        let Some(offered) = offered else { return Some(self) };
        let mechanisms =
            offered.split(|byte| *byte == 0).filter(|mechanism| !mechanism.is_empty() && *mechanism != CHANNEL_BOUND);
        let mut body = SASL.to_vec();
        for mechanism in mechanisms {
            body.extend_from_slice(mechanism);
            body.push(0);
        }
        (body.len() > SASL.len()).then(|| {
            body.push(0);
            Self(message(b'R', &body))
        })
    }
}

/// The error message that tells libpq why there is no connection.
pub(super) fn refusal(reason: &str) -> Vec<u8> {
    let mut body = Vec::new();
    for (field, value) in [(b'S', "FATAL"), (b'V', "FATAL"), (b'C', CANNOT_CONNECT), (b'M', reason)] {
        body.push(field);
        body.extend(value.bytes().filter(|byte| *byte != 0));
        body.push(0);
    }
    body.push(0);
    message(b'E', &body)
}

fn message(kind: u8, body: &[u8]) -> Vec<u8> {
    let length = u32::try_from(body.len() + 4).unwrap_or(u32::MAX);
    [&[kind], &length.to_be_bytes()[..], body].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn offer(mechanisms: &str) -> ServerMessage {
        ServerMessage(message(b'R', &[&SASL, mechanisms.as_bytes(), b"\0"].concat()))
    }

    #[test]
    fn only_mechanisms_without_channel_binding_are_offered() {
        let left = offer("SCRAM-SHA-256-PLUS\0SCRAM-SHA-256\0").without_channel_binding().unwrap();
        assert_eq!(left.0, offer("SCRAM-SHA-256\0").0);
        assert!(offer("SCRAM-SHA-256-PLUS\0").without_channel_binding().is_none());
        for other in [message(b'R', &[0, 0, 0, 5, 1, 2, 3, 4]), message(b'E', b"SFATAL\0\0"), message(b'R', b"")] {
            assert_eq!(ServerMessage(other.clone()).without_channel_binding().unwrap().0, other);
        }
    }

    #[tokio::test]
    async fn packets_are_bounded_and_passed_on_unchanged() {
        let start = [&[0, 0, 0, 10, 0, 3, 0, 0, 1, 2][..], b"more"].concat();
        let packet = FirstPacket::read(&mut &start[..]).await.unwrap();
        assert_eq!((packet.0.as_slice(), packet.is_cancel()), (&start[..10], false));
        let cancel = [&[0, 0, 0, 16][..], &CANCEL_REQUEST, &[0; 8]].concat();
        assert!(FirstPacket::read(&mut &cancel[..]).await.unwrap().is_cancel());
        for length in [0_u32, 7, 10_001, u32::MAX] {
            assert!(FirstPacket::read(&mut &length.to_be_bytes()[..]).await.is_err());
        }
        let message = refusal("no\0thing");
        let read = ServerMessage::read(&mut &message[..]).await.unwrap();
        assert!(read.ends_greeting() && read.0 == message && message.ends_with(b"Mnothing\0\0"));
        assert!(ServerMessage::read(&mut &b"HTTP/1.1 400 Bad Request"[..]).await.is_err());
    }
}
