//! Somebody with a stolen session guesses the password, to keep the account.

use serde_json::json;

use crate::flood::{Flood, Shot};
use crate::lab::Lab;
use crate::network::anywhere;
use crate::table::Findings;
use crate::target::Target;

/// Ten a minute for a session, and the run may touch two minutes.
const MOST_GUESSES: u64 = 20;

pub(super) async fn run(lab: &Lab) -> anyhow::Result<Findings> {
    let target = Target::start(lab)?;
    let tenant = target.tenant("robbed", "enterprise")?;
    let session = tenant.log_in(&mut target.client("198.51.100.7")).await?;
    let count = lab.pick(60, 200);
    let guesses = Flood::begin(target.address, 4, count, move |number| {
        let body =
            json!({"current_password": format!("guess number {number}"), "new_password": "quite another 77 horses"});
        Shot::post("/api/auth/password", body).key(&*session).from(anywhere(number))
    });
    let guesses = guesses.finish().await;
    let mut findings = Findings::default();
    let what = format!("guesses that were checked of {count} from as many addresses ({})", guesses.said());
    findings.at_most(&what, MOST_GUESSES, guesses.of(422), "");
    Ok(findings)
}
