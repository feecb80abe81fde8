import { request } from '../../../web/api/client.ts';
import { barTime, formatBarTime } from '../../../web/app/format.ts';
import { isSuperuser } from '../../../web/app/me.ts';
import { formatProblem } from '../../../web/app/problem-text.ts';
import { ErrorMessage, useAction } from '../../../web/components/action.tsx';
import type { FieldSpec } from '../../../web/components/form/field-spec.ts';
import {
  type FieldLabels,
  listFieldLabels,
  type SchemaField,
  toFieldSpec,
} from '../../../web/components/form/schema-fields.ts';
import { SettingsForm } from '../../../web/components/form/settings-form.tsx';
import { Page, type PageProps } from '../../../web/components/page.tsx';
import { showToast } from '../../../web/components/toast.tsx';
import { invalidate, useResource } from '../../../web/components/use-resource.ts';
import { t } from '../../../web/locales/locale.ts';

const refreshMs = 10_000;
/** The daemon waits up to 30 s for each file. */
const publishTimeoutMs = 120_000;

/** The menu on the bar's own web space: where, and whether it is up to date. */
export function MenuPublicationPage({ snapshot }: PageProps) {
  const { result, error } = useResource('GET /admin/menu-publication', {}, { intervalMs: refreshMs });
  return (
    <Page title={t('menuPublication.title')} requiredRole="staff">
      <p class="soft">{t('menuPublication.intro')}</p>
      <ErrorMessage>{error}</ErrorMessage>
      {result !== null && (
        <div class="two">
          <section class="group" aria-labelledby="web-space">
            <h3 id="web-space">{t('menuPublication.settings')}</h3>
            {isSuperuser.value ? (
              <SettingsForm
                path="/admin/menu-publication"
                resultKey="menu_publication"
                fieldLabels={labels()}
                toField={toField}
              />
            ) : (
              <p class="soft">{t('auth.superusersOnly')}</p>
            )}
          </section>
          <section class="group" aria-labelledby="published-menu">
            <h3 id="published-menu">{t('menuPublication.state')}</h3>
            <div class="card group">
              <p>
                {result.published_time === null
                  ? t('menuPublication.never')
                  : t('menuPublication.published', {
                      time: formatBarTime(barTime(result.published_time, snapshot)),
                    })}
              </p>
              {result.problem !== null && <p class="soft">{formatProblem(result.problem)}</p>}
              {snapshot.menu_url !== null && (
                <p>
                  <a href={snapshot.menu_url} rel="noreferrer" target="_blank">
                    {t('menuPublication.open')}
                  </a>
                </p>
              )}
              {isSuperuser.value && (
                <PublishActions
                  hasAddress={result.menu_publication.url !== ''}
                  isPublished={result.published_url !== null}
                />
              )}
            </div>
          </section>
        </div>
      )}
    </Page>
  );
}

interface PublishActionsProps {
  readonly hasAddress: boolean;
  readonly isPublished: boolean;
}

/** Publishes or removes the menu at once, and says what failed. */
function PublishActions({ hasAddress, isPublished }: PublishActionsProps) {
  const { runAction, error, isBusy } = useAction();
  const run = (
    path: 'POST /admin/menu-publication/publish' | 'DELETE /admin/menu-publication/files',
    done: string,
  ) =>
    void runAction(
      () => request(path, {}, { timeoutMs: publishTimeoutMs }),
      ({ problem }) => {
        invalidate();
        // What failed stands on the page.
        if (problem === null) showToast(done);
      },
    );
  return (
    <>
      <ErrorMessage>{error}</ErrorMessage>
      <div class="row-actions">
        <button
          type="button"
          class="chip"
          disabled={isBusy || !hasAddress}
          onClick={() => run('POST /admin/menu-publication/publish', t('menuPublication.done'))}
        >
          {t('menuPublication.publishNow')}
        </button>
        {isPublished && (
          <button
            type="button"
            class="chip"
            disabled={isBusy}
            onClick={() => run('DELETE /admin/menu-publication/files', t('menuPublication.removed'))}
          >
            {t('menuPublication.remove')}
          </button>
        )}
      </div>
      {isPublished && <p class="soft">{t('menuPublication.removeWhy')}</p>}
    </>
  );
}

const labels = (): FieldLabels => listFieldLabels('menuPublication.labels');

function toField(field: SchemaField, values: Readonly<Record<string, unknown>>): FieldSpec {
  if (field.name !== 'password') return toFieldSpec(field, values[field.name], labels());
  return {
    kind: 'password',
    name: field.name,
    label: values.has_password === true ? t('common.otherPassword') : t('menuPublication.labels.password'),
    maxLength: 1_024,
    autocomplete: 'new-password',
    optional: 'omit',
  };
}
