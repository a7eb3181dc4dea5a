//! Reruns the build when the schema changes, since cargo does not see the files that macros compile in; and lists the texts of
//! migrations, which diesel's macro does not give away, and of functions.

use std::error::Error;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

const SCHEMA: &str = "../../migrations";

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo:rerun-if-changed={SCHEMA}");
    let schema = Path::new(&env::var("CARGO_MANIFEST_DIR")?).join(SCHEMA).canonicalize()?;
    list("migrations.rs", entries(&schema.join("tables"))?.into_iter().map(|step| step.join("up.sql")), |path| {
        path.parent()
    })?;
    list("functions.rs", entries(&schema.join("functions"))?.into_iter(), |path| Some(path))?;
    Ok(())
}

fn entries(folder: &Path) -> Result<Vec<PathBuf>, Box<dyn Error>> {
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder)? {
        paths.push(entry?.path());
    }
    paths.sort();
    Ok(paths)
}

/// Writes a list of names and texts.
fn list(
    into: &str,
    files: impl Iterator<Item = PathBuf>,
    named_by: fn(&Path) -> Option<&Path>,
) -> Result<(), Box<dyn Error>> {
    let mut list = "&[".to_owned();
    for file in files.filter(|file| file.extension().is_some_and(|extension| extension == "sql")) {
        let name = named_by(&file).and_then(Path::file_stem).and_then(|name| name.to_str());
        let (Some(name), Some(path)) = (name, file.to_str()) else {
            return Err(format!("{}: no UTF-8", file.display()).into());
        };
        write!(list, "({name:?}, include_str!({path:?})), ")?;
    }
    list.push(']');
    Ok(fs::write(Path::new(&env::var("OUT_DIR")?).join(into), list)?)
}
