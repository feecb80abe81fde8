import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { RequestHandler } from 'express';
import helmet from 'helmet';
import { type BaseHeaders, setBaseHeaders } from '../routes/replies.ts';

/** The page runs its own scripts and styles only. Plain HTTP on a bar's network: nothing here may ask for TLS. */
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
      },
    },
    strictTransportSecurity: false,
    // Browsers heed these two over TLS only, and complain of them otherwise.
    crossOriginOpenerPolicy: false,
    originAgentCluster: false,
  });
  // What helmet says is the same for every answer, so it is asked once.
  const request = new IncomingMessage(new Socket());
  const response = new ServerResponse(request);
  helmetMiddleware(request, response, () => {});
  return response.getHeaderNames().flatMap((name) => [name, String(response.getHeader(name))]);
}

/** Sets them on whatever comes by. */
export const setHeaders =
  (headers: BaseHeaders): RequestHandler =>
  (_request, response, next) => {
    setBaseHeaders(response, headers);
    next();
  };
