// Generated from the published facts of Kubernetes v1.36.3 by tools/generate. Do not edit.

import type { ApiGroup } from "../../api-group.ts";

/** The verbs of most resources. */
const all = ["create","delete","deletecollection","get","list","patch","update","watch"] as const;

/** Every group and version that a server can serve, in its order of preference. */
export const groups: readonly ApiGroup[] = [
  {
    group: "",
    versions: [
      {
        version: "v1",
        resources: [
          {"name":"bindings","kind":"Binding","singular":"binding","namespaced":true,"verbs":["create"]},
          {"name":"componentstatuses","kind":"ComponentStatus","singular":"componentstatus","namespaced":false,"verbs":["get","list"],"shortNames":["cs"]},
          {"name":"configmaps","kind":"ConfigMap","singular":"configmap","namespaced":true,"verbs":all,"shortNames":["cm"],"storageVersionHash":"qFsyl6wFWjQ="},
          {"name":"endpoints","kind":"Endpoints","singular":"endpoints","namespaced":true,"verbs":all,"shortNames":["ep"],"storageVersionHash":"fWeeMqaN/OA="},
          {"name":"events","kind":"Event","singular":"event","namespaced":true,"verbs":all,"shortNames":["ev"],"storageVersionHash":"r2yiGXH7wu8="},
          {"name":"limitranges","kind":"LimitRange","singular":"limitrange","namespaced":true,"verbs":all,"shortNames":["limits"],"storageVersionHash":"EBKMFVe6cwo="},
          {"name":"namespaces","kind":"Namespace","singular":"namespace","namespaced":false,"verbs":["create","delete","get","list","patch","update","watch"],"shortNames":["ns"],"storageVersionHash":"Q3oi5N2YM8M=","subresources":[{"name":"finalize","kind":"Namespace","verbs":["update"]},{"name":"status","kind":"Namespace","verbs":["get","patch","update"]}]},
          {"name":"nodes","kind":"Node","singular":"node","namespaced":false,"verbs":all,"shortNames":["no"],"storageVersionHash":"XwShjMxG9Fs=","subresources":[{"name":"proxy","kind":"NodeProxyOptions","verbs":["create","delete","get","patch","update"]},{"name":"status","kind":"Node","verbs":["get","patch","update"]}]},
          {"name":"persistentvolumeclaims","kind":"PersistentVolumeClaim","singular":"persistentvolumeclaim","namespaced":true,"verbs":all,"shortNames":["pvc"],"storageVersionHash":"QWTyNDq0dC4=","returnsDeleted":true,"subresources":[{"name":"status","kind":"PersistentVolumeClaim","verbs":["get","patch","update"]}]},
          {"name":"persistentvolumes","kind":"PersistentVolume","singular":"persistentvolume","namespaced":false,"verbs":all,"shortNames":["pv"],"storageVersionHash":"HN/zwEC+JgM=","returnsDeleted":true,"subresources":[{"name":"status","kind":"PersistentVolume","verbs":["get","patch","update"]}]},
          {"name":"pods","kind":"Pod","singular":"pod","namespaced":true,"verbs":all,"shortNames":["po"],"categories":["all"],"storageVersionHash":"xPOwRZ+Yhw8=","returnsDeleted":true,"subresources":[{"name":"attach","kind":"PodAttachOptions","verbs":["create","get"]},{"name":"binding","kind":"Binding","verbs":["create"]},{"name":"ephemeralcontainers","kind":"Pod","verbs":["get","patch","update"]},{"name":"eviction","kind":"Eviction","group":"policy","version":"v1","verbs":["create"]},{"name":"exec","kind":"PodExecOptions","verbs":["create","get"]},{"name":"log","kind":"Pod","verbs":["get"]},{"name":"portforward","kind":"PodPortForwardOptions","verbs":["create","get"]},{"name":"proxy","kind":"PodProxyOptions","verbs":["create","delete","get","patch","update"]},{"name":"resize","kind":"Pod","verbs":["get","patch","update"]},{"name":"status","kind":"Pod","verbs":["get","patch","update"]}]},
          {"name":"podtemplates","kind":"PodTemplate","singular":"podtemplate","namespaced":true,"verbs":all,"storageVersionHash":"LIXB2x4IFpk=","returnsDeleted":true},
          {"name":"replicationcontrollers","kind":"ReplicationController","singular":"replicationcontroller","namespaced":true,"verbs":all,"shortNames":["rc"],"categories":["all"],"storageVersionHash":"Jond2If31h0=","subresources":[{"name":"scale","kind":"Scale","group":"autoscaling","version":"v1","verbs":["get","patch","update"]},{"name":"status","kind":"ReplicationController","verbs":["get","patch","update"]}]},
          {"name":"resourcequotas","kind":"ResourceQuota","singular":"resourcequota","namespaced":true,"verbs":all,"shortNames":["quota"],"storageVersionHash":"8uhSgffRX6w=","returnsDeleted":true,"subresources":[{"name":"status","kind":"ResourceQuota","verbs":["get","patch","update"]}]},
          {"name":"secrets","kind":"Secret","singular":"secret","namespaced":true,"verbs":all,"storageVersionHash":"S6u1pOWzb84="},
          {"name":"serviceaccounts","kind":"ServiceAccount","singular":"serviceaccount","namespaced":true,"verbs":all,"shortNames":["sa"],"storageVersionHash":"pbx9ZvyFpBE=","returnsDeleted":true,"subresources":[{"name":"token","kind":"TokenRequest","group":"authentication.k8s.io","version":"v1","verbs":["create"]}]},
          {"name":"services","kind":"Service","singular":"service","namespaced":true,"verbs":all,"shortNames":["svc"],"categories":["all"],"storageVersionHash":"0/CO1lhkEBI=","returnsDeleted":true,"subresources":[{"name":"proxy","kind":"ServiceProxyOptions","verbs":["create","delete","get","patch","update"]},{"name":"status","kind":"Service","verbs":["get","patch","update"]}]},
        ],
      },
    ],
  },
  {
    group: "apiregistration.k8s.io",
    versions: [
      {
        version: "v1",
        resources: [
          {"name":"apiservices","kind":"APIService","singular":"apiservice","namespaced":false,"verbs":all,"categories":["api-extensions"],"storageVersionHash":"InPBPD7+PqM=","subresources":[{"name":"status","kind":"APIService","verbs":["get","patch","update"]}]},
        ],
      },
    ],
  },
  {
    group: "apps",
    versions: [
      {
        version: "v1",
        resources: [
          {"name":"controllerrevisions","kind":"ControllerRevision","singular":"controllerrevision","namespaced":true,"verbs":all,"storageVersionHash":"85nkx63pcBU="},
          {"name":"daemonsets","kind":"DaemonSet","singular":"daemonset","namespaced":true,"verbs":all,"shortNames":["ds"],"categories":["all"],"storageVersionHash":"dd7pWHUlMKQ=","subresources":[{"name":"status","kind":"DaemonSet","verbs":["get","patch","update"]}]},
          {"name":"deployments","kind":"Deployment","singular":"deployment","namespaced":true,"verbs":all,"shortNames":["deploy"],"categories":["all"],"storageVersionHash":"8aSe+NMegvE=","subresources":[{"name":"scale","kind":"Scale","group":"autoscaling","version":"v1","verbs":["get","patch","update"]},{"name":"status","kind":"Deployment","verbs":["get","patch","update"]}]},
          {"name":"replicasets","kind":"ReplicaSet","singular":"replicaset","namespaced":true,"verbs":all,"shortNames":["rs"],"categories":["all"],"storageVersionHash":"P1RzHs8/mWQ=","subresources":[{"name":"scale","kind":"Scale","group":"autoscaling","version":"v1","verbs":["get","patch","update"]},{"name":"status","kind":"ReplicaSet","verbs":["get","patch","update"]}]},
          {"name":"statefulsets","kind":"StatefulSet","singular":"statefulset","namespaced":true,"verbs":all,"shortNames":["sts"],"categories":["all"],"storageVersionHash":"H+vl74LkKdo=","subresources":[{"name":"scale","kind":"Scale","group":"autoscaling","version":"v1","verbs":["get","patch","update"]},{"name":"status","kind":"StatefulSet","verbs":["get","patch","update"]}]},
        ],
      },
    ],
  },
  {
    group: "events.k8s.io",
    versions: [
      {
        version: "v1",
        resources: [
          {"name":"events","kind":"Event","singular":"event","namespaced":true,"verbs":all,"shortNames":["ev"],"storageVersionHash":"r2yiGXH7wu8="},
        ],
      },
    ],
  },
  {
    group: "authentication.k8s.io",
    versions: [
      {
        version: "v1",
        resources: [
          {"name":"selfsubjectreviews","kind":"SelfSubjectReview","singular":"selfsubjectreview","namespaced":false,"verbs":["create"]},
          {"name":"tokenreviews","kind":"TokenReview","singular":"tokenreview","namespaced":false,"verbs":["create"]},
        ],
      },
    ],
  },
  {
    group: "authorization.k8s.io",
    versions: [
      {
        version: "v1",
        resources: [
          {"name":"localsubjectaccessreviews","kind":"LocalSubjectAccessReview","singular":"localsubjectaccessreview","namespaced":true,"verbs":["create"]},
          {"name":"selfsubjectaccessreviews","kind":"SelfSubjectAccessReview","singular":"selfsubjectaccessreview","namespaced":false,"verbs":["create"]},
          {"name":"selfsubjectrulesreviews","kind":"SelfSubjectRulesReview","singular":"selfsubjectrulesreview","namespaced":false,"verbs":["create"]},
          {"name":"subjectaccessreviews","kind":"SubjectAccessReview","singular":"subjectaccessreview","namespaced":false,"verbs":["create"]},
        ],
      },
    ],
  },
  {
    group: "autoscaling",
    versions: [
      {
        version: "v2",
        resources: [
          {"name":"horizontalpodautoscalers","kind":"HorizontalPodAutoscaler","singular":"horizontalpodautoscaler","namespaced":true,"verbs":all,"shortNames":["hpa"],"categories":["all"],"storageVersionHash":"qwQve8ut294=","subresources":[{"name":"status","kind":"HorizontalPodAutoscaler","verbs":["get","patch","update"]}]},
        ],
      },
      {
        version: "v1",
        resources: [
          {"name":"horizontalpodautoscalers","kind":"HorizontalPodAutoscaler","singular":"horizontalpodautoscaler","namespaced":true,"verbs":all,"shortNames":["hpa"],"categories":["all"],"storageVersionHash":"qwQve8ut294=","subresources":[{"name":"status","kind":"HorizontalPodAutoscaler","verbs":["get","patch","update"]}]},
        ],
      },
    ],
  },
  {
    group: "batch",
    versions: [
      {
        version: "v1",
        resources: [
          {"name":"cronjobs","kind":"CronJob","singular":"cronjob","namespaced":true,"verbs":all,"shortNames":["cj"],"categories":["all"],"storageVersionHash":"sd5LIXh4Fjs=","subresources":[{"name":"status","kind":"CronJob","verbs":["get","patch","update"]}]},
          {"name":"jobs","kind":"Job","singular":"job","namespaced":true,"verbs":all,"categories":["all"],"storageVersionHash":"mudhfqk/qZY=","subresources":[{"name":"status","kind":"Job","verbs":["get","patch","update"]}]},
        ],
      },
    ],
  },
  {
    group: "certificates.k8s.io",
    versions: [
      {
        version: "v1",
        resources: [
          {"name":"certificatesigningrequests","kind":"CertificateSigningRequest","singular":"certificatesigningrequest","namespaced":false,"verbs":all,"shortNames":["csr"],"storageVersionHash":"95fRKMXA+00=","subresources":[{"name":"approval","kind":"CertificateSigningRequest","verbs":["get","patch","update"]},{"name":"status","kind":"CertificateSigningRequest","verbs":["get","patch","update"]}]},
        ],
      },
      {
        version: "v1beta1",
        resources: [
          {"name":"clustertrustbundles","kind":"ClusterTrustBundle","singular":"clustertrustbundle","namespaced":false,"verbs":all,"storageVersionHash":"v5yhuVertL4="},
          {"name":"podcertificaterequests","kind":"PodCertificateRequest","singular":"podcertificaterequest","namespaced":true,"verbs":all,"storageVersionHash":"wYA9yXQH8fg=","subresources":[{"name":"status","kind":"PodCertificateRequest","verbs":["get","patch","update"]}]},
        ],
      },
      {
        version: "v1alpha1",
        resources: [
          {"name":"clustertrustbundles","kind":"ClusterTrustBundle","singular":"clustertrustbundle","namespaced":false,"verbs":all,"storageVersionHash":"v5yhuVertL4="},
        ],
      },
    ],
  },
  {
    group: "networking.k8s.io",
    versions: [
      {
        version: "v1",
        resources: [
          {"name":"ingressclasses","kind":"IngressClass","singular":"ingressclass","namespaced":false,"verbs":all,"storageVersionHash":"l/iqIbDgFyQ="},
          {"name":"ingresses","kind":"Ingress","singular":"ingress","namespaced":true,"verbs":all,"shortNames":["ing"],"storageVersionHash":"39NQlfNR+bo=","subresources":[{"name":"status","kind":"Ingress","verbs":["get","patch","update"]}]},
          {"name":"ipaddresses","kind":"IPAddress","singular":"ipaddress","namespaced":false,"verbs":all,"shortNames":["ip"],"storageVersionHash":"3f/plJFChNE="},
          {"name":"networkpolicies","kind":"NetworkPolicy","singular":"networkpolicy","namespaced":true,"verbs":all,"shortNames":["netpol"],"storageVersionHash":"YpfwF18m1G8="},
          {"name":"servicecidrs","kind":"ServiceCIDR","singular":"servicecidr","namespaced":false,"verbs":all,"storageVersionHash":"gNLvruQhW2g=","subresources":[{"name":"status","kind":"ServiceCIDR","verbs":["get","patch","update"]}]},
        ],
      },
      {
        version: "v1beta1",
        resources: [
          {"name":"ipaddresses","kind":"IPAddress","singular":"ipaddress","namespaced":false,"verbs":all,"shortNames":["ip"],"storageVersionHash":"3f/plJFChNE="},
          {"name":"servicecidrs","kind":"ServiceCIDR","singular":"servicecidr","namespaced":false,"verbs":all,"storageVersionHash":"gNLvruQhW2g=","subresources":[{"name":"status","kind":"ServiceCIDR","verbs":["get","patch","update"]}]},
        ],
      },
    ],
  },
  {
    group: "policy",
    versions: [
      {
        version: "v1",
        resources: [
          {"name":"poddisruptionbudgets","kind":"PodDisruptionBudget","singular":"poddisruptionbudget","namespaced":true,"verbs":all,"shortNames":["pdb"],"storageVersionHash":"EVWiDmWqyJw=","subresources":[{"name":"status","kind":"PodDisruptionBudget","verbs":["get","patch","update"]}]},
        ],
      },
    ],
  },
  {
    group: "rbac.authorization.k8s.io",
    versions: [
      {
        version: "v1",
        resources: [
          {"name":"clusterrolebindings","kind":"ClusterRoleBinding","singular":"clusterrolebinding","namespaced":false,"verbs":all,"storageVersionHash":"48tpQ8gZHFc="},
          {"name":"clusterroles","kind":"ClusterRole","singular":"clusterrole","namespaced":false,"verbs":all,"storageVersionHash":"bYE5ZWDrJ44="},
          {"name":"rolebindings","kind":"RoleBinding","singular":"rolebinding","namespaced":true,"verbs":all,"storageVersionHash":"eGsCzGH6b1g="},
          {"name":"roles","kind":"Role","singular":"role","namespaced":true,"verbs":all,"storageVersionHash":"7FuwZcIIItM="},
        ],
      },
    ],
  },
  {
    group: "storage.k8s.io",
    versions: [
      {
        version: "v1",
        resources: [
          {"name":"csidrivers","kind":"CSIDriver","singular":"csidriver","namespaced":false,"verbs":all,"storageVersionHash":"hL6j/rwBV5w=","returnsDeleted":true},
          {"name":"csinodes","kind":"CSINode","singular":"csinode","namespaced":false,"verbs":all,"storageVersionHash":"Pe62DkZtjuo=","returnsDeleted":true},
          {"name":"csistoragecapacities","kind":"CSIStorageCapacity","singular":"csistoragecapacity","namespaced":true,"verbs":all,"storageVersionHash":"xeVl+2Ly1kE="},
          {"name":"storageclasses","kind":"StorageClass","singular":"storageclass","namespaced":false,"verbs":all,"shortNames":["sc"],"storageVersionHash":"K+m6uJwbjGY=","returnsDeleted":true},
          {"name":"volumeattachments","kind":"VolumeAttachment","singular":"volumeattachment","namespaced":false,"verbs":all,"storageVersionHash":"tJx/ezt6UDU=","returnsDeleted":true,"subresources":[{"name":"status","kind":"VolumeAttachment","verbs":["get","patch","update"]}]},
          {"name":"volumeattributesclasses","kind":"VolumeAttributesClass","singular":"volumeattributesclass","namespaced":false,"verbs":all,"shortNames":["vac"],"storageVersionHash":"tIjydgKBC5w=","returnsDeleted":true},
        ],
      },
      {
        version: "v1beta1",
        resources: [
          {"name":"volumeattributesclasses","kind":"VolumeAttributesClass","singular":"volumeattributesclass","namespaced":false,"verbs":all,"shortNames":["vac"],"storageVersionHash":"tIjydgKBC5w=","returnsDeleted":true},
        ],
      },
    ],
  },
  {
    group: "admissionregistration.k8s.io",
    versions: [
      {
        version: "v1",
        resources: [
          {"name":"mutatingadmissionpolicies","kind":"MutatingAdmissionPolicy","singular":"mutatingadmissionpolicy","namespaced":false,"verbs":all,"categories":["api-extensions"],"storageVersionHash":"LYmCf+UMVdg="},
          {"name":"mutatingadmissionpolicybindings","kind":"MutatingAdmissionPolicyBinding","singular":"mutatingadmissionpolicybinding","namespaced":false,"verbs":all,"categories":["api-extensions"],"storageVersionHash":"90V5FRZZ3Zg="},
          {"name":"mutatingwebhookconfigurations","kind":"MutatingWebhookConfiguration","singular":"mutatingwebhookconfiguration","namespaced":false,"verbs":all,"categories":["api-extensions"],"storageVersionHash":"Sqi0GUgDaX0="},
          {"name":"validatingadmissionpolicies","kind":"ValidatingAdmissionPolicy","singular":"validatingadmissionpolicy","namespaced":false,"verbs":all,"categories":["api-extensions"],"storageVersionHash":"6OxvlMmQ6is=","subresources":[{"name":"status","kind":"ValidatingAdmissionPolicy","verbs":["get","patch","update"]}]},
          {"name":"validatingadmissionpolicybindings","kind":"ValidatingAdmissionPolicyBinding","singular":"validatingadmissionpolicybinding","namespaced":false,"verbs":all,"categories":["api-extensions"],"storageVersionHash":"v9715VZqakg="},
          {"name":"validatingwebhookconfigurations","kind":"ValidatingWebhookConfiguration","singular":"validatingwebhookconfiguration","namespaced":false,"verbs":all,"categories":["api-extensions"],"storageVersionHash":"B0wHjQmsGNk="},
        ],
      },
      {
        version: "v1beta1",
        resources: [
          {"name":"mutatingadmissionpolicies","kind":"MutatingAdmissionPolicy","singular":"mutatingadmissionpolicy","namespaced":false,"verbs":all,"categories":["api-extensions"],"storageVersionHash":"LYmCf+UMVdg="},
          {"name":"mutatingadmissionpolicybindings","kind":"MutatingAdmissionPolicyBinding","singular":"mutatingadmissionpolicybinding","namespaced":false,"verbs":all,"categories":["api-extensions"],"storageVersionHash":"90V5FRZZ3Zg="},
        ],
      },
      {
        version: "v1alpha1",
        resources: [
          {"name":"mutatingadmissionpolicies","kind":"MutatingAdmissionPolicy","singular":"mutatingadmissionpolicy","namespaced":false,"verbs":all,"categories":["api-extensions"],"storageVersionHash":"LYmCf+UMVdg="},
          {"name":"mutatingadmissionpolicybindings","kind":"MutatingAdmissionPolicyBinding","singular":"mutatingadmissionpolicybinding","namespaced":false,"verbs":all,"categories":["api-extensions"],"storageVersionHash":"90V5FRZZ3Zg="},
        ],
      },
    ],
  },
  {
    group: "apiextensions.k8s.io",
    versions: [
      {
        version: "v1",
        resources: [
          {"name":"customresourcedefinitions","kind":"CustomResourceDefinition","singular":"customresourcedefinition","namespaced":false,"verbs":all,"shortNames":["crd","crds"],"categories":["api-extensions"],"storageVersionHash":"jfWCUB31mvA=","subresources":[{"name":"status","kind":"CustomResourceDefinition","verbs":["get","patch","update"]}]},
        ],
      },
    ],
  },
  {
    group: "scheduling.k8s.io",
    versions: [
      {
        version: "v1",
        resources: [
          {"name":"priorityclasses","kind":"PriorityClass","singular":"priorityclass","namespaced":false,"verbs":all,"shortNames":["pc"],"storageVersionHash":"1QwjyaZjj3Y="},
        ],
      },
      {
        version: "v1alpha2",
        resources: [
          {"name":"podgroups","kind":"PodGroup","singular":"podgroup","namespaced":true,"verbs":all,"storageVersionHash":"YYgX3v5V204=","subresources":[{"name":"status","kind":"PodGroup","verbs":["get","patch","update"]}]},
          {"name":"workloads","kind":"Workload","singular":"workload","namespaced":true,"verbs":all,"storageVersionHash":"vSX7gJe5Mx8="},
        ],
      },
    ],
  },
  {
    group: "coordination.k8s.io",
    versions: [
      {
        version: "v1",
        resources: [
          {"name":"leases","kind":"Lease","singular":"lease","namespaced":true,"verbs":all,"storageVersionHash":"gqkMMb/YqFM="},
        ],
      },
      {
        version: "v1beta1",
        resources: [
          {"name":"leasecandidates","kind":"LeaseCandidate","singular":"leasecandidate","namespaced":true,"verbs":all,"storageVersionHash":"lvME0iHWE20="},
        ],
      },
      {
        version: "v1alpha2",
        resources: [
          {"name":"leasecandidates","kind":"LeaseCandidate","singular":"leasecandidate","namespaced":true,"verbs":all,"storageVersionHash":"lvME0iHWE20="},
        ],
      },
    ],
  },
  {
    group: "node.k8s.io",
    versions: [
      {
        version: "v1",
        resources: [
          {"name":"runtimeclasses","kind":"RuntimeClass","singular":"runtimeclass","namespaced":false,"verbs":all,"storageVersionHash":"WQTu1GL3T2Q="},
        ],
      },
    ],
  },
  {
    group: "discovery.k8s.io",
    versions: [
      {
        version: "v1",
        resources: [
          {"name":"endpointslices","kind":"EndpointSlice","singular":"endpointslice","namespaced":true,"verbs":all,"storageVersionHash":"qgS0xkrxYAI="},
        ],
      },
    ],
  },
  {
    group: "resource.k8s.io",
    versions: [
      {
        version: "v1",
        resources: [
          {"name":"deviceclasses","kind":"DeviceClass","singular":"deviceclass","namespaced":false,"verbs":all,"storageVersionHash":"Yk2PTc1Ybxk=","returnsDeleted":true},
          {"name":"resourceclaims","kind":"ResourceClaim","singular":"resourceclaim","namespaced":true,"verbs":all,"storageVersionHash":"wgAZaHcZxUg=","returnsDeleted":true,"subresources":[{"name":"status","kind":"ResourceClaim","verbs":["get","patch","update"]}]},
          {"name":"resourceclaimtemplates","kind":"ResourceClaimTemplate","singular":"resourceclaimtemplate","namespaced":true,"verbs":all,"storageVersionHash":"TuzjC49aUfM=","returnsDeleted":true},
          {"name":"resourceslices","kind":"ResourceSlice","singular":"resourceslice","namespaced":false,"verbs":all,"storageVersionHash":"KsC072WgaEY=","returnsDeleted":true},
        ],
      },
      {
        version: "v1beta2",
        resources: [
          {"name":"deviceclasses","kind":"DeviceClass","singular":"deviceclass","namespaced":false,"verbs":all,"storageVersionHash":"Yk2PTc1Ybxk=","returnsDeleted":true},
          {"name":"devicetaintrules","kind":"DeviceTaintRule","singular":"devicetaintrule","namespaced":false,"verbs":all,"storageVersionHash":"DJ3UJ0fj8MI=","returnsDeleted":true,"subresources":[{"name":"status","kind":"DeviceTaintRule","verbs":["get","patch","update"]}]},
          {"name":"resourceclaims","kind":"ResourceClaim","singular":"resourceclaim","namespaced":true,"verbs":all,"storageVersionHash":"wgAZaHcZxUg=","returnsDeleted":true,"subresources":[{"name":"status","kind":"ResourceClaim","verbs":["get","patch","update"]}]},
          {"name":"resourceclaimtemplates","kind":"ResourceClaimTemplate","singular":"resourceclaimtemplate","namespaced":true,"verbs":all,"storageVersionHash":"TuzjC49aUfM=","returnsDeleted":true},
          {"name":"resourceslices","kind":"ResourceSlice","singular":"resourceslice","namespaced":false,"verbs":all,"storageVersionHash":"KsC072WgaEY=","returnsDeleted":true},
        ],
      },
      {
        version: "v1beta1",
        resources: [
          {"name":"deviceclasses","kind":"DeviceClass","singular":"deviceclass","namespaced":false,"verbs":all,"storageVersionHash":"Yk2PTc1Ybxk=","returnsDeleted":true},
          {"name":"resourceclaims","kind":"ResourceClaim","singular":"resourceclaim","namespaced":true,"verbs":all,"storageVersionHash":"wgAZaHcZxUg=","returnsDeleted":true,"subresources":[{"name":"status","kind":"ResourceClaim","verbs":["get","patch","update"]}]},
          {"name":"resourceclaimtemplates","kind":"ResourceClaimTemplate","singular":"resourceclaimtemplate","namespaced":true,"verbs":all,"storageVersionHash":"TuzjC49aUfM=","returnsDeleted":true},
          {"name":"resourceslices","kind":"ResourceSlice","singular":"resourceslice","namespaced":false,"verbs":all,"storageVersionHash":"KsC072WgaEY=","returnsDeleted":true},
        ],
      },
      {
        version: "v1alpha3",
        resources: [
          {"name":"devicetaintrules","kind":"DeviceTaintRule","singular":"devicetaintrule","namespaced":false,"verbs":all,"storageVersionHash":"DJ3UJ0fj8MI=","returnsDeleted":true,"subresources":[{"name":"status","kind":"DeviceTaintRule","verbs":["get","patch","update"]}]},
          {"name":"resourcepoolstatusrequests","kind":"ResourcePoolStatusRequest","singular":"resourcepoolstatusrequest","namespaced":false,"verbs":all,"storageVersionHash":"iy583CtMwdY=","returnsDeleted":true,"subresources":[{"name":"status","kind":"ResourcePoolStatusRequest","verbs":["get","patch","update"]}]},
        ],
      },
    ],
  },
  {
    group: "flowcontrol.apiserver.k8s.io",
    versions: [
      {
        version: "v1",
        resources: [
          {"name":"flowschemas","kind":"FlowSchema","singular":"flowschema","namespaced":false,"verbs":all,"storageVersionHash":"GJVAJZSZBIw=","subresources":[{"name":"status","kind":"FlowSchema","verbs":["get","patch","update"]}]},
          {"name":"prioritylevelconfigurations","kind":"PriorityLevelConfiguration","singular":"prioritylevelconfiguration","namespaced":false,"verbs":all,"storageVersionHash":"Kir5PVfvNeI=","subresources":[{"name":"status","kind":"PriorityLevelConfiguration","verbs":["get","patch","update"]}]},
        ],
      },
    ],
  },
  {
    group: "internal.apiserver.k8s.io",
    versions: [
      {
        version: "v1alpha1",
        resources: [
          {"name":"storageversions","kind":"StorageVersion","singular":"storageversion","namespaced":false,"verbs":all,"storageVersionHash":"c8YZt5U0nPk=","subresources":[{"name":"status","kind":"StorageVersion","verbs":["get","patch","update"]}]},
        ],
      },
    ],
  },
  {
    group: "storagemigration.k8s.io",
    versions: [
      {
        version: "v1beta1",
        resources: [
          {"name":"storageversionmigrations","kind":"StorageVersionMigration","singular":"storageversionmigration","namespaced":false,"verbs":all,"storageVersionHash":"pCjmmKOkLy4=","subresources":[{"name":"status","kind":"StorageVersionMigration","verbs":["get","patch","update"]}]},
        ],
      },
    ],
  },
];
