import { extname, join } from 'node:path';
import express, { type Request, type RequestHandler, type Response, type Router } from 'express';
import { pathToRoot } from './page-addresses.ts';
import { addVary } from './server/compression.ts';
import { createFileCache } from './server/send-bytes.ts';
import { sendDocument } from './server/send-document.ts';

/** Vite names these files by a hash of their content, so they can be cached for ever. */
const assetsPrefix = '/assets/';

/** Paths of the page's files. No part starts with a dot, so none leads out of the folder. */
const filePath = /^(?:\/[\w-][\w.-]*)+$/;

type FileCache = ReturnType<typeof createFileCache>;

const notBuiltMessage =
  'The page has not been built yet. Run `npm run build`, then reload. Counting and the API work without it.';

/** Each depth makes another copy of the document; an address of the page has at most five. */
const maxNotFoundDepth = 8;

const notFoundMessage = 'This address does not exist. The page is at / and the API at /api/.';

/**
 * Serves the built page from `webDirectory`. Its document names the site's language, which the page uses for browsers whose
 * languages it does not have.
 */
export function pageRoutes(
  webDirectory: string,
  isPageAddress: (path: string) => boolean,
  siteLanguage: () => string,
): Router {
  const router = express.Router({ caseSensitive: true });
  const files = createFileCache();
  router.use(serveDocument(join(webDirectory, 'index.html'), files, { isPageAddress, siteLanguage }));
  router.use(serveFiles(webDirectory, files));
  router.use(notFound(join(webDirectory, 'index.html'), files, siteLanguage));
  return router;
}

/** Serves the same document at every address of the page, with a `<base>` that matches its depth. */
function serveDocument(
  file: string,
  files: FileCache,
  { isPageAddress, siteLanguage }: { isPageAddress(path: string): boolean; siteLanguage(): string },
): RequestHandler {
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
    const bytes = adapt(document.bytes, { base: pathToRoot(path), language: siteLanguage() });
    await sendDocument(request, response, { bytes, mediaType: 'text/html; charset=utf-8' });
  };
}

/** The document for each base and language, garbage-collected with the original; there are few of both. */
const documents = new WeakMap<Buffer, Map<string, Buffer>>();

interface DocumentPlace {
  /** Relative path to the folder of the page. */
  readonly base: string;
  /** An IETF tag, the name of one of our files. */
  readonly language: string;
}

function adapt(document: Buffer, { base, language }: DocumentPlace): Buffer {
  const adapted = documents.get(document) ?? new Map<string, Buffer>();
  documents.set(document, adapted);
  const key = `${language} ${base}`;
  const bytes = adapted.get(key) ?? Buffer.from(adaptText(document.toString('utf8'), { base, language }));
  adapted.set(key, bytes);
  return bytes;
}

const adaptText = (text: string, { base, language }: DocumentPlace): string =>
  text
    .replace('<html lang="en">', `<html lang="${language}">`)
    .replace('<head>', `<head><base href="${base}">`);

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
    response.type(extname(path));
    await sendDocument(request, response, { bytes, mediaType: String(response.getHeader('Content-Type')) });
  };
}

/** True for a browser that opens an address. A client that accepts everything, as curl does, gets the first of the two. */
const isNavigation = (request: Request): boolean =>
  isRead(request) && request.accepts(['text/plain', 'text/html']) === 'text/html';

const isRead = ({ method }: Request): boolean => method === 'GET' || method === 'HEAD';

/** Answers browsers with the page, which says so in the reader's language, and other clients with a sentence. */
function notFound(file: string, files: FileCache, siteLanguage: () => string): RequestHandler {
  return async (request, response) => {
    addVary(response, 'Accept');
    const isShallow = request.path.split('/').length - 1 <= maxNotFoundDepth;
    const document = isShallow && isNavigation(request) ? await files.read(file) : null;
    if (document === null) return sendText(response, 404, notFoundMessage);
    const bytes = adapt(document.bytes, { base: pathToRoot(request.path), language: siteLanguage() });
    response.setHeader('Cache-Control', 'no-store');
    response.status(404);
    await sendDocument(request, response, {
      bytes,
      mediaType: 'text/html; charset=utf-8',
      isTagged: false,
    });
  };
}

function sendText(response: Response, status: number, sentence: string) {
  response.setHeader('Cache-Control', 'no-store');
  response.status(status).type('text/plain').send(`${sentence}\n`);
}
