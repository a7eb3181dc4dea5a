//! Compresses scripts and styles, so that no thread of the server has to, and lists the icons. Our own comments are left out:
//! browsers would load them, too.

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
    fs::write(out.join("icons.rs"), icon_table(Path::new("vendor/icons"))?)?;
    Ok(())
}

/// The names and the SVG of all icons, as a Rust expression.
fn icon_table(folder: &Path) -> Result<String, Box<dyn Error>> {
    let mut icons = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if let Some(name) = path.file_name().and_then(|name| name.to_str()?.strip_suffix(".svg")) {
            icons.push((name.to_owned(), compact(&fs::read_to_string(&path)?)));
        }
    }
    icons.sort();
    Ok(format!("&{icons:?}"))
}

/// Removes line breaks, the namespace and the empty background from an icon, since some pages contain dozens of icons.
fn compact(svg: &str) -> String {
    let svg = svg.split_ascii_whitespace().collect::<Vec<_>>().join(" ");
    let svg = svg.replace("> <", "><").replace(" >", ">").replace(" />", "/>");
    svg.replace(" xmlns=\"http://www.w3.org/2000/svg\"", "")
        .replace("<path stroke=\"none\" d=\"M0 0h24v24H0z\" fill=\"none\"/>", "")
}

/// Writes each script, style sheet and SVG image of a folder, plain and compressed: `own/theme.js` becomes `out/own/theme.js` and
/// `out/own/theme.js.gz`.
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
            let text = fs::read_to_string(&path)?;
            let text = if folder.starts_with("own") { without_comments(&text) } else { text };
            let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
            encoder.write_all(text.as_bytes())?;
            let name = out.join(&path);
            fs::write(&name, text)?;
            let mut name = name.into_os_string();
            name.push(".gz");
            fs::write(name, encoder.finish()?)?;
        }
    }
    Ok(())
}

/// The text without lines that contain only a comment.
fn without_comments(text: &str) -> String {
    let is_comment = |line: &str| line.starts_with("//") || (line.starts_with("/*") && line.ends_with("*/"));
    let lines = text.lines().filter(|line| !is_comment(line.trim()));
    lines.flat_map(|line| [line, "\n"]).collect()
}
