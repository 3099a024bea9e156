import { Tasks } from '../../controller/tasks';
import { FakeClock } from '../helpers/fake-clock';

const NOBODY = { name: 'nobody', wake: () => undefined };

async function turn(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
}

describe('Tasks', () => {
  it('run once an id, are never waited for, and wake with progress and at the end', async () => {
    const tasks = new Tasks(new FakeClock());
    let woken = 0;
    let runs = 0;
    let end = (): void => undefined;
    let tell: (value: number) => void = () => undefined;
    const ensure = () =>
      tasks.ensure<number>(
        'pull',
        ({ progress }) => {
          runs += 1;
          tell = progress;
          return new Promise<void>((resolve) => (end = resolve));
        },
        { name: 'main', wake: () => void (woken += 1) },
      );
    expect([ensure(), ensure()]).toEqual([
      { state: 'running', progress: undefined },
      { state: 'running', progress: undefined },
    ]);
    tell(5);
    expect([tasks.peek('pull'), woken]).toEqual([{ state: 'running', progress: 5 }, 1]);
    end();
    await turn();
    expect([ensure(), runs, woken]).toEqual([{ state: 'done' }, 1, 2]);
  });

  it('keep why they failed until they are cleared, then start afresh', async () => {
    const tasks = new Tasks(new FakeClock());
    const error = new Error('no network');
    const run = () => Promise.reject(error);
    tasks.ensure('pull', run, NOBODY);
    await turn();
    expect(tasks.ensure('pull', run, NOBODY)).toEqual({ state: 'failed', error });
    tasks.clear('pull');
    expect(tasks.peek('pull')).toEqual({ state: 'absent' });
    expect(tasks.ensure('pull', () => Promise.resolve(), NOBODY).state).toBe('running');
  });

  it('are told to end when they are cleared, and so are all at the close', () => {
    const tasks = new Tasks(new FakeClock());
    const signals: AbortSignal[] = [];
    for (const id of ['a', 'b', 'c'])
      tasks.ensure(id, ({ signal }) => (signals.push(signal), new Promise(() => undefined)), NOBODY);
    tasks.clear('a');
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, false, false]);
    tasks.close();
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, true, true]);
  });

  it('that were cleared wake nobody any more', async () => {
    const tasks = new Tasks(new FakeClock());
    let woken = 0;
    let end = (): void => undefined;
    tasks.ensure('pull', () => new Promise<void>((resolve) => (end = resolve)), {
      name: 'main',
      wake: () => void (woken += 1),
    });
    tasks.clear('pull');
    end();
    await turn();
    expect([woken, tasks.peek('pull')]).toEqual([0, { state: 'absent' }]);
  });
});
