package main

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"syscall"

	"golang.org/x/sys/unix"
	"k8s.io/cri-streaming/pkg/streaming/remotecommand"
)

// onTerminal runs a command on a pseudo terminal of its own.
func onTerminal(command *exec.Cmd, in io.Reader, out io.Writer, resize <-chan remotecommand.TerminalSize) error {
	near, far, err := openTerminal()
	if err != nil {
		return err
	}
	defer near.Close()
	command.Stdin, command.Stdout, command.Stderr = far, far, far
	command.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	err = command.Start()
	far.Close()
	if err != nil {
		return err
	}
	go func() {
		for size := range resize {
			unix.IoctlSetWinsize(int(near.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Row: size.Height, Col: size.Width})
		}
	}()
	if in != nil {
		go io.Copy(near, in)
	}
	// It ends with an error when nobody has the other end any more.
	io.Copy(out, near)
	return command.Wait()
}

func openTerminal() (near, far *os.File, err error) {
	if near, err = os.OpenFile("/dev/ptmx", os.O_RDWR, 0); err != nil {
		return nil, nil, err
	}
	if err = unix.IoctlSetPointerInt(int(near.Fd()), unix.TIOCSPTLCK, 0); err != nil {
		return nil, nil, err
	}
	number, err := unix.IoctlGetInt(int(near.Fd()), unix.TIOCGPTN)
	if err != nil {
		return nil, nil, err
	}
	far, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|syscall.O_NOCTTY, 0)
	return near, far, err
}
