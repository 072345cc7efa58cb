package envtest

import (
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	authenticationv1 "k8s.io/api/authentication/v1"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/wait"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/envtest"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/log/zap"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"
	"sigs.k8s.io/controller-runtime/pkg/webhook"
)

var (
	environment *envtest.Environment
	config      *rest.Config
	scheme      = runtime.NewScheme()
	direct      client.Client
	manager     ctrl.Manager
)

// What comes in the end may be long in coming on a busy machine.
const patience = 2 * time.Minute

func TestMain(m *testing.M) {
	os.Exit(run(m))
}

func run(m *testing.M) int {
	log.SetLogger(zap.New(zap.WriteTo(io.Discard)))
	began := time.Now()
	environment = &envtest.Environment{
		CRDDirectoryPaths:     []string{"crds"},
		ErrorIfCRDPathMissing: true,
		CRDInstallOptions:     envtest.CRDInstallOptions{MaxTime: patience},
		WebhookInstallOptions: envtest.WebhookInstallOptions{Paths: []string{filepath.Join("webhooks", "lamp.yaml")}, MaxTime: patience},
	}
	var err error
	if config, err = environment.Start(); err != nil {
		fmt.Println("environment:", err)
		return 1
	}
	fmt.Printf("started in %d ms\n", time.Since(began).Milliseconds())
	ctx, cancel := context.WithCancel(context.Background())
	code := 1
	if err = startManager(ctx); err != nil {
		fmt.Println("manager:", err)
	} else {
		code = m.Run()
	}
	cancel()
	if err = environment.Stop(); err != nil {
		fmt.Println("stop:", err)
		return 1
	}
	fmt.Printf("whole suite in %d ms\n", time.Since(began).Milliseconds())
	return code
}

func startManager(ctx context.Context) error {
	if err := clientgoscheme.AddToScheme(scheme); err != nil {
		return err
	}
	addToScheme(scheme)
	var err error
	if direct, err = client.New(config, client.Options{Scheme: scheme}); err != nil {
		return err
	}
	hooks := environment.WebhookInstallOptions
	manager, err = ctrl.NewManager(config, ctrl.Options{
		Scheme:  scheme,
		Metrics: metricsserver.Options{BindAddress: "0"},
		WebhookServer: webhook.NewServer(webhook.Options{
			Host: hooks.LocalServingHost, Port: hooks.LocalServingPort, CertDir: hooks.LocalServingCertDir,
		}),
	})
	if err != nil {
		return err
	}
	if err = (&lampReconciler{manager.GetClient()}).setUp(manager); err != nil {
		return err
	}
	if err = ctrl.NewWebhookManagedBy(manager, &Lamp{}).WithDefaulter(lampWebhook{}).WithValidator(lampWebhook{}).Complete(); err != nil {
		return err
	}
	index := func(object client.Object) []string { return []string{object.(*Lamp).Spec.Room} }
	if err = manager.GetFieldIndexer().IndexField(ctx, &Lamp{}, "spec.room", index); err != nil {
		return err
	}
	go func() {
		if err := manager.Start(ctx); err != nil {
			fmt.Println("manager ended:", err)
		}
	}()
	address := net.JoinHostPort(hooks.LocalServingHost, fmt.Sprint(hooks.LocalServingPort))
	return eventually(func() (bool, error) {
		connection, err := tls.Dial("tcp", address, &tls.Config{InsecureSkipVerify: true})
		if err != nil {
			return false, nil
		}
		return true, connection.Close()
	})
}

func TestCustomResources(t *testing.T) {
	ctx, namespace := context.Background(), newNamespace(t)
	lamp := &Lamp{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: "desk"}, Spec: LampSpec{Room: "study"}}
	must(t, direct.Create(ctx, lamp))
	if lamp.Spec.Watts != 40 || lamp.Generation != 1 {
		t.Errorf("the schema has not filled in its defaults: %+v", lamp.Spec)
	}
	bright := &Lamp{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: "bright"}, Spec: LampSpec{Room: "study", Watts: 200}}
	if err := direct.Create(ctx, bright); !apierrors.IsInvalid(err) || !strings.Contains(err.Error(), "only the hall has lamps") {
		t.Errorf("a rule of the schema was not enforced: %v", err)
	}
	long := &Lamp{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: "long"}, Spec: LampSpec{Room: strings.Repeat("x", 21)}}
	if err := direct.Create(ctx, long); !apierrors.IsInvalid(err) {
		t.Errorf("a limit of the schema was not enforced: %v", err)
	}
	patch := client.MergeFrom(lamp.DeepCopyObject().(client.Object))
	lamp.Spec.Watts = 60
	must(t, direct.Patch(ctx, lamp, patch))
	if lamp.Generation != 2 {
		t.Errorf("generation is %d after a change", lamp.Generation)
	}
}

func TestWebhooks(t *testing.T) {
	ctx, namespace := context.Background(), newNamespace(t)
	lamp := &Lamp{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: "desk"}, Spec: LampSpec{Room: "study"}}
	must(t, direct.Create(ctx, lamp))
	if lamp.Spec.Color != "white" {
		t.Errorf("the webhook has not filled in the color: %+v", lamp.Spec)
	}
	patch := client.MergeFrom(lamp.DeepCopyObject().(client.Object))
	lamp.Spec.Room = "cellar"
	if err := direct.Patch(ctx, lamp, patch); !apierrors.IsForbidden(err) || !strings.Contains(err.Error(), "the cellar is kept dark") {
		t.Errorf("the webhook has not refused the cellar: %v", err)
	}
}

