import { mapInspect } from '../../../runtimes/engine/map-inspect';
import type { InspectReply } from '../../../runtimes/engine/replies';
import { DOCKER, PODMAN, RECORDED, type Recorded } from '../../helpers/engine-fixtures';

function inspect({ read, dialect }: Recorded, fixture: string): ReturnType<typeof mapInspect> {
  return mapInspect(read(fixture) as InspectReply, dialect);
}

describe.each(RECORDED)('an inspect reply of $name', (engine) => {
  const { spec } = engine;

  it('tells of a container that never ran', () => {
    const created = inspect(engine, 'inspect-created');
    expect(created).toMatchObject({ name: spec.name, running: false, oomKilled: false, labels: spec.labels });
    expect(created.id).toMatch(/^[0-9a-f]{64}$/);
    expect(created).not.toHaveProperty('startedAt');
    expect(created).not.toHaveProperty('exitCode');
  });

  it('tells of one that runs, and of how one ended', () => {
    const running = inspect(engine, 'inspect-running');
    expect(running.running).toBe(true);
    expect(running).not.toHaveProperty('exitCode');
    const exited = inspect(engine, 'inspect-exited');
    expect(exited).toMatchObject({ running: false, exitCode: 143, startedAt: running.startedAt });
  });

  it('echoes the parts that the engine keeps as they were asked for', () => {
    const { facts } = inspect(engine, 'inspect-created');
    expect(facts).toMatchObject({
      imageId: spec.imageId,
      command: spec.command,
      user: '2345:2345',
      network: 'none',
      restart: 'unless-stopped',
      environment: { ...spec.environment, LANG: 'C.UTF-8' },
      security: spec.security,
    });
    const mounts = spec.mounts.map(({ type, source, target, readOnly }) => ({ type, source, target, readOnly }));
    expect(facts.mounts).toHaveLength(mounts.length);
    expect(facts.mounts).toEqual(expect.arrayContaining(mounts));
  });

  it('tells of a network that a container without one was connected to since', () => {
    const whole = engine.read('inspect-running') as { NetworkSettings: object };
    const connected = { ...whole, NetworkSettings: { Networks: { bridge: {}, other: {} } } };
    expect(mapInspect(connected as InspectReply, engine.dialect).facts.network).toBe('bridge,other');
  });

  it('says the same of a running container as of a created one', () => {
    expect(inspect(engine, 'inspect-running').facts).toEqual(inspect(engine, 'inspect-created').facts);
  });

  it('finds nothing in a container that asked for nothing', () => {
    expect(inspect(engine, 'inspect-plain').facts).toMatchObject({
      limits: {},
      mounts: [],
      ports: [],
      environment: { LANG: 'C.UTF-8' },
      restart: 'no',
      security: { noNewPrivileges: false, privileged: false, capDrop: [], capAdd: [] },
    });
  });

  it.each(['Config', 'HostConfig', 'State', 'Mounts', 'Name', 'Image'])('survives a reply without %s', (field) => {
    const whole = engine.read('inspect-running') as Record<string, unknown>;
    const { facts } = inspect(engine, 'inspect-running');
    const missing = mapInspect({ ...whole, [field]: null }, engine.dialect);
    expect(missing.present).toBe(true);
    if (field !== 'Config') expect(missing.facts.environment).toEqual(facts.environment);
    if (field !== 'HostConfig') expect(missing.facts.security).toEqual(facts.security);
  });
});

describe('an inspect reply', () => {
  it('tells limits and ports where the engine keeps them', () => {
    const { facts } = inspect(DOCKER, 'inspect-created');
    expect(facts.limits).toEqual(DOCKER.spec.limits);
    expect(facts.ports).toEqual(DOCKER.spec.ports);
  });

  it('counts a paused and a restarting container as running', () => {
    const whole = DOCKER.read('inspect-exited') as InspectReply;
    for (const flag of ['Paused', 'Restarting']) {
      const reply = { ...whole, State: { ...whole.State, Running: false, [flag]: true } };
      expect(mapInspect(reply, DOCKER.dialect)).toMatchObject({ running: true, paused: flag === 'Paused' });
    }
  });

  it('keeps a variable that was asked for though the engine would set it too', () => {
    const { facts } = inspect(PODMAN, 'inspect-running');
    expect(facts.environment).toHaveProperty('HOME', '/home/agent');
    for (const added of ['TERM', 'container', 'HOSTNAME', 'PATH']) expect(facts.environment).not.toHaveProperty(added);
  });

  it.each([
    [['AUDIT_WRITE', 'MKNOD', 'NET_RAW'], [], { capDrop: [], capAdd: [] }],
    [['AUDIT_WRITE', 'MKNOD', 'NET_RAW'], ['SYS_ADMIN'], { capDrop: [], capAdd: ['SYS_ADMIN'] }],
    [['AUDIT_WRITE', 'CHOWN', 'KILL', 'MKNOD', 'NET_RAW'], [], { capDrop: ['CHOWN', 'KILL'], capAdd: [] }],
  ])('reads the difference %j, %j as what somebody would have asked for', (CapDrop, CapAdd, expected) => {
    const whole = PODMAN.read('inspect-created') as InspectReply;
    const reply = { ...whole, HostConfig: { ...whole.HostConfig, CapDrop, CapAdd } };
    expect(mapInspect(reply, PODMAN.dialect).facts.security).toMatchObject(expected);
  });
});
