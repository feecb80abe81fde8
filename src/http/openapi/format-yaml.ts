import { setImmediate as nextTurn } from 'node:timers/promises';

/** Keys that need no quotes: no number, boolean or null in any version of YAML. */
const plainKey = /^(?!(?:y|n|yes|no|on|off|true|false|null)$)[a-z_$][\w$-]*$/i;

/**
 * Levels of a document whose entries are formatted in turns of their own: an OpenAPI document's paths stand on the second,
 * its schemas on the third.
 */
const levelsInTurns = 3;

/**
 * Formats JSON data as YAML 1.2: blocks for objects and arrays, JSON for everything else. It takes 20 to 150 ms for our
 * largest document, in parts of at most a few, between which the daemon answers others; a YAML library takes a second at
 * one go.
 */
export async function formatYaml(value: unknown): Promise<string> {
  const block = await formatInTurns(value, '', levelsInTurns);
  return `${block.trimStart()}\n`;
}

/** As `formatBlock`, with a turn of the event loop for each entry of the upper levels. */
async function formatInTurns(value: unknown, indent: string, levels: number): Promise<string> {
  if (levels === 0 || typeof value !== 'object' || value === null) {
    await nextTurn();
    return formatBlock(value, indent);
  }
  const lines: string[] = [];
  for (const [start, one] of entriesOf(value, indent)) {
    lines.push(start + (await formatInTurns(one, `${indent}  `, levels - 1)));
  }
  return lines.length > 0 ? lines.join('') : emptyBlock(value);
}

/** Formats what follows a key or dash: a scalar on the same line, or a block on the next lines. */
function formatBlock(value: unknown, indent: string): string {
  if (typeof value !== 'object' || value === null) return ` ${JSON.stringify(value)}`;
  const lines = entriesOf(value, indent).map(([start, one]) => start + formatBlock(one, `${indent}  `));
  return lines.length > 0 ? lines.join('') : emptyBlock(value);
}

/** The entries of an object or array, each with the start of its line. */
function entriesOf(value: object, indent: string): [start: string, value: unknown][] {
  if (Array.isArray(value)) return value.map((item) => [`\n${indent}-`, item]);
  return Object.entries(value)
    .filter(([, one]) => one !== undefined)
    .map(([key, one]) => [`\n${indent}${formatKey(key)}:`, one]);
}

const emptyBlock = (value: object): string => (Array.isArray(value) ? ' []' : ' {}');

const formatKey = (key: string): string => (plainKey.test(key) ? key : JSON.stringify(key));
