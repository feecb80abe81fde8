import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { hardwareDirectory } from '../system/product.ts';

/** A data sheet is small; a larger file in the catalogue is something else. */
const largestEntry = 64 * 1024;

/** Flow-meter models and their calibration, ticks per millilitre. */
export type MeterCatalogue = ReadonlyMap<string, number>;

/** Reads `hardware/meters/*.json`. A file without a model and a figure is passed over: a test watches the catalogue. */
export function readMeterCatalogue(directory = join(hardwareDirectory, 'meters')): MeterCatalogue {
  const catalogue = new Map<string, number>();
  for (const name of entries(directory)) {
    const entry = readEntry(join(directory, name));
    const ticksPerMl = entry === null ? null : calibration(entry);
    if (entry === null || ticksPerMl === null) continue;
    const model = entry.model ?? entry.id;
    catalogue.set(name.replace(/\.json$/, ''), ticksPerMl);
    if (typeof model === 'string') catalogue.set(model, ticksPerMl);
  }
  return catalogue;
}

function entries(directory: string): string[] {
  try {
    return readdirSync(directory)
      .filter((name) => name.endsWith('.json') && !name.endsWith('.schema.json'))
      .sort();
  } catch {
    // A catalogue that is not installed only means that calibrations must be written out.
    return [];
  }
}

function readEntry(file: string): Record<string, unknown> | null {
  try {
    if (statSync(file).size > largestEntry) return null;
    const entry: unknown = JSON.parse(readFileSync(file, 'utf8'));
    return typeof entry === 'object' && entry !== null ? (entry as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

function calibration(entry: Record<string, unknown>): number | null {
  const direct = figure(entry.ticks_per_ml);
  if (direct !== null) return direct;
  const perLitre = figure(entry.pulses_per_litre);
  return perLitre === null ? null : perLitre / 1_000;
}

/** A figure may stand alone or beside its source, `{ "value": 5.4, "source": "…" }`. */
function figure(data: unknown): number | null {
  const value = typeof data === 'object' && data !== null ? (data as { value?: unknown }).value : data;
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : null;
}
