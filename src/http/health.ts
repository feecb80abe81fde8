import type { RequestHandler } from 'express';
import type { Site } from '../core/records.ts';
import { joinMessages } from '../core/rules/problems.ts';
import { isFromThisMachine } from './pipeline/origin.ts';
import { sendJson } from './pipeline/reply.ts';
import type { HealthReport } from './ports.ts';

/** The answer of `/healthz`. */
interface HealthAnswer {
  readonly status: 200 | 503;
  readonly body: { readonly status: 'ok' | 'trouble'; readonly parts: Readonly<Record<string, string>> };
}

/** What only this machine is told, for the updater: which version answers, and whether the taps are idle. */
export interface LocalHealth {
  readonly version: string;
  /** Running pours and open valves. */
  readonly pours: number;
}

/** Returns 200 while counting, storing and serving work, else 503 with the parts that do not. */
export function healthAnswer({ parts }: HealthReport): HealthAnswer {
  const isHealthy = parts.every(({ vital, problems }) => !vital || problems.length === 0);
  return {
    status: isHealthy ? 200 : 503,
    body: {
      status: isHealthy ? 'ok' : 'trouble',
      parts: Object.fromEntries(parts.map(({ name, problems }) => [name, joinMessages(problems) ?? 'ok'])),
    },
  };
}

/** `GET /healthz`. A private site shows remote clients only the status, not its parts; only this machine is told `local`. */
export function healthRoute(
  health: () => HealthReport,
  privacy: () => Site['privacy'],
  local: () => LocalHealth,
): RequestHandler {
  return (request, response) => {
    const { status, body } = healthAnswer(health());
    response.setHeader('Cache-Control', 'no-store');
    const isLocal = isFromThisMachine(request);
    const shown = privacy() === 'public' || isLocal ? body : { status: body.status };
    sendJson(response, status, isLocal ? { ...shown, ...local() } : shown);
  };
}
