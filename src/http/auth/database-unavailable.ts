import type { RequestListener } from 'node:http';
import { healthAnswer } from '../health.ts';
import type { HealthReport } from '../ports.ts';

/** Clients that keep pours for us try again this much later, seconds. */
const retryAfterS = 5;

/** Answers while the ledger cannot be opened: how the house is, and to everything else that it opens later. */
export function databaseUnavailable(health: () => HealthReport): RequestListener {
  return (request, response) => {
    request.resume();
    response.setHeader('Cache-Control', 'no-store');
    if (/^\/healthz(\?|$)/.test(request.url ?? '')) {
      const { status, body } = healthAnswer(health());
      response.writeHead(status, { 'Content-Type': 'application/json; charset=utf-8' });
      response.end(JSON.stringify(body));
      return;
    }
    const problems = health().parts.flatMap(({ problem }) => (problem === null ? [] : [problem]));
    const message = ['The ledger is not open yet.', ...problems].join(' ');
    const isApi = (request.url ?? '').startsWith('/api');
    response.writeHead(503, {
      'Retry-After': retryAfterS,
      'Content-Type': isApi ? 'application/json; charset=utf-8' : 'text/plain; charset=utf-8',
      ...((request.url ?? '').startsWith('/api/v1') ? { Deprecation: 'true' } : {}),
    });
    response.end(
      isApi
        ? JSON.stringify({ error: { code: 'ServerError', message } })
        : `Tapster counts, but ${message}\n`,
    );
  };
}
