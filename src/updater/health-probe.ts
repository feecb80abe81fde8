import { request } from 'node:http';
import { failingParts, readHealthAnswer } from '../core/health/own-health.ts';
import type { Observation } from '../core/updates/trial.ts';
import type { HttpAddress } from '../core/updates/update-state.ts';

/** Far above any answer, bytes. */
const maxBytes = 256 * 1024;
/** What failed fits, characters. */
const maxDetail = 1_000;

/** What the daemon answers. */
export type Health = Omit<Observation, 'restarts'>;

const nothing: Health = { health: 'none', version: null, pours: 0 };

/** Asks the daemon on this machine for its health. Never rejects. */
export function probeHealth({ host, port }: HttpAddress, timeoutMs: number): Promise<Health> {
  return new Promise((resolve) => {
    const outgoing = request(
      { host: toConnectAddress(host), port, path: '/healthz', agent: false },
      (answer) => {
        let text = '';
        answer.setEncoding('utf8');
        answer.on('data', (piece: string) => {
          text += piece;
          if (text.length > maxBytes) answer.destroy();
        });
        for (const end of ['end', 'error', 'close'])
          answer.once(end, () =>
            finish(answer.complete ? parseHealth(answer.statusCode ?? 0, text) : nothing),
          );
      },
    );
    const timer = setTimeout(() => finish(nothing), timeoutMs);
    function finish(health: Health): void {
      clearTimeout(timer);
      outgoing.destroy();
      resolve(health);
    }
    outgoing.on('error', () => finish(nothing));
    outgoing.end();
  });
}

/** Parses an answer of `/healthz`; what is no such answer counts as none. */
export function parseHealth(status: number, text: string): Health {
  const seen = readHealthAnswer(status, readJson(text));
  if (seen === null) return nothing;
  const { status: health, version, pours, parts } = seen;
  const detail = failingParts(parts ?? {})
    .filter(({ isVital }) => isVital)
    .map(({ name, text }) => `${name}: ${text}`)
    .join(' ');
  return { health, version, pours, ...(detail === '' ? {} : { detail: detail.slice(0, maxDetail) }) };
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** The address to connect to for a listening address; "every address" becomes loopback. */
function toConnectAddress(host: string): string {
  if (host === '0.0.0.0' || host === '') return '127.0.0.1';
  return host === '::' ? '::1' : host;
}
