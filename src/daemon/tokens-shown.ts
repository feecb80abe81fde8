import type { TokenAt } from '../core/live-grants.ts';

/** A reader that tells the same token again within this has not seen it leave: holding a card there asks nothing new. */
const stillThereMs = 2_000;

/** A reader that asks more often than this is broken, or somebody plays with it. */
const mostAsked = 5;
const whileMs = 1_000;

/** Readers kept in mind. */
const mostPlaces = 256;

interface Place {
  value: string | null;
  toldMonoMs: number;
  countedSinceMonoMs: number;
  asked: number;
}

/** What each reader saw last: one token held there is one question, however often it is told. */
export class TokensShown {
  readonly #places = new Map<string, Place>();

  /** True when the token has just come, and its reader has not asked too much lately. */
  isNews(token: TokenAt, nowMonoMs: number): boolean {
    const place = this.#placeOf(token, nowMonoMs);
    const isStill = place.value === token.value && nowMonoMs - place.toldMonoMs < stillThereMs;
    place.value = token.value;
    place.toldMonoMs = nowMonoMs;
    if (isStill) return false;
    if (nowMonoMs - place.countedSinceMonoMs >= whileMs) {
      place.countedSinceMonoMs = nowMonoMs;
      place.asked = 0;
    }
    place.asked++;
    return place.asked <= mostAsked;
  }

  /** It left: shown again it is news. */
  gone(token: TokenAt): void {
    const place = this.#places.get(keyOf(token));
    if (place?.value === token.value) place.value = null;
  }

  #placeOf(token: TokenAt, nowMonoMs: number): Place {
    const key = keyOf(token);
    const known = this.#places.get(key);
    if (known !== undefined) return known;
    if (this.#places.size >= mostPlaces) this.#places.clear();
    const fresh = { value: null, toldMonoMs: nowMonoMs, countedSinceMonoMs: nowMonoMs, asked: 0 };
    this.#places.set(key, fresh);
    return fresh;
  }
}

const keyOf = ({ controller, reader, device }: TokenAt): string =>
  [controller, reader ?? '', device].join('|');
