use std::collections::HashSet;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures::StreamExt;
use k8s_openapi::api::apps::v1::Deployment;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::{Condition, Time};
use kube::api::{Patch, PatchParams};
use kube::runtime::controller::{Action, Config, Controller};
use kube::runtime::watcher;
use kube::{Api, Client, Resource, ResourceExt};
use serde_json::json;

use crate::api::{Bar, BarStatus};
use crate::protocol::Protocol;

struct Context {
    client: Client,
    talk: Arc<Protocol>,
    bars: usize,
    progress: Mutex<Progress>,
}

#[derive(Default)]
struct Progress {
    started: bool,
    settled: HashSet<String>,
}

/// Keeps a Deployment for each Bar.
pub async fn operate(client: Client, talk: Arc<Protocol>, bars: usize, concurrency: u16) {
    let context = Arc::new(Context { client: client.clone(), talk, bars, progress: Mutex::default() });
    Controller::new(Api::<Bar>::all(client.clone()), watcher::Config::default())
        .owns(Api::<Deployment>::all(client), watcher::Config::default())
        .with_config(Config::default().concurrency(concurrency))
        .run(reconcile, |_, _, _| Action::requeue(Duration::from_secs(1)), context)
        .for_each(|_| async {})
        .await;
}

async fn reconcile(bar: Arc<Bar>, context: Arc<Context>) -> Result<Action, kube::Error> {
    context.begin(&bar);
    let namespace = bar.namespace().unwrap_or_default();
    let manager = PatchParams::apply("bench").force();
    let labels = json!({ "bar": bar.name_any() });
    let deployment = json!({
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": { "name": bar.spec.deployment_name, "ownerReferences": [bar.controller_owner_ref(&())] },
        "spec": {
            "replicas": bar.spec.replicas,
            "selector": { "matchLabels": labels },
            "template": { "metadata": { "labels": labels }, "spec": { "containers": [{ "name": "nginx", "image": "nginx:1.29" }] } },
        },
    });
    let deployments = Api::<Deployment>::namespaced(context.client.clone(), &namespace);
    let applied = deployments.patch(&bar.spec.deployment_name, &manager, &Patch::Apply(&deployment)).await?;
    let available = applied.status.and_then(|status| status.available_replicas).unwrap_or(0);

    let status = status_of(&bar, available);
    if bar.status.as_ref() != Some(&status) {
        let bars = Api::<Bar>::namespaced(context.client.clone(), &namespace);
        bars.patch_status(&bar.name_any(), &PatchParams::default(), &Patch::Merge(json!({ "status": status }))).await?;
    }
    context.end(&bar);
    Ok(Action::await_change())
}

fn status_of(bar: &Bar, available: i32) -> BarStatus {
    let (status, reason) = if available >= bar.spec.replicas { ("True", "Available") } else { ("False", "Progressing") };
    let former = bar.status.iter().flat_map(|status| &status.conditions).find(|condition| condition.status == status);
    let ready = Condition {
        type_: "Ready".into(),
        status: status.into(),
        reason: reason.into(),
        message: String::new(),
        observed_generation: bar.metadata.generation,
        last_transition_time: former.map_or_else(|| Time(k8s_openapi::jiff::Timestamp::now()), |former| former.last_transition_time.clone()),
    };
    BarStatus { available_replicas: available, conditions: vec![ready] }
}

impl Context {
    fn begin(&self, bar: &Bar) {
        self.talk.arrived(&bar.name_any(), bar.annotations());
        let mut progress = self.progress.lock().expect("nobody panicked");
        if !std::mem::replace(&mut progress.started, true) {
            self.talk.say("reconciling");
        }
    }

    fn end(&self, bar: &Bar) {
        let mut progress = self.progress.lock().expect("nobody panicked");
        if progress.settled.insert(bar.name_any()) && progress.settled.len() == self.bars {
            self.talk.say("settled");
        }
    }
}
