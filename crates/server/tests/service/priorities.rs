//! Whose threads and server processes give way to those of ordinary requests.

use std::fs::{self, read_to_string};
use std::path::Path;

use crate::support::{Service, data_dir};
use crate::used::sql;

/// Where the nice value is in `/proc/PID/stat`, behind the name.
const NICE: usize = 16;

#[test]
fn searches_heavy_requests_and_background_work_give_way_to_other_requests() {
    let data = data_dir();
    let service = Service::start(data.path());
    let key = service.key.clone().unwrap();
    let contacts = "/api/v1/crm/contacts";
    for path in ["", "?search=nobody", "?page=1000&limit=100"] {
        let answer = service.get(&format!("{contacts}{path}"), &key);
        assert!(answer.starts_with("HTTP/1.1 200 "), "{answer}");
    }
    let own = nice(Path::new("/proc/self"));
    for (what, text, gives_way) in [
        ("an ordinary list", "FROM contacts WHERE%LIMIT 51", false),
        ("a search", "%tsquery%", true),
        ("a page far behind the first", "FROM contacts WHERE%OFFSET%", true),
    ] {
        let of_it = format!("query LIKE '%{text}' AND query NOT LIKE '%pg_stat_activity%'");
        let found = sql(data.path(), &format!("SELECT pid FROM pg_stat_activity WHERE {of_it}"));
        let process = Path::new("/proc").join(&found);
        assert_eq!(nice(&process) > own, gives_way, "{what} is answered by the process {found:?}");
    }
    let tasks = fs::read_dir(format!("/proc/{}/task", service.child.id())).unwrap();
    let threads: Vec<_> = tasks.map(|task| task.unwrap().path()).map(|task| (name(&task), nice(&task))).collect();
    for (part, gives_way) in [("dispatcher", true), ("actix", false)] {
        let mut of_it = threads.iter().filter(|(name, _)| name.contains(part)).peekable();
        assert!(of_it.peek().is_some(), "{part}: {threads:?}");
        assert!(of_it.all(|(_, nice)| (*nice > own) == gives_way), "{part}: {threads:?}");
    }
}

fn name(process: &Path) -> String {
    read_to_string(process.join("comm")).unwrap().trim().to_owned()
}

fn nice(process: &Path) -> i32 {
    let stat = read_to_string(process.join("stat")).unwrap();
    stat.rsplit_once(") ").unwrap().1.split(' ').nth(NICE).unwrap().parse().unwrap()
}
