import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, expect } from 'vitest';
import {
  type BarFolder,
  makeBar,
  quickBar,
  type RunningDaemon,
  runCommand,
  startDaemon,
} from '../../kit/daemon.ts';

export type SendRequest = (path: string, init?: RequestInit) => Promise<Response>;

/** What the page of backups reads. */
export interface Listed {
  result: {
    backups: { backup_name: string; size_bytes: number; url: string; occasion: string }[];
    state: { running: object | null; problems: readonly object[] };
  };
}

/** The built daemon on the folder of a bar; both end with the test. */
export function backupSite() {
  let daemon: RunningDaemon | null = null;
  let bar: BarFolder | null = null;

  afterEach(async () => {
    await daemon?.kill();
    bar?.remove();
    daemon = null;
    bar = null;
  });

  const tapster = (...args: string[]) =>
    runCommand([...args, '--config', bar!.configFile], { cwd: bar!.path });
  return {
    get bar() {
      return bar!;
    },
    get daemon() {
      return daemon!;
    },
    /** Runs a command on the bar. */
    tapster,
    /** Starts a daemon: the next one of the same bar unless another is given. */
    async start(next: BarFolder = bar!): Promise<void> {
      bar = next;
      daemon = await startDaemon(next);
    },
    /** Starts a new bar with the superuser Anna; returns what sends requests with her key. */
    async open(): Promise<SendRequest> {
      await this.start(makeBar(quickBar));
      await runCommand(
        ['user', 'add', 'anna', '--superuser', '--password-stdin', '--config', bar!.configFile],
        {
          input: 'a long password\n',
        },
      );
      const key = (await tapster('key', 'create', 'anna')).out.trim();
      return (path, init = {}) =>
        fetch(`${daemon!.url}${path}`, { ...init, headers: { 'X-Kegbot-Api-Key': key, ...init.headers } });
    },
  };
}

export async function until<T>(poll: () => Promise<T | null>): Promise<T> {
  for (;;) {
    const found = await poll();
    if (found !== null) return found;
    await wait(50);
  }
}

/** Reports a drink of 100 mL on the left tap over the legacy API. */
export async function pour(request: SendRequest, pourId: string): Promise<void> {
  const answer = await request('/api/v1/taps/pi.flow0', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ ticks: 500, pour_id: pourId }),
  });
  expect(answer.status).toBe(200);
}
