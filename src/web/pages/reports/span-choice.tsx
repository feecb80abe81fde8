import { useId } from 'preact/hooks';
import { Choice } from '../../taps/drink-dialog.tsx';
import { words } from '../../words/reports.ts';
import { daysFrom, type Ends, monthBefore, monthTo, type Span } from './spans.ts';

interface SpanChoiceProps {
  /** The business day that lasts; null until the daemon has said. */
  readonly today: string | null;
  readonly span: Span | null;
  onChoose(first: string, last: string): void;
}

/** Usual spans at a touch, and any other by its dates. */
export function SpanChoice({ today, span, onChoose }: SpanChoiceProps) {
  const id = useId();
  function send(event: SubmitEvent) {
    event.preventDefault();
    if (!(event.currentTarget instanceof HTMLFormElement)) return;
    const form = new FormData(event.currentTarget);
    const [a, b] = [String(form.get('first')), String(form.get('last'))];
    // The other way round is meant all the same.
    if (a <= b) onChoose(a, b);
    else onChoose(b, a);
  }
  return (
    <section class="group card" aria-label={words.which}>
      <fieldset class="choice" aria-label={words.which}>
        {today !== null &&
          usual(today).map(([name, [first, last]]) => (
            <Choice
              key={name}
              isChosen={span?.first === first && span.last === last}
              onChoose={() => onChoose(first, last)}
            >
              {name}
            </Choice>
          ))}
      </fieldset>
      <form class="span-dates" onSubmit={send} key={`${span?.first} ${span?.last}`}>
        {(['first', 'last'] as const).map((name) => (
          <label key={name} class="field" for={`${id}-${name}`}>
            {words[name]}
            <input
              id={`${id}-${name}`}
              type="date"
              name={name}
              required
              max={today ?? undefined}
              defaultValue={span?.[name] ?? ''}
            />
          </label>
        ))}
        <button type="submit" class="button">
          {words.show}
        </button>
      </form>
    </section>
  );
}

const usual = (today: string): readonly (readonly [name: string, ends: Ends])[] => [
  [words.today, [today, today]],
  [words.yesterday, [daysFrom(today, -1), daysFrom(today, -1)]],
  [words.week, [daysFrom(today, -6), today]],
  [words.month, monthTo(today)],
  [words.lastMonth, monthBefore(today)],
];