func TestManagerAndCache(t *testing.T) {
	ctx, namespace := context.Background(), newNamespace(t)
	for _, name := range []string{"desk", "shelf"} {
		lamp := &Lamp{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name}, Spec: LampSpec{Room: "study-" + namespace}}
		must(t, direct.Create(ctx, lamp))
	}
	key := client.ObjectKey{Namespace: namespace, Name: "desk"}
	must(t, eventually(func() (bool, error) {
		lamp := &Lamp{}
		return direct.Get(ctx, key, lamp) == nil && lamp.Status.Ready, nil
	}))
	switchboard := &corev1.ConfigMap{}
	must(t, direct.Get(ctx, key, switchboard))
	if owner := metav1.GetControllerOf(switchboard); owner == nil || owner.Kind != "Lamp" {
		t.Errorf("the ConfigMap has no owner: %v", switchboard.OwnerReferences)
	}
	must(t, direct.Delete(ctx, switchboard))
	must(t, eventually(func() (bool, error) {
		return direct.Get(ctx, key, switchboard) == nil && switchboard.DeletionTimestamp == nil, nil
	}))
	must(t, eventually(func() (bool, error) {
		lamps := &LampList{}
		err := manager.GetClient().List(ctx, lamps, client.MatchingFields{"spec.room": "study-" + namespace})
		return len(lamps.Items) == 2, err
	}))
}

func TestUsers(t *testing.T) {
	ctx, namespace := context.Background(), newNamespace(t)
	user, err := environment.AddUser(envtest.User{Name: "guest", Groups: []string{"guests"}}, nil)
	must(t, err)
	guest, err := client.New(user.Config(), client.Options{Scheme: scheme})
	must(t, err)
	lamps := &LampList{}
	if err := guest.List(ctx, lamps, client.InNamespace(namespace)); !apierrors.IsForbidden(err) {
		t.Fatalf("a user without rights was not refused: %v", err)
	}
	must(t, direct.Create(ctx, &rbacv1.Role{
		ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: "looker"},
		Rules:      []rbacv1.PolicyRule{{APIGroups: []string{groupVersion.Group}, Resources: []string{"lamps"}, Verbs: []string{"list"}}},
	}))
	must(t, direct.Create(ctx, &rbacv1.RoleBinding{
		ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: "looker"},
		RoleRef:    rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "Role", Name: "looker"},
		Subjects:   []rbacv1.Subject{{APIGroup: rbacv1.GroupName, Kind: "Group", Name: "guests"}},
	}))
	must(t, eventually(func() (bool, error) { return guest.List(ctx, lamps, client.InNamespace(namespace)) == nil, nil }))

	kubectl, err := user.Kubectl()
	must(t, err)
	if out, stderr, err := kubectl.Run("auth", "can-i", "list", "lamps.house.example.com", "-n", namespace); err != nil {
		text, _ := io.ReadAll(stderr)
		t.Errorf("kubectl: %v: %s", err, text)
	} else if text, _ := io.ReadAll(out); strings.TrimSpace(string(text)) != "yes" {
		t.Errorf("kubectl says %q", text)
	}
}

func TestServiceAccounts(t *testing.T) {
	ctx, namespace := context.Background(), newNamespace(t)
	account := &corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: "robot"}}
	must(t, direct.Create(ctx, account))
	request := &authenticationv1.TokenRequest{}
	must(t, direct.SubResource("token").Create(ctx, account, request))
	robotConfig := rest.AnonymousClientConfig(config)
	robotConfig.BearerToken = request.Status.Token
	robot, err := client.New(robotConfig, client.Options{Scheme: scheme})
	must(t, err)
	err = robot.List(ctx, &corev1.SecretList{}, client.InNamespace(namespace))
	if !apierrors.IsForbidden(err) || !strings.Contains(err.Error(), "system:serviceaccount:"+namespace+":robot") {
		t.Errorf("the token is not known as the robot's: %v", err)
	}
}

func TestNobodyElseIsThere(t *testing.T) {
	ctx, name := context.Background(), newNamespace(t)
	accounts := &corev1.ServiceAccountList{}
	must(t, direct.List(ctx, accounts, client.InNamespace(name)))
	if len(accounts.Items) != 0 {
		t.Errorf("a controller has made service accounts: %v", accounts.Items)
	}
	namespace := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name}}
	must(t, direct.Delete(ctx, namespace))
	must(t, direct.Get(ctx, client.ObjectKeyFromObject(namespace), namespace))
	if namespace.Status.Phase != corev1.NamespaceTerminating {
		t.Errorf("the namespace is %s", namespace.Status.Phase)
	}
	lamp := &Lamp{ObjectMeta: metav1.ObjectMeta{Namespace: name, Name: "late"}, Spec: LampSpec{Room: "hall"}}
	if err := direct.Create(ctx, lamp); !apierrors.IsForbidden(err) {
		t.Errorf("a namespace that ends takes no more objects: %v", err)
	}
}

func newNamespace(t *testing.T) string {
	t.Helper()
	namespace := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{GenerateName: "test-"}}
	must(t, direct.Create(context.Background(), namespace))
	return namespace.Name
}

func eventually(isSo func() (bool, error)) error {
	return wait.PollUntilContextTimeout(context.Background(), 20*time.Millisecond, patience, true, func(context.Context) (bool, error) {
		return isSo()
	})
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
