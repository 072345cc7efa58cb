# What people do with kubectl, command by command. Each line runs by itself, in the folder of the manifests.

# Is anybody there?
kubectl version
kubectl cluster-info
kubectl get --raw /healthz
kubectl api-versions
kubectl api-resources
kubectl api-resources --namespaced=false -o name
kubectl auth can-i create pods
kubectl auth can-i delete nodes --all-namespaces --quiet

# Namespaces
kubectl create namespace shop
kubectl get namespaces --field-selector metadata.name=shop
kubectl describe namespace shop
kubectl config set-context --current --namespace=shop > /dev/null

# Apply from the client
kubectl apply -f web.yaml
kubectl apply -f web.yaml
kubectl get deployments
kubectl get deployments -o wide
kubectl get deployment web -o yaml
kubectl get deployment web -o json
kubectl get deployments,services -l app=web
kubectl get services -o wide
kubectl describe deployment web
kubectl describe service web
kubectl diff -f web-changed.yaml
kubectl apply -f web-changed.yaml --dry-run=server
kubectl apply -f web-changed.yaml --dry-run=client -o name
kubectl apply -f web-changed.yaml
kubectl apply view-last-applied deployment/web
kubectl get deployment web -o jsonpath='{.spec.replicas} {.spec.template.spec.containers[*].image}{"\n"}'
kubectl get deployment web -o go-template='{{.metadata.generation}}{{"\n"}}'
kubectl get deployment web -o custom-columns=NAME:.metadata.name,IMAGES:.spec.template.spec.containers[*].image
kubectl get deployment web --show-labels
kubectl get deployment web -L app,tier

# Apply on the server
kubectl apply --server-side -f settings.yaml
kubectl apply --server-side -f settings.yaml
kubectl apply --server-side --field-manager=other -f settings-changed.yaml
kubectl apply --server-side --field-manager=other --force-conflicts -f settings-changed.yaml
kubectl get configmap settings -o yaml --show-managed-fields
kubectl diff --server-side --field-manager=other -f settings.yaml

# Create
kubectl create configmap colors --from-literal=a=red --from-literal=b=blue
kubectl create configmap colors
kubectl create secret generic keys --from-literal=password=secret
kubectl create secret docker-registry registry --docker-server=example.com --docker-username=me --docker-password=secret
kubectl create deployment api --image=api:1 --replicas=1 --port=8080
kubectl create job once --image=busybox -- sh -c true
kubectl create cronjob nightly --image=busybox --schedule='0 3 * * *'
kubectl create job by-hand --from=cronjob/nightly
kubectl create role reader --verb=get,list --resource=pods
kubectl create rolebinding reader --role=reader --serviceaccount=shop:robot
kubectl create clusterrole shop-nodes --verb=get --resource=nodes
kubectl create quota limits --hard=pods=5,configmaps=100
kubectl create poddisruptionbudget web --selector=app=web --min-available=1
kubectl create ingress web --rule='shop.example.com/*=web:80'
kubectl create serviceaccount robot
kubectl create token robot --duration=1h
kubectl create -f wrong-field.yaml
kubectl create -f wrong-field.yaml --validate=false
kubectl create -f wrong-type.yaml
kubectl create -f pod.yaml
kubectl create -f node.yaml
kubectl expose deployment api --port=80 --target-port=8080 --type=NodePort
kubectl autoscale deployment api --max=4 --min=2
kubectl run one-off --image=busybox --restart=Never --labels=app=one-off -- sleep 10

