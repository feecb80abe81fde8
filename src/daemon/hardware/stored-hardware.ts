import { mergeHardware } from '../../config/merged-hardware.ts';
import { readMeterCatalogue } from '../../config/meter-catalogue.ts';
import type { Config } from '../../config/schema.ts';
import { readPinEntries } from './pin-entries-file.ts';

/** The settings with the meters and relays that were chosen on the page, for commands that run beside the daemon. */
export interface CompleteHardware {
  readonly config: Config;
  /** Ports that were chosen on the page. */
  readonly chosen: ReadonlySet<string>;
  /** One sentence for each entry of the page that the settings file overrides. */
  readonly overridden: readonly string[];
}

/** Adds the meters and relays that the daemon would count and switch, from the copy beside the database. */
export function withStoredHardware(config: Config): CompleteHardware {
  const merged = mergeHardware(config, readPinEntries(config.database), readMeterCatalogue());
  const { meters, toggles, entries, overridden } = merged;
  return {
    config: { ...config, meters: [...meters], toggles: [...toggles] },
    chosen: new Set(entries.flatMap(({ port }) => (overridden.has(port) ? [] : port))),
    overridden: [...overridden].map(
      ([port, problem]) => `${config.controller.name}.${port} of the page is not used. ${problem}`,
    ),
  };
}
