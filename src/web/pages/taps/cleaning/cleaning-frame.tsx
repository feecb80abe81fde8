import type { ComponentChildren } from 'preact';
import { cleaningTabs } from '../../../app/frame/navigation.ts';
import { toHref, usePath } from '../../../app/routing.ts';
import { Page } from '../../../components/page.tsx';
import { t } from '../../../locales/locale.ts';
import '../../../styles/shared/tabs.css';
import '../../../styles/taps/cleaning.css';

/** A page about line cleaning, with tabs to the others. */
export function CleaningFrame({
  title,
  children,
}: {
  readonly title: string;
  readonly children: ComponentChildren;
}) {
  const current = usePath();
  return (
    <Page title={title} requiredRole="staff" width="wide">
      <nav class="tabs" aria-label={t('cleaning.pages')}>
        <ul>
          {cleaningTabs.map(({ path, labelKey }) => (
            <li key={path}>
              <a href={toHref(path)} aria-current={path === current ? 'page' : undefined}>
                {t(labelKey)}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      {children}
    </Page>
  );
}
