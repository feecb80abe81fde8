import { request } from '../../api/client.ts';
import { ErrorMessage } from '../../components/action.tsx';
import { Form } from '../../components/form/form.tsx';
import { showUndoable } from '../../components/undo.ts';
import { useResource } from '../../components/use-resource.ts';
import { t } from '../../locales/locale.ts';
import { currencyChoices } from '../site/setting-choices.ts';

/** Settings of business days: end of day, currency, nightly backups. */
export function DayRules() {
  const { result, error } = useResource('GET /admin/business');
  const business = result?.business;
  return (
    <section class="group card">
      <h3>{t('reports.rules')}</h3>
      <ErrorMessage>{error}</ErrorMessage>
      {business && (
        <Form
          fields={[
            {
              kind: 'text',
              name: 'day_ends',
              label: t('reports.dayEnds'),
              value: business.day_ends,
              minLength: 5,
              maxLength: 5,
            },
            {
              kind: 'choice',
              name: 'currency',
              label: t('reports.currency'),
              value: business.currency,
              options: currencyChoices(business.currency),
            },
            {
              kind: 'flag',
              name: 'nightly_backups',
              label: t('reports.nightly'),
              value: business.nightly_backups,
            },
          ]}
          submit={t('reports.save')}
          isEdit
          send={(_values, { changes }) => request('PATCH /admin/business', { body: changes })}
          onDone={(answer) => showUndoable(t('reports.rulesSaved'), answer)}
        />
      )}
    </section>
  );
}
