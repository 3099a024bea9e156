import { dockerDialect } from '../../../runtimes/docker/dialect';
import { mapSpec } from '../../../runtimes/engine/map-spec';
import { podmanDialect } from '../../../runtimes/podman/dialect';
import { DOCKER, RECORDED } from '../../helpers/engine-fixtures';

const { spec } = DOCKER;

describe.each(RECORDED)('a create request for $name', ({ dialect, read, spec: own }) => {
  it('is the one that the recorded engine took', () => {
    expect(JSON.parse(JSON.stringify(mapSpec(own, dialect)))).toEqual(read('create'));
  });

  it('is the same bytes for the same spec', () => {
    expect(JSON.stringify(mapSpec(structuredClone(own), dialect))).toBe(JSON.stringify(mapSpec(own, dialect)));
  });
});

describe('a create request', () => {
  it('never has swap beyond memory', () => {
    const { HostConfig } = mapSpec({ ...spec, limits: { memoryBytes: 1024 ** 3 } }, dockerDialect);
    expect(HostConfig).toMatchObject({ Memory: 1024 ** 3, MemorySwap: 1024 ** 3 });
  });

  it('has each limit in its own unit', () => {
    const limits = { milliCpus: 2500, processes: 512, storageBytes: 1024 ** 3 };
    const { HostConfig } = mapSpec({ ...spec, limits }, dockerDialect);
    expect(HostConfig).toMatchObject({
      NanoCpus: 2_500_000_000,
      PidsLimit: 512,
      StorageOpt: { size: '1073741824' },
    });
  });

  it('leaves a limit that is not set out of the request', () => {
    const { HostConfig } = mapSpec({ ...spec, limits: {} }, dockerDialect);
    for (const field of ['Memory', 'MemorySwap', 'NanoCpus', 'PidsLimit', 'StorageOpt']) {
      expect(HostConfig).not.toHaveProperty(field);
    }
  });

  it('mounts what the spec mounts and nothing else, typed', () => {
    const { HostConfig } = mapSpec(spec, dockerDialect);
    expect(HostConfig?.Mounts).toEqual(
      spec.mounts.map(({ type, source, target, readOnly }) => ({
        Type: type,
        Source: source,
        Target: target,
        ReadOnly: readOnly,
      })),
    );
    for (const field of ['Binds', 'Tmpfs', 'VolumesFrom', 'Devices']) expect(HostConfig).not.toHaveProperty(field);
  });

  it('maps the person by exactly one of user and user namespace rule', () => {
    const of = (identity: (typeof spec)['identity']): unknown[] => {
      const { User, HostConfig } = mapSpec({ ...spec, identity }, podmanDialect);
      return [User, HostConfig?.UsernsMode];
    };
    expect(of('UidGid')).toEqual(['2345:2345', undefined]);
    expect(of('KeepId')).toEqual(['2345:2345', 'keep-id']);
    expect(of('ContainerRoot')).toEqual(['0:0', undefined]);
  });

  it('shares no namespace with the host and asks for no privilege', () => {
    const { HostConfig } = mapSpec(spec, dockerDialect);
    for (const field of ['PidMode', 'IpcMode', 'UTSMode', 'CgroupParent', 'GroupAdd']) {
      expect(HostConfig).not.toHaveProperty(field);
    }
    expect(HostConfig).toMatchObject({
      Privileged: false,
      CapAdd: [],
      CapDrop: ['ALL'],
      NetworkMode: 'none',
      SecurityOpt: ['no-new-privileges'],
    });
  });

  it('keeps several host addresses of one port', () => {
    const port = { hostPort: 3000, containerPort: 80 };
    const ports = ['127.0.0.1', '::1'].map((hostAddress) => ({ ...port, hostAddress }));
    const request = mapSpec({ ...spec, ports }, dockerDialect);
    expect(request.ExposedPorts).toEqual({ '80/tcp': {} });
    expect(request.HostConfig?.PortBindings).toEqual({
      '80/tcp': [
        { HostIp: '127.0.0.1', HostPort: '3000' },
        { HostIp: '::1', HostPort: '3000' },
      ],
    });
  });
});
