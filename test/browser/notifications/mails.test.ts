import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { joinAlarmKinds } from '../../../src/core/alarms/alarm-kinds.ts';
import { textProblem } from '../../../src/core/health/problems.ts';
import type { Messages } from '../../../src/core/locales/messages.ts';
import { createTranslator } from '../../../src/core/locales/translator.ts';
import type { EmailTemplateName, EmailTemplates } from '../../../src/engine/engine.ts';
import { extensions } from '../../../src/extensions/all.ts';
import { formatAlarm } from '../../../src/outbox/alarms/alarm-texts.ts';
import { type Email, formatEmailHtml, type MailContext } from '../../../src/outbox/mail/email.ts';
import { renderEmailTemplate } from '../../../src/outbox/mail/email-templates.ts';
import { createTestServer } from '../../http/test-server.ts';
import { openBrowser } from '../../kit/browser.ts';
import { extensionCases } from '../../kit/extension-cases.ts';
import { makePseudoCatalogue } from '../kit/pseudo-locale.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());

const word = 'Donaudampfschifffahrtsgesellschaftskapitän';
const link = `http://bar.example/activate/${'a1b2'.repeat(20)}`;
const username = `${word}${word}`;

const amounts = {
  drinks: 24,
  pouredMl: 12_300,
  spills: 1,
  spilledMl: 400,
  held: 2,
  heldMl: 900,
  revenueMinor: 11_520,
  unpriced: 2,
  unpricedMl: 1_000,
};

const longValues = {
  text: username,
  number: 1_440,
  temperature: 12.5,
  temperatureRise: 2.5,
  volume: 4_300,
  timeOfDay: 1_777_000_000_000,
  healthPart: 'valves',
  problems: [textProblem(`${word} <script>document.title = 'bad'</script> & ${link}`)],
};
const alarmKinds = joinAlarmKinds(extensions);

function renderAlarm(kind: string, { site, texts }: MailContext): Email {
  const declaration = alarmKinds.find(kind)!;
  const types = Object.entries(declaration.values);
  const values = Object.fromEntries(types.map(([name, type]) => [name, longValues[type]]));
  const { title, paragraphs } = formatAlarm({ kind, declaration, values }, site, texts);
  return { language: texts.language, subject: title, paragraphs };
}

/** Each template with long values. */
const mails: EmailTemplates = {
  activation: { username, link },
  welcome: { username },
  invitation: { invitedBy: username, link },
  password_reset: { username, link },
  confirm_email: { username, link },
  report: {
    ...amounts,
    date: '2026-05-02',
    currency: 'EUR',
    taps: [{ ...amounts, name: username }],
    kegs: [{ ...amounts, kegId: 7, beverage: username }],
  },
  test: { username },
};

/** Those of extensions. */
const ownMails: Readonly<Record<string, object>> = Object.assign(
  {},
  ...extensionCases.map((one) => one.mails),
);

async function render(name: string, context: MailContext): Promise<Email> {
  if (isTemplate(name)) return renderEmailTemplate(name, mails[name], context)!;
  const own = extensions.flatMap((one) => one.mails ?? []).find(({ template }) => template === name);
  if (own === undefined) return renderAlarm(name, context);
  return { ...(await own.load())(ownMails[name], context), language: 'en' };
}

const isTemplate = (name: string): name is EmailTemplateName => Object.hasOwn(mails, name);

test.each([...Object.keys(mails), ...Object.keys(ownMails), ...alarmKinds.names])(
  'the mail “%s” fits a phone with texts that are 40 %% longer, and its values stay text',
  async (name) => {
    const site = { ...createTestServer().engine.users.site(), title: word };
    const texts = createTranslator<Messages>('en', makePseudoCatalogue());
    const email = await render(name, { site, texts });
    const page = await browser.newPage({ viewport: { width: 390, height: 800 } });
    await page.setContent(formatEmailHtml({ ...email, footer: `${email.footer ?? ''} ${link}` }));
    const { scrollWidth, clientWidth } = await page.evaluate(() => {
      const { scrollWidth, clientWidth } = document.documentElement;
      return { scrollWidth, clientWidth };
    });
    expect(scrollWidth).toBeLessThanOrEqual(clientWidth);
    expect(await page.locator('script').count()).toBe(0);
    expect(await page.locator('p').first().innerText()).not.toBe('');
    await page.close();
  },
);
