import express, { type RequestHandler, type Router } from 'express';
import type { HttpsAdmin } from './https-ports.ts';
import { findHttpsAddress } from './pipeline/origin.ts';

/**
 * What a device needs to trust this machine: the certificate of the authority, also over plain HTTP, and an address that tells
 * whether it does.
 */
export function httpsFiles(https: HttpsAdmin): Router {
  const router = express.Router({ caseSensitive: true, strict: true });
  router.get('/ca.crt', (_request, response) => {
    const authority = https.authority();
    response.setHeader('Cache-Control', 'no-store');
    if (authority === null) {
      response.status(404).type('text/plain').send('This machine has no authority for HTTPS yet.\n');
      return;
    }
    response.setHeader('Content-Type', 'application/x-x509-ca-cert');
    response.end(authority.certificate);
  });
  router.get('/https-check', (_request, response) => {
    response.setHeader('Cache-Control', 'no-store');
    // The page over plain HTTP reads it from another origin; it says nothing about the bar.
    response.setHeader('Access-Control-Allow-Origin', '*');
    response.setHeader('Cross-Origin-Resource-Policy', 'cross-origin');
    response.status(204).end();
  });
  return router;
}

/**
 * Lets the page over plain HTTP ask the same machine over HTTPS whether this device trusts it. Only that address is added to
 * what the page may reach.
 */
export function allowHttpsCheck(https: HttpsAdmin, hosts: readonly string[]): RequestHandler {
  return (request, response, next) => {
    const address = request.secure ? null : findHttpsAddress(request, hosts, https.port());
    const policy = response.getHeader('Content-Security-Policy');
    if (address !== null && typeof policy === 'string')
      response.setHeader('Content-Security-Policy', `${policy};connect-src 'self' ${address}/https-check`);
    next();
  };
}
