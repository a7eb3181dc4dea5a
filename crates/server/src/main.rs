//! `workspace-service`: the whole service in one binary.

use std::process::ExitCode;

fn main() -> ExitCode {
    match server::run(server::Cli::of_this_process()) {
        Ok(()) => ExitCode::SUCCESS,
        // The output already says everything.
        Err(error) if error.is::<server::RowsRefused>() => ExitCode::from(3),
        Err(error) => {
            // The chain of causes is for the operator. API clients never see it.
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}
