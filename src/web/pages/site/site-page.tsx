import { loadMe } from '../../app/me.ts';
import { Page } from '../../components/page.tsx';
import { SettingsForm } from '../../components/settings-form.tsx';
import { words } from '../../words/pages.ts';
import { SiteLogo } from './site-logo.tsx';

/** The site's settings and logo. */
export function SitePage() {
  return (
    <Page title={words.site} requiredRole="staff">
      <SettingsForm
        path="/site"
        resultKey="site"
        words={{ labels: words.settings, choices: words.choices }}
        onSaved={() => void loadMe()}
      />
      <SiteLogo />
    </Page>
  );
}
