import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import Type from 'typebox';
import { AppError } from '../../../core/app-error.ts';
import { defineRawRoute } from '../../routes/route.ts';
import { Maybe, Open } from '../../routes/schemas.ts';
import { createFileCache } from '../../server/send-bytes.ts';
import { sendDocument } from '../../server/send-document.ts';

const load = createRequire(import.meta.url);
const files = createFileCache();

/** The assets never change within a release. */
const cacheSeconds = 3_600;

/** The site's usual policy, plus `data:` images, which Swagger UI's stylesheet contains. */
const contentSecurityPolicy =
  "default-src 'self'; img-src 'self' data:; base-uri 'self'; form-action 'self'; frame-ancestors 'self'; object-src 'none'";

const page = Buffer.from(`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Tapster API</title>
    <link rel="icon" href="/api/docs/favicon-32x32.png">
    <link rel="stylesheet" href="/api/docs/swagger-ui.css">
    <link rel="stylesheet" href="/api/docs/page.css">
  </head>
  <body>
    <nav>
      <a href="/api/docs">Tapster API</a>
      <a href="/api/docs?document=legacy">Legacy API</a>
      <a href="/">The bar</a>
    </nav>
    <noscript>This page needs scripts; the documents are at /api/schema and /api/v1/schema.</noscript>
    <main id="document"></main>
    <script src="/api/docs/swagger-ui-bundle.js"></script>
    <script src="/api/docs/start.js"></script>
  </body>
</html>
`);

const style = Buffer.from(`body { margin: 0; }
nav { background: #1b1b1b; display: flex; font: 1rem/3 sans-serif; gap: 1.5rem; padding: 0 1.25rem; }
nav a { color: #f6d58a; }
`);

const start = Buffer.from(`const isLegacy = new URLSearchParams(location.search).get('document') === 'legacy';
SwaggerUIBundle({
  url: isLegacy ? '/api/v1/schema' : '/api/schema',
  dom_id: '#document',
  deepLinking: true,
  // Drawing all of about 200 operations at once is slow on a tablet.
  docExpansion: 'none',
  filter: true,
  // The default badge sends the document to swagger.io for validation.
  validatorUrl: null,
});
`);

const ownFiles: Readonly<Record<string, { readonly mediaType: string; readonly bytes: Buffer }>> = {
  'page.css': { mediaType: 'text/css; charset=utf-8', bytes: style },
  'start.js': { mediaType: 'text/javascript; charset=utf-8', bytes: start },
};

const assets: Readonly<Record<string, string>> = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
  'favicon-32x32.png': 'image/png',
  // The licences require these files to accompany every copy.
  LICENSE: 'text/plain; charset=utf-8',
  NOTICE: 'text/plain; charset=utf-8',
  'swagger-ui-bundle.js.LICENSE.txt': 'text/plain; charset=utf-8',
};

const getDocs = defineRawRoute({
  id: 'docs',
  method: 'get',
  path: '/docs',
  summary: 'Interactive page of this document and of the legacy API’s',
  description:
    'HTML with this document and that of the legacy API; calls can be tried out. All files are served from this ' +
    'machine.',
  access: 'open',
  allowedBeforeSetUp: true,
  accepts: {
    query: Open({
      document: Maybe(
        Type.Enum(['current', 'legacy'], {
          default: 'current',
          description: 'The document that is shown first: that of this API or of the legacy API.',
        }),
      ),
    }),
  },
  mediaType: 'text/html',
  hasEntityTag: true,
  send(_context, { request, response }) {
    response.setHeader('Content-Security-Policy', contentSecurityPolicy);
    response.setHeader('Cache-Control', 'no-cache');
    return sendDocument(request, response, { bytes: page, mediaType: 'text/html; charset=utf-8' });
  },
});

const getDocsFile = defineRawRoute({
  id: 'docsFile',
  method: 'get',
  path: '/docs/{file}',
  summary: 'Files of the interactive page',
  description: 'Scripts, styles and licences of the interactive page. Cached for an hour.',
  access: 'open',
  allowedBeforeSetUp: true,
  accepts: {
    params: Open({
      file: Type.String({ maxLength: 64, description: 'Name of the file, such as `swagger-ui.css`.' }),
    }),
  },
  mediaType: 'text/javascript',
  hasEntityTag: true,
  otherMediaTypes: ['text/css', 'image/png', 'text/plain'],
  async send(_context, { request, response }, { params: { file } }) {
    const own = Object.hasOwn(ownFiles, file) ? ownFiles[file] : undefined;
    const mediaType = own?.mediaType ?? (Object.hasOwn(assets, file) ? assets[file] : undefined);
    if (mediaType === undefined) throw new AppError('not_found', 'There is no such file.');
    // Read on the first request: 1.7 MB would otherwise stay in the memory of a Pi that never shows this page.
    const bytes = own ? own.bytes : (await files.read(join(assetsFolder(), file)))?.bytes;
    if (bytes === undefined) throw new AppError('not_found', 'There is no such file.');
    response.setHeader('Cache-Control', `public, max-age=${cacheSeconds}`);
    await sendDocument(request, response, { bytes, mediaType });
  },
});

export const docsRoutes = [getDocs, getDocsFile];

const assetsFolder = (): string => dirname(load.resolve('swagger-ui-dist/package.json'));
