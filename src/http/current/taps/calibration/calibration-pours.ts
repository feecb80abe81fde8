import Type, { type Static } from 'typebox';
import { AppError } from '../../../../core/app-error.ts';
import { volumeOfWeight } from '../../../../core/kegs/beer-volume.ts';
import {
  compareRates,
  type RateComparison,
  type RatedPour,
  type RateGroup,
} from '../../../../core/measurement/compare-rates.ts';
import { factorAtRate, factorRange, meanRate } from '../../../../core/measurement/meter-curve.ts';
import { coverage } from '../../../../core/measurement/uncertainty.ts';
import {
  estimateCalibration,
  jugMarks,
  jugReading,
  type MeasuredPour,
  scaleCommon,
  scaleReadingG,
  unknownGravity,
  wantedUncertainty,
} from '../../../../core/measurement/weighed-pours.ts';
import { parseTickSeries, sumTicks } from '../../../../core/pours/tick-series.ts';
import type { Drink, FlowMeter } from '../../../../core/records.ts';
import type { Engine, LineTemperature } from '../../../../engine/engine.ts';
import { validationError } from '../../../routes/input-values.ts';
import { defineRoute, type Route } from '../../../routes/route.ts';
import { Closed, Id, isoSeconds, Maybe, Open } from '../../../routes/schemas.ts';
import { PagingJson, wholeListPaging } from '../../shared/paging.ts';
import { EstimateJson, MeasuredJson, PourJson, usualGravity, usualTempC } from './calibration-pour-views.ts';
import { curveJson } from './curve-views.ts';

/** The newest 100 drinks and the newest 100 held pours are searched; at most 20 are listed. */
const searchLimit = 100;
const listLimit = 20;

const params = Open({ id: Id });

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
      const meter = requireMeter(engine, id);
      const drinks = listPours(engine, meter);
      const times = drinks.map(({ pourTimeMs }) => pourTimeMs);
      const line = meter.tapId === null ? [] : engine.temperatures.lines.atTap(meter.tapId, times);
      const pours = drinks.map((drink, i) => pourJson(drink, line[i] ?? unknownTemperature));
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
      'glass. Weights are converted with final gravity and temperature. The result is all ticks divided by all millilitres, ' +
      'with its 95 % interval and the spread of the pours; pass it to `calibrate`. Without `final_gravity` a weight is ' +
      'uncertain by 0.4 %.',
    access: 'staff',
    accepts: {
      params,
      body: Closed({
        pours: Type.Array(MeasuredJson, {
          minItems: 1,
          maxItems: 50,
          description: 'Measured pours of this meter, 1 to 50.',
        }),
        wanted_uncertainty: Maybe(
          Type.Number({
            minimum: 0.001,
            maximum: 0.1,
            default: wantedUncertainty,
            description: 'Wanted half width of the 95 % interval, as a fraction.',
          }),
        ),
      }),
    },
    replies: { status: 200, body: EstimateJson },
    run({ engine }, { params: { id }, body }) {
      const meter = requireMeter(engine, id);
      const wanted = body.wanted_uncertainty ?? wantedUncertainty;
      const common = findCommon(body.pours);
      const measured = body.pours.map((pour, i) => toMeasured(pour, `pours.${i}`));
      const estimate = estimateCalibration(measured, { wanted, uCommon: common.u });
      if (estimate === null)
        throw validationError('pours', 'must contain a pour with ticks and a volume above 0');
      const rated = measured.map((pour, i) => ({ ...pour, hz: body.pours[i]!.hz ?? null }));
      const comparison = compareRates(rated);
      return {
        ticks_per_ml: estimate.ticksPerMl,
        ticks_per_ml_before: meter.ticksPerMl,
        spread: estimate.spread,
        uncertainty: estimate.uncertainty,
        wanted_uncertainty: wanted,
        more_pours: estimate.morePours,
        limited_by: coverage * common.u > wanted ? common.cause : null,
        hz: meanHz(rated),
        offset_ticks: estimate.line?.offsetTicks ?? null,
        offset_uncertainty: estimate.line?.offsetUncertainty ?? null,
        rates:
          comparison && ratesJson(comparison, { uCommon: common.u, usualHz: findUsualHz(engine, meter) }),
        pours: estimate.pours.map((pour, i) => ({
          ticks: pour.ticks,
          volume_ml: pour.volumeMl,
          ticks_per_ml: pour.ticksPerMl,
          deviation: pour.deviation,
          is_outlier: comparison?.isDifferent ? comparison.outliers[i]! : pour.isOutlier,
        })),
      };
    },
  }),
];

