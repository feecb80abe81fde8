import { chooseLanguage, language, languages, nameLanguage, t } from '../locales/locale.ts';

/** Choice of the page's language, each named in its own language. */
export function LanguageSwitch() {
  return (
    <label class="language-switch">
      <span>{t('nav.language')}</span>
      <select value={language} onChange={(event) => chooseLanguage(event.currentTarget.value)}>
        {languages.map((tag) => (
          <option key={tag} value={tag} lang={tag}>
            {nameLanguage(tag)}
          </option>
        ))}
      </select>
    </label>
  );
}
