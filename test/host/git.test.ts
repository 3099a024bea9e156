import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GitLooks } from '../../host/git';

describe('a look at a repository', () => {
  let root: string;
  let path: string;
  let now = 0;
  const looks = new GitLooks(() => now);

  function git(...args: string[]): void {
    const identity = ['-c', 'user.name=t', '-c', 'user.email=t@example.org'];
    execFileSync('git', ['-C', path, ...identity, ...args], { stdio: 'ignore' });
  }

  beforeEach(() => {
    root = realpathSync(mkdtempSync(join(tmpdir(), 'berth-git-')));
    path = join(root, 'repo');
    mkdirSync(path);
    git('init', '-q', '-b', 'trunk');
    git('commit', '-q', '--allow-empty', '-m', 'first');
  });

  afterEach(() => {
    rmSync(root, { recursive: true, force: true });
  });

  it('says its branch and where its objects are', async () => {
    expect(await looks.facts(path)).toEqual({ head: 'trunk', commonDir: join(path, '.git') });
  });

  it('runs nothing that the repository was made to run', async () => {
    const trap = join(root, 'trap.sh');
    const sprung = join(root, 'sprung');
    writeFileSync(trap, `#!/bin/sh\ntouch ${sprung}\n`);
    chmodSync(trap, 0o755);
    for (const name of [
      'core.fsmonitor',
      'core.sshCommand',
      'core.pager',
      'core.editor',
      'diff.external',
      'credential.helper',
    ])
      git('config', name, trap);
    git('config', 'alias.rev-parse', `!${trap}`);
    git('config', 'core.hooksPath', root);
    for (const hook of ['post-index-change', 'post-checkout', 'reference-transaction']) {
      writeFileSync(join(root, hook), `#!/bin/sh\ntouch ${sprung}\n`);
      chmodSync(join(root, hook), 0o755);
    }
    rmSync(sprung, { force: true });
    expect(await looks.facts(path)).toMatchObject({ head: 'trunk' });
    expect(existsSync(sprung)).toBe(false);
  });

  it('does not wait for a pipe in the place of what git reads, and leaves it alone for a while', async () => {
    rmSync(join(path, '.git/config'));
    execFileSync('mkfifo', [join(path, '.git/config')]);
    const asked = Date.now();
    expect(await looks.facts(path)).toBeUndefined();
    expect(Date.now() - asked).toBeLessThan(4_000);
    rmSync(join(path, '.git/config'));
    git('init', '-q');
    expect(await looks.facts(path)).toBeUndefined();
    now += 11 * 60_000;
    expect(await looks.facts(path)).toMatchObject({ head: 'trunk' });
    rmSync(join(path, '.git/HEAD'));
    execFileSync('mkfifo', [join(path, '.git/HEAD')]);
    const again = Date.now();
    expect(await looks.facts(path)).toBeUndefined();
    expect(Date.now() - again).toBeLessThan(500);
  });

  it('finds none in a directory below one, nor in one whose repository is broken', async () => {
    mkdirSync(join(path, 'below'));
    expect(await looks.facts(join(path, 'below'))).toBeUndefined();
    rmSync(join(path, '.git/HEAD'));
    expect(await looks.facts(path)).toBeUndefined();
  });

  it('tells a detached head, and a repository without a commit, from a branch', async () => {
    git('checkout', '-q', '--detach');
    expect(await looks.facts(path)).toMatchObject({ head: 'HEAD' });
    rmSync(join(path, '.git'), { recursive: true });
    git('init', '-q');
    expect(await looks.facts(path)).toEqual({ commonDir: join(path, '.git') });
  });
});
