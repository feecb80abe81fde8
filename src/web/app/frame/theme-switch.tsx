import { t } from '../../locales/locale.ts';
import { chooseTheme, theme, themes } from './theme.ts';

/** Switch between the system's, the light and the dark theme. */
export function ThemeSwitch() {
  return (
    <fieldset class="theme-switch">
      <legend>{t('theme.title')}</legend>
      {themes.map((one) => (
        <label key={one}>
          <input type="radio" name="theme" checked={theme.value === one} onChange={() => chooseTheme(one)} />
          <span>{t(`theme.${one}`)}</span>
        </label>
      ))}
    </fieldset>
  );
}
