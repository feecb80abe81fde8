import { requestWithPin } from '../../api/request-with-pin.ts';
import { ErrorMessage } from '../../components/action.tsx';
import { Form } from '../../components/form.tsx';
import { showToast } from '../../components/toast.tsx';
import { useResource } from '../../components/use-resource.ts';
import { words } from '../../words/reports.ts';

interface Business {
  readonly day_ends: string;
  readonly currency: string;
  readonly nightly_backups: boolean;
}

/** Settings of business days: end of day, currency, nightly backups. */
export function DayRules() {
  const { result, error, reload } = useResource<{ readonly business: Business }>('/admin/business');
  const business = result?.business;
  return (
    <section class="group card">
      <h3>{words.rules}</h3>
      <ErrorMessage>{error}</ErrorMessage>
      {business && (
        <Form
          key={JSON.stringify(business)}
          fields={[
            {
              kind: 'text',
              name: 'day_ends',
              label: words.dayEnds,
              value: business.day_ends,
              minLength: 5,
              maxLength: 5,
            },
            {
              kind: 'text',
              name: 'currency',
              label: words.currency,
              value: business.currency,
              minLength: 3,
              maxLength: 3,
            },
            { kind: 'flag', name: 'nightly_backups', label: words.nightly, value: business.nightly_backups },
          ]}
          submit={words.save}
          send={(values) => requestWithPin('PATCH', '/admin/business', values)}
          onDone={() => {
            showToast(words.rulesSaved);
            reload();
          }}
        />
      )}
    </section>
  );
}
