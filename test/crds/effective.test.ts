import { resolveSandbox } from '../../crds/effective';
import { sandboxSchema } from '../../crds/sandbox';
import { sandboxTemplateSchema } from '../../crds/sandbox-template';

const GIB = 2 ** 30;

describe('a sandbox that says nothing', () => {
  it('has the documented defaults', () => {
    expect(resolveSandbox({})).toEqual({
      image: { reference: 'localhost/berth/sandbox:dev', source: 'LocalBuild', pullPolicy: 'IfNotPresent' },
      projects: [],
      mountPath: 'SamePath',
      limits: { milliCpus: 2000, memoryBytes: 4 * GIB, processes: 512 },
      network: { mode: 'NoOutbound', ports: [] },
      environment: [],
      volumes: [],
      volumeIgnores: [],
      volumeIgnoresStrategy: 'Anonymous',
      security: {
        privileged: false,
        capAdd: [],
        capDrop: [],
        securityOptions: [],
        selinuxRelabel: false,
        extraRunArgs: [],
      },
      keepRunning: false,
      idle: { timeoutMs: 1_800_000, whileWorking: 'Stop' },
      user: 'Host',
      reclaimPolicy: 'Delete',
      state: 'Running',
    });
  });

  it('mounts where the caller says when it is made for one session', () => {
    expect(resolveSandbox({}, {}, { mountPath: '/workspace' }).mountPath).toBe('/workspace');
    expect(resolveSandbox({ mountPath: '/srv' }, {}, { mountPath: '/workspace' }).mountPath).toBe('/srv');
  });
});

describe('a sandbox with a template', () => {
  const template = sandboxTemplateSchema.parse({
    image: { reference: 'localhost/team:1', source: 'LocalBuild', pullPolicy: 'Never' },
    limits: { cpus: 4, memory: '8Gi' },
    network: { mode: 'None', ports: ['3000:3000'] },
    security: { capDrop: ['NET_RAW'], capAdd: ['SYS_PTRACE'] },
    idle: { timeout: '1h', whileWorking: 'Wait' },
    environment: ['A=1'],
    keepRunning: true,
  });

  it('takes what it does not override', () => {
    const effective = resolveSandbox({}, template);
    expect(effective.image.reference).toBe('localhost/team:1');
    expect(effective.limits).toEqual({ milliCpus: 4000, memoryBytes: 8 * GIB, processes: 512 });
    expect(effective.keepRunning).toBe(true);
    expect(effective.idle).toEqual({ timeoutMs: 3_600_000, whileWorking: 'Wait' });
  });

  it('overrides limits, network, idle and security key by key', () => {
    const spec = sandboxSchema.parse({
      limits: { memory: '1Gi' },
      network: { mode: 'NoOutbound' },
      idle: { timeout: '5m' },
      security: { capAdd: [] },
    });
    const effective = resolveSandbox(spec, template);
    expect(effective.limits).toEqual({ milliCpus: 4000, memoryBytes: GIB, processes: 512 });
    expect(effective.network).toEqual({
      mode: 'NoOutbound',
      ports: [{ hostAddress: '127.0.0.1', hostPort: 3000, containerPort: 3000 }],
    });
    expect(effective.idle).toEqual({ timeoutMs: 300_000, whileWorking: 'Wait' });
    expect(effective.security).toMatchObject({ capDrop: ['NET_RAW'], capAdd: [] });
  });

  it('replaces lists and the image as a whole', () => {
    const spec = sandboxSchema.parse({ image: { reference: 'registry.example/other:2' }, environment: ['B=2'] });
    const effective = resolveSandbox(spec, template);
    expect(effective.image).toEqual({
      reference: 'registry.example/other:2',
      source: 'Registry',
      pullPolicy: 'IfNotPresent',
    });
    expect(effective.environment).toEqual([{ name: 'B', from: 'Literal', value: '2' }]);
  });
});

describe('limits', () => {
  it.each(['EngineDefault', '', null])('left to the engine as %j are absent', (unset) => {
    const spec = sandboxSchema.parse({ limits: { cpus: unset, memory: unset, processes: unset, storage: unset } });
    expect(resolveSandbox(spec).limits).toEqual({});
  });

  it('take fractions of a core and storage in bytes', () => {
    const spec = sandboxSchema.parse({ limits: { cpus: 0.25, storage: '10Gi' } });
    expect(resolveSandbox(spec).limits).toMatchObject({ milliCpus: 250, storageBytes: 10 * GIB });
  });

  it('that no schema let through never turn into none at all', () => {
    expect(() => resolveSandbox({ limits: { memory: '4096' } })).toThrow('"4096"');
  });
});

describe('projects', () => {
  it('come by name or by label', () => {
    expect(resolveSandbox({ projects: ['web'] }).projects).toEqual(['web']);
    expect(resolveSandbox({ projectSelector: { matchLabels: { team: 'shop' } } }).projectSelector).toEqual({
      matchLabels: { team: 'shop' },
    });
  });
});
