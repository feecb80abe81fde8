import { posix } from 'node:path';

/** What one room may know beside itself: rooms or single files, `knows` in full, `words` as types only. */
interface Room {
  readonly knows: readonly string[];
  readonly words?: readonly string[];
}

/**
 * The arrows of the house. They point toward `core`; `web` runs in the browser and shares words alone;
 * `system/product` holds the product's own name and version, which is nobody's secret.
 */
const rooms: Readonly<Record<string, Room>> = {
  core: { knows: [] },
  store: { knows: ['core'] },
  engine: { knows: ['core', 'store'] },
  devices: { knows: ['core', 'system/product'], words: ['config'] },
  http: { knows: ['core', 'engine', 'system/product'], words: ['config'] },
  outbox: { knows: ['core', 'engine', 'system/product'], words: ['config'] },
  system: { knows: ['core'], words: ['config'] },
  config: { knows: ['core', 'system'] },
  web: { knows: [], words: ['core', 'http'] },
  daemon: { knows: ['core', 'store', 'engine', 'devices', 'http', 'outbox', 'system', 'config'] },
  cli: {
    knows: ['core', 'store', 'engine', 'devices', 'http', 'outbox', 'system', 'config', 'daemon'],
  },
  main: { knows: ['cli', 'daemon', 'system', 'config'] },
};

/** Rooms where time, timers and chance are arguments, so that a ten-minute pour is tested in a millisecond. */
const timelessRooms = ['core', 'store', 'engine'];

/** Ways to ask the clock, to wait, to throw dice. A `Date` made from a given time is arithmetic and allowed. */
const timeWords = new RegExp(
  [
    String.raw`\bDate\s*\.\s*now\b`,
    String.raw`\bnew\s+Date\b\s*(?:\(\s*\)|(?!\s*\())`,
    String.raw`(?<!\bnew\s+)\bDate\s*\(`,
    String.raw`\b(?:performance|hrtime|set(?:Timeout|Interval|Immediate)|queueMicrotask)\b`,
    String.raw`\bMath\s*\.\s*random\b`,
  ].join('|'),
  'g',
);

/** Ways out of `core` that need no import. */
const worldWords = /\b(?:process|console|fetch|globalThis|crypto|Buffer|require)\b(?!\s*:)/g;

const commentOrString = /\/\*[\s\S]*?\*\/|\/\/[^\n]*|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"/g;

interface Import {
  readonly target: string;
  readonly typesOnly: boolean;
}

/** Everything one file of `src` does that its room may not; `path` is relative to `src`, with forward slashes. */
export function houseFaults(path: string, source: string): string[] {
  const room = roomOf(path);
  const rules = rooms[room];
  if (rules === undefined) return [`src/${path} belongs to no room of the house`];
  const faults = importsOf(source).flatMap((found) => importFault(path, room, rules, found) ?? []);
  const bare = source.replace(commentOrString, (text) => (text.startsWith('/') ? ' ' : "''"));
  const forbidden = [
    ...(timelessRooms.includes(room) ? (bare.match(timeWords) ?? []) : []),
    ...(room === 'core' ? (bare.match(worldWords) ?? []) : []),
  ];
  return [...faults, ...forbidden.map((word) => `src/${path} uses ${word.trim()}`)];
}

function importFault(path: string, room: string, rules: Room, { target, typesOnly }: Import): string | null {
  if (!target.startsWith('.')) {
    return room === 'core' ? `src/${path} imports ${target}; core imports nothing` : null;
  }
  const there = posix.normalize(posix.join(posix.dirname(path), target));
  if (there.startsWith('..')) return room === 'core' ? `src/${path} imports ${target}` : null;
  const other = roomOf(there);
  const fault = `src/${path} imports src/${there}`;
  if (other === room) {
    const [here, elsewhere] = [editionOf(path), editionOf(there)];
    return here !== null && elsewhere !== null && here !== elsewhere ? `${fault}: another edition` : null;
  }
  const isAmong = (known: readonly string[] = []) =>
    known.some((one) => one === other || one === there.replace(/\.ts$/, ''));
  if (isAmong(rules.knows)) return null;
  if (!isAmong(rules.words)) return fault;
  return typesOnly ? null : `${fault}: only its types may be used there`;
}

/** Static, re-exporting, bare and lazy imports, and the files that workers are started from. */
function importsOf(source: string): Import[] {
  const code = source.replace(commentOrString, (text) => (text.startsWith('/') ? ' ' : text));
  const imports: Import[] = [];
  for (const [, clause, target] of code.matchAll(
    /\b(?:import|export)\s+([\w\s{},*$]+?)\s+from\s*['"]([^'"]+)['"]/g,
  )) {
    imports.push({ target: target!, typesOnly: isTypesOnly(clause!) });
  }
  for (const pattern of [
    /\bimport\s*['"]([^'"]+)['"]/g,
    /\bimport\s*\(\s*['"]([^'"]+)['"]/g,
    /\bnew\s+URL\(\s*['"](\.[^'"]+)['"]\s*,\s*import\.meta\.url/g,
  ]) {
    for (const [, target] of code.matchAll(pattern)) imports.push({ target: target!, typesOnly: false });
  }
  return imports;
}

function isTypesOnly(clause: string): boolean {
  if (/^type\s/.test(clause)) return true;
  const names = /^\{([\s\S]*)\}$/
    .exec(clause)?.[1]
    ?.split(',')
    .map((name) => name.trim());
  return names?.every((name) => name === '' || name.startsWith('type ')) ?? false;
}

/** The folder under `src`; a file beside the folders is a room of its own, or the door of the one with its name. */
function roomOf(path: string): string {
  return path.split('/')[0]!.replace(/\.tsx?$/, '');
}

function editionOf(path: string): string | null {
  return /^http\/editions\/([^/.]+)/.exec(path)?.[1] ?? null;
}
