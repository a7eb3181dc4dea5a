//! Parses a container file. Supports only what our file uses; anything else is an error.

use anyhow::{Context, Result, bail, ensure};

/// The stages, in order.
#[derive(Debug, PartialEq)]
pub(super) struct Containerfile {
    pub(super) stages: Vec<StageSteps>,
}

#[derive(Debug, PartialEq)]
pub(super) struct StageSteps {
    /// Such as `docker.io/library/rust:1.95-bookworm`.
    pub(super) image: String,
    pub(super) name: Option<String>,
    pub(super) steps: Vec<Step>,
}

#[derive(Debug, PartialEq)]
pub(super) enum Step {
    /// Sets a variable for the following steps and, with `ENV`, also in the container.
    Variable {
        name: String,
        value: String,
        stays: bool,
    },
    Workdir(String),
    User(String),
    Copy {
        from: Option<String>,
        source: String,
        target: String,
    },
    Run {
        /// Folders that a builder keeps between builds.
        caches: Vec<String>,
        line: String,
    },
    Healthcheck(Vec<String>),
    Entrypoint(Vec<String>),
    Command(Vec<String>),
}

impl Containerfile {
    pub(super) fn parse(text: &str) -> Result<Self> {
        let lines = text.lines().filter(|line| !line.trim_start().starts_with('#'));
        let joined = lines.collect::<Vec<_>>().join("\n").replace("\\\n", " ");
        let mut stages: Vec<StageSteps> = Vec::new();
        for line in joined.lines().map(str::trim).filter(|line| !line.is_empty()) {
            let (name, rest) = line.split_once(' ').with_context(|| format!("no instruction: {line}"))?;
            if name == "FROM" {
                stages.push(from(rest)?);
                continue;
            }
            let stage = stages.last_mut().context("the first instruction must be FROM")?;
            stage.steps.extend(steps(name, rest.trim()).with_context(|| line.to_owned())?);
        }
        ensure!(!stages.is_empty(), "no stage");
        Ok(Self { stages })
    }
}

fn from(rest: &str) -> Result<StageSteps> {
    let arguments: Vec<_> = rest.split_whitespace().collect();
    let (image, name) = match arguments[..] {
        [image] => (image, None),
        [image, "AS", name] => (image, Some(name.to_owned())),
        _ => bail!("FROM names an image, and perhaps a stage: {rest}"),
    };
    Ok(StageSteps { image: image.to_owned(), name, steps: Vec::new() })
}

fn steps(name: &str, rest: &str) -> Result<Vec<Step>> {
    let one = match name {
        "ARG" | "ENV" => {
            let stays = name == "ENV";
            let variable = |argument: &str| {
                let (name, value) = argument.split_once('=').context("a variable needs a value")?;
                Ok(Step::Variable { name: name.to_owned(), value: value.to_owned(), stays })
            };
            return rest.split_whitespace().map(variable).collect();
        }
        "EXPOSE" | "VOLUME" | "STOPSIGNAL" => return Ok(Vec::new()),
        "WORKDIR" => Step::Workdir(rest.to_owned()),
        "USER" => Step::User(rest.to_owned()),
        "COPY" => copy(rest)?,
        "RUN" => run(rest)?,
        "HEALTHCHECK" => Step::Healthcheck(list(rest.split_once("CMD").context("a health check needs CMD")?.1)?),
        "ENTRYPOINT" => Step::Entrypoint(list(rest)?),
        "CMD" => Step::Command(list(rest)?),
        _ => bail!("this instruction is not known here"),
    };
    Ok(vec![one])
}

fn copy(rest: &str) -> Result<Step> {
    let mut arguments: Vec<_> = rest.split_whitespace().collect();
    let from = arguments.first().and_then(|argument| argument.strip_prefix("--from=")).map(str::to_owned);
    arguments.drain(..usize::from(from.is_some()));
    let [source, target] = arguments[..] else { bail!("COPY takes one source and one target here") };
    Ok(Step::Copy { from, source: source.to_owned(), target: target.to_owned() })
}

fn run(mut rest: &str) -> Result<Step> {
    let mut caches = Vec::new();
    while let Some(option) = rest.strip_prefix("--mount=type=cache,target=") {
        let (cache, more) = option.split_once(char::is_whitespace).context("RUN has no command")?;
        caches.push(cache.to_owned());
        rest = more.trim_start();
    }
    ensure!(!rest.starts_with("--"), "this option is not known here");
    Ok(Step::Run { caches, line: rest.to_owned() })
}

fn list(text: &str) -> Result<Vec<String>> {
    serde_json::from_str(text).context("a command must be a list, so that no shell stands between")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stages_and_steps_are_read() {
        let text = "# Comment\nFROM a AS build\nARG P=dist\nRUN --mount=type=cache,target=/c \\\n    make \\\n    && b\n\n\
                    FROM b\nCOPY --from=build /x /y\nUSER 1:1\nEXPOSE 8080\nHEALTHCHECK --interval=1s CMD [\"h\"]\nCMD [\"s\"]\n";
        let file = Containerfile::parse(text).unwrap();
        let [build, last] = &file.stages[..] else { panic!("{file:?}") };
        assert_eq!((build.image.as_str(), build.name.as_deref()), ("a", Some("build")));
        let line = "make      && b".to_owned();
        assert_eq!(build.steps[1], Step::Run { caches: vec!["/c".to_owned()], line });
        let copied = Step::Copy { from: Some("build".to_owned()), source: "/x".to_owned(), target: "/y".to_owned() };
        let expected = [
            copied,
            Step::User("1:1".to_owned()),
            Step::Healthcheck(vec!["h".to_owned()]),
            Step::Command(vec!["s".to_owned()]),
        ];
        assert_eq!(last.steps, expected);
    }

    #[test]
    fn unknown_instructions_are_rejected() {
        for text in
            ["RUN a", "", "FROM a\nADD b c", "FROM a\nCMD serve", "FROM a\nRUN --network=none a", "FROM a\nENV A"]
        {
            assert!(Containerfile::parse(text).is_err(), "{text}");
        }
    }
}
