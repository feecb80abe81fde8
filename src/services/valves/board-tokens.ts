import { isUnreadableToken, normalizeToken } from '../../core/access/token-value.ts';
import type { Moment } from '../../core/clock/moment.ts';
import type { BusEventOf } from '../../core/event-bus.ts';
import { createProblem, type Problem } from '../../core/health/problems.ts';
import { type UnreadableStatus, UnreadableTexts } from './unreadable-texts.ts';

/** Longest unreadable text that is shown. */
const maxText = 64;

/** The tokens that boards have reported since the start, and how many could not be read. */
export class BoardTokens {
  readonly #shown = new Map<string, number>();
  readonly #unreadable = new UnreadableTexts((board, facts) =>
    createProblem('board_cards_unreadable', { board, ...facts }),
  );

  note(reported: Omit<BusEventOf<'token.reported'>, 'type'>, now: Moment): void {
    const { controller } = reported;
    const { device, value } = normalizeToken(reported.device, reported.value);
    const isRead = !isUnreadableToken(device, value);
    this.#shown.set(controller, (this.#shown.get(controller) ?? 0) + Number(isRead));
    if (isRead) return;
    const count = this.#unreadable.of(controller).count + 1;
    this.#unreadable.note(controller, { count, text: [...reported.value].slice(0, maxText).join('') }, now);
  }

  /** Each board that has reported a token, as a reader. */
  readers(): readonly {
    readonly board: string;
    readonly shown: number;
    readonly unreadable: UnreadableStatus;
  }[] {
    return [...this.#shown].map(([board, shown]) => ({
      board,
      shown,
      unreadable: this.#unreadable.of(board),
    }));
  }

  /** The problems of the boards that reported unreadable cards in the last hour. */
  problems(nowMonoMs: number): readonly Problem[] {
    return [...this.#shown.keys()].flatMap((board) => this.#unreadable.findProblem(board, nowMonoMs) ?? []);
  }
}
