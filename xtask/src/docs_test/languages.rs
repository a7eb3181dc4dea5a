//! How a program of a page is run.

use std::fs;

use anyhow::{Result, bail};

use super::stage::{Scene, Stage};

/// Saves a program, and returns the command that runs it.
pub(super) fn program(stage: &Stage, scene: &mut Scene, language: &str, text: &str) -> Result<String> {
    let name = scene.next_program();
    let page = scene.page();
    match language {
        "python" => {
            fs::write(page.join(format!("{name}.py")), text)?;
            Ok(format!("python3 {name}.py"))
        }
        "js" => {
            fs::write(page.join(format!("{name}.mjs")), text)?;
            Ok(format!("node {name}.mjs"))
        }
        "ts" => {
            fs::write(page.join(format!("{name}.ts")), text)?;
            Ok(format!("{}\nnode {name}.js", stage.compilation(&format!("{name}.ts"))))
        }
        "rust" => {
            let folder = page.join(&name);
            fs::create_dir_all(folder.join("src"))?;
            fs::write(folder.join("Cargo.toml"), stage.manifest())?;
            fs::copy(stage.rust_lock(), folder.join("Cargo.lock"))?;
            fs::write(folder.join("src/main.rs"), text)?;
            Ok(format!("cargo run --quiet --manifest-path {name}/Cargo.toml"))
        }
        _ => bail!("nothing runs {language:?}; it can be sh, console, python, ts, js, rust, json, toml or text"),
    }
}
