//! Sessions of one person, and who may end them.

use harness::http::{Client, text};
use serde_json::Value;

use crate::lab::Lab;
use crate::network::anywhere;
use crate::table::Findings;
use crate::target::Target;

const MOST: u64 = 100;
const SESSIONS: &str = "/api/account/sessions";

pub(super) async fn run(lab: &Lab) -> anyhow::Result<Findings> {
    let target = Target::start(lab)?;
    let (tenant, other) = (target.tenant("busy", "enterprise")?, target.tenant("other", "enterprise")?);
    let another_user = other.log_in(&mut target.client("198.51.100.7")).await?;
    let mut last = String::new();
    let count = lab.pick(20, 130);
    for number in 0..count {
        last = tenant.log_in(&mut target.client(&anywhere(number))).await?;
    }
    let mut person = Client::new(target.address).patient().with_key(&last);
    let page = person.send("GET", SESSIONS, &Value::Null, 200).await?;
    let sessions = page.body["data"].as_array().into_iter().flatten();
    let listed = sessions.map(|session| text(session, "/id").map(str::to_owned)).collect::<Result<Vec<_>, _>>()?;
    let mut findings = Findings::default();
    findings.at_most(&format!("live sessions after {count} sign-ins"), MOST, listed.len() as u64, "");
    findings.at_least("sessions shown", lab.pick(20, 100), listed.len() as u64, "");
    let victim = format!("{SESSIONS}/{}", listed.last().map_or("", String::as_str));
    let mut another_user = Client::new(target.address).patient().with_key(&another_user);
    let refused = another_user.request("DELETE", &victim, &Value::Null).await?.status;
    findings.equal("another user ends one of them", &404, &refused);
    let mut key = Client::new(target.address).patient().with_key(&tenant.key);
    findings.equal("a key reads them", &403, &key.get(SESSIONS).await?.status);
    findings.equal("the person ends one", &200, &person.request("DELETE", &victim, &Value::Null).await?.status);
    Ok(findings)
}
