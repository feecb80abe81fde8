import type { Valves } from './valves.ts';

/** The relays that a feature keeps open, beside grants and staff. */
export interface FeatureValves {
  /** Opens a relay until then, or keeps it open. Throws when it cannot be switched. */
  open(toggle: string, untilMonoMs: number): void;
  /** Lets go of it; it shuts unless somebody else needs it. */
  release(toggle: string): void;
  /** Whether the feature still holds it: staff may have shut it. */
  holds(toggle: string): boolean;
}

const prefix = 'feature ';

/** Whether the holder of a relay is a feature. */
export const isFeature = (holder: string): boolean => holder.startsWith(prefix);

export function createFeatureValves(
  valves: Pick<Valves, 'open' | 'release' | 'needs' | 'requireDriver'>,
  feature: string,
): FeatureValves {
  const own = prefix + feature;
  return {
    open(toggle, untilMonoMs) {
      // Checked first: a relay that is not driven here is no health problem.
      valves.requireDriver(toggle);
      valves.open(toggle, own, { untilMonoMs });
    },
    release: (toggle) => valves.release(toggle, own),
    holds: (toggle) => valves.needs().some((need) => need.toggle === toggle && need.holder === own),
  };
}
