/** Draining every 50 ms puts a tick on the page well within the 200 ms that feel immediate. */
const beatMs = 50;

/** The parts of the daemon that are driven by time, each told when it is its turn. */
export interface Hands {
  /** Every 50 ms: drain the pins. */
  beat(): void;
  /** Every second, each on its own: checkpoint, clock, retries. */
  readonly second: readonly (() => void)[];
  /** Every minute: drips and other slow bookkeeping. */
  minute(): void;
  /** Every `intervalMs`: ask the thermometers. */
  readonly probes: { readonly intervalMs: number; ask(): Promise<void> };
}

/** Starts the daemon's timers, the only ones that drive counting. Returns the way to stop them. */
export function startRhythm(hands: Hands, onFault: (fault: unknown) => void): () => void {
  const guarded = (work: () => void) => () => {
    try {
      work();
    } catch (fault) {
      onFault(fault);
    }
  };
  const ask = () => void hands.probes.ask().catch(onFault);
  const timers = [
    setInterval(guarded(hands.beat), beatMs),
    ...hands.second.map((work) => setInterval(guarded(work), 1_000)),
    setInterval(guarded(hands.minute), 60_000),
    setInterval(ask, hands.probes.intervalMs),
  ];
  // A probe takes up to 0.75 s each: the first round waits until the house is open.
  const first = setTimeout(ask, 1_000);
  return () => {
    clearTimeout(first);
    for (const timer of timers) clearInterval(timer);
  };
}
