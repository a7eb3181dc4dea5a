//! Generates the types of the Rust SDK: structs by typify, from prepared JSON Schemas, and enums that keep values
//! that a newer service adds.
//!
//! Reads the schemas from a file, and writes Rust to standard output.

mod aliases;
mod enums;
mod names;
mod prepare;
mod render;
mod schema;

use std::{env, fs};

use anyhow::{Context, Result};
use serde_json::Value;

fn main() -> Result<()> {
    let path = env::args().nth(1).context("sdk-rust-types needs the path of the schemas")?;
    let text = fs::read_to_string(&path).with_context(|| format!("cannot read {path}"))?;
    let input: Value = serde_json::from_str(&text).with_context(|| format!("{path} is no JSON"))?;
    let prepared = prepare::prepare(&input)?;
    println!("{}", render::render(prepared)?);
    Ok(())
}
