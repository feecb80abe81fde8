import type { MeterModelEntry } from '../../config/hardware-catalogue.ts';
import { isTooSmall, modelMinGapMs } from '../../config/meter-catalogue.ts';
import type { MeterModel } from '../../http/hardware-ports.ts';

/** What the page shows of a model of the catalogue. */
export function toMeterModel(entry: MeterModelEntry): MeterModel {
  const maxHz = entry.max_hz?.value ?? null;
  const maxLPerMin = entry.range_l_min?.max ?? null;
  return {
    id: entry.id,
    name: entry.name,
    maker: entry.maker ?? null,
    ticksPerMl: entry.ticks_per_ml.value,
    maxHz,
    minGapMs: modelMinGapMs({ maxHz }),
    minLPerMin: entry.range_l_min?.min ?? null,
    maxLPerMin,
    isTooSmall: isTooSmall({ maxLPerMin }),
    accuracyPercent: entry.accuracy_percent?.value ?? null,
    repeatabilityPercent: entry.repeatability_percent?.value ?? null,
    points: (entry.linearity_points?.value ?? []).map(({ hz, ticks_per_ml }) => ({
      hz,
      ticksPerMl: ticks_per_ml,
    })),
    supply: entry.supply_v ?? null,
    output: entry.output?.value ?? null,
    wires: entry.wires ?? null,
    notes: entry.notes ?? null,
  };
}
