import Type from 'typebox';
import { AppError } from '../../../core/app-error.ts';
import { roundMl } from '../../../core/measurement/round-ml.ts';
import { defaultTicksPerMl } from '../../../core/pours/calibration.ts';
import type { Simulator } from '../../ports.ts';
import { defineRoute, type Route } from '../../routes/route.ts';
import { Closed, Maybe } from '../../routes/schemas.ts';
import type { RouteServices } from '../../services.ts';

const MeterName = Type.String({
  minLength: 1,
  maxLength: 256,
  description: 'Full name, such as `pi.flow0`.',
});

const Ticks = Type.Integer({ minimum: 0, 'x-unit': 'ticks', description: 'Number of pulses.' });

/** A tap is open for at most ten minutes: the flow is computed at once, in steps of 1 ms. */
const maxOpenS = 600;

/** Generates pulses on simulated meters; refused when the taps are real. */
export const simulatorRoutes = ({ simulator }: Pick<RouteServices, 'simulator'>): readonly Route[] => [
  defineRoute({
    id: 'simulatePour',
    method: 'post',
    path: '/simulator/pours',
    summary: 'Pour at a simulated tap, as a real meter sees it',
    description:
      'The wheel of the meter follows the flow with a lag, and foam and gas come after the beer when the keg runs empty. The tap is ' +
      'open for as long as `volume_ml` takes, at most ten minutes. Answers at once with what truly flows, so that it can be ' +
      'compared with what is recorded. 409 when the taps are real, 404 for an unknown meter.',
    access: 'loopback',
    accepts: {
      body: Closed({
        meter: MeterName,
        volume_ml: Type.Number({
          minimum: 1,
          maximum: 100_000,
          'x-unit': 'mL',
          description: 'What is poured as long as there is beer.',
        }),
        flow_ml_per_s: Maybe(
          Type.Number({
            minimum: 1,
            maximum: 1_000,
            'x-unit': 'mL/s',
            description: 'Flow of the open tap, 60 by default.',
          }),
        ),
        model: Maybe(
          Type.String({
            minLength: 1,
            maxLength: 64,
            description:
              'Model of the wheel, such as `swissflow-sf800`; the end of it is enough. By default a wheel with the calibration of ' +
              'the meter.',
          }),
        ),
        keg_empties_after_ml: Maybe(
          Type.Number({
            minimum: 0,
            maximum: 100_000,
            'x-unit': 'mL',
            description: 'After so much beer the keg is empty: foam and gas follow.',
          }),
        ),
        gas_ratio: Maybe(
          Type.Number({
            minimum: 0.1,
            maximum: 5,
            description: 'How much faster gas flows than beer, 2 by default.',
          }),
        ),
        foam_first_ml: Maybe(
          Type.Number({
            minimum: 0,
            maximum: 10_000,
            'x-unit': 'mL',
            description: 'So much gas and foam, half of each, come before the beer, as of a fresh keg.',
          }),
        ),
        seed: Maybe(
          Type.Integer({
            minimum: 0,
            maximum: 2_147_483_647,
            description: 'The same seed gives the same pulses; 1 by default.',
          }),
        ),
      }),
    },
    errors: { not_found: [], conflict: ['taps_not_simulated'], too_many: ['queue_full'] },
    replies: {
      status: 202,
      body: Closed({
        meter: MeterName,
        ticks: Ticks,
        seconds: Type.Number({ minimum: 0, 'x-unit': 's', description: 'Seconds until the wheel rests.' }),
        beer_ml: Type.Number({
          minimum: 0,
          'x-unit': 'mL',
          description: 'Beer that passes the meter, that in the foam included.',
        }),
        gas_ml: Type.Number({ minimum: 0, 'x-unit': 'mL', description: 'Gas that passes the meter.' }),
      }),
    },
    run({ engine }, { body }) {
      const { meter } = body;
      const simulated = requireSimulator(simulator, [meter]);
      const { flow_ml_per_s: flowMlPerS = 60, volume_ml: volumeMl } = body;
      if (volumeMl / flowMlPerS > maxOpenS) throw openTooLong();
      const known = engine.taps.hardware.meters().find(({ name }) => name === meter);
      const pour = simulated.pour({
        meter,
        volumeMl,
        flowMlPerS,
        seed: body.seed ?? 1,
        ticksPerMl: known?.ticksPerMl ?? defaultTicksPerMl,
        model: body.model,
        kegEmptiesAfterMl: body.keg_empties_after_ml,
        gasRatio: body.gas_ratio,
        foamFirstMl: body.foam_first_ml,
      });
      return {
        meter,
        ticks: pour.ticks,
        seconds: pour.durationMs / 1_000,
        beer_ml: roundMl(pour.beerMl),
        gas_ml: roundMl(pour.gasMl),
      };
    },
  }),
  defineRoute({
    id: 'simulatePulses',
    method: 'post',
    path: '/simulator/pulses',
    summary: 'Generate pulses on a simulated meter',
    description:
      'For demos and tests: the pulses are counted like those of a real meter and become a pour when they end. ' +
      'Answers at once with the time they take. 409 when the taps are real, 404 for an unknown meter.',
    access: 'loopback',
    accepts: {
      body: Closed({
        meter: MeterName,
        ticks: Type.Integer({
          minimum: 1,
          maximum: 100_000,
          'x-unit': 'ticks',
          description: 'Number of pulses.',
        }),
        hz: Type.Number({ minimum: 0.1, maximum: 2_000, 'x-unit': 'Hz', description: 'Pulses per second.' }),
        echoes: Maybe(
          Type.Array(MeterName, {
            maxItems: 16,
            description: 'Meters that count the same pulses, as with crosstalk between cables.',
          }),
        ),
      }),
    },
    errors: { not_found: [], conflict: ['taps_not_simulated'], too_many: ['queue_full'] },
    replies: {
      status: 202,
      body: Closed({
        meter: MeterName,
        ticks: Type.Integer({ minimum: 1, 'x-unit': 'ticks', description: 'Number of pulses.' }),
        seconds: Type.Number({ minimum: 0, 'x-unit': 's', description: 'Seconds that the pulses take.' }),
      }),
    },
    run(_context, { body }) {
      const { meter, echoes = [] } = body;
      requireSimulator(simulator, [meter, ...echoes]).pulse(body);
      return { meter: body.meter, ticks: body.ticks, seconds: body.ticks / body.hz };
    },
  }),
];

/** Throws `conflict` when the taps are real, `not_found` for a meter that is not simulated. */
function requireSimulator(simulator: Simulator | null, meters: readonly string[]): Simulator {
  if (simulator === null) {
    throw new AppError('conflict', 'The taps are real. Only simulated taps can generate pulses.', {
      reason: { name: 'taps_not_simulated' },
    });
  }
  const unknownMeter = meters.find((name) => !simulator.meters.includes(name));
  if (unknownMeter === undefined) return simulator;
  const available = simulator.meters.join(', ') || 'none';
  throw new AppError('not_found', `No simulated meter is called “${unknownMeter}”. There are: ${available}.`);
}

function openTooLong(): AppError {
  const allowed = `at most what flows in ${maxOpenS} s`;
  return new AppError('invalid_request', `volume_ml must be ${allowed}.`, { fields: { volume_ml: allowed } });
}
