import { rmSync } from 'node:fs';
import { RESTARTED_AT } from '../../crds/meta';
import { document, sandboxManifest, shown, type Machine } from '../helpers/e2e-machine';
import { eventually } from '../helpers/engine';
import { tellOn, type Stage } from '../helpers/e2e-suite';

const KILLS = 10;

/** From what a kill may hit right after it was asked for, to what is settled by then. */
const LONGEST_WAIT_MS = 900;

/** Repeatable: the same moments each time, spread by a linear congruence (Numerical Recipes, 7.1). */
function* moments(seed: number): Generator<number, never> {
  let state = seed;
  for (;;) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    yield (state / 2 ** 32) * LONGEST_WAIT_MS;
  }
}

/** What a person has asked for when the controller dies; each turn asks for the next. */
const STORIES = ['create', 'restart', 'delete'] as const;

function ask(machine: Machine, story: (typeof STORIES)[number]): Promise<unknown> {
  if (story === 'restart') return machine.ctl('restart', 'sandbox', 'crashing');
  if (story === 'create') {
    const session = document('Session', 'crashing', 'spec: {project: crashing, agent: shell, sandbox: crashing}');
    machine.manifest('crashing', `${sandboxManifest(machine, 'crashing')}---\n${session}`);
    return Promise.resolve();
  }
  rmSync(machine.manifestPath('crashing'), { force: true });
  return Promise.all(
    ['session', 'sandbox', 'project'].map((kind) => machine.ctl('delete', kind, 'crashing', '--yes', '--no-wait')),
  );
}

function describeCrashes({ machine }: Stage): void {
  it('is killed at any moment, and the next one ends with what is declared, once', async () => {
    const waits = moments(20);
    for (let turn = 0; turn < KILLS; turn += 1) {
      const story = STORIES[turn % STORIES.length] ?? 'create';
      const pid = machine.pid;
      const asked = ask(machine, story);
      await new Promise((resolve) => setTimeout(resolve, waits.next().value));
      await machine.kill(pid);
      await asked;
      await machine.start();
      await converged(machine, story);
    }
  });
}

async function converged(machine: Machine, story: (typeof STORIES)[number]): Promise<void> {
  if (story === 'delete') {
    // The kill may have come before the words were heard: then they are said again, as a person would.
    if (await machine.get('sandbox', 'crashing')) await ask(machine, 'delete');
    await machine.until('sandbox', 'crashing', (seen) => seen === undefined);
    await machine.until('session', 'crashing', (seen) => seen === undefined);
    expect(await machine.containers()).toEqual([]);
    return;
  }
  // A status may be from before the kill: only the engine and the status together tell that all is done.
  let seen: unknown;
  const holds = async (): Promise<boolean> => {
    const now = await look(machine);
    seen = now;
    return now.containers === 1 && now.theSame && now.restarted && now.upToDate && now.shells === 1;
  };
  await eventually('it', holds, 45_000).catch(() => {
    throw new Error(`after ${story}, it stays at ${JSON.stringify(seen)}`);
  });
}

/** What is asked for and what is there, all of it. */
async function look(machine: Machine) {
  const containers = await machine.containers();
  const sandbox = await machine.get('sandbox', 'crashing');
  const asked = sandbox?.metadata.annotations?.[RESTARTED_AT];
  return {
    containers: containers.length,
    theSame: containers[0] === sandbox?.status?.containerId,
    restarted: asked === undefined || Date.parse(String(sandbox?.status?.startedAt)) >= Date.parse(asked),
    upToDate: shown(sandbox, 'UpToDate') === 'UpToDate=True:UpToDate' && shown(sandbox, 'Ready') === 'Ready=True:Ready',
    shells: await shells(machine, containers[0] ?? ''),
  };
}

async function shells(machine: Machine, container: string): Promise<number> {
  const { stdout } = await machine.engine.exec(container, 'ps -eo args=');
  return stdout.split('\n').filter((line) => line.endsWith('/bash -l')).length;
}

tellOn('docker', describeCrashes);
