import { expect, test } from 'vitest';
import { createTaskQueue } from '../../src/core/task-queue.ts';

/** A task that runs until `end` or `fail` is called. */
function manualTask() {
  let end: (result: string) => void = () => {};
  let fail: (fault: Error) => void = () => {};
  const promise = new Promise<string>((resolve, reject) => {
    [end, fail] = [resolve, reject];
  });
  let runs = 0;
  return {
    task: () => {
      runs++;
      return promise;
    },
    runs: () => runs,
    end,
    fail,
  };
}

/** Runs every promise reaction that is due. */
const settle = () => new Promise<void>((done) => setImmediate(done));

test('a task starts when the one before it has ended', async () => {
  const queue = createTaskQueue();
  const [first, second] = [manualTask(), manualTask()];
  const results = [queue.run(first.task), queue.run(second.task)];
  await settle();
  expect([first.runs(), second.runs()]).toEqual([1, 0]);
  first.end('a');
  await settle();
  expect(second.runs()).toBe(1);
  second.end('b');
  expect(await Promise.all(results)).toEqual(['a', 'b']);
});

test('a failed task does not stop the next one', async () => {
  const queue = createTaskQueue();
  const first = manualTask();
  const failed = queue.run(first.task);
  const next = queue.run(async () => 'b');
  first.fail(new Error('no disk'));
  await expect(failed).rejects.toThrow('no disk');
  expect(await next).toBe('b');
});

test('a task whose signal aborts while it waits is rejected at once and never runs', async () => {
  const queue = createTaskQueue();
  const [first, second] = [manualTask(), manualTask()];
  const running = queue.run(first.task);
  const given = new AbortController();
  const waiting = queue.run(second.task, given.signal);
  given.abort(new Error('waited too long'));
  await expect(waiting).rejects.toThrow('waited too long');
  first.end('a');
  await running;
  await settle();
  expect(second.runs()).toBe(0);
  expect(await queue.run(async () => 'c')).toBe('c');
});

test('a signal that aborts while its task runs does not reject it', async () => {
  const queue = createTaskQueue();
  const first = manualTask();
  const given = new AbortController();
  const running = queue.run(first.task, given.signal);
  await settle();
  given.abort();
  first.end('a');
  expect(await running).toBe('a');
});
