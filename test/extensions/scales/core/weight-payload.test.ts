import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { mqttTopicFault, parseWeight } from '../../../../src/extensions/scales/core/weight-payload.ts';

const grams = { payloadField: '', unit: 'g' } as const;
const weight = (weightG: number, tempC: number | null = null) => ({ kind: 'weight', weightG, tempC });

describe('a weight', () => {
  test('is a plain number, as ESPHome publishes it', () => {
    expect(parseWeight('12345.6', grams)).toEqual(weight(12_345.6));
    expect(parseWeight(' 40.5\n', { payloadField: '', unit: 'kg' })).toEqual(weight(40_500));
    expect(parseWeight('1e3', grams)).toEqual(weight(1_000));
    expect(parseWeight('38.250000000000004', { payloadField: '', unit: 'kg' })).toMatchObject({
      kind: 'weight',
      weightG: expect.closeTo(38_250, 6),
    });
    expect(parseWeight(`1.${'0'.repeat(21)}`, grams)).toMatchObject({ fault: 'not_a_number' });
  });

  test('is a field of a JSON object, with a temperature beside it', () => {
    const field = { payloadField: 'weight', unit: 'kg' } as const;
    expect(parseWeight('{"weight": 40.5, "temperature": 4.2}', field)).toEqual(weight(40_500, 4.2));
    expect(parseWeight('{"weight": "40.5"}', field)).toEqual(weight(40_500));
    expect(parseWeight('{"keg": {"weight": 12}}', { payloadField: 'keg.weight', unit: 'kg' })).toEqual(
      weight(12_000),
    );
    expect(parseWeight('{"keg.weight": 12}', { payloadField: 'keg.weight', unit: 'kg' })).toEqual(
      weight(12_000),
    );
  });

  test('comes from a Plaato Keg by open-plaato-keg, whose numbers are texts', () => {
    const message = '{"beer_left_unit": "kg", "keg_temperature": "4.875", "amount_left": "15.802"}';
    const field = { payloadField: 'amount_left', unit: 'kg' } as const;
    expect(parseWeight(message, field)).toEqual(weight(15_802, 4.875));
  });

  test('of an empty platform that drifted below zero is zero', () => {
    expect(parseWeight('-150', grams)).toEqual(weight(0));
  });
});

test.each([
  ['not_a_number', '', grams],
  ['not_a_number', 'nan', grams],
  ['not_a_number', 'unavailable', grams],
  ['not_a_number', '0x10', grams],
  ['not_a_number', 'Infinity', grams],
  ['out_of_range', '300001', grams],
  ['out_of_range', '301', { payloadField: '', unit: 'kg' }],
  ['out_of_range', '-2001', grams],
  ['not_json', 'twelve', { payloadField: 'w', unit: 'g' }],
  ['not_json', 'null', { payloadField: 'w', unit: 'g' }],
  ['no_field', '{"v": 12}', { payloadField: 'w', unit: 'g' }],
  ['no_field', '{"v": 12}', { payloadField: 'toString', unit: 'g' }],
  ['not_a_number', '{"w": true}', { payloadField: 'w', unit: 'g' }],
  ['not_a_number', '{"w": null}', { payloadField: 'w', unit: 'g' }],
  ['too_long', '1'.repeat(5_000), grams],
] as const)('is broken by %s: %s', (fault, payload, format) => {
  expect(parseWeight(payload, format)).toEqual({ kind: 'broken', fault });
});

test('any message is a weight from 0 to 300 kg, or broken', () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.string(), fc.json(), fc.double().map(String)),
      fc.string(),
      (payload, payloadField) => {
        const message = parseWeight(payload, { payloadField, unit: 'kg' });
        if (message.kind === 'weight') {
          expect(message.weightG).toBeGreaterThanOrEqual(0);
          expect(message.weightG).toBeLessThanOrEqual(300_000);
        }
      },
    ),
  );
});

test.each([
  ['', true],
  ['keg-scale/sensor/weight/state', true],
  ['bar/+/weight', false],
  ['bar/#', false],
  ['$SYS/broker', false],
])('“%s” is a topic: %s', (topic, isTopic) => {
  expect(mqttTopicFault(topic) === null).toBe(isTopic);
});
