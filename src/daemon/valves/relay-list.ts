import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Config } from '../../config/schema.ts';
import { planPins } from '../../devices/gpio/pin-plan.ts';
import { relayFilePath, type StoredRelay, writeRelayFile } from '../../devices/relays-off/relay-file.ts';
import { makeFolder } from '../../store/files.ts';
import type { ReportProblem } from '../monitors/health-reporters.ts';

/** Stores the relays of this machine's pins for the service's stop program, which runs without the settings. */
export function createRelayList(options: {
  readonly config: Pick<Config, 'controller' | 'database' | 'gpio' | 'meters' | 'toggles'>;
  /** `$STATE_DIRECTORY` of systemd; undefined without systemd. */
  readonly stateDirectory: string | undefined;
  readonly reportProblem: ReportProblem;
}) {
  const { config, stateDirectory, reportProblem } = options;
  const path = relayFilePath(stateDirectory, config.database);
  const relays = storedRelays(config);
  let isStored = false;
  return {
    /**
     * Writes the list unless it is stored already. Call it before a relay can be opened, and again about once a
     * minute: a disk that refuses it is a problem of the toggles and stops nothing.
     */
    store(): void {
      if (isStored) return;
      try {
        if (relays.length > 0 || existsSync(path)) {
          makeFolder(dirname(path));
          writeRelayFile(path, relays);
        }
        isStored = true;
        reportProblem(null);
      } catch (cause) {
        reportProblem(
          'The list of relays cannot be written to the disk. If the daemon crashed now, an open valve could stay open. Free some space.',
          cause,
        );
      }
    },
  };
}

/** The relays on real pins of this machine; relays of serial boards shut by themselves. */
function storedRelays({
  controller,
  gpio,
  ...pins
}: Parameters<typeof createRelayList>[0]['config']): StoredRelay[] {
  if (gpio.driver === 'simulated') return [];
  const { relays } = planPins({ controller: controller.name, ...pins });
  return relays.map((relay) => ({ ...relay, chip: gpio.chip ?? null }));
}
