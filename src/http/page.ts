import { extname, join } from 'node:path';
import express, { type Request, type RequestHandler, type Response, type Router } from 'express';
import { isPageAddress, pathToRoot } from './page-addresses.ts';
import { createFileCache, sendShared } from './server/send-bytes.ts';

/** Vite names these files by a hash of their content, so they can be cached for ever. */
const assetsPrefix = '/assets/';

/** Paths of the page's files. No part starts with a dot, so none leads out of the folder. */
const filePath = /^(?:\/[\w-][\w.-]*)+$/;

type FileCache = ReturnType<typeof createFileCache>;

const notBuiltMessage =
  'The page has not been built yet. Run `npm run build`, then reload. Counting and the API work without it.';

/** Serves the built page from `webDirectory`. */
export function pageRoutes(webDirectory: string): Router {
  const router = express.Router({ caseSensitive: true });
  const files = createFileCache();
  router.use(serveDocument(join(webDirectory, 'index.html'), files));
  router.use(serveFiles(webDirectory, files));
  router.use(notFound);
  return router;
}

/** Serves the same document at every address of the page, with a `<base>` that matches its depth. */
function serveDocument(file: string, files: FileCache): RequestHandler {
  return async (request, response, next) => {
    const path = request.path === '/index.html' ? '/' : request.path;
    if (!isPageAddress(path)) return next();
    if (!isRead(request)) {
      response.setHeader('Allow', 'GET, HEAD');
      return sendText(response, 405, 'The page can only be read.');
    }
    const document = await files.read(file);
    if (document === null) return sendText(response, 503, notBuiltMessage);
    response.setHeader('Cache-Control', 'no-cache');
    const base = `<head><base href="${pathToRoot(path)}">`;
    response.type('html').send(document.bytes.toString('utf8').replace('<head>', base));
  };
}

/** Serves scripts, styles and images. */
function serveFiles(webDirectory: string, files: FileCache): RequestHandler {
  return async (request, response, next) => {
    const { path } = request;
    const file = isRead(request) && filePath.test(path) ? await files.read(join(webDirectory, path)) : null;
    if (file === null) return next();
    const { bytes, mtimeMs } = file;
    const isImmutable = path.startsWith(assetsPrefix);
    response.setHeader('Cache-Control', isImmutable ? 'public, max-age=31536000, immutable' : 'no-cache');
    response.setHeader('Last-Modified', new Date(mtimeMs).toUTCString());
    response.setHeader('ETag', `W/"${bytes.length.toString(16)}-${Math.round(mtimeMs).toString(16)}"`);
    response.type(extname(path));
    if (request.fresh) {
      response.status(304).end();
      return;
    }
    response.setHeader('Content-Length', bytes.length);
    sendShared(response, bytes);
  };
}

const isRead = ({ method }: Request): boolean => method === 'GET' || method === 'HEAD';

const notFound: RequestHandler = (_request, response) => {
  sendText(response, 404, 'This address does not exist. The page is at / and the API at /api/.');
};

function sendText(response: Response, status: number, sentence: string) {
  response.setHeader('Cache-Control', 'no-store');
  response.status(status).type('text/plain').send(`${sentence}\n`);
}
