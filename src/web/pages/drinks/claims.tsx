import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { SnapshotMessage } from '../../../http/live/shapes.ts';
import { request } from '../../api/client.ts';
import type { Claimable } from '../../api/generated.ts';
import { barTime, formatBarTime, formatQuantity, volume } from '../../app/format.ts';
import { allowsClaims, me } from '../../app/me.ts';
import { ErrorMessage, useAction } from '../../components/action.tsx';
import { usePageLoad } from '../../components/page-load.ts';
import { pageQuery } from '../../components/paging.ts';
import { showToast } from '../../components/toast.tsx';
import { dataVersion, invalidate } from '../../components/use-resource.ts';
import { t } from '../../locales/locale.ts';
import '../../styles/drinks/claims.css';

/** Pours per request. */
const pageLength = 12;
/** Reload interval, milliseconds: claims expire without an event. */
const refreshMs = 30_000;

/**
 * Recent pours without a user that the user may claim; renders nothing when there are none or claims are off.
 */
export default function Claims({ snapshot }: { readonly snapshot: SnapshotMessage }) {
  const claims = useSignal<readonly Claimable[]>([]);
  /** Address of the next page. */
  const next = useSignal<string | null>(null);
  const action = useAction();
  const { begin } = usePageLoad();
  const canClaim = allowsClaims.value && me.value !== null;
  // Changes with every pour, claim and correction made elsewhere, so that the list reloads.
  const version = snapshot.drinks.map(({ id, user_id: user }) => `${id}${user ?? ''}`).join();

  async function load(page: string | null) {
    const query = page === null ? { limit: pageLength } : pageQuery(page);
    const answer = await request('GET /claims', { query });
    if (!answer.ok) return;
    claims.value = page === null ? answer.result.claims : [...claims.value, ...answer.result.claims];
    next.value = answer.result.paging.next;
  }
  useEffect(() => {
    if (!canClaim) return;
    const end = begin();
    void load(null).finally(end);
    const timer = setInterval(() => void load(null), refreshMs);
    return () => {
      end();
      clearInterval(timer);
    };
  }, [canClaim, version, dataVersion.value]);

  async function claimPour(claim: Claimable) {
    const path = { id: claim.drink.id };
    const answer = await action.runAction(
      () => request('POST /drinks/{id}/claim', { path }),
      () =>
        showToast(
          t('claims.claimed', { glass: formatQuantity(volume(claim.drink.volume_ml, snapshot)) }),
          () => void releaseClaim(path),
        ),
    );
    if (answer?.ok === false) void load(null);
  }

  if (!canClaim || (claims.value.length === 0 && next.value === null)) return null;
  return (
    <details class="claims">
      <summary>
        {t('claims.title')} <span class="claim-count">{claims.value.length}</span>
      </summary>
      <ErrorMessage>{action.error}</ErrorMessage>
      <ul>
        {claims.value.map((claim) => (
          <ClaimRow
            key={claim.drink.id}
            claim={claim}
            snapshot={snapshot}
            isBusy={action.isBusy}
            onClaim={() => void claimPour(claim)}
          />
        ))}
      </ul>
      {next.value !== null && (
        <button type="button" class="link-button" onClick={() => void load(next.value)}>
          {t('claims.moreClaims')}
        </button>
      )}
    </details>
  );
}

/** Undoes a claim that was touched by mistake. */
async function releaseClaim(path: { readonly id: number }) {
  const answer = await request('DELETE /drinks/{id}/claim', { path });
  if (answer.ok) invalidate();
  showToast(answer.ok ? t('claims.released') : answer.sentence);
}

interface ClaimRowProps {
  readonly claim: Claimable;
  readonly snapshot: SnapshotMessage;
  /** True while a claim is being sent. */
  readonly isBusy: boolean;
  onClaim(): void;
}

function ClaimRow({ claim, snapshot, isBusy, onClaim }: ClaimRowProps) {
  const amount = formatQuantity(volume(claim.drink.volume_ml, snapshot));
  const beer = claim.beverage_name ?? t('claims.noKeg');
  const where = [claim.tap_name, formatBarTime(barTime(claim.drink.pour_time, snapshot))]
    .filter(Boolean)
    .join(' · ');
  return (
    <li class="claim">
      <span class="claim-what">
        <strong>{amount}</strong> {beer}
        <span class="claim-where">{where}</span>
      </span>
      <button
        type="button"
        class="button"
        aria-disabled={isBusy}
        aria-label={t('claims.claimLabel', { what: `${amount} ${beer}, ${where}` })}
        onClick={onClaim}
      >
        {t('claims.claim')}
      </button>
    </li>
  );
}
