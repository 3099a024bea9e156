import { projectPass } from '../../../reconcilers/project/machine';
import type { ProjectDesired, ProjectObserved } from '../../../reconcilers/project/types';
import { decide, errorExits, reachable, statesOf } from '../machines';

const USABLE: ProjectObserved = { directory: { usable: true, path: '/src/web', identity: '1:2' } };
const GONE: ProjectObserved = { directory: { usable: false, reason: 'PathMissing', path: '/src/web' } };
const REFUSED: ProjectObserved = {
  ...USABLE,
  refusal: { what: 'Manifests', relation: 'Holds', path: '/src/web/m.yaml' },
};

function desired(change: Partial<ProjectDesired> = {}): ProjectDesired {
  return {
    key: { kind: 'Project', name: 'web' },
    deleting: false,
    manifest: { origin: { type: 'File', path: '/m/main.yaml', line: 1 }, problems: [], warnings: [] },
    prune: false,
    path: '/src/web',
    usedBy: [],
    mountedIn: [],
    ...change,
  };
}

const missing = (massLoss = false): Partial<ProjectDesired> => ({
  manifest: { ...desired().manifest!, missing: { since: '', massLoss } },
});

const TABLE: readonly (readonly [string, ProjectDesired, ProjectObserved, string])[] = [
  ['there', desired(), USABLE, 'waiting'],
  ['not there', desired(), GONE, 'waiting'],
  ['refused', desired(), REFUSED, 'waiting'],
  ['without a manifest', desired(missing()), USABLE, 'lettingGo'],
  ['without a manifest or a directory', desired(missing()), GONE, 'lettingGo'],
  ['without a manifest, mounted', desired({ ...missing(), mountedIn: ['main'] }), USABLE, 'waiting'],
  ['without a manifest, named but not mounted', desired({ ...missing(), usedBy: ['main'] }), USABLE, 'lettingGo'],
  [
    'without a manifest, mounted, to be pruned',
    desired({ ...missing(), mountedIn: ['main'], prune: true }),
    USABLE,
    'lettingGo',
  ],
  ['lost with many', desired(missing(true)), USABLE, 'waiting'],
  ['lost with many, to be pruned', desired({ ...missing(true), prune: true }), USABLE, 'waiting'],
];

describe('a pass over a project', () => {
  it.each(TABLE)('that is %s', (...row) => {
    const [, input, seen, next] = row;
    expect(decide(projectPass, { desired: input }, seen)).toBe(next);
  });

  it('leaves every effect through failed when it fails', () => {
    expect(new Set(Object.values(errorExits(projectPass)))).toEqual(new Set(['failed']));
  });

  it('can come to every state', () => {
    const inputs = TABLE.map(([, input]) => ({ desired: input }));
    const observations = TABLE.map(([, , seen]) => seen);
    expect(reachable(projectPass, inputs, observations)).toEqual(statesOf(projectPass));
  });
});
