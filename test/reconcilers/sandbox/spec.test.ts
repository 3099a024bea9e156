import fc from 'fast-check';
import { canonicalJson } from '../../../crds/canonical';
import { resolveSandbox } from '../../../crds/effective';
import type { SandboxSpec } from '../../../crds/sandbox';
import { hashLabel, LABELS } from '../../../runtimes/labels';
import { SPEC_PARTS } from '../../../runtimes/runtime';
import { desiredOf, PROBE, specOf } from '../../helpers/fake-views';

const declared = (spec: SandboxSpec) => desiredOf({ effective: resolveSandbox(spec) });

describe('the container of a sandbox', () => {
  it('is exactly this', () => {
    const { labels, ...spec } = specOf();
    expect(spec).toEqual({
      name: 'berth-main-0123abcd',
      imageId: 'sha256:tools',
      command: ['sleep', 'infinity'],
      workdir: '/home/berth',
      user: { uid: 1234, gid: 1234 },
      identity: 'UidGid',
      environment: {
        HOME: '/home/berth',
        GIT_CONFIG_COUNT: '1',
        GIT_CONFIG_KEY_0: 'safe.directory',
        GIT_CONFIG_VALUE_0: '*',
      },
      mounts: [
        { role: 'home', type: 'bind', source: '/data/main', target: '/home/berth', readOnly: false },
        { role: 'workspace', type: 'bind', source: '/src/web', target: '/src/web', readOnly: false },
      ],
      limits: { milliCpus: 2000, memoryBytes: 4 * 1024 ** 3, processes: 512 },
      network: 'none',
      ports: [],
      security: { noNewPrivileges: true, privileged: false, capDrop: ['ALL'], capAdd: [] },
      restart: 'no',
    });
    expect(labels).toMatchObject({
      [LABELS.owner]: 'berth',
      [LABELS.kind]: 'Sandbox',
      [LABELS.name]: 'main',
      [LABELS.uid]: 'uid-of-main',
      [LABELS.instance]: '0123abcd4567ef89',
      [LABELS.nonce]: 'n1',
      [LABELS.hashVersion]: '1',
    });
  });

  it('carries the hash of each part, which changes only together with the version of the scheme', () => {
    const { labels } = specOf();
    expect(Object.fromEntries(SPEC_PARTS.map((part) => [part, labels[hashLabel(part)]]))).toMatchInlineSnapshot(`
     {
       "command": "92c0c6e128089bbb",
       "environment": "6ffd51002d1c2795",
       "image": "dd217bddbd053f09",
       "limits": "c28170c037b8afdc",
       "mounts": "8c01cde116f69f0c",
       "network": "30a0924a3360be68",
       "ports": "4f53cda18c2baa0c",
       "restart": "04a06452677210a3",
       "security": "9d34cd7f573a72eb",
       "user": "9428788dd51bc63d",
     }
    `);
  });

  it('has no privilege, device, network or mount, whatever is declared of what is not supported', () => {
    const spec = specOf(
      declared({
        security: {
          privileged: true,
          capAdd: ['SYS_ADMIN'],
          securityOptions: ['seccomp=unconfined'],
          extraRunArgs: ['--privileged'],
        },
        volumes: [{ source: '/var/run/docker.sock', target: '/var/run/docker.sock' }],
        network: { mode: 'Outbound' },
      } as unknown as SandboxSpec),
    );
    expect(spec.security).toEqual({ noNewPrivileges: true, privileged: false, capDrop: ['ALL'], capAdd: [] });
    expect(spec.network).toBe('none');
    expect(spec.mounts.map(({ target }) => target)).toEqual(['/home/berth', '/src/web']);
    expect(JSON.stringify(spec)).not.toContain('docker.sock');
  });

  it('is the same bytes in whatever order things are declared', () => {
    const [one, two] = desiredOf().mounts.concat({
      role: 'workspace',
      type: 'bind',
      source: '/a',
      target: '/a',
      readOnly: true,
    });
    const variables = ['A=1', 'B=2', 'C=3'];
    const bytes = (environment: string[], mounts = [one!, two!]) =>
      canonicalJson(specOf({ ...declared({ environment }), mounts }));
    fc.assert(
      fc.property(fc.shuffledSubarray(variables, { minLength: 3 }), fc.boolean(), (environment, turned) => {
        expect(bytes(environment, turned ? [two!, one!] : [one!, two!])).toBe(bytes(variables));
      }),
      { numRuns: 20 },
    );
  });

  it('knows nothing of the user but the ids', () => {
    const user = { uid: 1234, gid: 1234, home: '/home/me' };
    expect(specOf(desiredOf(), { user })).toEqual(specOf());
  });

  it('runs as root of the container only where that is the user, and asks for no limit that is not enforced', () => {
    const probe = {
      ...PROBE,
      identity: 'ContainerRoot' as const,
      limits: { ...PROBE.limits, cpus: { enforced: false as const, reason: 'no controller' } },
    };
    expect(specOf(desiredOf(), { probe })).toMatchObject({ user: { uid: 0, gid: 0 }, identity: 'ContainerRoot' });
    expect(specOf(desiredOf(), { probe }).limits).toEqual({ memoryBytes: 4 * 1024 ** 3, processes: 512 });
  });

  it('keeps its own home and its trust in what is mounted, whatever variables are declared', () => {
    const { environment } = specOf(declared({ environment: ['HOME=/root', 'GIT_CONFIG_COUNT=0', 'TOKEN=x'] }));
    expect(environment).toMatchObject({ HOME: '/home/berth', GIT_CONFIG_COUNT: '1', TOKEN: 'x' });
  });
});
