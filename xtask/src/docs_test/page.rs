//! Parses the blocks of a page and the comments that control how they run.

use anyhow::{Context, Result, bail, ensure};

/// Begins a comment that controls how the next block runs.
const MARK: &str = "<!-- test:";

/// A fenced block.
#[derive(Debug, PartialEq)]
pub(super) struct Block {
    /// Line number of its first line, counted from 1.
    pub(super) line: usize,
    pub(super) language: String,
    pub(super) text: String,
    pub(super) marks: Marks,
}

/// The settings in the comments before a block.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Marks {
    /// Commands for steps that the page only describes.
    pub(super) before: Option<String>,
    /// Repeated until it succeeds, because the page shows something that happens a moment later.
    pub(super) eventually: bool,
    /// Name of the file to save the block as.
    pub(super) file: Option<String>,
    /// Why the block is not run.
    pub(super) not_run: Option<String>,
}

impl Marks {
    fn add(&mut self, mark: &str) -> Result<()> {
        let (name, rest) = mark.split_once(char::is_whitespace).unwrap_or((mark, ""));
        let rest = rest.trim();
        match name {
            "before" => self.before = Some(given(name, rest)?),
            "file" => self.file = Some(given(name, rest)?),
            "eventually" => self.eventually = true,
            "not" => {
                let reason = rest.strip_prefix("run:").context("it is `not run: REASON`")?;
                self.not_run = Some(given("not run", reason.trim())?);
            }
            _ => bail!("{name:?} is not a mark; the marks are before, eventually, file and not run"),
        }
        Ok(())
    }
}

fn given(name: &str, rest: &str) -> Result<String> {
    ensure!(!rest.is_empty(), "nothing after {name:?}");
    Ok(rest.to_owned())
}

/// All blocks of a page, in order.
pub(super) fn blocks(page: &str) -> Result<Vec<Block>> {
    let mut blocks = Vec::new();
    let mut marks = Marks::default();
    let mut lines = page.lines().enumerate();
    while let Some((index, line)) = lines.next() {
        let location = || format!("line {}", index + 1);
        let text = line.trim_start();
        if let Some(begun) = text.strip_prefix(MARK) {
            let mut mark = begun.to_owned();
            while !mark.contains("-->") {
                let (_, more) = lines.next().context("a comment without its end").with_context(location)?;
                mark.push('\n');
                mark.push_str(more);
            }
            let (mark, _) = mark.split_once("-->").unwrap_or_default();
            marks.add(mark.trim()).with_context(location)?;
        } else if let Some(info) = text.strip_prefix("```") {
            let indent = &line[..line.len() - text.len()];
            let body = lines.by_ref().map(|(_, line)| line).take_while(|line| line.trim() != "```");
            let body = body.map(|line| line.strip_prefix(indent).unwrap_or(line)).collect::<Vec<_>>().join("\n");
            let language = info.split_whitespace().next().unwrap_or_default().to_owned();
            blocks.push(Block { line: index + 1, language, text: body, marks: std::mem::take(&mut marks) });
        } else if !text.is_empty() {
            ensure!(marks == Marks::default(), "line {}: a mark stands directly before a block", index + 1);
        }
    }
    ensure!(marks == Marks::default(), "the last mark stands before no block");
    Ok(blocks)
}

/// The file name in a program's first line, if that line is a comment with nothing else.
pub(super) fn file_named_by(text: &str) -> Option<&str> {
    let first = text.lines().next()?;
    let name = first.strip_prefix("# ").or_else(|| first.strip_prefix("// "))?;
    let is_name = |part: &str| !part.is_empty() && part.chars().all(|c| c.is_ascii_alphanumeric() || "._-".contains(c));
    (name.split('/').all(is_name) && name.rsplit('/').next().is_some_and(|last| last.contains('.'))).then_some(name)
}

/// A command of a `console` block, with the output that is shown below it.
#[derive(Debug, PartialEq)]
pub(super) struct ShownCommand {
    pub(super) command: String,
    pub(super) output: String,
}

/// The commands of a `console` block. They begin with `$ `. A backslash at the end of a line, or an indented next line, continues
/// a command.
pub(super) fn commands(text: &str) -> Result<Vec<ShownCommand>> {
    let mut all: Vec<ShownCommand> = Vec::new();
    let mut within = false;
    for line in text.lines() {
        if let Some(command) = line.strip_prefix("$ ") {
            all.push(ShownCommand { command: command.to_owned(), output: String::new() });
            within = true;
            continue;
        }
        let last = all.last_mut().context("the first line of a console block begins with `$ `")?;
        within &= line.starts_with("    ") || last.command.ends_with('\\');
        let part = if within { &mut last.command } else { &mut last.output };
        if within || !part.is_empty() {
            part.push('\n');
        }
        part.push_str(line);
    }
    ensure!(!all.is_empty(), "a console block without a command");
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_have_their_marks() {
        let page = "Text.\n\n<!-- test: before ID=1\nB=2 -->\n<!-- test: eventually -->\n```console\n$ a\n```\n\n1. In a list:\n\n   ```sh\n   b\n     c\n   ```\n";
        let all = blocks(page).unwrap();
        assert_eq!(all.len(), 2);
        assert_eq!(all[0].marks.before.as_deref(), Some("ID=1\nB=2"));
        assert!(all[0].marks.eventually);
        assert_eq!((all[0].line, all[0].language.as_str()), (6, "console"));
        assert_eq!((all[1].text.as_str(), &all[1].marks), ("b\n  c", &Marks::default()));
    }

    #[test]
    fn wrong_marks_are_refused() {
        for page in [
            "<!-- test: skip -->\n```sh\n```",
            "<!-- test: not run -->\n```sh\n```",
            "<!-- test: not run: -->\n```sh\n```",
            "<!-- test: eventually -->\nText.\n```sh\n```",
            "<!-- test: eventually -->\n",
            "<!-- test: eventually\n",
        ] {
            assert!(blocks(page).is_err(), "{page}");
        }
    }

    #[test]
    fn indented_lines_continue_commands() {
        let text = "$ curl a \\\n  -d b\n{\"one\": 1}\n  {}\n$ curl c\n    -d d\n";
        let shown =
            |command: &str, output: &str| ShownCommand { command: command.to_owned(), output: output.to_owned() };
        let expected = [shown("curl a \\\n  -d b", "{\"one\": 1}\n  {}"), shown("curl c\n    -d d", "")];
        assert_eq!(commands(text).unwrap(), expected);
        assert!(commands("curl a").is_err());
    }

    #[test]
    fn a_comment_that_is_only_a_name_names_the_file() {
        let named = [("# receiver.py\nimport os", Some("receiver.py")), ("// src/main.rs", Some("src/main.rs"))];
        let not = [("# the receiver.", None), ("// ../a.rs/", None), ("import os", None), ("# a b.py", None)];
        for (text, name) in named.into_iter().chain(not) {
            assert_eq!(file_named_by(text), name, "{text}");
        }
    }
}
