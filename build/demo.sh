#!/usr/bin/env bash
# Shows the main job in a temporary directory with a HOME of its own: nothing
# of yours is read or changed. Usage: demo.sh PATH-TO-KITSOKI
set -euo pipefail

kitsoki=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
source=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

export HOME=$work/home GIT_CONFIG_NOSYSTEM=1
unset XDG_CONFIG_HOME XDG_STATE_HOME XDG_CACHE_HOME XDG_DATA_HOME GIT_DIR GIT_WORK_TREE KITSOKI KITSOKI_ACTIVE
export GIT_AUTHOR_NAME=Demo GIT_AUTHOR_EMAIL=demo@example.com GIT_COMMITTER_NAME=Demo GIT_COMMITTER_EMAIL=demo@example.com
mkdir -p "$HOME/.config/kitsoki"

say() { printf '\n\033[1m%s\033[0m\n' "$*"; }
run() {
	printf '$ %s\n' "$*"
	"$@"
}
# runs a command that ends with the given status
ends() {
	local want=$1 got=0
	shift
	printf '$ %s\n' "$*"
	"$@" || got=$?
	[ "$got" = "$want" ] || { echo "demo: status $got, expected $want" >&2; exit 1; }
	echo "(status $got)"
}
kitsoki() { "$kitsoki" "$@"; }

cd "$work"
say "1. A story is compiled into an artifact."
run kitsoki compile "$source/stories/intercept-demo" -o demo.kit

say "2. A command in a person's own words is recognised and run."
ends 0 kitsoki intercept --app demo.kit --input "ok, now rebase this onto main"

say "3. A question is not a command: it is left to the model."
ends 10 kitsoki intercept --app demo.kit --input "why did the rebase fail"

say "4. Why?"
ends 0 kitsoki explain --app demo.kit "Looks good. Could you run the test suite for me?"
ends 10 kitsoki explain --app demo.kit "don't rebase onto main"

say "5. A real command, in a real repository, as a coding agent's hook."
cat >"$HOME/.config/kitsoki/config.yaml" <<'YAML'
intercept:
  app: builtin:git-ops
  room: intercept
YAML
git init -q -b main --bare remote.git
git init -q -b main work
cd work
git remote add origin ../remote.git
echo "one" >parser.txt
git add parser.txt
git commit -q -m "Begin"
git push -q --set-upstream origin main
echo "two" >>parser.txt
git add parser.txt
payload() {
	printf '{"session_id":"demo","prompt_id":"%s","transcript_path":"/dev/null","cwd":"%s","permission_mode":"default","hook_event_name":"UserPromptSubmit","prompt":"%s"}' "$1" "$PWD" "$2"
}
hook() {
	printf '> %s\n' "$2"
	payload "$1" "$2" | CLAUDECODE=1 "$kitsoki" hook run --agent claude
}
hook 1 'commit with message \"Fix the parser\"'
hook 2 'push'
run git log --oneline
run kitsoki last
say "Done. The pushed branch holds: $(git --git-dir=../remote.git log -1 --format=%s main)"
