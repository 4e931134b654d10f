package recall

import (
	"strings"
	"unicode"

	"kitsoki/runtime/text"
)

// acknowledgements lists what people type that asks nothing: agreement,
// refusal, thanks, greetings, "go on". One line a language, separated by
// commas, in folded form.
const acknowledgements = `
ok, okay, k, kk, yes, yep, yeah, yup, y, no, nope, n, sure, sure thing, right, alright, all right, fine, good, great, nice, cool, perfect, awesome, excellent, wonderful, amazing, brilliant, done, correct, exactly, indeed, agreed, understood, got it, i see, makes sense, sounds good, looks good, looks good to me, lgtm, well done, good job, nice work, great work, of course, absolutely, definitely, no problem, never mind, nevermind, no worries, my bad, sorry, oops, thanks, thank you, thank you very much, thanks a lot, thanks so much, many thanks, thx, ty, tyvm, cheers, much appreciated, hi, hello, hey, hi there, hello there, hey there, good morning, good afternoon, good evening, good night, bye, goodbye, see you, see you later, welcome, you are welcome, continue, continue please, go on, go ahead, go for it, carry on, keep going, keep it up, proceed, next, go, do it, do that, do so, please do, please, yes please, no thanks, no thank you, try again, again, retry, stop, wait, hold on, one moment, that is all, that is it, that works, it works, works, hm, hmm, ah, oh, wow, haha, lol, then, now, and, it, that, this, so, for now, very much, a lot, everyone, all, team, claude, codex, so far
ja, jo, jep, nein, nee, genau, gut, sehr gut, super, toll, prima, perfekt, klasse, passt, passt so, stimmt, richtig, alles klar, klar, verstanden, einverstanden, in ordnung, danke, danke dir, danke schön, dankeschön, vielen dank, besten dank, herzlichen dank, bitte, gern, gerne, hallo, moin, servus, grüß dich, guten morgen, guten tag, guten abend, gute nacht, tschüss, tschüß, bis später, weiter, weiter so, weitermachen, mach weiter, bitte weiter, weiter bitte, fortfahren, los, mach das, mach es, nochmal, noch mal, noch einmal, stopp, warte, fertig, sehr, schön, sorry
oui, ouais, non, d'accord, daccord, entendu, compris, bien, très bien, parfait, super, génial, bravo, merci, merci beaucoup, merci bien, s'il te plaît, s'il vous plaît, stp, svp, bonjour, bonsoir, salut, coucou, au revoir, continue, continuez, vas-y, vas y, allez-y, allez y, poursuis, suivant, encore, de rien, beaucoup
sí, si, vale, no, claro, de acuerdo, entendido, bien, muy bien, perfecto, genial, gracias, muchas gracias, mil gracias, por favor, hola, buenos días, buenas tardes, buenas noches, buenas, adiós, hasta luego, continúa, continua, continuar, sigue, adelante, siguiente, otra vez, de nada, listo
sì, va bene, d'accordo, perfetto, ottimo, bene, grazie, grazie mille, prego, per favore, ciao, buongiorno, buonasera, arrivederci, continua, vai, avanti, ancora
sim, não, nao, certo, ótimo, perfeito, beleza, obrigado, obrigada, muito obrigado, muito obrigada, por favor, olá, oi, bom dia, boa tarde, boa noite, tchau, continue, continua, segue, prossiga
ja, nee, oké, oke, prima, goed, mooi, bedankt, dank je, dank je wel, dankjewel, dank u, alsjeblieft, hallo, hoi, goedemorgen, doei, ga door, verder
ja, nej, bra, okej, tack, tack så mycket, hej, hejdå, fortsätt, tak, mange tak, fortsæt, takk, tusen takk, fortsett, kiitos, jatka
tak, nie, dobrze, dzięki, dziękuję, cześć, dalej, kontynuuj, proszę
да, нет, ок, окей, хорошо, ладно, отлично, понятно, ясно, спасибо, большое спасибо, пожалуйста, привет, здравствуйте, пока, продолжай, продолжайте, дальше, давай
так, ні, добре, дякую, привіт, продовжуй
evet, hayır, tamam, teşekkürler, teşekkür ederim, sağ ol, merhaba, selam, devam, devam et
好, 好的, 好吧, 是, 是的, 对, 不, 不是, 行, 可以, 谢谢, 谢谢你, 多谢, 感谢, 你好, 您好, 早上好, 晚上好, 再见, 继续, 请继续, 接着, 明白, 明白了, 没问题, 嗯
はい, いいえ, うん, ありがとう, ありがとうございます, どうも, こんにちは, おはよう, おはようございます, こんばんは, 続けて, 続けてください, 続き, 次, 次へ, 了解, 了解です, 了解しました, わかりました, 大丈夫, お願いします, よろしく
네, 예, 응, 아니요, 아니, 좋아, 좋아요, 감사합니다, 감사, 고마워, 고맙습니다, 안녕, 안녕하세요, 계속, 계속해, 계속해주세요, 알겠습니다
نعم, لا, حسنا, شكرا, شكرا لك, مرحبا, استمر, تابع
हाँ, नहीं, ठीक है, धन्यवाद, शुक्रिया, नमस्ते, जारी रखें
`

// maxAcknowledgement is how long an acknowledgement may be, in words: longer
// prompts are not looked at.
const maxAcknowledgement = 12

// Acknowledges tells a prompt that asks nothing: one made of acknowledgements
// and greetings alone, with any marks and emojis, or of these alone.
func Acknowledges(prompt string) bool {
	said := spoken(prompt)
	if len(said) > maxAcknowledgement {
		return false
	}
	known, longest := phrases()
	return covered(said, known, longest)
}

// phrases is the table, and how many words its longest phrase has.
func phrases() (known map[string]bool, longest int) {
	known = map[string]bool{}
	for _, phrase := range strings.FieldsFunc(acknowledgements, func(r rune) bool { return r == ',' || r == '\n' }) {
		words := spoken(phrase)
		known[strings.Join(words, " ")] = len(words) > 0
		longest = max(longest, len(words))
	}
	return known, longest
}

// covered tells whether words are phrases and nothing else.
func covered(said []string, known map[string]bool, longest int) bool {
	reached := make([]bool, len(said)+1)
	reached[0] = true
	for i := range said {
		for n := 1; reached[i] && n <= min(longest, len(said)-i); n++ {
			if known[strings.Join(said[i:i+n], " ")] {
				reached[i+n] = true
			}
		}
	}
	return reached[len(said)]
}

// spoken are the words of a text, without marks and emojis.
func spoken(s string) []string {
	var t text.Text
	t.Parse(s)
	var out []string
	for i, tok := range t.Tokens {
		w := string(t.Word(i))
		if tok.Kind == text.Word && strings.IndexFunc(w, unicode.IsLetter) >= 0 {
			out = append(out, w)
		}
	}
	return out
}
