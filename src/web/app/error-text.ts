import { Fragment, h, type JSX } from 'preact';
import type { Problem } from '../../core/health/problems.ts';
import type { Refusal, Rule } from '../../core/reasons.ts';
import { findText, language, t } from '../locales/locale.ts';
import type { Translator } from '../locales/translator.ts';

type Texts = Pick<Translator, 't' | 'findText' | 'language'>;

/** Text to show: in the user's language, or the daemon's English text marked with its language. */
export type DisplayText = string | JSX.Element;

/** Error of a response; everything but the status is optional. */
interface ApiError {
  readonly status: number;
  readonly message?: string;
  readonly fields?: Readonly<Record<string, string>>;
  readonly reason?: Refusal;
  readonly rules?: Readonly<Record<string, Rule>>;
  /** What does not work, if the request failed because of it; its code may be that of a newer daemon. */
  readonly problem?: Omit<Problem, 'code'> & { readonly code: string };
}

/** Texts of an error: one sentence, and one text for each field with a validation error. */
export interface ErrorText {
  readonly sentence: DisplayText;
  readonly fields: Readonly<Record<string, DisplayText>>;
}

/** More fields would make the sentence too long; each error is also shown beside its field. */
const maxListedFields = 3;
/** From this number of seconds on a wait is given in minutes. */
const minSecondsInMinutes = 100;
/** From this number of minutes on a wait is given in hours. */
const minMinutesInHours = 100;
/** From this number of KiB on a size is given in MiB. */
const minKilobytesInMegabytes = 4_000;

/** Marks an English text with `lang` for screen readers when the page is in another language. */
export const markEnglish = (text: string): DisplayText => inLanguage(language, text);

/** Marks an English text with `lang` when the page is in another language. */
export const inLanguage = (pageLanguage: string, text: string): DisplayText =>
  pageLanguage === 'en' ? text : h('span', { lang: 'en' }, text);

/** Returns the texts of an error in the page's language. */
export const toErrorText = (error: ApiError): ErrorText =>
  linkToHttps(error, translateError(error, { t, findText, language }));

/** Makes the address over HTTPS a link: a tablet may show no address bar. */
function linkToHttps({ reason }: ApiError, text: ErrorText): ErrorText {
  if (reason?.name !== 'https_required' || typeof text.sentence !== 'string') return text;
  const { address } = reason;
  const [before, after] = text.sentence.split(address);
  if (before === undefined || after === undefined || !address.startsWith('https://')) return text;
  const href = `${address}${location.pathname}`;
  return { ...text, sentence: h(Fragment, null, before, h('a', { href }, address), after) };
}

/** Returns the texts of an error in the language of `texts` where the reason is known, else in English. */
export function translateError(
  { status, message = '', fields = {}, reason, rules = {}, problem }: ApiError,
  texts: Texts,
): ErrorText {
  const errors = Object.entries(fields).map(([field, message]) => {
    const rule = translateReason('daemon.rules', rules[field], texts);
    return { field, rule, text: rule ?? inLanguage(texts.language, message) };
  });
  const fieldTexts = Object.fromEntries(errors.map(({ field, text }) => [field, text]));
  const problemText = problem && translateProblem(problem, texts);
  const facts = problemText === undefined ? {} : { problem: problemText };
  const reasonText =
    translateReason('daemon.refusals', reason && { ...reason, ...facts }, texts) ?? problemText;
  if (reasonText !== undefined) return { sentence: reasonText, fields: fieldTexts };
  if (errors.length > 0 && errors.every(({ rule }) => rule !== undefined)) {
    const faults = errors
      .slice(0, maxListedFields)
      .map(({ field, rule }) => `${translateField(field, texts)} ${rule}`)
      .join('; ');
    return { sentence: texts.findText('daemon.errors', 'fields', { faults }) ?? faults, fields: fieldTexts };
  }
  const general = texts.findText('daemon.statuses', status) ?? texts.t('app.requestFailed', { status });
  if (message === '') return { sentence: general, fields: fieldTexts };
  if (texts.language === 'en') return { sentence: message, fields: fieldTexts };
  const english = inLanguage(texts.language, message);
  return { sentence: h(Fragment, null, general, ' ', english), fields: fieldTexts };
}

/** Text of a reason or rule with its facts; undefined when the catalogue does not know it. */
function translateReason(
  group: 'daemon.refusals' | 'daemon.rules',
  reason: Refusal | Rule | undefined,
  texts: Texts,
): string | undefined {
  if (reason === undefined) return undefined;
  const { findText } = texts;
  if (reason.name === 'pin_paused' && reason.seconds >= minSecondsInMinutes) {
    return findText(group, 'pin_paused_minutes', { minutes: Math.ceil(reason.seconds / 60) });
  }
  if (reason.name === 'picture_quota' && reason.minutes >= minMinutesInHours) {
    return findText(group, 'picture_quota_hours', { ...reason, hours: Math.ceil(reason.minutes / 60) });
  }
  if (reason.name === 'too_large')
    return findText(group, reason.name, { size: formatSize(reason.kilobytes) });
  if (reason.name === 'either') {
    return findText(group, reason.name, { other: translateField(reason.other, texts) });
  }
  return findText(group, reason.name, reason);
}

/** Text of a problem in the language of `texts`; undefined for a text without a code that the catalogue knows. */
export const translateProblem = (
  { code, params }: NonNullable<ApiError['problem']>,
  { findText }: Pick<Texts, 'findText'>,
): string | undefined =>
  findText('daemon.problemTexts', code, params) ?? findText('daemon.refusals', code, params);

const formatSize = (kilobytes: number): string =>
  kilobytes < minKilobytesInMegabytes ? `${kilobytes} KiB` : `${Math.floor(kilobytes / 1024)} MiB`;

/** Name of a field on the page; a field without one keeps its API name. */
const translateField = (field: string, { findText }: Texts): string =>
  findText('daemon.fields', field) ?? findText('audit.fields', field) ?? field;
