/** The ClusterRole of each controller, which the service account of that name in `kube-system` has. In the language of `parsePolicy`. */
export const controllerRoles: string = `
attachdetach-controller
  core: persistentvolumeclaims persistentvolumes: list watch
  core: nodes: read
  core: nodes/status: patch update
  core: pods: list watch
  core,events.k8s.io: events: create patch update
  storage.k8s.io: volumeattachments: create delete get list watch
  storage.k8s.io: csidrivers: read
  storage.k8s.io: csinodes: read
certificate-controller
  certificates.k8s.io: certificatesigningrequests: delete get list watch
  certificates.k8s.io: certificatesigningrequests/approval certificatesigningrequests/status: update
  certificates.k8s.io: signers [kubernetes.io/kube-apiserver-client-kubelet]: approve
  certificates.k8s.io: signers [kubernetes.io/kube-apiserver-client kubernetes.io/kube-apiserver-client-kubelet kubernetes.io/kubelet-serving kubernetes.io/legacy-unknown]: sign
  authorization.k8s.io: subjectaccessreviews: create
  core,events.k8s.io: events: create patch update
clusterrole-aggregation-controller
  rbac.authorization.k8s.io: clusterroles: escalate get list patch update watch
cronjob-controller
  batch: cronjobs: get list update watch
  batch: jobs: create delete get list patch update watch
  batch: cronjobs/status: update
  batch: cronjobs/finalizers: update
  core: pods: delete list watch
  core,events.k8s.io: events: create patch update
daemon-set-controller
  apps,extensions: daemonsets: read
  apps,extensions: daemonsets/status: update
  apps,extensions: daemonsets/finalizers: update
  core: nodes: list watch
  core: pods: create delete list patch watch
  core: pods/binding: create
  apps: controllerrevisions: create delete get list patch update watch
  core,events.k8s.io: events: create patch update
deployment-controller
  apps,extensions: deployments: get list update watch
  apps,extensions: deployments/status: update
  apps,extensions: deployments/finalizers: update
  apps,extensions: replicasets: create delete get list patch update watch
  core: pods: get list update watch
  core,events.k8s.io: events: create patch update
device-taint-eviction-controller
  core: pods: delete get list watch
  core: pods/status: patch update
  resource.k8s.io: resourceclaims: read
  resource.k8s.io: resourceslices: read
  resource.k8s.io: deviceclasses: read
  core,events.k8s.io: events: create patch update
disruption-controller
  apps,extensions: deployments: read
  apps,extensions: replicasets: read
  core: replicationcontrollers: read
  policy: poddisruptionbudgets: read
  apps: statefulsets: read
  policy: poddisruptionbudgets/status: update
  core: pods/status: patch update
  *: */scale: get
  core,events.k8s.io: events: create patch update
endpoint-controller
  core: pods services: read
  core: endpoints: create delete get list update watch
  core: endpoints/restricted: create
  core,events.k8s.io: events: create patch update
endpointslice-controller
  core: nodes pods services: read
  core: services/finalizers: update
  discovery.k8s.io: endpointslices: create delete get list update watch
  core,events.k8s.io: events: create patch update
endpointslicemirroring-controller
  core: endpoints services: read
  core: services/finalizers: update
  core: endpoints/finalizers: update
  discovery.k8s.io: endpointslices: create delete get list update watch
  core,events.k8s.io: events: create patch update
ephemeral-volume-controller
  core: pods: read
  core: pods/finalizers: update
  core: persistentvolumeclaims: create get list watch
  core,events.k8s.io: events: create patch update
expand-controller
  core: persistentvolumes: get list patch update watch
  core: persistentvolumeclaims/status: patch update
  core: persistentvolumeclaims: read
  core,events.k8s.io: events: create patch update
generic-garbage-collector
  *: *: delete get list patch update watch
  core,events.k8s.io: events: create patch update
horizontal-pod-autoscaler
  autoscaling: horizontalpodautoscalers: read
  autoscaling: horizontalpodautoscalers/status: update
  *: */scale: get update
  core: pods: list watch
  metrics.k8s.io: pods: list watch
  custom.metrics.k8s.io: *: read
  external.metrics.k8s.io: *: read
  core,events.k8s.io: events: create patch update
job-controller
  batch: jobs: get list patch update watch
  batch: jobs/status: update
  batch: jobs/finalizers: update
  core: pods: create delete list patch watch
  core,events.k8s.io: events: create patch update
legacy-service-account-token-cleaner
  core: configmaps [kube-apiserver-legacy-service-account-token-tracking]: get
  core: secrets: delete patch
namespace-controller
  core: namespaces: delete get list watch
  core: namespaces/finalize namespaces/status: update
  *: *: delete deletecollection get list watch
node-controller
  core: nodes: delete get list patch update watch
  core: nodes/status: patch update
  core: pods/status: patch update
  core: pods: delete get list watch
  core,events.k8s.io: events: create patch update
persistent-volume-binder
  core: persistentvolumes: create delete get list update watch
  core: persistentvolumes/status: update
  core: persistentvolumeclaims: get list update watch
  core: persistentvolumeclaims/status: update
  core: pods: create delete get list watch
  storage.k8s.io: storageclasses: read
  core: nodes: list watch
  core,events.k8s.io: events: create patch update
  core: events: watch
pod-garbage-collector
  core: pods: delete list watch
  core: nodes: read
  core: pods/status: patch
pv-protection-controller
  core: persistentvolumes: get list update watch
  core,events.k8s.io: events: create patch update
pvc-protection-controller
  core: persistentvolumeclaims: get list update watch
  core: persistentvolumeclaims/status: update
  core: pods: read
  core,events.k8s.io: events: create patch update
replicaset-controller
  apps,extensions: replicasets: get list update watch
  apps,extensions: replicasets/status: update
  apps,extensions: replicasets/finalizers: update
  core: pods: create delete list patch watch
  core,events.k8s.io: events: create patch update
replication-controller
  core: replicationcontrollers: get list update watch
  core: replicationcontrollers/status: update
  core: replicationcontrollers/finalizers: update
  core: pods: create delete list patch watch
  core,events.k8s.io: events: create patch update
resource-claim-controller
  core: pods: read
  core: pods/finalizers: update
  resource.k8s.io: resourceclaims: create delete get list watch
  resource.k8s.io: resourceclaims resourceclaims/status: patch update
  core: pods/status: patch update
  core,events.k8s.io: events: create patch update
  resource.k8s.io: resourceclaims/binding: patch update
resourcequota-controller
  *: *: list watch
  core: resourcequotas/status: update
  core,events.k8s.io: events: create patch update
root-ca-cert-publisher
  core: configmaps: create update
  core,events.k8s.io: events: create patch update
route-controller
  core: nodes: list watch
  core: nodes/status: patch
  core,events.k8s.io: events: create patch update
selinux-warning-controller
  core,events.k8s.io: events: create patch update
  core: persistentvolumes: read
  core: persistentvolumeclaims: read
  core: pods: read
  storage.k8s.io: csidrivers: read
service-account-controller
  core: serviceaccounts: create
  core,events.k8s.io: events: create patch update
service-cidrs-controller
  networking.k8s.io: servicecidrs: get list patch update watch
  networking.k8s.io: servicecidrs/finalizers: patch update
  networking.k8s.io: servicecidrs/status: patch update
  networking.k8s.io: ipaddresses: read
  core,events.k8s.io: events: create patch update
service-controller
  core: services: read
  core: services/status: patch update
  core: nodes: list watch
  core,events.k8s.io: events: create patch update
statefulset-controller
  core: pods: list watch
  apps: statefulsets: read
  apps: statefulsets/status: update
  apps: statefulsets/finalizers: update
  core: pods: create delete get patch update
  apps: controllerrevisions: create delete get list patch update watch
  core: persistentvolumeclaims: create get list watch
  core: persistentvolumeclaims: delete update
  core: pods/finalizers: update
  core,events.k8s.io: events: create patch update
ttl-after-finished-controller
  batch: jobs: delete get list watch
  core,events.k8s.io: events: create patch update
ttl-controller
  core: nodes: list patch update watch
  core,events.k8s.io: events: create patch update
validatingadmissionpolicy-status-controller
  admissionregistration.k8s.io: validatingadmissionpolicies: read
  admissionregistration.k8s.io: validatingadmissionpolicies/status: get patch update
  core,events.k8s.io: events: create patch update
volumeattributesclass-protection-controller
  core: persistentvolumeclaims: read
  core: persistentvolumes: read
  storage.k8s.io: volumeattributesclasses: get list update watch
  core,events.k8s.io: events: create patch update
`;
