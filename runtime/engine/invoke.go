package engine

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"kitsoki/runtime/artifact"
	"kitsoki/runtime/host"
	"kitsoki/runtime/host/spec"
)

// preconditions checks an arc's preconditions in order; the first that does
// not hold refuses with its hint. One that can't be answered refuses too, but
// without the hint, which would explain something else. They only read and
// nothing runs between them, so that the same question is asked once.
func (r *run) preconditions(arc *artifact.Arc) *fault {
	asked := map[string]map[string]any{}
	for i := range arc.Preconditions {
		p := &arc.Preconditions[i]
		result, f := r.ask(&p.Call, asked)
		if f != nil {
			return f
		}
		env := r.rootsWith(result)
		holds, f := r.guard(p.Require.Src, env)
		if f != nil {
			return f
		}
		if !holds {
			return refused(PreconditionFailed, rendered(p.Hint, env), "it is required that "+p.Require.Src)
		}
	}
	return nil
}

// ask makes a read-only call. A story that has something else in a
// precondition did not come from our compiler.
func (r *run) ask(c *artifact.Call, asked map[string]map[string]any) (map[string]any, *fault) {
	args, err := objectOf(c.With, r.roots())
	if err != nil {
		return nil, broken("", c.Name+": "+err.Error())
	}
	key, err := json.Marshal([]any{c.Name, args})
	if err != nil {
		return nil, broken("", c.Name+": "+err.Error())
	}
	if result, ok := asked[string(key)]; ok {
		return result, nil
	}
	if effectOf(c, args).Above(spec.Read) {
		return nil, broken("", c.Name+": a precondition may only read")
	}
	result, err := r.req.Host.Call(r.ctx, c.Name, args, r.hostEnv(c, true))
	if f := r.outOfTime(); f != nil {
		return nil, f
	}
	if err != nil {
		return nil, refused(PreconditionFailed, "", err.Error())
	}
	asked[string(key)] = result
	return result, nil
}

func (r *run) hostEnv(c *artifact.Call, readOnly bool) host.Env {
	return host.Env{
		Dir: r.req.Dir, Vars: r.req.Env, Session: r.req.Session, ReadOnly: readOnly, ID: c.ID,
		Drive: r.req.Drive, Started: r.req.Started, Roots: r.roots(),
	}
}

// effectOf is how far a call reaches, from its evaluated arguments.
func effectOf(c *artifact.Call, args map[string]any) spec.Effect {
	row, ok := spec.Lookup(c.Name)
	if !ok {
		return spec.Destructive
	}
	s, given := args["effect"].(string)
	if _, declares := row.Param("effect"); !declares || !given {
		return spec.EffectOf(*c)
	}
	return spec.Effect(s)
}

// invoke makes a host call and binds its result. On a domain error it says
// where to go, or stops the run when the story does not say. Any other error
// of a call is ours, which no story can handle.
func (r *run) invoke(c *artifact.Call) (jump string, f *fault) {
	if c.Once && r.known(c) {
		return "", nil
	}
	args, err := objectOf(c.With, r.roots())
	if err != nil {
		return "", broken("", c.Name+": "+err.Error())
	}
	if c.Agent != "" {
		args["agent"] = c.Agent
	}
	if f := r.outOfTime(); f != nil {
		return "", f
	}
	result, ok, err := r.call(c, args)
	if f := r.outOfTime(); f != nil && !ok {
		return "", f
	}
	var domain *host.Error
	if err != nil && !errors.As(err, &domain) {
		return "", r.hostFault(err)
	}
	if err == nil {
		err = r.bind(c, result)
	}
	if err != nil {
		return r.domainError(c, err)
	}
	return "", nil
}

// known reports whether every key a call would bind holds something.
func (r *run) known(c *artifact.Call) bool {
	for _, b := range c.Bind {
		switch v := r.world[b.Key].(type) {
		case nil:
			return false
		case string:
			if v == "" {
				return false
			}
		case []any:
			if len(v) == 0 {
				return false
			}
		case map[string]any:
			if len(v) == 0 {
				return false
			}
		}
	}
	return len(c.Bind) > 0
}

