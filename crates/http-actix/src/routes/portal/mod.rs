//! `/api/portal`: customers see their ticket and reply, without an account.

mod begin_session;
mod read_ticket;
mod reply_to_ticket;
mod send_magic_link;

pub(crate) use begin_session::BeginSession;
pub(crate) use read_ticket::ReadTicket;
pub(crate) use reply_to_ticket::ReplyToTicket;
pub(crate) use send_magic_link::SendMagicLink;
