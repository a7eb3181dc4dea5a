//! Server-sent events.

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Message {
    pub(crate) event: String,
    pub(crate) data: String,
    /// The last id up to this message.
    pub(crate) id: Option<String>,
}

/// Parses a stream of server-sent events from chunks of any size.
#[derive(Debug, Default)]
pub(crate) struct Parser {
    /// The last id, which may also arrive without an event.
    pub(crate) last_id: Option<String>,
    /// Milliseconds before reconnecting, as requested by the server.
    pub(crate) retry: Option<u64>,
    rest: Vec<u8>,
    /// Position in `rest` before which there is no line end.
    searched: usize,
    has_begun: bool,
    event: String,
    data: Vec<String>,
    id: Option<String>,
}

impl Parser {
    pub(crate) fn push(&mut self, piece: &[u8]) -> Vec<Message> {
        self.rest.extend_from_slice(piece);
        let mut messages = Vec::new();
        let mut begin = 0;
        while let Some((end, next)) = self.line_end(begin) {
            let line = String::from_utf8_lossy(&self.rest[begin..end]).into_owned();
            begin = next;
            self.searched = next;
            let line = if std::mem::replace(&mut self.has_begun, true) { line.as_str() } else { without_mark(&line) };
            messages.extend(self.line(line));
        }
        self.rest.drain(..begin);
        self.searched = self.rest.len().saturating_sub(1);
        messages
    }

    /// Buffered bytes of an incomplete event.
    pub(crate) fn buffered(&self) -> usize {
        self.rest.len() + self.data.iter().map(String::len).sum::<usize>()
    }

    /// Where the line ends, and where the next begins.
    fn line_end(&self, begin: usize) -> Option<(usize, usize)> {
        let from = begin.max(self.searched);
        let end = from + self.rest.get(from..)?.iter().position(|byte| matches!(byte, b'\n' | b'\r'))?;
        match (self.rest[end], self.rest.get(end + 1)) {
            (b'\n', _) => Some((end, end + 1)),
            // The rest of a CRLF may still arrive.
            (_, None) => None,
            (_, Some(b'\n')) => Some((end, end + 2)),
            (_, Some(_)) => Some((end, end + 1)),
        }
    }

    fn line(&mut self, line: &str) -> Option<Message> {
        if line.is_empty() {
            return self.end();
        }
        let (field, value) = line.split_once(':').unwrap_or((line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match field {
            "data" => self.data.push(value.to_owned()),
            "event" => value.clone_into(&mut self.event),
            "id" if !value.contains('\0') => self.id = Some(value.to_owned()),
            "retry" if value.bytes().all(|byte| byte.is_ascii_digit()) => {
                self.retry = value.parse().ok().or(self.retry);
            }
            _ => {}
        }
        None
    }

    fn end(&mut self) -> Option<Message> {
        if let Some(id) = &self.id {
            self.last_id = Some(id.clone());
        }
        let event = std::mem::take(&mut self.event);
        let data = std::mem::take(&mut self.data);
        let event = if event.is_empty() { "message".to_owned() } else { event };
        (!data.is_empty()).then(|| Message { event, data: data.join("\n"), id: self.last_id.clone() })
    }
}

fn without_mark(line: &str) -> &str {
    line.strip_prefix('\u{feff}').unwrap_or(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_incomplete_event_is_counted_until_it_ends() {
        let mut parser = Parser::default();
        assert_eq!(parser.push(b"data: abc\ndata: d"), []);
        assert_eq!(parser.buffered(), 3 + 7);
        assert_eq!(parser.push(b"e\n\n").len(), 1);
        assert_eq!(parser.buffered(), 0);
    }
}
