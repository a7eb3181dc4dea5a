//! The migrations are compiled in by a macro that cargo cannot see through.

fn main() {
    println!("cargo:rerun-if-changed=../../migrations");
}
