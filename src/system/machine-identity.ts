import { createHmac, randomBytes } from 'node:crypto';
import { readTextFile } from './small-files.ts';

/** systemd writes it at the first boot of an installation. */
const machineIdFile = '/etc/machine-id';

/** Tells this machine from others by marks: salted hashes, which do not reveal its id. */
export interface MachineIdentity {
  /** False when this machine has no id. */
  readonly isKnown: boolean;
  /** A mark of this machine; null when it has no id. Two marks of one machine differ. */
  createMark(): string | null;
  /** True when the mark is not of this machine, or missing. False for every mark when this machine has no id. */
  isOther(mark: string | null): boolean;
}

/** Reads the identity of this machine; a missing, empty or invalid file makes it unknown. */
export function readMachineIdentity(file = machineIdFile): MachineIdentity {
  const text = readTextFile(file);
  return createMachineIdentity(text !== null && /^[0-9a-f]{32}$/.test(text) ? text : null);
}

/** The identity of the machine with an id of `/etc/machine-id`; null for none. */
export function createMachineIdentity(id: string | null): MachineIdentity {
  if (id === null) return { isKnown: false, createMark: () => null, isOther: () => false };
  const hash = (salt: string): string => createHmac('sha256', id).update(`tapster ${salt}`).digest('hex');
  return {
    isKnown: true,
    createMark() {
      const salt = randomBytes(16).toString('hex');
      return `${salt}:${hash(salt)}`;
    },
    isOther(mark) {
      const [salt = '', expected = ''] = (mark ?? '').split(':');
      return mark === null || hash(salt) !== expected;
    },
  };
}
