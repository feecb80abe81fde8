import { existsSync } from 'node:fs';
import { join, sep } from 'node:path';
import express, { type RequestHandler, type Router } from 'express';

/** Vite names these after their content, so they never change. */
const assetsFolder = `${sep}assets${sep}`;

const notBuilt =
  'The page has not been built yet. Run `npm run build`, then load this again. Counting and the API work without it.';

/** Serves the built page from `webDirectory`. */
export function pageRoutes(webDirectory: string): Router {
  const router = express.Router({ caseSensitive: true });
  router.use(
    express.static(webDirectory, {
      redirect: false,
      setHeaders(response, file) {
        const isForever = file.includes(assetsFolder);
        response.setHeader('Cache-Control', isForever ? 'public, max-age=31536000, immutable' : 'no-cache');
      },
    }),
  );
  router.use(nothingHere(webDirectory));
  return router;
}

function nothingHere(webDirectory: string): RequestHandler {
  return (request, response) => {
    const isFront = request.path === '/' || request.path === '/index.html';
    const reads = request.method === 'GET' || request.method === 'HEAD';
    response.setHeader('Cache-Control', 'no-store');
    response.type('text/plain');
    if (isFront && !reads) {
      response.setHeader('Allow', 'GET, HEAD');
      response.status(405).send('The page can only be read.\n');
    } else if (isFront && !existsSync(join(webDirectory, 'index.html'))) {
      response.status(503).send(`${notBuilt}\n`);
    } else {
      response.status(404).send('Nothing is at this address. The page is at / and the API at /api/.\n');
    }
  };
}
