//! The format of log lines.

use std::fmt::Display;
use std::io::{self, Write};
use std::str::FromStr;

use log::Record;
use log::kv::{self, Key, Value, VisitSource, VisitValue};
use serde::Serialize;

use crate::log_context::context::{Context, FieldValue};

/// The members of every line.
const RESERVED: [&str; 4] = ["timestamp", "level", "target", "message"];
/// The member with the trace that a line belongs to.
const TRACE: &str = "trace_id";
/// The key for the plain message of a record whose text repeats its fields.
const MESSAGE: &str = "message";

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum LogFormat {
    /// `[timestamp LEVEL target] message name=value`, like `env_logger`, followed by the context.
    #[default]
    Text,
    /// One JSON object per line, with the record's own fields and those of the context as members.
    Json,
}

/// An unknown log format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UnknownFormat;

impl Display for UnknownFormat {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("it must be text or json")
    }
}

impl std::error::Error for UnknownFormat {}

impl FromStr for LogFormat {
    type Err = UnknownFormat;

    fn from_str(text: &str) -> Result<Self, UnknownFormat> {
        match text {
            "text" => Ok(Self::Text),
            "json" => Ok(Self::Json),
            _ => Err(UnknownFormat),
        }
    }
}

impl LogFormat {
    /// Writes a record with the fields of the current context, and a newline.
    pub fn write(self, out: &mut impl Write, timestamp: impl Display, record: &Record<'_>) -> io::Result<()> {
        let context = Context::current();
        match self {
            Self::Text => text(out, timestamp, record, &context),
            Self::Json => out.write_all(&json(timestamp, record, &context)?),
        }
    }
}

fn text(out: &mut impl Write, timestamp: impl Display, record: &Record<'_>, context: &Context) -> io::Result<()> {
    // Further lines of a message are indented, so that a message cannot forge a log line.
    let message = record.args().to_string().replace('\n', "\n    ");
    write!(out, "[{timestamp} {:<5} {}] {message}", record.level(), record.target())?;
    for (name, value) in context.fields() {
        write!(out, " {name}={value}")?;
    }
    if let Some(span) = context.span() {
        write!(out, " {TRACE}={:032x}", span.trace)?;
    }
    writeln!(out)
}

fn json(timestamp: impl Display, record: &Record<'_>, context: &Context) -> io::Result<Vec<u8>> {
    let pairs = record.key_values();
    let message = pairs.get(Key::from_str(MESSAGE)).map_or_else(|| record.args().to_string(), |text| text.to_string());
    let mut line = Vec::with_capacity(256);
    write!(line, "{{\"timestamp\":\"{timestamp}\",\"level\":\"{}\",\"target\":", record.level())?;
    serde_json::to_writer(&mut line, record.target())?;
    line.extend_from_slice(b",\"message\":");
    serde_json::to_writer(&mut line, &message)?;
    for (name, value) in context.fields() {
        // No member is written twice; the record's own value wins.
        if pairs.get(Key::from_str(name)).is_none() {
            begin_member(&mut line, name)?;
            match value {
                FieldValue::Text(text) => serde_json::to_writer(&mut line, &**text)?,
                FieldValue::Id(id) => write!(line, "\"{id}\"")?,
            }
        }
    }
    if let Some(span) = context.span() {
        begin_member(&mut line, TRACE)?;
        write!(line, "\"{:032x}\"", span.trace)?;
    }
    pairs.visit(&mut JsonFields(&mut line)).map_err(|error| io::Error::other(error.to_string()))?;
    line.extend_from_slice(b"}\n");
    Ok(line)
}

fn begin_member(line: &mut Vec<u8>, name: &str) -> io::Result<()> {
    line.push(b',');
    serde_json::to_writer(&mut *line, name)?;
    line.push(b':');
    Ok(())
}

/// Writes a record's own fields, each as the corresponding JSON type.
struct JsonFields<'l>(&'l mut Vec<u8>);

impl<'kvs> VisitSource<'kvs> for JsonFields<'_> {
    fn visit_pair(&mut self, key: Key<'kvs>, value: Value<'kvs>) -> Result<(), kv::Error> {
        if RESERVED.contains(&key.as_str()) {
            return Ok(());
        }
        begin_member(self.0, key.as_str()).map_err(|_| unwritable())?;
        value.visit(self)
    }
}

