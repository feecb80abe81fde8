import type { Moment } from '../../../core/clock/moment.ts';
import type { Problem } from '../../../core/health/problems.ts';
import { addressNetworks } from '../../../core/network/address-rules.ts';
import type { PairingRequest, PairingRequestAnswer, PairingSource } from './pairing-request.ts';

/** Number of requests of one network or address, shared by them. */
interface Group {
  count: number;
}

interface StoredRequest extends PairingRequest {
  readonly bootId: string;
  /** Its site, its local network and its address. */
  readonly groups: readonly [site: Group, local: Group, address: Group];
  /** Number of asks. A name that is invented for a single request has one. */
  readonly asks: number;
  readonly lastSeenMonoMs: number;
  /** The token to deliver, and when staff allowed it; null while not allowed. */
  readonly allowed: { readonly token: string; readonly monoMs: number } | null;
}

/** Most requests kept: more than the addresses of a local network of IPv4 (254), each with one. One takes about 1 kB. */
export const maxRequests = 256;

/** Most requests of one address: the boards behind one router that wait at the same time. */
export const maxRequestsPerAddress = 16;

/** Most displaced requests whose number of asks is remembered: those of some seconds of a flood. One takes 100 bytes. */
const maxDisplaced = 4_096;

/** Denied sources kept; the oldest is deleted, and then waits again when it asks. */
const maxDenied = 64;

/** A request is deleted after this silence, milliseconds. A board that waits asks every minute. */
const silenceMs = 600_000;

/** Silent requests are looked for at most this often, milliseconds. */
const sweepMs = 1_000;

/** An allowed board fetches its token within this time, or asks again, milliseconds. */
const allowedMs = 3_600_000;

/**
 * A board that restarts asks with another boot. Its earlier request is deleted after this silence, one and a half
 * heartbeats of 60 s, milliseconds.
 */
const earlierBootSilenceMs = 90_000;

/**
 * Requests for pairing, in memory: nobody without a token can cause a write, and a board asks again after a restart.
 * Staff allow one request, and only its source (name, address and boot) gets the token: repeatedly, since an answer may
 * be lost, until it uses the token.
 *
 * Whoever asks gets a place, also when the list is full. Then the network with the most requests loses one, within it
 * the address with the most, and there the request that asked least often: floods replace their own requests. Only many
 * thousand addresses that ask again and again can make the requests of their own network come and go.
 */
export class PairingRequests {
  readonly #requests = new Map<string, StoredRequest>();
  readonly #groups = new Map<string, Group>();
  /** Number of asks by id of requests that lost their place, oldest first: a board that returns is ahead of new names. */
  readonly #displaced = new Map<string, number>();
  #sweptMonoMs = Number.NEGATIVE_INFINITY;
  /** By name and address: a denied board stays denied when it restarts. Oldest first. */
  readonly #denied = new Map<string, PairingRequest>();

  /** True when the source has a request or is denied: answering it again adds nothing. */
  has(source: PairingSource): boolean {
    return this.#requests.has(source.id) || this.#denied.has(deniedKey(source));
  }

