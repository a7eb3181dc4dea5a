//! The errors that an operation can answer.

use domain::ErrorCode;

use crate::errors::{Code, Surface};

/// An error by its code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Failure {
    pub status: u16,
    pub code: &'static str,
    /// Whether `error` is the code instead of an object (interface 2.9).
    pub is_flat: bool,
}

impl Failure {
    fn of(code: Code, surface: Surface) -> Self {
        let status = code.status().as_u16();
        let is_flat = surface == Surface::Flat || status == 429;
        let surface = if is_flat { Surface::Flat } else { surface };
        Self { status, code: surface.text_of(code), is_flat }
    }

    /// The errors of some codes below a path.
    pub fn all(pattern: &str, codes: &[ErrorCode]) -> Vec<Self> {
        let mut all: Vec<_> = codes.iter().map(|code| Self::of(Code::Domain(*code), Surface::of(pattern))).collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// The errors of every operation that takes a body.
    pub fn of_bodies(pattern: &str) -> Vec<Self> {
        let surface = Surface::of(pattern);
        let read = [
            Code::Domain(ErrorCode::InvalidJson),
            Code::Domain(ErrorCode::UnknownField),
            Code::PayloadTooLarge,
            Code::UnsupportedMediaType,
        ];
        read.into_iter().map(|code| Self::of(code, surface)).collect()
    }

    /// The errors of every operation.
    pub fn of_all(pattern: &str) -> Vec<Self> {
        let surface = Surface::of(pattern);
        let always = [
            Code::UnknownParameter,
            Code::Domain(ErrorCode::InvalidValue),
            Code::Domain(ErrorCode::RateLimitExceeded),
            Code::Domain(ErrorCode::Internal),
            Code::Domain(ErrorCode::Unavailable),
        ];
        always.into_iter().map(|code| Self::of(code, surface)).collect()
    }
}
