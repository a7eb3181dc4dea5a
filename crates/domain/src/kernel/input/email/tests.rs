//! Tests of e-mail addresses.

use proptest::prelude::*;

use super::*;

fn key(address: &str) -> String {
    EmailKey::of(address).into()
}

fn refusal(text: &str) -> Option<String> {
    let mut problems = Problems::default();
    match EmailAddress::read(Json::String(text.to_owned()), "email", &mut problems) {
        Read::Value(email) => {
            assert_eq!(email.as_str(), text, "stored as given");
            None
        }
        Read::Empty => Some("empty".to_owned()),
        Read::Invalid => {
            let Err(crate::Error::Invalid(found)) = problems.into_result() else { panic!("{text}: no problem") };
            assert!(found.len() == 1 && found[0].code == "invalid_email", "{text}: {found:?}");
            Some(found[0].message.clone())
        }
    }
}

/// Each row has spellings of one mailbox that mail programs treat as the same.
#[test]
fn spellings_of_one_mailbox_are_equal() {
    for spellings in [
        &["ann@example.com", "Ann@Example.COM", "ANN@EXAMPLE.COM", " ann@example.com "][..],
        // Full-width letters, digits and dots, and the dots of Chinese and Japanese keyboards.
        &[
            "a@example.com",
            "a@ｅｘａｍｐｌｅ.com",
            "a@example。com",
            "a@example．com",
            "a@example｡com",
            "A@ＥＸＡＭＰＬＥ。ＣＯＭ",
        ],
        // An A-label and its Unicode form, composed and decomposed.
        &[
            "a@münchen.example",
            "a@MÜNCHEN.example",
            "a@mu\u{308}nchen.example",
            "a@xn--mnchen-3ya.example",
            "A@XN--MNCHEN-3YA.example",
        ],
        &["a@café.example", "a@cafe\u{301}.example", "a@CAFÉ.example", "a@CAFE\u{301}.EXAMPLE"],
        // A final sigma shares its capital letter with the ordinary one.
        &["a@οδος.example", "a@ΟΔΟΣ.example", "a@οδοσ.example", "a@xn--pxavbq.example", "a@xn--pxavbm.example"],
        &["a@пример.example", "a@ПРИМЕР.example", "a@xn--e1afmkfd.example"],
        &["a@例え.example", "a@xn--r8jz45g.example"],
    ] {
        let keys: Vec<_> = spellings.iter().map(|spelling| key(spelling)).collect();
        assert!(keys.iter().all(|key| *key == keys[0] && key.is_ascii()), "{spellings:?}: {keys:?}");
    }
    assert_eq!(key("A@MÜNCHEN.example"), "a@xn--mnchen-3ya.example");
}

#[test]
fn different_mailboxes_have_different_keys() {
    for (one, other) in [
        ("ann@example.com", "ann+news@example.com"),
        ("ann.lee@gmail.com", "annlee@gmail.com"),
        ("ann@gmail.com", "ann@googlemail.com"),
        ("ann@example.com", "ann@mail.example.com"),
        // ß is a separate letter: the two domains may have different owners.
        ("a@straße.example", "a@strasse.example"),
        ("a@münchen.example", "a@munchen.example"),
        ("a@münchen.example", "a@muenchen.example"),
        // Cyrillic а.
        ("a@example.com", "a@ex\u{430}mple.com"),
    ] {
        assert_ne!(key(one), key(other), "{one} {other}");
    }
}

