import { resolveSandbox } from '../../../crds/effective';
import { driftOf, driftReason } from '../../../reconcilers/sandbox/drift';
import { SPEC_PARTS, type ContainerFacts, type SpecPart } from '../../../runtimes/runtime';
import { containerOf, desiredOf, IMAGE, PROBE, specOf } from '../../helpers/fake-views';

const spec = specOf();
const { facts } = containerOf();

function drift(change: Partial<ContainerFacts>, notEchoed: readonly SpecPart[] = [], labels = spec.labels) {
  const container = containerOf(spec, { facts: { ...facts, ...change }, labels });
  return driftOf({ container, spec, probe: { ...PROBE, notEchoed }, image: IMAGE });
}

const CHANGES: readonly (readonly [SpecPart, Partial<ContainerFacts>, string])[] = [
  ['image', { imageId: 'sha256:old' }, 'ImageChanged'],
  ['command', { command: ['sh'] }, 'CommandChanged'],
  ['user', { user: '0:0' }, 'UserChanged'],
  ['mounts', { mounts: [] }, 'MountsChanged'],
  ['limits', { limits: {} }, 'LimitsChanged'],
  ['network', { network: 'bridge' }, 'NetworkChanged'],
  ['environment', { environment: { HOME: '/root' } }, 'EnvironmentChanged'],
  ['ports', { ports: [{ hostAddress: '127.0.0.1', hostPort: 80, containerPort: 80 }] }, 'PortsChanged'],
  ['security', { security: { ...spec.security, privileged: true } }, 'SecurityChanged'],
  ['restart', { restart: 'always' }, 'RestartPolicyChanged'],
];

describe('drift', () => {
  it('is none between a container and the spec it was made from, in any order of its lists', () => {
    expect(drift({ mounts: facts.mounts!.toReversed() })).toEqual([]);
    expect(driftReason([])).toBe('UpToDate');
  });

  it.each(CHANGES)(
    'of the %s is told by its own reason, and is no longer told once an engine does not echo it',
    (...row) => {
      const [part, change, reason] = row;
      expect(drift(change)).toEqual([expect.objectContaining({ part, reason })]);
      expect(drift(change, [part])).toEqual([]);
    },
  );

  it('covers every part', () => {
    expect(CHANGES.map(([part]) => part)).toEqual([...SPEC_PARTS]);
  });

  it('of several parts is told as such', () => {
    expect(driftReason(drift({ user: '0:0', restart: 'always' }))).toBe('MultipleChanges');
  });

  it.each(SPEC_PARTS.filter((part) => part !== 'image'))(
    'of the %s is decided by its label where it is not echoed',
    (part) => {
      const other = specOf(
        desiredOf({
          effective: resolveSandbox({ keepRunning: true, environment: ['A=1'], limits: { cpus: 1 } }),
          mounts: [],
        }),
        { user: { uid: 1, gid: 1 } },
      );
      const container = containerOf(other, { facts: { imageId: IMAGE.id } });
      const found = driftOf({ container, spec, probe: { ...PROBE, notEchoed: SPEC_PARTS }, image: IMAGE }).map(
        (each) => each.part,
      );
      const changed: readonly SpecPart[] = ['user', 'mounts', 'limits', 'environment', 'restart'];
      expect(found.includes(part)).toBe(changed.includes(part));
    },
  );

  it('is not told by labels of another scheme', () => {
    const labels = { ...spec.labels, 'dev.berth.spec-hash.version': '0', 'dev.berth.spec-hash.limits': 'other' };
    expect(drift({}, ['limits'], labels)).toEqual([]);
  });

  it('never shows the value of a variable', () => {
    const desired = desiredOf({ effective: resolveSandbox({ environment: ['TOKEN=secret-value'] }) });
    const container = containerOf(spec, {
      facts: { ...facts, environment: { ...facts.environment, OLD: 'other-secret' } },
    });
    for (const notEchoed of [[], ['environment']] as const) {
      const found = driftOf({ container, spec: specOf(desired), probe: { ...PROBE, notEchoed }, image: IMAGE });
      expect(JSON.stringify(found)).toContain('TOKEN');
      expect(JSON.stringify(found)).not.toContain('secret');
    }
  });

  it('counts no variable of the image itself, but one of it that was overridden', () => {
    expect(drift({ environment: { ...facts.environment, LANG: 'C.UTF-8' } })).toEqual([]);
    expect(drift({ environment: { ...facts.environment, LANG: 'de_DE' } })).toMatchObject([{ running: 'LANG' }]);
  });
});
