//! The adapters that the configuration selects.

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::Context;
use domain::ports::{EmailTransport, Limiter, Settings, SharedWrites};
use email::{Authorities, FileTransport, SmtpTransport, SmtpUrl};
use limiter::{MemoryLimiter, RedisLimiter};

use crate::config::Config;

/// The request counter, in Redis if configured and otherwise in memory. With Redis, also the record of recent writes that
/// instances share. Call it on a runtime that outlives the service.
pub(crate) async fn limiter(config: &Config) -> anyhow::Result<(Arc<dyn Limiter>, Option<Arc<dyn SharedWrites>>)> {
    let Some(url) = &config.redis_url else { return Ok((Arc::new(MemoryLimiter::default()), None)) };
    let limiter = RedisLimiter::connect(&url.0).await.context("redis_url (SERVICE_REDIS_URL) is invalid")?;
    let writes = limiter.shared_writes(config.replicas.max_lag);
    Ok((Arc::new(limiter), Some(Arc::new(writes))))
}

/// Where e-mails are written as files if no mail server is configured.
pub(crate) fn email_folder(config: &Config) -> PathBuf {
    config.data_dir.join("mails")
}

/// The e-mail transport: an SMTP server if configured, else files.
pub(crate) fn email_transport(config: &Config) -> anyhow::Result<Arc<dyn EmailTransport>> {
    let Some(url) = &config.smtp_url else {
        return Ok(Arc::new(FileTransport::new(email_folder(config))));
    };
    let url = SmtpUrl::parse(&url.0).context("smtp_url (SERVICE_SMTP_URL) is invalid")?;
    let authorities = config.smtp_ca_file.as_deref().map(Authorities::read).transpose();
    let authorities = authorities.context("smtp_ca_file (SERVICE_SMTP_CA_FILE) is invalid")?.unwrap_or_default();
    let transport = SmtpTransport::new(&url, &config.mail_from, &authorities)?;
    Ok(Arc::new(transport.of_service(&config.public_url, config.abuse_contact.clone())))
}

pub(crate) fn settings(config: &Config) -> Settings {
    Settings {
        limits: config.limits,
        public_url: config.public_url.clone(),
        targets: config.targets,
        email_bounds: config.email_bounds,
        has_mail_server: config.smtp_url.is_some(),
        answer_delay: config.answer_delay,
        abuse_contact: config.abuse_contact.clone(),
        response_budget: config.response_budget,
        default_plan: config.default_plan,
        operators_need_second_factor: config.operator_second_factor,
    }
}
