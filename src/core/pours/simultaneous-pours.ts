import { CoincidentEdges, type LineEdges, type OtherLine } from './coincident-edges.ts';
import type { Pour, PourStep } from './pour.ts';

/** Bursts a meter may have while another tap's idle time-out is still running. */
const maxSpans = 16;

/** The liquid in the lines of one gas bottle or cooler swings for so long after another tap was opened or shut. */
const swingMs = 500;

type Times = Pick<Span, 'firstMonoMs' | 'lastMonoMs' | 'isCut'>;

/** First and last tick, kernel-monotonic milliseconds, and what other lines did meanwhile. */
interface Span {
  readonly firstMonoMs: number;
  lastMonoMs: number;
  readonly edges: CoincidentEdges;
  /** Faster than the beer of its tap, for some time. */
  isTooFast: boolean;
  /** Counting stopped within it, by a stop, a crash or a power cut: that ended it on all lines at once, and not the flow. */
  isCut: boolean;
}

/**
 * Records the activity of all taps. Interference from a switching compressor appears on all GPIO lines at
 * once; two people may start to pour at the same instant, but they do not also stop at the same instant. A cable
 * that picks up the pulses of its neighbour may miss the first and the last ones: nearly all of its edges then fall
 * together with the neighbour's, which those of two wheels never do. Two people who happen to start and stop together are
 * told from a burst in the same way.
 * Pours that were cut by one stop of the daemon or of the power end together, too: their edges alone decide.
 * Of a wheel's pour and its copy only the copy is held, where something tells which it is.
 *
 * Pass every step of every meter of a drain before checking the pours that ended in that drain: after a stall
 * one batch may contain the whole burst.
 */
export class SimultaneousPours {
  readonly #simultaneousMs: number;
  readonly #isShut: (meter: string) => boolean;
  /** Newest last; the last one may still be running. */
  readonly #spans = new Map<string, Span[]>();
  /** Edges of each line before the present drain, and the last of them: its copy may fall into the next drain. */
  readonly #earlier = new Map<string, { readonly edges: number; readonly lastMonoMs: number }>();

  /** 0 turns the check off. */
  constructor({
    simultaneousMs,
    isShut = () => false,
  }: {
    readonly simultaneousMs: number;
    /** True when the newest ticks of this meter came although the valve of its tap was shut. */
    readonly isShut?: ((meter: string) => boolean) | undefined;
  }) {
    this.#simultaneousMs = simultaneousMs;
    this.#isShut = isShut;
  }

  /** Records one step of one meter's tracker; drips count too. */
  observe(meter: string, step: PourStep): void {
    const spans = this.#spans.get(meter) ?? [];
    this.#spans.set(meter, spans);
    const last = spans.at(-1);
    switch (step.kind) {
      case 'started':
        spans.push(createSpan(step.startedMonoMs, step.startedMonoMs));
        break;
      case 'flowing':
        if (last) {
          last.lastMonoMs = step.lastTickMonoMs;
          last.isTooFast ||= step.isFast ?? false;
        }
        break;
      default: {
        const { startedMonoMs, durationMs } = step.kind === 'drip' ? step : step.pour;
        // A pour resumed from the journal ends without a recorded start.
        const span = last?.firstMonoMs === startedMonoMs ? last : createSpan(startedMonoMs, startedMonoMs);
        if (span !== last) spans.push(span);
        span.lastMonoMs = startedMonoMs + durationMs;
        span.isTooFast ||= step.kind === 'ended' && (step.isFast ?? false);
      }
    }
    if (spans.length > maxSpans) spans.shift();
  }

  /** Records that counting stopped while this meter ran: of a pour that continues from the journal, and of one that the stop ends. */
  cut(meter: string): void {
    const last = this.#spans.get(meter)?.at(-1);
    if (last) last.isCut = true;
  }

