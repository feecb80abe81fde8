import { chooseLanguage } from '../../core/locales/choose-language.ts';
import type { Site } from '../../core/records.ts';
import { type DaemonTexts, daemonTexts, listLanguages } from '../../system/catalogues.ts';

/**
 * The texts of a mail: in the language that its reader has chosen, else in the site's, else in English. A stored language may be
 * one that only a newer program knows.
 */
export const chooseMailTexts = (
  chosen: string | null | undefined,
  { locale }: Pick<Site, 'locale'>,
): DaemonTexts => daemonTexts(chooseLanguage([chosen, locale], listLanguages()));
