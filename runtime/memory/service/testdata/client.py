"""A client of the memory service's contract (XKB), from its text alone.

    XKB_MEMORY_SERVICE_URL=http://127.0.0.1:18972 XKB_SERVICE_TOKEN=... python3 client.py

Python 3 and its standard library. URL and token come from the environment; the
token is neither an argument nor printed. One line is printed for each step. The
first step that fails is named, and the exit status is 1; it is 2 for a
configuration that can't be used. Without a token the two steps about tokens are
skipped, and said to be.
"""

import json
import os
import sys
import urllib.error
import urllib.parse
import urllib.request
import uuid

LIMIT = 2_000_000


class Failed(Exception):
    """A step that did not come out as the contract says."""


class NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, req, fp, code, msg, headers, newurl):
        return None


class Service:
    def __init__(self, url, token):
        self.url = url.rstrip("/")
        self.token = token
        # loopback is never reached through a proxy
        self.opener = urllib.request.build_opener(NoRedirect, urllib.request.ProxyHandler({}))

    def post(self, path, body, token=None):
        """Send a body, an object or bytes, and give (status, object)."""
        data = body if isinstance(body, bytes) else json.dumps(body, ensure_ascii=False).encode("utf-8")
        headers = {"Content-Type": "application/json"}
        token = self.token if token is None else token
        if token:
            headers["Authorization"] = "Bearer " + token
        request = urllib.request.Request(self.url + path, data=data, headers=headers, method="POST")
        try:
            with self.opener.open(request, timeout=40) as response:
                return response.status, decode(response.read())
        except urllib.error.HTTPError as error:
            return error.code, decode(error.read())


def decode(raw):
    try:
        value = json.loads(raw.decode("utf-8"))
    except ValueError as error:
        raise Failed("the reply is not JSON") from error
    if not isinstance(value, dict):
        raise Failed("the reply is not an object")
    return value


def check(condition, what):
    if not condition:
        raise Failed(what)


def expect(answer, status):
    """Check a status and give the body."""
    check(answer[0] == status, "status %d expected, %d observed" % (status, answer[0]))
    return answer[1]


class Steps:
    """The list, in order: a method is a step and leaves what the next need."""

    def __init__(self, service):
        self.service = service
        self.key = "contract-" + uuid.uuid4().hex
        self.turn = "turn:" + uuid.uuid4().hex[:24]
        self.query = "What is our retry policy für deployment? <&>"
        self.talk = [{"role": "user", "content": "hello"}, {"role": "assistant", "content": "Hello, what can I do?"}]

    def opening(self, key=None, **more):
        body = {"source": "claude-code", "agent_id": "claude-code", "session_key": key or self.key, "workspace_path": os.getcwd()}
        return dict(body, **more)

    def starting(self, **more):
        return dict({"session_id": self.session, "turn_id": self.turn, "query": self.query, "conversation": self.talk,
                     "context_since": "2026-11-30T11:00:00Z"}, **more)

    def finishing(self, **more):
        return dict({"session_id": self.session, "query": self.query, "answer": "Three times, then give up."}, **more)

    def open(self, body, status=200, token=None):
        return expect(self.service.post("/v1/sessions/open", body, token), status)

    def start(self, body, status=200):
        return expect(self.service.post("/v1/turns/start", body), status)

    def complete(self, body, status=200, turn=None):
        path = "/v1/turns/%s/complete" % urllib.parse.quote(turn or self.turn, safe=":")
        return expect(self.service.post(path, body), status)

    def step_open(self):
        self.session = self.open(self.opening()).get("session_id")
        check(isinstance(self.session, str) and self.session, "no session_id")

    def step_resume(self):
        check(self.open(self.opening())["session_id"] == self.session, "another session")

    def step_open_another(self):
        self.other = self.open(self.opening(self.key + "-2"))["session_id"]
        check(self.other != self.session, "the same session for another key")

    def step_start(self):
        reply = self.start(self.starting())
        check(reply.get("resumed") is not True, "resumed at the first time")
        self.retrieval = reply.get("retrieval")
        check(isinstance(self.retrieval, dict), "no retrieval")
        delivery = self.retrieval.get("delivery")
        records = (delivery if isinstance(delivery, dict) else self.retrieval).get("records")
        check(isinstance(records, list) and all(isinstance(r, dict) for r in records), "records are no list of objects")

    def step_resumed_start(self):
        reply = self.start(self.starting())
        check(reply.get("resumed") is True, "not resumed")
        check(reply.get("retrieval") == self.retrieval, "another retrieval")

    def step_start_with_another_query(self):
        self.start(self.starting(query="Something else?"), 400)

    def step_start_in_another_session(self):
        self.start(self.starting(session_id=self.other), 400)

    def step_start_with_another_conversation(self):
        self.start(self.starting(conversation=[{"role": "user", "content": "good-bye"}]), 400)

    def step_start_in_an_unknown_session(self):
        self.start(self.starting(session_id="none"), 400)

    def step_start_without_a_query(self):
        self.start(self.starting(query=""), 400)

    def step_start_with_nine_messages(self):
        self.start(self.starting(turn_id=self.turn + "9", conversation=[{"role": "user", "content": "x"}] * 9), 400)

    def step_start_with_another_role(self):
        self.start(self.starting(turn_id=self.turn + "r", conversation=[{"role": "system", "content": "x"}]), 400)

    def step_complete(self):
        check(self.complete(self.finishing()).get("deduplicated") is not True, "deduplicated at the first time")

    def step_complete_again(self):
        check(self.complete(self.finishing()).get("deduplicated") is True, "not deduplicated")

    def step_complete_with_another_answer(self):
        self.complete(self.finishing(answer="Never."), 400)

    def step_complete_an_unknown_turn(self):
        self.complete(self.finishing(), 400, turn="turn:none")

    def step_no_token(self):
        return self.unauthorised("")

    def step_wrong_token(self):
        return self.unauthorised("x" * 32)

    def unauthorised(self, token):
        if not self.service.token:
            return "skipped: no token is configured"
        self.open(self.opening(), 401, token)

    def step_another_namespace(self):
        self.open(self.opening(namespace="someone-else-" + uuid.uuid4().hex), 403)

    def step_unknown_path(self):
        expect(self.service.post("/v1/nothing", {}), 404)

    def step_oversized_body(self):
        self.open(json.dumps(self.opening("k" * LIMIT)).encode(), 400)

    def step_body_at_the_limit(self):
        body = json.dumps(self.opening()).encode()
        self.open(body + b" " * (LIMIT - len(body)))

    def step_no_json(self):
        self.open(b"source=claude-code", 400)


def run(steps):
    names = [name for name in vars(type(steps)) if name.startswith("step_")]  # in the order they are written in
    for name in names:
        label = name[len("step_"):].replace("_", " ")
        try:
            note = getattr(steps, name)()
        except (Failed, OSError, KeyError) as error:
            print("FAILED %s: %s" % (label, error))
            return 1
        print("ok %s%s" % (label, " (%s)" % note if note else ""))
    print("%d steps" % len(names))
    return 0


def main():
    url = os.environ.get("XKB_MEMORY_SERVICE_URL", "")
    if not url.startswith(("http://", "https://")):
        print("XKB_MEMORY_SERVICE_URL must begin with http:// or https://", file=sys.stderr)
        return 2
    return run(Steps(Service(url, os.environ.get("XKB_SERVICE_TOKEN", ""))))


if __name__ == "__main__":
    sys.exit(main())
