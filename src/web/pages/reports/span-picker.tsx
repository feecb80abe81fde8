import { useId } from 'preact/hooks';
import { words } from '../../words/reports.ts';
import { Choice } from '../drinks/drink-dialog.tsx';
import { addDays, type DateRange, monthToDate, previousMonth, type Span } from './spans.ts';

interface SpanPickerProps {
  /** The current business day; null until it is loaded. */
  readonly today: string | null;
  readonly span: Span | null;
  onSelect(first: string, last: string): void;
}

/** Buttons for usual spans, and a form for any other. */
export function SpanPicker({ today, span, onSelect }: SpanPickerProps) {
  const id = useId();
  function submit(event: SubmitEvent) {
    event.preventDefault();
    if (!(event.currentTarget instanceof HTMLFormElement)) return;
    const form = new FormData(event.currentTarget);
    const [first, last] = [String(form.get('first')), String(form.get('last'))];
    // Dates in reverse order are swapped.
    if (first <= last) onSelect(first, last);
    else onSelect(last, first);
  }
  return (
    <section class="group card" aria-label={words.which}>
      <fieldset class="choice" aria-label={words.which}>
        {today !== null &&
          toPresets(today).map(([name, [first, last]]) => (
            <Choice
              key={name}
              isChosen={span?.first === first && span.last === last}
              onChoose={() => onSelect(first, last)}
            >
              {name}
            </Choice>
          ))}
      </fieldset>
      <form class="span-dates" onSubmit={submit} key={`${span?.first} ${span?.last}`}>
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

const toPresets = (today: string): readonly (readonly [name: string, ends: DateRange])[] => [
  [words.today, [today, today]],
  [words.yesterday, [addDays(today, -1), addDays(today, -1)]],
  [words.week, [addDays(today, -6), today]],
  [words.month, monthToDate(today)],
  [words.lastMonth, previousMonth(today)],
];
