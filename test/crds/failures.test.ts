import fc from 'fast-check';
import { FAILURE_CATALOGUE } from '../../crds/failure-catalogue';
import { describeCause, describeFailure, FAILURE_CAUSES, STAGE_TITLES, STAGES } from '../../crds/failures';

const RUNTIMES = ['Docker', 'Podman', 'AppleContainer', undefined] as const;

describe('the catalogue of failures', () => {
  it('has words for each of the twelve causes and no other', () => {
    expect(FAILURE_CAUSES).toHaveLength(12);
    expect(Object.keys(FAILURE_CATALOGUE)).toEqual([...FAILURE_CAUSES]);
    expect(Object.keys(STAGE_TITLES)).toEqual([...STAGES]);
  });

  it('reads well for every cause, runtime and stage even when nothing else is known', () => {
    for (const cause of FAILURE_CAUSES) {
      for (const runtime of RUNTIMES) {
        for (const stage of STAGES) {
          const { message, remedy } = describeFailure({ cause, stage, ...(runtime && { runtime }) });
          expect(message).toMatch(/^The sandbox failed while [a-z ]+: [^{}[\]|]+[^.]\.$/);
          expect(remedy).toMatch(/^[A-Z][^{}[\]|]+\.$/);
          expect(`${message} ${remedy}`).not.toMatch(/ {2}| [.,:;]|undefined|: \.|\(\)/);
        }
      }
    }
  });

  it('reads the same with empty slots as with none', () => {
    const slots = {
      reference: '',
      port: '0',
      path: ' ',
      detail: '\n',
      limit: '',
      name: '',
      operation: '',
      version: '',
    };
    for (const cause of FAILURE_CAUSES) expect(describeCause({ cause, slots })).toEqual(describeCause({ cause }));
  });
});

describe('a failure', () => {
  it.each([
    [
      { cause: 'ImageNotFound', slots: { reference: 'localhost/x:1' } } as const,
      'The sandbox failed while getting the sandbox image: image localhost/x:1 does not exist, neither here nor where it should come from.',
    ],
    [
      { cause: 'PortUnavailable', slots: { port: '3000' } } as const,
      'The sandbox failed while starting the sandbox: port 3000 is used by another program.',
    ],
    [
      { cause: 'PortUnavailable', slots: { port: '0' } } as const,
      'The sandbox failed while starting the sandbox: a port that it publishes is used by another program.',
    ],
    [
      { cause: 'MountRejected', slots: { path: '/src/web', detail: 'no such file\nmore' }, stage: 'Starting' } as const,
      'The sandbox failed while starting the sandbox: /src/web cannot be mounted into it: no such file.',
    ],
    [
      { cause: 'LimitRejected', slots: { limit: 'cpus', detail: 'too many.' }, runtime: 'Docker' } as const,
      'The sandbox failed while creating the sandbox: Docker refused the processor limit: too many.',
    ],
    [
      { cause: 'VersionTooOld', slots: { version: '3.4', minimum: '4.0' }, runtime: 'Podman' } as const,
      'The sandbox failed while checking the container runtime: Podman 3.4 is too old; 4.0 or newer is needed.',
    ],
    [
      { cause: 'Unknown', slots: { detail: '{reference} [x|y] \u001b[31mred' }, runtime: 'Docker' } as const,
      'The sandbox failed while creating the sandbox: Docker said: {reference} [x|y] \\u{1b}[31mred.',
    ],
  ])('%j is said in one sentence', (facts, message) => {
    expect(describeFailure(facts).message).toBe(message);
  });

  it('names the command that starts the runtime of this setup', () => {
    const remedy = (runtime: string, platform: string) =>
      describeCause({ cause: 'NotRunning', runtime, platform }).remedy;
    expect(remedy('Docker', 'linux')).toContain('systemctl start docker');
    expect(remedy('Docker', 'darwin')).toMatch(/^Open Docker Desktop/);
    expect(remedy('Podman', 'linux')).toContain('systemctl --user start podman.socket');
    expect(remedy('Podman', 'darwin')).toContain('podman machine start');
  });

  it('points at subordinate ids for Podman and at the group for Docker when the user may not', () => {
    const remedy = (runtime: string) => describeCause({ cause: 'PermissionDenied', runtime }).remedy;
    expect(remedy('Podman')).toContain('podman system migrate');
    expect(remedy('Docker')).toContain('docker');
  });

  it('is one line, whatever the engine said', () => {
    fc.assert(
      fc.property(fc.constantFrom(...FAILURE_CAUSES), fc.string({ unit: 'binary' }), (cause, detail) => {
        expect(describeFailure({ cause, slots: { detail } }).message).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}]/u);
      }),
    );
  });
});
