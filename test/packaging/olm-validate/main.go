// Command olm-validate prints what the Operator Framework's own validators have against a bundle or a file-based catalog: a line of JSON for each finding.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"

	"github.com/operator-framework/api/pkg/manifests"
	"github.com/operator-framework/api/pkg/validation"
	"github.com/operator-framework/api/pkg/validation/errors"
	interfaces "github.com/operator-framework/api/pkg/validation/interfaces"
	"github.com/operator-framework/operator-registry/alpha/declcfg"
)

type finding struct {
	Level  string `json:"level"`
	Detail string `json:"detail"`
}

func main() {
	if len(os.Args) != 3 {
		fail(fmt.Errorf("usage: olm-validate bundle|catalog FOLDER"))
	}
	switch what, folder := os.Args[1], os.Args[2]; what {
	case "bundle":
		bundle(folder)
	case "catalog":
		catalog(folder)
	default:
		fail(fmt.Errorf("there is nothing to validate about a %q", what))
	}
}

// validators are all there are but MultipleArchitecturesValidator, which pulls the image.
var validators = interfaces.Validators{
	validation.PackageManifestValidator,
	validation.ClusterServiceVersionValidator,
	validation.CustomResourceDefinitionValidator,
	validation.BundleValidator,
	validation.OperatorHubV2Validator,
	validation.StandardCategoriesValidator,
	validation.StandardCapabilitiesValidator,
	validation.ObjectValidator,
	validation.OperatorGroupValidator,
	validation.CommunityOperatorValidator,
	validation.AlphaDeprecatedAPIsValidator,
	validation.GoodPracticesValidator,
}

// bundle prints what the validators find; an API that the version of Kubernetes given has removed is an error.
func bundle(folder string) {
	read, err := manifests.GetBundleFromDir(folder)
	if err != nil {
		print("Error", err.Error())
		return
	}
	subjects := append(read.ObjectsToValidate(), map[string]string{"k8s-version": "1.36"})
	for _, result := range validators.Validate(subjects...) {
		printAll("Error", result.Errors)
		printAll("Warning", result.Warnings)
	}
}

// catalog loads a file-based catalog as opm does, which builds and checks the upgrade graph.
func catalog(folder string) {
	config, err := declcfg.LoadFS(context.Background(), os.DirFS(folder))
	if err == nil {
		_, err = declcfg.ConvertToModel(*config)
	}
	if err != nil {
		print("Error", err.Error())
	}
}

func printAll(level string, all []errors.Error) {
	for _, each := range all {
		print(level, each.Detail)
	}
}

func print(level, detail string) {
	line, err := json.Marshal(finding{level, detail})
	if err != nil {
		fail(err)
	}
	fmt.Println(string(line))
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, "olm-validate:", err)
	os.Exit(1)
}
