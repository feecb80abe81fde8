import Type from 'typebox';
import type { WireForm } from '../../routes/edition.ts';
import { errorNames } from '../../routes/error-names.ts';
import { Closed, Maybe, named } from '../../routes/schemas.ts';

const Failure = named(
  'Failure',
  Closed({
    error: Closed({
      code: Type.String({ description: 'Name of the error, for machines.' }),
      message: Type.String({ description: 'What is wrong and what to do, for people.' }),
      fields: Maybe(
        Type.Record(Type.String(), Type.String(), { description: 'Field name → what is allowed there.' }),
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
    const fields = error.fields === undefined ? {} : { fields: error.fields };
    return { status, body: { error: { code: name, message: error.message, ...fields } } };
  },
  failSchema: Failure,
};
