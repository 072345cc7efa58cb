"""Two clients for Python on the cluster of a kubeconfig, in which the pod `web` answers HTTP on a port: `clients.py KUBECONFIG PORT`. Says `passed NAME` for each thing that works."""

import asyncio
import sys
from threading import Thread

import httpx
import kr8s
from kr8s.asyncio.objects import Pod
from kubernetes import client, config, watch
from kubernetes.client.rest import ApiException
from kubernetes.stream import portforward, stream

kubeconfig, port = sys.argv[1], int(sys.argv[2])
config.load_kube_config(kubeconfig)
core = client.CoreV1Api()


def version():
    assert client.VersionApi().get_code().git_version.startswith("v1.")


def apply():
    """A second applier is in conflict with the first, unless it insists."""

    def send(manager, value, **options):
        body = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "applied"}, "data": {"a": value}}
        kind = {"_content_type": "application/apply-patch+yaml"}
        return core.patch_namespaced_config_map("applied", "default", body, field_manager=manager, **kind, **options)

    send("one", "1")
    try:
        send("two", "2")
        raise AssertionError("there was no conflict")
    except ApiException as error:
        assert error.status == 409, error
    assert send("two", "2", force=True).data == {"a": "2"}


def watch_changes():
    seen = []
    events = watch.Watch().stream(core.list_namespaced_config_map, "default", field_selector="metadata.name=applied", timeout_seconds=20)
    for event in events:
        seen.append(event["type"])
        if event["type"] == "ADDED":
            Thread(target=core.delete_namespaced_config_map, args=("applied", "default")).start()
        if event["type"] == "DELETED":
            break
    assert seen == ["ADDED", "DELETED"], seen


def run_command():
    command = ["sh", "-c", "read line; echo got $line; exit 3"]
    options = {"stdin": True, "stdout": True, "stderr": True, "tty": False, "_preload_content": False}
    run = stream(core.connect_get_namespaced_pod_exec, "web", "default", command=command, **options)
    run.write_stdin("this\n")
    run.run_forever(timeout=20)
    assert (run.read_stdout(), run.returncode) == ("got this\n", 3)


def forward_ports():
    """Of two ports at once, at one of which nobody listens."""
    forwarded = portforward(core.connect_get_namespaced_pod_portforward, "web", "default", ports=f"{port},1")
    connection = forwarded.socket(port)
    connection.setblocking(True)
    connection.sendall(b"GET / HTTP/1.0\r\n\r\n")
    answer = b""
    while piece := connection.recv(4096):
        answer += piece
    assert answer.startswith(b"HTTP/1.1 200 OK"), answer
    assert "error forwarding port 1 to pod" in forwarded.error(1), forwarded.error(1)


async def without_subprotocol():
    """kr8s names no subprotocol when it forwards ports."""
    api = await kr8s.asyncio.api(kubeconfig=kubeconfig)
    pod = await Pod.get("web", namespace="default", api=api)
    assert (await pod.exec(["echo", "hello"])).stdout == b"hello\n"
    async with pod.portforward(remote_port=port, local_port="auto") as near, httpx.AsyncClient() as http:
        assert (await http.get(f"http://127.0.0.1:{near}/")).status_code == 200


for check in [version, apply, watch_changes, run_command, forward_ports]:
    check()
    print("passed", check.__name__, flush=True)
asyncio.run(without_subprotocol())
print("passed", without_subprotocol.__name__)
