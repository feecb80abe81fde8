import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { hardwareDirectory } from '../system/product.ts';
import { listNames } from '../system/small-file.ts';

/** Flow-meter models and their calibration, ticks per millilitre. */
export type MeterCatalogue = ReadonlyMap<string, number>;

/**
 * Reads of `hardware/meters/*.json` what counting needs: model and calibration. Whether each file is whole, with every
 * figure's source, is proved by the tests and not at every start of a Pi.
 */
export function readMeterCatalogue(directory = join(hardwareDirectory, 'meters')): MeterCatalogue {
  const catalogue = new Map<string, number>();
  for (const name of listNames(directory).filter((one) => one.endsWith('.json'))) {
    const ticksPerMl = calibration(join(directory, name));
    if (ticksPerMl !== null) catalogue.set(name.replace(/\.json$/, ''), ticksPerMl);
  }
  return catalogue;
}

function calibration(file: string): number | null {
  try {
    const entry = JSON.parse(readFileSync(file, 'utf8')) as { ticks_per_ml?: { value?: unknown } };
    const value = entry.ticks_per_ml?.value;
    return typeof value === 'number' && value > 0 ? value : null;
  } catch {
    // A damaged entry costs its model, not the start: whoever names it is told which models are known.
    return null;
  }
}
