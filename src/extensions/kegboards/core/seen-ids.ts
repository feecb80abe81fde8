/** Maximum number of gaps stored: each is an event that its kegboard dropped or that is still to come. */
const maxSpans = 128;

interface Span {
  from: number;
  to: number;
}

/**
 * Which event ids of a kegboard have been handled: integers from 1, mostly without gaps. A gap stays open, so
 * that an event overtaken by higher ids is still accepted; beyond the maximum the oldest gaps are dropped.
 */
export class SeenIds {
  /** Ascending, never adjacent. */
  readonly #spans: Span[];
  /** Nothing is known about ids up to this one. */
  #forgottenTo: number;

  /** Parses the result of `toString`; nothing seen when absent. */
  constructor(text = '0') {
    const [forgotten, ...spans] = text.split(' ');
    this.#forgottenTo = Number(forgotten);
    this.#spans = spans.map((span) => {
      const [from, to] = span.split('-').map(Number);
      return { from: from!, to: to ?? from! };
    });
  }

  /** `forgotten` means that it may have been seen: only idempotent work may be repeated. */
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

  /** `0 1-5 7`: forgotten up to 0, then the ids seen. At most about 4 KiB. */
  toString(): string {
    const spans = this.#spans.map(({ from, to }) => (from === to ? `${from}` : `${from}-${to}`));
    return [this.#forgottenTo, ...spans].join(' ');
  }
}