impl JsonFields<'_> {
    fn put(&mut self, value: impl Serialize) -> Result<(), kv::Error> {
        serde_json::to_writer(&mut *self.0, &value).map_err(|_| unwritable())
    }
}

impl VisitValue<'_> for JsonFields<'_> {
    fn visit_any(&mut self, value: Value<'_>) -> Result<(), kv::Error> {
        self.put(value.to_string())
    }

    fn visit_null(&mut self) -> Result<(), kv::Error> {
        self.put(())
    }

    fn visit_u64(&mut self, value: u64) -> Result<(), kv::Error> {
        self.put(value)
    }

    fn visit_i64(&mut self, value: i64) -> Result<(), kv::Error> {
        self.put(value)
    }

    fn visit_f64(&mut self, value: f64) -> Result<(), kv::Error> {
        self.put(value)
    }

    fn visit_bool(&mut self, value: bool) -> Result<(), kv::Error> {
        self.put(value)
    }

    fn visit_str(&mut self, value: &str) -> Result<(), kv::Error> {
        self.put(value)
    }
}

fn unwritable() -> kv::Error {
    kv::Error::msg("a field cannot be written as JSON")
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use log::Level;
    use log::kv::ToValue;
    use uuid::Uuid;

    use super::*;

    const AT: &str = "2026-11-22T01:02:03.000004Z";

    fn formatted(format: LogFormat, message: &str, fields: &[(&str, Value<'_>)]) -> String {
        let mut out = Vec::new();
        let context = Context::new([
            ("request_id", FieldValue::Text(Arc::from("r-1"))),
            ("workspace_id", FieldValue::Id(Uuid::from_u128(7))),
        ]);
        let source: &[(&str, Value<'_>)] = fields;
        context.enter(|| {
            let args = format_args!("{message}");
            let mut record = Record::builder();
            record.level(Level::Warn).target("store").key_values(&source).args(args);
            format.write(&mut out, AT, &record.build()).unwrap();
        });
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn text_ends_with_the_context_and_indents_further_lines() {
        let line = formatted(LogFormat::Text, "it failed:\n[2026] forged", &[("status", Value::from(503_u16))]);
        assert_eq!(
            line,
            format!(
                "[{AT} WARN  store] it failed:\n    [2026] forged request_id=r-1 workspace_id={}\n",
                Uuid::from_u128(7)
            )
        );
    }

    #[test]
    fn json_is_one_object_with_any_content() {
        let message = "quote \" backslash \\ newline \n tab \t \u{1} \u{1f600}";
        let fields = [
            ("status", Value::from(503_u16)),
            ("bytes", None::<u64>.to_value()),
            ("share", Value::from(f64::NAN)),
            ("done", Value::from(true)),
            ("level", Value::from("forged")),
            ("workspace_id", Value::from("its own")),
        ];
        let line = formatted(LogFormat::Json, message, &fields);
        assert!(line.ends_with("}\n") && line.matches('\n').count() == 1, "{line}");
        let json: serde_json::Value = serde_json::from_str(&line).unwrap();
        let expected = serde_json::json!({
            "timestamp": AT, "level": "WARN", "target": "store", "message": message, "request_id": "r-1",
            "status": 503, "bytes": null, "share": null, "done": true, "workspace_id": "its own",
        });
        assert_eq!(json, expected);
        assert_eq!(line.matches("\"workspace_id\"").count(), 1, "{line}");
    }

    #[test]
    fn a_record_may_pass_its_message_as_a_field() {
        let line = formatted(LogFormat::Json, "status=200", &[("message", Value::from("request"))]);
        assert!(line.contains("\"message\":\"request\"") && !line.contains("status"), "{line}");
    }

    #[test]
    fn formats_have_names() {
        assert_eq!(("text".parse(), "json".parse()), (Ok(LogFormat::Text), Ok(LogFormat::Json)));
        assert_eq!("JSON".parse::<LogFormat>(), Err(UnknownFormat));
    }
}
