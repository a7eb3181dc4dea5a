//! The lifecycle of clusters: shared, killed, recovered, thrown away. On a machine without Postgres, these tests fail
//! and explain how to install it.

#[cfg(test)]
mod crashes;
#[cfg(test)]
mod folders;
#[cfg(test)]
mod recovery;
#[cfg(test)]
mod sharing;
#[cfg(test)]
mod support;
#[cfg(test)]
mod throwaway;
#[cfg(test)]
mod upgrade;
