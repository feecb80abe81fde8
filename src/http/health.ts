import type { RequestHandler } from 'express';
import { sendJson } from './mount.ts';
import type { HealthReport } from './ports.ts';

/** `GET /healthz`: 200 while counting, storing and serving work, else 503 with what does not. */
export function healthRoute(health: () => HealthReport): RequestHandler {
  return (request, response) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.setHeader('Allow', 'GET, HEAD');
      sendJson(response, 405, { error: { code: 'Error', message: 'This can only be read.' } });
      return;
    }
    const { parts } = health();
    const isWell = parts.every(({ vital, problem }) => !vital || problem === null);
    response.setHeader('Cache-Control', 'no-store');
    sendJson(response, isWell ? 200 : 503, {
      status: isWell ? 'ok' : 'trouble',
      parts: Object.fromEntries(parts.map(({ name, problem }) => [name, problem ?? 'ok'])),
    });
  };
}
