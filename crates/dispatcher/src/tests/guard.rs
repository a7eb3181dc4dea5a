//! The SSRF guard.

use std::net::IpAddr;
use std::process::Command;
use std::sync::Arc;

use async_trait::async_trait;
use domain::webhooks::{DeliveryState, TargetPolicy};

use super::queue::Row;
use super::receiver::{Receiver, ScriptedResponse};
use super::{Rig, open};
use crate::{DispatcherOptions, NameResolver, ResolveError};

const REFUSED: &str = "the target resolves to a private or special-purpose address";

/// Resolves a single name.
struct OneName(&'static str, Vec<IpAddr>);

#[async_trait]
impl NameResolver for OneName {
    async fn resolve(&self, name: &str) -> Result<Vec<IpAddr>, ResolveError> {
        if name == self.0 { Ok(self.1.clone()) } else { Err(ResolveError::Unknown) }
    }
}

fn closed() -> DispatcherOptions {
    let targets = TargetPolicy { allows_http: true, allows_private_networks: false };
    DispatcherOptions { targets, ..open() }
}

fn naming(targets: TargetPolicy, addresses: &[&str]) -> DispatcherOptions {
    let addresses = addresses.iter().map(|address| address.parse().unwrap()).collect();
    let names: Arc<dyn NameResolver> = Arc::new(OneName("receiver.example", addresses));
    DispatcherOptions { targets, names: Some(names), ..open() }
}

fn refused(row: &Row) -> bool {
    row.attempts[0].error.as_deref() == Some(REFUSED)
        && row.attempts[0].status.is_none()
        && row.delivery.state == DeliveryState::Failed
}

#[tokio::test]
async fn special_addresses_are_refused_in_every_spelling() {
    let receiver = Receiver::always(ScriptedResponse::Status(200)).await;
    let port = receiver.port();
    for host in [
        "127.0.0.1",
        "[::1]",
        "[::ffff:127.0.0.1]",
        "[::ffff:7f00:1]",
        "127.1",
        "2130706433",
        "0x7f.1",
        "localhost",
        "localhost.",
        "127.0.0.1.",
        "0177.0.0.1",
        "0x7f000001",
        "%31%32%37.0.0.1",
        "0",
        "[::]",
    ] {
        let row = Rig::new().attempt(&format!("http://{host}:{port}/hook"), closed()).await;
        let attempt = &row.attempts[0];
        assert!(attempt.status.is_none() && attempt.error.is_some(), "{host}: {attempt:?}");
        assert_eq!(row.delivery.state, DeliveryState::Failed, "{host}: {attempt:?}");
    }
    assert_eq!(receiver.connections(), 0);
}

#[tokio::test]
async fn a_name_that_resolves_to_a_special_address_is_refused() {
    let receiver = Receiver::always(ScriptedResponse::Status(200)).await;
    let url = format!("http://receiver.example:{}/hook", receiver.port());
    for address in ["127.0.0.1", "::1", "::ffff:127.0.0.1", "10.1.2.3", "169.254.169.254", "fd00::1", "64:ff9b::7f00:1"]
    {
        assert!(refused(&Rig::new().attempt(&url, naming(closed().targets, &[address])).await), "{address}");
    }
    assert!(refused(&Rig::new().attempt(&url, naming(closed().targets, &["127.0.0.1", "::1"])).await));
    assert_eq!(receiver.connections(), 0);
    let row = Rig::new().attempt(&url, naming(open().targets, &["127.0.0.1"])).await;
    assert_eq!(row.delivery.state, DeliveryState::Succeeded, "allowed by the operator");
    assert_eq!(receiver.seen()[0].headers["host"], format!("receiver.example:{}", receiver.port()));
}

#[tokio::test]
async fn a_name_that_changes_is_checked_again() {
    /// Resolves to a global address first, then to loopback.
    struct Rebinding(std::sync::atomic::AtomicBool);

    #[async_trait]
    impl NameResolver for Rebinding {
        async fn resolve(&self, _: &str) -> Result<Vec<IpAddr>, ResolveError> {
            let is_second = self.0.swap(true, std::sync::atomic::Ordering::Relaxed);
            // 192.88.100.1 is global, and nothing listens on its port 1.
            if is_second { Ok(vec!["127.0.0.1".parse().unwrap()]) } else { Err(ResolveError::Unavailable) }
        }
    }
    let rig = Rig::new();
    let receiver = Receiver::always(ScriptedResponse::Status(200)).await;
    let (subscription, _) = rig.subscribe(&format!("http://receiver.example:{}/", receiver.port()));
    let delivery = rig.enqueue(subscription, 1)[0];
    let names: Arc<dyn NameResolver> = Arc::new(Rebinding(false.into()));
    let started = rig.start(DispatcherOptions { names: Some(names), ..closed() });
    rig.queue.until(|rows| rows[&delivery].attempts.len() == 1).await;
    assert_eq!(rig.queue.row(delivery).attempts[0].error.as_deref(), Some("the host name could not be resolved"));
    rig.clock.advance(std::time::Duration::from_secs(10));
    started.queued.notify();
    rig.queue.until(|rows| rows[&delivery].attempts.len() == 2).await;
    assert_eq!(rig.queue.row(delivery).attempts[1].error.as_deref(), Some(REFUSED));
    assert_eq!(receiver.connections(), 0);
    started.stop().await;
}

#[tokio::test]
async fn names_that_do_not_exist_are_retried() {
    let row = Rig::new().attempt("http://other.example/", naming(closed().targets, &["127.0.0.1"])).await;
    assert_eq!(row.attempts[0].error.as_deref(), Some("the host name does not exist"));
    assert_eq!(row.delivery.state, DeliveryState::Retrying);
}

#[tokio::test]
async fn the_operators_policy_is_checked_at_each_attempt() {
    for url in ["http://8.8.8.8/", "ftp://receiver.example/", "https://user@receiver.example/"] {
        let options = naming(TargetPolicy::default(), &["8.8.8.8"]);
        let row = Rig::new().attempt(url, options).await;
        assert_eq!(row.attempts[0].error.as_deref(), Some("the target is no longer allowed"), "{url}");
        assert_eq!(row.delivery.state, DeliveryState::Failed);
    }
}

/// The environment cannot be changed safely within a process, so a child process runs a single test.
#[test]
fn proxies_from_the_environment_are_not_used() {
    let mut child = Command::new(std::env::current_exe().unwrap());
    child.args(["--exact", "tests::responses::connections_are_reused"]);
    for name in ["HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"] {
        child.env(name, "http://127.0.0.1:1");
    }
    child.env_remove("NO_PROXY").env_remove("no_proxy");
    let output = child.output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && text.contains("1 passed"), "{text}");
}
