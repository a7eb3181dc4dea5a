//! The demo workspace of a first start.

use domain::Error;
use domain::api_keys::{self, NewKey, PlainKey};
use domain::ports::{Operator, Ports};
use domain::workspaces::{self, NewWorkspace, Plan};

/// Makes the demo workspace with a key for everything, unless there is any workspace already.
pub(crate) async fn make_once(ports: &Ports, operator: &Operator) -> Result<Option<PlainKey>, Error> {
    if ports.directory.has_workspaces().await? {
        return Ok(None);
    }
    let new = NewWorkspace { name: "Demo".to_owned(), slug: "demo".to_owned(), plan: Plan::Starter };
    let workspace = workspaces::create(ports, operator, &new).await?;
    let key = NewKey { name: "demo".to_owned(), preset: Some("full_access".to_owned()), ..NewKey::default() };
    Ok(Some(api_keys::create(ports, operator, workspace.id, &key).await?.plain))
}
