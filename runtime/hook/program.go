package hook

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"time"

	"kitsoki/runtime/agent"
	"kitsoki/runtime/journal"
	"kitsoki/runtime/proc"
)

// TrustVariable names the hash of a repository's files that an unattended run
// trusts.
const TrustVariable = "KITSOKI_TRUST_HASH"

// maxStack bounds a stack, in bytes: a runaway recursion ends at once and not
// when a gigabyte is full.
const maxStack = 64 << 20

// whole is how long a call may take once a command is executed.
const whole = DecideLimit + MaxBudget + AbortBudget + 2*Slack

// Harden makes sure that the death of this process never looks like a
// decision: a fault in a mapped file becomes a panic, and what cannot be
// recovered aborts, without a core file, where Go would exit with 2.
func Harden() {
	debug.SetPanicOnFault(true)
	debug.SetTraceback("crash")
	debug.SetMaxStack(maxStack)
	proc.NoCore()
}

// ChildArgv starts the half that decides and executes.
func ChildArgv(kitsoki string, row agent.Row) []string {
	return []string{kitsoki, "hook", "run", "--agent", row.Name, "--child"}
}

// Program is one call of kitsoki-hook. Args has the agent's name and nothing
// else.
type Program struct {
	Args           []string
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	Env            agent.Env
	Exe            func() (string, error) // this program; kitsoki lies beside it
	Dir            func() (string, error) // the working directory, for payloads that name none
	Now            func() time.Time
	Rand           io.Reader
	// Rearm sets the watchdog, which ends the process with status 0: it fires
	// once, so long from now. It is set to PayloadLimit at the start.
	Rearm func(time.Duration)
	// Signals gives a context that the signals end which end a process. It is
	// called once, before the child is started: until then nothing runs but
	// the caller.
	Signals func() (context.Context, context.CancelFunc)
	// Fault is called where a test may plant a fault; nil in the program.
	Fault func(place string)
}

func (p Program) plant(place string) {
	if p.Fault != nil {
		p.Fault(place)
	}
}

// Run answers one payload and gives the exit status: 0 with one JSON object or
// nothing, StopStatus after a checked stop for an agent that is stopped so. No
// panic leaves it.
func Run(p Program) (status int) {
	if crash := guard(func() { status = run(p) }); crash != "" {
		fmt.Fprintln(p.Stderr, "kitsoki-hook:", crash)
		return 0
	}
	return status
}

func run(p Program) (status int) {
	row, ok := agentOf(p.Args)
	if !ok {
		fmt.Fprintln(p.Stderr, "usage: kitsoki-hook AGENT <PAYLOAD; AGENT is one of", strings.Join(agentNames(), ", "))
		return 0
	}
	p.plant("payload")
	payload, err := agent.ReadValue(p.Stdin, agent.MaxPayload)
	if err != nil {
		return 0
	}
	p.Rearm(DecideLimit)
	if p.passes(row, payload) {
		return 0
	}
	return p.handOver(row, payload)
}

func agentOf(args []string) (agent.Row, bool) {
	if len(args) != 1 {
		return agent.Row{}, false
	}
	return agent.Lookup(args[0])
}

func agentNames() []string {
	var out []string
	for _, r := range agent.Rows() {
		out = append(out, r.Name)
	}
	return out
}

// passes lets a prompt go on that certainly goes on. A panic on the way is
// recorded, and passes too.
func (p Program) passes(row agent.Row, payload []byte) (passes bool) {
	state, err := journal.StateDir(p.Env.Get)
	if err != nil {
		state = ""
	}
	f := &front{program: p, turn: turn{
		ChildConfig: ChildConfig{Agent: row, Payload: payload, Env: p.Env, State: state, Now: p.Now}, began: p.Now(),
	}}
	if row.OwnDir {
		f.Dir, _ = p.Dir() // none: the prompt passes
	}
	if crash := guard(func() { passes = !f.handsOver() }); crash != "" {
		f.recordCrash(crash)
		return true
	}
	return passes
}

// handOver has kitsoki answer, and stays its parent.
func (p Program) handOver(row agent.Row, payload []byte) (status int) {
	p.plant("hand over")
	kitsoki, err := p.beside()
	if err != nil {
		return 0
	}
	p.Rearm(whole)
	ctx, stop := p.Signals()
	defer stop()
	return p.give(ask(ctx, ChildArgv(kitsoki, row), p.Env, payload, row.ByStatus))
}

// StopStatus is the exit status that stops a prompt, for the agents that know
// no other way.
const StopStatus = 2

// give hands the agent its answer. A stop whose report can't be written would
// stop without a word, so it is none.
func (p Program) give(answer Answer) (status int) {
	switch {
	case answer.Stop != "":
		if _, err := fmt.Fprintln(p.Stderr, strings.TrimRight(answer.Stop, "\n")); err == nil {
			return StopStatus
		}
	case answer.Out != nil:
		_, _ = p.Stdout.Write(append(answer.Out, '\n')) // nobody reads it: nothing is left to do
	}
	return 0
}

// beside is the kitsoki that was installed together with this program.
func (p Program) beside() (string, error) {
	exe, err := p.Exe()
	if err != nil {
		return "", err
	}
	if real, err := filepath.EvalSymlinks(exe); err == nil {
		exe = real
	}
	path := filepath.Join(filepath.Dir(exe), "kitsoki"+filepath.Ext(exe))
	_, err = os.Stat(path)
	return path, err
}
