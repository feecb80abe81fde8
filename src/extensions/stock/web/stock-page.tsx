import { useSignal } from '@preact/signals';
import { fileHref, type Result, request } from '../../../web/api/client.ts';
import type { StockBeverage } from '../../../web/api/generated.ts';
import { formatPriceMinor, formatQuantity, type Units, volume } from '../../../web/app/format.ts';
import { ErrorMessage, useAction } from '../../../web/components/action.tsx';
import { Dialog } from '../../../web/components/dialog.tsx';
import { EmptyState } from '../../../web/components/empty-state.tsx';
import { Page, type PageProps } from '../../../web/components/page.tsx';
import { showUndoable } from '../../../web/components/undo.ts';
import { dataVersion, useResource } from '../../../web/components/use-resource.ts';
import { locale, t } from '../../../web/locales/locale.ts';
import { CountStock } from './count-stock.tsx';
import { Freshness } from './freshness.tsx';
import { ReceiveKegs } from './receive-kegs.tsx';
import { StockCounts } from './stock-counts.tsx';
import { formatDate, StockKegRow } from './stock-keg-row.tsx';

type Stock = Result<'GET /stock'>['stock'];

/** Kegs in stock and on taps: what is left, what it cost, how long it keeps, and what to order. */
export function StockPage({ snapshot }: PageProps) {
  const isReceiving = useSignal(false);
  const isCounting = useSignal(false);
  const { result, error } = useResource('GET /stock', {}, { reloadKey: String(dataVersion.value) });
  const receive = () => (isReceiving.value = true);
  return (
    <Page title={t('stock.title')} requiredRole="staff" width="wide">
      <ErrorMessage>{error}</ErrorMessage>
      {result && (
        <>
          <p class="row-actions">
            <button type="button" class="button" onClick={receive}>
              {t('stock.receive')}
            </button>
            <button type="button" class="chip" onClick={() => (isCounting.value = true)}>
              {t('stockCount.title')}
            </button>
            <a class="chip" href={fileHref('GET /stock/csv')} download>
              {t('reports.downloadCsv')}
            </a>
          </p>
          <StockReport stock={result.stock} units={snapshot} onReceive={receive} />
          <StockCounts units={snapshot} currency={result.stock.currency} />
          <Freshness />
          {isCounting.value && (
            <Dialog title={t('stockCount.title')} onClose={() => (isCounting.value = false)}>
              <CountStock onDone={() => (isCounting.value = false)} />
            </Dialog>
          )}
          {isReceiving.value && (
            <Dialog title={t('stock.receive')} onClose={() => (isReceiving.value = false)}>
              <ReceiveKegs
                units={snapshot}
                currency={result.stock.currency}
                today={result.stock.today}
                supplier={result.suppliers[0] ?? ''}
                onDone={() => (isReceiving.value = false)}
              />
            </Dialog>
          )}
        </>
      )}
    </Page>
  );
}

interface StockReportProps {
  readonly stock: Stock;
  readonly units: Units;
  onReceive(): void;
}

function StockReport({ stock, units, onReceive }: StockReportProps) {
  const { kegs, deposits_out: depositsOut, beverages, currency } = stock;
  const inStock = kegs.filter(({ state }) => state === 'available');
  const onTap = kegs.filter(({ state }) => state === 'on_tap');
  const orders = beverages.filter(({ order_kegs: count }) => count > 0);
  // The list begins with the keg that should be used first.
  const first = new Map(inStock.toReversed().map((keg) => [keg.beverage_id, keg.keg_id]));
  const several = (beverageId: string) => inStock.filter((keg) => keg.beverage_id === beverageId).length > 1;
  const rows = (some: Stock['kegs']) =>
    some.map((keg) => (
      <StockKegRow
        key={keg.keg_id}
        keg={keg}
        units={units}
        currency={currency}
        isFirst={first.get(keg.beverage_id) === keg.keg_id && several(keg.beverage_id)}
      />
    ));
  return (
    <>
      <dl class="totals card">
        <div>
          <dt>{t('stock.costLeft')}</dt>
          <dd>{formatPriceMinor(stock.cost_left_minor, currency)}</dd>
        </div>
        <div>
          <dt>{t('stock.depositsOutTotal')}</dt>
          <dd>{formatPriceMinor(stock.deposit_minor, currency)}</dd>
        </div>
      </dl>
      {stock.kegs_without_cost > 0 && (
        <p class="soft">{t('stock.withoutCost', { count: stock.kegs_without_cost })}</p>
      )}
      {orders.length > 0 && (
        <section class="group" aria-labelledby="to-order">
          <h3 id="to-order">{t('stock.toOrder')}</h3>
          <ul class="rows">
            {orders.map((beverage) => (
              <OrderRow key={beverage.beverage_id} beverage={beverage} units={units} />
            ))}
          </ul>
        </section>
      )}
      <section class="group" aria-labelledby="in-stock">
        <h3 id="in-stock">{t('stock.inStock')}</h3>
        {inStock.length === 0 ? (
          <EmptyState text={t('stock.none')} picture="list" action={t('stock.receive')} onAct={onReceive} />
        ) : (
          <ul class="rows">{rows(inStock)}</ul>
        )}
      </section>
      {onTap.length > 0 && (
        <section class="group" aria-labelledby="on-taps">
          <h3 id="on-taps">{t('stock.onTaps')}</h3>
          <ul class="rows">{rows(onTap)}</ul>
        </section>
      )}
      {depositsOut.length > 0 && (
        <section class="group" aria-labelledby="deposits-out">
          <h3 id="deposits-out">{t('stock.depositsOut')}</h3>
          <ul class="rows">
            {depositsOut.map((keg) => (
              <StockKegRow
                key={keg.keg_id}
                keg={keg}
                units={units}
                currency={currency}
                action={<ReturnDeposit kegId={keg.keg_id} today={stock.today} />}
              />
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

function OrderRow({ beverage, units }: { readonly beverage: StockBeverage; readonly units: Units }) {
  const { name, order_kegs: count, order_by: by, runs_out_on: runsOut } = beverage;
  const format = (ml: number) => formatQuantity(volume(ml, units));
  return (
    <li>
      <div class="row-text">
        <p class="row-name">
          {t('stock.order', { count, beverage: name, day: by === null ? '' : formatDay(by) })}
        </p>
        <p class="soft">
          {t('stock.orderWhy', {
            left: format(beverage.left_ml),
            daily: format(beverage.daily_ml),
            day: runsOut === null ? '' : formatDate(runsOut),
          })}
        </p>
      </div>
    </li>
  );
}

const weekdayFormat = new Intl.DateTimeFormat(locale, {
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  timeZone: 'UTC',
});
const formatDay = (date: string): string => weekdayFormat.format(Date.parse(date));

function ReturnDeposit({ kegId, today }: { readonly kegId: number; readonly today: string }) {
  const { runAction, error } = useAction();
  return (
    <>
      <button
        type="button"
        class="chip"
        aria-label={t('stock.returnOf', { id: kegId })}
        onClick={() =>
          void runAction(
            () =>
              request('PATCH /kegs/{id}/purchase', {
                path: { id: kegId },
                body: { deposit_returned_on: today },
              }),
            (answer) => showUndoable(t('stock.returned'), answer),
          )
        }
      >
        {t('stock.return')}
      </button>
      <ErrorMessage>{error}</ErrorMessage>
    </>
  );
}
