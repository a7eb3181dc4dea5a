//! The demo workspace created on the first start.

use domain::Error;
use domain::identity::access::PlainToken;
use domain::identity::api_keys::{self, KeyFields};
use domain::identity::workspaces::{self, NewWorkspace};
use domain::kernel::input::{Input, InputMode};
use domain::limits::Plan;
use domain::ports::{Operator, Ports};
use serde_json::json;

/// Creates the demo workspace with a full-access key, unless any workspace exists.
pub(crate) async fn make_once(ports: &Ports, operator: &Operator) -> Result<Option<PlainToken>, Error> {
    if ports.directory.has_workspaces().await? {
        return Ok(None);
    }
    let new = NewWorkspace { name: "Demo".to_owned(), slug: "demo".to_owned(), plan: Plan::Starter };
    let workspace = workspaces::create(ports, operator, &new).await?;
    let fields = json!({ "name": "demo", "preset": "full_access" });
    let fields = KeyFields::from_object(fields.as_object().cloned().unwrap_or_default(), InputMode::Create)?;
    Ok(Some(api_keys::create(ports, &operator.permit(workspace), fields).await?.plain))
}