type Measured = Static<typeof MeasuredJson>;

/** Ticks per second of all pours; null unless the rate of each is known. */
function meanHz(pours: readonly RatedPour[]): number | null {
  const ticks = pours.reduce((sum, pour) => sum + pour.ticks, 0);
  const seconds = pours.reduce(
    (sum, pour) => sum + (pour.hz === null ? Number.NaN : pour.ticks / pour.hz),
    0,
  );
  return seconds > 0 ? ticks / seconds : null;
}

/** The measured volume with the uncertainty of reading it. */
function toMeasured(pour: Measured, field: string): MeasuredPour {
  const volumeMl = toVolumeMl(pour, field);
  const uMl = pour.grams === undefined ? jugReading * volumeMl : scaleReadingG;
  return { ticks: pour.ticks, volumeMl, uMl };
}

/** What all pours have in common: the largest part counts, since a jug's error and that of a density do not cancel. */
function findCommon(pours: readonly Measured[]) {
  if (pours.some(({ grams }) => grams === undefined)) return { u: jugMarks, cause: 'jug' as const };
  if (pours.some((pour) => pour.final_gravity === undefined))
    return { u: Math.hypot(scaleCommon, unknownGravity), cause: 'gravity' as const };
  return { u: scaleCommon, cause: 'scale' as const };
}

function toVolumeMl(pour: Measured, field: string): number {
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

export function requireMeter(engine: Engine, id: number): FlowMeter {
  const meter = engine.taps.hardware.meters().find((one) => one.id === id);
  if (!meter)
    throw new AppError('not_found', `There is no flow meter ${id}.`, { reason: { name: 'not_found' } });
  return meter;
}

/** The usual rate of the meter's tap, once it has been learned. */
export function findUsualHz({ drinks: { pours } }: Engine, meter: FlowMeter): number | null {
  const openRate = pours.meterFacts(meter.name)?.openRate ?? null;
  return openRate?.isLearned ? openRate.ticksPerS : null;
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

/** The factor of the curve at the usual rate is shown as that of the meter. */
function ratesJson(
  { low, high, difference, isDifferent, points }: RateComparison,
  { uCommon, usualHz }: { readonly uCommon: number; readonly usualHz: number | null },
): Static<typeof EstimateJson>['rates'] {
  // Such a factor is an input error; the estimate shows it.
  const isMeter = ({ ticksPerMl }: RateGroup) =>
    ticksPerMl >= factorRange.min && ticksPerMl <= factorRange.max;
  if (!isMeter(low) || !isMeter(high)) return null;
  const groupJson = ({ hz, ticksPerMl, pours }: RateGroup) => ({ hz, ticks_per_ml: ticksPerMl, pours });
  return {
    low: groupJson(low),
    high: groupJson(high),
    difference,
    is_different: isDifferent,
    curve: curveJson({ points, offsetTicks: 0 }),
    ticks_per_ml: factorAtRate({ points }, usualHz ?? high.hz),
    uncertainty: coverage * Math.hypot(Math.max(low.u, high.u), uCommon),
  };
}

const unknownTemperature = { tempC: null, usualC: null, isWarm: false };

const pourJson = (drink: Drink, { tempC, usualC, isWarm }: LineTemperature): Static<typeof PourJson> => ({
  id: drink.id,
  ticks: drink.ticks,
  volume_ml: drink.volumeMl,
  pour_time: isoSeconds(drink.pourTimeMs),
  duration: Math.round(drink.durationMs / 1_000),
  ticks_lost: drink.ticksLost,
  rejected_edges: drink.rejectedEdges,
  is_valid: drink.isValid,
  keg_id: drink.kegId,
  hz: findRate(drink),
  has_gas: drink.gasOnsetMs !== null || drink.foamTicks > 0,
  temp_c: tempC,
  usual_temp_c: usualC,
  is_warm: isWarm,
});

/** Only pins give each tick its own time. */
function findRate({ source, series, ticks }: Drink): number | null {
  const pairs = source === 'pin' && series !== null ? parseTickSeries(series) : null;
  return pairs === null || sumTicks(pairs) !== ticks ? null : meanRate(pairs);
}
