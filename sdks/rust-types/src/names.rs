//! Names of nested types and variants.

use crate::schema::{Schemas, pascal};

/// The name of a nested record.
pub fn of_part(owner: &str, member: &str, existing: &Schemas) -> String {
    let name = format!("{owner}{}", pascal(member));
    let free = |name: &String| !existing.contains_key(name);
    (1..).map(|number| if number == 1 { name.clone() } else { format!("{name}{number}") }).find(free).unwrap_or(name)
}

/// The name of a variant.
pub fn of_variant(value: &str) -> String {
    let name = pascal(value);
    match name.chars().next() {
        Some(first) if first.is_ascii_digit() => format!("V{name}"),
        None => "Empty".to_owned(),
        Some(_) if name == "Other" => "OtherValue".to_owned(),
        Some(_) => name,
    }
}
