import { mergeHardware } from '../../config/merged-hardware.ts';
import { readMeterCatalogue } from '../../config/meter-catalogue.ts';
import type { Config } from '../../config/schema.ts';
import { type MachineIdentity, readMachineIdentity } from '../../system/machine-identity.ts';
import { readPermittedPinEntries } from './pin-entries-file.ts';

/** The settings with the meters and relays that were chosen on the page, for commands that run beside the daemon. */
export interface CompleteHardware {
  readonly config: Config;
  /** Ports that were chosen on the page. */
  readonly chosen: ReadonlySet<string>;
  /** One sentence for each entry of the page that is not used. */
  readonly unused: readonly string[];
}

/** Adds the meters and relays that the daemon would count and switch, from the copy beside the database. */
export function withStoredHardware(
  config: Config,
  machine: MachineIdentity = readMachineIdentity(),
): CompleteHardware {
  const merged = mergeHardware(
    config,
    readPermittedPinEntries(config.database),
    readMeterCatalogue(),
    machine,
  );
  const { meters, toggles, entries, overridden, otherMachine } = merged;
  const name = (port: string): string => `${config.controller.name}.${port}`;
  return {
    config: { ...config, meters: [...meters], toggles: [...toggles] },
    chosen: new Set(
      entries.flatMap(({ port }) => (overridden.has(port) || otherMachine.has(port) ? [] : port)),
    ),
    unused: [
      ...[...overridden].map(
        ([port, problem]) => `${name(port)} of the page is not used. ${problem.message}`,
      ),
      ...[...otherMachine].map(
        (port) =>
          `${name(port)} of the page is not used. It was wired to another machine: confirm it on the page.`,
      ),
    ],
  };
}
