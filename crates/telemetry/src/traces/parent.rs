//! The header `traceparent` (W3C Trace Context), which identifies the span of the caller.

use opentelemetry::trace::{SpanContext, SpanId, TraceFlags, TraceId, TraceState};

/// `None` if the header is invalid; the request then starts a new trace.
pub(crate) fn parse(header: &str) -> Option<SpanContext> {
    let mut parts = header.split('-');
    let (version, trace, span, flags) = (parts.next()?, parts.next()?, parts.next()?, parts.next()?);
    let is_hex = |text: &str, length: usize| {
        text.len() == length && text.bytes().all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte))
    };
    let is_known = is_hex(version, 2) && version != "ff" && (version != "00" || parts.next().is_none());
    if !(is_known && is_hex(trace, 32) && is_hex(span, 16) && is_hex(flags, 2)) {
        return None;
    }
    let flags = TraceFlags::new(u8::from_str_radix(flags, 16).ok()?) & TraceFlags::SAMPLED;
    let (trace, span) = (TraceId::from_hex(trace).ok()?, SpanId::from_hex(span).ok()?);
    Some(SpanContext::new(trace, span, flags, true, TraceState::NONE)).filter(SpanContext::is_valid)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TRACE: &str = "4bf92f3577b34da6a3ce929d0e0e4736";

    #[test]
    fn examples_of_the_standard_can_be_parsed() {
        let parent = parse(&format!("00-{TRACE}-00f067aa0ba902b7-01")).unwrap();
        assert_eq!((parent.trace_id().to_string().as_str(), parent.is_sampled()), (TRACE, true));
        assert!(!parse(&format!("00-{TRACE}-00f067aa0ba902b7-00")).unwrap().is_sampled());
        assert!(parse(&format!("01-{TRACE}-00f067aa0ba902b7-01-more")).is_some());
    }

    #[test]
    fn invalid_headers_begin_a_new_trace() {
        for header in [
            "",
            "00",
            "00-x-00f067aa0ba902b7-01",
            "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
            "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-more",
            "ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-1",
        ] {
            assert!(parse(header).is_none(), "{header}");
        }
    }
}
