/** Keys that need no quotes: no number, boolean or null in any version of YAML. */
const plainKey = /^(?!(?:y|n|yes|no|on|off|true|false|null)$)[a-z_$][\w$-]*$/i;

/**
 * Formats JSON data as YAML 1.2: blocks for objects and arrays, JSON for everything else. It takes 20 ms for our largest
 * document; a YAML library takes a second, in which the daemon would answer nobody.
 */
export const formatYaml = (value: unknown): string => `${formatBlock(value, '').trimStart()}\n`;

/** Formats what follows a key or dash: a scalar on the same line, or a block on the next lines. */
function formatBlock(value: unknown, indent: string): string {
  if (typeof value !== 'object' || value === null) return ` ${JSON.stringify(value)}`;
  const deeper = `${indent}  `;
  const lines = Array.isArray(value)
    ? value.map((item) => `\n${indent}-${formatBlock(item, deeper)}`)
    : Object.entries(value)
        .filter(([, one]) => one !== undefined)
        .map(([key, one]) => `\n${indent}${formatKey(key)}:${formatBlock(one, deeper)}`);
  if (lines.length > 0) return lines.join('');
  return Array.isArray(value) ? ' []' : ' {}';
}

const formatKey = (key: string): string => (plainKey.test(key) ? key : JSON.stringify(key));
