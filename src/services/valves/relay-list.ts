import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Config } from '../../config/schema.ts';
import { createProblem } from '../../core/health/problems.ts';
import { planPins } from '../../devices/gpio/pin-plan.ts';
import { relayFilePath, type StoredRelay, writeRelayFile } from '../../devices/relays-off/relay-file.ts';
import { makeFolder } from '../../store/files.ts';
import type { MachineIdentity } from '../../system/machine-identity.ts';
import type { PinHardware } from '../counting/pins.ts';
import { fixedHardware, type HardwareInForce } from '../hardware/hardware-in-force.ts';
import type { ReportProblem } from '../monitors/health-reporters.ts';

/** Stores the relays of this machine's pins for the service's stop program, which runs without the settings. */
export function createRelayList(options: {
  readonly config: Pick<Config, 'controller' | 'database' | 'gpio' | 'meters' | 'toggles'>;
  /** Default: the hardware of the settings file. */
  readonly hardware?: HardwareInForce;
  /** `$STATE_DIRECTORY` of systemd; undefined without systemd. */
  readonly stateDirectory: string | undefined;
  /** Marks the list as that of this machine. */
  readonly identity: MachineIdentity;
  readonly reportProblem: ReportProblem;
}) {
  const { config, stateDirectory, identity, reportProblem, hardware = fixedHardware(config) } = options;
  const path = relayFilePath(stateDirectory, config.database);
  const inForce = (): PinHardware => ({ meters: hardware.meters(), toggles: hardware.toggles() });
  let relays = storedRelays(config, inForce());
  let isStored = false;
  return {
    /**
     * Writes the list unless it is stored already. Call it before a relay can be opened, and again about once a
     * minute: a disk that refuses it is a problem of the toggles and stops nothing.
     */
    store(): void {
      const now = storedRelays(config, inForce());
      if (JSON.stringify(now) !== JSON.stringify(relays)) {
        relays = now;
        isStored = false;
      }
      if (isStored) return;
      write(relays);
    },
    /** Writes the relays of the hardware in force and of the one that is about to be, before the change. */
    storeBoth(next: PinHardware): void {
      const both = [...storedRelays(config, inForce()), ...storedRelays(config, next)];
      const byLine = new Map(both.map((relay) => [`${relay.name} ${relay.pin} ${relay.activeLow}`, relay]));
      relays = [...byLine.values()];
      write(relays);
    },
  };

  function write(relays: readonly StoredRelay[]): void {
    try {
      if (relays.length > 0 || existsSync(path)) {
        makeFolder(dirname(path));
        writeRelayFile(path, relays, identity);
      }
      isStored = true;
      reportProblem([]);
    } catch (cause) {
      isStored = false;
      reportProblem([createProblem('relay_list_not_written')], cause);
    }
  }
}

/** The relays on real pins of this machine; relays of serial boards shut by themselves. */
function storedRelays(
  { controller, gpio }: Parameters<typeof createRelayList>[0]['config'],
  pins: PinHardware,
): StoredRelay[] {
  if (gpio.driver === 'simulated') return [];
  const { relays } = planPins({ controller: controller.name, ...pins });
  return relays.map((relay) => ({ ...relay, chip: gpio.chip ?? null }));
}
