package diag

// Advice of lint.
const (
	MissingTimeout     Code = "KIT501"
	NounPhrase         Code = "KIT502"
	NearPhrases        Code = "KIT503"
	DeadIntent         Code = "KIT504"
	UnreachableState   Code = "KIT505"
	UnusedWorld        Code = "KIT506"
	UnusedSlot         Code = "KIT507"
	UnusedRule         Code = "KIT508"
	OnlyIncomplete     Code = "KIT509"
	FewPassPhrases     Code = "KIT510"
	UnusedHost         Code = "KIT511"
	Unquoted           Code = "KIT512"
	KeyOrder           Code = "KIT513"
	UnusedExemption    Code = "KIT514"
	DestructiveUnasked Code = "KIT515"
	HiddenPhrases      Code = "KIT516"
	GuardSeesCall      Code = "KIT517"
	NeverFires         Code = "KIT518"
	ArgumentNotSplit   Code = "KIT519"
	BadPhraseTest      Code = "KIT520"
	RepeatedPhrase     Code = "KIT521"
	UnusedAllowance    Code = "KIT522"
	ConfirmNoExample   Code = "KIT523"
	NothingToIntercept Code = "KIT524"
	OpenOption         Code = "KIT525"
	ShortExchange      Code = "KIT526"
)

func lintCodes() []Entry {
	return []Entry{
		{MissingTimeout, Warning, "a call over the network without a time-out"},
		{NounPhrase, Warning, "a common noun alone starts a command with effects"},
		{NearPhrases, Warning, "phrases of two intents lie too close"},
		{DeadIntent, Warning, "an intent that no state answers"},
		{UnreachableState, Warning, "a state that nothing leads to"},
		{UnusedWorld, Warning, "a world key that nothing reads"},
		{UnusedSlot, Warning, "a slot that no phrase fills or nothing reads"},
		{UnusedRule, Warning, "an expansion rule that no phrase uses"},
		{OnlyIncomplete, Warning, "a command that can only end incomplete"},
		{FewPassPhrases, Warning, "fewer phrases that must pass than phrases that must match"},
		{UnusedHost, Warning, "hosts lists a call that is never made"},
		{Unquoted, Warning, "text without quotes that other YAML readers take for true or false"},
		{KeyOrder, Info, "top-level keys in an unusual order"},
		{UnusedExemption, Warning, "lint.allow names a rule that has nothing to say here"},
		{DestructiveUnasked, Warning, "a destructive command that does not ask first"},
		{HiddenPhrases, Info, "phrases of a hidden intent, which nobody can type"},
		{GuardSeesCall, Info, "a guard that sees the result of the call before it"},
		{NeverFires, Warning, "an arc whose guard can't hold"},
		{ArgumentNotSplit, Info, "a value in a script that stays one argument"},
		{BadPhraseTest, Error, "phrases.yaml names a room or an intent that the story does not have"},
		{RepeatedPhrase, Warning, "an intent lists a phrase twice"},
		{UnusedAllowance, Warning, "allow_words lists a word that no phrase needs it for"},
		{ConfirmNoExample, Warning, "an intent that needs an exact phrase has none"},
		{NothingToIntercept, Warning, "a story without a room that offers an intent"},
		{OpenOption, Warning, "a value where a command could take it for an option"},
		{ShortExchange, Warning, "a phrase so short that an exchanged word alone starts the command"},
	}
}
