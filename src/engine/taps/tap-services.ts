import type { EngineParts } from '../shared/parts.ts';
import { createHardware } from './hardware.ts';
import { createLineHealth } from './line-health.ts';
import { createPinEntries } from './pin-entries.ts';
import { createTapFacts } from './tap-facts.ts';
import { createTaps } from './taps.ts';

/** Taps, and the devices at them. */
export function createTapServices(parts: EngineParts) {
  const taps = createTaps(parts);
  const hardware = createHardware(parts);
  return {
    ...taps,
    facts: createTapFacts(parts),
    lineHealth: createLineHealth(parts, taps),
    hardware,
    pinEntries: createPinEntries(parts, hardware),
  };
}
