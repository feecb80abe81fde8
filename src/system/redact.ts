/** What stands in the place of something that is nobody's business. */
const replacement = '[…]';

/** Patterns of what tells of people, machines and secrets, the longest kinds first. */
const patterns: readonly RegExp[] = [
  // A mail address, and a web address with all that follows it.
  /[^\s@<>"']+@[^\s@<>"',;]+/g,
  /\b[a-z][a-z0-9+.-]*:\/\/[^\s"']+/gi,
  // What somebody was called by, or typed.
  /"[^"\n]*"/g,
  /“[^”\n]*”/g,
  // Hardware addresses, then those of networks, with and without ports.
  /\b[0-9a-f]{2}(?:[:-][0-9a-f]{2}){5,7}\b/gi,
  /\b\d{1,3}(?:\.\d{1,3}){3}(?:\/\d+|:\d+)?\b/g,
  /(?:[0-9a-f]{0,4}:){2,7}[0-9a-f]{0,4}(?:%\w+)?/gi,
  // Thermometers and iButtons carry numbers of their own, and so do people's tokens.
  /\b[0-9a-f]{2}-[0-9a-f]{10,14}\b/gi,
  /\b(?:core|contrib)\.\w+[.|]\S+/gi,
  // Folders name their owners.
  /(?:\/[\w.@+-]+){2,}\/?/g,
  // Names that a network gives to machines.
  /\b[\w-]+(?:\.[\w-]+)*\.(?:local|lan|home|internal|fritz\.box|com|net|org|de|at|ch|io)\b/gi,
  // Keys, tokens and hashes.
  /\b(?=[\w-]*\d)(?=[\w-]*[a-z])[\w-]{16,}\b/gi,
];

/** A function that strikes out of a text whatever looks like a secret, a person or a place, and these names. */
export function createRedactor(names: Iterable<string>): (text: string) => string {
  const escapedNames = [...new Set([...names].map((name) => name.trim()).filter((name) => name !== ''))]
    .sort((a, b) => b.length - a.length)
    .map((name) => name.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  // A name is a name as a whole word only, whatever alphabet it is written in.
  const namePattern =
    escapedNames.length === 0
      ? null
      : new RegExp(`(?<![\\p{L}\\p{N}_])(?:${escapedNames.join('|')})(?![\\p{L}\\p{N}_])`, 'giu');
  return (text) => {
    const nameless = namePattern === null ? text : text.replaceAll(namePattern, replacement);
    return patterns.reduce((rest, pattern) => rest.replaceAll(pattern, replacement), nameless);
  };
}
