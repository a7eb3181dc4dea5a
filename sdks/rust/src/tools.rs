//! Calls of tools by name, and REST routes about tools.

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

    /// The tools that the key may call, with their schemas if `include_schemas` is set.
    pub fn list(&self, query: &ToolsListQuery) -> Call<ToolsListResponse> {
        Call::new(&self.0, "tools_list", &[]).with_query(query)
    }

    /// The permissions and limits of the key.
    pub fn session(&self) -> Call<ToolSession> {
        Call::new(&self.0, "tools_session", &[])
    }
}
