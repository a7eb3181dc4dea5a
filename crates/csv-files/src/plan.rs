//! The identity of an import.

use domain::records::OnMatch;
use domain::transfer::{ImportDigest, Mapping, PresetName, TransferKind};
use ring::digest::{SHA256, digest};
use serde_json::json;

/// Digests the SHA-256 of a file and the options of its import. The command line and the console can resume each other's imports
/// if the options are the same, except those that depend on the user ([`digest_of_user`]).
pub fn digest_of(
    file: &[u8; 32],
    kind: TransferKind,
    on_match: OnMatch,
    preset: Option<PresetName>,
    mapping: &Mapping,
) -> ImportDigest {
    let mut plan = json!({
        "file": hex::encode(file), "kind": kind.as_str(), "match": on_match.as_str(),
        "preset": preset.map(PresetName::as_str), "columns": mapping.columns, "values": mapping.values,
    });
    // Left out if not set, so that imports from before this option existed keep their digest.
    if let Some(decimal) = mapping.decimal {
        plan["decimal"] = decimal.as_str().into();
    }
    let mut bytes = [0; 32];
    bytes.copy_from_slice(digest(&SHA256, plan.to_string().as_bytes()).as_ref());
    ImportDigest::new(bytes)
}

/// The digest of an import whose result depends on the user with this id, so that users do not resume each other's imports.
pub fn digest_of_user(import: &ImportDigest, user: &str) -> ImportDigest {
    let mut bytes = [0; 32];
    let text = format!("{} {user}", import.as_str());
    bytes.copy_from_slice(digest(&SHA256, text.as_bytes()).as_ref());
    ImportDigest::new(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::transfer::DecimalSign;

    #[test]
    fn an_import_is_identified_by_its_file_and_options() {
        let digest_for = |file: u8, on_match, columns: &[(&str, &str)]| {
            let columns = columns.iter().map(|(column, member)| ((*column).to_owned(), (*member).to_owned())).collect();
            let mapping = Mapping { columns, ..Mapping::default() };
            digest_of(&[file; 32], TransferKind::Contacts, on_match, None, &mapping)
        };
        let one = digest_for(1, OnMatch::Update, &[("Mail", "email")]);
        let with_decimal = |decimal| {
            let mapping =
                Mapping { columns: vec![("Mail".to_owned(), "email".to_owned())], decimal, ..Mapping::default() };
            digest_of(&[1; 32], TransferKind::Contacts, OnMatch::Update, None, &mapping)
        };
        assert_eq!(with_decimal(None), one);
        assert_eq!(one, digest_for(1, OnMatch::Update, &[("Mail", "email")]));
        for other in [
            digest_for(2, OnMatch::Update, &[("Mail", "email")]),
            digest_for(1, OnMatch::Skip, &[("Mail", "email")]),
            digest_for(1, OnMatch::Update, &[("Mail", "")]),
            with_decimal(Some(DecimalSign::Comma)),
        ] {
            assert_ne!(one, other);
        }
        assert_eq!(digest_of_user(&one, "ann"), digest_of_user(&one, "ann"));
        assert_ne!(digest_of_user(&one, "ann"), digest_of_user(&one, "ben"));
        assert_ne!(digest_of_user(&one, "ann"), one);
    }
}
