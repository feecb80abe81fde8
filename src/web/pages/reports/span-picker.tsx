import { useId } from 'preact/hooks';
import type { BusinessSpan } from '../../api/generated.ts';
import { Choice } from '../../components/form/choice.tsx';
import { t } from '../../locales/locale.ts';

interface SpanPickerProps {
  /** The current business day; null until it is loaded. */
  readonly today: string | null;
  /** The chosen days, both included; null before they are known. */
  readonly span: Pick<BusinessSpan, 'first' | 'last'> | null;
  /** Offers all days. */
  onSelectAll?(): void;
  onSelect(first: string, last: string): void;
}

/** Buttons for usual spans, and a form for any other. */
export function SpanPicker({ today, span, onSelect, onSelectAll }: SpanPickerProps) {
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
    <section class="group card" aria-label={t('reports.which')}>
      <fieldset class="choice" aria-label={t('reports.which')}>
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
        {onSelectAll && (
          <Choice isChosen={span === null} onChoose={onSelectAll}>
            {t('export.allDays')}
          </Choice>
        )}
      </fieldset>
      <form class="span-dates" onSubmit={submit} key={`${span?.first} ${span?.last}`}>
        {(['first', 'last'] as const).map((name) => (
          <label key={name} class="field" for={`${id}-${name}`}>
            {t(`reports.${name}`)}
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
          {t('reports.show')}
        </button>
      </form>
    </section>
  );
}

const toPresets = (today: string): readonly (readonly [name: string, ends: DateRange])[] => [
  [t('reports.today'), [today, today]],
  [t('reports.yesterday'), [addDays(today, -1), addDays(today, -1)]],
  [t('reports.week'), [addDays(today, -6), today]],
  [t('reports.month'), monthToDate(today)],
  [t('reports.lastMonth'), previousMonth(today)],
];

/** First and last date, both included. */
type DateRange = readonly [first: string, last: string];

const dayMs = 86_400_000;

/** Adds days to a date `YYYY-MM-DD`. */
const addDays = (date: string, days: number): string =>
  new Date(Date.parse(date) + days * dayMs).toISOString().slice(0, 10);

/** From the first of the month to the date. */
const monthToDate = (date: string): DateRange => [`${date.slice(0, 8)}01`, date];

/** The whole month before the date's month. */
function previousMonth(date: string): DateRange {
  const last = addDays(`${date.slice(0, 8)}01`, -1);
  return monthToDate(last);
}
