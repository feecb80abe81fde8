import type { RequestHandler } from 'express';

/**
 * Leads requests below `prefix` straight to their face, past all the doors that Express would try one after the other;
 * the face finds them as behind a mount of Express. Addresses with a scheme and host in them go the usual way.
 */
export const fastPath =
  (prefix: string, handler: RequestHandler): RequestHandler =>
  (request, response, next) => {
    const { url } = request;
    if (!url.startsWith(prefix)) return next();
    const rest = url.slice(prefix.length);
    if (rest !== '' && rest[0] !== '/' && rest[0] !== '?') return next();
    request.baseUrl = prefix;
    request.url = rest[0] === '/' ? rest : `/${rest}`;
    return handler(request, response, next);
  };
