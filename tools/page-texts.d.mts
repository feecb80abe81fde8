import type { Plugin } from 'vite';

/** Vite plugin that bundles the catalogues of a folder without the texts that only the daemon writes, and their notes. */
export function pageTexts(folder: string, entry: string): Plugin;
/** The texts of a catalogue that the page shows. */
export function toPageCatalogue(
  catalogue: Readonly<Record<string, string>>,
): Readonly<Record<string, string>>;
/** The notes of the languages that have one, by language. */
export function readLanguageNotes(folder: string): Readonly<Record<string, string>>;
