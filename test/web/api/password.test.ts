import { beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { loadAllTexts } from '../../../src/web/locales/locale.ts';

beforeAll(() => loadAllTexts());

const baseUrl = 'http://pi.local/';
vi.stubGlobal('document', { baseURI: baseUrl, documentElement: {} });
vi.stubGlobal('location', new URL(baseUrl));
const { request } = await import('../../../src/web/api/client.ts');
const { passwordPrompt } = await import('../../../src/web/app/prompt.ts');

const needed = { message: 'Enter your password again.', fields: { current_password: 'is needed' } };

/** Responses to the requests, in order. */
let replies: Response[] = [];
let sent = 0;
beforeEach(() => {
  replies = [Response.json({ error: needed }, { status: 403 }), Response.json({ result: { mail: {} } })];
  sent = 0;
  vi.stubGlobal('fetch', async () => replies[sent++]);
});

const save = () => request('PATCH /admin/mail', { body: { host: 'mail.example.org' } });

test('asks for the password and sends the request again when it was accepted', async () => {
  const saved = save();
  await vi.waitUntil(() => passwordPrompt.isOpen.value);
  passwordPrompt.close(true);
  expect(await saved).toMatchObject({ ok: true });
  expect(sent).toBe(2);
  expect(passwordPrompt.isOpen.value).toBe(false);
});

test('returns the error when the dialog is cancelled', async () => {
  const saved = save();
  await vi.waitUntil(() => passwordPrompt.isOpen.value);
  passwordPrompt.close(false);
  expect(await saved).toMatchObject({ ok: false, status: 403, sentence: 'Enter your password again.' });
  expect(sent).toBe(1);
});

test('a wrong password in the dialog and other refusals do not open it', async () => {
  const wrong = { message: 'Wrong.', fields: { current_password: 'is wrong' } };
  replies = [
    Response.json({ error: wrong }, { status: 400 }),
    Response.json({ error: { message: 'Only a superuser may do this.' } }, { status: 403 }),
  ];
  const body = { current_password: 'not it' };
  expect(await request('POST /auth/confirm-password', { body })).toMatchObject({ ok: false, status: 400 });
  expect(await save()).toMatchObject({ ok: false, status: 403 });
  expect(passwordPrompt.isOpen.value).toBe(false);
});