// call makes the call and records it; ok is false for every bad end.
func (r *run) call(c *artifact.Call, args map[string]any) (result map[string]any, ok bool, err error) {
	rec := HostCall{Call: c.Name, ID: c.ID, Args: args, Effect: effectOf(c, args)}
	r.observe(Event{Kind: HostStarted, Call: &rec})
	begun := r.now()
	env := r.hostEnv(c, !rec.Effect.Above(spec.Read))
	env.Detach = r.detach && c.Name == "host.run" && rec.Effect.Above(spec.Read)
	result, err = r.req.Host.Call(r.ctx, c.Name, args, env)
	rec.DurationMS = int(r.now().Sub(begun) / time.Millisecond)
	var he *host.Error
	if errors.As(err, &he) {
		result, rec.TimedOut = he.Result, he.TimedOut
	}
	rec.fill(result, err)
	// A program that was not found, or an argument that was refused, is a
	// call that never started.
	if rec.Effect.Above(spec.Read) && (err == nil || result != nil || r.ctx.Err() != nil) {
		r.effectful = true
	}
	r.calls = append(r.calls, rec)
	r.observe(Event{Kind: HostFinished, Call: &rec})
	r.watch(c, &rec)
	return result, rec.OK, err
}

// fill records what a call returned.
func (h *HostCall) fill(result map[string]any, err error) {
	h.OK = err == nil
	if err != nil {
		h.Error = err.Error()
	}
	if code, ok := result["exit_code"].(int); ok {
		h.ExitCode = &code
	}
	if ok, said := result["ok"].(bool); said {
		h.OK = h.OK && ok
	}
	if late, ok := result["timed_out"].(bool); ok {
		h.TimedOut = h.TimedOut || late
	}
	if ms, ok := result["duration_ms"].(int); ok {
		h.DurationMS = ms
	}
	h.command, _ = result["command"].(string)
	h.pid, _ = result["pid"].(int)
	h.log, _ = result["log"].(string)
	if out, ok := result["stdout"].(string); ok {
		h.Output = lastLines(plainText(out), outputLines)
	}
}

// bind writes parts of a result to the world, all or none.
func (r *run) bind(c *artifact.Call, result map[string]any) error {
	next := copyOf(r.world)
	keys := make([]string, 0, len(c.Bind))
	for _, b := range c.Bind {
		v, err := r.bound(b, result)
		if err == nil {
			err = write(r.req.Program, next, b.Key, v)
		}
		if err != nil {
			return fmt.Errorf("%s: bind %s: %w", c.Name, b.Key, err)
		}
		keys = append(keys, b.Key)
	}
	r.commit(next, keys)
	return nil
}

func (r *run) bound(b artifact.Bind, result map[string]any) (any, error) {
	if b.Value != nil {
		return value(*b.Value, r.rootsWith(result))
	}
	return at(result, b.Path), nil
}

// domainError follows on_error, or stops.
func (r *run) domainError(c *artifact.Call, cause error) (string, *fault) {
	r.noteError(cause)
	if c.OnError == "" {
		return "", r.hostFault(cause)
	}
	r.dealtWith(c)
	return c.OnError, nil
}

// hostFault is the fault of the last call's domain error.
func (r *run) hostFault(cause error) *fault {
	f := broken(HostError, cause.Error())
	var he *host.Error
	if errors.As(cause, &he) {
		f.timedOut = he.TimedOut
		f.detail = r.calls[len(r.calls)-1].line() + ": " + he.Msg
	}
	return f
}

// noteError tells the story what went wrong, in the keys it has for that.
func (r *run) noteError(cause error) {
	next := copyOf(r.world)
	for _, key := range []string{"last_error", "host_error"} {
		if findKey(r.req.Program, key) != nil && write(r.req.Program, next, key, cause.Error()) == nil {
			r.commit(next, []string{key})
		}
	}
}
