//! Lower CPU priority for work that can wait.

/// The nice value of low-priority threads. They get about a tenth of a core that others want, and all of it otherwise.
pub const NICE: i32 = 10;

/// Permanently lowers the priority of the calling thread: raising it again needs a privilege.
pub fn lower_priority() {
    // On other systems the priority belongs to the whole process.
    #[cfg(target_os = "linux")]
    if let Err(error) = rustix::process::nice(NICE) {
        log::debug!("cannot lower the priority of a thread: {error}");
    }
}
