import { overloadLimits } from './overload-limits.ts';

const { requestSliceMs, acceptSliceMs, acceptShare } = overloadLimits;

/** Clock and deferral used by the queue. */
export interface QueueTimers {
  /** Monotonic clock, milliseconds. */
  nowMs(): number;
  /** Calls `work` after one pass of the event loop, so that new connections, timers and pins come first. */
  defer(work: () => void): void;
  /** Calls `work` when all is done that the present work has caused without waiting; at once if absent. */
  afterwards?(work: () => void): void;
}

/** How often the used times are halved, milliseconds: what an address has used counts for some seconds. */
const halvingMs = 1_000;

/** Used times below this are forgotten, milliseconds. */
const minUsedMs = 0.1;

/**
 * Runs work at once while the time slice lasts; beyond that it serves addresses in turn, one slice for each pass of the
 * event loop. Every other turn is that of the address that has used least, so that a client who asks for little waits for
 * two others, however many addresses there are. Without the slices, 100 clients that retry at once delay the next client by
 * many seconds, because Node accepts one new connection for each pass.
 */
export function createFairQueue({ nowMs, defer, afterwards = (work) => work() }: QueueTimers) {
  /** Pending work by address; the address to be served next comes first. */
  const queues = new Map<string, (() => void)[]>();
  /** Time used by address, halved again and again. */
  const usedMs = new Map<string, number>();
  let halvedMs = nowMs();
  let isTurnOfLeast = false;
  let sliceEndMs: number | null = null;
  let isAccepting = false;
  /** True in a pass with a new connection and in the one after it. */
  let isShortened = false;
  /** No work is started in shortened passes before this time. */
  let restEndMs = Number.NEGATIVE_INFINITY;

  function startPass(): void {
    sliceEndMs = null;
    isShortened = isAccepting;
    if (!isAccepting) return;
    isAccepting = false;
    sliceEndMs = nowMs() + acceptSliceMs;
    defer(startPass);
  }

  function hasTimeLeft(): boolean {
    if (isShortened && nowMs() < restEndMs) return false;
    if (sliceEndMs !== null) return nowMs() < sliceEndMs;
    sliceEndMs = nowMs() + requestSliceMs;
    defer(startPass);
    return true;
  }

  /** Runs work; while connections arrive it is followed by time for them, in proportion to its duration. */
  function runNow(address: string, work: () => void): void {
    const startMs = nowMs();
    work();
    const endMs = nowMs();
    afterwards(() => noteUsed(address, startMs));
    if (isShortened) restEndMs = endMs + (endMs - startMs) * acceptShare;
  }

  function noteUsed(user: string, startMs: number): void {
    const endMs = nowMs();
    usedMs.set(user, (usedMs.get(user) ?? 0) + endMs - startMs);
    if (endMs - halvedMs < halvingMs) return;
    halvedMs = endMs;
    for (const [address, ms] of usedMs) {
      if (ms < minUsedMs) usedMs.delete(address);
      else usedMs.set(address, ms / 2);
    }
  }

  function nextAddress(): string {
    const addresses = queues.keys();
    let next = addresses.next().value!;
    if (isTurnOfLeast)
      for (const address of addresses)
        if ((usedMs.get(address) ?? 0) < (usedMs.get(next) ?? 0)) next = address;
    isTurnOfLeast = !isTurnOfLeast;
    return next;
  }

  /** One call is deferred for each pending work. */
  function runNext(): void {
    if (!hasTimeLeft()) {
      defer(runNext);
      return;
    }
    const address = nextAddress();
    const pending = queues.get(address)!;
    const work = pending.shift()!;
    queues.delete(address);
    if (pending.length > 0) queues.set(address, pending);
    runNow(address, work);
  }

  return {
    /** Runs `work`, at once or when it is the turn of `address`. */
    run(address: string, work: () => void): void {
      if (queues.size === 0 && hasTimeLeft()) {
        runNow(address, work);
        return;
      }
      const pending = queues.get(address);
      if (pending) pending.push(work);
      else queues.set(address, [work]);
      defer(runNext);
    },
    /** Shortens this pass, because the next connection is accepted in the next pass only. */
    shortenPass(): void {
      isAccepting = true;
      isShortened = true;
      if (sliceEndMs === null) defer(startPass);
      sliceEndMs = nowMs() + acceptSliceMs;
    },
  };
}
