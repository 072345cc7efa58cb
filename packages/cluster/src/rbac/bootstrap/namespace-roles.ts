/** The Roles in the namespaces of the system, and who has them from the start. In the language of `parsePolicy`. */
export const namespaceRoles: string = `
kube-public/system:controller:bootstrap-signer -> account kube-system/bootstrap-signer
  core: configmaps: read
  core: configmaps [cluster-info]: update
  core,events.k8s.io: events: create patch update
kube-system/extension-apiserver-authentication-reader -> as system::extension-apiserver-authentication-reader: user system:kube-controller-manager, user system:kube-scheduler
  core: configmaps [extension-apiserver-authentication]: read
kube-system/system::leader-locking-kube-controller-manager -> user system:kube-controller-manager, account kube-system/kube-controller-manager, account kube-system/leader-election-controller
  coordination.k8s.io: leases: create get list update watch
  coordination.k8s.io: leasecandidates: create get list update watch
kube-system/system::leader-locking-kube-scheduler -> user system:kube-scheduler, account kube-system/kube-scheduler
  coordination.k8s.io: leases: create get list update watch
  coordination.k8s.io: leasecandidates: create get list update watch
kube-system/system:controller:bootstrap-signer -> account kube-system/bootstrap-signer
  core: secrets: read
kube-system/system:controller:cloud-provider -> account kube-system/cloud-provider
  core: configmaps: create get list watch
kube-system/system:controller:token-cleaner -> account kube-system/token-cleaner
  core: secrets: delete get list watch
  core,events.k8s.io: events: create patch update
`;
