package index

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

// maxTitle bounds a turn's title, in code points.
const maxTitle = 100

// turns decides about each turn, and drops those that were forgotten.
func (b *builder) turns(ctx context.Context) error {
	if b.Turns == nil {
		b.Turns = func(func(Turn, error) bool) {}
	}
	for t, err := range b.Turns {
		if err = errors.Join(err, ctx.Err()); err != nil {
			return fmt.Errorf("reading captured turns: %w", err)
		}
		b.turn(t)
	}
	for id := range b.last.Turns {
		if _, kept := b.next.Turns[id]; !kept {
			b.forget = append(b.forget, id)
		}
	}
	b.report.Turns = len(b.next.Turns)
	return nil
}

// turn reuses a turn or makes a record of it.
func (b *builder) turn(t Turn) {
	if _, twice := b.next.Turns[t.ID]; twice {
		return
	}
	sum := digest(t.Query, t.Answer, t.Time.UTC().String())
	if b.last.Turns[t.ID] != sum {
		b.records = append(b.records, t.record())
		b.forget = append(b.forget, t.ID)
	}
	b.next.Turns[t.ID] = sum
	if t.Time.After(b.newestTurn) {
		b.newestTurn = t.Time
	}
}

// record is what is indexed of a turn.
func (t Turn) record() record {
	title := strings.Join(strings.Fields(t.Query), " ")
	if utf8.RuneCountInString(title) > maxTitle {
		title = string([]rune(title)[:maxTitle-1]) + "…"
	}
	return record{
		Kind: KindTurn, Key: t.ID, Title: title, Source: t.ID, Time: t.Time.UTC(),
		Body: "Asked: " + strings.TrimSpace(t.Query) + "\nAnswered: " + strings.TrimSpace(t.Answer),
	}
}
