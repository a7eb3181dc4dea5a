//! What a deletion or restoration takes along (interface 24.10).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How many records a project took along when it was deleted or restored. They have no events of their own.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Cascade {
    pub tasks: u64,
    pub cycles: u64,
}
