import { posix } from 'node:path';

/** What a layer may import besides its own files: layers or single files; `types` only with `import type`. */
interface LayerRule {
  readonly imports: readonly string[];
  readonly types?: readonly string[];
}

/**
 * The allowed imports between layers. They point toward `core`; `web` runs in the browser and imports, besides
 * types, only `core`, which has no `node:` import; `system/product` holds the product's name and version, and
 * `system/catalogues` its texts, which are part of the program, and `system/own-addresses` what messages must not be sent to.
 * `services` answer the ports of `http` and know nothing else of it but the limits that bound both; only `daemon` and `cli` know them.
 * The program that switches relays off must know whether its list is of this machine.
 */
const layers: Readonly<Record<string, LayerRule>> = {
  core: { imports: [] },
  store: { imports: ['core'] },
  engine: { imports: ['core', 'store'] },
  devices: {
    imports: ['core', 'system/product', 'system/small-files', 'system/machine-identity'],
    types: ['config'],
  },
  http: { imports: ['core', 'engine', 'system/product', 'system/catalogues'], types: ['config'] },
  outbox: {
    imports: ['core', 'engine', 'system/product', 'system/catalogues', 'system/own-addresses'],
    types: ['config'],
  },
  system: { imports: ['core'], types: ['config'] },
  // The names of the pin drivers are values of a setting.
  config: { imports: ['core', 'system', 'devices/gpio/drivers/list'] },
  web: { imports: ['core'], types: ['http'] },
  services: {
    imports: [
      ...['core', 'store', 'engine', 'devices', 'outbox', 'system', 'config'],
      'http/server/overload-limits',
    ],
    types: [
      'http/ports',
      'http/admin-ports',
      'http/hardware-ports',
      'http/https-ports',
      'http/updates-ports',
      'http/wiring-ports',
    ],
  },
  daemon: {
    imports: ['core', 'store', 'engine', 'devices', 'http', 'outbox', 'system', 'config', 'services'],
  },
  // A program of its own that runs as root; it needs no library.
  updater: { imports: ['core', 'system'] },
  cli: {
    imports: [
      'core',
      'store',
      'engine',
      'devices',
      'http',
      'outbox',
      'system',
      'config',
      'services',
      'daemon',
      'updater',
    ],
  },
  main: { imports: ['cli', 'daemon', 'system', 'config'] },
};

/** What the parts of an extension may import: what their layer may, from the base and from their own extension. */
const extensionParts: Readonly<Record<string, LayerRule>> = {
  core: layers.core!,
  config: layers.config!,
  store: layers.store!,
  engine: layers.engine!,
  http: { ...layers.http!, types: [...(layers.http!.types ?? []), 'outbox', 'extensions/extension'] },
  outbox: { ...layers.outbox!, types: [...(layers.outbox!.types ?? []), 'extensions/extension'] },
  devices: layers.devices!,
  services: layers.services!,
  // What the daemon starts or asks, where no other layer has it.
  daemon: { ...layers.daemon!, types: ['extensions/extension'] },
  web: layers.web!,
  cli: { ...layers.cli!, types: ['extensions/extension'] },
};

/** Files of the base that put base and extensions together, and so know the two lists of extensions and their contract. */
const extensionLists = /^extensions\/(?:all|pages|extension|contexts)\.ts$/;
const compositions =
  /^(?:daemon\/|services\/database\/program-upgrade\.ts$|cli\/|main\.ts$|web\/app\/|web\/pages\/site\/features-page\.tsx$)/;

/**
 * Layers that get time and random numbers as arguments, so that a ten-minute pour is tested in a millisecond.
 */
const pureLayers = ['core', 'store', 'engine'];

/** Uses of clock, timers and random numbers. A `Date` made from a given time is arithmetic and allowed. */
const clockPattern = new RegExp(
  [
    String.raw`\bDate\s*\.\s*now\b`,
    String.raw`\bnew\s+Date\b\s*(?:\(\s*\)|(?!\s*\())`,
    String.raw`(?<!\bnew\s+)\bDate\s*\(`,
    String.raw`\b(?:performance|hrtime|set(?:Timeout|Interval|Immediate)|queueMicrotask)\b`,
    String.raw`\bMath\s*\.\s*random\b`,
  ].join('|'),
  'g',
);

/** Globals that `core` must not use. */
const globalsPattern = /\b(?:process|console|fetch|globalThis|crypto|Buffer|require)\b(?!\s*:)/g;

const commentOrString = /\/\*[\s\S]*?\*\/|\/\/[^\n]*|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"/g;

interface Import {
  readonly target: string;
  readonly isTypeOnly: boolean;
  /** False for `import()` and the file of a worker, which are read when the line runs. */
  readonly isStatic: boolean;
}

