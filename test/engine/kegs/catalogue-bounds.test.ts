import { expect, test } from 'vitest';
import type { AppError } from '../../../src/core/app-error.ts';
import { systemActor } from '../../../src/engine/shared/audit.ts';
import { at, openBar } from '../bar.ts';

const { engine, keg } = openBar();
const context = { actor: systemActor, now: at(0) };

/** The fields that are refused when the lager gets this value. */
function refusedFields(change: object): readonly string[] {
  try {
    engine.catalogue.changeBeverage(keg.beverageId, change, context);
    return [];
  } catch (fault) {
    return Object.keys((fault as AppError).fields ?? {});
  }
}

test.each([
  ['abvPercent', 'abv_percent', 0, 100],
  ['caloriesPerMl', 'calories_per_ml', 0, 100],
  ['carbsPerMl', 'carbs_per_ml', 0, 100],
  ['originalGravity', 'original_gravity', 0.99, 1.2],
  ['specificGravity', 'specific_gravity', 0.99, 1.2],
  ['srm', 'srm', 0, 1_000],
  ['ibu', 'ibu', 0, 10_000],
  ['starRating', 'star_rating', 0, 5],
])('%s of a beverage is refused as %s below %s and above %s', (name, field, least, most) => {
  for (const value of [least, most, null]) expect(refusedFields({ [name]: value })).toEqual([]);
  for (const value of [least - 0.001, most + 0.001, Number.NaN])
    expect(refusedFields({ [name]: value })).toEqual([field]);
});

test.each([
  ['name', 'name', 1, 255],
  ['style', 'style', 0, 255],
  ['description', 'description', 0, 10_000],
  ['allergens', 'allergens', 0, 255],
])(
  '%s of a beverage is refused as %s with fewer than %s or more than %s characters',
  (name, field, least, most) => {
    for (const length of [least, most]) expect(refusedFields({ [name]: 'x'.repeat(length) })).toEqual([]);
    for (const length of [least - 1, most + 1])
      if (length >= 0) expect(refusedFields({ [name]: 'x'.repeat(length) })).toEqual([field]);
  },
);

test.each([
  ['name', 1, 255],
  ['originState', 0, 128],
  ['originCity', 0, 128],
  ['description', 0, 10_000],
])('%s of a producer is refused with fewer than %s or more than %s characters', (name, least, most) => {
  const { id } = engine.catalogue.addProducer({ name: 'Schwarz' });
  const change = (length: number) =>
    engine.catalogue.changeProducer(id, { [name]: 'x'.repeat(length) }, context);
  const invalid = expect.objectContaining({ code: 'invalid_request' });
  for (const length of [least, most]) expect(() => change(length)).not.toThrow();
  for (const length of [least - 1, most + 1].filter((one) => one >= 0))
    expect(() => change(length)).toThrow(invalid);
});
