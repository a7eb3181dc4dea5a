//! Reruns the build when a migration changes: cargo does not see the files that the macro compiles in.

fn main() {
    println!("cargo:rerun-if-changed=../../migrations");
}
