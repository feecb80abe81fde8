import { Fragment, h, type JSX } from 'preact';
import type { Refusal, Rule } from '../core/reasons.ts';
import { say } from './words/say.ts';

/** Words to be shown as they are: in the reader's language, or in the daemon's own and marked so. */
export type Saying = string | JSX.Element;

/** What the daemon said no with; all of it but the status may be absent. */
export interface Refused {
  readonly status: number;
  readonly message?: string;
  readonly fields?: Readonly<Record<string, string>>;
  readonly reason?: Refusal;
  readonly rules?: Readonly<Record<string, Rule>>;
}

/** A refusal in words: one sentence, and what is wrong with which field. */
export interface Spoken {
  readonly sentence: Saying;
  readonly fields: Readonly<Record<string, Saying>>;
}

/** Named as the daemon names its reasons; facts come with the name that they belong to. */
type Wordings = Readonly<Record<string, ((facts: never) => string) | undefined>>;

/** As many fields as a sentence bears; each is told beside its field as well. */
const toldFields = 3;

/** A sentence that is in English on every page: screen readers are told so. */
export function inEnglish(text: string): Saying {
  return say.locale === 'en' ? text : english(text);
}

const english = (text: string): JSX.Element => h('span', { lang: 'en' }, text);

/** What the daemon refused, in the reader's language as far as its reasons have names. */
export async function spoken(refused: Refused): Promise<Spoken> {
  const { status, message = '', fields = {} } = refused;
  if (say.locale === 'en') return { sentence: message || say.saidNo(status), fields };
  try {
    const words = await import('./words/refusals-german.ts');
    return inGerman(refused, words);
  } catch {
    // The daemon is gone, and the words with it.
    return { sentence: message === '' ? say.saidNo(status) : english(message), fields: marked(fields) };
  }
}

/** The same in German, with the words for it. */
export function inGerman(
  { status, message = '', fields = {}, reason, rules = {} }: Refused,
  words: typeof import('./words/refusals-german.ts'),
): Spoken {
  const told = Object.entries(fields).map(([field, fault]) => {
    const rule = worded(words.rulesGerman, rules[field]);
    return { field, rule, said: rule ?? english(fault) };
  });
  const sayings = Object.fromEntries(told.map(({ field, said }) => [field, said]));
  const byReason = worded(words.refusalsGerman, reason);
  if (byReason !== null) return { sentence: byReason, fields: sayings };
  if (told.length > 0 && told.every(({ rule }) => rule !== null)) {
    const list = told
      .slice(0, toldFields)
      .map(({ field, rule }) => `${words.fieldsGerman[field] ?? field} ${rule}`);
    return { sentence: words.notYet(list.join('; ')), fields: sayings };
  }
  const general = words.statusGerman[status] ?? say.saidNo(status);
  if (message === '') return { sentence: general, fields: sayings };
  return { sentence: h(Fragment, null, general, ' ', english(message)), fields: sayings };
}

function worded(wordings: Wordings, named: Refusal | Rule | undefined): string | null {
  if (named === undefined || !Object.hasOwn(wordings, named.name)) return null;
  return wordings[named.name]?.(named as never) ?? null;
}

const marked = (fields: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(fields).map(([field, fault]) => [field, english(fault)]));
