import type { ServerResponse } from 'node:http';
import { setBaseHeaders } from '../pipeline/reply.ts';
import { securityHeaders } from './security-headers.ts';

/** Returns what answers with 404 and a sentence at an address outside `/api` of a feature that is off. */
export function createFeatureOff(): (response: ServerResponse, sentence: string) => void {
  const headers = securityHeaders();
  return (response, sentence) => {
    setBaseHeaders(response, headers);
    response.setHeader('Cache-Control', 'no-store');
    response.setHeader('Content-Type', 'text/plain; charset=utf-8');
    response.writeHead(404).end(`${sentence}\n`);
  };
}
