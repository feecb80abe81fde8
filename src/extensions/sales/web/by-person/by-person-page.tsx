import { type Result, request } from '../../../../web/api/client.ts';
import type { PersonBalance } from '../../../../web/api/generated.ts';
import { formatMoney, formatQuantity, type Units, volume } from '../../../../web/app/format.ts';
import { isSuperuser } from '../../../../web/app/me.ts';
import { toHref, useNavigate } from '../../../../web/app/routing.ts';
import { ErrorMessage, useAction } from '../../../../web/components/action.tsx';
import { FigureTable, noFigure } from '../../../../web/components/figure-table.tsx';
import { Form } from '../../../../web/components/form/form.tsx';
import { Page, type PageProps } from '../../../../web/components/page.tsx';
import { showToast } from '../../../../web/components/toast.tsx';
import { useResource } from '../../../../web/components/use-resource.ts';
import { t } from '../../../../web/locales/locale.ts';
import { SpanPicker } from '../../../../web/pages/reports/span-picker.tsx';
import { personReason, sellerDays } from '../../core/sellers.ts';
import { verdictText } from '../balance/verdict-text.ts';
import '../balance.css';

/** Poured against sold by person: off until a superuser turns it on, with a reason that is shown beside the figures. */
export function ByPersonPage({ snapshot, query }: PageProps) {
  const { result, error } = useResource('GET /sales/by-person/settings');
  const settings = result?.settings;
  return (
    <Page title={t('byPerson.title')} requiredRole="staff" width="wide">
      <div class="group">
        <ErrorMessage>{error}</ErrorMessage>
        {settings?.is_on === false && <p>{t('byPerson.off')}</p>}
        {!isSuperuser.value && <p>{t('daemon.refusals.superuser_needed')}</p>}
        {settings?.is_on === true && isSuperuser.value && (
          <>
            <p>
              <strong>{t('byPerson.reason')}:</strong> {settings.reason}
            </p>
            <Figures units={snapshot} first={query.get('first')} last={query.get('last')} />
          </>
        )}
        {settings && isSuperuser.value && <Settings settings={settings} />}
        <p>
          <a href={toHref('/sales/balance')}>{t('balance.title')}</a>
        </p>
      </div>
    </Page>
  );
}

type ByPersonSettings = Result<'GET /sales/by-person/settings'>['settings'];

function Settings({ settings }: { readonly settings: ByPersonSettings }) {
  const { runAction, error } = useAction();
  return (
    <section class="card group" aria-labelledby="by-person-settings">
      <h3 id="by-person-settings">{settings.is_on ? t('nav.site') : t('byPerson.turnOn')}</h3>
      <Form
        key={`${settings.reason} ${settings.days}`}
        fields={[
          {
            kind: 'text',
            name: 'reason',
            label: t('byPerson.reason'),
            hint: t('byPerson.reasonHint'),
            value: settings.reason ?? '',
            minLength: personReason.min,
            maxLength: personReason.max,
          },
          {
            kind: 'whole',
            name: 'days',
            label: t('byPerson.days'),
            value: settings.days,
            min: sellerDays.min,
            max: sellerDays.max,
          },
        ]}
        submit={settings.is_on ? t('byPerson.change') : t('byPerson.turnOn')}
        send={(body) => request('PUT /sales/by-person/settings', { body })}
        onDone={() => showToast(t('common.saved'), null)}
      />
      {settings.is_on && (
        <p>
          <button
            type="button"
            class="chip danger"
            onClick={() =>
              void runAction(() => request('DELETE /sales/by-person/settings'), t('byPerson.turnedOff'))
            }
          >
            {t('byPerson.turnOff')}
          </button>
        </p>
      )}
      <ErrorMessage>{error}</ErrorMessage>
    </section>
  );
}

interface FiguresProps {
  readonly units: Units;
  readonly first: string | null;
  readonly last: string | null;
}

function Figures({ units, first, last }: FiguresProps) {
  const navigate = useNavigate();
  const today = useResource('GET /reports/span');
  const { result, error } = useResource('GET /sales/by-person', {
    query: { ...(first && { first }), ...(last && { last }) },
  });
  const format = (ml: number) => (ml === 0 ? noFigure : formatQuantity(volume(ml, units)));
  return (
    <>
      <SpanPicker
        today={today.result?.span.last ?? null}
        span={result}
        onSelect={(since, until) => navigate(`/sales/by-person?first=${since}&last=${until}`)}
      />
      <ErrorMessage>{error}</ErrorMessage>
      {result &&
        (result.persons.length === 0 ? (
          <p class="soft">{t('byPerson.nobody')}</p>
        ) : (
          <FigureTable<PersonBalance & { readonly key: string; readonly label: string }>
            title={t('byPerson.title')}
            rowHeader={t('byPerson.person')}
            columns={[
              { name: t('byPerson.poured'), format: (row) => format(row.poured_ml) },
              { name: t('byPerson.rung'), format: (row) => format(rungMl(row)) },
              {
                name: t('money.income'),
                format: (row) =>
                  row.net_sales === 0 ? noFigure : formatMoney(row.net_sales, result.currency),
              },
              {
                name: t('byPerson.taken'),
                format: ({ void_lines: voids, refund_lines: refunds }) =>
                  voids + refunds === 0 ? noFigure : t('byPerson.lines', { voids, refunds }),
              },
              {
                name: t('balance.difference'),
                format: ({ verdict }) => (verdict === null ? noFigure : verdictText(verdict, units)),
              },
            ]}
            rows={result.persons.map((person) => ({ ...person, key: person.name, label: person.name }))}
          />
        ))}
      {result && result.unnamed.sold_ml !== 0 && (
        <p class="soft">
          {t('byPerson.unnamed')}: {format(result.unnamed.sold_ml)}
        </p>
      )}
      <p class="soft">
        {t('byPerson.noProof')} {t('byPerson.viewsLogged')}
      </p>
    </>
  );
}

const rungMl = ({ sold_ml, comps_ml, staff_ml, samples_ml }: PersonBalance): number =>
  sold_ml + comps_ml + staff_ml + samples_ml;
