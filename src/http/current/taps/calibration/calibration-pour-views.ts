import Type from 'typebox';
import { beerTempRange, gravityRange } from '../../../../core/kegs/beer-volume.ts';
import {
  Closed,
  DurationSeconds,
  Id,
  IsoSeconds,
  Maybe,
  Nullable,
  named,
  Ticks,
  VolumeMl,
} from '../../../routes/schemas.ts';
import { CurveJson, Hz } from './curve-views.ts';

/** Defaults for final gravity and temperature. */
export const usualGravity = 1.01;
export const usualTempC = 5;

const grams = (description: string) =>
  Type.Number({ minimum: 0, maximum: 1_000_000, 'x-unit': 'g', description });

/** A pour measured in a jug or on a scale. */
export const MeasuredJson = Closed({
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
  hz: Maybe(
    Nullable({
      ...Hz,
      description: 'Rate of its ticks, as the list of pours tells it; pours at two rates are compared.',
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

const rateGroup = (description: string) =>
  Closed(
    {
      hz: { ...Hz, description: 'Mean rate of these pours.' },
      ticks_per_ml: ticksPerMl('Their factor, in ticks per millilitre.'),
      pours: Type.Integer({ minimum: 1, description: 'Number of these pours.' }),
    },
    { description },
  );

const RatesJson = named(
  'CalibrationRates',
  Closed(
    {
      low: rateGroup('The slower pours.'),
      high: rateGroup('The faster pours.'),
      difference: fraction('How much more the meter ticks at the higher rate'),
      is_different: Type.Boolean({
        description:
          'True when the difference is above three standard uncertainties: one factor cannot serve both.',
      }),
      curve: CurveJson,
      ticks_per_ml: ticksPerMl('Factor of that curve at the usual rate of the tap, in ticks per millilitre.'),
      uncertainty: fraction('Half width of the 95 % interval of the curve'),
    },
    { description: 'Measured pours at two rates, the higher at least 1.5 times the lower.' },
  ),
);

export const EstimateJson = named(
  'CalibrationEstimate',
  Closed(
    {
      ticks_per_ml: ticksPerMl('Estimated calibration factor in ticks per millilitre.'),
      ticks_per_ml_before: ticksPerMl('Calibration factor in use, in ticks per millilitre.'),
      spread: Nullable(fraction('Spread of the pours; null for a single one')),
      uncertainty: fraction('Half width of the 95 % interval of the factor'),
      wanted_uncertainty: fraction('Half width that is wanted'),
      more_pours: Nullable(
        Type.Integer({
          minimum: 0,
          description:
            'Further pours like these that bring it to the wanted half width, 0 when it is reached; null when no number of them does.',
        }),
      ),
      limited_by: Nullable(
        Type.Enum(['jug', 'gravity', 'scale'], {
          description:
            'What all pours have in common and keeps the half width above the wanted one, however many there are: the marks of the jug, the unknown final gravity, or the scale. Null when nothing does.',
        }),
      ),
      hz: Nullable(
        Type.Number({
          exclusiveMinimum: 0,
          'x-unit': 'Hz',
          description: 'Mean rate of the pours in ticks per second; null unless that of each is given.',
        }),
      ),
      offset_ticks: Nullable(
        Type.Number({
          'x-unit': 'ticks',
          description:
            'Ticks that each pour has besides its volume; null unless four pours differ in size by a factor of 3.',
        }),
      ),
      offset_uncertainty: Nullable(
        Type.Number({
          minimum: 0,
          'x-unit': 'ticks',
          description: 'Half width of the 95 % interval of `offset_ticks`; null without it.',
        }),
      ),
      rates: Nullable(RatesJson),
      pours: Type.Array(
        Closed({
          ticks: Ticks,
          volume_ml: VolumeMl,
          ticks_per_ml: ticksPerMl('Factor by this pour alone, in ticks per millilitre.'),
          deviation: fraction('Deviation from the estimate'),
          is_outlier: Type.Boolean({
            description:
              'True when it deviates from the others more than they from each other; from those of about its rate, where rates differ.',
          }),
        }),
        { description: 'The measured pours, in the order of the request.' },
      ),
    },
    { description: 'An estimated calibration factor.' },
  ),
);

const temperature = (description: string) => Type.Number({ 'x-unit': '°C', description });

export const PourJson = named(
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
      hz: Nullable({ ...Hz, description: 'Mean rate of its ticks; null without exact times of them.' }),
      has_gas: Type.Boolean({
        description: 'True when gas or foam was found in it: it is of no use for calibration.',
      }),
      temp_c: Nullable(temperature('Temperature of the tap’s line at the pour; null without a reading.')),
      usual_temp_c: Nullable(
        temperature(
          'Median of that line over the two weeks before; null with less than 24 hours of readings.',
        ),
      ),
      is_warm: Type.Boolean({
        description:
          'True when it was more than 5 °C warmer than usual: thinner beer and water tick differently.',
      }),
    },
    { description: 'A pour that the meter counted.' },
  ),
);
