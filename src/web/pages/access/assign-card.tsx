import { useSignal } from '@preact/signals';
import { request } from '../../api/client.ts';
import { ErrorMessage, useAction } from '../../components/action.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { FlagField } from '../../components/form/form-fields.tsx';
import { UserCombobox } from '../../components/form/user-combobox.tsx';
import { showToast } from '../../components/toast.tsx';
import { undo } from '../../components/undo.ts';
import { useResource } from '../../components/use-resource.ts';
import { t } from '../../locales/locale.ts';
import { deviceOf } from './card-names.ts';

/** A card to assign. */
interface Card {
  /** Empty for a value that came alone. */
  readonly auth_device: string;
  readonly token_value: string;
}

interface AssignCardProps {
  readonly card: Card;
  /** True for a card without an entry in the list of cards. */
  readonly isUnknown: boolean;
  onClose(): void;
}

/** What an assignment has changed. */
interface Assigned {
  readonly username: string;
  /** Id of the card. */
  readonly token: string;
  /** Number of earlier drinks that went with it. */
  readonly drinks: number;
  readonly correctionId: number | null;
}

/** Gives a card to a person and, if wanted, the earlier drinks without a person that were poured with it. */
export function AssignCard({ card, isUnknown, onClose }: AssignCardProps) {
  const { runAction, error, isBusy } = useAction();
  const username = useSignal<string | null>(null);
  const { auth_device: device, token_value: value } = card;
  const authToken = device === '' ? value : `${device}|${value}`;
  const { result } = useResource('GET /drinks', { query: { auth_token: authToken, limit: 1 } });
  const earlier = result?.paging.total ?? 0;

  async function assign(event: SubmitEvent) {
    event.preventDefault();
    const form = event.currentTarget;
    const user = username.value;
    if (!(form instanceof HTMLFormElement) || user === null) return;
    const withDrinks = earlier > 0 && new FormData(form).has('earlier');
    const toast = (assigned: Assigned) => {
      showToast(
        assigned.drinks === 0
          ? t('tokens.assigned', { who: assigned.username })
          : t('tokens.assignedWithDrinks', { who: assigned.username, count: assigned.drinks }),
        () => void undo(() => undoAssignment(assigned, isUnknown)),
      );
      onClose();
    };
    if (withDrinks) {
      await runAction(
        () =>
          request('POST /drinks/assign', {
            body: { auth_token: authToken, username: user, bind_token: true },
          }),
        ({ user: { username }, assigned, correction_id: correctionId, token }) =>
          toast({ username, drinks: assigned, correctionId, token: token?.id ?? authToken }),
      );
      return;
    }
    const send = () =>
      isUnknown
        ? request('POST /auth-tokens', {
            body: { auth_device: deviceOf(card), token_value: value, user },
          })
        : request('PATCH /auth-tokens/{token}', { path: { token: authToken }, body: { user } });
    await runAction(send, ({ token }) =>
      toast({ username: token.user_id ?? user, drinks: 0, correctionId: null, token: token.id }),
    );
  }

  return (
    <Dialog title={t('tokens.assignTitle', { card: value })} onClose={onClose}>
      <form class="form" onSubmit={assign}>
        <UserCombobox label={t('tokens.person')} onChange={(name) => (username.value = name)} />
        {earlier > 0 && (
          <FlagField name="earlier" label={t('tokens.withEarlier', { count: earlier })} value={true} />
        )}
        <ErrorMessage>{error}</ErrorMessage>
        <div class="form-buttons">
          <button type="submit" class="button" aria-disabled={isBusy || username.value === null}>
            {t('tokens.assign')}
          </button>
          <button type="button" class="chip" onClick={onClose}>
            {t('common.cancel')}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

/** Takes the drinks back first; an unknown card is unknown again then, another one without a person. */
async function undoAssignment({ token, correctionId }: Assigned, wasUnknown: boolean) {
  if (correctionId !== null) {
    const answer = await request('POST /corrections/{id}/undo', { path: { id: correctionId } });
    if (!answer.ok) return answer;
  }
  const path = { token };
  return wasUnknown
    ? request('DELETE /auth-tokens/{token}', { path })
    : request('PATCH /auth-tokens/{token}', { path, body: { user: null } });
}
