import type { Config } from '../config/schema.ts';
import { AppError } from '../core/app-error.ts';
import { omitUndefined } from '../core/omit-undefined.ts';
import { loadConfig } from '../daemon/load-config.ts';
import { type Command, configOption, readArgs, readNumber, UsageFault } from './command.ts';
import { exitCodes } from './exit-codes.ts';
import { type DaemonResponse, requestDaemon } from './request-daemon.ts';
import { withDatabase } from './with-database.ts';

/** The usual flow of a tap, mL/s. */
const defaultFlowMlPerS = 60;

/** Starts simulated pulses in the running daemon. */
export const simulatePourCommand: Command = {
  help: `Usage: tapster simulate pour --meter METER --ml VOLUME [--ml-per-second FLOW] [--model MODEL]
         [--keg-empties-after VOLUME] [--foam-first VOLUME] [--gas-ratio RATIO] [--seed SEED] [--config FILE]

Makes a simulated meter of the running daemon pulse as if that much beer flowed through it: evenly, or, with one of the
last five options, as a real meter pulses. Works only with the simulated driver.

  --meter METER         full name, such as pi.flow0
  --ml VOLUME           1 to 100000 mL
  --ml-per-second FLOW  1 to 1000 mL/s, ${defaultFlowMlPerS} by default
  --model MODEL         model of hardware/meters, such as sf800
  --keg-empties-after VOLUME
                        mL of beer after which foam and gas come; the tap stays open
  --foam-first VOLUME   mL of gas and foam, half of each, that come before the beer of a fresh keg
  --gas-ratio RATIO     how much faster gas flows than beer, 0.1 to 5, 2 by default
  --seed SEED           another whole number for other pulses

Exit codes: 0 the pulses run, 64 wrong call, 65 refused, 67 no such meter, 69 no daemon answers.
`,
  async run(args, io) {
    const { values } = readArgs(args, {
      ...configOption,
      meter: { type: 'string' },
      ml: { type: 'string' },
      'ml-per-second': { type: 'string' },
      model: { type: 'string' },
      'keg-empties-after': { type: 'string' },
      'foam-first': { type: 'string' },
      'gas-ratio': { type: 'string' },
      seed: { type: 'string' },
    });
    if (values.meter === undefined) throw new UsageFault('--meter is missing.');
    if (values.ml === undefined) throw new UsageFault('--ml is missing.');
    const meter = values.meter;
    const volumeMl = readNumber(values.ml, '--ml', 1, 100_000);
    const flow = readNumber(values['ml-per-second'] ?? `${defaultFlowMlPerS}`, '--ml-per-second', 1, 1_000);

    const details = readDetails(values);
    if (details !== null) {
      const { config } = loadConfig({ path: values.config, env: io.env, cwd: io.cwd });
      const body = { meter, volume_ml: volumeMl, flow_ml_per_s: flow, ...details };
      io.err(await pourLikeAMeter(config.http, body));
      return exitCodes.ok;
    }
    return withDatabase({ configPath: values.config, io }, async ({ engine, loaded }) => {
      // The calibration in the database, not in the configuration: the meter may have been calibrated on the
      // page.
      const knownMeter = engine.taps.hardware.meters().find(({ name }) => name === meter);
      if (knownMeter === undefined) throw new AppError('not_found', `No meter is called "${meter}".`);
      const ticks = Math.max(1, Math.round(volumeMl * knownMeter.ticksPerMl));
      const hz = flow * knownMeter.ticksPerMl;
      const answer = await requestDaemon(loaded.config.http, {
        method: 'POST',
        path: '/api/simulator/pulses',
        body: { meter, ticks, hz },
      });
      if (answer.status >= 300) return throwRefusal(answer);
      const fastest = fastestHz(loaded.config, meter);
      if (hz > fastest) {
        io.err(
          `Note: at ${Math.round(hz)} Hz the meter's filter rejects pulses as bounce; it counts up to ${Math.floor(fastest)} Hz.\n`,
        );
      }
      io.err(`${meter} pours ${volumeMl} mL: ${ticks} ticks in ${(ticks / hz).toFixed(1)} s.\n`);
      return exitCodes.ok;
    });
  },
};

/** The options of a pour as a real meter sees it; null without any of them. */
function readDetails(values: {
  readonly model?: string | undefined;
  readonly 'keg-empties-after'?: string | undefined;
  readonly 'foam-first'?: string | undefined;
  readonly 'gas-ratio'?: string | undefined;
  readonly seed?: string | undefined;
}) {
  const { model, 'keg-empties-after': emptiesAfter, 'gas-ratio': ratio, seed } = values;
  const foamFirst = values['foam-first'];
  const details = omitUndefined({
    model,
    keg_empties_after_ml:
      emptiesAfter === undefined ? undefined : readNumber(emptiesAfter, '--keg-empties-after', 0, 100_000),
    foam_first_ml: foamFirst === undefined ? undefined : readNumber(foamFirst, '--foam-first', 0, 10_000),
    gas_ratio: ratio === undefined ? undefined : readNumber(ratio, '--gas-ratio', 0.1, 5),
    seed: seed === undefined ? undefined : readNumber(seed, '--seed', 0, 2_147_483_647),
  });
  return Object.keys(details).length === 0 ? null : details;
}

/** Requests the pour; returns the sentence about what truly flows. */
async function pourLikeAMeter(http: Config['http'], body: { readonly meter: string }): Promise<string> {
  const answer = await requestDaemon(http, { method: 'POST', path: '/api/simulator/pours', body });
  if (answer.status >= 300) return throwRefusal(answer);
  const { ticks, seconds, beer_ml, gas_ml } = (answer.body as { result: Record<string, number> }).result;
  const gas = gas_ml === 0 ? '' : ` and ${gas_ml} mL of gas`;
  return `${body.meter} pours ${beer_ml} mL of beer${gas}: ${ticks} ticks in ${seconds?.toFixed(1)} s.\n`;
}

/** The highest rate at which every pulse counts; closer edges are rejected as bounce. */
function fastestHz(config: Config, meter: string): number {
  const gapMs = config.meters.find(({ port }) => `${config.controller.name}.${port}` === meter)?.min_gap_ms;
  return gapMs ? 1_000 / gapMs : Number.POSITIVE_INFINITY;
}

function throwRefusal({ status, body }: DaemonResponse): never {
  const error = (body as { error?: { message?: unknown } } | null)?.error;
  const message =
    typeof error?.message === 'string' ? error.message : `The daemon answered with status ${status}.`;
  const refusals = { 400: 'invalid_request', 404: 'not_found' } as const;
  const code = refusals[status as keyof typeof refusals] ?? (status >= 500 ? 'unavailable' : 'conflict');
  throw new AppError(code, message);
}
