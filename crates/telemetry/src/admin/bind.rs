//! The address of the listener.

use std::net::TcpListener;

/// The setting: an address, `off`, or nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AdminBind {
    Off,
    /// The setting is absent.
    Default(&'static str),
    Named(String),
}

/// The configured address cannot be bound.
#[derive(Debug, thiserror::Error)]
#[error("cannot listen on {address} for probes and metrics: {cause}; set a free address, or off")]
pub struct BindError {
    address: String,
    cause: std::io::Error,
}

impl AdminBind {
    /// Reads the setting.
    pub fn parse(setting: Option<&str>, default: &'static str) -> Self {
        match setting {
            None => Self::Default(default),
            Some("off") => Self::Off,
            Some(address) => Self::Named(address.to_owned()),
        }
    }

    /// The address that the listener is bound to, or would be.
    pub fn address(&self) -> Option<&str> {
        match self {
            Self::Off => None,
            Self::Default(address) => Some(address),
            Self::Named(address) => Some(address),
        }
    }

    /// Binds it. There is no listener if the default address is taken, such as by another instance on the machine.
    pub fn listen(&self) -> Result<Option<TcpListener>, BindError> {
        match self {
            Self::Off => Ok(None),
            Self::Default(address) => Ok(TcpListener::bind(address)
                .inspect_err(|error| {
                    log::warn!("cannot serve probes and metrics on {address}: {error}; set another address, or off");
                })
                .ok()),
            Self::Named(address) => {
                TcpListener::bind(address).map(Some).map_err(|cause| BindError { address: address.clone(), cause })
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_configured_address_that_is_taken_is_an_error() {
        let occupied = TcpListener::bind("127.0.0.1:0").unwrap();
        let address: &'static str = occupied.local_addr().unwrap().to_string().leak();
        assert!(AdminBind::parse(None, address).listen().unwrap().is_none());
        let error = AdminBind::parse(Some(address), "127.0.0.1:0").listen().unwrap_err().to_string();
        assert!(error.contains(address) && error.contains("off"), "{error}");
        assert!(AdminBind::parse(Some("off"), "127.0.0.1:0").listen().unwrap().is_none());
        for setting in [None, Some("127.0.0.1:0")] {
            assert!(AdminBind::parse(setting, "127.0.0.1:0").listen().unwrap().is_some());
        }
    }
}
