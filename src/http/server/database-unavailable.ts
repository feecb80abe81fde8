import type { RequestListener } from 'node:http';
import { type HealthReport, healthAnswer } from '../../core/health/own-health.ts';
import { joinMessages } from '../../core/health/problems.ts';
import { productVersion } from '../../system/product.ts';
import { isFromThisMachine } from '../pipeline/origin.ts';

/** Delay before clients retry, seconds. */
const retryAfterS = 5;

/** Answers while the database is not open: `/healthz` with the health report, everything else, and all while the daemon stops, with 503. */
export function databaseUnavailable(
  health: () => HealthReport,
  isStopping: () => boolean = () => false,
): RequestListener {
  return (request, response) => {
    request.resume();
    response.setHeader('Cache-Control', 'no-store');
    if (!isStopping() && /^\/healthz(\?|$)/.test(request.url ?? '')) {
      const { status, body } = healthAnswer(health());
      response.writeHead(status, { 'Content-Type': 'application/json; charset=utf-8' });
      // Pours are counted, but not known here.
      const local = isFromThisMachine(request) ? { version: productVersion(), pours: 0 } : {};
      response.end(JSON.stringify({ ...body, ...local }));
      return;
    }
    const problems = health().parts.flatMap((part) => joinMessages(part.problems) ?? []);
    const message = isStopping()
      ? 'Tapster is stopping.'
      : ['The database is not open yet.', ...problems].join(' ');
    const isApi = (request.url ?? '').startsWith('/api');
    response.writeHead(503, {
      'Retry-After': retryAfterS,
      'Content-Type': isApi ? 'application/json; charset=utf-8' : 'text/plain; charset=utf-8',
      ...((request.url ?? '').startsWith('/api/v1') ? { Deprecation: 'true' } : {}),
    });
    response.end(
      isApi
        ? JSON.stringify({ error: { code: 'ServerError', message } })
        : `${isStopping() ? '' : 'Tapster is counting. '}${message}\n`,
    );
  };
}
