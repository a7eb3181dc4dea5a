//! Throttles reads of the public pages in the binary: they count in no rate limit, and the largest exceeds a megabyte.
//!
//! An address may read a number of them per window; beyond that it gets 429. Across all addresses, a number per second is
//! sent at once and the rest a moment later. Pages that a client already has (304) cost almost nothing and are not bounded.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use actix_web::rt::time::sleep;
use domain::Error;
use domain::kernel::RateLimitStatus;
use domain::limits::AddressGroup;
use tokio::sync::Semaphore;

use crate::errors::HttpError;
use crate::per_second::PerSecond;

/// Pages per address and window: several people behind one address each read a few, with their images.
const MAX_PER_ADDRESS: u32 = 200;
const WINDOW: Duration = Duration::from_secs(20);
/// Maximum number of addresses counted; others are only bounded by the total pace until the window ends.
const MAX_ADDRESSES: usize = 10_000;
/// Pages per second that are sent at once, across all addresses.
const IMMEDIATE_PER_SECOND: u32 = 50;
/// How long each further one waits, and how many may wait at a time.
const PAUSE: Duration = Duration::from_millis(250);
const MAX_WAITING: usize = 256;

#[derive(Debug)]
pub(crate) struct PagePace {
    started: Instant,
    second: PerSecond,
    waiting: Semaphore,
    window: Mutex<Window>,
}

#[derive(Debug, Default)]
struct Window {
    number: u64,
    pages: HashMap<AddressGroup, u32>,
}

impl Default for PagePace {
    fn default() -> Self {
        Self {
            started: Instant::now(),
            second: PerSecond::default(),
            waiting: Semaphore::new(MAX_WAITING),
            window: Mutex::default(),
        }
    }
}

impl PagePace {
    /// Waits until a page may be sent to an address. Fails with [`Error::RateLimited`] for an address that has used up
    /// its window, and [`HttpError::Busy`] if too many wait.
    pub(crate) async fn wait_for_turn(&self, address: AddressGroup) -> Result<(), HttpError> {
        let now = self.started.elapsed();
        self.count(address, now)?;
        let (count, _) = self.second.count(now);
        if count > IMMEDIATE_PER_SECOND {
            let _slot = self.waiting.try_acquire().map_err(|_| HttpError::Busy)?;
            sleep(PAUSE).await;
        }
        Ok(())
    }

    fn count(&self, address: AddressGroup, now: Duration) -> Result<(), Error> {
        let mut window = self.window.lock().unwrap_or_else(PoisonError::into_inner);
        let number = now.as_secs() / WINDOW.as_secs();
        if number != window.number {
            *window = Window { number, pages: HashMap::new() };
        }
        if window.pages.len() >= MAX_ADDRESSES && !window.pages.contains_key(&address) {
            return Ok(());
        }
        let pages = window.pages.entry(address).or_default();
        if *pages >= MAX_PER_ADDRESS {
            let retry_after = i64::try_from(WINDOW.as_secs() - now.as_secs() % WINDOW.as_secs()).unwrap_or(1);
            return Err(Error::RateLimited(refusal(retry_after)));
        }
        *pages += 1;
        Ok(())
    }
}

/// These pages have no rate-limit headers: clients only see the time to wait.
fn refusal(retry_after: i64) -> RateLimitStatus {
    let limit = u64::from(MAX_PER_ADDRESS);
    RateLimitStatus { limit, remaining: 0, reset_at: 0, retry_after, exceeded: true, is_shared: false }
}

#[cfg(test)]
mod tests {
    use std::net::IpAddr;

    use super::*;

    fn address(number: u32) -> AddressGroup {
        Some(IpAddr::from(number.to_be_bytes())).into()
    }

    #[test]
    fn pages_per_address_and_window_are_limited() {
        let pace = PagePace::default();
        let read = |number, second| pace.count(address(number), Duration::from_secs(second));
        for _ in 0..MAX_PER_ADDRESS {
            read(1, 3).unwrap();
        }
        let refused = read(1, 5).unwrap_err();
        assert_eq!(refused.retry_after(), Some(15));
        assert!(read(2, 5).is_ok(), "others have their own");
        assert!(read(1, 20).is_ok(), "the next window");
    }

    #[test]
    fn the_number_of_counted_addresses_is_limited() {
        let pace = PagePace::default();
        for number in 0..20_000 {
            pace.count(address(number), Duration::ZERO).unwrap();
        }
        assert_eq!(pace.window.lock().unwrap().pages.len(), MAX_ADDRESSES);
    }

    #[actix_web::test]
    async fn pages_over_the_pace_wait_and_the_number_waiting_is_limited() {
        let pace = PagePace::default();
        let reads = (0..IMMEDIATE_PER_SECOND + 400).map(|number| pace.wait_for_turn(address(number)));
        let mut reads: Vec<_> = reads.map(Box::pin).collect();
        let mut context = std::task::Context::from_waker(std::task::Waker::noop());
        let (mut at_once, mut refused) = (0, 0);
        for read in &mut reads {
            match read.as_mut().poll(&mut context) {
                std::task::Poll::Ready(Ok(())) => at_once += 1,
                std::task::Poll::Ready(Err(_)) => refused += 1,
                std::task::Poll::Pending => {}
            }
        }
        assert!(
            (IMMEDIATE_PER_SECOND..=2 * IMMEDIATE_PER_SECOND).contains(&at_once),
            "{at_once}: a second may have begun meanwhile"
        );
        assert!(refused >= 400 - 256 - IMMEDIATE_PER_SECOND, "{refused}");
    }
}
