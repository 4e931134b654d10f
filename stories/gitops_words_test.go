package stories_test

import (
	"testing"

	"kitsoki/runtime/artifact"
)

// plainWords name what is joined, with what, and which way: they are taken.
func plainWords() map[string][]string {
	return map[string][]string{
		"rebase": {
			"rebase onto main", "rebase on main", "rebase against the latest main", "rebase this onto latest main", "rebase it on top of main",
			"rebase my changes onto main", "rebase these changes on main", "rebase my change onto main", "rebase our work onto main", "rebase this work on main",
			"rebase the current branch onto the main branch", "git rebase onto the default branch", "rebase this branch", "rebase onto our integration branch",
			"rebase this onto the integration branch", "git rebase main", "git rebase origin/main", "can you rebase this onto main?", "please rebase my branch on main",
		},
		"update_from_main": {
			"update from main", "update from the latest main", "sync with main", "sync us with main", "update this branch from main", "refresh this branch from main",
			"refresh my branch with the latest main", "sync the current branch with the default branch", "update from our parent branch", "bring us up to date with main",
			"get this branch up to date with latest main", "merge main", "merge the latest main", "merge from main", "merge in the latest changes from main",
			"merge the main branch", "merge the default branch", "merge in the integration branch", "merge main into my branch", "git merge main",
			"merge the integration branch into this branch", "git merge our integration branch into the current branch",
		},
		"pull_diverged": {
			"pull and rebase", "pull and merge", "git pull and rebase", "pull with rebase", "pull with a merge", "git pull with a rebase", "pull --rebase", "git pull --no-rebase",
			"pull with --rebase", "pull this branch with a rebase", "pull the changes with a merge", "pull the latest changes and rebase", "pull remote commits and rebase",
			"pull from the remote and merge", "pull the changes from the remote and rebase", "pull and reconcile", "pull the latest changes and integrate",
			"reconcile this branch with its upstream",
		},
		"squash": {
			"squash this branch", "squash the current branch into one commit", "squash my commits into one", "squash all of our commits into a single commit",
			"squash the commits of this branch", "squash all the commits on my branch to 1 commit", `squash this branch with message "Add it"`,
		},
		"merge_into_main": {
			"merge this into main", "merge this to main", "merge this branch into main", "merge this back into the main branch", "merge my work into main",
			"merge my branch back to the default branch", "merge the current branch into main branch", "git merge this into main", "can you merge this into main?",
		},
	}
}

