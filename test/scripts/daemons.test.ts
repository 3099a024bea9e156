import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { eventually } from '../helpers/engine';
import { ScriptBox, type Outcome } from '../helpers/script-box';

describe('a daemon that a script started', () => {
  let box: ScriptBox;
  let pids: number[];
  beforeEach(() => {
    box = new ScriptBox();
    pids = [];
  });
  afterEach(() => {
    for (const pid of pids.filter(alive)) process.kill(pid, 'SIGKILL');
    box.remove();
  });

  function sh(script: string): Promise<Outcome> {
    const prelude = 'set -euo pipefail; . scripts/lib/common.sh; . scripts/lib/daemons.sh; ';
    return box.run(['/usr/bin/bash', '-c', prelude + script]);
  }

  function alive(pid: number): boolean {
    return existsSync(`/proc/${pid}`) && !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  }

  async function start(script: string): Promise<number> {
    await sh(`start_daemon it bash -c '${script}'`);
    const pid = Number(readFileSync(box.path('state/it.pid'), 'utf8').split(' ')[0]);
    pids.push(pid);
    return pid;
  }

  it('outlives the script and is ended by the pid on record', async () => {
    const pid = await start('while :; do sleep 0.05; done');
    expect(alive(pid)).toBe(true);
    expect(await sh('daemon_pid it')).toMatchObject({ code: 0, stdout: `${pid}\n` });
    expect(await sh('stop_daemon it 5')).toMatchObject({ code: 0 });
    expect(alive(pid)).toBe(false);
    expect(await sh('daemon_pid it')).toMatchObject({ code: 1 });
  });

  it('is killed when it does not listen', async () => {
    const pid = await start('trap "" TERM; touch deaf; while :; do sleep 0.05; done');
    await eventually('it is deaf', () => existsSync(box.path('deaf')));
    expect(await sh('stop_daemon it 1')).toMatchObject({ code: 0 });
    expect(alive(pid)).toBe(false);
  });

  it('is not taken for another process that has its pid now', async () => {
    const pid = await start('while :; do sleep 0.05; done');
    writeFileSync(box.path('state/it.pid'), `${pid} 1\n`);
    expect(await sh('stop_daemon it 1')).toMatchObject({ code: 0, stdout: '' });
    expect(alive(pid)).toBe(true);
  });

  const NOTED = 'root=$PWD; . scripts/lib/quickstart.sh; ';

  it('is remembered when it is up only since then, and ended by that', async () => {
    await sh(`${NOTED} note_engine it start_daemon it sleep 60`);
    const pid = Number(readFileSync(box.path('state/it.pid'), 'utf8').split(' ')[0]);
    pids.push(pid);
    expect(await sh(`${NOTED} stop_noted_engine it 5`)).toMatchObject({ code: 0 });
    expect(alive(pid)).toBe(false);
  });

  it('is left alone when it was up before, or is another one by now', async () => {
    const before = await start('while :; do sleep 0.05; done');
    await sh(`${NOTED} note_engine it true; stop_noted_engine it 5`);
    expect(alive(before)).toBe(true);
    await sh('stop_daemon it 5');
    await sh(`${NOTED} note_engine it start_daemon it true`);
    const other = await start('while :; do sleep 0.05; done');
    expect(await sh(`${NOTED} stop_noted_engine it 5`)).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(alive(other)).toBe(true);
  });

  it('that was never started is ended without a word', async () => {
    expect(await sh('stop_daemon it 1')).toEqual({ code: 0, stdout: '', stderr: '' });
  });
});
