import type { Config } from '../../config/schema.ts';
import { type Finding, fail, ok, warn } from '../../system/health/finding.ts';
import { describeExit, type LastExit } from '../../system/last-run.ts';
import { isPackage } from '../../system/product.ts';
import { type DaemonResponse, requestDaemon } from '../request-daemon.ts';

/** Requests `/healthz` of the daemon; null when none answers. */
export async function fetchHealth(http: Config['http']): Promise<DaemonResponse | null> {
  try {
    return await requestDaemon(http, { method: 'GET', path: '/healthz' });
  } catch {
    return null;
  }
}

/** Returns findings from the daemon's own health report. */
export function daemonFindings(answer: DaemonResponse | null): Finding[] {
  if (answer === null) {
    return [
      warn(
        'No daemon answers on the configured port.',
        `Start it: sudo systemctl start tapster${isPackage() ? '' : ', or npm start'}.`,
      ),
    ];
  }
  const parts = findParts(answer);
  if (parts === null) {
    return [
      fail('Something that is not Tapster answers on the configured port.', 'Change http.port, or stop it.'),
    ];
  }
  const entries = Object.entries(parts).map(([part, state]) => ({ part, state: String(state) }));
  const working = entries.filter(({ state }) => state === 'ok').map(({ part }) => part);
  const failing = entries.filter(({ state }) => state !== 'ok');
  const toFinding = answer.status === 200 ? warn : fail;
  return [
    ...(working.length === 0 ? [] : [ok(`The daemon runs; working: ${working.join(', ')}.`)]),
    ...failing.map(({ part, state }) => toFinding(`${part}: ${state}`)),
  ];
}

/** Returns a finding about the end of the last run; none when it is unknown. */
export function lastExitFindings(exit: LastExit | null): Finding[] {
  if (exit === null) return [];
  const when = exit.atMs === null ? '' : ` (${new Date(exit.atMs).toISOString()})`;
  const sentence = `The last run of the daemon ended${when}: ${describeExit(exit)}`;
  if (exit.kind === 'stopped') return [ok(sentence)];
  return [warn(sentence, adviceByKind[exit.kind])];
}

const adviceByKind: Readonly<Record<Exclude<LastExit['kind'], 'stopped'>, string>> = {
  start_failed: 'Correct what the sentence names; the log has more: journalctl -u tapster.',
  crashed: 'Report this with the bug report of the page (Logs).',
  watchdog: 'Look at the last log lines of the page (Logs); a worn SD card can cause it.',
  out_of_memory: 'Stop other programs on this Pi, and report it if it happens again.',
  killed: 'Look at the last log lines of the page (Logs) and at: journalctl -k.',
  power_cut: 'If nobody pulled the plug, check power supply and cable.',
};

/** True when Tapster answered. */
export function isTapster(answer: DaemonResponse | null): boolean {
  return answer !== null && findParts(answer) !== null;
}

function findParts({ body }: DaemonResponse): object | null {
  const parts = (body as { parts?: unknown } | null)?.parts;
  return typeof parts === 'object' ? parts : null;
}
