import { type Static, Type } from 'typebox';
import type { Problem } from '../../core/health/problems.ts';

/** A problem of the machine, which clients show in their own language. */
export const ProblemJson = Type.Object(
  {
    code: Type.String({
      description:
        'Code of the text: a key `daemon.problemTexts` or `daemon.refusals` of the catalogues in `locales`, or `text` for a text ' +
        'of the system or of another server, which has no code.',
    }),
    params: Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()]), {
      description: 'The facts that the text contains.',
    }),
    message: Type.String({ description: 'The text in English: what does not work, and what to do.' }),
  },
  { description: 'Something that does not work.' },
);

export const problemJson = ({ code, params, message }: Problem): Static<typeof ProblemJson> => ({
  code,
  params: { ...params },
  message,
});

export const problemOrNull = (problem: Problem | null): Static<typeof ProblemJson> | null =>
  problem && problemJson(problem);
