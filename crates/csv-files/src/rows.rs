//! Splits a text into rows and cells (RFC 4180), and refuses ambiguous quotation marks.

use std::io::Read;

use domain::transfer::MAX_ROW_BYTES;

use crate::TableError;
use crate::decode::Text;
use crate::form::{FileForm, end_of_first_line, is_line_end, likely_delimiter, named_delimiter};

/// The state of the parser.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    /// Before the first character of a cell.
    Begins,
    /// After spaces at the beginning of a cell.
    Blank,
    /// In an unquoted cell.
    Plain,
    Quoted,
    /// After a quotation mark in a quoted cell, which ends the cell unless another mark follows.
    Closed,
}

/// Reads the rows of a file one by one.
pub(crate) struct Rows<R> {
    pub(crate) text: Text<R>,
    pub(crate) form: FileForm,
    buffer: Vec<u8>,
    /// The offset of the next byte in the buffer.
    offset: usize,
    /// The line number of the next byte, starting at 1.
    pub(crate) line: u64,
    /// Whether the last byte was a carriage return: a line feed after it belongs to the same line ending.
    is_after_return: bool,
    /// The line number of the start of the row.
    pub(crate) number: u64,
    /// The line number of the opening quotation mark of the cell.
    opened: u64,
    /// Whether the row ended with a line ending rather than at the end of the file.
    pub(crate) is_ended: bool,
    /// The bytes of the row's cells, and the end offset of each cell.
    cells: Vec<u8>,
    ends: Vec<usize>,
}

impl<R: Read> Rows<R> {
    /// Fails with [`TableError`] if the input fails, or seems to be UTF-16 without a byte order mark.
    pub(crate) fn new(text: Text<R>) -> Result<Self, TableError> {
        let mut rows = Self {
            form: FileForm { has_mark: text.has_mark, ..FileForm::PLAIN },
            text,
            buffer: Vec::new(),
            offset: 0,
            line: 1,
            is_after_return: false,
            number: 1,
            opened: 1,
            is_ended: false,
            cells: Vec::new(),
            ends: Vec::new(),
        };
        while end_of_first_line(&rows.buffer).is_none() && rows.buffer.len() <= MAX_ROW_BYTES && rows.read_more()? {}
        // Some programs write a second mark before a text that already has one.
        while rows.buffer[rows.offset..].starts_with(b"\xef\xbb\xbf") {
            rows.offset += 3;
        }
        let start = &rows.buffer[rows.offset..];
        if let Some(nul) = start[..end_of_first_line(start).unwrap_or(start.len())].iter().position(|byte| *byte == 0) {
            // The first byte of an ASCII character is 0 if the more significant one comes first.
            let likely = if nul % 2 == 0 { "UTF-16BE" } else { "UTF-16LE" };
            return Err(TableError::Nul { likely });
        }
        let named = named_delimiter(start);
        rows.form.delimiter = named.map_or_else(|| likely_delimiter(start), |(delimiter, _)| delimiter);
        rows.form.names_delimiter = named.is_some();
        rows.offset += named.map_or(0, |(_, length)| length);
        Ok(rows)
    }

    /// The cells of the row.
    pub(crate) fn cells(&self) -> impl ExactSizeIterator<Item = &[u8]> {
        (0..self.ends.len()).map(|index| {
            let begin = if index == 0 { 0 } else { self.ends[index - 1] };
            &self.cells[begin..self.ends[index]]
        })
    }

    /// Reads the next row that has content; returns false at the end. Fails with [`TableError`] for a row that is too
    /// long, for misplaced quotation marks, and if the input fails.
    pub(crate) fn next(&mut self) -> Result<bool, TableError> {
        while self.skip_line_ends()? {
            self.read_row()?;
            if !self.cells.is_empty() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn skip_line_ends(&mut self) -> Result<bool, TableError> {
        while let Some(byte) = self.peek()? {
            if !is_line_end(byte) {
                return Ok(true);
            }
            self.count(byte);
        }
        Ok(false)
    }

    fn read_row(&mut self) -> Result<(), TableError> {
        self.number = self.line;
        self.cells.clear();
        self.ends.clear();
        self.is_ended = false;
        let mut state = State::Begins;
        while let Some(byte) = self.peek()? {
            self.is_ended = state != State::Quoted && is_line_end(byte);
            if self.is_ended {
                self.count(byte);
                break;
            }
            state = self.step(state, byte)?;
            self.count(byte);
            self.copy_run(state);
            if self.cells.len() + self.ends.len() > MAX_ROW_BYTES {
                return Err(TableError::LongRow { line: self.number });
            }
        }
        if state == State::Quoted {
            return Err(TableError::Unclosed { line: self.opened });
        }
        self.ends.push(self.cells.len());
        Ok(())
    }

    /// Processes one byte of a row.
    fn step(&mut self, state: State, byte: u8) -> Result<State, TableError> {
        match (state, byte) {
            (State::Quoted, b'"') => return Ok(State::Closed),
            (State::Quoted, _) | (State::Closed, b'"') => {
                self.cells.push(byte);
                return Ok(State::Quoted);
            }
            _ if byte == self.form.delimiter => {
                self.ends.push(self.cells.len());
                return Ok(State::Begins);
            }
            (State::Closed, _) => return Err(TableError::BehindQuote { line: self.line, opened: self.opened }),
            (State::Begins, b'"') => {
                self.opened = self.line;
                return Ok(State::Quoted);
            }
            (State::Blank, b'"') => return Err(TableError::BeforeQuote { line: self.line }),
            _ => {}
        }
        self.cells.push(byte);
        let is_blank = matches!(state, State::Begins | State::Blank) && matches!(byte, b' ' | b'\t');
        Ok(if is_blank { State::Blank } else { State::Plain })
    }

    /// Copies bytes from the buffer up to the next byte with a meaning.
    fn copy_run(&mut self, state: State) {
        let (rest, delimiter) = (&self.buffer[self.offset..], self.form.delimiter);
        let run = match state {
            State::Plain => rest.iter().position(|byte| *byte == delimiter || is_line_end(*byte)),
            State::Quoted => rest.iter().position(|byte| *byte == b'"' || is_line_end(*byte)),
            _ => Some(0),
        };
        let run = &rest[..run.unwrap_or(rest.len())];
        if !run.is_empty() {
            self.cells.extend_from_slice(run);
            self.offset += run.len();
            self.is_after_return = false;
        }
    }

    /// Moves past the next byte, and counts lines.
    fn count(&mut self, byte: u8) {
        self.offset += 1;
        if byte == b'\r' || byte == b'\n' && !self.is_after_return {
            self.line = self.line.saturating_add(1);
        }
        self.is_after_return = byte == b'\r';
    }

    /// The next byte; `None` at the end.
    fn peek(&mut self) -> Result<Option<u8>, TableError> {
        if self.offset == self.buffer.len() {
            self.buffer.clear();
            self.offset = 0;
            self.read_more()?;
        }
        Ok(self.buffer.get(self.offset).copied())
    }

    /// Reads more into the buffer; returns false at the end.
    fn read_more(&mut self) -> Result<bool, TableError> {
        let before = self.buffer.len();
        let line = self.line;
        self.text.read_into(&mut self.buffer).map_err(|reason| TableError::Input { line, reason })?;
        Ok(self.buffer.len() > before)
    }
}
