import type { LiveTap, SnapshotMessage } from '../../../http/live/shapes.ts';
import { request } from '../../../web/api/client.ts';
import { type Units, volume } from '../../../web/app/format.ts';
import { toHref } from '../../../web/app/routing.ts';
import { ErrorMessage } from '../../../web/components/action.tsx';
import { Form } from '../../../web/components/form/form.tsx';
import { Page, type PageProps } from '../../../web/components/page.tsx';
import { useResource } from '../../../web/components/use-resource.ts';
import { t } from '../../../web/locales/locale.ts';
import { CleaningGuide } from './cleaning-guide.tsx';
import { kindOptions } from './cleaning-plans.tsx';
import './cleaning.css';

/** Cleaning mode at a tap: start it, then go through the steps. */
export function TapCleaningPage({ snapshot, id }: PageProps) {
  const tap = snapshot.taps.find((one) => one.id === id);
  const running = tap?.cleaning ?? null;
  return (
    <Page title={t('cleaning.at', { tap: tap?.name ?? '' })} requiredRole="staff" width="form">
      {tap === undefined && <p class="refusal">{t('taps.noSuchTap')}</p>}
      {tap !== undefined && running === null && <StartForm tap={tap} units={snapshot} />}
      {tap !== undefined && running !== null && (
        <RunningCleaning key={running.id} id={running.id} tap={tap} snapshot={snapshot} />
      )}
      <p>
        <a href={toHref('/cleaning')}>{t('cleaning.title')}</a>
      </p>
    </Page>
  );
}

function RunningCleaning({
  id,
  tap,
  snapshot,
}: {
  readonly id: number;
  readonly tap: LiveTap;
  readonly snapshot: SnapshotMessage;
}) {
  const reloadKey = `${tap.cleaning?.step}/${tap.pouring?.pour_id ?? ''}/${snapshot.newest_drink_id}`;
  const { result, error } = useResource('GET /cleanings/{id}', { path: { id } }, { reloadKey });
  return (
    <>
      <ErrorMessage>{error}</ErrorMessage>
      {result !== null && <CleaningGuide cleaning={result.cleaning} tap={tap} snapshot={snapshot} />}
    </>
  );
}

function StartForm({ tap, units }: { readonly tap: LiveTap; readonly units: Units }) {
  const { result } = useResource('GET /taps/{ref}', { path: { ref: tap.id } });
  if (result === null) return null;
  const known = result.tap.line_volume_ml;
  return (
    <div class="card group">
      <p>{t('cleaning.startWhy')}</p>
      <Form
        fields={[
          {
            kind: 'choice',
            name: 'kind',
            label: t('cleaning.kind'),
            value: 'caustic',
            options: kindOptions(),
          },
          {
            kind: 'choice',
            name: 'has_beer',
            label: t('cleaning.lineHolds'),
            value: tap.keg === null ? 'water' : 'beer',
            options: { beer: t('cleaning.beer'), water: t('cleaning.water') },
          },
          {
            kind: 'number',
            name: 'line_volume_l',
            label: t('cleaning.lineVolume'),
            value: known === null ? null : known / 1_000,
            min: 0,
            max: 100,
            unit: 'L',
            optional: 'null',
            hint: known === null ? t('cleaning.lineVolumeHint') : volume(known, units).number,
          },
          {
            kind: 'number',
            name: 'contact_minutes',
            label: t('cleaning.contactTime'),
            value: 20,
            min: 0,
            max: 240,
            unit: 'min',
          },
        ]}
        submit={t('cleaning.start')}
        send={({ kind, has_beer: holds, line_volume_l: litres, contact_minutes: minutes }) =>
          request('POST /taps/{ref}/cleaning', {
            path: { ref: tap.id },
            body: {
              kind,
              has_beer: holds === 'beer',
              ...(litres === null ? {} : { line_volume_ml: Math.round(litres * 1_000) }),
              contact_minutes: minutes,
            },
          })
        }
        onDone={() => {}}
      />
    </div>
  );
}
