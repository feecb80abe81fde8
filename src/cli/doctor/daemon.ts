import type { Config } from '../../config/schema.ts';
import { type Finding, fail, ok, warn } from '../../system/finding.ts';
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
        'Start it: sudo systemctl start tapster, or npm start.',
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

/** True when Tapster answered. */
export function isTapster(answer: DaemonResponse | null): boolean {
  return answer !== null && findParts(answer) !== null;
}

function findParts({ body }: DaemonResponse): object | null {
  const parts = (body as { parts?: unknown } | null)?.parts;
  return typeof parts === 'object' ? parts : null;
}
