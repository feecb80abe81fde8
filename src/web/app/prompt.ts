import { type ReadonlySignal, signal } from '@preact/signals';

/** A dialog for which requests wait. */
export interface Prompt {
  /** True while it is open. */
  readonly isOpen: ReadonlySignal<boolean>;
  /** Opens it. Resolves to false when it is cancelled. */
  open(): Promise<boolean>;
  /** Closes it and resolves all waiting requests. */
  close(isDone: boolean): void;
}

/** Creates a dialog for which requests wait. */
function createPrompt(): Prompt {
  const isOpen = signal(false);
  let waiting: ((isDone: boolean) => void)[] = [];
  return {
    isOpen,
    open() {
      isOpen.value = true;
      return new Promise((resolve) => waiting.push(resolve));
    },
    close(isDone) {
      isOpen.value = false;
      const resolvers = waiting;
      waiting = [];
      for (const resolve of resolvers) resolve(isDone);
    },
  };
}

/** Asks for the user's password again, for settings that decide where secrets go. */
export const passwordPrompt = createPrompt();

/** Asks the user whose login has ended to log in again. */
export const logInPrompt = createPrompt();

/** The user who is logged in on this page, as far as it knows; null for guests and tablets. */
export const knownUser = signal<{ readonly username: string; readonly displayName: string } | null>(null);
