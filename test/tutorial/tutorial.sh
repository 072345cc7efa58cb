# What every tutorial does with a cluster of two nodes, command by command. Each line runs by itself, in the folder of the manifests.
# Where something goes on behind a command, the next one waits for it: what is printed is what there is when it is over.

# One node takes pods, so that it is known where they are.
kubectl get nodes node-1 node-2
kubectl cordon node-2
kubectl get nodes node-1 node-2
kubectl create namespace shop
kubectl config set-context --current --namespace=shop > /dev/null

# Three nginx
kubectl apply -f nginx.yaml
kubectl rollout status deployment/nginx-deployment --timeout=60s
kubectl get deployments
kubectl get replicasets --show-labels
kubectl get pods -o wide
kubectl describe deployment nginx-deployment
kubectl describe replicaset -l app=nginx
kubectl get events --field-selector involvedObject.kind=ReplicaSet
kubectl expose deployment nginx-deployment --port=80
kubectl wait --for=jsonpath='{.endpoints[2].conditions.ready}'=true endpointslice -l kubernetes.io/service-name=nginx-deployment > /dev/null; kubectl describe service nginx-deployment

# Up and down
kubectl scale deployment/nginx-deployment --replicas=5
kubectl rollout status deployment/nginx-deployment --timeout=60s
kubectl get deployment nginx-deployment
kubectl scale deployment/nginx-deployment --replicas=3
kubectl wait --for=jsonpath='{.status.availableReplicas}'=3 deployment/nginx-deployment; until [ $(kubectl get pods -o name | wc -l) = 3 ]; do sleep 1; done; kubectl get pods

# A new image
kubectl set image deployment/nginx-deployment nginx=nginx:1.16.1
kubectl rollout status deployment/nginx-deployment --timeout=60s
until kubectl get replicasets -o jsonpath='{.items[*].status.replicas}' | grep -q '^3 0$'; do sleep 1; done; kubectl get replicasets -o wide --sort-by=.metadata.creationTimestamp
kubectl get deployment nginx-deployment -o wide
kubectl describe deployment nginx-deployment
kubectl rollout history deployment/nginx-deployment
kubectl rollout history deployment/nginx-deployment --revision=2

# One that is not there
kubectl set image deployment/nginx-deployment nginx=nginx:nonexistent
kubectl rollout status deployment/nginx-deployment --timeout=2s
kubectl get deployment nginx-deployment
kubectl get replicasets -o wide --sort-by=.metadata.creationTimestamp

# And back
kubectl rollout undo deployment/nginx-deployment
kubectl rollout status deployment/nginx-deployment --timeout=60s
kubectl rollout history deployment/nginx-deployment
kubectl rollout undo deployment/nginx-deployment --to-revision=1
kubectl rollout status deployment/nginx-deployment --timeout=60s
sleep 1; kubectl get deployment nginx-deployment -o wide
kubectl rollout undo deployment/nginx-deployment --to-revision=9
kubectl rollout pause deployment/nginx-deployment
kubectl rollout restart deployment/nginx-deployment
kubectl rollout resume deployment/nginx-deployment

# A node goes down for maintenance
kubectl uncordon node-2
kubectl drain node-1 --ignore-daemonsets
kubectl rollout status deployment/nginx-deployment --timeout=60s
kubectl get nodes node-1 node-2
sleep 1; kubectl get pods -o wide
kubectl uncordon node-1
kubectl create poddisruptionbudget all --selector=app=nginx --min-available=3
kubectl wait --for=jsonpath='{.status.currentHealthy}'=3 poddisruptionbudget/all
kubectl get poddisruptionbudget all
kubectl drain node-2 --timeout=3s
kubectl delete poddisruptionbudget all
kubectl drain node-2
kubectl uncordon node-2

# The end
kubectl get all
kubectl delete namespace shop
kubectl get namespace shop
kubectl get all
