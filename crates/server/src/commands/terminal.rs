//! What commands ask of the person at the terminal.

use std::io::{BufRead, IsTerminal, Read, Stdin, Write};

use anyhow::{Context, bail, ensure};
use domain::identity::accounts::NewPassword;
use rustix::termios::{LocalModes, OptionalActions, SpecialCodeIndex, Termios, tcgetattr, tcsetattr};

use super::explained;

/// What a terminal sends for Ctrl-C.
const INTERRUPT: u8 = 3;

/// A new password: asked for twice on a terminal, without showing it; else the first line of standard input. An argument
/// or an environment variable would show in process lists.
pub(super) fn new_password(is_piped: bool) -> anyhow::Result<NewPassword> {
    let input = std::io::stdin();
    let parse = |text: &str| NewPassword::parse(text).map_err(|error| explained(&error));
    if is_piped || !input.is_terminal() {
        return parse(&line_of(&input)?);
    }
    let silence = Silence::of(&input)?;
    let first = asked(&input, "Password (12 to 200 characters): ")?;
    // Before it is typed again.
    let password = parse(&first)?;
    let second = asked(&input, "Repeat: ")?;
    drop(silence);
    ensure!(first == second, "the two passwords differ: nothing was done");
    Ok(password)
}

/// A secret that exists: asked for on a terminal, without showing it; else the first line of standard input.
pub(super) fn secret(question: &str) -> anyhow::Result<String> {
    let input = std::io::stdin();
    if input.is_terminal() { hidden(question) } else { line_of(&input) }
}

/// A line from the terminal, without showing it.
pub(super) fn hidden(question: &str) -> anyhow::Result<String> {
    let input = std::io::stdin();
    let _silence = Silence::of(&input)?;
    asked(&input, question)
}

/// The word that confirms a deletion: what was named, or what is asked for on a terminal.
pub(super) fn confirmation(named: Option<String>, question: &str) -> anyhow::Result<String> {
    let input = std::io::stdin();
    match named {
        Some(named) => Ok(named),
        None if input.is_terminal() => {
            prompt(question)?;
            line_of(&input)
        }
        None => bail!("confirm the deletion with --confirm and the slug of the workspace"),
    }
}

fn asked(input: &Stdin, question: &str) -> anyhow::Result<String> {
    prompt(question)?;
    let mut line = Vec::new();
    for byte in input.lock().bytes() {
        match byte.context("cannot read from the terminal")? {
            b'\n' => break,
            INTERRUPT => bail!("interrupted: nothing was done"),
            byte => line.push(byte),
        }
    }
    // The end of the line was not shown either.
    prompt("\n")?;
    String::from_utf8(line).context("the input is not UTF-8")
}

/// On standard error: standard output may be read by a program.
fn prompt(text: &str) -> anyhow::Result<()> {
    let mut output = std::io::stderr();
    output.write_all(text.as_bytes()).and_then(|()| output.flush()).context("cannot write to the terminal")
}

fn line_of(input: &Stdin) -> anyhow::Result<String> {
    let mut line = String::new();
    input.lock().read_line(&mut line).context("cannot read from standard input")?;
    let line = line.strip_suffix('\n').unwrap_or(&line);
    Ok(line.strip_suffix('\r').unwrap_or(line).to_owned())
}

/// While it lives, the terminal does not show what is typed.
struct Silence<'a> {
    terminal: &'a Stdin,
    before: Termios,
}

impl<'a> Silence<'a> {
    fn of(terminal: &'a Stdin) -> anyhow::Result<Self> {
        let before = tcgetattr(terminal).context("cannot read the settings of the terminal")?;
        let mut silent = before.clone();
        // The signal of Ctrl-C would end the process before the terminal shows again what is typed: it ends the line.
        silent.local_modes.remove(LocalModes::ECHO | LocalModes::ISIG);
        silent.special_codes[SpecialCodeIndex::VEOL] = INTERRUPT;
        // What was typed before the question is no answer.
        tcsetattr(terminal, OptionalActions::Flush, &silent).context("cannot turn off the echo of the terminal")?;
        Ok(Self { terminal, before })
    }
}

impl Drop for Silence<'_> {
    fn drop(&mut self) {
        // Nothing can be done about a terminal that is gone.
        let _ = tcsetattr(self.terminal, OptionalActions::Now, &self.before);
    }
}
