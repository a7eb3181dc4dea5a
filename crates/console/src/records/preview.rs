//! Previews of Markdown before it is saved.

use domain::identity::access::ManageOwnAccount;
use domain::kernel::input::{Input, SchemaMember};
use domain::records::RecordKind;
use domain::work::comments::CommentFields;

use crate::errors::message_of;
use crate::pages::kinds;
use crate::prelude::*;

page! {
    Preview = "POST /preview", access: ManageOwnAccount => preview
}

/// The form field with the kind of record. Without it, the text is a comment.
const KIND: &str = "_of";
/// The members that can be previewed. A form has one of them.
const MEMBERS: [&str; 2] = ["body", "description"];

#[derive(Template)]
#[template(path = "parts/preview.html")]
struct PreviewPage {
    shell: Shell,
    body: String,
    /// Whether readers see pictures from other sites.
    shows_pictures: bool,
    problem: Option<String>,
}

async fn preview(request: PageRequest<Preview>) -> PageResult {
    let PageRequest { form, browser, .. } = request;
    let shell = browser.shell(text("preview"));
    match text_of(&form) {
        Ok(body) => {
            let shows_pictures =
                form.value(KIND).and_then(RecordKind::parse).is_some_and(|kind| kinds::of(kind).shows_pictures);
            let view = PreviewPage { shell, body: body.to_owned(), shows_pictures, problem: None };
            let page = responses::page(&browser, view);
            if shows_pictures { responses::with_pictures(page) } else { page }
        }
        Err(error) => {
            let problem = error.details().into_iter().next().map_or_else(|| message_of(&error), |first| first.message);
            responses::unprocessable(
                &browser,
                PreviewPage { shell, body: String::new(), shows_pictures: false, problem: Some(problem) },
            )
        }
    }
}

/// The text to preview.
///
/// # Errors
/// [`Error::Invalid`] if the text is too long for its member.
fn text_of(form: &Form) -> Result<&str, Error> {
    let field = MEMBERS.iter().find_map(|member| Some((*member, form.value(member)?)));
    let (member, body) = field.unwrap_or((MEMBERS[0], ""));
    let longest = longest(form.value(KIND).and_then(RecordKind::parse), member);
    // Trimmed, as when it is stored.
    let body = body.trim();
    // Browsers end lines with two characters, which count as one.
    if body.replace("\r\n", "\n").chars().count() > longest {
        let message = format!("must be at most {longest} characters long");
        return Err(Error::invalid(member, "too_long", message));
    }
    Ok(body)
}

/// The maximum length of a member, in characters. Members that the kind does not have get the length of a comment.
fn longest(kind: Option<RecordKind>, member: &str) -> usize {
    let list = kind.and_then(|kind| kinds::of(kind).list.as_ref());
    let of_kind = list.map(|list| (list.members)()).unwrap_or_default();
    let max = |members: &[SchemaMember], name: &str| {
        members.iter().find(|member| member.name == name)?.schema["maxLength"].as_u64()
    };
    let longest = max(&of_kind, member).or_else(|| max(&CommentFields::members(), "body"));
    longest.and_then(|longest| usize::try_from(longest).ok()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_previewed_up_to_the_length_of_its_member() {
        for (kind, member, longest) in [
            (None, "body", 10_000),
            (Some("nonsense"), "body", 10_000),
            (Some("contact"), "description", 10_000),
            (Some("deal"), "description", 10_000),
            (Some("project"), "description", 10_000),
            (Some("task"), "description", 50_000),
            (Some("ticket"), "description", 50_000),
            (Some("article"), "body", 100_000),
            // Articles have no such member.
            (Some("article"), "description", 10_000),
        ] {
            let form = |length: usize| {
                let kind = kind.map(|kind| format!("_of={kind}&")).unwrap_or_default();
                Form::parse(format!("{kind}{member}={}", "a".repeat(length)).as_bytes())
            };
            assert_eq!(text_of(&form(longest)).unwrap().len(), longest, "{kind:?} {member}");
            let error = text_of(&form(longest + 1)).unwrap_err();
            assert_eq!(error.details()[0].code, "too_long", "{kind:?} {member}");
        }
        let lines = format!("body={}", "a%0D%0A".repeat(5_000));
        assert!(text_of(&Form::parse(lines.as_bytes())).is_ok(), "the end of a line is one character");
    }
}
