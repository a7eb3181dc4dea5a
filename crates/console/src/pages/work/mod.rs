//! Projects, their cycles and boards, and tasks.

mod board;
mod burn_up;
mod cycles;
mod moves;
mod plan;
mod progress;
mod projects;
mod tasks;

use http_core::Operation;

use crate::page::operation;

pub(crate) use cycles::CYCLES;
pub(crate) use projects::Projects;
pub(crate) use tasks::Tasks;

/// The pages besides those that every kind of record has.
pub(crate) const OPERATIONS: [Operation; 6] = [
    operation::<tasks::Mine>(),
    operation::<plan::Edit>(),
    operation::<plan::Plan>(),
    operation::<board::Board>(),
    operation::<board::Move>(),
    operation::<progress::Progress>(),
];
