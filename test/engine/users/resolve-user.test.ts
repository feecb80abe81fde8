import { expect, test } from 'vitest';
import { normalizeTokenText } from '../../../src/engine/users/resolve-user.ts';

/** The full name of the device and the sign after it. */
const named = 'core.onewire|';

test('the token of a drink is stored normalized as far as it fits into its column, else as received', () => {
  const longest = 256 - named.length;
  expect(normalizeTokenText(` onewire|${'Z'.repeat(longest)} `)).toBe(`${named}${'z'.repeat(longest)}`);
  const longer = `onewire|${'Z'.repeat(longest + 1)}`;
  expect(normalizeTokenText(longer)).toBe(longer);
});

test.each([
  ['core.rfid|04:A3:2B:1C', 'core.rfid|04a32b1c'],
  ['04A32B1C', '04A32B1C'],
])('%s is stored as %s', (text, stored) => {
  expect(normalizeTokenText(text)).toBe(stored);
});
