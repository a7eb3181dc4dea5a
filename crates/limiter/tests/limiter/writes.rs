//! How instances share recent writes.

use std::time::Duration;

use domain::ports::SharedWrites;
use limiter::testing::RedisServer;
use uuid::Uuid;

use crate::support::{wait_until, with_long_timeouts};

const ANN: Uuid = Uuid::from_u128(1);
const BEN: Uuid = Uuid::from_u128(2);
const LAG: Duration = Duration::from_mins(1);

#[tokio::test]
async fn another_instance_sees_every_write() {
    let Some(server) = RedisServer::start() else { return };
    let (one, other) = (with_long_timeouts(&server.url()).await, with_long_timeouts(&server.url()).await);
    let (writer, reader) = (one.shared_writes(LAG), other.shared_writes(LAG));
    assert_eq!(reader.latest(&[ANN, BEN]).await, Some(vec![0, 0]));
    writer.share(&[ANN]).await;
    let first = reader.latest(&[ANN, BEN]).await.unwrap();
    assert!(first[0] > 0 && first[1] == 0, "{first:?}");
    assert_eq!(reader.latest(&[ANN, BEN]).await.unwrap(), first);
    writer.share(&[BEN, ANN]).await;
    let second = reader.latest(&[ANN, BEN]).await.unwrap();
    assert!(second[0] != first[0] && second[0] > 0 && second[1] > 0, "{second:?}");
    let left: i64 = server.ask(&format!("PTTL limit:wrote/{ANN}")).trim_start_matches(':').trim().parse().unwrap();
    assert!((30_000..=61_000).contains(&left), "one second longer than the lag: {left}");
}

#[tokio::test]
async fn no_writes_are_known_without_redis() {
    let Some(mut server) = RedisServer::start() else { return };
    let limiter = with_long_timeouts(&server.url()).await;
    let writes = limiter.shared_writes(LAG);
    server.kill();
    writes.share(&[ANN]).await;
    assert_eq!(writes.latest(&[ANN]).await, None);
    server.restart();
    wait_until("shared again", || limiter.is_shared()).await;
    writes.share(&[ANN]).await;
    assert!(writes.latest(&[ANN]).await.unwrap()[0] > 0);
}
