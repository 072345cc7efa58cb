/** What the fields of ObjectMeta are for, which every kind has: for `kubectl explain`. Other types are defined without sentences. */
export const metadataDescriptions: Readonly<Record<string, string>> = {
  annotations: "Annotations are texts for tools and people. Objects cannot be selected by them.",
  creationTimestamp: "CreationTimestamp is a timestamp of when the server created the object. Clients cannot set it.",
  deletionGracePeriodSeconds:
    "DeletionGracePeriodSeconds is how long the object may take to end after its deletion was asked for. Set by the server.",
  deletionTimestamp:
    "DeletionTimestamp is when the object is to be gone. Once it is set the object will be deleted as soon as it has no finalizers.",
  finalizers: "Finalizers are the names of those who have work to do before the object may go. Each removes its own.",
  generateName: "GenerateName is what the name begins with, when the server is to choose the rest of it.",
  generation: "Generation counts the changes of what is wanted. Set by the server.",
  labels: "Labels are short texts by which objects are selected and grouped.",
  managedFields: "ManagedFields says who has set which fields. Kept by the server, for server-side apply.",
  name: "Name is unique among the objects of a kind in a namespace. It cannot be changed.",
  namespace: "Namespace is where the object is; objects at cluster scope have none. It cannot be changed.",
  ownerReferences: "OwnerReferences are the objects that this one depends on. It is deleted when all of them are gone.",
  resourceVersion: "ResourceVersion is another one after each change. An update with an older one is refused. Set by the server.",
  selfLink: "SelfLink is no longer set.",
  uid: "UID tells the object from others that have had its name. Set by the server.",
};
