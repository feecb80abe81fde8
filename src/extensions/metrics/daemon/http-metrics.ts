import type { AnsweredRequest } from '../../../core/measurements.ts';
import type { MetricValues } from './metric-values.ts';

/** The classes of routes, the first prefix that matches; all other addresses are the page. */
const routeClasses = [
  ['/api/v1', 'legacy-v1'],
  ['/api/live', 'live'],
  ['/api/device-event', 'device-events'],
  ['/api/kegboard-event', 'device-events'],
  ['/api', 'current'],
  ['/healthz', 'health'],
  ['/metrics', 'metrics'],
] as const;

const methods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** Adds the duration of an answer to the metrics. */
export function countRequest(
  { method, url, status }: AnsweredRequest,
  seconds: number,
  values: MetricValues,
): void {
  // No part of a client's address or method becomes a label: clients could make any number of them.
  const labels = {
    route: toRouteClass(url),
    method: methods.has(method) ? method : 'other',
    code: toCodeClass(status),
  };
  values.observe('tapster_http_request_duration_seconds', labels, seconds);
}

/** Returns the class of an address. */
export function toRouteClass(url: string): string {
  const end = url.search(/[?#]/);
  const path = end < 0 ? url : url.slice(0, end);
  const found = routeClasses.find(([prefix]) => path === prefix || path.startsWith(`${prefix}/`));
  return found?.[1] ?? 'page';
}

const toCodeClass = (status: number): string =>
  status >= 100 && status < 600 ? `${Math.floor(status / 100)}xx` : 'other';
