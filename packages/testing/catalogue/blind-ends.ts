import { formatTime, isConditionTrue, parseTime, setControllerReference } from "@kaji/core";
import { defineController, owned, recheckAfter } from "@kaji/runtime";
import { Job } from "@kaji/types/batch/v1";
import { Namespace, Secret } from "@kaji/types/core/v1";
import { jobsEnding } from "@kaji/testing";
import { App, address, create, named, patch } from "./app.ts";
import type { Pair } from "./pair.ts";

/** A service in which accounts are made by those who have a password. */
class Accounts {
  readonly names: Set<string> = new Set();

  async add(name: string, _password: string): Promise<void> {
    this.names.add(name);
  }

  async remove(name: string, _password: string): Promise<void> {
    this.names.delete(name);
  }
}

const team = { namespace: "team" };

/** What is needed for the end is gone by then. */
export const goneTogether: Pair = {
  id: "H8",
  title: "the finalizer needs a Secret that is deleted with the same namespace, and neither of the two ever goes",
  source: "rabbitmq/messaging-topology-operator#277 (same shape: Azure/azure-service-operator#4679, hashicorp/vault-secrets-operator#100)",
  oracles: ["convergence", "path independence"],
  options: {
    external: () => new Accounts(),
    ops: (user) => [
      user.create(Namespace, { metadata: { name: "team" } }),
      user.create(Secret, { metadata: { name: "admin", ...team }, stringData: { password: "1234" } }),
      user.create(App, { metadata: { name: "r", ...team }, spec: {} }),
      user.delete(Namespace, "team"),
    ],
  },
  buggy: (accounts: Accounts) => [accounting(accounts, "Secret")],
  fixed: (accounts: Accounts) => [accounting(accounts, "Status")],
};

function accounting(accounts: Accounts, keepsIn: "Secret" | "Status") {
  const passwordOf = (secret: Secret | undefined): string => {
    const { password } = secret?.data ?? {};
    if (password === undefined) throw new Error("there is no password");
    return password;
  };
  return defineController(App, {
    watches: [Secret],
    async reconcile({ metadata }, { cache, setStatus }) {
      const password = passwordOf(cache.get(Secret, "team/admin"));
      await setStatus({ id: password });
      await accounts.add(metadata.name, password);
    },
    async finalize({ metadata, status }, { cache }) {
      // What is not written down was not begun.
      if (status?.id === undefined) return;
      await accounts.remove(metadata.name, keepsIn === "Status" ? status.id : passwordOf(cache.get(Secret, "team/admin")));
    },
  });
}

/** Only who has begun knows when to go on. */
export const renewalOfOne: Pair = {
  id: "C11",
  title: "the process that issues a certificate remembers when to renew it, and one that finds it valid does not",
  source: "cert-manager/cert-manager#1023",
  oracles: ["invariant", "end state", "idempotency"],
  options: {
    ops: (user) => [create(user), user.wait("25h")],
    eventually: { "the certificate is renewed": (world) => world.get(App, address)?.status?.size === 2 },
  },
  buggy: () => [renewing(false)],
  fixed: () => [renewing(true)],
};

const validMs = 24 * 3600_000;

function renewing(isAlwaysDue: boolean) {
  return defineController(App, {
    async reconcile({ status }, { clock, setStatus }) {
      const { size: serial = 0, at } = status ?? {};
      const leftMs = at === undefined ? 0 : parseTime(at) - clock.now();
      if (leftMs > 0) return isAlwaysDue ? recheckAfter(leftMs) : undefined;
      await setStatus({ size: serial + 1, at: formatTime(clock.now() + validMs) });
      return recheckAfter(validMs);
    },
  });
}

/** A failure keeps the name that the next attempt needs. */
export const nameIsTaken: Pair = {
  id: "F6",
  title:
    "a Job is made unless there is one of that name, and one that has failed is there for good, also when what it failed for is mended",
  source: "CrunchyData/postgres-operator#964 (same shape: percona/percona-postgresql-operator#726)",
  oracles: ["path independence"],
  options: {
    world: [jobsEnding(({ spec }) => (spec?.template.spec?.containers[0]?.image === "broken" ? "Failed" : "Complete"))],
    retained: [Job],
    ops: (user) => [create(user, { target: "broken" }), patch(user, { target: "good" })],
  },
  buggy: () => [running(() => "backup")],
  fixed: () => [running((image) => `backup-${image}`)],
};

function running(nameOf: (image: string) => string) {
  return defineController(App, {
    owns: [owned(Job, { applied: false })],
    async reconcile(app, { cache, client, setStatus }) {
      const { target: image = "good" } = app.spec;
      const metadata = named(nameOf(image));
      const job = cache.get(Job, metadata);
      const template = { spec: { restartPolicy: "Never", containers: [{ name: "backup", image }] } } as const;
      if (job === undefined) await client.create(Job, setControllerReference(app, { metadata, spec: { template } }));
      const end = ["Complete", "Failed"].find((type) => isConditionTrue(job?.status?.conditions, type));
      await setStatus({ phase: end ?? "Running" });
    },
  });
}
