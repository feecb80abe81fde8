import { webExtensions } from '../../../extensions/pages.ts';
import type { Result } from '../../api/client.ts';
import { request } from '../../api/client.ts';
import type { WebExtension } from '../../app/extension.ts';
import { isSuperuser, loadMe } from '../../app/me.ts';
import { formatProblem } from '../../app/problem-text.ts';
import { ErrorMessage, useAction } from '../../components/action.tsx';
import { Page } from '../../components/page.tsx';
import { useResource } from '../../components/use-resource.ts';
import { t } from '../../locales/locale.ts';

type Feature = Result<'GET /admin/features'>['features'][number];

/** Which features this site uses. */
export function FeaturesPage() {
  const { result, error } = useResource('GET /admin/features');
  return (
    <Page width="form" title={t('features.title')} requiredRole="staff">
      <p class="soft">{t('features.intro')}</p>
      <ErrorMessage>{error}</ErrorMessage>
      <div class="card">
        <ul class="rows">
          {webExtensions.map((extension) => {
            const feature = result?.features.find(({ name }) => name === extension.name);
            return feature && <FeatureRow key={feature.name} extension={extension} feature={feature} />;
          })}
        </ul>
      </div>
    </Page>
  );
}

function FeatureRow({ extension, feature }: { readonly extension: WebExtension; readonly feature: Feature }) {
  const { name, is_on: isOn, is_fixed: isFixed, in_use: inUse } = feature;
  const { runAction, error, isBusy } = useAction();
  const label = t(extension.labelKey);
  const switchIt = () =>
    void runAction(
      () => request('PATCH /admin/features', { body: { [name]: !isOn } }),
      () => void loadMe(),
    );
  return (
    <li class="row">
      <div>
        <strong>{label}</strong>
        <p class="soft">{t(extension.aboutKey)}</p>
        {isFixed && <p class="soft">{t('features.fixed')}</p>}
        {isOn && inUse !== null && <p class="soft">{formatProblem(inUse)}</p>}
        <ErrorMessage>{error}</ErrorMessage>
      </div>
      {isSuperuser.value && !isFixed && !(isOn && inUse !== null) ? (
        <button
          type="button"
          class="chip"
          aria-label={t(isOn ? 'features.switchOffNamed' : 'features.switchOnNamed', { name: label })}
          disabled={isBusy}
          onClick={switchIt}
        >
          {t(isOn ? 'features.switchOff' : 'features.switchOn')}
        </button>
      ) : (
        <span>{t(isOn ? 'features.on' : 'features.off')}</span>
      )}
    </li>
  );
}
