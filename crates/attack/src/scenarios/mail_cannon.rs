//! M2: how many e-mails a tenant can have sent to somebody who never asked.

use std::time::Duration;

use harness::http::{Client, text};
use harness::tenant::Tenant;
use serde_json::{Value, json};

use crate::flood::{Flood, Shot};
use crate::lab::Lab;
use crate::network::anywhere;
use crate::table::Findings;
use crate::target::Target;

const OUTSIDER: &str = "victim@example.org";
/// In whose name tickets are opened that are acknowledged.
const NAMED: &str = "named@example.org";
const MOST_ACKNOWLEDGEMENTS: u64 = 10;
const INVITED: &str = "invited@example.org";
const MOST_A_DAY: u64 = 50;
const MOST_INVITATIONS: u64 = 3;
const SETTLE_TIME: Duration = Duration::from_secs(3);

pub(super) async fn run(lab: &Lab) -> anyhow::Result<Findings> {
    let target = Target::start(lab)?;
    let mut findings = Findings::default();
    let (tickets, comments) = lab.pick((60, 2), (200, 5));
    for slug in ["spam", "more"] {
        let tenant = target.tenant(slug, "enterprise")?;
        tenant.lift_limits(&target.program)?;
        comment(&target, &tenant, tickets, comments).await?;
    }
    // Comments of a minute come as one e-mail, which waits that long.
    let quiet = lab.pick(SETTLE_TIME, Duration::from_secs(75));
    let count = |address: &'static str| move |target: &Target| Ok(target.emails_to(address)?.len() as u64);
    let sent = target.settled(quiet, count(OUTSIDER)).await?;
    let what = format!("e-mails to an outsider for {} comments of two workspaces", 2 * tickets * comments);
    findings.at_most(&what, MOST_A_DAY, sent, "");
    if let Some(email) = target.emails_to(OUTSIDER)?.first() {
        let says = ["spam", "more"].iter().any(|sender| email.contains(sender));
        findings.expect("such an e-mail says who sent it", "the workspace", if says { "yes" } else { "no" }, says);
    }
    let tickets = lab.pick(40, 200);
    for slug in ["polite", "civil"] {
        let tenant = target.tenant(slug, "enterprise")?;
        tenant.lift_limits(&target.program)?;
        acknowledge(&target, &tenant, tickets).await?;
    }
    let sent = target.settled(SETTLE_TIME, count(NAMED)).await?;
    let what = format!("acknowledgements of {} tickets of two workspaces", 2 * tickets);
    findings.at_most(&what, MOST_ACKNOWLEDGEMENTS, sent, "");
    let emails = target.emails_to(NAMED)?;
    let repeats = emails.iter().any(|email| email.contains("Buy now"));
    findings.expect("such an e-mail repeats the ticket", "no", if repeats { "yes" } else { "no" }, !repeats);
    let owner = target.tenant("inviting", "starter")?;
    let session = owner.log_in(&mut target.client("20.0.0.1")).await?;
    let invitations = Flood::begin(target.address, 4, 40, move |number| {
        let invitation = json!({"email": INVITED, "role": "member"});
        Shot::post("/api/settings/members", invitation).key(&*session).from(anywhere(number))
    });
    let invitations = invitations.finish().await;
    let sent = target.settled(SETTLE_TIME, count(INVITED)).await?;
    let what = format!("e-mails for 40 invitations of one address ({})", invitations.said());
    findings.at_most(&what, MOST_INVITATIONS, sent, "");
    Ok(findings)
}

/// Opens tickets in an outsider's name, in a workspace that acknowledges tickets.
async fn acknowledge(target: &Target, tenant: &Tenant, tickets: usize) -> anyhow::Result<()> {
    let mut owner = tenant.owner(target.address).await?;
    owner.send("PATCH", "/api/settings/workspace", &json!({"notify_requesters": true}), 200).await?;
    let mut client = Client::new(target.address).patient().with_key(&tenant.key);
    for number in 0..tickets {
        let ticket = json!({"name": "Buy now", "email": NAMED, "subject": format!("Buy now {number}")});
        client.create("/api/public/tickets", &ticket).await?;
    }
    Ok(())
}

/// Opens tickets in an outsider's name and answers them.
async fn comment(target: &Target, tenant: &Tenant, tickets: usize, comments: usize) -> anyhow::Result<()> {
    let mut client = Client::new(target.address).patient().with_key(&tenant.key);
    for number in 0..tickets {
        let ticket = json!({"name": "Ada", "email": OUTSIDER, "subject": format!("Buy now {number}")});
        client.create("/api/public/tickets", &ticket).await?;
    }
    let mut issues = Vec::new();
    let mut path = "/api/v1/issues?kind=ticket&limit=100".to_owned();
    loop {
        let page = client.send("GET", &path, &Value::Null, 200).await?;
        for issue in page.body["data"].as_array().into_iter().flatten() {
            issues.push(text(issue, "/id")?.to_owned());
        }
        match page.body["pagination"]["nextCursor"].as_str() {
            Some(cursor) => path = format!("/api/v1/issues?kind=ticket&limit=100&cursor={cursor}"),
            None => break,
        }
    }
    for issue in &issues {
        for _ in 0..comments {
            let body = json!({"body": "Visit our shop", "visibility": "public"});
            client.create(&format!("/api/v1/issues/{issue}/comments"), &body).await?;
        }
    }
    Ok(())
}
