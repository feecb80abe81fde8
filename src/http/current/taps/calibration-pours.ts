import Type, { type Static } from 'typebox';
import { AppError } from '../../../core/app-error.ts';
import { beerTempRange, gravityRange, volumeOfWeight } from '../../../core/kegs/beer-volume.ts';
import { estimateCalibration } from '../../../core/measurement/weighed-pours.ts';
import type { Drink, FlowMeter } from '../../../core/records.ts';
import type { Engine } from '../../../engine/engine.ts';
import { validationError } from '../../routes/input-values.ts';
import { defineRoute, type Route } from '../../routes/route.ts';
import {
  Closed,
  DurationSeconds,
  Id,
  IsoSeconds,
  isoSeconds,
  Maybe,
  Nullable,
  named,
  Open,
  Ticks,
  VolumeMl,
} from '../../routes/schemas.ts';
import { PagingJson, wholeListPaging } from '../shared/paging.ts';

/** Defaults for final gravity and temperature; their error is smaller than the reading error of a measuring jug. */
const usualGravity = 1.01;
const usualTempC = 5;

/** The newest 100 drinks and the newest 100 held pours are searched; at most 20 are listed. */
const searchLimit = 100;
const listLimit = 20;

const params = Open({ id: Id });

const grams = (description: string) =>
  Type.Number({ minimum: 0, maximum: 1_000_000, 'x-unit': 'g', description });

const MeasuredJson = Closed({
  ticks: Type.Integer({
    minimum: 1,
    maximum: 2_147_483_647,
    'x-unit': 'ticks',
    description: 'Ticks counted during the pour.',
  }),
  volume_ml: Maybe(
    Type.Number({
      exclusiveMinimum: 0,
      maximum: 10_000_000,
      'x-unit': 'mL',
      description: 'Measured volume in millilitres; or give `grams`.',
    }),
  ),
  grams: Maybe(grams('Weight of the full glass in grams, instead of the volume.')),
  tare_grams: Maybe(grams('Weight of the empty glass in grams; 0 by default.')),
  final_gravity: Maybe(
    Type.Number({
      minimum: gravityRange.min,
      maximum: gravityRange.max,
      default: usualGravity,
      description: 'Final gravity of the beer relative to water at 20 °C.',
    }),
  ),
  temp_c: Maybe(
    Type.Number({
      minimum: beerTempRange.min,
      maximum: beerTempRange.max,
      default: usualTempC,
      'x-unit': '°C',
      description: 'Temperature of the beer in the meter, in degrees Celsius.',
    }),
  ),
});

const fraction = (description: string) =>
  Type.Number({ description: `${description}, as a fraction: 0.02 is 2 %.` });
const ticksPerMl = (description: string) =>
  Type.Number({ exclusiveMinimum: 0, 'x-unit': 'ticks/mL', description });

const EstimateJson = named(
  'CalibrationEstimate',
  Closed(
    {
      ticks_per_ml: ticksPerMl('Estimated calibration factor in ticks per millilitre.'),
      ticks_per_ml_before: ticksPerMl('Calibration factor in use, in ticks per millilitre.'),
      spread: Nullable(fraction('Spread of the pours; null for a single one')),
      pours: Type.Array(
        Closed({
          ticks: Ticks,
          volume_ml: VolumeMl,
          ticks_per_ml: ticksPerMl('Factor by this pour alone, in ticks per millilitre.'),
          deviation: fraction('Deviation from the estimate'),
          is_outlier: Type.Boolean({
            description: 'True when it deviates from the others more than they from each other.',
          }),
        }),
        { description: 'The measured pours, in the order of the request.' },
      ),
    },
    { description: 'An estimated calibration factor.' },
  ),
);

const PourJson = named(
  'MeteredPour',
  Closed(
    {
      id: Id,
      ticks: Ticks,
      volume_ml: VolumeMl,
      pour_time: IsoSeconds,
      duration: DurationSeconds,
      ticks_lost: Nullable(
        Type.Integer({
          minimum: 0,
          'x-unit': 'ticks',
          description: 'Ticks known to be missing; null when the source cannot tell.',
        }),
      ),
      rejected_edges: Type.Integer({
        minimum: 0,
        'x-unit': 'edges',
        description: 'Edges rejected as bounce.',
      }),
      is_valid: Type.Boolean({ description: 'False while it is held for review.' }),
      keg_id: Nullable({ ...Id, description: 'Id of the keg it was poured from; null without one.' }),
    },
    { description: 'A pour that the meter counted.' },
  ),
);

