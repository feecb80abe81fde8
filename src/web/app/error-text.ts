import { Fragment, h, type JSX } from 'preact';
import type { Refusal, Rule } from '../../core/rules/reasons.ts';
import { say } from '../words/say.ts';

/** Text to show: in the user's language, or the daemon's English text marked with its language. */
export type DisplayText = string | JSX.Element;

/** Error of a response; everything but the status is optional. */
export interface ApiError {
  readonly status: number;
  readonly message?: string;
  readonly fields?: Readonly<Record<string, string>>;
  readonly reason?: Refusal;
  readonly rules?: Readonly<Record<string, Rule>>;
}

/** Texts of an error: one sentence, and one text for each field with a validation error. */
export interface ErrorText {
  readonly sentence: DisplayText;
  readonly fields: Readonly<Record<string, DisplayText>>;
}

/** Text by the name of a reason or rule; the function receives the facts of that name. */
type Templates = Readonly<Record<string, ((facts: never) => string) | undefined>>;

/** More fields would make the sentence too long; each error is also shown beside its field. */
const maxListedFields = 3;

/** Marks an English text with `lang` for screen readers when the page is in another language. */
export function markEnglish(text: string): DisplayText {
  return say.locale === 'en' ? text : englishSpan(text);
}

const englishSpan = (text: string): JSX.Element => h('span', { lang: 'en' }, text);

/** Returns the texts of an error in the user's language where the reason is known, else in English. */
export async function toErrorText(error: ApiError): Promise<ErrorText> {
  const { status, message = '', fields = {} } = error;
  if (say.locale === 'en') return { sentence: message || say.requestFailed(status), fields };
  try {
    const words = await import('../words/refusals-german.ts');
    return toGermanErrorText(error, words);
  } catch {
    // The German texts could not be loaded, most likely because the daemon is offline.
    return {
      sentence: message === '' ? say.requestFailed(status) : englishSpan(message),
      fields: markFields(fields),
    };
  }
}

/** Returns the German texts of an error. */
export function toGermanErrorText(
  { status, message = '', fields = {}, reason, rules = {} }: ApiError,
  words: typeof import('../words/refusals-german.ts'),
): ErrorText {
  const errors = Object.entries(fields).map(([field, message]) => {
    const rule = formatTemplate(words.rulesGerman, rules[field]);
    return { field, rule, text: rule ?? englishSpan(message) };
  });
  const fieldTexts = Object.fromEntries(errors.map(({ field, text }) => [field, text]));
  const reasonText = formatTemplate(words.refusalsGerman, reason);
  if (reasonText !== null) return { sentence: reasonText, fields: fieldTexts };
  if (errors.length > 0 && errors.every(({ rule }) => rule !== null)) {
    const list = errors
      .slice(0, maxListedFields)
      .map(({ field, rule }) => `${words.fieldsGerman[field] ?? field} ${rule}`);
    return { sentence: words.joinFieldErrors(list.join('; ')), fields: fieldTexts };
  }
  const general = words.statusGerman[status] ?? say.requestFailed(status);
  if (message === '') return { sentence: general, fields: fieldTexts };
  return { sentence: h(Fragment, null, general, ' ', englishSpan(message)), fields: fieldTexts };
}

function formatTemplate(templates: Templates, reason: Refusal | Rule | undefined): string | null {
  if (reason === undefined || !Object.hasOwn(templates, reason.name)) return null;
  return templates[reason.name]?.(reason as never) ?? null;
}

const markFields = (fields: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(fields).map(([field, message]) => [field, englishSpan(message)]));
