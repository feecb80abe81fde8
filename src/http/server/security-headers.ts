import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { RequestHandler } from 'express';
import helmet from 'helmet';
import type { BaseHeaders } from '../pipeline/context.ts';
import { setBaseHeaders } from '../pipeline/reply.ts';

/** Headers that allow only the page's own scripts and styles. None requires TLS: a bar's network uses plain HTTP. */
export function securityHeaders(): BaseHeaders {
  const helmetMiddleware = helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        baseUri: ["'self'"],
        formAction: ["'self'"],
        frameAncestors: ["'self'"],
        objectSrc: ["'none'"],
        workerSrc: ["'self'"],
      },
    },
    strictTransportSecurity: false,
    // Browsers apply these two over TLS only and log a warning otherwise.
    crossOriginOpenerPolicy: false,
    originAgentCluster: false,
  });
  // helmet sets the same headers on every answer, so they are computed once.
  const request = new IncomingMessage(new Socket());
  const response = new ServerResponse(request);
  helmetMiddleware(request, response, () => {});
  return response.getHeaderNames().flatMap((name) => [name, String(response.getHeader(name))]);
}

/** Returns a middleware that sets the headers on every answer. */
export const setHeaders =
  (headers: BaseHeaders): RequestHandler =>
  (_request, response, next) => {
    setBaseHeaders(response, headers);
    next();
  };
