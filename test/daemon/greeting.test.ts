import { hostname } from 'node:os';
import { expect, test } from 'vitest';
import { addresses } from '../../src/daemon/greeting.ts';

test('a house that may not look at its network is named by its machine, and opens', () => {
  const forbidden = () => {
    throw new Error('uv_interface_addresses returned Unknown system error 97');
  };
  expect(addresses('0.0.0.0', 8080, forbidden)).toEqual([
    'http://localhost:8080/',
    `http://${hostname()}.local:8080/`,
  ]);
});

test('a house that listens on one address is at that one', () => {
  expect(addresses('192.168.1.5', 80)).toEqual(['http://192.168.1.5:80/']);
});
