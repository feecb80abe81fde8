import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { chooseLanguage } from '../../../core/locales/choose-language.ts';
import type { Engine } from '../../../engine/engine.ts';
import { daemonTexts, listLanguages } from '../../../system/catalogues.ts';
import { listPictures, type MenuContent } from './menu-content.ts';
import { renderMenuPage } from './menu-html.ts';

/** A file of the published menu. */
export interface MenuFile {
  readonly name: string;
  readonly contentType: string;
  /** Tells whether the file that lies on the web space is up to date. */
  readonly hash: string;
  readonly read: () => Promise<Buffer>;
}

/**
 * The files of the menu in the order in which they are written: pictures before the pages that show them. `index.html` is in the
 * site's language. Pages and `menu.json` contain the time of the last change, which their hash leaves out.
 */
export function createMenuFiles(engine: Engine, menu: MenuContent, changedMs: number): readonly MenuFile[] {
  const site = engine.users.site();
  const main = chooseLanguage([site.locale], listLanguages());
  const fileOf = (language: string) => (language === main ? 'index.html' : `index.${language}.html`);
  const languages = listLanguages().map((language) => [language, fileOf(language)] as const);
  const style = [site.volumeUnits, site.locale, site.timeZone];
  const text = (name: string, contentType: string, render: () => string): MenuFile => ({
    name,
    contentType,
    hash: hashOf(JSON.stringify([formatVersion, menu, style])),
    read: async () => Buffer.from(render()),
  });
  return [
    // The name of a picture changes with its content.
    ...[...listPictures(engine, menu)].map(([name, path]) => ({
      name,
      contentType: 'image/jpeg',
      hash: 'picture',
      read: () => readFile(path),
    })),
    text('menu.json', 'application/json', () =>
      JSON.stringify({ changed_time: new Date(changedMs).toISOString(), ...menu }),
    ),
    ...languages.map(([language, file]) =>
      text(file, 'text/html; charset=utf-8', () =>
        renderMenuPage(menu, { texts: daemonTexts(language), site, languages, changedMs }),
      ),
    ),
  ];
}

/** Changed with the form of the pages, so that a new program writes them again. */
const formatVersion = 2;

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 32);
