//! Background work has a lower priority than requests.

use std::fs::{self, read_to_string};
use std::path::Path;

use crate::support::{Service, data_dir, eventually, kill, postmaster};
use crate::used::sql;

/// The position of the nice value in `/proc/PID/stat`, after the name.
const NICE: usize = 16;

#[test]
fn background_work_has_a_lower_priority_than_requests_in_threads_and_server_processes() {
    let data = data_dir();
    let service = Service::start(data.path());
    let key = service.key.clone().unwrap();
    let response = service.get("/api/v1/crm/contacts", &key);
    assert!(response.starts_with("HTTP/1.1 200 "), "{response}");
    let own_nice = nice(Path::new("/proc/self"));
    let list_processes = processes(data.path(), "query LIKE '%FROM contacts WHERE%LIMIT 51%'");
    assert!(!list_processes.is_empty() && list_processes.iter().all(|nice| *nice == own_nice), "{list_processes:?}");
    // The dispatcher polls for deliveries from the start.
    eventually("a server process of the queues has a lower priority", || {
        processes(data.path(), "true").iter().any(|nice| *nice > own_nice)
    });
    let tasks = fs::read_dir(format!("/proc/{}/task", service.process.0.id())).unwrap();
    let threads: Vec<_> = tasks.map(|task| task.unwrap().path()).map(|task| (name(&task), nice(&task))).collect();
    for (part, is_lower) in [("dispatcher", true), ("actix", false)] {
        let mut matching = threads.iter().filter(|(name, _)| name.contains(part)).peekable();
        assert!(matching.peek().is_some(), "{part}: {threads:?}");
        assert!(matching.all(|(_, nice)| (*nice > own_nice) == is_lower), "{part}: {threads:?}");
    }
}

#[test]
fn a_restarted_server_has_the_priority_of_the_first() {
    let data = data_dir();
    let service = Service::start(data.path());
    let key = service.key.clone().unwrap();
    let nice_of = |pid: &str| nice(&Path::new("/proc").join(pid));
    let first = postmaster(data.path());
    let first_nice = nice_of(&first);
    kill(&first);
    eventually("the server is restarted", || !["", &first].contains(&postmaster(data.path()).as_str()));
    eventually("it works", || service.get("/api/v1/crm/contacts", &key).starts_with("HTTP/1.1 200 "));
    assert_eq!(nice_of(&postmaster(data.path())), first_nice);
}

/// The nice values of the server processes for which `condition` is true.
fn processes(data_dir: &Path, condition: &str) -> Vec<i32> {
    let query =
        format!("SELECT pid FROM pg_stat_activity WHERE application_name = 'workspace-service' AND {condition}");
    sql(data_dir, &query).lines().map(|pid| nice(&Path::new("/proc").join(pid))).collect()
}

fn name(process: &Path) -> String {
    read_to_string(process.join("comm")).unwrap().trim().to_owned()
}

fn nice(process: &Path) -> i32 {
    let stat = read_to_string(process.join("stat")).unwrap();
    stat.rsplit_once(") ").unwrap().1.split(' ').nth(NICE).unwrap().parse().unwrap()
}
