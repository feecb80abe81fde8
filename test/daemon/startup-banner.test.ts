import { hostname } from 'node:os';
import { expect, test } from 'vitest';
import { addresses, phoneAddress } from '../../src/daemon/startup-banner.ts';

test('without access to the network interfaces the addresses use the host name', () => {
  const forbidden = () => {
    throw new Error('uv_interface_addresses returned Unknown system error 97');
  };
  expect(addresses('0.0.0.0', 8080, forbidden)).toEqual([
    'http://localhost:8080/',
    `http://${hostname()}.local:8080/`,
  ]);
});

test('a daemon that listens on one address shows only that', () => {
  expect(addresses('192.168.1.5', 80)).toEqual(['http://192.168.1.5:80/']);
});

test('the phone address is the IP address, else the host name, and never a loopback address', () => {
  const wired = () => ({
    lo: [{ family: 'IPv4', internal: true, address: '127.0.0.1' }],
    eth0: [{ family: 'IPv4', internal: false, address: '192.168.1.5' }],
  });
  expect(phoneAddress('0.0.0.0', 8080, wired as never)).toBe('http://192.168.1.5:8080/');
  expect(phoneAddress('0.0.0.0', 8080, () => ({}))).toBe(`http://${hostname()}.local:8080/`);
  expect(phoneAddress('192.168.1.7', 80)).toBe('http://192.168.1.7:80/');
  for (const own of ['127.0.0.1', 'localhost']) expect(phoneAddress(own, 8080)).toBeNull();
});
