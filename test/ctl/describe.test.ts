import { event } from '../controller/api/harness';
import { conditions } from '../helpers/memory-store';
import { CtlHarness } from './harness';

let ctl: CtlHarness;
beforeEach(async () => {
  ctl = new CtlHarness();
  await ctl.serve();
});
afterEach(async () => {
  await ctl.close();
});

describe('ctl describe', () => {
  it('shows everything about an object', async () => {
    const drift = [
      { part: 'image', running: 'dev (sha256:1)', declared: 'dev (sha256:2)' },
      { part: 'limits', running: 'memory 4Gi', declared: 'memory 8Gi' },
    ];
    const { metadata } = ctl.store.put('Sandbox', 'main', {
      labels: { team: 'shop', app: 'web' },
      spec: { image: { reference: 'dev' }, projects: ['web', 'api'], keepRunning: true, environment: [] },
      status: {
        ...conditions({ Ready: 'True Ready It runs.', UpToDate: 'False MultipleChanges Image and limits differ.' }),
        containerId: 'c0ffee',
        mounts: [
          { source: '/home/ann/web', readOnly: false },
          { source: '/home/ann/api', readOnly: true },
        ],
        drift,
      },
    });
    const regarding = { kind: 'Sandbox', name: 'main', uid: metadata.uid } as const;
    ctl.events.add(
      event({ regarding, count: 4, type: 'Warning', reason: 'PortInUse', message: 'Port 3000 is taken.' }),
    );
    const { code, stdout } = await ctl.run('describe sandbox main');
    expect(stdout).toBe(
      `Name:          main
Labels:        app=web
               team=shop
Annotations:   <none>
API Version:   berth.dev/v1alpha1
Kind:          Sandbox
UID:           uid-1
Generation:    1
Created:       2026-01-01T00:00:00.000Z (5m3s ago)
Spec:
  Image:
    Reference:  dev
  Projects:
    web
    api
  Keep Running:  true
  Environment:   <none>
Status:
  Container ID:  c0ffee
  Mounts:
    - Source:     /home/ann/web
      Read Only:  false
    - Source:     /home/ann/api
      Read Only:  true
Conditions:
  Type       Status   Reason            Message
  ----       ------   ------            -------
  Ready      True     Ready             It runs.
  UpToDate   False    MultipleChanges   Image and limits differ.
Out of date:
  Part     Running          Declared
  ----     -------          --------
  image    dev (sha256:1)   dev (sha256:2)
  limits   memory 4Gi       memory 8Gi
  Applied by:  ctl restart sandbox main
Events:
  Type      Reason      Age                   From         Message
  ----      ------      ---                   ----         -------
  Warning   PortInUse   2m3s (x4 over 5m3s)   controller   Port 3000 is taken.
`,
    );
    expect(code).toBe(0);
  });

  it('shows an object that nobody has looked at', async () => {
    ctl.store.put('Project', 'web');
    const { stdout } = await ctl.run('describe proj web');
    expect(stdout).toContain(
      'Spec:   <none>\nStatus:  <none>\nConditions:  <none>\nEvents:  <none>\n'.replace('Spec:   ', 'Spec:    '),
    );
    expect(stdout).not.toContain('Out of date');
  });

  it('says what differs in words when the status does not list it', async () => {
    ctl.store.put('Session', 'fix', {
      status: conditions({ UpToDate: 'False AgentChanged It runs claude, not codex.' }),
    });
    const { stdout } = await ctl.run('describe session fix');
    expect(stdout).toContain('Out of date:\n  It runs claude, not codex.\n  Applied by:  ctl restart session fix\n');
  });

  it('leaves the block out when all is as declared', async () => {
    ctl.store.put('Session', 'fix', { status: conditions({ UpToDate: 'True UpToDate' }) });
    expect((await ctl.run('describe session fix')).stdout).not.toContain('Out of date');
  });

  it('says who owns an object, and that it is on its way out', async () => {
    ctl.store.put('Sandbox', 'fix', { finalizers: ['x'] });
    ctl.store.requestDeletion({ kind: 'Sandbox', name: 'fix' });
    expect((await ctl.run('describe sb fix')).stdout).toMatch(/^Deleting since: +2026-01-02T03:04:05.000Z/m);
  });

  it('shows only the events of this very object', async () => {
    ctl.store.put('Sandbox', 'main');
    ctl.events.add(event({ regarding: { kind: 'Sandbox', name: 'main', uid: 'an-earlier-one' } }));
    expect((await ctl.run('describe sb main')).stdout).toContain('Events:  <none>');
  });

  it('shows all of a type, one after another', async () => {
    ctl.store.put('Project', 'api');
    ctl.store.put('Project', 'web');
    expect((await ctl.run('describe projects')).stdout.match(/^Name: +\w+$/gm)).toEqual([
      'Name:          api',
      'Name:          web',
    ]);
  });

  it('fails for what is not there', async () => {
    expect(await ctl.run('describe sb nope')).toEqual({
      code: 1,
      stdout: '',
      stderr: 'Error from server (NotFound): sandboxes.berth.dev "nope" not found\n',
    });
  });
});
