//! Tool calls, compared with the REST read of a record.

use std::net::SocketAddr;
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::ensure;
use serde_json::{Value, json};

use super::{in_turns, new_report, progress};
use crate::Tools;
use crate::report::Report;
use test_support::load::http::{Client, text};
use test_support::load::tenant::{Tenant, make_deal};
use test_support::program::Program;

const CALL: &str = "/api/mcp/tools/call";
/// Requests of one kind before the next kind has its turn.
const IN_A_ROW: usize = 50;
/// Concurrent connections for measuring throughput.
const CONNECTIONS: usize = 8;

/// One kind of request.
#[derive(Debug, Clone)]
struct Kind {
    what: &'static str,
    method: &'static str,
    path: String,
    body: Value,
    /// Pointer to the record's id in the response.
    id: &'static str,
}

/// The tool call benchmark.
pub(crate) async fn tools(program: &Path, data: &Path, options: &Tools) -> anyhow::Result<Report> {
    let program = Program::for_measuring(program, data);
    let mut report = new_report()?;
    let service = program.start_dispatching("off")?;
    let tenant = Tenant::make(&program, "tools")?;
    let kinds = kinds(&mut tenant.client(service.address).await?).await?;
    progress("one at a time");
    one_at_a_time(&tenant, service.address, &kinds, options.rounds, &mut report).await?;
    progress("all at once");
    for kind in &kinds {
        let rate = rate_of(&tenant, service.address, kind, Duration::from_secs(options.seconds)).await?;
        report.figure(&format!("{} a second, {CONNECTIONS} connections", kind.what), format!("{rate:.0}"), "");
    }
    service.stop()?;
    Ok(report)
}

async fn kinds(client: &mut Client) -> anyhow::Result<Vec<Kind>> {
    let deal = make_deal(client).await?.id()?;
    let person = json!({"email": "ann@example.com", "first_name": "Ann", "job_title": "Buyer", "tags": ["pilot"]});
    let contact = client.create("/api/v1/crm/contacts", &person).await?;
    let contact = text(&contact.body, "/id")?.to_owned();
    let call = |what, name: &str, id: &str| Kind {
        what,
        method: "POST",
        path: CALL.to_owned(),
        body: json!({"name": name, "arguments": {"id": id}}),
        id: "/structuredContent/id",
    };
    let mcp_request = json!({
        "jsonrpc": "2.0", "id": 1, "method": "tools/call",
        "params": {"name": "get_contact", "arguments": {"id": contact}},
    });
    let read = format!("/api/v1/crm/deals/{deal}");
    Ok(vec![
        Kind { what: "GET /crm/deals/{id}", method: "GET", path: read, body: Value::Null, id: "/data/id" },
        call("tools/call get_deal", "get_deal", &deal),
        call("tools/call get_contact", "get_contact", &contact),
        Kind {
            what: "POST /api/mcp, get_contact",
            method: "POST",
            path: "/api/mcp".to_owned(),
            body: mcp_request,
            id: "/result/structuredContent/id",
        },
    ])
}

async fn one_at_a_time(
    tenant: &Tenant,
    service: SocketAddr,
    kinds: &[Kind],
    rounds: usize,
    report: &mut Report,
) -> anyhow::Result<()> {
    let mut client = tenant.client(service).await?;
    let all = in_turns(rounds, kinds.len(), IN_A_ROW, async |kind: usize, _: usize| {
        send_request(&mut client, &kinds[kind]).await
    })
    .await?;
    for (kind, times) in kinds.iter().zip(&all) {
        report.times(kind.what, times, "");
    }
    let read = all[0].at(500);
    for (kind, times) in kinds.iter().zip(&all).skip(1) {
        let target = if kind.path == CALL { "≤ 1.3" } else { "" };
        report.figure(
            &format!("{} / {}, p50", kind.what, kinds[0].what),
            format!("{:.2}", times.at(500) / read),
            target,
        );
    }
    Ok(())
}

async fn rate_of(tenant: &Tenant, service: SocketAddr, kind: &Kind, duration: Duration) -> anyhow::Result<f64> {
    let end = Instant::now() + duration;
    let mut clients = Vec::new();
    for _ in 0..CONNECTIONS {
        let (mut client, kind) = (tenant.client(service).await?, kind.clone());
        clients.push(tokio::spawn(async move {
            let mut requests = 0_u32;
            while Instant::now() < end {
                send_request(&mut client, &kind).await?;
                requests += 1;
            }
            anyhow::Ok(requests)
        }));
    }
    let mut requests = 0;
    for client in clients {
        requests += client.await??;
    }
    Ok(f64::from(requests) / duration.as_secs_f64())
}

/// Sends one request, whose response must contain the record.
async fn send_request(client: &mut Client, kind: &Kind) -> anyhow::Result<Duration> {
    let response = client.send(kind.method, &kind.path, &kind.body, 200).await?;
    ensure!(response.body.pointer(kind.id).is_some(), "{}: {}", kind.what, response.body);
    Ok(response.took)
}
