//! Template filters: texts, numbers, times, Markdown, icons.

#![expect(
    unreachable_pub,
    clippy::inline_always,
    clippy::unused_self,
    clippy::unnecessary_wraps,
    clippy::trivially_copy_pass_by_ref,
    reason = "askama::filter_fn turns each function into a type, and prescribes its signature"
)]

use askama::Values;
use askama::filters::Safe;
use domain::kernel::input::format_timestamp;
use fluent_bundle::FluentValue;
use jiff::{Timestamp, civil};
use time::{Date, OffsetDateTime};

use crate::layout::Shell;
use crate::markdown::{Pictures, plain_with_pictures, to_html};
use crate::rendering::take_markdown;
use crate::texts;

/// The text of a key.
#[askama::filter_fn]
pub(crate) fn t(key: &str, _: &dyn Values) -> askama::Result<String> {
    Ok(texts::text(key))
}

/// The text of a key with `$count`.
#[askama::filter_fn]
pub(crate) fn t_count(key: &str, _: &dyn Values, count: usize) -> askama::Result<String> {
    Ok(texts::text_with(key, [("count", FluentValue::from(count))]))
}

/// The text of a key with `$name`.
#[askama::filter_fn]
pub(crate) fn t_name(key: &str, _: &dyn Values, name: &str) -> askama::Result<String> {
    Ok(texts::text_named(key, name))
}

/// A value of a record's field in words, such as `in_progress`.
#[askama::filter_fn]
pub(crate) fn choice(value: &str, _: &dyn Values) -> askama::Result<String> {
    Ok(texts::label("value", value))
}

/// The label of a name within a group of texts: `"member-status"|word("active")` is the text of `member-status-active`.
#[askama::filter_fn]
pub(crate) fn word(group: &str, _: &dyn Values, name: &str) -> askama::Result<String> {
    Ok(texts::label(group, name))
}

/// A number with thousands separators.
#[askama::filter_fn]
pub(crate) fn count(number: &u64, _: &dyn Values) -> askama::Result<String> {
    Ok(crate::records::grouped(&number.to_string()))
}

/// A time in the reader's zone. The title has the full time, and scripts show how long ago it was.
#[askama::filter_fn]
pub(crate) fn at(time: &OffsetDateTime, _: &dyn Values, shell: &Shell) -> askama::Result<Safe<String>> {
    Ok(Safe(time_html(*time, shell)))
}

fn time_html(time: OffsetDateTime, shell: &Shell) -> String {
    let timestamp = format_timestamp(time);
    let label = crate::layout::time_in_words(time, &shell.preferences.zone);
    let zone = shell.zone_name();
    format!("<time datetime=\"{timestamp}\" title=\"{label} {zone}\">{label}</time>")
}

/// The due time of something that is still open.
#[askama::filter_fn]
pub(crate) fn due(time: &OffsetDateTime, _: &dyn Values, shell: &Shell) -> askama::Result<Safe<String>> {
    Ok(Safe(due_html(time_html(*time, shell), *time < shell.now)))
}

/// The due day of something that is still open, such as `2026-11-22`.
#[askama::filter_fn]
pub(crate) fn due_day(day: &str, _: &dyn Values, shell: &Shell) -> askama::Result<Safe<String>> {
    let day: Option<civil::Date> = day.parse().ok();
    let is_overdue = day.is_some_and(|day| day < shell.local(shell.now).date());
    Ok(Safe(due_html(day.map(|day| day.strftime("%-d %b %Y").to_string()).unwrap_or_default(), is_overdue)))
}

/// Overdue dates are marked by a colour, an icon and a word.
fn due_html(date: String, is_overdue: bool) -> String {
    if !is_overdue {
        return date;
    }
    let (icon, word) = (assets::icon("alert-triangle"), texts::text("overdue"));
    format!(
        "<span class=\"overdue\"><span aria-hidden=\"true\">{icon}</span>\
         <span class=\"visually-hidden\">{word}</span> {date}</span>"
    )
}

/// Formats the day `2026-11-22` as `22 Nov 2026`.
#[askama::filter_fn]
pub(crate) fn iso_day(day: &str, _: &dyn Values) -> askama::Result<String> {
    Ok(crate::records::day(day))
}

/// The day of a time in the reader's zone, such as `22 Nov 2026`.
#[askama::filter_fn]
pub(crate) fn on(time: &OffsetDateTime, _: &dyn Values, shell: &Shell) -> askama::Result<String> {
    Ok(shell.local(*time).strftime("%-d %b %Y").to_string())
}

/// Formats a date.
#[askama::filter_fn]
pub(crate) fn day(day: &Date, _: &dyn Values) -> askama::Result<String> {
    let (year, month, day) = day.to_calendar_date();
    Ok(format!("{day} {} {year}", &month.to_string()[..3]))
}

/// Renders Markdown with links instead of its pictures.
#[askama::filter_fn]
pub(crate) fn markdown(text: &str, values: &dyn Values) -> askama::Result<Safe<String>> {
    take_markdown(values, text.len())?;
    Ok(Safe(to_html(text, Pictures::Linked)))
}

/// Renders Markdown with its pictures.
#[askama::filter_fn]
pub(crate) fn markdown_with_pictures(text: &str, values: &dyn Values) -> askama::Result<Safe<String>> {
    take_markdown(values, text.len())?;
    Ok(Safe(to_html(text, Pictures::Shown)))
}

/// Renders Markdown that staff wrote: its pictures load on a click.
#[askama::filter_fn]
pub(crate) fn markdown_by_staff(text: &str, values: &dyn Values) -> askama::Result<Safe<String>> {
    take_markdown(values, text.len())?;
    Ok(Safe(to_html(text, Pictures::OnClick)))
}

/// Renders plain text that staff wrote: its pictures load on a click.
#[askama::filter_fn]
pub(crate) fn plain_by_staff(text: &str, values: &dyn Values) -> askama::Result<Safe<String>> {
    take_markdown(values, text.len())?;
    Ok(Safe(plain_with_pictures(text)))
}

#[askama::filter_fn]
pub(crate) fn icon(name: &str, _: &dyn Values) -> askama::Result<Safe<&'static str>> {
    Ok(Safe(assets::icon(name)))
}

/// The time as a jiff timestamp.
pub(crate) fn timestamp_of(time: OffsetDateTime) -> Timestamp {
    // Times of records are far within the range of both types.
    Timestamp::from_nanosecond(time.unix_timestamp_nanos()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn overdue_dates_are_marked_by_more_than_colour() {
        assert_eq!(due_html("22 Nov 2026".to_owned(), false), "22 Nov 2026");
        let overdue = due_html("22 Nov 2026".to_owned(), true);
        assert!(overdue.contains("Overdue:</span> 22 Nov 2026") && overdue.contains("<svg"), "{overdue}");
    }
}
