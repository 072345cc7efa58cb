// Command go-node serves the streams and ports of pods with the code that real nodes have for it, unmodified. Whatever the pod is
// called, its commands run here, and its ports are those of this machine. It prints its port. Usage: go-node CERTIFICATE KEY
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"time"

	"k8s.io/cri-streaming/pkg/streaming/portforward"
	"k8s.io/cri-streaming/pkg/streaming/remotecommand"
	utilexec "k8s.io/utils/exec"
)

const (
	idleTimeout     = 4 * time.Hour
	creationTimeout = 30 * time.Second
)

type node struct{}

func main() {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(listener.Addr().(*net.TCPAddr).Port)
	log.Fatal(http.ServeTLS(listener, node{}, os.Args[1], os.Args[2]))
}

// ServeHTTP answers /exec/NAMESPACE/POD/CONTAINER, /attach/… and /portForward/NAMESPACE/POD.
func (n node) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	words := append(strings.Split(req.URL.Path, "/"), "", "", "")
	pod, container := words[3], words[4]
	if words[1] == "portForward" {
		portforward.ServePortForward(w, req, n, pod, "", &portforward.V4Options{}, idleTimeout, creationTimeout, portforward.SupportedProtocols)
		return
	}
	options, err := remotecommand.NewOptions(req)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	protocols := remotecommand.SupportedStreamingProtocols
	if words[1] == "attach" {
		remotecommand.ServeAttach(w, req, n, pod, "", container, options, idleTimeout, creationTimeout, protocols)
		return
	}
	command := req.URL.Query()["command"]
	remotecommand.ServeExec(w, req, n, pod, "", container, command, options, idleTimeout, creationTimeout, protocols)
}

// PortForward copies both ways, and gives the slower one a second when the other is done, as containerd does.
func (node) PortForward(_ context.Context, _, _ string, port int32, stream io.ReadWriteCloser) error {
	connection, err := net.Dial("tcp4", fmt.Sprintf("127.0.0.1:%d", port))
	if err != nil {
		return err
	}
	defer connection.Close()
	done := make(chan error, 2)
	go func() {
		_, err := io.Copy(stream, connection)
		done <- err
	}()
	go func() {
		_, err := io.Copy(connection, stream)
		connection.(*net.TCPConn).CloseWrite()
		done <- err
	}()
	err = <-done
	select {
	case other := <-done:
		return errors.Join(err, other)
	case <-time.After(time.Second):
		return err
	}
}

// AttachContainer runs what the container would have run, to have something to attach to.
func (n node) AttachContainer(ctx context.Context, name, uid, container string, in io.Reader, out, errs io.WriteCloser, tty bool, resize <-chan remotecommand.TerminalSize) error {
	return n.ExecInContainer(ctx, name, uid, container, []string{"sh", "-c", "cat; echo end >&2"}, in, out, errs, tty, resize, 0)
}

func (node) ExecInContainer(ctx context.Context, _, _, _ string, words []string, in io.Reader, out, errs io.WriteCloser, tty bool, resize <-chan remotecommand.TerminalSize, _ time.Duration) error {
	command := exec.CommandContext(ctx, words[0], words[1:]...)
	command.Env = append(os.Environ(), "COLOR=red")
	if tty {
		return exitCode(onTerminal(command, in, out, resize))
	}
	if in != nil {
		input, err := command.StdinPipe()
		if err != nil {
			return err
		}
		go func() {
			io.Copy(input, in)
			input.Close()
		}()
	}
	command.Stdout, command.Stderr = out, errs
	return exitCode(command.Run())
}

func exitCode(err error) error {
	var exit *exec.ExitError
	if !errors.As(err, &exit) {
		return err
	}
	return utilexec.CodeExitError{Err: err, Code: exit.ExitCode()}
}
