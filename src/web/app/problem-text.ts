import { Fragment, h } from 'preact';
import type { Problem } from '../../core/health/problems.ts';
import { findText, language } from '../locales/locale.ts';
import type { Translator } from '../locales/translator.ts';
import { type DisplayText, inLanguage, translateProblem } from './error-text.ts';

/** A problem as the API sends it: its code may be that of a newer daemon. */
type SentProblem = Omit<Problem, 'code'> & { readonly code: string };
type Texts = Pick<Translator, 'findText' | 'language'>;

const ownTexts: Texts = { findText, language };

/** Text of a problem in the page's language; a text without a code is the daemon's English one, marked with its language. */
export const formatProblem = (problem: SentProblem, texts: Texts = ownTexts): DisplayText =>
  translateProblem(problem, texts) ?? inLanguage(texts.language, problem.message);

/** Texts of problems in a row; null without a problem. */
export function formatProblems(
  problems: readonly SentProblem[],
  texts: Texts = ownTexts,
): DisplayText | null {
  if (problems.length === 0) return null;
  return h(
    Fragment,
    null,
    ...problems.flatMap((problem) => [formatProblem(problem, texts), ' ']).slice(0, -1),
  );
}
