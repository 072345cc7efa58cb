use std::collections::BTreeMap;

use k8s_openapi::apimachinery::pkg::apis::meta::v1::Condition;
use kube::CustomResource;
use serde::{Deserialize, Serialize};

/// The kind that is mirrored.
#[derive(CustomResource, Clone, Debug, Deserialize, Serialize)]
#[kube(group = "bench.kaji.dev", version = "v1", kind = "Widget", namespaced, status = "WidgetStatus", schema = "disabled")]
pub struct WidgetSpec {
    pub replicas: i32,
    pub image: String,
    pub note: String,
    pub selector: BTreeMap<String, String>,
    pub env: Vec<EnvVar>,
    pub ports: Vec<Port>,
}

#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct EnvVar {
    pub name: String,
    pub value: String,
}

#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Port {
    pub name: String,
    pub port: i32,
}

#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct WidgetStatus {
    pub phase: String,
    pub conditions: Vec<Condition>,
}

/// The kind that is reconciled: it owns a Deployment.
#[derive(CustomResource, Clone, Debug, Deserialize, Serialize)]
#[kube(
    group = "samplecontroller.example.com",
    version = "v1alpha1",
    kind = "Bar",
    namespaced,
    status = "BarStatus",
    schema = "disabled"
)]
#[serde(rename_all = "camelCase")]
pub struct BarSpec {
    pub deployment_name: String,
    pub replicas: i32,
}

#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "camelCase", default)]
pub struct BarStatus {
    pub available_replicas: i32,
    pub conditions: Vec<Condition>,
}
