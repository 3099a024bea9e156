import { resolveSandbox } from '../../crds/effective';
import { sandboxSchema } from '../../crds/sandbox';
import { sessionSchema } from '../../crds/session';
import { settingsSchema } from '../../crds/settings';
import { unsupportedYet } from '../../crds/unsupported';

const GRANTS = {
  network: { mode: 'Outbound' },
  security: {
    privileged: true,
    capAdd: ['SYS_PTRACE'],
    securityOptions: ['a=b'],
    selinuxRelabel: true,
    extraRunArgs: ['--x'],
  },
  volumes: [{ hostPath: '/a', mountPath: '/b' }],
  user: 'Root',
  reclaimPolicy: 'Retain',
};

describe('what this version must refuse', () => {
  it('is everything that loosens a sandbox', () => {
    const expected = [
      'spec.network.mode: Outbound is not supported yet',
      'spec.reclaimPolicy: Retain is not supported yet',
      'spec.security.capAdd is not supported yet',
      'spec.security.extraRunArgs is not supported yet',
      'spec.security.privileged: true is not supported yet',
      'spec.security.securityOptions is not supported yet',
      'spec.security.selinuxRelabel: true is not supported yet',
      'spec.user: Root is not supported yet',
      'spec.volumes is not supported yet',
    ];
    const spec = sandboxSchema.parse(GRANTS);
    expect(unsupportedYet('Sandbox', spec)).toEqual(expected);
    expect(unsupportedYet('SandboxTemplate', spec)).toEqual(expected);
    expect(unsupportedYet('Sandbox', resolveSandbox({}, spec))).toEqual(expected);
  });

  it('is nothing of what tightens one, nor what is spelled out as usual', () => {
    const spec = sandboxSchema.parse({
      network: { mode: 'None' },
      security: { capDrop: ['ALL'], privileged: false, capAdd: [] },
      limits: { cpus: 1 },
      volumes: [],
      user: 'Host',
    });
    expect(unsupportedYet('Sandbox', spec)).toEqual([]);
    expect(unsupportedYet('Sandbox', resolveSandbox({}))).toEqual([]);
  });

  it('is another runtime or another image than would be used', () => {
    const settings = (kind: string) => settingsSchema.parse({ runtime: { kind } });
    expect(unsupportedYet('Settings', settings('AppleContainer'))).toEqual([
      'spec.runtime.kind: AppleContainer is not supported yet',
    ]);
    expect(unsupportedYet('Settings', settings('Podman'))).toEqual([]);
    const session = sessionSchema.parse({ project: 'web', image: { reference: 'x' } });
    expect(unsupportedYet('Session', session)).toEqual(['spec.image is not supported yet']);
  });
});
