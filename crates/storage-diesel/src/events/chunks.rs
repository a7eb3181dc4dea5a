//! Long values of events, stored once per record and month (adr/0036).
//!
//! An event repeats its whole record, so a change of 20 bytes to a task with a description of 200 KB would add 200 KB to the log.
//! Instead, long values of the payload are cut into chunks whose bounds depend only on the text. A chunk is a row of
//! `event_chunks`, and the payload refers to it by its SHA-256, so the record's next event reuses unchanged chunks.
//!
//! The stored payload of such an event begins with [`MARK`], the length of the whole payload and another [`MARK`]; a reference is a
//! [`MARK`] and a digest. JSON text has no control characters, so a payload without long values is stored as it is.

use std::borrow::Cow;
use std::collections::BTreeMap;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ring::digest::{SHA256, digest};
use serde::Deserialize;
use serde_json::value::RawValue;

/// Marks the header and the references of a stored payload.
pub(crate) const MARK: char = '\u{1a}';
/// Values whose JSON is longer are stored as chunks.
const MAX_INLINE_BYTES: usize = 2 << 10;
/// Characters of a digest: SHA-256 in Base64.
const DIGEST: usize = 43;
/// Bounds of a chunk in bytes. Between them, a chunk ends after every 4 KiB on average.
const MIN_CHUNK: usize = 4 << 10;
const MAX_CHUNK: usize = 16 << 10;
const CUT_MASK: u64 = (4 << 10) - 1;

/// A payload with long values.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct ShortenedPayload<'p> {
    /// The payload as stored in `events`.
    pub(crate) payload: String,
    /// The chunks that it refers to, by digest.
    pub(crate) chunks: BTreeMap<String, &'p str>,
}

/// The fields of a payload as raw JSON.
#[derive(Deserialize)]
struct Payload<'p> {
    #[serde(borrow)]
    changes: BTreeMap<Cow<'p, str>, Change<'p>>,
    #[serde(borrow)]
    data: BTreeMap<Cow<'p, str>, &'p RawValue>,
}

#[derive(Deserialize)]
struct Change<'p> {
    #[serde(borrow)]
    from: &'p RawValue,
    #[serde(borrow)]
    to: &'p RawValue,
}

/// The stored form of a payload; `None` if it is stored unchanged.
pub(crate) fn shorten(payload: &str) -> Option<ShortenedPayload<'_>> {
    if payload.len() <= MAX_INLINE_BYTES {
        return None;
    }
    let members: Payload<'_> = serde_json::from_str(payload).ok()?;
    let changes = members.changes.values().flat_map(|change| [change.from, change.to]);
    let long =
        changes.chain(members.data.values().copied()).map(RawValue::get).filter(|value| value.len() > MAX_INLINE_BYTES);
    let start = payload.as_ptr() as usize;
    // Without the quotation marks or brackets, so that the rest is JSON except for the marks.
    let mut spans: Vec<_> = long
        .map(|value| {
            let at = value.as_ptr() as usize - start;
            at + 1..at + value.len() - 1
        })
        .collect();
    if spans.is_empty() {
        return None;
    }
    spans.sort_by_key(|span| span.start);
    let mut stored = format!("{MARK}{}{MARK}", payload.len());
    let (mut chunks, mut end) = (BTreeMap::new(), 0);
    for span in spans {
        stored.push_str(&payload[end..span.start]);
        for chunk in cut(&payload[span.clone()]) {
            let digest = digest_of(chunk);
            stored.push(MARK);
            stored.push_str(&digest);
            chunks.insert(digest, chunk);
        }
        end = span.end;
    }
    stored.push_str(&payload[end..]);
    Some(ShortenedPayload { payload: stored, chunks })
}

/// The digests that a stored payload refers to.
pub(crate) fn references(stored: &str) -> impl Iterator<Item = &str> {
    let references = parts(stored).into_iter().flat_map(|parts| parts.skip(1));
    references.filter_map(|part| part.get(..DIGEST))
}

/// Restores a payload from its stored form; `None` if a chunk is missing.
pub(crate) fn restore<'c>(stored: &str, chunk: impl Fn(&str) -> Option<&'c str>) -> Option<String> {
    let Some(mut parts) = parts(stored) else { return Some(stored.to_owned()) };
    let mut payload = parts.next()?.to_owned();
    for part in parts {
        let (digest, following) = part.split_at_checked(DIGEST)?;
        payload.push_str(chunk(digest)?);
        payload.push_str(following);
    }
    Some(payload)
}

/// Whether the payload was stored with references.
pub(crate) fn is_shortened(stored: &str) -> bool {
    stored.starts_with(MARK)
}

/// The text before the first reference, then each reference with the text after it.
fn parts(stored: &str) -> Option<impl Iterator<Item = &str>> {
    let (_, skeleton) = stored.strip_prefix(MARK)?.split_once(MARK)?;
    Some(skeleton.split(MARK))
}

