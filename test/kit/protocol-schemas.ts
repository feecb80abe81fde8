import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';

const ajv = new Ajv2020({ allErrors: true, strict: false });
formats.default(ajv);

/** Throws when a batch does not match the protocol's schema. */
export const assertBatch = createAssertion('kegboard-event');

/** Throws when a response does not match the protocol's schema. */
export const assertResponse = createAssertion('kegboard-event-response');

function createAssertion(name: string): (value: unknown) => void {
  const file = new URL(`../contract/fixtures/${name}.schema.json`, import.meta.url);
  const check = ajv.compile(JSON.parse(readFileSync(file, 'utf8')));
  return (value) => {
    if (!check(value)) throw new Error(`${ajv.errorsText(check.errors)}: ${JSON.stringify(value)}`);
  };
}
