import { type ReadonlySignal, signal } from '@preact/signals';

/** Somebody who has typed their PIN on this shared tablet, and may act on it for a moment. */
export interface Acting {
  /** What the daemon knows them by meanwhile; it never leaves this page's memory. */
  readonly pinUnlock: string;
  readonly displayName: string;
  /** Wrong PINs somebody typed for that name before the right one. */
  readonly wrongBefore: number;
  /** By the browser's clock that never steps, milliseconds. */
  readonly untilMs: number;
}

const now = signal<Acting | null>(null);
const asked = signal(false);
let answers: ((isKnown: boolean) => void)[] = [];
let timer: ReturnType<typeof setTimeout> | undefined;

/** Who acts on this tablet for the moment. */
export const acting: ReadonlySignal<Acting | null> = now;

/** True while something waits for a name and a PIN. */
export const isAsked: ReadonlySignal<boolean> = asked;

/** Asks who stands before the tablet; false when they would rather not say. */
export function whoActs(): Promise<boolean> {
  stopActing();
  asked.value = true;
  return new Promise((resolve) => answers.push(resolve));
}

/** They have said it, for so many seconds. */
export function beginActing(who: Omit<Acting, 'untilMs'>, seconds: number) {
  const lastsMs = seconds * 1_000;
  now.value = { ...who, untilMs: performance.now() + lastsMs };
  clearTimeout(timer);
  timer = setTimeout(stopActing, lastsMs);
  answer(true);
}

/** They would rather not. */
export const refuseToSay = () => answer(false);

/** They go, or their time is over. */
export function stopActing() {
  clearTimeout(timer);
  now.value = null;
}

function answer(isKnown: boolean) {
  asked.value = false;
  const waiting = answers;
  answers = [];
  for (const tell of waiting) tell(isKnown);
}
