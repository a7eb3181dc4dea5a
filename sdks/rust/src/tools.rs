//! Tools by their names, and what REST says about them.

use serde::Serialize;
use serde_json::Value;

use crate::call::{Call, Keyed};
use crate::generated::resources::Tools;
use crate::types::{ToolSession, ToolsListQuery, ToolsListResponse};

impl Tools {
    /// Calls a tool by its name.
    pub fn call(&self, name: &str, arguments: &(impl Serialize + ?Sized)) -> Call<Value, Keyed> {
        Call::tool(&self.0, name, arguments)
    }

    /// The tools that the key may call; with their schemas if `include_schemas`.
    pub fn list(&self, query: &ToolsListQuery) -> Call<ToolsListResponse> {
        Call::new(&self.0, "tools_list", &[]).with_query(query)
    }

    /// What the key may do, and its limits.
    pub fn session(&self) -> Call<ToolSession> {
        Call::new(&self.0, "tools_session", &[])
    }
}
