import type { RequestHandler } from 'express';

/**
 * Passes requests below `prefix` directly to their handler and skips the middleware that Express would try in turn. The
 * handler sees the same `url` and `baseUrl` as below `app.use(prefix)`. Absolute request URLs take the usual way.
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
