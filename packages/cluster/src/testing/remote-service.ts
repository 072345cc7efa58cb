/** Where the APIs of extension servers are registered. */
export const apiServices = "/apis/apiregistration.k8s.io/v1/apiservices";

/** One that serves things, as the Service `server` in `ext`. */
export const remoteService = {
  metadata: { name: "v1.things.example.com" },
  spec: {
    group: "things.example.com",
    version: "v1",
    service: { namespace: "ext", name: "server" },
    insecureSkipTLSVerify: true,
    groupPriorityMinimum: 100,
    versionPriority: 10,
  },
} as const;
