#!/usr/bin/env bash
# Shows the main job in a temporary directory with a HOME of its own: nothing
# of yours is read or changed. Usage: demo.sh PATH-TO-KITSOKI
set -euo pipefail

fail() {
	printf 'demo: %s\n' "$*" >&2
	exit 1
}
[ -x "${1-}" ] || fail "usage: demo.sh PATH-TO-KITSOKI (make demo builds it first)"
kitsoki=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
stories=$(cd "$(dirname "$0")/../stories" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The environment is made anew: git's variables would lead into other
# repositories, and an agent's would make the hook pass.
for name in $(compgen -e); do
	case $name in
	PATH | LANG | LC_* | TMPDIR | SYSTEMROOT | SHELLOPTS | BASHOPTS) ;;
	*) unset "$name" ;;
	esac
done
export HOME=$work/home GIT_CONFIG_NOSYSTEM=1
export GIT_AUTHOR_NAME=Demo GIT_AUTHOR_EMAIL=demo@example.com GIT_COMMITTER_NAME=Demo GIT_COMMITTER_EMAIL=demo@example.com

title() {
	if [ -t 1 ]; then printf '\n\033[1m%s\033[0m\n' "$*"; else printf '\n%s\n' "$*"; fi
}

# prints a command so that it can be typed
show() {
	printf '$'
	for word in "$@"; do
		case $word in
		*[!A-Za-z0-9_./:=-]*) printf ' "%s"' "$word" ;;
		*) printf ' %s' "$word" ;;
		esac
	done
	printf '\n'
}

# ends STATUS COMMAND…: shows and runs a command that must end so
ends() {
	local want=$1 got=0
	shift
	show "$@"
	"$@" 2>&1 || got=$?
	[ "$got" = "$want" ] || fail "status $got, expected $want"
	[ "$got" = 0 ] || echo "(status $got)"
}
kitsoki() { "$kitsoki" "$@"; }

cd "$work"
title "1. A story is compiled into an artifact."
cp -R "$stories/intercept-demo" .
ends 0 kitsoki compile intercept-demo -o demo.kit

title "2. A command in a person's own words is recognised and run. (This story only echoes.)"
ends 0 kitsoki intercept --app demo.kit --input "ok, now rebase this onto main"

title "3. A question is no command: it is left to the model."
ends 10 kitsoki intercept --app demo.kit --input "why did the rebase fail"

title "4. Every decision can be explained."
ends 0 kitsoki explain --app demo.kit "Looks good. Could you run the test suite for me?"
ends 10 kitsoki explain --app demo.kit "don't rebase onto main"

title "5. Real commands in a real repository, through the hook that Claude Code starts for every prompt."
mkdir -p "$HOME/.config/kitsoki"
cat >"$HOME/.config/kitsoki/config.yaml" <<'YAML'
intercept:
  app: builtin:git-ops
  room: intercept
YAML
show cat ~/.config/kitsoki/config.yaml
cat ~/.config/kitsoki/config.yaml
git init -q --bare remote.git
git init -q work
cd work
git symbolic-ref HEAD refs/heads/main
git remote add origin ../remote.git
echo "one" >parser.txt
git add parser.txt
git commit -q -m "Begin"
git push -q --set-upstream origin main
echo "two" >>parser.txt
git add parser.txt
ends 0 git status --short --branch

quoted() { printf '%s' "$1" | sed 's/[\\"]/\\&/g'; }

# what the agent gets back for a prompt
answer() {
	printf '{"session_id":"demo","prompt_id":"%s","transcript_path":"/dev/null","cwd":"%s","permission_mode":"default","hook_event_name":"UserPromptSubmit","prompt":"%s"}' \
		"$1" "$(quoted "$PWD")" "$(quoted "$2")" | CLAUDECODE=1 "$kitsoki" hook run --agent claude
}

# taken ID PROMPT: a prompt whose report the person sees in the model's place
taken() {
	printf '\n> %s\n' "$2"
	case $(answer "$1" "$2") in
	'{"decision":"block",'*) kitsoki last ;;
	*) fail "the hook let it pass" ;;
	esac
}

printf '\n> why did the last push fail?\n'
[ -z "$(answer 1 "why did the last push fail?")" ] || fail "the hook did not keep silent"
echo "(no answer: the prompt goes on to the model)"
taken 2 'commit with message "Fix the parser"'
taken 3 'can you push please'

ends 0 git log --oneline
[ "$(git --git-dir=../remote.git log -1 --format=%s main)" = "Fix the parser" ] || fail "the commit was not pushed"
title "Done: the commit is in the remote repository. The temporary directory is removed."
