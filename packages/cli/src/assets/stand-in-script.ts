import { shellWord } from "../shell-word.ts";

/** A flag and what it means, as far as those who start the program ask for it. */
const helpOf = {
  "kube-apiserver": `Usage: kube-apiserver [flags]

An embedded Kubernetes API server of kaji, without controllers, that keeps its objects in memory.

  --authorization-mode strings              RBAC, or AlwaysAllow
  --bind-address ip                         the address to listen on
  --cert-dir string                         where apiserver.crt and apiserver.key are, or are made
  --client-ca-file string                   signs the certificates of clients
  --disable-admission-plugins strings       what to do without, such as ValidatingAdmissionWebhook
  --enable-admission-plugins strings        what to do besides: OwnerReferencesPermissionEnforcement
  --secure-port int                         the port to listen on
  --service-account-issuer strings          who issues the tokens of service accounts
  --service-account-signing-key-file string signs those tokens
  --tls-cert-file string                    instead of apiserver.crt in --cert-dir
  --tls-private-key-file string             instead of apiserver.key in --cert-dir
  --token-auth-file string                  users by their tokens

Other flags of kube-apiserver are accepted and have no effect.`,
  etcd: `Usage: etcd [flags]

Says that it is well, and keeps nothing: the API server of kaji beside it does.

  --data-dir string               accepted, without effect
  --listen-client-urls strings    where to say so
  --unsafe-no-fsync               accepted, without effect`,
} as const;

const mark = "# Written by kaji assets.";

/** Whether a file is such a script. */
export function isStandIn(text: string): boolean {
  return text.startsWith(`#!/bin/sh\n${mark}\n`);
}

/** A shell script that runs a command in place of a program. Help needs no more than the shell, since test suites ask for it at every start. */
export function standInScript(name: keyof typeof helpOf, command: readonly string[]): string {
  return `#!/bin/sh
${mark}
if [ "$1" = --help ]; then
  cat <<'HELP'
${helpOf[name]}
HELP
  exit 0
fi
exec ${command.map(shellWord).join(" ")} "$@"
`;
}
