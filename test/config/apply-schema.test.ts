import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import Type, { type Static } from 'typebox';
import { expect, test } from 'vitest';
import { applySchema } from '../../src/config/apply-schema.ts';
import { schemaWith } from '../../src/config/schema.ts';
import { Bool, Enum, Group, Int, List, Num, Optional, Text } from '../../src/config/schema-builders.ts';
import { settingsGroups } from '../../src/extensions/all.ts';
import { propertyRuns } from '../kit/slow.ts';

const ajv = new Ajv2020({ allErrors: true, useDefaults: true });
ajv.addVocabulary(['unit', 'secret', 'pageDefault']);
const schema = schemaWith(settingsGroups);
const isConfig = ajv.compile(schema);

type Plain = { readonly [key: string]: unknown } & {
  readonly properties?: Record<string, Plain>;
  readonly items?: Plain;
};

/** Arbitrary values for a setting: valid ones, nearly valid ones, and any JSON. */
function valuesNear(schema: Plain): fc.Arbitrary<unknown> {
  const { minimum, maximum, exclusiveMinimum } = schema as Record<string, number | undefined>;
  const edges = [minimum, maximum, exclusiveMinimum].filter((edge) => edge !== undefined);
  const sized = [schema.minLength, schema.maxLength].filter((size) => typeof size === 'number');
  const choices: fc.Arbitrary<unknown>[] = [
    fc.constantFrom(schema.default ?? 1, true, 'pull-up', 'flow0', '🍺', 'a b', null),
    fc.jsonValue({ maxDepth: 1 }),
    ...edges.map((edge) => fc.constantFrom(edge - 1, edge - 0.5, edge, edge + 0.5, edge + 1)),
    ...sized.map((size) => fc.constantFrom('x'.repeat(size), 'x'.repeat(size + 1), '🍺'.repeat(size))),
  ];
  if (Array.isArray(schema.enum)) choices.push(fc.constantFrom(...schema.enum));
  if (schema.items !== undefined) choices.push(fc.array(valuesNear(schema.items), { maxLength: 3 }));
  if (schema.properties !== undefined) {
    const keys = Object.fromEntries(
      Object.entries(schema.properties).map(([key, child]) => [key, valuesNear(child)]),
    );
    const group = fc.record({ ...keys, unknown: fc.constant(1) }, { requiredKeys: [] });
    return fc.oneof({ weight: 9, arbitrary: group }, { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 1 }) });
  }
  return fc.oneof(...choices);
}

test('applySchema and a JSON Schema validator agree on configurations, including defaults', () => {
  fc.assert(
    fc.property(valuesNear(schema as unknown as Plain), (data) => {
      const ours = structuredClone(data);
      const theirs = structuredClone(data);
      const faults = applySchema(ours, schema);
      expect(faults.length === 0).toBe(isConfig(theirs));
      if (faults.length === 0) expect(ours).toEqual(theirs);
    }),
    { numRuns: propertyRuns(300) },
  );
});

test('applySchema and a JSON Schema validator agree on each single setting', () => {
  const settings = Object.entries(schema.properties as unknown as Record<string, Plain>).flatMap(
    ([section, schema]) =>
      schema.properties === undefined
        ? [valuesNear(schema).map((value) => ({ [section]: value }))]
        : Object.entries(schema.properties).map(([key, child]) =>
            valuesNear(child).map((value) => ({ [section]: { [key]: value } })),
          ),
  );
  let right = 0;
  fc.assert(
    fc.property(fc.oneof(...settings), (data) => {
      const ours = structuredClone(data);
      const theirs = structuredClone(data);
      const isRight = applySchema(ours, schema).length === 0;
      expect(isRight).toBe(isConfig(theirs));
      if (!isRight) return;
      right += 1;
      expect(ours).toEqual(theirs);
    }),
    { numRuns: propertyRuns(2_000) },
  );
  // Enough valid values, because a property that sees only faults proves little.
  expect(right).toBeGreaterThan(propertyRuns(200));
});

test('the schema builders create the same JSON Schema and types as typebox', () => {
  const about = { description: 'beer' };
  const ours = Group({
    name: Text({ maxLength: 9, ...about }),
    pin: Int({ minimum: 0, ...about }),
    ml: Optional(Num({ exclusiveMinimum: 0, ...about })),
    open: Bool({ default: false, ...about }),
    edge: Enum(['falling', 'rising'], { default: 'falling', ...about }),
    taps: List(Group({}), { maxItems: 2, default: [], ...about }),
  });
  const theirs = Type.Object(
    {
      name: Type.String({ maxLength: 9, ...about }),
      pin: Type.Integer({ minimum: 0, ...about }),
      ml: Type.Optional(Type.Number({ exclusiveMinimum: 0, ...about })),
      open: Type.Boolean({ default: false, ...about }),
      edge: Type.Enum(['falling', 'rising'], { default: 'falling', ...about }),
      taps: Type.Array(Type.Object({}, { additionalProperties: false }), {
        maxItems: 2,
        default: [],
        ...about,
      }),
    },
    { additionalProperties: false },
  );
  const plain = (schema: object) => ({ required: [], ...JSON.parse(JSON.stringify(schema)) });
  expect(plain(ours.properties.name)).toEqual(plain(theirs.properties.name));
  for (const key of ['pin', 'ml', 'open', 'edge'] as const) {
    expect(plain(ours.properties[key])).toEqual(plain(theirs.properties[key]));
  }
  expect(ours).toMatchObject({ type: 'object', additionalProperties: false });
  expect((ours as unknown as Plain).required).toEqual((theirs as unknown as Plain).required);
  // Checked by the compiler: both have the same type.
  const value: Static<typeof theirs> = { name: 'a', pin: 1, open: true, edge: 'rising', taps: [] };
  const same: Static<typeof ours> = value;
  expect(same.edge).toBe('rising');
});

test('at most a hundred faults are listed', () => {
  const faults = applySchema({ meters: Array.from({ length: 64 }, () => ({ prot: 'flow0' })) }, schema);
  expect(faults).toHaveLength(101);
  expect(faults.at(-1)).toBe('… and 92 more faults.');
});
