import { chooseLanguage, language, languages, nameLanguage, noteOf, t } from '../../locales/locale.ts';

/** Choice of the page's language, each named in its own language; a star marks those with a note, shown for the present one. */
export function LanguageSwitch() {
  const note = noteOf(language);
  return (
    <label class="language-switch">
      <span>{t('nav.language')}</span>
      <select value={language} onChange={(event) => chooseLanguage(event.currentTarget.value)}>
        {languages.map((tag) => (
          <option key={tag} value={tag} lang={tag}>
            {noteOf(tag) === undefined ? nameLanguage(tag) : `${nameLanguage(tag)} *`}
          </option>
        ))}
      </select>
      {note !== undefined && <small>* {note}</small>}
    </label>
  );
}
