import { parseManifest } from '../../crds/parse';

function messagesOf(kind: string, spec: object): readonly string[] {
  return parse(kind, spec).problems.map(({ message }) => message);
}

function warningsOf(kind: string, spec: object): readonly string[] {
  const parsed = parse(kind, spec);
  expect(parsed.problems).toEqual([]);
  return parsed.documents[0]?.warnings ?? [];
}

/** JSON is YAML. */
function parse(kind: string, spec: object) {
  const name = kind === 'Settings' ? 'default' : 'a';
  return parseManifest(
    `${JSON.stringify({ apiVersion: 'berth.dev/v1alpha1', kind, metadata: { name }, spec })}\n`,
    'f',
  );
}

describe('limits', () => {
  it.each([
    [
      { cpus: 0.2 },
      'spec.limits.cpus: processor limit of 0.2 cores is too small to work with; the minimum is 0.25 cores',
    ],
    [{ memory: '511Mi' }, 'spec.limits.memory: memory limit of 511Mi is too small to work with; the minimum is 512Mi'],
    [
      { processes: 63 },
      'spec.limits.processes: process limit of 63 processes is too small to work with; the minimum is 64 processes',
    ],
    [{ storage: '1Mi' }, 'spec.limits.storage: storage limit of 1Mi is too small to work with; the minimum is 1Gi'],
    [
      { memory: 4096 },
      'spec.limits.memory: has no unit; must be a quantity with a unit, such as 512Mi or 4Gi, or EngineDefault',
    ],
    [
      { memory: '4096' },
      'spec.limits.memory: has no unit; must be a quantity with a unit, such as 512Mi or 4Gi, or EngineDefault',
    ],
    [{ memory: 'lots' }, 'spec.limits.memory: must be a quantity with a unit, such as 512Mi or 4Gi, or EngineDefault'],
    [{ cpus: '2' }, 'spec.limits.cpus: must be a number of cores, or EngineDefault'],
    [{ processes: 64.5 }, 'spec.limits.processes: must be a whole number of processes, or EngineDefault'],
    [
      { cpus: -1 },
      'spec.limits.cpus: processor limit of -1 cores is too small to work with; the minimum is 0.25 cores',
    ],
  ])('%j are refused', (limits, message) => {
    expect(messagesOf('Sandbox', { limits })).toEqual([message]);
  });

  it.each([
    { cpus: 0.25, memory: '512Mi', processes: 64, storage: '1Gi' },
    { cpus: 'EngineDefault', memory: '', processes: null, storage: 'EngineDefault' },
  ])('%j are accepted', (limits) => {
    expect(messagesOf('Sandbox', { limits })).toEqual([]);
  });
});

