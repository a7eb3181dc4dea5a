//! Text in HTML.

/// Appends a text with all markup characters escaped; safe in double-quoted attributes too.
pub(crate) fn escape(text: &str, html: &mut String) {
    // The library escapes an apostrophe in hexadecimal; the documented output is the decimal form. The replacement is
    // safe: an ampersand of the text is itself escaped.
    html.push_str(&html_escape::encode_quoted_attribute(text).replace("&#x27;", "&#39;"));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_markup_characters_are_escaped() {
        let mut html = "before ".to_owned();
        escape("a < b > \"c\" & 'd' &#x27; é/=", &mut html);
        assert_eq!(html, "before a &lt; b &gt; &quot;c&quot; &amp; &#39;d&#39; &amp;#x27; é/=");
    }
}
