//! A QR code as SVG.

use std::fmt::Write;

use qrcode::types::Color;
use qrcode::{EcLevel, QrCode};

/// The quiet zone: white modules around the code, which readers need.
const QUIET_ZONE: usize = 4;

/// The SVG path of a code's dark modules, and the side length of the drawing.
pub(super) struct QrPath {
    pub(super) path: String,
    pub(super) side: usize,
}

/// The code of a text; `None` if the text is too long.
pub(super) fn qr_code(text: &str) -> Option<QrPath> {
    let code = QrCode::with_error_correction_level(text, EcLevel::M).ok()?;
    let width = code.width();
    let mut path = String::new();
    for (place, color) in code.to_colors().into_iter().enumerate() {
        if color == Color::Dark {
            // Writing to a string cannot fail.
            let _ = write!(path, "M{} {}h1v1h-1z", place % width + QUIET_ZONE, place / width + QUIET_ZONE);
        }
    }
    Some(QrPath { path, side: width + 2 * QUIET_ZONE })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_has_its_modules_within_the_quiet_zone() {
        let code =
            qr_code("otpauth://totp/crm.example.com:ann%40example.com?secret=ABC&issuer=crm.example.com").unwrap();
        assert!(code.side > 25 && code.path.starts_with("M4 4h1v1h-1z"), "{}", code.path);
        assert!(qr_code(&"x".repeat(5_000)).is_none());
    }
}
