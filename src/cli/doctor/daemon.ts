import type { Config } from '../../config/schema.ts';
import { type Finding, fail, ok, warn } from '../../system/finding.ts';
import { askDaemon, type DaemonAnswer } from '../ask-daemon.ts';

/** The daemon's answer to `/healthz`, null when none answers. */
export async function askHealth(http: Config['http']): Promise<DaemonAnswer | null> {
  try {
    return await askDaemon(http, { method: 'GET', path: '/healthz' });
  } catch {
    return null;
  }
}

/** What the running daemon says of itself. */
export function daemonFindings(answer: DaemonAnswer | null): Finding[] {
  if (answer === null) {
    return [
      warn(
        'No daemon answers on the configured port.',
        'Start it: sudo systemctl start tapster, or npm start.',
      ),
    ];
  }
  const parts = partsOf(answer);
  if (parts === null) {
    return [
      fail('Something that is not Tapster answers on the configured port.', 'Change http.port, or stop it.'),
    ];
  }
  const entries = Object.entries(parts).map(([part, word]) => ({ part, word: String(word) }));
  const well = entries.filter(({ word }) => word === 'ok').map(({ part }) => part);
  const troubled = entries.filter(({ word }) => word !== 'ok');
  const judge = answer.status === 200 ? warn : fail;
  return [
    ...(well.length === 0 ? [] : [ok(`The daemon runs; well are ${well.join(', ')}.`)]),
    ...troubled.map(({ part, word }) => judge(`${part}: ${word}`)),
  ];
}

/** True when it was our daemon that answered. */
export function isOurs(answer: DaemonAnswer | null): boolean {
  return answer !== null && partsOf(answer) !== null;
}

function partsOf({ body }: DaemonAnswer): object | null {
  const parts = (body as { parts?: unknown } | null)?.parts;
  return typeof parts === 'object' ? parts : null;
}
