import { readMeterCatalogue } from '../config/meter-catalogue.ts';
import { stateFolder } from '../devices/relays-off/relay-file.ts';
import { createHardwareService } from '../services/hardware/hardware-service.ts';
import { startUpdateCheck } from '../services/updates/start-update-check.ts';
import { createUpdates } from '../services/updates/updates.ts';
import { createWiringService } from '../services/wiring/wiring-service.ts';
import { startContexts } from './extension-context.ts';
import { toMachineState } from './machine-state.ts';
import { startOutboxService } from './outbox-service.ts';
import type { LocalServices } from './services.ts';
import type { Shutdown } from './shutdown.ts';

/** Time for deliveries that are under way at shutdown; unfinished ones are due again at the next start. */
const outboxGraceMs = 500;

/** The services that counting does not need: deliveries, extensions, wiring report. */
export type NetworkServices = Awaited<ReturnType<typeof startNetworkServices>>;

export async function startNetworkServices(local: LocalServices, shutdown: Shutdown) {
  const stateDirectory = stateFolder(process.env.STATE_DIRECTORY, local.config.database);
  const check = startUpdateCheck(local, stateDirectory);
  if (check !== null) shutdown.add('update check', check.close);
  const updates = createUpdates({ stateDirectory, check });
  const outbox = startOutboxService(local);
  shutdown.add('outbox', () => outbox.close(outboxGraceMs));
  const { extensionHost, database, bus, log } = local;
  shutdown.add('extensions', extensionHost.close);
  const machine = toMachineState(local, extensionHost.connections);
  await extensionHost.start(
    database.engine(),
    startContexts(local, database, {
      state: machine,
      valves: local.valves,
      latestVersion: updates.latestVersion,
      addTransport: outbox.addTransport,
      meterNames: () => local.counting.meterStatuses().map(({ meter }) => meter),
      endPour: local.counting.endPour,
      valvesOf: local.valves.ofFeature,
    }),
  );
  const followEngine = () => {
    const engine = database.engine();
    if (engine === null) return;
    extensionHost
      .followEngine(engine)
      .catch((err: unknown) => log.error({ err }, 'a feature could not be started'));
  };
  bus.on('features.switched', followEngine);
  bus.on('engine.opened', followEngine);
  bus.on('database.replaced', followEngine);
  return {
    outbox,
    backgroundOf: extensionHost.backgroundOf,
    updates,
    machine,
    wiring: createWiringService({
      ...local,
      sources: local.counting.sources,
      catalogue: readMeterCatalogue(),
    }),
    machineHardware: createHardwareService(local),
  };
}
