import { expect, test } from 'vitest';
import { BoardTokens, tokenText } from '../../../../src/extensions/serial-boards/devices/board-tokens.ts';
import { boardMessages } from '../kit/serial-board.ts';
import { createBoardRig } from './board-rig.ts';
import { frameOf } from './frames.ts';

const button = { device: 'core.onewire', value: 'f100000012345601' };
const card = { device: 'core.rfid', value: '0415aabbcc' };

test('an iButton is presented when attached and removed when detached', () => {
  const one = createBoardRig();
  one.send(boardMessages.hello({ uptimeMs: 60_000 }), frameOf('buttonIn'));
  expect(one.stepsOf('presented')).toEqual([{ kind: 'presented', ...button, isCaptive: true }]);
  one.send(frameOf('buttonOut'));
  expect(one.stepsOf('removed')).toEqual([{ kind: 'removed', ...button }]);
});

test('the message of versions 4 and 5 gives the same iButton', () => {
  const one = createBoardRig();
  one.send(boardMessages.hello({ firmware: 5 }), frameOf('presence'));
  expect(one.stepsOf('presented')).toEqual([{ kind: 'presented', ...button, isCaptive: true }]);
});

test('a card’s removal is ignored, and the card is removed after 20 s without flow', () => {
  const one = createBoardRig();
  one.send(boardMessages.hello({ uptimeMs: 60_000 }), frameOf('cardIn'));
  one.send(boardMessages.token('core.rfid', [0xcc, 0xbb, 0xaa, 0x15, 0x04], false));
  expect(one.stepsOf('presented')).toEqual([{ kind: 'presented', ...card, isCaptive: false }]);
  one.pass(19_000);
  expect(one.stepsOf('removed')).toEqual([]);
  one.pass(2_000);
  expect(one.stepsOf('removed')).toEqual([{ kind: 'removed', ...card }]);
});

test('flow restarts the idle time of tokens', () => {
  const tokens = new BoardTokens();
  tokens.attached('core.rfid', 'aa', 0);
  tokens.noteFlow(19_000);
  expect(tokens.step(38_000)).toEqual([]);
  expect(tokens.step(39_001)).toHaveLength(1);
  expect(tokens.step(90_000)).toEqual([]);
});

test.each([
  ['core.onewire', 120_000],
  ['core.rfid', 20_000],
  ['magstripe', 10_000],
  ['toString', 10_000],
])('a token at %s is removed after %i ms', (device, idleMs) => {
  const tokens = new BoardTokens();
  tokens.attached(device, 'aa', 0);
  expect(tokens.step(idleMs)).toEqual([]);
  expect(tokens.step(idleMs + 1)).toHaveLength(1);
});

test('another token at the same reader replaces the first; a repeated one is presented again', () => {
  const tokens = new BoardTokens();
  tokens.attached('core.onewire', 'aa', 0);
  expect(tokens.attached('core.onewire', 'aa', 100)).toEqual([]);
  expect(tokens.attached('core.onewire', 'aa', 1_000).map(({ kind }) => kind)).toEqual(['presented']);
  expect(tokens.attached('core.onewire', 'bb', 1_001)).toMatchObject([
    { kind: 'removed', value: 'aa' },
    { kind: 'presented', value: 'bb' },
  ]);
  expect(tokens.detached('core.onewire', 'aa')).toEqual([]);
  expect(tokens.detached('core.onewire', 'bb')).toHaveLength(1);
});

test('a second card at a reader without capture does not remove the first, which keeps its own idle time', () => {
  const tokens = new BoardTokens();
  tokens.attached('core.rfid', 'known', 0);
  expect(tokens.attached('core.rfid', 'unknown', 15_000)).toMatchObject([
    { kind: 'presented', value: 'unknown' },
  ]);
  expect(tokens.step(20_001)).toEqual([{ kind: 'removed', device: 'core.rfid', value: 'known' }]);
  expect(tokens.step(35_001)).toEqual([{ kind: 'removed', device: 'core.rfid', value: 'unknown' }]);
});

test('any number of swiped cards removes no card before its idle time is over, nor a token in a holder', () => {
  const tokens = new BoardTokens();
  tokens.attached('core.onewire', 'button', 0);
  const steps = Array.from({ length: 100 }, (_, n) => tokens.attached('core.rfid', `card-${n}`, n)).flat();
  expect(steps.map(({ kind }) => kind)).toEqual(Array(100).fill('presented'));
  expect(tokens.step(19_000)).toEqual([]);
  expect(tokens.removeAll()).toHaveLength(16);
});

test('a restart or unplugging of the board removes its tokens', () => {
  const one = createBoardRig();
  one.send(
    boardMessages.hello({ uptimeMs: 60_000 }),
    frameOf('buttonIn'),
    boardMessages.hello({ uptimeMs: 0 }),
  );
  expect(one.stepsOf('removed')).toHaveLength(1);
  one.send(frameOf('buttonIn'));
  one.reopen();
  expect(one.stepsOf('removed')).toHaveLength(2);
});

test('only version 9 sends a card in printed order', () => {
  const bytes = Uint8Array.of(0x04, 0x15, 0xaa);
  expect(tokenText(bytes, { device: 'core.rfid', firmware: 9 })).toBe('0415aa');
  expect(tokenText(bytes, { device: 'core.rfid', firmware: 10 })).toBe('aa1504');
  expect(tokenText(bytes, { device: 'core.onewire', firmware: 9 })).toBe('aa1504');
});