  /** Adds or updates the request of a board without a token, and answers it. */
  ask(source: PairingSource, now: Moment): PairingRequestAnswer {
    if (this.#denied.has(deniedKey(source))) return { state: 'denied' };
    this.#removeSilent(now);
    this.#removeEarlierBoots(source, now);
    const before = this.#requests.get(source.id);
    const stored = before ?? this.#create(source, now);
    const request: StoredRequest = {
      ...stored,
      asks: stored.asks + 1,
      lastSeenMs: toWallMs(now),
      lastSeenMonoMs: now.monoMs,
      problem: null,
    };
    this.#requests.set(source.id, request);
    if (before === undefined) this.#limit(request);
    if (request.allowed !== null) return { state: 'allowed', token: request.allowed.token };
    return { state: 'pending', code: request.code };
  }

  /** Notes a batch that could not be parsed, on the requests of that name and address. */
  noteError({ device, address }: Pick<PairingSource, 'device' | 'address'>, problem: Problem): void {
    for (const request of this.#requests.values()) {
      if (request.device !== device || request.address !== address) continue;
      this.#requests.set(request.id, { ...request, problem });
    }
  }

  /** Every request: pending and allowed ones, then denied ones. Those that asked repeatedly first, the latest first. */
  list(now: Moment): readonly PairingRequest[] {
    this.#removeSilent(now);
    const requests = [...this.#requests.values()].toSorted(
      (a, b) => Number(b.asks > 1) - Number(a.asks > 1) || b.lastSeenMonoMs - a.lastSeenMonoMs,
    );
    return [...requests, ...this.#denied.values()];
  }

  /** The requests of a name that are not denied. */
  named(device: string, now: Moment): readonly PairingRequest[] {
    this.#removeSilent(now);
    return [...this.#requests.values()].filter((request) => request.device === device);
  }

  /** Allows a request: its source gets `token`. Another allowed request of the same name waits again. */
  allow({ id, device }: PairingRequest, token: string, now: Moment): void {
    for (const request of this.#requests.values()) {
      if (request.id === id) {
        this.#requests.set(id, { ...request, state: 'allowed', allowed: { token, monoMs: now.monoMs } });
      } else if (request.device === device && request.allowed !== null) {
        this.#requests.set(request.id, { ...request, state: 'pending', allowed: null });
      }
    }
  }

  /** Denies the source of a request, until the daemon restarts or `forget`. */
  deny(request: PairingRequest): PairingRequest {
    for (const stored of this.#requests.values()) {
      if (deniedKey(stored) === deniedKey(request)) this.#delete(stored);
    }
    const { id, code, device, address, firstSeenMs, lastSeenMs } = request;
    const denied: PairingRequest = {
      id,
      code,
      device,
      address,
      firstSeenMs,
      lastSeenMs,
      state: 'denied',
      problem: null,
    };
    this.#denied.delete(deniedKey(request));
    this.#denied.set(deniedKey(request), denied);
    if (this.#denied.size > maxDenied) this.#denied.delete(this.#denied.keys().next().value!);
    return denied;
  }

  /** Deletes all requests and denials of a name; returns their number. */
  forget(device: string): number {
    const requests = [...this.#requests.values()].filter((request) => request.device === device);
    const denied = [...this.#denied.values()].filter((request) => request.device === device);
    for (const request of requests) this.#delete(request);
    for (const request of denied) this.#denied.delete(deniedKey(request));
    return requests.length + denied.length;
  }

  #create(source: PairingSource, now: Moment): StoredRequest {
    const { address } = source;
    const keys = [...addressNetworks(address), address];
    const [site, local, own] = keys.map((key, level) => {
      const group = this.#groups.get(`${level} ${key}`) ?? { count: 0 };
      group.count += 1;
      this.#groups.set(`${level} ${key}`, group);
      return group;
    });
    return {
      ...source,
      state: 'pending',
      groups: [site!, local!, own!],
      allowed: null,
      problem: null,
      asks: this.#displaced.get(source.id) ?? 0,
      firstSeenMs: toWallMs(now),
      lastSeenMs: toWallMs(now),
      lastSeenMonoMs: now.monoMs,
    };
  }

  #delete({ id, groups, address }: StoredRequest): void {
    this.#requests.delete(id);
    for (const group of groups) group.count -= 1;
    for (const [level, key] of [...addressNetworks(address), address].entries()) {
      if (groups[level]!.count === 0) this.#groups.delete(`${level} ${key}`);
    }
  }

  #removeSilent({ monoMs }: Moment): void {
    if (monoMs - this.#sweptMonoMs < sweepMs) return;
    this.#sweptMonoMs = monoMs;
    for (const request of this.#requests.values()) {
      const { id, allowed } = request;
      if (allowed !== null) {
        if (monoMs - allowed.monoMs <= allowedMs) continue;
        this.#requests.set(id, { ...request, state: 'pending', allowed: null });
      }
      if (monoMs - request.lastSeenMonoMs > silenceMs) this.#delete(request);
    }
  }

  #removeEarlierBoots(source: PairingSource, { monoMs }: Moment): void {
    for (const request of this.#requests.values()) {
      const { device, address, bootId, lastSeenMonoMs } = request;
      const isSameBoard = device === source.device && address === source.address && bootId !== source.bootId;
      if (isSameBoard && monoMs - lastSeenMonoMs >= earlierBootSilenceMs) this.#delete(request);
    }
  }

  /** Deletes a request if there are too many since `added`. An allowed one stays: staff decided on it. */
  #limit(added: StoredRequest): void {
    const isAddressFull = added.groups[2].count > maxRequestsPerAddress;
    if (!isAddressFull && this.#requests.size <= maxRequests) return;
    let least: StoredRequest | null = null;
    for (const request of this.#requests.values()) {
      if (request.id === added.id || request.allowed !== null) continue;
      if (isAddressFull && request.address !== added.address) continue;
      if (least === null || compareToKeep(request, least) < 0) least = request;
    }
    if (least === null) return;
    this.#delete(least);
    this.#displaced.delete(least.id);
    this.#displaced.set(least.id, least.asks);
    if (this.#displaced.size > maxDisplaced) this.#displaced.delete(this.#displaced.keys().next().value!);
  }
}

/**
 * Negative if `a` is deleted before `b`: the request of the larger site, of the larger local network, of the address with
 * more requests, that asked less often, that has been silent for longer.
 */
function compareToKeep(a: StoredRequest, b: StoredRequest): number {
  return (
    b.groups[0].count - a.groups[0].count ||
    b.groups[1].count - a.groups[1].count ||
    b.groups[2].count - a.groups[2].count ||
    a.asks - b.asks ||
    a.lastSeenMonoMs - b.lastSeenMonoMs
  );
}

const deniedKey = ({ device, address }: Pick<PairingSource, 'device' | 'address'>): string =>
  `${device}\0${address}`;

const toWallMs = (now: Moment): number => Math.max(0, Math.round(now.wallMs));
