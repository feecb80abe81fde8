import { expect, test } from 'vitest';
import { PasswordConfirmations } from '../../../../src/engine/users/passwords/passwords.ts';

const at = (monoMs: number, bootId = 'boot-1') => ({ monoMs, bootId, wallMs: 0, synced: false });

test('a confirmation counts for five minutes of the boot in which it was made', () => {
  const confirmations = new PasswordConfirmations();
  expect(confirmations.has(1, at(0))).toBe(false);
  expect(confirmations.add(1, at(1_000))).toBe(300);
  expect(confirmations.has(1, at(300_999))).toBe(true);
  expect(confirmations.has(1, at(301_000))).toBe(false);
  expect(confirmations.has(1, at(1_000, 'boot-2'))).toBe(false);
  expect(confirmations.has(2, at(1_000))).toBe(false);
});

test('a hundred confirmations are kept, those that were renewed last', () => {
  const confirmations = new PasswordConfirmations();
  for (let login = 1; login <= 100; login++) confirmations.add(login, at(0));
  confirmations.add(1, at(0));
  expect(confirmations.has(2, at(0))).toBe(true);
  confirmations.add(101, at(0));
  expect([1, 2, 3, 101].map((login) => confirmations.has(login, at(0)))).toEqual([true, false, true, true]);
});
