//! Cycles as event sources.

use super::CycleView;
use crate::events::{Module, event_source};

event_source!(CycleView, Module::Projects, "cycle", scope: |cycle| Some(cycle.project_id.0));
