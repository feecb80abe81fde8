import type { RequestHandler } from 'express';
import { type HealthReport, healthAnswer } from '../core/health/own-health.ts';
import type { Site } from '../core/records.ts';
import { isFromThisMachine } from './pipeline/origin.ts';
import { sendJson } from './pipeline/reply.ts';

/** What only this machine is told, for the updater: which version answers, and whether the taps are idle. */
export interface LocalHealth {
  readonly version: string;
  /** Running pours and open valves. */
  readonly pours: number;
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
