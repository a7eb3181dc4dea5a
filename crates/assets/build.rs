//! Compresses scripts and styles: the largest of them would occupy a thread of the server for a while.

use std::error::Error;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::{env, fs};

use flate2::Compression;
use flate2::write::GzEncoder;

fn main() -> Result<(), Box<dyn Error>> {
    let out = PathBuf::from(env::var("OUT_DIR")?);
    for folder in ["own", "vendor"] {
        println!("cargo::rerun-if-changed={folder}");
        compress(Path::new(folder), &out)?;
    }
    Ok(())
}

/// Writes `out/own/theme.js.gz` for `own/theme.js`.
fn compress(folder: &Path, out: &Path) -> Result<(), Box<dyn Error>> {
    fs::create_dir_all(out.join(folder))?;
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            compress(&path, out)?;
        } else if path
            .extension()
            .is_some_and(|extension| extension == "js" || extension == "css" || extension == "svg")
        {
            let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
            encoder.write_all(&fs::read(&path)?)?;
            let mut name = out.join(&path).into_os_string();
            name.push(".gz");
            fs::write(name, encoder.finish()?)?;
        }
    }
    Ok(())
}
