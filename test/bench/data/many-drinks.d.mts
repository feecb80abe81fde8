/** How drinks are spread over sessions, kegs and users. */
export interface DrinkShape {
  readonly perSession: number;
  readonly perKeg: number | null;
  readonly anonymousPercent: number;
  readonly isSkewed: boolean;
  readonly untilMs?: number;
  readonly volumeMl?: string;
}

export const shapes: { readonly even: DrinkShape; readonly bar: DrinkShape };

export function addDrinks(file: string, count: number, shape?: DrinkShape): void;