# Look at it
kubectl get pods
kubectl get pods -o wide
kubectl get pods -o name
kubectl get pods -A -l app=job
kubectl get pods --field-selector spec.nodeName=worker
kubectl get pods -l 'app in (job,one-off)' --sort-by=.metadata.name
kubectl get pods -l 'app!=job'
kubectl get configmaps,secrets -o name
kubectl get jobs,cronjobs
kubectl get roles,rolebindings,serviceaccounts robot reader --ignore-not-found
kubectl get ingresses,poddisruptionbudgets,horizontalpodautoscalers,resourcequotas
kubectl get nodes
kubectl get nothing
kubectl get pod missing
kubectl get all
kubectl get events
kubectl describe pod job
kubectl describe configmap settings | sort
kubectl describe secret keys
kubectl describe node worker
kubectl explain deployment.spec.replicas
kubectl explain pod.spec.containers.resources
kubectl explain service --recursive --output=plaintext-openapiv2
kubectl get --raw /api/v1/namespaces/shop/configmaps/colors | grep -o '"data":{[^}]*}'

# Change it
kubectl scale deployment web --replicas=5
kubectl scale deployment web --current-replicas=1 --replicas=2
kubectl set image deployment/web nginx=nginx:1.28
kubectl set image deployment/web nope=nginx:1.28
kubectl set env deployment/web COLOR=red
kubectl set resources deployment/web --limits=cpu=200m
kubectl set selector service web app=web,tier=front
kubectl rollout pause deployment/web
kubectl rollout resume deployment/web
kubectl rollout history deployment/web
kubectl label configmap colors season=spring
kubectl label configmap colors season=summer
kubectl label configmap colors season=summer --overwrite
kubectl label configmap colors season-
kubectl annotate configmap colors note='by hand'
kubectl annotate configmap --all note='all of them' --overwrite
kubectl patch configmap colors -p '{"data":{"c":"green"}}'
kubectl patch configmap colors --type=merge -p '{"data":{"a":null}}'
kubectl patch configmap colors --type=json -p '[{"op":"replace","path":"/data/b","value":"black"}]'
kubectl patch configmap colors --type=json -p '[{"op":"remove","path":"/data/nope"}]'
kubectl patch deployment web --subresource=status --type=merge -p '{"status":{"replicas":3}}'
kubectl patch deployment web -p '{"spec":{"selector":{"matchLabels":{"app":"other"}}}}'
kubectl get configmap colors -o jsonpath='{.data}{"\n"}'
kubectl replace -f settings.yaml
kubectl replace --force -f settings.yaml
KUBE_EDITOR="sed -i s/large/small/" kubectl edit configmap settings
KUBE_EDITOR="sed -i s/nothing/something/" kubectl edit configmap settings
KUBE_EDITOR="sed -i s/color:/Color_/" kubectl edit configmap settings
kubectl get configmap settings -o jsonpath='{.data.size}{"\n"}'
kubectl taint nodes worker busy=yes:NoSchedule
kubectl cordon worker
kubectl get node worker -o jsonpath='{.spec}{"\n"}'

# A kind of our own
kubectl apply -f shirts.yaml
kubectl wait --for=condition=Established crd/shirts.example.com --timeout=20s
kubectl apply -f shirt.yaml
kubectl apply -f shirt-wrong.yaml
kubectl get shirts
kubectl get sh -o wide
kubectl get shirt casual -o yaml
kubectl describe shirt casual
kubectl explain shirt.spec
kubectl scale shirt casual --replicas=4
kubectl patch shirt casual --type=merge -p '{"spec":{"color":"blue"}}'
kubectl patch shirt casual -p '{"spec":{"color":"red"}}'
kubectl label shirt casual size=m
kubectl apply -f shirt.yaml --server-side --force-conflicts
kubectl get shirts -o custom-columns=NAME:.metadata.name,COLOR:.spec.color,COUNT:.spec.count
kubectl get crds -o name

