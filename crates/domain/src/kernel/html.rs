//! Text within HTML.

/// Appends a text so that none of its characters is markup, in an attribute between double quotes too.
pub(crate) fn escape(text: &str, html: &mut String) {
    // The library writes an apostrophe in hexadecimal; clients of the interface have always seen the decimal form.
    // Nothing else can look like it: an ampersand of the text is escaped itself.
    html.push_str(&html_escape::encode_quoted_attribute(text).replace("&#x27;", "&#39;"));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_could_be_markup_is_replaced() {
        let mut html = "before ".to_owned();
        escape("a < b > \"c\" & 'd' &#x27; é/=", &mut html);
        assert_eq!(html, "before a &lt; b &gt; &quot;c&quot; &amp; &#39;d&#39; &amp;#x27; é/=");
    }
}
