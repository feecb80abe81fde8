import { toOpenRate } from '../../core/measurement/tap-rate.ts';
import type { PourFacts } from '../../core/pours/pour.ts';
import type { MeterConfig } from '../../core/records.ts';
import type { Store } from '../../store/store.ts';
import type { EngineSettings } from '../shared/parts.ts';

/** What a pour on this meter is judged by: the least that is a drink, and the tap's rate while it is fully open. */
export function findMeterFacts(
  store: Store,
  meter: MeterConfig | null,
  { minPourTicks = 1, minPourMl = 0 }: Pick<EngineSettings, 'minPourTicks' | 'minPourMl'>,
): PourFacts {
  if (meter === null) return { minTicks: minPourTicks, openRate: null };
  const { tapId, name, ticksPerMl, calibrated } = meter;
  // A guessed factor may be six times too high, so that a small beer would be a drip.
  const minTicks = Math.max(minPourTicks, calibrated ? Math.ceil(minPourMl * ticksPerMl) : 0);
  const rates = tapId === null ? [] : store.tapRates.best(tapId, name);
  const openRate = tapId === null ? null : toOpenRate(rates, { ticksPerMl, isCalibrated: calibrated });
  return { minTicks, openRate };
}
