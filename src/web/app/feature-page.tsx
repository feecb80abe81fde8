import type { FunctionComponent } from 'preact';
import { EmptyState } from '../components/empty-state.tsx';
import { Page, type PageProps } from '../components/page.tsx';
import { t } from '../locales/locale.ts';
import type { WebExtension } from './extension.ts';
import { isFeatureOn, isSuperuser } from './me.ts';

/** A page of an extension; while it is off, what it is for and where it is switched on. */
export function featurePage(
  { name, labelKey, aboutKey }: WebExtension,
  Content: FunctionComponent<PageProps>,
): FunctionComponent<PageProps> {
  return function FeaturePage(props) {
    if (isFeatureOn(name)) return <Content {...props} />;
    return (
      <Page title={t(labelKey)} width="form">
        <EmptyState
          text={`${t('features.isOff')} ${t(aboutKey)}`}
          picture="list"
          {...(isSuperuser.value && { action: t('features.open'), path: '/features' })}
        />
      </Page>
    );
  };
}
