/** Gaps remembered at most: each is an event that its board dropped, or that is still on its way. */
const maxSpans = 128;

interface Span {
  from: number;
  to: number;
}

/**
 * Which of a board's event ids have been handled: whole numbers from 1, mostly without gaps. A gap stays open, so that
 * an event whose id was overtaken by higher ones is still taken; the oldest gaps are forgotten when there are too many.
 */
export class SeenIds {
  /** Rising, never touching. */
  readonly #spans: Span[];
  /** Of ids up to this one nothing is remembered any more. */
  #forgottenTo: number;

  /** Reads what `toString` gave; nothing seen when absent. */
  constructor(text = '0') {
    const [forgotten, ...spans] = text.split(' ');
    this.#forgottenTo = Number(forgotten);
    this.#spans = spans.map((span) => {
      const [from, to] = span.split('-').map(Number);
      return { from: from!, to: to ?? from! };
    });
  }

  /** `forgotten` means that it may have been seen: only what protects itself against repeats may be done again. */
  state(id: number): 'new' | 'seen' | 'forgotten' {
    if (id <= this.#forgottenTo) return 'forgotten';
    const span = this.#spans.findLast(({ from }) => from <= id);
    return span !== undefined && id <= span.to ? 'seen' : 'new';
  }

  add(id: number): void {
    if (this.state(id) !== 'new') return;
    const after = this.#spans.findLastIndex(({ from }) => from < id);
    const left = this.#spans[after];
    const right = this.#spans[after + 1];
    const joinsLeft = left?.to === id - 1;
    const joinsRight = right?.from === id + 1;
    if (joinsLeft && joinsRight) {
      left.to = right.to;
      this.#spans.splice(after + 1, 1);
    } else if (joinsLeft) left.to = id;
    else if (joinsRight) right.from = id;
    else this.#spans.splice(after + 1, 0, { from: id, to: id });
    while (this.#spans.length > maxSpans) this.#forgottenTo = this.#spans.shift()!.to;
  }

  /** `0 1-5 7`: forgotten up to 0, then what was seen. At most some 4 KiB. */
  toString(): string {
    const spans = this.#spans.map(({ from, to }) => (from === to ? `${from}` : `${from}-${to}`));
    return [this.#forgottenTo, ...spans].join(' ');
  }
}
