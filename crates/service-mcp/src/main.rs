//! `service-mcp`: the adapter as a program.

use std::process::ExitCode;

fn main() -> ExitCode {
    service_mcp::run()
}
