import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { resolveHome, type Home } from '../../controller/home';

/** A home of its own for one measurement, with one project; `close` removes it. */
export class BenchHome {
  readonly root = realpathSync(mkdtempSync(join(tmpdir(), 'berth-bench-')));
  readonly home: Home = resolveHome({ BERTH_HOME: join(this.root, 'berth') });

  constructor() {
    mkdirSync(this.home.manifests, { recursive: true });
    mkdirSync(join(this.root, 'web'));
    this.write('project.yaml', document('Project', 'web', `{ path: ${join(this.root, 'web')} }`));
  }

  write(name: string, text: string): void {
    writeFileSync(join(this.home.manifests, name), text);
  }

  close(): void {
    rmSync(this.root, { recursive: true, force: true });
  }
}

export function document(kind: string, name: string, spec: string): string {
  return `---\napiVersion: berth.dev/v1alpha1\nkind: ${kind}\nmetadata: { name: ${name} }\nspec: ${spec}\n`;
}

/** As many sandboxes as are asked for, each with the one project. */
export function sandboxes(count: number): string {
  return Array.from({ length: count }, (_, n) => document('Sandbox', `s${n}`, '{ projects: [web] }')).join('');
}
