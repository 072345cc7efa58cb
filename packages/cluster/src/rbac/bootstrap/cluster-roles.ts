/** The ClusterRoles of people and components, and who has them from the start. In the language of `parsePolicy`. */
export const clusterRoles: string = `
admin = aggregate-to-admin
cluster-admin -> group system:masters
  *: *: *
  *: *
edit (aggregate-to-admin) = aggregate-to-edit
system:aggregate-to-admin (aggregate-to-admin)
  authorization.k8s.io: localsubjectaccessreviews: create
  rbac.authorization.k8s.io: rolebindings roles: readwrite
system:aggregate-to-edit (aggregate-to-edit)
  core: pods/attach pods/exec pods/portforward pods/proxy secrets services/proxy: read
  core: serviceaccounts: impersonate
  core: pods pods/attach pods/exec pods/portforward pods/proxy: write
  core: pods/eviction: create
  core: configmaps persistentvolumeclaims replicationcontrollers replicationcontrollers/scale secrets serviceaccounts services services/proxy: write
  core: serviceaccounts/token: create
  core,events.k8s.io: events: write
  apps: daemonsets deployments deployments/rollback deployments/scale replicasets replicasets/scale statefulsets statefulsets/scale: write
  autoscaling: horizontalpodautoscalers: write
  batch: cronjobs jobs: write
  extensions: daemonsets deployments deployments/rollback deployments/scale ingresses networkpolicies replicasets replicasets/scale replicationcontrollers/scale: write
  policy: poddisruptionbudgets: write
  networking.k8s.io: ingresses networkpolicies: write
  coordination.k8s.io: leases: readwrite
  resource.k8s.io: resourceclaims resourceclaimtemplates: write
system:aggregate-to-view (aggregate-to-view)
  core: configmaps endpoints persistentvolumeclaims persistentvolumeclaims/status pods replicationcontrollers replicationcontrollers/scale serviceaccounts services services/status: read
  core: bindings limitranges namespaces/status pods/log pods/status replicationcontrollers/status resourcequotas resourcequotas/status: read
  core: namespaces: read
  core,events.k8s.io: events: read
  discovery.k8s.io: endpointslices: read
  apps: controllerrevisions daemonsets daemonsets/status deployments deployments/scale deployments/status replicasets replicasets/scale replicasets/status statefulsets statefulsets/scale statefulsets/status: read
  autoscaling: horizontalpodautoscalers horizontalpodautoscalers/status: read
  batch: cronjobs cronjobs/status jobs jobs/status: read
  extensions: daemonsets daemonsets/status deployments deployments/scale deployments/status ingresses ingresses/status networkpolicies replicasets replicasets/scale replicasets/status replicationcontrollers/scale: read
  policy: poddisruptionbudgets poddisruptionbudgets/status: read
  networking.k8s.io: ingresses ingresses/status networkpolicies: read
  resource.k8s.io: resourceclaims resourceclaims/status resourceclaimtemplates: read
system:auth-delegator
  authentication.k8s.io: tokenreviews: create
  authorization.k8s.io: subjectaccessreviews: create
system:basic-user -> group system:authenticated
  authorization.k8s.io: selfsubjectaccessreviews selfsubjectrulesreviews: create
  authentication.k8s.io: selfsubjectreviews: create
system:certificates.k8s.io:certificatesigningrequests:nodeclient
  certificates.k8s.io: certificatesigningrequests/nodeclient: create
system:certificates.k8s.io:certificatesigningrequests:selfnodeclient
  certificates.k8s.io: certificatesigningrequests/selfnodeclient: create
system:certificates.k8s.io:kube-apiserver-client-approver
  certificates.k8s.io: signers [kubernetes.io/kube-apiserver-client]: approve
system:certificates.k8s.io:kube-apiserver-client-kubelet-approver
  certificates.k8s.io: signers [kubernetes.io/kube-apiserver-client-kubelet]: approve
system:certificates.k8s.io:kubelet-serving-approver
  certificates.k8s.io: signers [kubernetes.io/kubelet-serving]: approve
system:certificates.k8s.io:legacy-unknown-approver
  certificates.k8s.io: signers [kubernetes.io/legacy-unknown]: approve
system:discovery -> group system:authenticated
  /api /api/* /apis /apis/* /healthz /livez /openapi /openapi/* /readyz /version /version/: get
system:heapster
  core: events namespaces nodes pods: read
  extensions: deployments: read
system:kube-aggregator
  core: endpoints services: read
system:kube-controller-manager -> user system:kube-controller-manager
  core,events.k8s.io: events: create patch update
  coordination.k8s.io: leases: create
  coordination.k8s.io: leases [kube-controller-manager]: get update
  core: secrets serviceaccounts: create
  core: secrets: delete
  core: configmaps namespaces secrets serviceaccounts: get
  core: secrets serviceaccounts: update
  authentication.k8s.io: tokenreviews: create
  authorization.k8s.io: subjectaccessreviews: create
  *: *: list watch
  core: serviceaccounts/token: create
system:kube-dns -> account kube-system/kube-dns
  core: endpoints services: list watch
system:kube-scheduler -> user system:kube-scheduler
  core,events.k8s.io: events: create patch update
  coordination.k8s.io: leases: create
  coordination.k8s.io: leases [kube-scheduler]: get list update watch
  coordination.k8s.io: leasecandidates: readwrite
  core: nodes: read
  core: pods: delete get list watch
  core: bindings pods/binding: create
  core: pods/status: patch update
  core: replicationcontrollers services: read
  apps,extensions: replicasets: read
  apps: statefulsets: read
  policy: poddisruptionbudgets: read
  core: persistentvolumeclaims persistentvolumes: read
  authentication.k8s.io: tokenreviews: create
  authorization.k8s.io: subjectaccessreviews: create
  storage.k8s.io: csinodes: read
  storage.k8s.io: volumeattachments: read
  core: namespaces: read
  storage.k8s.io: csidrivers: read
  storage.k8s.io: csistoragecapacities: read
  resource.k8s.io: deviceclasses: read
  resource.k8s.io: resourceclaims: get list patch update watch
  resource.k8s.io: resourceclaims/status: get list patch update watch
  core: pods/finalizers: update
  resource.k8s.io: resourceslices: read
  resource.k8s.io: resourceclaims: create delete
  resource.k8s.io: resourceclaims/binding: patch update
system:kubelet-api-admin
  core: nodes: read
  core: nodes: proxy
  core: nodes/log nodes/metrics nodes/proxy nodes/stats: *
  core: nodes/configz nodes/healthz nodes/pods: *
system:monitoring -> group system:monitoring
  /flagz /healthz /healthz/* /livez /livez/* /metrics /metrics/slis /readyz /readyz/* /statusz: get
  core: nodes/metrics: get
system:node -> nobody
  authentication.k8s.io: tokenreviews: create
  authorization.k8s.io: localsubjectaccessreviews subjectaccessreviews: create
  core: services: read
  core: nodes: create get list watch
  core: nodes/status: patch update
  core: nodes: patch update
  core,events.k8s.io: events: create patch update
  core: pods: read
  core: pods: create delete
  core: pods/status: patch update
  core: pods/eviction: create
  core: configmaps secrets: read
  core: persistentvolumeclaims persistentvolumes: get
  core: endpoints: get
  certificates.k8s.io: certificatesigningrequests: create get list watch
  coordination.k8s.io: leases: create delete get patch update
  storage.k8s.io: volumeattachments: get
  core: serviceaccounts/token: create
  core: persistentvolumeclaims/status: get patch update
  storage.k8s.io: csidrivers: read
  storage.k8s.io: csinodes: create delete get patch update
  node.k8s.io: runtimeclasses: read
  resource.k8s.io: resourceclaims: get
  resource.k8s.io: resourceslices: deletecollection
  core: serviceaccounts: get
system:node-bootstrapper
  certificates.k8s.io: certificatesigningrequests: create get list watch
system:node-problem-detector
  core: nodes: get
  core: nodes/status: patch
  core,events.k8s.io: events: create patch update
system:node-proxier -> user system:kube-proxy
  core: endpoints services: list watch
  core: nodes: read
  core,events.k8s.io: events: create patch update
  networking.k8s.io: servicecidrs: list watch
  discovery.k8s.io: endpointslices: list watch
system:persistent-volume-provisioner
  core: persistentvolumes: create delete get list watch
  core: persistentvolumeclaims: get list update watch
  storage.k8s.io: storageclasses: read
  core: events: watch
  core,events.k8s.io: events: create patch update
system:public-info-viewer -> group system:authenticated, group system:unauthenticated
  /healthz /livez /readyz /version /version/: get
system:service-account-issuer-discovery -> group system:serviceaccounts
  /.well-known/openid-configuration /.well-known/openid-configuration/ /openid/v1/jwks /openid/v1/jwks/: get
system:volume-scheduler -> user system:kube-scheduler
  core: persistentvolumes: get list patch update watch
  storage.k8s.io: storageclasses: read
  core: persistentvolumeclaims: get list patch update watch
view (aggregate-to-edit) = aggregate-to-view
`;