# Watch and wait
out=$(mktemp ~/XXXXXX); kubectl get configmaps -w -l season!=x --output-watch-events -o name > $out & until [ $(wc -l < $out) -ge 3 ]; do sleep 0.1; done; kill $!; cat $out
out=$(mktemp ~/XXXXXX); kubectl get pods -w > $out & until [ $(wc -l < $out) -ge 3 ]; do sleep 0.1; done; kill $!; cat $out
out=$(mktemp ~/XXXXXX); kubectl get configmap colors -w --output-watch-events > $out & until grep -q ADDED $out; do sleep 0.1; done; kubectl annotate configmap colors late=yes > /dev/null; until grep -q MODIFIED $out; do sleep 0.1; done; kill $!; cat $out
kubectl wait --for=jsonpath='{.data.size}'=small configmap/settings --timeout=60s
kubectl wait --for=condition=Ready pod/job --timeout=1s
log=$(mktemp ~/XXXXXX); kubectl wait --for=delete configmap/colors --timeout=60s -v=6 2> $log & until grep -q watch=true $log; do sleep 0.1; done; kubectl delete configmap colors > /dev/null; wait

# Delete
kubectl delete configmap settings
kubectl delete configmap settings
kubectl delete configmap settings --ignore-not-found
kubectl delete pod job --grace-period=0 --force
kubectl delete pod one-off --now
kubectl delete deployment api --cascade=orphan --wait=false
kubectl delete deployment web --cascade=foreground --wait=false
kubectl get deployments -o custom-columns=NAME:.metadata.name,FINALIZERS:.metadata.finalizers
kubectl delete jobs --all --cascade=background
kubectl delete secrets -l app=nothing
kubectl delete service/web secret/keys
kubectl delete -f shirt.yaml
kubectl delete -f shirts.yaml
kubectl get shirts
kubectl delete node worker
kubectl delete clusterrole shop-nodes

# Who may do what
kubectl auth whoami --as=ann --as-group=staff --as-uid=7
kubectl auth whoami --as=system:serviceaccount:default:robot -o json
kubectl auth can-i --list --as=ann
kubectl auth can-i list configmaps --as=ann
kubectl get configmaps --as=ann
kubectl auth reconcile -f access.yaml --dry-run=client
kubectl auth reconcile -f access.yaml
kubectl auth reconcile -f access.yaml
sleep 1; kubectl auth can-i list configmaps --as=ann
kubectl auth can-i list configmaps --as=tom --as-group=staff
kubectl auth can-i list configmaps --as=ann --all-namespaces
kubectl auth can-i get pods --subresource=log --as=ann
kubectl auth can-i get /healthz --as=ann
kubectl auth can-i get /metrics --as=ann
kubectl auth can-i --list --as=ann
kubectl auth can-i --list --as=ann -n kube-system
kubectl get configmaps -l app=nothing --as=ann
kubectl get secrets --as=ann
kubectl get configmaps --all-namespaces --as=ann
kubectl get --raw /metrics --as=ann
kubectl create role more --verb=get --resource=secrets --as=ann
kubectl auth reconcile -f access-changed.yaml
kubectl get role auditor -o yaml
kubectl auth reconcile -f access-changed.yaml --remove-extra-permissions --remove-extra-subjects
sleep 1; kubectl auth can-i list configmaps --as=ann
kubectl auth can-i watch configmaps --as=system:serviceaccount:default:robot
kubectl get rolebindings -o wide
kubectl describe role auditor
kubectl describe rolebinding auditors
kubectl create role writer --verb=create,get --resource=roles.rbac.authorization.k8s.io,rolebindings.rbac.authorization.k8s.io
kubectl create rolebinding writers --role=writer --user=ann
sleep 1; kubectl create role more --verb=get --resource=secrets --as=ann
kubectl create rolebinding all --clusterrole=cluster-admin --user=ann --as=ann
kubectl create rolebinding all --clusterrole=missing --user=ann --as=ann
kubectl get pods --as=system:serviceaccount:default:robot --as-group=system:masters
kubectl get configmaps --as=system:serviceaccount:default:robot -l app=nothing
kubectl describe clusterrole system:basic-user
kubectl describe clusterrolebinding system:public-info-viewer
kubectl delete -f access.yaml
kubectl delete role,rolebinding --all
