import { CustomObjectsApi, KubeConfig, makeInformer } from "@kubernetes/client-node";

/** An informer that reports an error has stopped; the library's own example starts it again after so long. */
const restartMs = 5000;

const widgets = { group: "bench.kaji.dev", version: "v1", plural: "widgets" };

/** Keeps all Widgets in memory. */
export async function mirror(talk) {
  const config = loadConfig();
  const api = config.makeApiClient(CustomObjectsApi);
  const informer = makeInformer(config, "/apis/bench.kaji.dev/v1/widgets", () =>
    api.listCustomObjectForAllNamespaces({ ...widgets, resourcePlural: widgets.plural }),
  );
  informer.on("update", ({ metadata }) => talk.arrived(metadata));
  informer.on("error", () => setTimeout(() => void informer.start(), restartMs));
  await informer.start();
  talk.say("synced");
}

/** Makes one request. */
export async function first(talk) {
  await loadConfig()
    .makeApiClient(CustomObjectsApi)
    .getNamespacedCustomObject({ ...widgets, namespace: "default", name: "widget-0" });
  talk.say("answered");
}

function loadConfig() {
  const config = new KubeConfig();
  config.loadFromDefault();
  return config;
}
