//! Prompts on the terminal.

use std::io::{BufRead, IsTerminal, Read, Stdin, Write};

use anyhow::{Context, bail, ensure};
use domain::identity::accounts::NewPassword;
use rustix::termios::{LocalModes, OptionalActions, SpecialCodeIndex, Termios, tcgetattr, tcsetattr};

use super::explain;

/// The byte that a terminal sends for Ctrl-C.
const INTERRUPT: u8 = 3;

/// A new password. On a terminal, it is prompted for twice without an echo; otherwise it is the first line of standard input.
/// Arguments and environment variables would show in process lists.
pub(super) fn new_password(is_piped: bool) -> anyhow::Result<NewPassword> {
    let input = std::io::stdin();
    let parse = |text: &str| NewPassword::parse(text).map_err(|error| explain(&error));
    if is_piped || !input.is_terminal() {
        return parse(&line_of(&input)?);
    }
    let echo_off = EchoOff::of(&input)?;
    let first = read_hidden(&input, "Password (12 to 200 characters): ")?;
    // Check it before it is typed again.
    let password = parse(&first)?;
    let second = read_hidden(&input, "Repeat: ")?;
    drop(echo_off);
    ensure!(first == second, "the two passwords differ: nothing was done");
    Ok(password)
}

/// An existing secret. On a terminal, it is prompted for without an echo; otherwise it is the first line of standard input.
pub(super) fn secret(question: &str) -> anyhow::Result<String> {
    let input = std::io::stdin();
    if input.is_terminal() { hidden(question) } else { line_of(&input) }
}

/// A line typed on the terminal without an echo.
pub(super) fn hidden(question: &str) -> anyhow::Result<String> {
    let input = std::io::stdin();
    let _echo_off = EchoOff::of(&input)?;
    read_hidden(&input, question)
}

/// The text that confirms a deletion: the argument or, on a terminal, the answer to a prompt.
pub(super) fn confirmation(argument: Option<String>, question: &str) -> anyhow::Result<String> {
    let input = std::io::stdin();
    match argument {
        Some(argument) => Ok(argument),
        None if input.is_terminal() => {
            prompt(question)?;
            line_of(&input)
        }
        None => bail!("confirm the deletion with --confirm and the slug of the workspace"),
    }
}

fn read_hidden(input: &Stdin, question: &str) -> anyhow::Result<String> {
    prompt(question)?;
    let mut line = Vec::new();
    for byte in input.lock().bytes() {
        match byte.context("cannot read from the terminal")? {
            b'\n' => break,
            INTERRUPT => bail!("interrupted: nothing was done"),
            byte => line.push(byte),
        }
    }
    // The line break had no echo either.
    prompt("\n")?;
    String::from_utf8(line).context("the input is not UTF-8")
}

/// Prints to standard error, because a program may read standard output.
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

/// Turns off the echo of the terminal while this value exists.
struct EchoOff<'a> {
    terminal: &'a Stdin,
    original: Termios,
}

impl<'a> EchoOff<'a> {
    fn of(terminal: &'a Stdin) -> anyhow::Result<Self> {
        let original = tcgetattr(terminal).context("cannot read the settings of the terminal")?;
        let mut silent = original.clone();
        // The signal of Ctrl-C would end the process before the echo is turned on again, so it ends the line instead.
        silent.local_modes.remove(LocalModes::ECHO | LocalModes::ISIG);
        silent.special_codes[SpecialCodeIndex::VEOL] = INTERRUPT;
        // Discard what was typed before the question.
        tcsetattr(terminal, OptionalActions::Flush, &silent).context("cannot turn off the echo of the terminal")?;
        Ok(Self { terminal, original })
    }
}

impl Drop for EchoOff<'_> {
    fn drop(&mut self) {
        // Nothing can be done if the terminal is gone.
        let _ = tcsetattr(self.terminal, OptionalActions::Now, &self.original);
    }
}