describe('values of the wrong kind', () => {
  it.each([
    ['Sandbox', { projects: 'web' }, 'spec.projects: must be a list, not text'],
    ['Sandbox', { keepRunning: 'yes' }, 'spec.keepRunning: must be true or false, not text'],
    ['Sandbox', { limits: null }, 'spec.limits: is empty; it must be an object, or the key left out'],
    ['Sandbox', { projectSelector: {} }, 'spec.projectSelector: selects nothing; give a label to match'],
    ['Sandbox', { projects: ['a', 'a'] }, 'spec.projects[1]: is listed twice'],
    ['Sandbox', { mountPath: 'workspace' }, 'spec.mountPath: must be SamePath or an absolute path'],
    ['Sandbox', { mountPath: '/a/../b' }, 'spec.mountPath: must be SamePath or an absolute path'],
    [
      'Sandbox',
      { network: { mode: 'outbond' } },
      'spec.network.mode: must be one of NoOutbound, Outbound, None; did you',
    ],
    ['Sandbox', { network: { ports: ['3000'] } }, 'spec.network.ports[0]: must be "host:container"'],
    ['Sandbox', { network: { ports: ['0:80'] } }, 'spec.network.ports[0]: must be "host:container"'],
    ['Sandbox', { network: { ports: ['1.2.3:80:80'] } }, 'spec.network.ports[0]: must be "host:container"'],
    [
      'Sandbox',
      { network: { ports: ['80:80', '80:81'] } },
      'spec.network.ports[1]: publishes a host port that an earlier',
    ],
    ['Sandbox', { image: {} }, 'spec.image.reference: is missing'],
    ['Sandbox', { image: { reference: 'a b' } }, 'spec.image.reference: must be an image reference'],
    [
      'Sandbox',
      { image: { reference: 'a', source: 'Archive' } },
      'spec.image.archive: is needed when source is Archive',
    ],
    ['Sandbox', { image: { reference: 'a', archive: '/x' } }, 'spec.image.archive: may be given only when source'],
    ['Sandbox', { idle: { timeout: 30 } }, 'spec.idle.timeout: must be a duration with a unit'],
    ['Sandbox', { idle: { timeout: '0s' } }, 'spec.idle.timeout: must be a duration with a unit'],
    ['Sandbox', { security: { capDrop: ['net_raw'] } }, 'spec.security.capDrop[0]: must be a capability in capitals'],
    ['Sandbox', { security: { securityOptions: ['-x'] } }, 'spec.security.securityOptions[0]: must not hold spaces or'],
    ['Sandbox', { environment: ['A=\u0000'] }, 'spec.environment[0]: must not contain control characters'],
    ['Project', {}, 'spec.path: is missing'],
    ['Project', { path: '' }, 'spec.path: must not be empty'],
    ['Project', { path: '/a\n' }, 'spec.path: must be one line without control characters'],
    ['Project', { path: '/a', access: 'RO' }, 'spec.access: must be one of ReadWrite, ReadOnly'],
    ['Session', {}, 'spec.project: is missing'],
    ['Session', { project: 'a', sandbox: 'b', placement: 'Host' }, 'spec.placement: is Host, but a sandbox is named'],
    ['Session', { project: 'a', sandbox: 'b', template: 'c' }, 'spec.template: is for a sandbox of its own'],
    ['CredentialShare', { type: 'SSHAgent' }, 'spec: must say to whom: give sandboxes or sandboxSelector'],
    ['CredentialShare', { type: 'SSHAgent', sandboxes: [], agent: 'x' }, 'spec.agent: may be given only for type'],
    ['Agent', { command: [] }, 'spec.command: must name a program'],
    ['Settings', { runtime: { endpoint: '/run/x.sock' } }, 'spec.runtime.endpoint: must start with unix://'],
    ['ManifestSource', { url: 'https://a:b@host/x' }, 'spec.url: must not hold a password'],
    ['ManifestSource', { url: 'https://host/x', ref: {} }, 'spec.ref: must name exactly one of'],
  ])('%s %j', (kind, spec, message) => {
    expect(messagesOf(kind, spec)).toEqual([expect.stringContaining(message)]);
  });
});

describe('what has no effect yet', () => {
  it.each([
    ['Sandbox', { idle: { timeout: '5m' } }, ['spec.idle has no effect yet']],
    ['SandboxTemplate', { volumeIgnores: ['x'] }, ['spec.volumeIgnores has no effect yet']],
    ['Sandbox', { network: { ports: ['80:80'] } }, ['spec.network.ports has no effect yet']],
    ['Sandbox', { network: { mode: 'None' }, volumeIgnores: [] }, []],
    ['Session', { project: 'a', prompt: 'Fix it.\nAll of it.' }, ['spec.prompt has no effect yet']],
    ['CredentialShare', { type: 'SSHAgent', sandboxes: ['a'] }, ['spec has no effect yet']],
    ['Settings', { preTrust: false }, ['spec.preTrust has no effect yet']],
    ['Settings', {}, []],
  ])('%s %j is accepted with a warning', (kind, spec, warnings) => {
    expect(warningsOf(kind, spec)).toEqual(warnings);
  });

  it('warns of variables without repeating their values', () => {
    const environment = ['A', 'B=$C', 'D=plain', 'E=$$x', '1BAD=secret', 'D=again', 'F=$'];
    const unusable = 'is left out: it is neither KEY, KEY=VALUE nor KEY=$NAME with names of letters, digits and _';
    expect(warningsOf('Sandbox', { environment })).toEqual([
      'spec.environment[0] has no effect yet',
      'spec.environment[1] has no effect yet',
      `spec.environment[4] ${unusable}`,
      'spec.environment[5] is left out: D is already set above',
      `spec.environment[6] ${unusable}`,
    ]);
  });
});
