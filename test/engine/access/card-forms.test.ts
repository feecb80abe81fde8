import { expect, test } from 'vitest';
import { systemActor } from '../../../src/engine/engine.ts';
import { at, minute, openBar } from '../bar.ts';

/** 4 657 891 = 0x4712e3 */
const printed = '0004657891';
const bytes = '004712e3';

/** A bar where Anna has one card, created from this value. */
function openCardBar(value: string, authDevice = 'core.rfid') {
  const bar = openBar();
  const { engine } = bar;
  for (const username of ['anna', 'bert']) engine.users.addUser({ username }, at(0));
  const create = (token: string, username = 'bert') =>
    engine.access.tokens.create({ device: authDevice, value: token, username }, at(0));
  const card = create(value, 'anna');
  const present = (token: string, raw?: string) => {
    const presentment = { controller: 'pi', authDevice, token, ...(raw !== undefined && { raw }) };
    const answer = engine.access.grants.present(presentment, at(minute));
    return answer.kind === 'granted' ? answer.grant.username : answer.reason;
  };
  return { ...bar, card, create, present };
}

test.each(['04a32b1c', '04A32B1C', '04:A3:2B:1C', '04 A3 2B 1C', 'UID: 04 A3 2B 1C', '0x04A32B1C'])(
  'a card entered as %s opens for its bytes',
  (value) => {
    const { present, card } = openCardBar(value);
    expect(card.tokenValue).toBe('04a32b1c');
    expect(present('04a32b1c')).toBe('anna');
    expect(present('UID: 04:A3:2B:1C')).toBe('anna');
  },
);

test.each([printed, bytes, `${printed},071,04835`])(
  'a card entered as %s opens at readers that send it decimal and hexadecimal',
  (value) => {
    const { present, create, engine } = openCardBar(value);
    expect(present(bytes)).toBe('anna');
    expect(present(`${printed},071,04835`)).toBe('anna');
    // Spreadsheets drop the zero in front.
    for (const same of [printed, bytes, printed.replace(/^0/, '')])
      expect(() => create(same)).toThrow(/exists already/);
    expect(engine.access.tokens.list({ start: 0, limit: 10 }).items).toHaveLength(1);
  },
);

test('a number of ten digits that a board presented is five bytes, and no printed number', () => {
  const { present, create, engine } = openCardBar('feedc0ff');
  expect(present(printed)).toBe('Unknown token');
  expect(create(printed).otherValues).toEqual([]);
  expect(present(bytes)).toBe('Unknown token');
  expect(present(printed)).toBe('bert');
  expect(engine.access.tokens.similar('core.rfid', bytes).map(({ username }) => username)).toEqual(['bert']);
});

test('a grant and its drinks are of the card, whatever form was presented', () => {
  const { present, store, engine, card } = openCardBar(printed);
  present(bytes);
  expect(store.access.grants.byValue(printed, 5)).toMatchObject([{ tokenValue: printed, username: 'anna' }]);
  expect(engine.drinks.tokenHistory.of(engine.users.token('core.rfid', bytes)!)).toMatchObject({
    seen: { tokenValue: bytes },
    grants: [{ tokenValue: printed }],
  });
  expect(store.access.tokens.byId(card.id)?.lastSeen?.device).toBe('pi');
});

test('reversed bytes are a look-alike, and the same card only when staff say so', () => {
  const { present, engine, card, create } = openCardBar('04a32b1c');
  expect(present('1c2ba304')).toBe('Unknown token');
  expect(engine.access.tokens.similar('core.rfid', '1c2ba304').map(({ id }) => id)).toEqual([card.id]);
  const context = { actor: systemActor, now: at(minute) };
  engine.access.tokens.change(card.id, { otherValues: ['1C:2B:A3:04'] }, context);
  expect(present('1c2ba304')).toBe('anna');
  expect(engine.access.unknownTokens.list()).toEqual([]);
  expect(() => create('1c2ba304')).toThrow(/exists already/);
  engine.access.tokens.change(card.id, { enabled: false }, context);
  expect(present('1c2ba304')).toBe('Token is disabled');
  engine.access.tokens.change(card.id, { enabled: true, otherValues: [] }, context);
  expect(present('1c2ba304')).toBe('Unknown token');
});

test('a card without and with its customer byte are look-alikes, not one card', () => {
  const { present, engine, card } = openCardBar(`01${bytes}`);
  expect(present(bytes)).toBe('Unknown token');
  expect(engine.access.tokens.similar('core.rfid', bytes).map(({ id }) => id)).toEqual([card.id]);
});

