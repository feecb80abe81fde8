import { beforeEach, describe, expect, test } from 'vitest';
import type { Moment } from '../../../../src/core/clock/moment.ts';
import {
  maxRequests,
  maxRequestsPerAddress,
  PairingRequests,
} from '../../../../src/extensions/kegboards/core/pairing-requests.ts';

const second = 1_000;
const minute = 60_000;

let requests: PairingRequests;
let passedMs: number;
beforeEach(() => {
  requests = new PairingRequests();
  passedMs = 0;
});

const now = (): Moment => ({
  monoMs: passedMs,
  wallMs: Date.UTC(2026, 4, 1, 18) + passedMs,
  synced: true,
  bootId: 'boot-1',
});

function ask(device: string, address: string, bootId = 'b1') {
  const id = `${device}|${address}|${bootId}`;
  return requests.ask({ id, code: '000001', device, address, bootId }, now());
}
const devices = () => requests.list(now()).map(({ device }) => device);
const find = (device: string) => requests.named(device, now())[0]!;

/** The board asks every 5 s for a minute, then every minute; `before` runs before each ask. */
function poll(before: (n: number) => void): void {
  for (let n = 0; n < 15; n++) {
    before(n);
    ask('kegboard-1', '192.168.1.20');
    passedMs += n < 12 ? 5 * second : minute;
  }
}

describe('limits', () => {
  test('names invented at one address replace each other', () => {
    ask('kegboard-1', '192.168.1.20');
    for (let i = 0; i < 2_000; i++) ask(`invented-${i}`, '192.168.1.66');
    expect(devices()).toHaveLength(1 + maxRequestsPerAddress);
    expect(devices()).toContain('kegboard-1');
  });

  test('a board that asks again keeps its place among invented names of its own address', () => {
    for (let i = 0; i < 100; i++) ask(`invented-${i}`, '192.168.1.20');
    ask('kegboard-1', '192.168.1.20');
    ask('kegboard-1', '192.168.1.20');
    for (let i = 0; i < 1_000; i++) ask(`more-${i}`, '192.168.1.20');
    expect(devices()[0]).toBe('kegboard-1');
  });

  test('all other addresses of a local network, each with new names all the time, do not displace a board', () => {
    poll((n) => {
      for (let host = 1; host < 255; host++) {
        if (host !== 20) for (let i = 0; i < 5; i++) ask(`invented-${n}-${i}`, `192.168.1.${host}`);
      }
      if (n > 0) expect(devices()).toContain('kegboard-1');
    });
    expect(devices().length).toBeLessThanOrEqual(maxRequests);
  });

  test('a thousand addresses of one IPv6 network do not displace a board of another network', () => {
    poll((n) => {
      for (let i = 0; i < 1_000; i++) ask(`invented-${n}-${i}`, `2001:db8::${i.toString(16)}`);
      if (n > 0) expect(devices()).toContain('kegboard-1');
    });
  });

  test('many /64 networks of one site count as one network', () => {
    ask('kegboard-1', 'fd00::20');
    for (let i = 0; i < 2_000; i++) ask(`invented-${i}`, `2001:db8:0:${i.toString(16)}::1`);
    expect(devices()).toContain('kegboard-1');
  });

  test('a full list has a place for a new request, also when each network has one', () => {
    for (let i = 0; i < 3_000; i++) ask(`invented-${i}`, `10.${i >> 8}.${i & 255}.1`);
    ask('kegboard-1', '192.168.1.20');
    expect(devices()).toContain('kegboard-1');
    // Asked twice, it outlasts requests that are made once.
    ask('kegboard-1', '192.168.1.20');
    for (let i = 0; i < 3_000; i++) ask(`later-${i}`, `172.${i >> 8}.${i & 255}.1`);
    expect(devices()).toContain('kegboard-1');
    expect(devices()).toHaveLength(maxRequests);
  });

  test('a board that asks again among ever new addresses of its own network keeps its place from then on', () => {
    const flood = (n: number) => {
      for (let i = 0; i < 1_000; i++) ask(`invented-${n}-${i}`, `2001:db8::${n}:${i.toString(16)}`);
    };
    ask('kegboard-1', '2001:db8::20');
    flood(1);
    passedMs += 5 * second;
    ask('kegboard-1', '2001:db8::20');
    flood(2);
    expect(devices()).toContain('kegboard-1');
  });

  test('an allowed request keeps its place in a flood', () => {
    ask('kegboard-1', '192.168.1.20');
    requests.allow(find('kegboard-1'), 'secret', now());
    for (let i = 0; i < 3_000; i++) ask(`invented-${i}`, `192.168.1.${i & 255}`);
    expect(ask('kegboard-1', '192.168.1.20')).toEqual({ state: 'allowed', token: 'secret' });
  });

  test('a request is deleted after ten minutes of silence', () => {
    ask('kegboard-1', '192.168.1.20');
    passedMs += 10 * minute;
    expect(devices()).toEqual(['kegboard-1']);
    passedMs += second;
    expect(devices()).toEqual([]);
  });
});

describe('decisions', () => {
  test('only the name, address and boot that were allowed get the token', () => {
    ask('kegboard-1', '192.168.1.20');
    requests.allow(find('kegboard-1'), 'secret', now());
    expect(ask('kegboard-1', '192.168.1.66').state).toBe('pending');
    expect(ask('kegboard-1', '192.168.1.20', 'b2').state).toBe('pending');
    expect(ask('kegboard-2', '192.168.1.20').state).toBe('pending');
    expect(ask('kegboard-1', '192.168.1.20')).toEqual({ state: 'allowed', token: 'secret' });
  });

  test('the token can be fetched repeatedly, since an answer may be lost, for an hour', () => {
    ask('kegboard-1', '192.168.1.20');
    requests.allow(find('kegboard-1'), 'secret', now());
    for (const waitMs of [0, 30 * minute, 30 * minute]) {
      passedMs += waitMs;
      expect(ask('kegboard-1', '192.168.1.20').state).toBe('allowed');
    }
    passedMs += second;
    expect(ask('kegboard-1', '192.168.1.20').state).toBe('pending');
  });

  test('allowing another request of the same name takes the token from the first', () => {
    ask('kegboard-1', '192.168.1.20');
    ask('kegboard-1', '192.168.1.21');
    const [first, other] = requests.named('kegboard-1', now());
    requests.allow(first!, 'secret', now());
    requests.allow(other!, 'newer', now());
    expect(ask('kegboard-1', '192.168.1.20').state).toBe('pending');
    expect(ask('kegboard-1', '192.168.1.21')).toEqual({ state: 'allowed', token: 'newer' });
  });

  test('a denial holds for the address under that name, also after a restart of the board', () => {
    ask('kegboard-1', '192.168.1.66');
    ask('kegboard-1', '192.168.1.20');
    requests.deny(find('kegboard-1'));
    expect(ask('kegboard-1', '192.168.1.66', 'b2').state).toBe('denied');
    expect(ask('kegboard-1', '192.168.1.20').state).toBe('pending');
    expect(requests.forget('kegboard-1')).toBe(2);
    expect(ask('kegboard-1', '192.168.1.66').state).toBe('pending');
  });

  test('the request of a board’s earlier boot is deleted once it has been silent for 90 s', () => {
    ask('kegboard-1', '192.168.1.20', 'b1');
    passedMs += 30 * second;
    ask('kegboard-1', '192.168.1.20', 'b2');
    expect(devices()).toHaveLength(2);
    passedMs += minute;
    ask('kegboard-1', '192.168.1.20', 'b2');
    expect(devices()).toHaveLength(1);
  });
});
