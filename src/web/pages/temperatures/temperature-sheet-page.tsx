import { useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import { fileHref } from '../../api/client.ts';
import { formatDecimal, formatQuantity, temperature, toDateInput } from '../../app/format.ts';
import { TabbedPage } from '../../app/frame/tabbed-page.tsx';
import { ErrorMessage } from '../../components/action.tsx';
import type { PageProps } from '../../components/page.tsx';
import { useResource } from '../../components/use-resource.ts';
import { t } from '../../locales/locale.ts';
import '../../styles/reports/reports.css';

/** Temperatures of a month by sensor and day, as food hygiene rules want them. */
export function TemperatureSheetPage({ snapshot }: PageProps) {
  const month = useSignal(toDateInput(new Date().toISOString(), snapshot).slice(0, 7));
  const id = useId();
  const path = { month: month.value };
  const { result, error } = useResource('GET /temperature-sheets/{month}', { path });
  const show = (tempC: number | null) =>
    tempC === null ? '–' : formatQuantity(temperature(tempC, snapshot));
  return (
    <TabbedPage title={t('temperatures.sheet')}>
      <div class="filters no-print">
        <div class="field">
          <label for={id}>{t('temperatureSheet.month')}</label>
          <input
            id={id}
            type="month"
            value={month.value}
            onInput={({ currentTarget }) => {
              if (/^\d{4}-\d{2}$/.test(currentTarget.value)) month.value = currentTarget.value;
            }}
          />
        </div>
      </div>
      <div class="row-actions no-print">
        <button type="button" class="chip" onClick={() => print()}>
          {t('common.print')}
        </button>
        <a class="chip" href={fileHref('GET /temperature-sheets/{month}/csv', { path, query: {} })} download>
          CSV
        </a>
      </div>
      <p class="print-only">
        {snapshot.title} · {t('temperatures.sheet')} · {month.value}
      </p>
      <ErrorMessage>{error}</ErrorMessage>
      {result !== null && (
        <p>
          {result.limit_c === null
            ? t('temperatureSheet.noLimit')
            : t('temperatureSheet.limit', { limit: show(result.limit_c) })}
        </p>
      )}
      {result?.temperature_sheets.length === 0 && <p class="soft">{t('temperatureSheet.none')}</p>}
      {result?.temperature_sheets.map((sheet) => (
        <section key={sheet.sensor_id} class="card group" aria-label={sheet.sensor_name}>
          <h3>{sheet.sensor_name}</h3>
          <div class="amounts-box">
            <table class="amounts sheet">
              <thead>
                <tr>
                  <th scope="col">{t('temperatureSheet.day')}</th>
                  <th scope="col" class="figure">
                    {t('temperatureSheet.min')}
                  </th>
                  <th scope="col" class="figure">
                    {t('temperatureSheet.mean')}
                  </th>
                  <th scope="col" class="figure">
                    {t('temperatureSheet.max')}
                  </th>
                  <th scope="col" class="figure">
                    {t('temperatureSheet.above')}
                  </th>
                  <th scope="col" class="figure">
                    {t('temperatureSheet.missing')}
                  </th>
                </tr>
              </thead>
              <tbody>
                {sheet.days.map((day) => (
                  <tr key={day.date} data-bad={day.hours_above > 0}>
                    <th scope="row">{Number(day.date.slice(8))}</th>
                    <td class="figure">{show(day.min_c)}</td>
                    <td class="figure">{show(day.mean_c)}</td>
                    <td class="figure">{show(day.max_c)}</td>
                    <td class="figure">{hours(day.hours_above)}</td>
                    <td class="figure">{hours(day.hours_missing)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        </section>
      ))}
    </TabbedPage>
  );
}

const hours = (count: number): string => (count === 0 ? '–' : `${formatDecimal(count)} h`);
