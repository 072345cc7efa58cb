import { dockerfile } from "../build/dockerfile.ts";

/** The files of a new project, but for those of its resources. */
export function projectFiles(name: string, versions: { readonly kaji: string }): ReadonlyMap<string, string> {
  return new Map([
    ["package.json", packageJson(name, versions.kaji)],
    ["tsconfig.json", tsconfig],
    ["src/operator.ts", operatorText(name)],
    ["src/main.ts", mainText],
    ["Dockerfile", dockerfile],
    [".dockerignore", "*\n!dist\n"],
    [".gitignore", "node_modules\ndist\n.kaji\n"],
    [".github/workflows/ci.yaml", workflow],
    ["README.md", readme(name)],
  ]);
}

function packageJson(name: string, version: string): string {
  const manifest = {
    name,
    version: "0.1.0",
    private: true,
    type: "module",
    scripts: {
      dev: "kaji dev",
      test: "node --test 'src/**/*.test.ts'",
      check: "tsc",
      build: "kaji build",
      manifests: "kaji manifests --format kustomize --out config",
    },
    dependencies: { kaji: version },
    // Scripts and `npx` run on this Node, which is that of the image, whatever the machine has: one before 24 cannot run TypeScript.
    devDependencies: { "@kaji/cli": version, "@kaji/testing": version, "@types/node": "^24.0.0", node: "^24.0.0", typescript: "^7.0.0" },
    engines: { node: ">=24" },
    // Its script is how the package node gets its program; what that of esbuild would do is done already. npm asks about both otherwise.
    allowScripts: { node: true, esbuild: false },
  };
  return `${JSON.stringify(manifest, undefined, 2)}\n`;
}

const tsconfig = `{
  "compilerOptions": {
    "target": "esnext",
    "lib": ["es2025", "esnext.disposable"],
    "module": "nodenext",
    "types": ["node"],
    "strict": true,
    "noUncheckedIndexedAccess": true,
    "noImplicitOverride": true,
    "verbatimModuleSyntax": true,
    "erasableSyntaxOnly": true,
    "allowImportingTsExtensions": true,
    "noEmit": true,
    "skipLibCheck": true
  },
  "include": ["src"]
}
`;

function operatorText(name: string): string {
  return `import { defineOperator } from "kaji";

/** What the operator is made of: what runs it, its tests and the kaji command all take it from here. */
export const operator = defineOperator({
  name: "${name}",
  controllers: [],
});
`;
}

/** What runs the operator. */
export const mainText = `import { runOperator } from "kaji";
import { operator } from "./operator.ts";

await runOperator(operator);
`;

const workflow = `name: CI
on: [push, pull_request]
jobs:
  test:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-node@v4
        with: { node-version: 24 }
      - run: npm ci
      - run: npm run check
      - run: npm test
`;

function readme(name: string): string {
  return `# ${name}

A Kubernetes operator, made with [kaji](https://www.npmjs.com/package/kaji). It takes npm, and nothing else: neither Docker nor a cluster.

\`\`\`sh
npm install         # brings Node 24 too, which scripts and npx run on
npm test            # on a cluster inside the test process
npm run dev         # an embedded cluster with the operator on it, reloaded on save
\`\`\`

While \`npm run dev\` runs, in another terminal:

\`\`\`sh
export KUBECONFIG=$PWD/.kaji/kubeconfig
npx kaji manifests --out deploy        # what puts the operator onto a cluster, and a sample of each resource
kubectl apply -f deploy/samples
\`\`\`

Each reconcile is a line of its log. Change something in \`src\` and save: the operator is started anew, and the cluster stays as it is.

| file                  | what it is                                                                         |
| --------------------- | ---------------------------------------------------------------------------------- |
| \`src/operator.ts\`     | what the operator is made of: its controllers and webhooks                         |
| \`src/*-controller.ts\` | what is done for each object; what a controller owns and uses is what it may touch |
| \`src/*.test.ts\`       | tests, each with a cluster of its own; \`explore\` tries what could go wrong         |
| \`src/main.ts\`         | runs it; \`npx node src/main.ts --help\` lists the flags                             |

| to                                      | run                                                              |
| --------------------------------------- | ---------------------------------------------------------------- |
| add a resource with its controller      | \`npx kaji create api\`                                            |
| add defaults and validation             | \`npx kaji create webhook\`                                        |
| use a resource of another operator      | \`npx kaji types crds.yaml --out src\`, then \`npx kaji create api\` |
| make an image                           | \`npx kaji build --image IMAGE\`                                   |
| put it onto the cluster of a kubeconfig | \`npx kaji deploy --image IMAGE\`                                  |
| see whether it is well there            | \`npx kaji doctor\`                                                |

Definitions, roles and manifests follow from \`src\`: there is nothing to generate, and nothing to keep up to date.
`;
}
