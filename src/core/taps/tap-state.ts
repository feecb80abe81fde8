/** The states of a tap in their order of precedence: of those that apply, the first one is shown by every view. */
export const tapStates = [
  'cleaning', // its line is being cleaned: what flows is no beer
  'blocked', // cleaner may stand in its line: a cleaning ended by itself before the refill, or its check failed
  'pouring', // beer flows now
  'empty', // no keg is on it; a keg that is empty by the count is not known to be
  'no_meter', // it serves, but nothing counts its pours
  'held', // it serves, and a pour of it waits for review: what is left in the keg is not certain
  'serving',
] as const;
export type TapState = (typeof tapStates)[number];

/** States in which nobody may drink what comes out; an extension knows them. */
export type ClosedTapState = 'cleaning' | 'blocked';

/** The state apart from a flow, which changes too often to be stored with it. */
export type RestingTapState = Exclude<TapState, 'pouring'>;

/** What decides on the state of a tap at rest. */
export interface TapFacts {
  /** Why nobody may drink what comes out; null: they may. */
  readonly closed: ClosedTapState | null;
  readonly hasKeg: boolean;
  readonly hasMeter: boolean;
  readonly hasHeldPour: boolean;
}

export function restingTapState(facts: TapFacts): RestingTapState {
  const { closed, hasKeg, hasMeter, hasHeldPour } = facts;
  const applies: Readonly<Record<RestingTapState, boolean>> = {
    cleaning: closed === 'cleaning',
    blocked: closed === 'blocked',
    empty: !hasKeg,
    no_meter: !hasMeter,
    held: hasHeldPour,
    serving: true,
  };
  return tapStates.find((state): state is RestingTapState => state !== 'pouring' && applies[state])!;
}

/** The state of a tap whose state at rest is `resting`. */
export const tapState = (resting: RestingTapState, isPouring: boolean): TapState =>
  isPouring && tapStates.indexOf('pouring') < tapStates.indexOf(resting) ? 'pouring' : resting;

/** Whether nobody may drink what comes out of the tap. No view offers its beer or a price of it then. */
export const isTapClosed = (state: TapState): state is ClosedTapState =>
  state === 'cleaning' || state === 'blocked';

/** The state as guests see it: pours that wait for review are for staff. */
export const tapStateForGuests = <S extends TapState>(state: S): S | 'serving' =>
  state === 'held' ? 'serving' : state;
