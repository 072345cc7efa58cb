use std::collections::{BTreeMap, HashMap};
use std::sync::Mutex;
use std::time::{SystemTime, UNIX_EPOCH};

use tokio::io::{AsyncBufReadExt, BufReader};

const SENT_AT: &str = "bench.kaji.dev/sent-at";

/// The conversation with the benchmark, described in ../README.md.
#[derive(Default)]
pub struct Protocol {
    arrivals: Mutex<Arrivals>,
}

#[derive(Default)]
struct Arrivals {
    stamps: HashMap<String, String>,
    expected: usize,
    latencies: Vec<i64>,
}

impl Protocol {
    pub fn say(&self, event: &str) {
        println!("{{\"event\":\"{event}\"}}");
    }

    /// Notes how long the change of an object took to come here, the first time that it is seen.
    pub fn arrived(&self, key: &str, annotations: &BTreeMap<String, String>) {
        let Some(stamp) = annotations.get(SENT_AT) else { return };
        let now = SystemTime::now().duration_since(UNIX_EPOCH).expect("the clock is set").as_millis() as i64;
        let sent: i64 = stamp.parse().expect("the stamp is a number");
        let mut arrivals = self.arrivals.lock().expect("nobody panicked");
        if arrivals.stamps.get(key) == Some(stamp) {
            return;
        }
        arrivals.stamps.insert(key.to_owned(), stamp.to_owned());
        arrivals.latencies.push(now - sent);
        if arrivals.latencies.len() == arrivals.expected {
            self.say("arrived");
        }
    }

    /// Obeys the benchmark until it hangs up.
    pub async fn listen(&self) -> std::io::Result<()> {
        let mut lines = BufReader::new(tokio::io::stdin()).lines();
        while let Some(line) = lines.next_line().await? {
            let mut arrivals = self.arrivals.lock().expect("nobody panicked");
            if let Some(count) = line.strip_prefix("expect ") {
                arrivals.expected = count.parse().expect("the count is a number");
                arrivals.latencies.clear();
                self.say("expecting");
            } else if line == "latencies" {
                println!("{}", serde_json::json!({ "event": "latencies", "ms": arrivals.latencies }));
            }
        }
        Ok(())
    }
}
