//! Less of the cores for work that may wait.

/// The nice value of what gives way: about a tenth of the share of others while these want a core, and all of it otherwise.
pub const NICE: i32 = 10;

/// Lowers the priority of the calling thread for good: to raise one takes a privilege.
pub fn give_way() {
    // Elsewhere the priority is that of the whole process.
    #[cfg(target_os = "linux")]
    if let Err(error) = rustix::process::nice(NICE) {
        log::debug!("cannot lower the priority of a thread: {error}");
    }
}
