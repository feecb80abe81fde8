import {
  type CataloguedMeter,
  type MeterCatalogue,
  readMeterCatalogue,
} from '../../config/meter-catalogue.ts';
import type { Config } from '../../config/schema.ts';
import { AppError } from '../../core/app-error.ts';
import type { Simulator } from '../../http/ports.ts';
import { monotonicMs } from '../../system/clock-readings.ts';
import type { PinHardware, Pins } from './pins.ts';

/** Creates pins that pulse on request, in place of those of the machine. */
export async function createPinSimulator({ controller }: Config, first: PinHardware): Promise<Pins> {
  const { createSimulatedPins } = await import('../../devices/simulated/simulated-pins.ts');
  const { simulatePour } = await import('../../devices/simulated/simulated-pour.ts');
  const line = ({ port, pin }: { port: string; pin: number }) => ({
    name: `${controller.name}.${port}`,
    pin,
  });
  let hardware = first;
  const toLines = ({ meters, toggles }: PinHardware) => ({
    meters: meters.map(line),
    toggles: toggles.map(line),
  });
  const pins = createSimulatedPins({ ...toLines(first), nowMonoMs: monotonicMs });
  const catalogue = readMeterCatalogue();
  const simulator: Simulator = {
    get meters() {
      return pins.lines().map(({ name }) => name);
    },
    pulse: ({ meter, ticks, hz, echoes }) => pins.pulse(meter, ticks, hz, echoes),
    pour({ meter, model, ticksPerMl, ...plan }) {
      const unknown = { ticksPerMl, minLPerMin: null, maxHz: null };
      const flow = simulatePour(model === undefined ? unknown : requireModel(catalogue, model), plan);
      const { stampsMs, durationMs, beerMl, gasMl } = flow;
      pins.pour(meter, stampsMs, durationMs);
      return { ticks: stampsMs.length, durationMs, beerMl: beerMl + flow.foamBeerMl, gasMl };
    },
  };
  return {
    input: pins,
    toggles: pins,
    simulator,
    attempts: ['The configuration asks for simulated pins.'],
    everySecond: () => undefined,
    canChange: () => true,
    released(next) {
      const kept = toLines(next).toggles.map(({ name, pin }) => `${name} ${pin}`);
      const open = toLines(hardware).toggles.filter(({ name, pin }) => !kept.includes(`${name} ${pin}`));
      return new Set(open.map(({ name }) => name));
    },
    async change(next) {
      hardware = next;
      pins.change(toLines(next));
    },
  };
}

/** The model of that id, or the only one whose id ends with it: `sf800`. */
function requireModel(catalogue: MeterCatalogue, name: string): CataloguedMeter {
  const ids = [...catalogue.keys()];
  const matches = ids.filter((id) => id === name || id.endsWith(`-${name}`));
  const found = matches.length === 1 ? catalogue.get(matches[0]!) : undefined;
  if (found !== undefined) return found;
  const allowed = ids.join(', ');
  throw new AppError('invalid_request', `model must be one of ${allowed}.`, {
    fields: { model: `must be one of ${allowed}` },
    rules: { model: { name: 'one_of', allowed } },
  });
}