fn digest_of(chunk: &str) -> String {
    URL_SAFE_NO_PAD.encode(digest(&SHA256, chunk.as_bytes()))
}

/// Cuts a text at positions determined by its bytes: an edit changes the chunks around it, and later ones stay the same.
fn cut(mut text: &str) -> impl Iterator<Item = &str> {
    std::iter::from_fn(move || {
        if text.is_empty() {
            return None;
        }
        let (chunk, rest) = text.split_at(end_of_chunk(text));
        text = rest;
        Some(chunk)
    })
}

/// A rolling hash over the last 64 bytes ("gear") decides, at the next start of a character.
fn end_of_chunk(text: &str) -> usize {
    if text.len() <= MIN_CHUNK {
        return text.len();
    }
    let (mut hash, mut is_due) = (0_u64, false);
    // Before the minimum, only the bytes that the hash still covers at the minimum matter.
    for (at, byte) in text.bytes().enumerate().take(MAX_CHUNK).skip(MIN_CHUNK - 64) {
        if at >= MIN_CHUNK && is_due && text.is_char_boundary(at) {
            return at;
        }
        hash = (hash << 1).wrapping_add(GEAR[usize::from(byte)]);
        // The high bits depend on all 64 bytes.
        is_due |= at + 1 >= MIN_CHUNK && (hash >> 48) & CUT_MASK == 0;
    }
    text.floor_char_boundary(MAX_CHUNK)
}

/// Random numbers that must never change: others would cut differently, and stored chunks would not be reused.
const GEAR: [u64; 256] = {
    let (mut table, mut state, mut at) = ([0; 256], 0_u64, 0);
    while at < 256 {
        // SplitMix64.
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        table[at] = mixed ^ (mixed >> 31);
        at += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    fn payload(description: &str, priority: &str) -> String {
        json!({ "actor": {"type": "user"}, "changes": {"priority": {"from": "low", "to": priority}},
            "data": {"custom_fields": {}, "description": description, "priority": priority} })
        .to_string()
    }

    fn restored(shortened: &ShortenedPayload<'_>) -> Option<String> {
        restore(&shortened.payload, |digest| shortened.chunks.get(digest).copied())
    }

    /// Words without repetition, so that chunks differ.
    fn text(bytes: usize) -> String {
        let mut text: String =
            (0_u64..).map(|n| format!("{:x} ", n.wrapping_mul(0x9e37_79b9_7f4a_7c15))).take(bytes / 8).collect();
        text.truncate(bytes);
        text
    }

    #[test]
    fn short_payloads_are_stored_as_they_are() {
        for short in ["", "{}", &payload("short", "high"), &format!("[{}]", "1,".repeat(4_000))] {
            assert_eq!(shorten(short), None);
            assert_eq!(restore(short, |_| None).as_deref(), Some(short));
        }
    }

    #[test]
    fn an_unchanged_long_value_is_stored_once() {
        let long = text(200_000);
        let (first, second) = (payload(&long, "low"), payload(&long, "high"));
        let (first, second) = (shorten(&first).unwrap(), shorten(&second).unwrap());
        assert_eq!(first.chunks, second.chunks);
        assert!(first.payload.len() < 3_000, "{}", first.payload.len());
        assert!((15..50).contains(&first.chunks.len()), "{}", first.chunks.len());
        assert_eq!(references(&first.payload).count(), first.chunks.len());
    }

    #[test]
    fn an_edit_changes_the_chunks_around_it() {
        let long = text(200_000);
        let edited = format!("{}inserted{}", &long[..100_000], &long[100_000..]);
        let (before, after) = (payload(&long, "low"), payload(&edited, "low"));
        let (before, after) = (shorten(&before).unwrap(), shorten(&after).unwrap());
        let new: usize = after
            .chunks
            .iter()
            .filter(|(digest, _)| !before.chunks.contains_key(*digest))
            .map(|(_, chunk)| chunk.len())
            .sum();
        assert!(new <= 3 * MAX_CHUNK, "{new}");
    }

    #[test]
    fn a_missing_chunk_is_detected() {
        let payload = payload(&text(20_000), "low");
        let shortened = shorten(&payload).unwrap();
        assert_eq!(restored(&shortened).as_deref(), Some(&*payload));
        assert_eq!(restore(&shortened.payload, |_| None), None);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn restoring_returns_what_was_stored(
            description in "\\PC{0,6000}", repeated in "[a-z\"\\\\\n\u{20000}]{1,5}", times in 0_usize..9_000,
            fields in prop::collection::btree_map("[a-z\u{1a}]{1,9}", "\\PC{0,900}", 0..9),
        ) {
            let repeated = repeated.repeat(times);
            let payload = json!({
                "actor": null, "changes": {"description": {"from": description, "to": repeated}},
                "data": {"custom_fields": fields, "description": repeated, "tags": [description]},
            }).to_string();
            if let Some(shortened) = shorten(&payload) {
                prop_assert_eq!(restored(&shortened), Some(payload));
            }
        }
    }
}
