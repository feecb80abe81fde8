import type { Config } from '../config/schema.ts';
import { AppError } from '../core/app-error.ts';
import { type Command, configOption, readArgs, readNumber, UsageFault } from './command.ts';
import { exitCodes } from './exit-codes.ts';
import { type DaemonResponse, requestDaemon } from './request-daemon.ts';
import { withDatabase } from './with-database.ts';

/** The usual flow of a tap, mL/s. */
const defaultFlowMlPerS = 60;

/** Starts simulated pulses in the running daemon. */
export const simulatePourCommand: Command = {
  help: `Usage: tapster simulate pour --meter METER --ml VOLUME [--ml-per-second FLOW] [--config FILE]

Makes a simulated meter of the running daemon pulse as if that much beer flowed through it. Works only with the
simulated driver.

  --meter METER         full name, such as pi.flow0
  --ml VOLUME           1 to 100000 mL
  --ml-per-second FLOW  1 to 1000 mL/s, ${defaultFlowMlPerS} by default

Exit codes: 0 the pulses run, 64 wrong call, 65 refused, 67 no such meter, 69 no daemon answers.
`,
  async run(args, io) {
    const { values } = readArgs(args, {
      ...configOption,
      meter: { type: 'string' },
      ml: { type: 'string' },
      'ml-per-second': { type: 'string' },
    });
    if (values.meter === undefined) throw new UsageFault('--meter is missing.');
    if (values.ml === undefined) throw new UsageFault('--ml is missing.');
    const meter = values.meter;
    const volumeMl = readNumber(values.ml, '--ml', 1, 100_000);
    const flow = readNumber(values['ml-per-second'] ?? `${defaultFlowMlPerS}`, '--ml-per-second', 1, 1_000);

    return withDatabase({ configPath: values.config, io }, async ({ engine, loaded }) => {
      // The calibration in the database, not in the configuration: the meter may have been calibrated on the
      // page.
      const knownMeter = engine.hardware.meters().find(({ name }) => name === meter);
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

/** The highest rate at which every pulse counts; closer edges are rejected as bounce. */
function fastestHz(config: Config, meter: string): number {
  const gapMs = config.meters.find(({ port }) => `${config.controller.name}.${port}` === meter)?.min_gap_ms;
  return gapMs ? 1_000 / gapMs : Number.POSITIVE_INFINITY;
}

function throwRefusal({ status, body }: DaemonResponse): never {
  const error = (body as { error?: { message?: unknown } } | null)?.error;
  const message =
    typeof error?.message === 'string' ? error.message : `The daemon answered with status ${status}.`;
  throw new AppError(status === 404 ? 'not_found' : status >= 500 ? 'unavailable' : 'conflict', message);
}
