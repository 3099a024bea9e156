import { API_VERSION } from '../../../crds/meta';
import { sessionPass } from '../../../reconcilers/session/machine';
import type { OwnState, ProcessState, SessionDesired, SessionObserved } from '../../../reconcilers/session/types';
import { decide, errorExits, reachable, statesOf } from '../machines';

const engine = { kind: 'Fake', endpoint: 'fake:' };
const target = { containerId: 'c1', engine, workdir: '/src/web', outOfDate: false, ready: true };
const RUN = '0-abc';

function own(state: OwnState, wanted = true): SessionDesired['own'] {
  const owner = { apiVersion: API_VERSION, kind: 'Session', name: 'talk', uid: 'u1', controller: true } as const;
  return {
    owner,
    declaration: { kind: 'Sandbox', name: 'talk', labels: {}, annotations: {}, spec: {} },
    state,
    wanted,
  };
}

function desired(change: Partial<SessionDesired> = {}): SessionDesired {
  return {
    key: { kind: 'Session', name: 'talk' },
    uid: 'u1',
    deleting: false,
    manifest: { origin: { type: 'File', path: '/m/main.yaml', line: 1 }, problems: [], warnings: [] },
    prune: false,
    state: 'Running',
    placement: 'Sandbox',
    project: 'web',
    agent: 'shell',
    command: ['bash'],
    sandbox: 'main',
    sandboxRestartedAt: 0,
    own: own('Absent', false),
    target,
    restartedAt: 0,
    run: RUN,
    ...change,
  };
}

const missing = (massLoss: boolean): Partial<SessionDesired> => ({
  manifest: { ...desired().manifest!, missing: { since: '', massLoss } },
});
const observed = (process: ProcessState, change: Partial<SessionObserved> = {}): SessionObserved => ({
  process,
  agentFound: true,
  ...change,
});
const none = observed({ state: 'None' });
const running = observed({ state: 'Running', run: RUN, pid: 7 });
const exited = observed({ state: 'Exited', run: RUN, exitCode: 0 });
const silent = observed({ state: 'Silent', error: new Error('no answer') });
const paused = observed({ state: 'Paused' });
const elsewhere = { ...running, elsewhere: { sandbox: 'old', containerId: 'c0', engine, workdir: '/' } };
const host = { placement: 'Host', blocked: { reason: 'NotSupportedYet', message: '' } } as const;
const blocked = { blocked: { reason: 'ReferenceNotFound', message: '' } } as const;

