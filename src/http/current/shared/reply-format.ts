import Type from 'typebox';
import { omitUndefined } from '../../../core/omit-undefined.ts';
import { errorNames, type ReplyFormat } from '../../routes/reply-format.ts';
import { Closed, Maybe, named } from '../../routes/schemas.ts';

const fact = Type.Union([Type.String(), Type.Number()]);
const Named = (description: string) =>
  Type.Object(
    { name: Type.String({ description: 'Stable name; new ones may be added.' }) },
    { additionalProperties: fact, description },
  );

const Failure = named(
  'Failure',
  Closed({
    error: Closed({
      code: Type.String({ description: 'Name of the error, for programs.' }),
      message: Type.String({ description: 'What is wrong and what to do, for users.' }),
      fields: Maybe(
        Type.Record(Type.String(), Type.String(), { description: 'Field name → what is allowed there.' }),
      ),
      reason: Maybe(Named('Named reason of the refusal, if there is one, with its parameters.')),
      rules: Maybe(
        Type.Record(Type.String(), Named('Name of the rule, with its limits.'), {
          description: 'Field name → the broken rule, if it has a name.',
        }),
      ),
    }),
  }),
);

/** The reply format of the current API: `result` on success, `error` with the invalid fields on failure. */
export const currentFormat: ReplyFormat = {
  name: 'current',
  ok: (value) => ({ result: value }),
  okSchema: (body) => Closed({ result: body }),
  fail(error) {
    const { name, status } = errorNames[error.code];
    const { message, fields, reason, rules } = error;
    return {
      status,
      body: {
        error: {
          code: name,
          message,
          ...omitUndefined({ fields, reason, rules }),
        },
      },
    };
  },
  failSchema: Failure,
};
