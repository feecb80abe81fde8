/** Replaces redacted text. */
const replacement = '[…]';

/** Patterns of personal data, machine names and secrets, the longest kinds first. */
const patterns: readonly RegExp[] = [
  // A mail address, and a whole web address.
  /[^\s@<>"']+@[^\s@<>"',;]+/g,
  /\b[a-z][a-z0-9+.-]*:\/\/[^\s"']+/gi,
  // Quoted text: names and input of people.
  /"[^"\n]*"/g,
  /“[^”\n]*”/g,
  // MAC addresses, then IP addresses with and without ports.
  /\b[0-9a-f]{2}(?:[:-][0-9a-f]{2}){5,7}\b/gi,
  /\b\d{1,3}(?:\.\d{1,3}){3}(?:\/\d+|:\d+)?\b/g,
  /(?:[0-9a-f]{0,4}:){2,7}[0-9a-f]{0,4}(?:%\w+)?/gi,
  // Serial numbers of 1-Wire sensors and iButtons, and people's tokens.
  /\b[0-9a-f]{2}-[0-9a-f]{10,14}\b/gi,
  /\b(?:core|contrib)\.\w+[.|]\S+/gi,
  // Paths, because they may contain user names.
  /(?:\/[\w.@+-]+){2,}\/?/g,
  // Host names.
  /\b[\w-]+(?:\.[\w-]+)*\.(?:local|lan|home|internal|fritz\.box|com|net|org|de|at|ch|io)\b/gi,
  // Keys, tokens and hashes.
  /\b(?=[\w-]*\d)(?=[\w-]*[a-z])[\w-]{16,}\b/gi,
];

/**
 * Returns a function that redacts these names in a text, and whatever looks like a secret, personal data or a
 * path.
 */
export function createRedactor(names: Iterable<string>): (text: string) => string {
  const escapedNames = [...new Set([...names].map((name) => name.trim()).filter((name) => name !== ''))]
    .sort((a, b) => b.length - a.length)
    .map((name) => name.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  // Matches names as whole words only, in any alphabet.
  const namePattern =
    escapedNames.length === 0
      ? null
      : new RegExp(`(?<![\\p{L}\\p{N}_])(?:${escapedNames.join('|')})(?![\\p{L}\\p{N}_])`, 'giu');
  return (text) => {
    const nameless = namePattern === null ? text : text.replaceAll(namePattern, replacement);
    return patterns.reduce((rest, pattern) => rest.replaceAll(pattern, replacement), nameless);
  };
}