  /** Records the edges of one drain of the lines with exact time stamps, after the steps of that drain. */
  observeEdges(lines: readonly LineEdges[]): void {
    if (this.#simultaneousMs <= 0) return;
    const all = this.#withEarlier(lines);
    for (const { meter, stampsMonoMs } of lines) {
      const firstEdge = stampsMonoMs[0];
      if (firstEdge === undefined) continue;
      const others = all.filter((one) => one.meter !== meter);
      for (const { firstMonoMs, lastMonoMs, edges } of this.#spans.get(meter) ?? []) {
        // A span that ended before this drain has none of its edges.
        if (lastMonoMs >= firstEdge) edges.add(stampsMonoMs, others, firstMonoMs, lastMonoMs);
      }
    }
    for (const { meter, stampsMonoMs } of lines) {
      const { length } = stampsMonoMs;
      if (length === 0) continue;
      const edges = (this.#earlier.get(meter)?.edges ?? 0) + length;
      this.#earlier.set(meter, { edges, lastMonoMs: stampsMonoMs[length - 1]! });
    }
  }

  /**
   * Whether another meter's ticks started and stopped with this pour's, or explain nearly all of them, unless this is a
   * wheel's pour (`isWheel`) and they are its copy.
   */
  isSimultaneous(
    meter: string,
    { startedMonoMs, durationMs }: Pick<Pour, 'startedMonoMs' | 'durationMs'>,
    isWheel = false,
  ): boolean {
    if (this.#simultaneousMs <= 0) return false;
    const own = this.#spans.get(meter)?.find(({ firstMonoMs }) => firstMonoMs === startedMonoMs);
    const isCut = own?.isCut ?? false;
    const times = { firstMonoMs: startedMonoMs, lastMonoMs: startedMonoMs + durationMs, isCut };
    for (const [other, spans] of this.#spans) {
      if (other === meter || own?.edges.isIndependentOf(other)) continue;
      const isCopy = own?.edges.isCopyOf(other, durationMs) ?? false;
      const coinciding = spans.find((one) => this.#coincide(times, one));
      if (!isCopy && coinciding === undefined) continue;
      if (isWheel && own && coinciding && this.#isOriginal([meter, own], [other, coinciding])) continue;
      return true;
    }
    return false;
  }

  /**
   * Whether a drip came when another tap was opened or shut: the liquid in its line moved to and fro, and a magnet counts in
   * both directions. Nothing left the tap.
   */
  isBackFlow(meter: string, startedMonoMs: number): boolean {
    if (this.#simultaneousMs <= 0) return false;
    const isNear = (changeMs: number) => Math.abs(startedMonoMs - changeMs) <= swingMs;
    return [...this.#spans].some(
      ([other, spans]) =>
        other !== meter &&
        spans.some(({ firstMonoMs, lastMonoMs }) => isNear(firstMonoMs) || isNear(lastMonoMs)),
    );
  }

  /** Whether the other line's edges are copies of this one's, and which of both is the copy is known. */
  #isOriginal([meter, own]: readonly [string, Span], [other, copy]: readonly [string, Span]): boolean {
    if (!copy.edges.isCopyOf(meter, copy.lastMonoMs - copy.firstMonoMs)) return false;
    const hasMoreEdges = !own.edges.isCopyOf(other, own.lastMonoMs - own.firstMonoMs);
    if (hasMoreEdges) return true;
    if (this.#isShut(other) !== this.#isShut(meter)) return this.#isShut(other);
    // Beer at the rate of another meter, or at that of a faster tap.
    return copy.isTooFast && !own.isTooFast;
  }

  /** These lines and those without edges in this drain, each with its last edge before. */
  #withEarlier(lines: readonly LineEdges[]): readonly OtherLine[] {
    const drained = new Map(lines.map(({ meter, stampsMonoMs }) => [meter, stampsMonoMs]));
    return [...new Set([...this.#earlier.keys(), ...drained.keys()])].map((meter) => {
      const earlier = this.#earlier.get(meter);
      const stampsMonoMs = drained.get(meter) ?? [];
      return earlier === undefined
        ? { meter, stampsMonoMs, earlierEdges: 0 }
        : {
            meter,
            stampsMonoMs: [earlier.lastMonoMs, ...Array.from(stampsMonoMs)],
            earlierEdges: earlier.edges - 1,
          };
    });
  }

  #coincide(a: Times, b: Times): boolean {
    return (
      !(a.isCut && b.isCut) &&
      Math.abs(a.firstMonoMs - b.firstMonoMs) <= this.#simultaneousMs &&
      Math.abs(a.lastMonoMs - b.lastMonoMs) <= this.#simultaneousMs
    );
  }
}

const createSpan = (firstMonoMs: number, lastMonoMs: number): Span => ({
  firstMonoMs,
  lastMonoMs,
  edges: new CoincidentEdges(),
  isTooFast: false,
  isCut: false,
});
