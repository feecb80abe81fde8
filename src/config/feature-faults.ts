import { findClosest } from '../core/text/find-closest.ts';
import { ConfigFault } from './config-fault.ts';
import type { LoadedConfig } from './load.ts';

/** Throws a `ConfigFault` when `features` names one that the program does not have; `names` are those that it has. */
export function requireKnownFeatures(
  { config, source }: Pick<LoadedConfig, 'config' | 'source'>,
  names: readonly string[],
): void {
  const faults = Object.keys(config.features)
    .filter((name) => !names.includes(name))
    .map((name) => {
      const closest = findClosest(name, names);
      return closest === null
        ? `features.${name} is not a feature; known are ${names.join(', ')}.`
        : `features.${name} is not a feature; did you mean features.${closest}?`;
    });
  if (faults.length > 0) throw new ConfigFault(source, faults);
}
