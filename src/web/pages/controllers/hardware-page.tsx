import type { ComponentChildren } from 'preact';
import { hardwareTabs } from '../../app/frame/navigation.ts';
import { toHref, usePath } from '../../app/routing.ts';
import { Page } from '../../components/page.tsx';
import { t } from '../../locales/locale.ts';
import '../../styles/shared/tabs.css';

interface HardwarePageProps {
  readonly title: string;
  readonly width?: 'list' | 'wide';
  readonly children: ComponentChildren;
}

/** One of the hardware pages, with tabs that lead to the others. */
export function HardwarePage({ title, width = 'list', children }: HardwarePageProps) {
  return (
    <Page title={title} width={width} requiredRole="staff">
      <HardwareTabs />
      {children}
    </Page>
  );
}

/** Links, not tabs of a script: each page has its own address. */
function HardwareTabs() {
  const currentPath = usePath();
  return (
    <nav class="tabs" aria-label={t('nav.hardware')}>
      <ul>
        {hardwareTabs.map(({ path, labelKey }) => (
          <li key={path}>
            <a href={toHref(path)} aria-current={currentPath === path ? 'page' : undefined}>
              {t(labelKey)}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
