import { barTime, inWords, timeInWords, type Units, volume } from '../../format.ts';
import { words } from '../../words/audit.ts';
import { words as common } from '../../words/house.ts';

/** What of an entry tells from what to what. */
export interface Sides {
  readonly before: Readonly<Record<string, unknown>> | null;
  readonly after: Readonly<Record<string, unknown>> | null;
}

/** As many fields as can be taken in at once. */
const mostShown = 12;
/** Says nothing to a person. */
const unsaid = new Set(['id', 'ids', 'mugshot', 'picture', 'correction_id', 'action']);

/** Of a thing that was made or deleted these are a matter of course. */
const plain = new Set(['ticks', 'session_id', 'is_valid', 'is_superuser']);

/** What differs between the two sides, each as one line; a thing that was made or deleted shows what it was. */
export function changesOf({ before, after }: Sides, units: Units): readonly string[] {
  const drinks = drinksOf({ before, after }).flatMap((sides) => linesOf(sides, units));
  return [...linesOf({ before, after }, units), ...drinks].slice(0, mostShown);
}

function linesOf({ before, after }: Sides, units: Units): readonly string[] {
  const keys = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})]);
  return [...keys].flatMap((key) => {
    const [old, fresh] = [before?.[key] ?? null, after?.[key] ?? null];
    if (old === fresh || !isPlain(old) || !isPlain(fresh) || unsaid.has(snake(key))) return [];
    if ((before === null || after === null) && plain.has(snake(key))) return [];
    const shown = (value: unknown) => inPlainWords(key, value, units);
    const name = words.fields[nameOf(key)] ?? nameOf(key).replaceAll('_', ' ');
    if (before === null) return [`${name}: ${shown(fresh)}`];
    if (after === null) return [`${name}: ${shown(old)}`];
    return [words.fromTo(name, shown(old), shown(fresh))];
  });
}

/** Corrections tell of several drinks: each is set against itself. */
function drinksOf({ before, after }: Sides): readonly Sides[] {
  const [old, fresh] = [listIn(before), listIn(after)];
  const ids = new Set([...old, ...fresh].map(({ id }) => id));
  return [...ids].map((id) => ({
    before: old.find((one) => one.id === id) ?? null,
    after: fresh.find((one) => one.id === id) ?? null,
  }));
}

function listIn(side: Sides['before']): readonly Readonly<Record<string, unknown>>[] {
  const drinks = side?.drinks;
  return Array.isArray(drinks) ? (drinks as readonly Readonly<Record<string, unknown>>[]) : [];
}

const isPlain = (value: unknown): boolean => value === null || typeof value !== 'object';

const snake = (key: string): string => key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** The field as words know it: a time is named without its unit. */
const nameOf = (key: string): string => snake(key).replace(/_time_ms$/, '_time');

function inPlainWords(key: string, value: unknown, units: Units): string {
  if (value === null || value === '') return words.nothing;
  if (typeof value === 'boolean') return value ? common.yes : common.no;
  if (typeof value === 'number' && /(?:^|_)ml$/.test(snake(key)) && !snake(key).includes('per_ml')) {
    return inWords(volume(value, units));
  }
  if (typeof value === 'number' && snake(key).endsWith('_time_ms')) {
    return timeInWords(barTime(new Date(value).toISOString(), units));
  }
  if (typeof value === 'string') return common.states[value] ?? value;
  return String(value);
}
