import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, sep } from 'node:path';
import express, { type RequestHandler, type Router } from 'express';
import { isPageAddress, pathToRoot } from './page-addresses.ts';

/** Vite names these files by a hash of their content, so they can be cached for ever. */
const assetsFolder = `${sep}assets${sep}`;

const notBuiltMessage =
  'The page has not been built yet. Run `npm run build`, then reload. Counting and the API work without it.';

/** Serves the built page from `webDirectory`. */
export function pageRoutes(webDirectory: string): Router {
  const router = express.Router({ caseSensitive: true });
  router.use(serveDocument(webDirectory));
  router.use(
    express.static(webDirectory, {
      redirect: false,
      index: false,
      setHeaders(response, file) {
        const isImmutable = file.includes(assetsFolder);
        response.setHeader('Cache-Control', isImmutable ? 'public, max-age=31536000, immutable' : 'no-cache');
      },
    }),
  );
  router.use(notFound);
  return router;
}

/** Serves the same document at every address of the page, with a `<base>` that matches its depth. */
function serveDocument(webDirectory: string): RequestHandler {
  const file = join(webDirectory, 'index.html');
  return async (request, response, next) => {
    const path = request.path === '/index.html' ? '/' : request.path;
    if (!isPageAddress(path)) return next();
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.setHeader('Allow', 'GET, HEAD');
      return sendText(response, 405, 'The page can only be read.');
    }
    if (!existsSync(file)) return sendText(response, 503, notBuiltMessage);
    const document = await readFile(file, 'utf8');
    response.setHeader('Cache-Control', 'no-cache');
    response.type('html').send(document.replace('<head>', `<head><base href="${pathToRoot(path)}">`));
  };
}

const notFound: RequestHandler = (_request, response) => {
  sendText(response, 404, 'This address does not exist. The page is at / and the API at /api/.');
};

function sendText(response: express.Response, status: number, sentence: string) {
  response.setHeader('Cache-Control', 'no-store');
  response.status(status).type('text/plain').send(`${sentence}\n`);
}
