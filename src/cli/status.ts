import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../config/schema.ts';
import { healthLine, readHealthAnswer, type SeenHealth } from '../core/health/own-health.ts';
import { readSetupCode, setupCodeFile } from '../daemon/http/setup-console.ts';
import { loadConfig } from '../daemon/load-config.ts';
import { localUrl, reachableUrls } from '../system/own-addresses.ts';
import { type Command, configOption, readArgs, UsageFault } from './command.ts';
import { fetchHealth } from './doctor/daemon.ts';
import { exitCodes } from './exit-codes.ts';
import { requestDaemon } from './request-daemon.ts';

const pollMs = 500;
const maxWaitS = 600;

/** The set-up as the running daemon knows it. */
type SetUp =
  | { readonly kind: 'finished' | 'no permission' | 'unknown code' | 'unknown' }
  /** The daemon has accepted this code just now. */
  | { readonly kind: 'open'; readonly code: string };

/** Prints what the running daemon is and where it is reached: for people, and for the installers. */
export const statusCommand: Command = {
  help: `Usage: tapster status [--wait SECONDS] [--config FILE]

Prints health, version and addresses of the running daemon and, to root and to the daemon's user, the set-up code while the
set-up is open. The daemon is asked whether the code is in force.

  --wait SECONDS  wait so long for a daemon that is starting, at most ${maxWaitS} s

Exit codes: 0 it counts, stores and serves, 1 something of that does not work, 64 wrong call, 69 no daemon answers, 78 faults
in the configuration.
`,
  async run(args, io) {
    const { values } = readArgs(args, { ...configOption, wait: { type: 'string' } });
    const waitMs = parseSeconds(values.wait) * 1_000;
    const { config } = loadConfig({ path: values.config, env: io.env, cwd: io.cwd });
    const endMs = performance.now() + waitMs;
    const health = await until(endMs, () => askHealth(config.http));
    if (health === null) {
      io.err(
        `No daemon answers at ${localUrl(config.http)}. Its log shows the cause: sudo journalctl -u tapster -n 50\n`,
      );
      return exitCodes.unavailable;
    }
    io.out(`Tapster ${health.version ?? ''}`.trim());
    io.out(`: ${healthLine(health)}\n`);
    io.out(describeAddresses(config.http));
    // Another daemon may be starting, whose code the file has not got yet.
    const refused = new Set<string>();
    let setUp: SetUp = { kind: 'unknown' };
    await until(endMs, async () => {
      setUp = await askSetUp(config, refused);
      return setUp.kind === 'unknown code' || setUp.kind === 'unknown' ? null : setUp;
    });
    io.out(describeSetUp(setUp));
    return health.status === 'ok' ? exitCodes.ok : exitCodes.checkFailed;
  },
};

function parseSeconds(text: string | undefined): number {
  if (text === undefined) return 0;
  if (!/^\d{1,3}$/.test(text) || Number(text) > maxWaitS)
    throw new UsageFault(`--wait must be a number of seconds from 0 to ${maxWaitS}.`);
  return Number(text);
}

/** Tries at least once; null when there is nothing by the end. */
async function until<T>(endMs: number, find: () => Promise<T | null>): Promise<T | null> {
  for (;;) {
    const found = await find();
    if (found !== null || performance.now() + pollMs > endMs) return found;
    await sleep(pollMs);
  }
}

async function askHealth(http: Config['http']): Promise<SeenHealth | null> {
  const answer = await fetchHealth(http);
  return answer === null ? null : readHealthAnswer(answer.status, answer.body);
}

/**
 * Asks the daemon whether the set-up is open, and whether the code beside its database is the one in force. A code that was refused
 * is not sent again, since many wrong ones change the code.
 */
async function askSetUp({ http, database }: Config, refused: Set<string>): Promise<SetUp> {
  try {
    const { status } = await requestDaemon(http, { method: 'GET', path: '/api/setup/status' });
    if (status === 403) return { kind: 'finished' };
    if (status !== 200) return { kind: 'unknown' };
    const code = readSetupCode(setupCodeFile(database))?.code;
    if (code === undefined || refused.has(code)) return { kind: 'unknown code' };
    // Does nothing but check the code.
    const answer = await requestDaemon(http, { method: 'POST', path: '/api/setup/migrate', body: { code } });
    if (answer.status === 200) return { kind: 'open', code };
    refused.add(code);
    return { kind: 'unknown code' };
  } catch (fault) {
    const { code = '' } = fault as NodeJS.ErrnoException;
    return { kind: code === 'EACCES' || code === 'EPERM' ? 'no permission' : 'unknown' };
  }
}

function describeAddresses(http: Config['http']): string {
  const urls = reachableUrls(http);
  if (urls.length === 0) return `The page, on this machine only:\n  ${localUrl(http)}\n`;
  return `The page, for a phone or laptop in the same network:\n${urls.map((url) => `  ${url}\n`).join('')}`;
}

function describeSetUp(setUp: SetUp): string {
  switch (setUp.kind) {
    case 'finished':
    case 'unknown':
      return '';
    case 'open':
      return `Set-up code: ${setUp.code} (valid until the set-up is finished or this machine restarts)\n`;
    case 'no permission':
      return 'The set-up is not finished. Its code: sudo tapster status\n';
    case 'unknown code':
      return "The set-up is not finished. Its code: sudo journalctl -u tapster | grep 'Set-up code' | tail -n 1\n";
  }
}