#[test]
fn addresses_are_valid_or_refused_with_a_reason() {
    let long = format!("a@{}example", "ä.".repeat(120));
    for (text, expected) in [
        ("ann@example.com", None),
        ("Ann.Lee+x@Example.COM", None),
        ("a.b-c@example.com", None),
        ("a@localhost", None),
        ("a@münchen.example", None),
        ("a@example。com", None),
        ("a@1.example", None),
        ("a@123.com", None),
        ("a@xn--mnchen-3ya.example", None),
        ("nobody", Some(NOT_VALID)),
        ("a@", Some(NOT_VALID)),
        ("@example.com", Some(NOT_VALID)),
        ("a b@example.com", Some(NOT_VALID)),
        ("a..b@example.com", Some(NOT_VALID)),
        (".a@example.com", Some(NOT_VALID)),
        ("a.@example.com", Some(NOT_VALID)),
        ("a\u{ad}b@example.com", Some(NOT_VALID)),
        ("a@b@example.com", Some(NOT_VALID)),
        ("a@exa_mple.com", Some(NOT_VALID)),
        ("a@[127.0.0.1]", Some(NOT_VALID)),
        ("a@example.com\u{200b}", Some(NOT_VALID)),
        ("a＠example.com", Some(FULL_WIDTH_AT)),
        ("\"a\"@example.com", Some(QUOTED)),
        ("\"a b\"@example.com", Some(QUOTED)),
        ("a(comment)@example.com", Some(QUOTED)),
        ("pelé@example.com", Some(NOT_ASCII)),
        ("用户@example.com", Some(NOT_ASCII)),
        ("ａ@example.com", Some(NOT_ASCII)),
        ("a@example.com.", Some(FINAL_DOT)),
        ("a@example.com。", Some(FINAL_DOT)),
        ("a@münchen.example.", Some(FINAL_DOT)),
        ("a@1.2.3.4", Some(NUMERIC)),
        ("a@example.123", Some(NUMERIC)),
        ("a@１.２.３.４", Some(NUMERIC)),
        ("a@123", Some(NUMERIC)),
        (&long, Some(LONG_DOMAIN)),
    ] {
        assert_eq!(refusal(text).as_deref(), expected, "{text}");
    }
}

/// Addresses that an earlier release accepted can still be read, so that e-mails to them are still tried.
#[test]
fn stored_addresses_are_validated_by_weaker_rules() {
    assert!(EmailAddress::stored("a@1.2.3.4").is_some() && EmailAddress::parse("a@1.2.3.4").is_none());
    for hostile in ["", "nobody", "a@example.com\r\nBcc: b@example.com", "a@example.com, b@example.com", "erased"] {
        assert_eq!(EmailAddress::stored(hostile), None, "{hostile:?}");
    }
}

#[test]
fn mail_servers_get_the_domain_in_ascii() {
    for (address, expected) in [
        ("Ann@Example.COM", "Ann@Example.COM"),
        ("Ann@München.example", "Ann@xn--mnchen-3ya.example"),
        ("a@example。com", "a@example.com"),
        // Here the two forms of a sigma make two domains.
        ("a@οδος.example", "a@xn--pxavbm.example"),
        ("a@xn--mnchen-3ya.example", "a@xn--mnchen-3ya.example"),
    ] {
        assert_eq!(EmailAddress::parse(address).unwrap().to_ascii(), expected, "{address}");
    }
}

#[test]
fn addresses_are_shown_in_their_own_script() {
    for address in ["A@MÜNCHEN.example", "a@xn--mnchen-3ya.example", "a@mu\u{308}nchen.example"] {
        assert_eq!(in_own_script(address), "a@münchen.example", "{address}");
    }
    assert_eq!(in_own_script("A@example。com"), "a@example.com");
    assert_eq!(in_own_script("Erased"), "erased");
}

#[test]
fn invalid_addresses_have_distinct_keys() {
    assert_eq!(key("Erased"), "erased");
    assert_eq!(key("a@example.com."), key("a@example.com"), "to sign in, a final dot does not matter");
    assert_eq!(key("a@example.com ."), key("a@example.com"), "nor does a space before it");
    // Not allowed by IDNA, but some servers have such names.
    assert_eq!(key("A@XN--99999.example"), "a@xn--99999.example");
    assert_ne!(key("pelé@example.com"), key("pele@example.com"));
}

proptest! {
    #[test]
    fn keys_are_ascii_and_idempotent(text in "\\PC{0,40}@?\\PC{0,40}|[a-z.+]{1,9}@[a-zA-Zäöüßςσéあ。．.]{1,20}") {
        let once = key(&text);
        prop_assert!(once.is_ascii(), "{once}");
        prop_assert_eq!(key(&once), once.clone());
        if let Some(address) = EmailAddress::parse(&text) {
            let ascii = address.to_ascii();
            prop_assert!(ascii.is_ascii() && !once.contains(' '), "{ascii} {once}");
            prop_assert_eq!(key(&ascii), once, "the envelope is the same mailbox");
        }
    }
}
