import express, { type Express, type Request, type RequestHandler, type Response } from 'express';
import { AppError } from '../../../core/app-error.ts';
import type { Log } from '../../../http/ports.ts';
import { createLimits, type Limits, noLimits } from '../../../http/server/limits.ts';
import { securityHeaders, setHeaders } from '../../../http/server/security-headers.ts';
import { decideMetricsAccess, type MetricsAccess, type MetricsDecision } from './metrics-access.ts';
import type { MetricFormat, MetricsService } from './metrics-service.ts';

interface MetricsOptions {
  readonly service: MetricsService;
  readonly access: MetricsAccess;
  /** Names of this host beside its own host name. */
  readonly hosts: readonly string[];
  readonly log: Log;
  readonly rateLimits: boolean;
  /** Count requests by the client's address that one proxy has seen. It opens nothing. */
  readonly trustProxy: boolean;
}

const refusals: Readonly<Record<Exclude<MetricsDecision, 'allow'>, readonly [status: number, text: string]>> =
  {
    'wrong-token': [401, 'This is not the token of metrics.token.'],
    unauthenticated: [
      401,
      'Send the token of metrics.token as “Authorization: Bearer”, or add this address to metrics.allow_addresses.',
    ],
    forbidden: [
      403,
      'This address may not read the metrics: add it to metrics.allow_addresses, or set metrics.token and send it.',
    ],
  };

/** Creates the app of `/metrics`, which answers also while the database is not open. */
export function createMetricsApp(options: MetricsOptions): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('trust proxy', options.trustProxy ? 1 : false);
  app.use(setHeaders(securityHeaders()));
  app.use(answerMetrics(options, options.rateLimits ? createLimits() : noLimits));
  return app;
}

/** `GET /metrics`, in OpenMetrics for clients that prefer it, else in the Prometheus text format. */
function answerMetrics({ service, access, hosts, log }: MetricsOptions, limits: Limits): RequestHandler {
  return async (request, response) => {
    response.setHeader('Cache-Control', 'no-store');
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.setHeader('Allow', 'GET, HEAD');
      return sendText(response, 405, 'Metrics can only be read.');
    }
    try {
      await limits.countRequest(request, response, 'read');
      const decision = decideMetricsAccess(request, access, hosts);
      if (decision === 'wrong-token') await limits.countWrongKey(request, response);
      if (decision !== 'allow') return refuse(response, decision);
    } catch (fault) {
      if (!(fault instanceof AppError)) throw fault;
      return sendText(response, 429, fault.message);
    }
    response.setHeader('Vary', 'Accept');
    try {
      const { contentType, text } = await service.scrape(chooseFormat(request));
      response.setHeader('Content-Type', contentType);
      response.setHeader('Content-Length', Buffer.byteLength(text));
      response.end(request.method === 'HEAD' ? undefined : text);
    } catch (err) {
      // The daemon stops, or its database is being replaced.
      const isClosed = err instanceof AppError && err.code === 'unavailable';
      if (!isClosed) log.error({ err }, 'the metrics cannot be read');
      sendText(response, 503, isClosed ? err.message : 'The metrics cannot be read now. See the log.');
    }
  };
}

function refuse(response: Response, decision: Exclude<MetricsDecision, 'allow'>): void {
  const [status, text] = refusals[decision];
  if (status === 401) response.setHeader('WWW-Authenticate', 'Bearer');
  sendText(response, status, text);
}

function sendText(response: Response, status: number, sentence: string): void {
  response.status(status).type('text/plain').send(`${sentence}\n`);
}

/** Chooses by the weights of the header `Accept`; a client that likes both as well gets OpenMetrics. */
function chooseFormat({ headers }: Request): MetricFormat {
  const weights = { openmetrics: 0, text: 0 };
  for (const range of (headers.accept ?? '').split(',')) {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    const quality = parameters.find((parameter) => parameter.startsWith('q='));
    const weight = quality === undefined ? 1 : Number(quality.slice(2)) || 0;
    if (type === 'application/openmetrics-text') weights.openmetrics = Math.max(weights.openmetrics, weight);
    if (type === 'text/plain') weights.text = Math.max(weights.text, weight);
  }
  return weights.openmetrics > 0 && weights.openmetrics >= weights.text ? 'openmetrics' : 'prometheus';
}
