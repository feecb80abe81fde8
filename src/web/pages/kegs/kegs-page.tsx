import { useSignal } from '@preact/signals';
import type { ListedKeg } from '../../api/generated.ts';
import { formatQuantity, percent, type Units, volume } from '../../app/format.ts';
import { canAct } from '../../app/me.ts';
import { toHref } from '../../app/routing.ts';
import { Dialog } from '../../components/dialog.tsx';
import type { EmptyAction } from '../../components/empty-state.tsx';
import { Icon } from '../../components/icon.tsx';
import { Page, type PageProps } from '../../components/page.tsx';
import { PagedList } from '../../components/paged-list.tsx';
import { showToast } from '../../components/toast.tsx';
import { findText, t } from '../../locales/locale.ts';
import { KegRecord } from './edit/keg-record.tsx';
import { KegActions } from './keg-actions.tsx';
import { beerColor, KegDrawing } from './keg-drawing.tsx';
import { NewKeg } from './new-keg.tsx';

const states = ['on_tap', 'available', 'finished'] as const;

/** All kegs by state: on tap, available, finished. */
export function KegsPage({ snapshot }: PageProps) {
  const selected = useSignal<ListedKeg | null>(null);
  const isNew = useSignal(false);
  // Kegs also change in other browsers and by pours: the live state shows when to load the lists again. A pour changes only
  // kegs on tap.
  const tapped = snapshot.taps.flatMap(({ keg, kegs_behind: behind }) => [keg, ...behind]);
  const tappedKegs = tapped.map((keg) => keg?.id).join();
  const levels = tapped.map((keg) => `${keg?.id}:${keg?.volume_ml_remain}`).join();
  const emptyActions: Readonly<Record<(typeof states)[number], EmptyAction | undefined>> = {
    on_tap: { label: t('drinkerPage.showTaps'), path: '/' },
    available: canAct.value ? { label: t('kegs.addToStock'), onAct: () => (isNew.value = true) } : undefined,
    finished: undefined,
  };
  return (
    <Page width="wide" title={t('kegs.title')}>
      {canAct.value && (
        <p>
          <button type="button" class="button" onClick={() => (isNew.value = true)}>
            {t('kegs.newKeg')}
          </button>
        </p>
      )}
      {states.map((state) => (
        <section key={state} class="group" aria-labelledby={`kegs-${state}`}>
          <h3 id={`kegs-${state}`}>{findText('kegs.headings', state)}</h3>
          <PagedList
            operation="GET /kegs"
            input={{ query: { state } }}
            itemsKey="kegs"
            label={findText('kegs.headings', state) ?? state}
            empty={findText('kegs.none', state) ?? ''}
            emptyAction={emptyActions[state]}
            class="keg-cards"
            reloadKey={state === 'on_tap' ? levels : tappedKegs}
            renderItem={(keg) => (
              <KegCard
                key={keg.id}
                keg={keg}
                units={snapshot}
                onManage={canAct.value ? () => (selected.value = keg) : null}
              />
            )}
          />
        </section>
      ))}
      {selected.value && (
        <Dialog
          title={`${selected.value.beverage.name} · ${t('kegs.keg', { id: selected.value.id })}`}
          onClose={() => (selected.value = null)}
        >
          <KegActions keg={selected.value} snapshot={snapshot} onDone={() => (selected.value = null)} />
          <KegRecord
            keg={selected.value}
            units={snapshot}
            onChanged={() => (selected.value = null)}
            onDeleted={() => (selected.value = null)}
          />
        </Dialog>
      )}
      {isNew.value && (
        <Dialog title={t('kegs.newKeg')} onClose={() => (isNew.value = false)}>
          <NewKeg
            units={snapshot}
            onDone={() => {
              isNew.value = false;
              showToast(t('kegs.addedToStock'));
            }}
          />
        </Dialog>
      )}
    </Page>
  );
}

interface KegCardProps {
  readonly keg: ListedKeg;
  readonly units: Units;
  readonly onManage: (() => void) | null;
}

function KegCard({ keg, units, onManage }: KegCardProps) {
  const { name, producer, color_hex: colorHex } = keg.beverage;
  return (
    <li class="keg-card">
      <div class="keg-card-keg">
        <KegDrawing level={keg.percent_full} color={beerColor(colorHex)} pouring={false} />
      </div>
      <div class="keg-card-text">
        <a class="keg-card-name" href={toHref(`/kegs/${keg.id}`)}>
          {name}
        </a>
        <p class="soft">{[producer, t('kegs.keg', { id: keg.id })].filter(Boolean).join(' · ')}</p>
        <p>
          {t(keg.state === 'finished' ? 'kegs.notPoured' : 'kegs.leftOf', {
            left: formatQuantity(volume(Math.max(0, keg.volume_ml_remain), units)),
            full: formatQuantity(volume(keg.full_volume_ml, units)),
          })}{' '}
          <span class="soft">({t('units.percent', { percent: percent(keg.percent_full) })})</span>
        </p>
        {onManage && (
          <button
            type="button"
            class="chip"
            aria-label={t('kegs.manageKeg', { keg: `${name}, ${t('kegs.keg', { id: keg.id })}` })}
            onClick={onManage}
          >
            <Icon name="more" />
          </button>
        )}
      </div>
    </li>
  );
}
