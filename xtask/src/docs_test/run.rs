//! Runs the blocks of a page.

use std::path::Path;
use std::time::{Duration, Instant};
use std::{fs, thread};

use anyhow::{Context, Result, bail, ensure};

use super::compare::is_as_shown;
use super::languages::program;
use super::page::{self, Block};
use super::session::{Outcome, Session};
use super::stage::{Scene, Stage};

/// Timeout for blocks that are repeated until they succeed.
const REPEAT_TIMEOUT: Duration = Duration::from_secs(30);
const PAUSE: Duration = Duration::from_millis(200);

/// The result of one page.
pub(super) struct Report {
    /// Number of blocks run or saved.
    pub(super) run: usize,
    /// Line numbers and reasons of blocks that were not run.
    pub(super) left_out: Vec<(usize, String)>,
}

pub(super) fn run(stage: &Stage, path: &Path) -> Result<Report> {
    let text = fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    let blocks = page::blocks(&text)?;
    let mut report = Report { run: 0, left_out: Vec::new() };
    let (left_out, run): (Vec<_>, Vec<_>) = blocks.iter().partition(|block| block.marks.not_run.is_some());
    report.left_out.extend(left_out.iter().filter_map(|block| Some((block.line, block.marks.not_run.clone()?))));
    if run.iter().all(|block| is_text(block)) {
        return Ok(report);
    }
    let mut scene = stage.scene()?;
    let mut session = scene.session()?;
    for (index, block) in run.iter().enumerate() {
        let next = run.get(index + 1).filter(|next| next.language == "text" && !is_text(block));
        let done =
            Step { stage, scene: &mut scene, session: &mut session, block, shown: next.map(|one| one.text.as_str()) }
                .run();
        done.with_context(|| format!("line {}", block.line))?;
        report.run += usize::from(!is_text(block));
    }
    Ok(report)
}

/// Whether a block is only shown: not a command, program or data.
fn is_text(block: &Block) -> bool {
    block.marks.file.is_none() && matches!(block.language.as_str(), "" | "text")
}

struct Step<'a> {
    stage: &'a Stage,
    scene: &'a mut Scene,
    session: &'a mut Session,
    block: &'a Block,
    /// The output that the page shows below a program.
    shown: Option<&'a str>,
}

impl Step<'_> {
    fn run(&mut self) -> Result<()> {
        if let Some(before) = &self.block.marks.before {
            let outcome = self.session.run_all(&self.scene.real(before))?;
            ensure!(outcome.succeeded, "what is run before it failed: {}", outcome.output);
        }
        let text = self.scene.real(&self.block.text);
        let file = self.block.marks.file.as_deref().or_else(|| page::file_named_by(&text));
        match self.block.language.as_str() {
            "json" => {
                serde_json::from_str::<serde_json::Value>(&text).context("no JSON")?;
            }
            "toml" => {
                toml::from_str::<toml::Table>(&text).context("no TOML")?;
            }
            _ => {}
        }
        if let Some(name) = file {
            return self.save(name, &text);
        }
        match self.block.language.as_str() {
            "" | "text" | "json" | "toml" => Ok(()),
            "console" => self.repeat(|step| step.console(&text)),
            "sh" if self.block.marks.eventually => self.repeat(|step| ended(&step.session.run_in_subshell(&text)?)),
            "sh" => ended(&self.session.run_all(&text)?),
            language => {
                let command = program(self.stage, self.scene, language, &text)?;
                self.repeat(|step| step.program(&command))
            }
        }
    }

    fn save(&mut self, name: &str, text: &str) -> Result<()> {
        let path = self.scene.page().join(name);
        fs::create_dir_all(path.parent().unwrap_or(&path))?;
        fs::write(&path, format!("{text}\n"))?;
        if path.extension().is_some_and(|one| one == "ts") {
            ended(&self.session.run(&self.stage.compilation(name))?)?;
        }
        Ok(())
    }

    /// Runs a block once, or until it succeeds if the page says so.
    fn repeat(&mut self, mut once: impl FnMut(&mut Self) -> Result<()>) -> Result<()> {
        let start = Instant::now();
        loop {
            let result = once(self);
            if result.is_ok() || !self.block.marks.eventually || start.elapsed() > REPEAT_TIMEOUT {
                return result;
            }
            pause();
        }
    }

    fn console(&mut self, text: &str) -> Result<()> {
        for shown in page::commands(text)? {
            let outcome = self.session.run(&shown.command)?;
            if shown.output.trim().is_empty() {
                ended(&outcome).with_context(|| shown.command.clone())?;
            } else {
                self.compare(&outcome, &shown.output).with_context(|| shown.command.clone())?;
            }
        }
        Ok(())
    }

    fn program(&mut self, command: &str) -> Result<()> {
        let outcome = self.session.run_in_subshell(command)?;
        ended(&outcome)?;
        self.shown.map_or(Ok(()), |shown| self.compare(&outcome, shown))
    }

    fn compare(&self, outcome: &Outcome, shown: &str) -> Result<()> {
        let output = self.scene.as_on_pages(&outcome.output);
        let shown = self.scene.as_on_pages(shown);
        if !is_as_shown(&output, &shown) {
            bail!("the output is not as shown:\n{}\n--- but:\n{}", shown.trim_end(), output.trim_end());
        }
        Ok(())
    }
}

#[expect(clippy::disallowed_methods, reason = "polls a shell, with a bound")]
fn pause() {
    thread::sleep(PAUSE);
}

fn ended(outcome: &Outcome) -> Result<()> {
    ensure!(outcome.succeeded, "it failed: {}", outcome.output.trim_end());
    Ok(())
}
