import { readMachineIdentity } from '../../system/machine-identity.ts';
import { loadGpioKernel } from '../gpio/gpio-uapi.ts';
import { systemRoots } from '../gpio/host-info.ts';
import { readRelayFile, relayFilePath } from './relay-file.ts';
import { switchRelaysOff } from './switch-relays-off.ts';

// Entry point of the service's stop program (ExecStopPost=): drives every relay of this machine to its off
// level after the daemon has ended for any reason. It needs no database, settings or network and imports
// little, because a valve may be open while it starts. The file with the relays is its argument, or is in
// $STATE_DIRECTORY. Exit code: 0 all relays are off, 1 some are not.

const path = process.argv[2] ?? relayFilePath(process.env.STATE_DIRECTORY, '/var/lib/tapster/tapster.db');
const { relays, problems } = readRelayFile(path, readMachineIdentity());
const result =
  relays.length === 0 ? { switched: [], problems: [] } : switchRelaysOff(relays, await createOptions());

const names = result.switched.map(({ name }) => name).join(', ');
if (names !== '') process.stdout.write(`The daemon has ended; these relays are off: ${names}.\n`);
for (const problem of [...problems, ...result.problems]) process.stderr.write(`${problem}\n`);
if (result.problems.length > 0) {
  process.stderr.write('Disconnect the power of the valves above until the daemon runs again.\n');
}
process.exitCode = result.problems.length > 0 ? 1 : 0;

async function createOptions() {
  const word = new Int32Array(new SharedArrayBuffer(4));
  return {
    roots: systemRoots,
    kernel: await loadGpioKernel(),
    nowMs: () => performance.now(),
    wait: (ms: number) => void Atomics.wait(word, 0, 0, ms),
  };
}
