import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { hardwareDirectory } from '../system/product.ts';
import { listNames } from '../system/small-files.ts';

/** Flow-meter models and their calibration, ticks per millilitre. */
export type MeterCatalogue = ReadonlyMap<string, number>;

/**
 * Reads model and calibration from `hardware/meters/*.json`. The tests check that each file is complete and
 * names its sources, so this is not repeated at every start of a Pi.
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
    // A damaged entry only loses its model; a configuration that names it gets the list of known models.
    return null;
  }
}
