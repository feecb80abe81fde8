import { closeSync, constants, openSync, readSync, rmSync } from 'node:fs';
import { createSetupCode, type SetupCode } from '../../http/setup-code.ts';
import { writeDurably } from '../../system/small-files.ts';

/** `tapster status` reads it, for people and installers; beside the database, so that only the daemon's user and root may. */
export const setupCodeFile = (database: string): string => `${database}.setup-code`;

/** What the file holds. */
interface KeptCode {
  readonly code: string;
  /** The kernel's id of the boot in which the code was made: the copy of a card gets a code of its own. */
  readonly bootId: string;
}

/** Reads the code that the daemon keeps; null if there is none. Throws if it may not be read. */
export function readSetupCode(file: string): KeptCode | null {
  let descriptor: number;
  try {
    // Root reads it in a folder of another user: no link is followed and no pipe waited for.
    descriptor = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (cause) {
    if (['EACCES', 'EPERM'].includes((cause as NodeJS.ErrnoException).code ?? '')) throw cause;
    return null;
  }
  try {
    const bytes = Buffer.alloc(128);
    const text = bytes.toString('utf8', 0, readSync(descriptor, bytes));
    const [, code, bootId] = /^([0-9A-Z]{4}-[0-9A-Z]{4}) ([0-9a-f-]{16,64})\n$/.exec(text) ?? [];
    return code === undefined || bootId === undefined ? null : { code, bootId };
  } catch {
    return null;
  } finally {
    closeSync(descriptor);
  }
}

/**
 * Shows the set-up code on the console while the set-up is open, again when the address of the page or the code changes. The code
 * stays the same until the set-up is finished or the machine restarts: an update that restarts the daemon a minute later must not
 * make the code worthless that the installer has just printed.
 */
export function createSetupConsole(options: {
  readonly file: string;
  readonly bootId: string;
  /** True while the database is open and its site is not set up. */
  readonly isOpen: () => boolean;
  /** The text for a code, with the address of the page as it is now. */
  readonly banner: (code: string) => string;
  readonly print: (text: string) => void;
}) {
  const { file, bootId, isOpen, banner, print } = options;
  let shown: { readonly setup: SetupCode; readonly text: string } | null = null;

  function show(setup: SetupCode): void {
    const text = banner(setup.text);
    print(`${text}\n`);
    shown = { setup, text };
  }

  function keep(code: string): void {
    try {
      writeDurably(file, `${code} ${bootId}\n`);
    } catch {
      // The console shows the code, and the health of the disk is reported.
    }
  }

  function findKept(): string | null {
    try {
      const kept = readSetupCode(file);
      return kept !== null && kept.bootId === bootId ? kept.code : null;
    } catch {
      return null;
    }
  }

  return {
    /** The code for the app of a database, which is set up or not. */
    createCode(isSetUp: boolean): SetupCode {
      const kept = findKept();
      const setup = createSetupCode({
        ...(kept === null || isSetUp ? {} : { first: kept }),
        onRenew(code) {
          keep(code);
          show(setup);
        },
      });
      shown = null;
      if (isSetUp) rmSync(file, { force: true });
      else {
        if (setup.text !== kept) keep(setup.text);
        show(setup);
      }
      return setup;
    },
    /** Shows the code again once the network has given this machine another address; forgets it after the set-up. */
    everySeconds(): void {
      if (shown === null) return;
      if (!isOpen()) {
        shown = null;
        rmSync(file, { force: true });
      } else if (banner(shown.setup.text) !== shown.text) show(shown.setup);
    },
  };
}
