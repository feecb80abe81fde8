import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';

const ajv = new Ajv2020({ allErrors: true, strict: false });
formats.default(ajv);

/** Throws what is wrong with a batch by the protocol's own schema. */
export const assertBatch = createAssertion('kegboard-event');

/** Throws what is wrong with an answer by the protocol's own schema. */
export const assertResponse = createAssertion('kegboard-event-response');

function createAssertion(name: string): (value: unknown) => void {
  const file = new URL(`../contract/fixtures/${name}.schema.json`, import.meta.url);
  const check = ajv.compile(JSON.parse(readFileSync(file, 'utf8')));
  return (value) => {
    if (!check(value)) throw new Error(`${ajv.errorsText(check.errors)}: ${JSON.stringify(value)}`);
  };
}
