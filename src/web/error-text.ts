import { Fragment, h, type JSX } from 'preact';
import type { Refusal, Rule } from '../core/reasons.ts';
import { say } from './words/say.ts';

/** Words to be shown as they are: in the reader's language, or in the daemon's own and marked so. */
export type DisplayText = string | JSX.Element;

/** What the daemon said no with; all of it but the status may be absent. */
export interface ApiError {
  readonly status: number;
  readonly message?: string;
  readonly fields?: Readonly<Record<string, string>>;
  readonly reason?: Refusal;
  readonly rules?: Readonly<Record<string, Rule>>;
}

/** A refusal in words: one sentence, and what is wrong with which field. */
export interface ErrorText {
  readonly sentence: DisplayText;
  readonly fields: Readonly<Record<string, DisplayText>>;
}

/** Named as the daemon names its reasons; facts come with the name that they belong to. */
type Templates = Readonly<Record<string, ((facts: never) => string) | undefined>>;

/** As many fields as a sentence bears; each is told beside its field as well. */
const maxListedFields = 3;

/** A sentence that is in English on every page: screen readers are told so. */
export function markEnglish(text: string): DisplayText {
  return say.locale === 'en' ? text : englishSpan(text);
}

const englishSpan = (text: string): JSX.Element => h('span', { lang: 'en' }, text);

/** What the daemon refused, in the reader's language as far as its reasons have names. */
export async function toErrorText(error: ApiError): Promise<ErrorText> {
  const { status, message = '', fields = {} } = error;
  if (say.locale === 'en') return { sentence: message || say.requestFailed(status), fields };
  try {
    const words = await import('./words/refusals-german.ts');
    return toGermanErrorText(error, words);
  } catch {
    // The daemon is gone, and the words with it.
    return {
      sentence: message === '' ? say.requestFailed(status) : englishSpan(message),
      fields: markFields(fields),
    };
  }
}

/** The same in German, with the words for it. */
export function toGermanErrorText(
  { status, message = '', fields = {}, reason, rules = {} }: ApiError,
  words: typeof import('./words/refusals-german.ts'),
): ErrorText {
  const faults = Object.entries(fields).map(([field, fault]) => {
    const rule = formatTemplate(words.rulesGerman, rules[field]);
    return { field, rule, text: rule ?? englishSpan(fault) };
  });
  const fieldTexts = Object.fromEntries(faults.map(({ field, text }) => [field, text]));
  const byReason = formatTemplate(words.refusalsGerman, reason);
  if (byReason !== null) return { sentence: byReason, fields: fieldTexts };
  if (faults.length > 0 && faults.every(({ rule }) => rule !== null)) {
    const list = faults
      .slice(0, maxListedFields)
      .map(({ field, rule }) => `${words.fieldsGerman[field] ?? field} ${rule}`);
    return { sentence: words.notYet(list.join('; ')), fields: fieldTexts };
  }
  const general = words.statusGerman[status] ?? say.requestFailed(status);
  if (message === '') return { sentence: general, fields: fieldTexts };
  return { sentence: h(Fragment, null, general, ' ', englishSpan(message)), fields: fieldTexts };
}

function formatTemplate(wordings: Templates, reason: Refusal | Rule | undefined): string | null {
  if (reason === undefined || !Object.hasOwn(wordings, reason.name)) return null;
  return wordings[reason.name]?.(reason as never) ?? null;
}

const markFields = (fields: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(fields).map(([field, fault]) => [field, englishSpan(fault)]));