/** Estimates a meter's calibration factor from measured pours. Both routes only read. */
export const calibrationPourRoutes: readonly Route[] = [
  defineRoute({
    id: 'listMeterPours',
    method: 'get',
    path: '/flow-meters/{id}/pours',
    summary: 'List a meter’s recent pours, newest first, held pours included',
    description:
      'For calibration: pick a pour of known volume. The newest 100 drinks of the meter’s tap and the newest 100 ' +
      'held pours are searched; at most 20 are listed.',
    access: 'staff',
    accepts: { params },
    replies: {
      status: 200,
      body: Closed({
        paging: PagingJson,
        pours: Type.Array(PourJson, { description: 'The pours, newest first.' }),
      }),
    },
    run({ engine }, { params: { id } }) {
      const pours = listPours(engine, requireMeter(engine, id)).map(pourJson);
      return { paging: wholeListPaging(pours), pours };
    },
  }),
  defineRoute({
    id: 'estimateCalibration',
    method: 'post',
    path: '/flow-meters/{id}/calibration-estimate',
    summary: 'Estimate the calibration factor from pours measured by volume or by weight. Changes nothing',
    description:
      'Give the ticks of each pour and what it measured: `volume_ml`, or `grams` with the weight of the empty ' +
      'glass. Weights are converted with final gravity and temperature. The result is the median, with the spread ' +
      'of the pours; pass it to `calibrate`.',
    access: 'staff',
    accepts: {
      params,
      body: Closed({
        pours: Type.Array(MeasuredJson, {
          minItems: 1,
          maxItems: 50,
          description: 'Measured pours of this meter, 1 to 50.',
        }),
      }),
    },
    replies: { status: 200, body: EstimateJson },
    run({ engine }, { params: { id }, body }) {
      const meter = requireMeter(engine, id);
      const estimate = estimateCalibration(
        body.pours.map((pour, i) => ({ ticks: pour.ticks, volumeMl: toVolumeMl(pour, `pours.${i}`) })),
      );
      if (estimate === null)
        throw validationError('pours', 'must contain a pour with ticks and a volume above 0');
      return {
        ticks_per_ml: estimate.ticksPerMl,
        ticks_per_ml_before: meter.ticksPerMl,
        spread: estimate.spread,
        pours: estimate.pours.map((pour) => ({
          ticks: pour.ticks,
          volume_ml: pour.volumeMl,
          ticks_per_ml: pour.ticksPerMl,
          deviation: pour.deviation,
          is_outlier: pour.isOutlier,
        })),
      };
    },
  }),
];

function toVolumeMl(pour: Static<typeof MeasuredJson>, field: string): number {
  const { volume_ml: volumeMl, grams, tare_grams: tareGrams = 0 } = pour;
  if ((volumeMl === undefined) === (grams === undefined)) {
    throw validationError(`${field}.volume_ml`, 'or grams is required, exactly one of them');
  }
  if (volumeMl !== undefined) return volumeMl;
  if (grams! <= tareGrams)
    throw validationError(`${field}.grams`, 'must be more than the empty glass weighs');
  const { final_gravity: finalGravity = usualGravity, temp_c: tempC = usualTempC } = pour;
  return volumeOfWeight({ grams: grams!, tareGrams, finalGravity, tempC });
}

function requireMeter(engine: Engine, id: number): FlowMeter {
  const meter = engine.hardware.meters().find((one) => one.id === id);
  if (!meter)
    throw new AppError('not_found', `There is no flow meter ${id}.`, { reason: { name: 'not_found' } });
  return meter;
}

function listPours({ lists }: Engine, meter: FlowMeter): Drink[] {
  const limit = searchLimit;
  const recorded = meter.tapId === null ? [] : lists.drinks({ tapId: meter.tapId, limit }).items;
  const held = lists.drinks({ isValid: false, limit }).items;
  return [...recorded, ...held]
    .filter((drink) => drink.meter === meter.name && drink.ticks > 0)
    .toSorted((a, b) => b.id - a.id)
    .slice(0, listLimit);
}

const pourJson = (drink: Drink): Static<typeof PourJson> => ({
  id: drink.id,
  ticks: drink.ticks,
  volume_ml: drink.volumeMl,
  pour_time: isoSeconds(drink.pourTimeMs),
  duration: Math.round(drink.durationMs / 1_000),
  ticks_lost: drink.ticksLost,
  rejected_edges: drink.rejectedEdges,
  is_valid: drink.isValid,
  keg_id: drink.kegId,
});
