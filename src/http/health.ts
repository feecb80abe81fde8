import type { RequestHandler } from 'express';
import { sendJson } from './mount.ts';
import type { HealthReport } from './ports.ts';

/** 200 while counting, storing and serving work, else 503 with what does not. */
export function healthAnswer({ parts }: HealthReport): { status: 200 | 503; body: object } {
  const isWell = parts.every(({ vital, problem }) => !vital || problem === null);
  return {
    status: isWell ? 200 : 503,
    body: {
      status: isWell ? 'ok' : 'trouble',
      parts: Object.fromEntries(parts.map(({ name, problem }) => [name, problem ?? 'ok'])),
    },
  };
}

/** `GET /healthz`. */
export function healthRoute(health: () => HealthReport): RequestHandler {
  return (_request, response) => {
    const { status, body } = healthAnswer(health());
    response.setHeader('Cache-Control', 'no-store');
    sendJson(response, status, body);
  };
}