test('a value is of one card: as another value of a second one it is refused', () => {
  const { engine, card, create } = openCardBar('04a32b1c');
  const other = create('beefbeef');
  const context = { actor: systemActor, now: at(minute) };
  expect(() => engine.access.tokens.change(other.id, { otherValues: ['04a32b1c'] }, context)).toThrow(
    /exists already/,
  );
  expect(() =>
    engine.access.tokens.change(
      card.id,
      {
        otherValues: Array(9)
          .fill(0)
          .map((_, i) => `abcd000${i}`),
      },
      context,
    ),
  ).toThrow(/at most 8/);
  expect(() => engine.access.tokens.change(card.id, { otherValues: ['00000000'] }, context)).toThrow(
    /number of a card/,
  );
});

test('a deleted card comes back with its other values', () => {
  const { engine, card, present } = openCardBar(printed);
  const context = { actor: systemActor, now: at(minute) };
  const id = engine.access.tokens.remove(card.id, context)!;
  expect(present(bytes)).toBe('Unknown token');
  engine.corrections.undo(id, { actor: systemActor }, at(minute));
  expect(present(bytes)).toBe('anna');
});

test.each(['0000000000', '00000000', 'ffffffffff', '00:00:00:00'])('%s is no card', (value) => {
  const { create, present, engine } = openCardBar('04a32b1c');
  expect(() => create(value)).toThrow(/number of a card/);
  expect(present(value)).toBe('The card could not be read');
  expect(engine.access.unknownTokens.list()).toEqual([]);
});

test('what the reader sent is kept with an unknown card', () => {
  const { present, engine } = openCardBar('04a32b1c');
  present(bytes, `${printed},071,04835`);
  expect(engine.access.unknownTokens.list()).toMatchObject([
    { tokenValue: bytes, raw: `${printed},071,04835` },
  ]);
});

test('tokens of other devices are compared as they are', () => {
  const { card } = openCardBar('04:A3:2B:1C', 'bar.nfc');
  expect(card).toMatchObject({ tokenValue: '04:A3:2B:1C', otherValues: [] });
});

test.each(['0x0', 'UID: 0', '00.00.00.00', '04 A3:2B-1C', '4294967295'])(
  '%s is refused, and its field named',
  (value) => {
    const { create, engine, card, present } = openCardBar('beefbeef');
    const context = { actor: systemActor, now: at(minute) };
    const refusal = (work: () => unknown) => {
      try {
        work();
      } catch (fault) {
        return fault;
      }
      return null;
    };
    const named = (field: string) => ({ fields: { [field]: expect.stringContaining('number of a card') } });
    expect(refusal(() => create(value))).toMatchObject(named('token_value'));
    expect(refusal(() => engine.access.tokens.change(card.id, { value }, context))).toMatchObject(
      named('token_value'),
    );
    expect(
      refusal(() => engine.access.tokens.change(card.id, { otherValues: [value] }, context)),
    ).toMatchObject(named('other_values'));
    expect(present(value)).toBe('The card could not be read');
    expect(engine.access.unknownTokens.list()).toEqual([]);
  },
);

test.each(['CORE.RFID', 'Core.Rfid'])('the device %s is core.rfid', (device) => {
  const { card, engine, present } = openCardBar('4:A3:2B:1C', device);
  expect(card).toMatchObject({ authDevice: 'core.rfid', tokenValue: '04a32b1c' });
  expect(present('04 a3 2b 1c')).toBe('anna');
  expect(engine.users.tokenByText(`${device}.04A32B1C`)?.id).toBe(card.id);
});

test('an unknown card that a board spells is listed by its one form, with what was sent', () => {
  const { present, engine } = openCardBar('beefbeef');
  for (const spelled of ['4:A3:2B:1C', '0x04a32b1c']) present(spelled);
  expect(engine.access.unknownTokens.list()).toMatchObject([
    { authDevice: 'core.rfid', tokenValue: '04a32b1c', raw: '0x04a32b1c', times: 2 },
  ]);
});

test('a pour without a device names a card by its one form, and no card by zeros', () => {
  const { engine } = openCardBar('beefbeef');
  const tap = engine.taps.create({ name: 'Left' }, { actor: systemActor, now: at(0) });
  for (const authToken of ['04:A3:2B:1C', '04A32B1C', '00:00:00:00', '0'])
    engine.drinks.pours.report(
      { tap: tap.id, ticks: 100, volumeMl: 100, authToken, source: 'post' },
      at(minute),
    );
  expect(engine.access.unknownTokens.list()).toMatchObject([
    { authDevice: '', tokenValue: '04a32b1c', times: 2 },
  ]);
});
