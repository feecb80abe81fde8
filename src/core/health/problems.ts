import type { Messages } from '../locales/messages.ts';
import { problemTexts } from '../locales/problem-texts.ts';
import { createTranslator, type MessageValues } from '../locales/translator.ts';
import type { Refusals } from '../reasons.ts';

/** Codes of the problems; their texts are the keys `daemon.problemTexts.<code>` of the catalogues. */
export type ProblemCode = keyof typeof problemTexts;

/** The facts that the text of a code contains. */
type ProblemParams<Code extends ProblemCode> = Messages[`daemon.problemTexts.${Code}`];

/** Something that does not work, for people in every language. */
export interface Problem {
  /** The code of its text, the name of a refusal, or `text` for a text of the system or of another server, which has no code. */
  readonly code: ProblemCode | keyof Refusals | 'text';
  /** The facts of the text. */
  readonly params: MessageValues;
  /** The English text: what does not work and what to do. For logs, and for programs that do not know the code. */
  readonly message: string;
}

const english = createTranslator<Record<ProblemCode, MessageValues>>('en', problemTexts);

/** Creates a problem with its English text. */
export function createProblem<Code extends ProblemCode>(
  code: Code,
  ...[params]: keyof ProblemParams<Code> extends never ? [] : [params: ProblemParams<Code>]
): Problem {
  const values: Problem['params'] = params ?? {};
  return { code, params: values, message: english.t(code as ProblemCode, values) };
}

/** The problem of a text that has no code. */
export const textProblem = (message: string): Problem => ({ code: 'text', params: {}, message });

/** The English texts of problems, each once; null without a problem. */
export function joinMessages(problems: readonly Problem[]): string | null {
  return problems.length === 0 ? null : [...new Set(problems.map(({ message }) => message))].join(' ');
}
