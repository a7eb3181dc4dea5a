//! Throws generated input at every parser of what unauthenticated clients send.
//!
//! A target is a check of one text. It must hold for all texts, and nothing may panic. Texts are composed of parts of known
//! ones ([`input`]), and shrunk when a check fails. A text that failed once is kept as a seed of its target, and every
//! run starts with the seeds.

mod input;
mod pure;
mod run;
mod service;

pub use run::{Failure, Run, run};

/// A fuzzing target.
#[derive(Debug, Clone, Copy)]
pub struct Target {
    pub name: &'static str,
    /// Texts that are checked unchanged, and from which others are generated. Includes texts that failed once.
    pub seeds: &'static [&'static str],
    /// Parts that have a meaning for the parser.
    pub words: &'static [&'static str],
    pub check: Check,
}

/// How a text is checked; the error describes the problem.
#[derive(Debug, Clone, Copy)]
pub enum Check {
    /// By calling a parser.
    Pure(fn(&str) -> Result<(), String>),
    /// By a request to a service over a real Postgres.
    Service(service::Request),
}

/// All targets.
pub fn targets() -> Vec<Target> {
    [pure::TARGETS.as_slice(), service::TARGETS.as_slice()].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tries this number of texts for each target; `cargo xtask fuzz` tries as many as it has time for.
    fn try_all(targets: &[Target], texts: u32) {
        for target in targets {
            run(target, Run::Repeatable { texts }).unwrap_or_else(|failure| panic!("{}: {failure}", target.name));
        }
    }

    #[test]
    fn no_input_breaks_a_parser() {
        try_all(&pure::TARGETS, 2_000);
    }

    #[test]
    fn no_input_breaks_the_service() {
        try_all(&service::TARGETS, 100);
    }

    #[test]
    fn a_failure_is_found_and_shrunk() {
        fn short(text: &str) -> Result<(), String> {
            if text.contains("--") { Err("two dashes".to_owned()) } else { Ok(()) }
        }
        let target = Target { name: "dashes", seeds: &["a-b"], words: &["-"], check: Check::Pure(short) };
        let failure = run(&target, Run::Repeatable { texts: 5_000 }).unwrap_err();
        assert!(failure.text.contains("--") && failure.text.len() < 6, "{:?}", failure.text);
        assert_eq!(failure.reason, "two dashes");
        let target = Target { seeds: &["x--y"], ..target };
        let failure = run(&target, Run::Repeatable { texts: 0 }).unwrap_err();
        assert_eq!(failure.text, "x--y", "seeds are checked as they are");
    }
}
