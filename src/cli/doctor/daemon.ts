import type { Config } from '../../config/schema.ts';
import { failingParts, readHealthAnswer } from '../../core/health/own-health.ts';
import { type Finding, fail, ok, warn } from '../../system/health/finding.ts';
import { describeExit, type LastExit } from '../../system/last-run.ts';
import { type AddressSources, localUrl, reachableUrls } from '../../system/own-addresses.ts';
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
  const { parts = null } = readHealthAnswer(answer.status, answer.body) ?? {};
  if (parts === null) {
    return [
      fail('Something that is not Tapster answers on the configured port.', 'Change http.port, or stop it.'),
    ];
  }
  const failing = failingParts(parts);
  const working = Object.keys(parts).filter((part) => !failing.some(({ name }) => name === part));
  return [
    ...(working.length === 0 ? [] : [ok(`The daemon runs; working: ${working.join(', ')}.`)]),
    ...failing.map(({ name, text, isVital }) => (isVital ? fail : warn)(`${name}: ${text}`)),
  ];
}

/** Returns where a phone finds the page. */
export function addressFinding(http: Config['http'], sources: AddressSources = {}): Finding {
  const urls = reachableUrls(http, sources);
  if (urls.length === 0) return ok(`Only this machine reaches the page: ${localUrl(http)}`);
  const found = ok(`A phone in the same network reaches the page at ${urls.join(' or ')}`);
  if (urls.some((url) => !new URL(url).hostname.endsWith('.local'))) return found;
  return warn(
    `This machine has no address in a network, only a name: ${urls.join(' or ')}`,
    'Connect it to the network of the bar. Beer is counted without one.',
  );
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
  return answer !== null && (readHealthAnswer(answer.status, answer.body)?.parts ?? null) !== null;
}
