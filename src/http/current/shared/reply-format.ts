import Type from 'typebox';
import { omitUndefined } from '../../../core/omit-undefined.ts';
import { ErrorName, formatTexts, reasonTexts, ruleTexts } from '../../routes/error-texts.ts';
import { ProblemJson, problemJson } from '../../routes/problem-json.ts';
import { errorNames, type ReplyFormat } from '../../routes/reply-format.ts';
import { Closed, described, Maybe, named } from '../../routes/schemas.ts';

const fact = Type.Union([Type.String(), Type.Number()]);

/** A name with its facts. The texts say when each name comes. */
const Named = (description: string, texts: Readonly<Record<string, string>>) =>
  Type.Object(
    {
      name: Type.Enum(Object.keys(texts), {
        description: `Stable name; later versions may add some.\n\n${formatTexts(texts)}`,
      }),
    },
    { additionalProperties: fact, description },
  );

const Failure = named(
  'Failure',
  Closed({
    error: Closed(
      {
        code: ErrorName(errorNames),
        message: Type.String({
          description:
            'What is wrong and what to do, one or two sentences for people. English, whatever `Accept-Language` is: programs ' +
            'that speak other languages take `reason` and `rules`.',
        }),
        fields: Maybe(
          Type.Record(Type.String(), Type.String(), {
            description: 'Name of a field or parameter → what is allowed there, for people.',
          }),
        ),
        reason: Maybe(
          named(
            'FailureReason',
            Named(
              'Why the request is refused, with the facts of the reason as further properties.',
              reasonTexts,
            ),
          ),
        ),
        problem: Maybe(described(ProblemJson, 'What does not work, if the request failed because of it.')),
        rules: Maybe(
          Type.Record(
            Type.String(),
            named(
              'BrokenRule',
              Named('What the field must be, with the limits of the rule as further properties.', ruleTexts),
            ),
            {
              description: 'Name of a field or parameter → the rule that it breaks, if the rule has a name.',
            },
          ),
        ),
      },
      { description: 'Why the request failed.' },
    ),
  }),
);

/** The reply format of the current API: `result` on success, `error` with the invalid fields on failure. */
export const currentFormat: ReplyFormat = {
  name: 'current',
  ok: (value) => ({ result: value }),
  okSchema: (body) => Closed({ result: described(body, 'What the operation answers.') }),
  fail(error) {
    const { name, status } = errorNames[error.code];
    const { message, fields, reason, rules, problem } = error;
    return {
      status,
      body: {
        error: {
          code: name,
          message,
          ...omitUndefined({ fields, reason, rules, problem: problem && problemJson(problem) }),
        },
      },
    };
  },
  failSchema: Failure,
  hasReasons: true,
};
