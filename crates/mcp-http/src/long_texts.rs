//! Records in tool results: complete, except that long texts are cut with a marker and can be read in parts.

use domain::kernel::input::json::{Json, Map};
use domain::tools::Tool;
use schemars::JsonSchema;
use serde::Serialize;

use crate::outputs::ToolOutput;

/// Maximum length of a text in a result, in characters.
const SHOWN_CHARACTERS: usize = 4_000;
/// Replaces `SHOWN_CHARACTERS` if the result would otherwise be too large.
const SHOWN_WHEN_TIGHT: usize = 500;
/// Maximum size of a JSON member in a result; a larger one is omitted and can be read in parts.
const SHOWN_JSON_BYTES: usize = 6_000;
/// Maximum size of a part, which a result contains twice: once as JSON, and once escaped in the text.
const PART_BYTES: usize = 12_000;

/// A member that may be long.
pub(crate) enum LongMember<'a> {
    /// A text that is never null.
    Text(&'a mut String),
    /// A text that may be null.
    OptionalText(&'a mut Option<String>),
    /// A free-form object.
    Object(&'a mut Map<String, Json>),
    /// Any JSON.
    Json(&'a mut Option<Json>),
}

/// A record with members that may be long.
pub(crate) trait LongTexts: Serialize + JsonSchema {
    /// The names of the long members.
    const NAMES: &'static [&'static str];

    /// The tool that returns further parts, if there is one.
    fn reader_tool(&self) -> Option<Tool>;

    /// The long members, in the order of `NAMES`.
    fn long_texts(&mut self) -> Vec<LongMember<'_>>;

    /// Reduces other large members if the result would otherwise be too large.
    fn tighten_other_fields(&mut self) {}
}

/// Implements [`LongTexts`]: with the tool that returns further parts, and the long members.
macro_rules! long_texts {
    ($record:ty, $reader:expr $(, $member:ident: $kind:ident)*) => {
        impl $crate::long_texts::LongTexts for $record {
            const NAMES: &'static [&'static str] = &[$(stringify!($member)),*];

            fn reader_tool(&self) -> Option<domain::tools::Tool> {
                $reader
            }

            fn long_texts(&mut self) -> Vec<$crate::long_texts::LongMember<'_>> {
                vec![$($crate::long_texts::LongMember::$kind(&mut self.$member)),*]
            }
        }
    };
}
pub(crate) use long_texts;

/// Selects a part of a long member.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Part {
    pub(crate) name: &'static str,
    pub(crate) offset: usize,
}

/// A member that was cut.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Truncation {
    /// The member's name.
    member: &'static str,
    /// Its length in characters; of its JSON if it is not a text.
    total_characters: usize,
    /// Where to continue: pass it as offset, with expand naming the member.
    next_offset: usize,
}

/// A part of a long member.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct TextPart {
    /// The member's name.
    member: &'static str,
    /// The position of the first character.
    offset: usize,
    /// The characters; of its JSON if it is not a text.
    text: String,
    /// Where to continue; null at the end.
    next_offset: Option<usize>,
}

/// A record, and what was cut from it.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Detail<T> {
    #[serde(flatten)]
    record: T,
    /// The members that were cut; absent if none was.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    cut: Vec<Truncation>,
    /// The part requested with expand.
    #[serde(skip_serializing_if = "Option::is_none")]
    part: Option<TextPart>,
}

impl<T: LongTexts> Detail<T> {
    /// Cuts a record to the size of a result.
    pub(crate) fn new(record: T, part: Option<Part>) -> Self {
        let mut detail = Self { record, cut: Vec::new(), part: None };
        detail.part = part.map(|part| {
            let long = T::NAMES.iter().copied().zip(detail.record.long_texts()).find(|(name, _)| *name == part.name);
            select_part(long.map(|(_, member)| member), part)
        });
        detail.cut_to(SHOWN_CHARACTERS);
        detail
    }

    fn cut_to(&mut self, characters: usize) {
        let reader = self.record.reader_tool();
        let members = T::NAMES.iter().copied().zip(self.record.long_texts()).collect();
        self.cut = cut_members(members, &self.cut, characters, reader);
    }
}

impl<T: LongTexts + Send> ToolOutput for Detail<T> {
    fn tighten(&mut self) {
        self.cut_to(SHOWN_WHEN_TIGHT);
        self.record.tighten_other_fields();
    }
}

fn select_part(member: Option<LongMember<'_>>, part: Part) -> TextPart {
    let complete = match member {
        None => String::new(),
        Some(LongMember::Text(text)) => text.clone(),
        Some(LongMember::OptionalText(text)) => text.clone().unwrap_or_default(),
        Some(LongMember::Object(object)) => serde_json::to_string(object).unwrap_or_default(),
        Some(LongMember::Json(json)) => json.as_ref().map(Json::to_string).unwrap_or_default(),
    };
    let rest = complete.char_indices().nth(part.offset).map_or("", |(start, _)| &complete[start..]);
    let mut bytes = 0;
    let text: String = rest
        .chars()
        .take_while(|character| {
            bytes += size_in_result(*character);
            bytes <= PART_BYTES
        })
        .collect();
    let end = part.offset + text.chars().count();
    let next_offset = (text.len() < rest.len()).then_some(end);
    TextPart { member: part.name, offset: part.offset, text, next_offset }
}

