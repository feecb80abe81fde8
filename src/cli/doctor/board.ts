import { formatHostInfo, type HostInfo } from '../../devices/gpio/host-info.ts';
import { type Finding, fail, ok, warn } from '../../system/health/finding.ts';

/** The oldest supported Node.js. */
const oldestNode = [20, 19] as const;

interface Machine {
  readonly host: HostInfo;
  /** `process.arch`. */
  readonly arch: string;
  /** Architecture version of a 32-bit ARM, null elsewhere. */
  readonly armVersion: number | null;
  /** `process.versions.node`. */
  readonly node: string;
}

/** Checks that board, processor and Node.js can run the program. */
export function boardFindings({ host, arch, armVersion, node }: Machine): Finding[] {
  const board = `${formatHostInfo(host)}, ${arch}`;
  const findings: Finding[] = [];
  if (armVersion !== null && armVersion < 7) {
    findings.push(
      fail(`${board}: this processor is too old for the pin driver.`, 'Use a Pi 2, 3, 4, 5 or Zero 2 W.'),
    );
  } else if (!/Raspberry Pi/.test(host.board)) {
    findings.push(
      warn(`${board}: this is not a Raspberry Pi.`, 'Pins need gpio.chip here, or the simulated driver.'),
    );
  } else {
    findings.push(ok(board));
  }
  // The processor of the program, not of the kernel: a 32-bit system on a Pi 4 or 5 has a 64-bit kernel.
  if (arch === 'arm' && (armVersion === null || armVersion >= 7)) {
    findings.push(
      warn(
        'This system is 32-bit: Tapster runs from a checkout here, with Node.js 20 or 22, and has no package.',
        'Use 64-bit Raspberry Pi OS (Pi 3, 4, 5, Zero 2 W) for the next card.',
      ),
    );
  }
  const [major = 0, minor = 0] = node.split('.').map(Number);
  const isOld = major < oldestNode[0] || (major === oldestNode[0] && minor < oldestNode[1]);
  findings.push(
    isOld
      ? fail(
          `Node ${node} is older than ${oldestNode.join('.')}.`,
          'Update the system, or install a newer Node.',
        )
      : ok(`Node ${node}.`),
  );
  return findings;
}
