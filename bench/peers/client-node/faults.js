import { CustomObjectsApi, KubeConfig, makeInformer } from "@kubernetes/client-node";

const widgets = { group: "bench.kaji.dev", version: "v1", plural: "widgets" };
/** An informer that reports an error has stopped; the library's own example starts it again after so long. */
const restartMs = 5000;

/** Mirrors the Widgets of several servers, and writes down what it is told. */
export async function sufferFaults(talk, urls) {
  await Promise.all(urls.map((server, index) => mirror(talk, server, index)));
  talk.say("synced");
}

async function mirror(talk, server, index) {
  const config = new KubeConfig();
  config.loadFromClusterAndUser({ name: "c", server, skipTLSVerify: true }, { name: "u" });
  const api = config.makeApiClient(CustomObjectsApi);
  const informer = makeInformer(config, "/apis/bench.kaji.dev/v1/widgets", () =>
    api.listCustomObjectForAllNamespaces({ ...widgets, resourcePlural: widgets.plural }),
  );
  const told = [];
  let restarts = 0;
  informer.on("add", ({ metadata }) => told.push(stateOf(metadata)));
  informer.on("update", ({ metadata }) => told.push(stateOf(metadata)));
  informer.on("error", () => {
    restarts++;
    setTimeout(() => void informer.start(), restartMs);
  });
  talk.show(index, () => ({ told, restarts, present: informer.list().map(({ metadata }) => stateOf(metadata)) }));
  await informer.start();
}

function stateOf({ name, resourceVersion }) {
  return `${name} ${resourceVersion}`;
}
