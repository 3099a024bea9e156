import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { exists, moveDirectory } from './directories';
import { makePrivateDirectory } from './make-directory';

/** Whose private files are meant. A dedicated sandbox's are never found again by another of the same name. */
export interface HomeOwner {
  readonly name: string;
  readonly uid: string;
  readonly dedicated: boolean;
}

/** Where sandboxes keep what outlives their containers: `<data>/sandboxes/NAME/home`. */
export class Homes {
  readonly #data: string;

  constructor(dataDirectory: string) {
    this.#data = dataDirectory;
  }

  /** The host directory of a sandbox's home, whether it exists or not. */
  path(owner: Pick<HomeOwner, 'name'>): string {
    return join(this.#root(owner), 'home');
  }

  /** Real paths below which every sandbox's files are, or were: agents write there. */
  places(): readonly string[] {
    return ['sandboxes', 'set-aside'].map((name) => join(realpathSync(this.#data), name));
  }

  /** Whether the sandbox has files that deleting it must set aside. */
  async exist(owner: HomeOwner): Promise<boolean> {
    return exists(this.#root(owner));
  }

  /** Makes the home, or brings back the one that was set aside when a shared sandbox of this name was deleted. */
  async prepare(owner: HomeOwner): Promise<void> {
    const root = this.#root(owner);
    if (!owner.dedicated && !(await exists(root))) await moveDirectory(this.#setAside(owner), root);
    makePrivateDirectory(root);
    makePrivateDirectory(this.path(owner));
  }

  /** Moves a deleted sandbox's files away whole: nothing an agent wrote is ever deleted with it. Done already = fine. */
  async setAside(owner: HomeOwner): Promise<void> {
    await moveDirectory(this.#root(owner), this.#setAside(owner));
  }

  #root({ name }: Pick<HomeOwner, 'name'>): string {
    return join(this.#data, 'sandboxes', name);
  }

  #setAside({ name, uid, dedicated }: HomeOwner): string {
    return dedicated
      ? join(this.#data, 'set-aside', 'sessions', `${name}-${uid}`)
      : join(this.#data, 'set-aside', 'sandboxes', name);
  }
}
