import { expect, test } from 'vitest';
import { planRenewal, renewalLeftMs, serverValidity } from '../../../src/core/certificates/renewal.ts';

const day = 86_400_000;
const nowMs = Date.UTC(2026, 4, 2, 17);
const now = { monoMs: 0, wallMs: nowMs, synced: true, bootId: 'b' };
const names = { dns: ['bar.local', 'localhost'], addresses: ['192.168.1.5'] };
const authority = { fromMs: nowMs - day, toMs: nowMs + 3_000 * day };
const server = { fromMs: nowMs - day, toMs: nowMs + 300 * day, names };
const plan = (change: Partial<Parameters<typeof planRenewal>[0]>) =>
  planRenewal({ authority, server, wanted: names, now, ...change });

test('nothing is made while the certificate is valid and has all names', () => {
  expect(plan({})).toEqual({ authority: null, server: null });
});

test('a new installation gets an authority and a certificate', () => {
  expect(plan({ authority: null, server: null })).toEqual({ authority: 'missing', server: 'missing' });
});

test('nothing is made while the clock is not trusted', () => {
  const unset = { ...now, synced: false };
  expect(plan({ authority: null, server: null, now: unset })).toEqual({ authority: null, server: null });
  expect(plan({ server: { ...server, toMs: nowMs - day }, now: unset }).server).toBeNull();
});

test('the certificate is renewed 60 days before its end, under the same authority', () => {
  expect(plan({ server: { ...server, toMs: nowMs + renewalLeftMs } }).server).toBeNull();
  expect(plan({ server: { ...server, toMs: nowMs + renewalLeftMs - 1 } })).toEqual({
    authority: null,
    server: 'ends_soon',
  });
});

test('a new name or address renews it, one that is gone does not', () => {
  const wanted = { dns: names.dns, addresses: ['192.168.1.5', '192.168.7.9'] };
  expect(plan({ wanted }).server).toBe('names');
  expect(plan({ wanted: { dns: ['pub.local'], addresses: [] } }).server).toBe('names');
  expect(plan({ wanted: { dns: ['localhost'], addresses: [] } }).server).toBeNull();
});

test('a certificate that is expired or not valid yet is made again', () => {
  expect(plan({ server: { ...server, toMs: nowMs } }).server).toBe('invalid_now');
  expect(plan({ server: { ...server, fromMs: nowMs + 1 } }).server).toBe('invalid_now');
});

test('an expired authority is replaced, one of a later date stays', () => {
  expect(plan({ authority: { fromMs: 0, toMs: nowMs } })).toEqual({
    authority: 'expired',
    server: 'missing',
  });
  expect(plan({ authority: { fromMs: nowMs + 1, toMs: nowMs + day }, server: null })).toEqual({
    authority: null,
    server: null,
  });
});

test('a certificate ends with its authority at the latest, and is then not renewed every day', () => {
  const last = { fromMs: nowMs - day, toMs: nowMs + 30 * day };
  const made = serverValidity(nowMs, last);
  expect(made).toEqual({ fromMs: nowMs - day, toMs: last.toMs });
  expect(plan({ authority: last, server: { ...made, names } }).server).toBeNull();
});

test('a certificate is valid from yesterday for 397 days', () => {
  expect(serverValidity(nowMs + 499, authority)).toEqual({ fromMs: nowMs - day, toMs: nowMs + 396 * day });
});
