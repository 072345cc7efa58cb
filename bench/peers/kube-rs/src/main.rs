//! The work of the benchmarks, done with kube-rs. ../README.md says how it is asked.

mod api;
mod informer;
mod protocol;
mod reconcile;

use std::error::Error;
use std::sync::Arc;

use kube::Client;

use crate::protocol::Protocol;

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let number = |index: usize| args.get(index).map_or(Ok(0), |text| text.parse::<u16>());
    let client = Client::try_default().await?;
    let talk = Arc::new(Protocol::default());
    let work = async {
        match args.first().map(String::as_str) {
            Some("first") => informer::first(client, &talk).await?,
            Some("informer") => informer::mirror(client, &talk).await,
            Some("reconcile") => reconcile::operate(client, talk.clone(), number(1)?.into(), number(2)?).await,
            _ => return Err("usage: first | informer | reconcile BARS CONCURRENCY".into()),
        }
        Ok::<(), Box<dyn Error>>(())
    };
    tokio::select! {
        ended = work => ended,
        heard = talk.listen() => Ok(heard?),
    }
}
