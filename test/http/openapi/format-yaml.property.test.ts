import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { formatYaml } from '../../../src/http/openapi/format-yaml.ts';
import { propertyRuns } from '../../kit/slow.ts';

test('a YAML library reads what was formatted', async () => {
  const keys = fc.oneof(fc.string(), fc.constantFrom('yes', 'null', 'a b', '$ref', '200', '-', '#'));
  const { document } = fc.letrec((tie) => ({
    document: fc.oneof(
      { depthSize: 'small' },
      fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null)),
      fc.array(tie('document'), { maxLength: 4 }),
      fc.dictionary(keys, tie('document'), { maxKeys: 4 }),
    ),
  }));
  await fc.assert(
    fc.asyncProperty(document, async (value) => {
      expect(parse(await formatYaml(value))).toEqual(JSON.parse(JSON.stringify(value)));
    }),
    { numRuns: propertyRuns(400) },
  );
});
