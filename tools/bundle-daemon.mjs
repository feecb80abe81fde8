// Bundles the daemon's modules into dist/main.js and dist/chunks/: a Pi spends most of its start-up time on
// finding and opening hundreds of modules. The output of tsc stays beside them for workers, child processes
// and tools.
import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { minifySync } from 'rolldown/utils';
import { build } from 'vite';
import { licences } from './licences.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const [source, dist] = [join(root, 'src'), join(root, 'dist')];

/**
 * Replaces `import.meta.url` with the URL of tsc's output, for modules that find folders, workers and
 * children by it.
 */
const ownUrls = {
  name: 'own-urls',
  transform(code, id) {
    if (!id.startsWith(source) || !code.includes('import.meta.url')) return null;
    const url = JSON.stringify(`../${relative(source, id).replace(/\.ts$/, '.js')}`);
    return { code: code.replaceAll('import.meta.url', `new URL(${url}, import.meta.url).href`), map: null };
  },
};

/**
 * Writes characters beyond Latin-1 as escapes: V8 keeps the text of a file with a single one of them, such as a quotation mark, in two bytes
 * for each character, which took 2 MiB.
 */
const escapeText = {
  name: 'escape-text',
  enforce: 'post',
  generateBundle(_options, bundle) {
    for (const chunk of Object.values(bundle).filter(({ type }) => type === 'chunk')) {
      if (/\\[^\0-\xff]/.test(chunk.code))
        throw new Error(`${chunk.fileName}: a character beyond Latin-1 follows a backslash.`);
      chunk.code = chunk.code.replace(
        /[^\0-\xff]/g,
        (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
      );
    }
  },
};

/** The declarations of extensions, with what they need at the start. */
const extensionModules =
  /\/src\/(?:extensions\/(?:[^/]+\.ts|[^/]+\/(?:extension\.ts|config\/|core\/|store\/))|core\/settings\/|engine\/site\/features)/;

/**
 * Small modules that the daemon needs at its start and commands need, too: one file, since each of its own would be one more to open.
 */
const sharedModules = new RegExp(
  [
    String.raw`/src/core/(?:app-error|omit-undefined|task-queue|certificates/certificate-names|clock/clock-rules)\.ts$`,
    '/src/core/health/',
    String.raw`/src/core/network/(?:address-rules|https-requirement)\.ts$`,
    String.raw`/src/core/text/(?:find-closest|text-rules)\.ts$`,
    String.raw`/src/core/taps/(?:line-cleaning|tap-bounds|tap-names|tap-state)\.ts$`,
    String.raw`/src/core/temperatures/(?:sensor-reading|thermo-rules)\.ts$`,
    String.raw`/src/core/(?:kegs/volume-units|pours/(?:counter-position|pour|pour-judgement|session-rules))\.ts$`,
    String.raw`/src/devices/gpio/drivers/(?:list|\w+/driver)\.ts$`,
    String.raw`/src/system/(?:address-ranges|ids|own-addresses|small-files)\.ts$`,
  ].join('|'),
);

/**
 * How pours, temperatures and tokens are recorded: the daemon needs it at its start, and so does an extension that records them, from
 * a file of its own.
 */
const recordingModules = /\/src\/engine\/(?:drinks\/pours|temperatures\/thermo|access\/presentment)\.ts$/;

/** What extensions do with their rows, also while they are off: one file, opened at each start. */
const keptDataModules = /\/src\/extensions\/[^/]+\/engine\/kept-data\.ts$/;

/**
 * Packages that stay in node_modules: native ones, those that find their own files, and large ones that only an extension or a command
 * loads. The others are bundled: a start would open hundreds of their files, keep a record of each module, and have V8 compile the loader
 * of modules to machine code, which cost 6 MiB.
 */
const ownPackages = [
  '@peculiar/x509',
  '@streamparser/json',
  'better-sqlite3',
  'hucre',
  'iconv-lite',
  'koffi',
  'mqtt',
  'nodemailer',
  'onoff',
  'pigpio',
  'prom-client',
  'reflect-metadata',
  'serialport',
  'sharp',
  'supports-color',
  'swagger-ui-dist',
  'tar',
  'yauzl',
];

/** What checks settings and requests: needed before counting. */
const schemaPackages =
  /\/node_modules\/(?:ajv|csv-parse|fast-deep-equal|fast-uri|json-schema-traverse|jsonc-parser|typebox)\//;

/** The log, which each command writes. */
const loggingPackages =
  /\/node_modules\/(?:@pinojs|atomic-sleep|on-exit-leak-free|pino|pino-std-serializers|quick-format-unescaped|real-require|safe-stable-stringify|sonic-boom|thread-stream)\//;

/** Express and what it and the server's routes use: loaded after counting has started. */
const serverPackages = /\/node_modules\//;

const packageChunk = /^chunks\/package-/;

/** Removes comments and indentation of packages, whose text V8 keeps. Names stay, for traces. */
const shortenPackages = {
  name: 'shorten-packages',
  generateBundle(_options, bundle) {
    for (const chunk of Object.values(bundle).filter(({ fileName }) => packageChunk.test(fileName))) {
      const { code, errors } = minifySync(chunk.fileName, chunk.code, {
        module: true,
        compress: false,
        mangle: false,
        codegen: { removeWhitespace: true, legalComments: 'none' },
      });
      if (errors.length > 0) throw new Error(`${chunk.fileName}: ${errors[0].message}`);
      chunk.code = code;
    }
  },
};

/** Bundles `src/main.ts`. File names contain a content hash, so that a running daemon keeps its own files. */
export async function bundleDaemon() {
  const { output } = await build({
    configFile: false,
    root,
    logLevel: 'warn',
    publicDir: false,
    plugins: [ownUrls, shortenPackages, escapeText, licences({ root, own: [source, join(root, 'locales')] })],
    ssr: { noExternal: true, external: ownPackages },
    build: {
      ssr: join(source, 'main.ts'),
      outDir: dist,
      emptyOutDir: false,
      target: 'node20',
      minify: false,
      rolldownOptions: {
        output: {
          entryFileNames: 'main.js',
          chunkFileNames: 'chunks/[name]-[hash].js',
          codeSplitting: {
            groups: [
              { name: 'shared', test: sharedModules },
              { name: 'extensions', test: extensionModules },
              // Needed at the start, and by extensions: one file in place of one for each module that they share.
              { name: 'kegs', test: /\/src\/(?:core|engine)\/kegs\// },
              { name: 'recording', test: recordingModules },
              { name: 'kept-data', test: keptDataModules },
              { name: 'package-schemas', test: schemaPackages },
              { name: 'package-logging', test: loggingPackages },
              { name: 'package-server', test: serverPackages },
            ],
          },
          // A sixth of the bundle; the sources have them.
          comments: { legal: true, annotation: false, jsdoc: false },
        },
      },
    },
  });
  if (readFileSync(join(dist, 'main.js'), 'utf8').includes('import.meta.url'))
    throw new Error('main.js uses import.meta.url; only files in dist/chunks/ may.');
  removeOld(new Set(output.map(({ fileName }) => fileName)));
}

/** Deletes files of earlier builds after a day, when no running daemon needs them any more. */
function removeOld(created) {
  const chunks = join(dist, 'chunks');
  if (!existsSync(chunks)) return;
  const dayAgo = Date.now() - 86_400_000;
  for (const name of readdirSync(chunks)) {
    const file = join(chunks, name);
    if (!created.has(`chunks/${name}`) && statSync(file).mtimeMs < dayAgo) rmSync(file);
  }
}
