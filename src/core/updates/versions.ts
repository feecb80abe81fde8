/**
 * `1.2.3`, with an optional suffix as in `1.2.3-rc.1`. It names a folder, so nothing else is permitted, nor the endings of
 * half-made folders.
 */
const pattern =
  /^(?!.*\.(?:new|old)$)(\d{1,5})\.(\d{1,5})\.(\d{1,5})(?:[-~]([0-9A-Za-z][0-9A-Za-z.]{0,31}))?$/;

/** True for the version of a release. */
export const isVersion = (text: unknown): text is string => typeof text === 'string' && pattern.test(text);

/** Less than 0 when `a` is older than `b`, 0 for equal ones; a version with a suffix is older than the one without. */
export function compareVersions(a: string, b: string): number {
  const [first, second] = [parse(a), parse(b)];
  for (const [index, number] of first.numbers.entries()) {
    const difference = number - second.numbers[index]!;
    if (difference !== 0) return difference;
  }
  if (first.suffix === second.suffix) return 0;
  if (first.suffix === '') return 1;
  return second.suffix === '' ? -1 : compareSuffixes(first.suffix, second.suffix);
}

function parse(version: string) {
  const [, major = '0', minor = '0', patch = '0', suffix = ''] = pattern.exec(version) ?? [];
  return { numbers: [major, minor, patch].map(Number), suffix };
}

/** By the rules of semantic versions: numbers before words, numbers by value, fewer parts first. */
function compareSuffixes(a: string, b: string): number {
  const [first, second] = [a.split('.'), b.split('.')];
  for (const [index, part] of first.entries()) {
    const other = second[index];
    if (other === undefined) return 1;
    if (part === other) continue;
    const [isNumber, isOtherNumber] = [/^\d+$/.test(part), /^\d+$/.test(other)];
    if (isNumber && isOtherNumber) return Number(part) - Number(other);
    if (isNumber !== isOtherNumber) return isNumber ? -1 : 1;
    return part < other ? -1 : 1;
  }
  return first.length - second.length;
}