// doubtfulWords could be meant in another way, or ask for more: they pass.
func doubtfulWords() []string {
	return []string{
		// which branch "the default" or "the main" is
		"merge this into the default", "merge this to default", "merge my work into the default", "merge my work back into the default", "git merge our branch to the default",
		"merge this into the main", "merge this to the main", "rebase onto the main", "rebase this on the main", "update from the main", "sync this branch with the main",
		"bring us up to date with the main", "merge the main", "merge main into the default", "update from the default", "rebase onto the parent",
		// which side goes into which
		"rebase this onto the parent branch", "merge the parent branch into this branch", "merge the base branch into my branch", "merge the parent branch", "merge our parent branch", "merge the base branch", "merge our base branch", "merge the integration branch", "git merge the parent branch",
		"merge this branch with main", "merge main with this branch", "merge this with the base branch", "merge the parent", "merge main and this branch",
		// what is refreshed, and who is told
		"refresh from main", "refresh with main", "refresh from the default branch", "refresh", "update us from main", "update us with the latest main", "refresh us from main",
		// words that git reads as the names of remotes
		"git pull merge", "git pull rebase", "pull merge", "pull rebase", "git pull a merge", "pull -r", "pull --merge", "git pull --rebase origin",
		// what the merge or the rebase is of
		"pull the branch and merge", "pull the branch and rebase", "pull the changes and merge", "pull changes and rebase", "pull my branch and integrate",
		"pull the latest changes and merge", "pull this branch from the remote and merge", "pull and a merge", "pull and --rebase", "pull and rebase onto main", "pull main and rebase",
		"rebase that onto main", "rebase those onto main", "rebase these onto main", "rebase them onto main", "rebase those changes onto main", "rebase the fixes onto main",
		"rebase the change onto main", "rebase my uncommitted changes onto main", "rebase the latest changes on main", "rebase the updates onto main",
		"squash these commits into one", "squash all of these commits into one commit", "squash those commits into one", "squash my commits into a single", "squash my last commits into one",
		// whether it is pushed too
		"sync my branch with the remote", "sync this branch with its upstream", "sync this branch", "sync",
		// another branch, repository or remote
		"merge this into develop", "merge this into origin/main", "merge this into their main", "merge this into main of the fork", "merge main into develop", "merge main into the other branch",
		"merge main into all branches", "merge upstream main", "merge that into main", "merge both into main", "rebase develop onto main", "rebase your branch onto main",
		"rebase main onto this branch", "update main from this branch", "update the docs branch from main", "sync the fork with main", "pull from main and rebase",
		"squash this branch into main", "squash main", "squash your commits into one",
		// something else of that name
		"merge this into the main function", "merge this into main.go", "merge this file into main", "merge the main package", "update from main.go", "sync with the main thread",
		"refresh this page from main", "squash our bugs into one",
		// more work
		"merge main and fix the conflicts", "merge this into main, then push", "merge this into main and delete my branch", "rebase onto main and resolve the conflicts", "rebase this branch and test it",
		"update from main and rebuild", "pull and rebase, then push", "squash this branch and force push", "squash and merge", "merge this into main with a PR", "merge main using ours",
		"merge this into main --no-ff", "rebase onto main interactively", "git rebase -i main", "git pull --rebase --autostash", "update this branch from main on github",
		// conditions and times
		"if CI is green merge this into main", "merge this into main if CI is green", "merge this into main once the tests pass", "when it is reviewed, merge this into main",
		"rebase onto main after the release", "squash this branch before the review", "update from main tomorrow", "pull and rebase every day", "merge main as soon as it compiles",
		// questions
		"merge this into main?", "rebase onto main, right?", "should I merge this into main", "can we merge this into main?", "do we rebase onto main or merge", "did you squash this branch",
		"is it time to merge main", "what if we rebase this branch", "how do I pull and rebase", "would it help to update from main", "may I merge this into main", "will you rebase onto main?",
		// refusals, reports and plans
		"don't merge this into main", "do not squash this branch", "never pull and rebase", "rebase onto main, no wait", "instead of a merge, rebase onto main", "stop, rebase onto main",
		"undo merge main", "merged this into main", "rebased onto main", "I merged main into this branch", "merging this into main failed", "pull and rebase failed", "you squashed this branch",
		"we should merge this into main", "I will rebase this branch", "I want to merge this into main", "maybe rebase onto main", "help me rebase this branch", "try to merge main",
		"tell bob to merge this into main", "the doc says merge main", "explain pull and rebase", "test merge this into main", "merge this into main (dry run)",
		// quoted, or another's text
		`"merge this into main"`, "'rebase onto main'", "`git pull --rebase`", "- squash this branch", "1. merge main", "CI: merge main", `it says "update from main"`,
		// an answer
		"yes, merge this into main", "sure, rebase onto main", "then squash this branch", "and merge main", "or pull and rebase", "so update from main",
		// an operation that goes on; git's own commands are the agent's
		"continue the rebase", "continue the merge", "abort the rebase", "abort the merge", "git rebase --continue", "git merge --abort", "skip this commit", "finish the merge", "cancel the rebase",
	}
}

// TestWordsOfCommandsThatAreDriven: a wording of a driven command is taken only when it can
// be meant in one way.
func TestWordsOfCommandsThatAreDriven(t *testing.T) {
	t.Parallel()
	_, raw := compiled(t, "git-ops")
	f, err := artifact.Decode("git-ops", raw)
	if err != nil {
		t.Fatal(err)
	}
	for intent, prompts := range plainWords() {
		for _, prompt := range prompts {
			if d := verdict(t, f, "intercept", prompt); !d.Intercept || d.Hit.Intent != intent {
				t.Errorf("%q is not taken as %s: %+v", prompt, intent, d)
			}
		}
	}
	for _, prompt := range doubtfulWords() {
		if d := verdict(t, f, "intercept", prompt); d.Intercept {
			t.Errorf("%q is taken as %s", prompt, d.Hit.Intent)
		}
	}
}
