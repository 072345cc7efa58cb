# What people get wrong, and what they are told: status, reason and event. Each line runs by itself, in the folder of the manifests.
kubectl create namespace trouble
kubectl config set-context --current --namespace=trouble > /dev/null

# Refused at once
kubectl apply -f mismatch.yaml
kubectl run robot --image=nginx --overrides='{"spec":{"serviceAccountName":"missing"}}'
kubectl run important --image=nginx --overrides='{"spec":{"priorityClassName":"missing"}}'
kubectl run Wrong_Name --image=nginx
kubectl run twice --image=nginx --overrides='{"spec":{"containers":[{"name":"a","image":"nginx"},{"name":"a","image":"nginx"}]}}'

# Taken, but never to run
kubectl apply -f trouble.yaml
until [ $(kubectl get events -o name | wc -l) -ge 6 ]; do sleep 1; done; kubectl get pods
kubectl describe pod too-large
kubectl describe pod nowhere
kubectl describe pod without-volume
kubectl describe pod without-claim
kubectl get pod too-large -o jsonpath='{.status.phase} {.status.conditions[*].type} {.status.conditions[*].status} {.status.conditions[*].reason}{"\n"}'
kubectl get persistentvolumeclaims
kubectl describe persistentvolumeclaim classless
kubectl describe persistentvolumeclaim no-such-class
kubectl label node node-1 disk=fast
kubectl wait --for=condition=Ready pod/nowhere; until kubectl get events --field-selector involvedObject.name=nowhere,reason=Scheduled -o name | grep -q .; do sleep 1; done; kubectl get events --field-selector involvedObject.name=nowhere,reason!=Pulled,reason!=Created,reason!=Started
kubectl label node node-1 disk-
kubectl delete pods,persistentvolumeclaims --all

# More than there may be
kubectl create quota few --hard=pods=2,count/configmaps=2
kubectl wait --for=jsonpath='{.status.hard.pods}'=2 quota/few > /dev/null; kubectl create deployment many --image=nginx --replicas=4
for so in condition=ReplicaFailure jsonpath='{.status.availableReplicas}'=2; do kubectl wait --for=$so deployment/many > /dev/null; done; kubectl wait --for=jsonpath='{.status.used.pods}'=2 quota/few > /dev/null; until kubectl get events --field-selector reason=FailedCreate -o name | grep -q .; do sleep 1; done; kubectl get deployment many
kubectl describe quota few
kubectl get deployment many -o jsonpath='{range .status.conditions[*]}{.type} {.status} {.reason}{"\n"}{end}'
kubectl describe replicaset -l app=many | sed -n '/Conditions/,/Events/p'
kubectl get events --field-selector involvedObject.kind=ReplicaSet,reason=FailedCreate -o jsonpath='{.items[0].message}{"\n"}' | sed 's/many-[0-9a-z]*-[0-9a-z]*/<pod>/'
kubectl run one-more --image=nginx
kubectl create configmap second
kubectl create configmap third

# What fails
kubectl delete deployment many; kubectl delete quota few
kubectl apply -f failing-job.yaml
kubectl wait --for=condition=Failed job/failing; kubectl get jobs
kubectl describe job failing | sed -n '/Pods Statuses/p;/Events/,$p'
kubectl get pods -l job-name=failing
kubectl delete namespace trouble
