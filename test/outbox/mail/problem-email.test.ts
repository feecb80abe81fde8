import { expect, test } from 'vitest';
import { baseAlarms } from '../../../src/core/alarms/alarm-kinds.ts';
import { createProblem, textProblem } from '../../../src/core/health/problems.ts';
import { formatAlarm } from '../../../src/outbox/alarms/alarm-texts.ts';
import { daemonTexts } from '../../../src/system/catalogues.ts';
import { createTestServer } from '../../http/test-server.ts';

const render = (language: string) => {
  const problems = [
    createProblem('flow_while_shut', { tap: 'Left', relay: 'pi.relay0' }),
    { code: 'disk_full', params: {}, message: 'The disk is full.' } as const,
    textProblem('EIO: i/o error'),
  ];
  // As the outbox stores it.
  const values = JSON.parse(JSON.stringify({ part: 'valves', problems })) as object;
  const site = createTestServer().engine.users.site();
  const kind = 'system_problem';
  const declaration = baseAlarms[kind];
  return formatAlarm({ kind, declaration, values: { ...values } }, site, daemonTexts(language));
};

test('the mail about a problem is written in the language of its reader, but for texts of the system', () => {
  const [consequence, details] = render('de').paragraphs;
  expect(consequence).toBe(daemonTexts('de').findText('daemon.problems', 'valves'));
  expect(details).toMatch(
    /^Am Zapfhahn „Left“ fließt Bier, obwohl sein Ventil geschlossen ist: .* pi\.relay0\. /,
  );
  expect(details).toContain(daemonTexts('de').findText('daemon.refusals', 'disk_full'));
  expect(details).toMatch(/ EIO: i\/o error$/);
  expect(render('en').paragraphs[1]).toMatch(/^Beer flows at tap “Left” although its valve is shut: /);
});