const TABLE: readonly (readonly [string, SessionDesired, SessionObserved, string])[] = [
  ['deleted while it runs', desired({ deleting: true }), running, 'stopping'],
  ['deleted while it runs elsewhere', desired({ deleting: true }), elsewhere, 'stopping'],
  ['deleted with a sandbox of its own', desired({ deleting: true, own: own('Applied') }), none, 'deletingOwn'],
  ['deleted with one that is left over', desired({ deleting: true, own: own('Differs', false) }), none, 'deletingOwn'],
  ['deleted with its sandbox going', desired({ deleting: true, own: own('Terminating') }), none, 'settled'],
  ['deleted with a sandbox of somebody else', desired({ deleting: true, own: own('NotOurs') }), none, 'gone'],
  ['deleted with nothing left', desired({ deleting: true }), exited, 'gone'],
  ['deleted while nobody knows what runs', desired({ deleting: true }), silent, 'failed'],
  [
    'deleted with a sandbox of its own that is silent',
    desired({ deleting: true, own: own('Applied') }),
    silent,
    'deletingOwn',
  ],
  ['without a manifest, and silent', desired(missing(false)), silent, 'failed'],
  ['without a manifest, and silent, to be pruned', desired({ ...missing(false), prune: true }), silent, 'lettingGo'],
  [
    'deleted without a manifest, and silent',
    desired({ ...missing(false), prune: true, deleting: true }),
    silent,
    'failed',
  ],
  ['declared stopped, and silent', desired({ state: 'Stopped' }), silent, 'failed'],
  ['blocked, and silent', desired(blocked), silent, 'failed'],
  ['to have a sandbox of its own changed that is silent', desired({ own: own('Differs') }), silent, 'claiming'],
  ['restarted, and silent', desired({ restartedAt: 5, run: '5-abc' }), silent, 'failed'],
  ['declared, and silent', desired(), silent, 'failed'],
  ['no longer to have a sandbox that is silent', desired({ own: own('Applied', false) }), silent, 'failed'],
  ['deleted in a paused sandbox', desired({ deleting: true }), paused, 'waiting'],
  ['deleted in a paused sandbox of its own', desired({ deleting: true, own: own('Applied') }), paused, 'deletingOwn'],
  ['declared in a paused sandbox', desired(), paused, 'waiting'],
  ['restarted in a paused sandbox', desired({ restartedAt: 5, run: '5-abc' }), paused, 'waiting'],
  ['to have a paused sandbox of its own changed', desired({ own: own('Differs') }), paused, 'claiming'],
  ['without a manifest, running', desired(missing(false)), running, 'waiting'],
  ['without a manifest, running, to be pruned', desired({ ...missing(false), prune: true }), running, 'lettingGo'],
  ['without a manifest, ended', desired(missing(false)), exited, 'lettingGo'],
  ['lost with many, to be pruned', desired({ ...missing(true), prune: true }), running, 'waiting'],
  ['declared stopped while it runs', desired({ state: 'Stopped' }), running, 'stopping'],
  ['declared stopped and ended', desired({ state: 'Stopped' }), exited, 'settled'],
  ['blocked', desired(blocked), none, 'settled'],
  ['blocked while it runs', desired(blocked), running, 'waiting'],
  ['blocked while it runs, restarted', desired({ ...blocked, restartedAt: 5 }), running, 'waiting'],
  ['to be on the host while it runs', desired(host), elsewhere, 'waiting'],
  ['to be on the host, restarted', desired({ ...host, restartedAt: 5 }), elsewhere, 'stopping'],
  [
    'to be on the host, with its sandbox left over',
    desired({ ...host, own: own('Applied', false) }),
    none,
    'deletingOwn',
  ],
  [
    'to be on the host, with its sandbox in use',
    desired({ ...host, own: own('Applied', false) }),
    elsewhere,
    'waiting',
  ],
  ['to have a sandbox of its own', desired({ own: own('Absent') }), none, 'claiming'],
  ['to have it changed', desired({ own: own('Differs') }), running, 'claiming'],
  ['to have one, running elsewhere', desired({ own: own('Absent') }), elsewhere, 'waiting'],
  ['to have one, running elsewhere, restarted', desired({ own: own('Absent'), restartedAt: 5 }), elsewhere, 'claiming'],
  ['restarted', desired({ restartedAt: 5, run: '5-abc' }), running, 'stopping'],
  ['restarted after it ended', desired({ restartedAt: 5, run: '5-abc' }), exited, 'starting'],
  ['edited while it runs', desired({ run: '0-def' }), running, 'waiting'],
  ['without a sandbox that is ready', desired({ target: { ...target, ready: false } }), none, 'settled'],
  ['not mounted', desired({ target: { containerId: 'c1', engine, outOfDate: false, ready: true } }), none, 'settled'],
  ['without its agent', desired(), observed({ state: 'None' }, { agentFound: false }), 'waiting'],
  ['declared', desired(), none, 'starting'],
  ['ended by itself', desired(), exited, 'settled'],
];

describe('a pass over a session', () => {
  it.each(TABLE)('that is %s', (...row) => {
    const [, input, seen, next] = row;
    expect(decide(sessionPass, { desired: input }, seen)).toBe(next);
  });

  it('leaves every effect through failed when it fails', () => {
    expect(new Set(Object.values(errorExits(sessionPass)))).toEqual(new Set(['failed']));
  });

  it('can come to every state', () => {
    const inputs = TABLE.map(([, input]) => ({ desired: input }));
    const observations = TABLE.map(([, , seen]) => seen);
    expect(reachable(sessionPass, inputs, observations)).toEqual(statesOf(sessionPass));
  });
});