/// Cuts the long members of a record, some of which may have been cut before.
fn cut_members(
    members: Vec<(&'static str, LongMember<'_>)>,
    before: &[Truncation],
    characters: usize,
    reader: Option<Tool>,
) -> Vec<Truncation> {
    let mut cuts = Vec::new();
    for (name, long) in members {
        let previous_total = before.iter().find(|cut| cut.member == name).map(|cut| cut.total_characters);
        let next_offset = match long {
            LongMember::Text(text) | LongMember::OptionalText(Some(text)) => {
                cut_text(name, text, characters, previous_total, reader)
            }
            LongMember::Object(object) if is_large(object) => {
                let total = characters_of(object);
                object.clear();
                Some((total, 0))
            }
            LongMember::Json(Some(json)) if is_large(json) => {
                let total = characters_of(json);
                *json = Json::Null;
                Some((total, 0))
            }
            // Omitted by the previous cut.
            LongMember::Object(_) | LongMember::Json(_) | LongMember::OptionalText(None) => {
                previous_total.map(|total| (total, 0))
            }
        };
        if let Some((total_characters, next_offset)) = next_offset {
            cuts.push(Truncation { member: name, total_characters, next_offset });
        }
    }
    cuts
}

/// Half of the bytes that a character takes in a result, which contains it twice: as JSON and in the escaped text.
fn size_in_result(character: char) -> usize {
    match character {
        '"' | '\\' | '\n' | '\t' => 3,
        other => other.len_utf8(),
    }
}

fn is_large(json: &impl Serialize) -> bool {
    serde_json::to_string(json).is_ok_and(|text| text.len() > SHOWN_JSON_BYTES)
}

fn characters_of(json: &impl Serialize) -> usize {
    serde_json::to_string(json).map_or(0, |text| text.chars().count())
}

/// Cuts a text and appends a marker. Returns the total length and where to continue.
fn cut_text(
    name: &str,
    text: &mut String,
    characters: usize,
    previous_total: Option<usize>,
    reader: Option<Tool>,
) -> Option<(usize, usize)> {
    // A text never has more characters than bytes.
    if previous_total.is_none() && text.len() <= characters {
        return None;
    }
    let total = previous_total.unwrap_or_else(|| text.chars().count());
    if total <= characters {
        return None;
    }
    let end = text.char_indices().nth(characters).map_or(text.len(), |(index, _)| index);
    text.truncate(end);
    let hint = reader
        .map_or_else(String::new, |tool| format!("; {tool} with expand \"{name}\" and offset {characters} continues"));
    let marker = format!(" … [cut after {characters} of {total} characters{hint}]");
    text.push_str(&marker);
    Some((total, characters))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Serialize, JsonSchema)]
    struct Record {
        notes: Option<String>,
        custom_fields: Map<String, Json>,
    }

    long_texts!(Record, Some(Tool::GetContact), notes: OptionalText, custom_fields: Object);

    fn record(notes: &str, members: usize) -> Record {
        let member = |number: usize| (format!("member{number}"), Json::from("x".repeat(90)));
        Record { notes: Some(notes.to_owned()), custom_fields: (0..members).map(member).collect() }
    }

    #[test]
    fn short_records_are_complete() {
        let shown = serde_json::to_value(Detail::new(record("short", 2), None)).unwrap();
        assert_eq!(shown["notes"], "short");
        assert_eq!(shown.get("cut"), None);
        assert_eq!(shown["custom_fields"].as_object().map(Map::len), Some(2));
    }

    #[test]
    fn long_texts_are_cut_with_a_marker_and_can_be_read_to_the_end() {
        let notes: String = (0..30_000).map(|index| char::from(b'a' + u8::try_from(index % 26).unwrap())).collect();
        let shown = serde_json::to_value(Detail::new(record(&notes, 200), None)).unwrap();
        let text = shown["notes"].as_str().unwrap();
        assert!(text.starts_with(&notes[..4_000]) && text.contains("cut after 4000 of 30000"), "{text}");
        assert!(text.contains(r#"get_contact with expand "notes" and offset 4000"#));
        assert_eq!(shown["cut"][0]["next_offset"], 4_000);
        assert_eq!((&shown["custom_fields"], &shown["cut"][1]["next_offset"]), (&Json::Object(Map::new()), &0.into()));
        for (name, complete) in [
            ("notes", notes.clone()),
            ("custom_fields", serde_json::to_string(&record("", 200).custom_fields).unwrap()),
        ] {
            let (mut read, mut offset) = (String::new(), Some(0));
            while let Some(from) = offset {
                let detail = Detail::new(record(&notes, 200), Some(Part { name, offset: from }));
                let part = detail.part.unwrap();
                assert!(!part.text.is_empty() && part.offset == read.chars().count());
                read.push_str(&part.text);
                offset = part.next_offset;
            }
            assert_eq!(read, complete, "{name}");
        }
    }

    #[test]
    fn a_tight_answer_keeps_the_true_length() {
        let mut detail = Detail::new(record(&"ü".repeat(5_000), 200), None);
        detail.tighten();
        let shown = serde_json::to_value(&detail).unwrap();
        assert!(shown["notes"].as_str().unwrap().contains("cut after 500 of 5000 characters"));
        assert_eq!(shown["cut"].as_array().map(Vec::len), Some(2));
        let mut medium = Detail::new(record(&"x".repeat(3_000), 0), None);
        medium.tighten();
        assert_eq!(serde_json::to_value(&medium).unwrap()["cut"][0]["total_characters"], 3_000);
    }

    #[test]
    fn an_offset_beyond_the_end_is_the_end() {
        let detail = Detail::new(record("short", 0), Some(Part { name: "notes", offset: 99 }));
        let part = detail.part.unwrap();
        assert_eq!((part.text.as_str(), part.next_offset), ("", None));
    }
}
