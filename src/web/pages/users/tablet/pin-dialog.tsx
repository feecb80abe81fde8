import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { type Result, request } from '../../../api/client.ts';
import type { DisplayText } from '../../../app/error-text.ts';
import { cancelPin, startPinUnlock } from '../../../app/pin-unlock.ts';
import { toHref } from '../../../app/routing.ts';
import { Dialog } from '../../../components/dialog.tsx';
import { t } from '../../../locales/locale.ts';
import { PinPad } from './pin-pad.tsx';

type StaffMember = Result<'GET /tablet/staff'>['staff'][number];

/** Dialog for a PIN unlock: choice of the name, then the PIN. */
export function PinDialog() {
  const staff = useSignal<readonly StaffMember[] | null>(null);
  const chosen = useSignal<StaffMember | null>(null);
  const refusal = useSignal<DisplayText | null>(null);
  useEffect(() => {
    void request('GET /tablet/staff').then((answer) => {
      refusal.value = answer.ok ? null : answer.sentence;
      if (!answer.ok) return;
      staff.value = answer.result.staff;
      if (answer.result.staff.length === 1) chosen.value = answer.result.staff[0] ?? null;
    });
  }, []);

  async function send(person: StaffMember, pin: string) {
    const answer = await request('POST /tablet/pin-unlock', { body: { username: person.username, pin } });
    refusal.value = answer.ok ? null : answer.sentence;
    if (!answer.ok) return;
    const {
      pin_unlock: token,
      display_name: displayName,
      seconds,
      wrong_before: wrongBefore,
    } = answer.result;
    startPinUnlock({ token, displayName, wrongBefore }, seconds);
  }

  const person = chosen.value;
  return (
    <Dialog
      title={person === null ? t('tablets.who') : t('tablets.pinOf', { name: person.display_name })}
      onClose={cancelPin}
    >
      {person === null && staff.value !== null && (
        <StaffList
          staff={staff.value}
          onChoose={(one) => {
            chosen.value = one;
          }}
        />
      )}
      {person !== null && (
        <PinPad
          key={person.username}
          name={person.display_name}
          refusal={refusal.value}
          onSend={(pin) => send(person, pin)}
        />
      )}
      {person === null && refusal.value !== null && (
        <p class="refusal" role="alert">
          {refusal.value}
        </p>
      )}
      {person !== null && (staff.value?.length ?? 0) > 1 && (
        <button
          type="button"
          class="chip"
          onClick={() => {
            chosen.value = null;
            refusal.value = null;
          }}
        >
          {t('tablets.somebodyElse')}
        </button>
      )}
    </Dialog>
  );
}

interface StaffListProps {
  readonly staff: readonly StaffMember[];
  onChoose(person: StaffMember): void;
}

function StaffList({ staff, onChoose }: StaffListProps) {
  if (staff.length === 0) return <p>{t('tablets.nobodyHasPin')}</p>;
  return (
    <>
      <p class="form-why">{t('tablets.whoMore')}</p>
      <ul class="staff-list">
        {staff.map((person) => (
          <li key={person.username}>
            <button type="button" class="staff-member" onClick={() => onChoose(person)}>
              <Avatar person={person} />
              <span class="staff-member-name">{person.display_name}</span>
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}

/** Picture of a staff member, or the first letter of the name. */
function Avatar({ person }: { readonly person: StaffMember }) {
  if (person.mugshot_url !== '') {
    return <img class="avatar" src={toHref(person.mugshot_url)} alt="" width="64" height="64" />;
  }
  return (
    <span class="avatar" aria-hidden="true">
      {[...person.display_name][0]?.toLocaleUpperCase()}
    </span>
  );
}
