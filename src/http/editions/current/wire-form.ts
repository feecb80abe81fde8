import Type from 'typebox';
import type { WireForm } from '../../routes/edition.ts';
import { errorNames } from '../../routes/error-names.ts';
import { Closed, Maybe, named } from '../../routes/schemas.ts';

const fact = Type.Union([Type.String(), Type.Number()]);
const Named = (description: string) =>
  Type.Object(
    { name: Type.String({ description: 'Stays as it is; new ones are added.' }) },
    { additionalProperties: fact, description },
  );

const Failure = named(
  'Failure',
  Closed({
    error: Closed({
      code: Type.String({ description: 'Name of the error, for machines.' }),
      message: Type.String({ description: 'What is wrong and what to do, for people.' }),
      fields: Maybe(
        Type.Record(Type.String(), Type.String(), { description: 'Field name → what is allowed there.' }),
      ),
      reason: Maybe(Named('Why it is refused, where that has a name, with the facts about it.')),
      rules: Maybe(
        Type.Record(Type.String(), Named('A rule by its name, with its limits.'), {
          description: 'Field name → the rule it breaks, where that has a name.',
        }),
      ),
    }),
  }),
);

/** Success in `result`, failure in `error`, with the fields that did not fit. */
export const currentForm: WireForm = {
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
          ...(fields && { fields }),
          ...(reason && { reason }),
          ...(rules && { rules }),
        },
      },
    };
  },
  failSchema: Failure,
};
