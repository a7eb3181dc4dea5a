//! Reruns the build when a migration changes, since cargo does not see the files that the macro compiles in; and lists the texts of
//! migrations, which the macro does not give away.

use std::error::Error;
use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs};

const MIGRATIONS: &str = "../../migrations";

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo:rerun-if-changed={MIGRATIONS}");
    let folder = Path::new(&env::var("CARGO_MANIFEST_DIR")?).join(MIGRATIONS).canonicalize()?;
    let mut names = Vec::new();
    for entry in fs::read_dir(&folder)? {
        names.push(entry?.file_name().into_string().map_err(|name| format!("{}: no UTF-8", name.display()))?);
    }
    names.sort();
    let mut list = "&[".to_owned();
    for name in names.iter().filter(|name| folder.join(name).join("up.sql").exists()) {
        let path = folder.join(name).join("up.sql").into_os_string().into_string();
        let path = path.map_err(|path| format!("{}: no UTF-8", path.display()))?;
        write!(list, "({name:?}, include_str!({path:?})), ")?;
    }
    list.push(']');
    Ok(fs::write(Path::new(&env::var("OUT_DIR")?).join("migrations.rs"), list)?)
}
