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
    devDependencies: { "@kaji/cli": version, "@kaji/testing": version, "@types/node": "^24.0.0", typescript: "^7.0.0" },
    engines: { node: ">=24" },
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
    "exactOptionalPropertyTypes": true,
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

const mainText = `import { runOperator } from "kaji";
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

A Kubernetes operator, made with [kaji](https://www.npmjs.com/package/kaji).

\`\`\`sh
npm install
npm test            # on a cluster inside the test process
npm run dev         # an embedded cluster with the operator on it, reloaded on save
\`\`\`

| file              | what it is                                                        |
| ----------------- | ----------------------------------------------------------------- |
| \`src/operator.ts\` | what the operator is made of: its controllers and webhooks        |
| \`src/main.ts\`     | runs it; \`node src/main.ts --help\` lists the flags                |
| \`src/*.test.ts\`   | tests, each with a cluster of its own                             |

\`npx kaji create api\` adds a resource with its controller, \`npx kaji create webhook\` defaults and validation.
\`npx kaji deploy --image IMAGE\` puts the operator onto the cluster of your kubeconfig, \`npx kaji manifests\` writes what that takes.
`;
}
