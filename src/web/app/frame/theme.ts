import { type ReadonlySignal, signal } from '@preact/signals';

/** The choices, in the order in which they are shown. */
export const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

/** Storage key of the choice, which `public/theme.js` reads before the page is shown. */
const storageKey = 'theme';

const chosen = signal<Theme>(readTheme());

/** The theme chosen on this browser. */
export const theme: ReadonlySignal<Theme> = chosen;

/** Chooses a theme and keeps it on this browser. */
export function chooseTheme(choice: Theme) {
  chosen.value = choice;
  try {
    localStorage.setItem(storageKey, choice);
  } catch {
    // A browser that stores nothing keeps the choice until the page is left.
  }
  applyTheme(choice);
}

/** Shows the page in a theme until it is left, without keeping it; null for the one chosen on this browser. */
export function applyTheme(choice: Theme | null) {
  dispatchEvent(new CustomEvent('theme', { detail: choice ?? chosen.value }));
}

function readTheme(): Theme {
  try {
    return themes.find((one) => one === localStorage.getItem(storageKey)) ?? 'system';
  } catch {
    return 'system';
  }
}