/** Violations of the rules in one file of `src`; `path` is relative to `src`, with forward slashes. */
export function findViolations(path: string, source: string): string[] {
  const layer = layerOf(path);
  const rules = rulesFor(path, layer);
  if (rules === undefined) return [`src/${path} belongs to no layer`];
  const faults = parseImports(source).flatMap((found) => checkImport(path, layer, rules, found) ?? []);
  const bare = source.replace(commentOrString, (text) => (text.startsWith('/') ? ' ' : "''"));
  const forbidden = [
    ...(pureLayers.includes(layer) ? (bare.match(clockPattern) ?? []) : []),
    ...(layer === 'core' ? (bare.match(globalsPattern) ?? []) : []),
  ];
  return [...faults, ...forbidden.map((use) => `src/${path} uses ${use.trim()}`)];
}

function checkImport(
  path: string,
  layer: string,
  rules: LayerRule,
  { target, isTypeOnly }: Import,
): string | null {
  if (!target.startsWith('.')) {
    return layer === 'core' ? `src/${path} imports ${target}; core imports nothing` : null;
  }
  const imported = posix.normalize(posix.join(posix.dirname(path), target));
  if (imported.startsWith('..')) return layer === 'core' ? `src/${path} imports ${target}` : null;
  const importedLayer = layerOf(imported);
  const fault = `src/${path} imports src/${imported}`;
  const [own, other] = [extensionOf(path), extensionOf(imported)];
  if (other !== null && other !== own && !isList(path)) return `${fault}: an extension`;
  if (own === null && extensionLists.test(imported) && !isList(path))
    return compositions.test(path) ? null : `${fault}: only what composes the program knows the extensions`;
  if (isList(path) || (own !== null && path === `extensions/${own}/extension.ts`)) return null;
  if (importedLayer === layer) {
    const [ownApi, otherApi] = [apiOf(path), apiOf(imported)];
    return ownApi !== null && otherApi !== null && ownApi !== otherApi ? `${fault}: another API` : null;
  }
  const isListed = (listed: readonly string[] = []) =>
    listed.some((one) => one === importedLayer || one === imported.replace(/\.ts$/, ''));
  if (isListed(rules.imports)) return null;
  if (!isListed(rules.types)) return fault;
  return isTypeOnly ? null : `${fault}: only types may be imported`;
}

/** Static, re-exporting, bare and dynamic imports, and the files of workers. */
export function parseImports(source: string): Import[] {
  const code = source.replace(commentOrString, (text) => (text.startsWith('/') ? ' ' : text));
  const imports: Import[] = [];
  for (const [, clause, target] of code.matchAll(
    /\b(?:import|export)\s+([\w\s{},*$]+?)\s+from\s*['"]([^'"]+)['"]/g,
  )) {
    imports.push({ target: target!, isTypeOnly: isTypeOnlyClause(clause!), isStatic: true });
  }
  for (const [pattern, isStatic] of [
    // Not the text 'import'.
    [/(?<!['"])\bimport\s*['"]([^'"]+)['"]/g, true],
    [/\bimport\s*\(\s*['"]([^'"]+)['"]/g, false],
    [/\bnew\s+URL\(\s*['"](\.[^'"]+)['"]\s*,\s*import\.meta\.url/g, false],
  ] as const) {
    for (const [, target] of code.matchAll(pattern))
      imports.push({ target: target!, isTypeOnly: false, isStatic });
  }
  return imports;
}

function isTypeOnlyClause(clause: string): boolean {
  if (/^type\s/.test(clause)) return true;
  const names = /^\{([\s\S]*)\}$/
    .exec(clause)?.[1]
    ?.split(',')
    .map((name) => name.trim());
  return names?.every((name) => name === '' || name.startsWith('type ')) ?? false;
}

const isList = (path: string): boolean => extensionLists.test(path);

/** The extension that a file belongs to; null for the base and the lists. */
const extensionOf = (path: string): string | null => /^extensions\/([^/]+)\//.exec(path)?.[1] ?? null;

const rulesFor = (path: string, layer: string): LayerRule | undefined => {
  if (extensionOf(path) !== null) return path.split('/').length === 3 ? layers.main : extensionParts[layer];
  return isList(path) ? layers.main : layers[layer];
};

/**
 * The folder under `src`, or under the folder of the extension; a file beside the folders is its own layer, or belongs to the folder with its name.
 */
function layerOf(path: string): string {
  if (isList(path)) return path.replace(/\.ts$/, '');
  const inner = extensionOf(path) === null ? path : path.split('/').slice(2).join('/');
  return inner.split('/')[0]!.replace(/\.tsx?$/, '');
}

function apiOf(path: string): string | null {
  return /^http\/(current|legacy-v1)\//.exec(path)?.[1] ?? null;
}
