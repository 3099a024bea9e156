import { Backoff } from './backoff';
import type { Clock } from './clock';

/** How a long operation stands. `progress` is whatever it last told; a failure keeps its error until it is cleared. */
export type TaskState<Progress = unknown> =
  | { readonly state: 'absent' }
  | { readonly state: 'running'; readonly progress: Progress | undefined }
  | { readonly state: 'failed'; readonly error: unknown }
  | { readonly state: 'done' };

export type TaskBody<Progress> = (context: {
  readonly signal: AbortSignal;
  readonly progress: (value: Progress) => void;
}) => Promise<void>;

interface Task {
  /** Until then a failure stands; Infinity for all that did not fail. */
  retryAt: number;
  state: TaskState;
  readonly abort: AbortController;
  /** By whom, so that whoever asks again and again is woken once. */
  readonly waiters: Map<string, () => void>;
}

/** Who is to be woken, under a name of its own. */
export interface Waiter {
  readonly name: string;
  readonly wake: () => void;
}

/**
 * Long work beside the passes (a pull, an archive to load), after Cluster API's Docker task manager. A pass asks and
 * goes on; progress and the end only wake whoever waits. Memory only: after a restart the next pass finds the work
 * still to do and starts it again.
 */
export class Tasks {
  readonly #tasks = new Map<string, Task>();
  readonly #clock: Clock;
  readonly #backoff = new Backoff({ firstMs: 1_000, mostMs: 60_000 });

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Starts `run` unless a task of this id stands already, and says how it stands. Never waits; each who asked is woken.
   * One that failed stands for a while, longer each time, before asking starts it again.
   */
  ensure<Progress>(id: string, run: TaskBody<Progress>, { name, wake }: Waiter): TaskState<Progress> {
    const standing = this.#tasks.get(id);
    if (standing && this.#clock.now() < standing.retryAt) {
      standing.waiters.set(name, wake);
      return standing.state as TaskState<Progress>;
    }
    const waiters = new Map([[name, wake]]);
    const task: Task = {
      state: { state: 'running', progress: undefined },
      abort: new AbortController(),
      waiters,
      retryAt: Infinity,
    };
    this.#tasks.set(id, task);
    const end = (state: TaskState): void => {
      if (this.#tasks.get(id) !== task) return;
      task.state = state;
      for (const each of waiters.values()) each();
    };
    void run({
      signal: task.abort.signal,
      progress: (progress) => {
        end({ state: 'running', progress });
      },
    }).then(
      () => {
        this.#backoff.forget(id);
        end({ state: 'done' });
      },
      (error: unknown) => {
        task.retryAt = this.#clock.now() + this.#backoff.next(id);
        end({ state: 'failed', error });
      },
    );
    return task.state as TaskState<Progress>;
  }

  peek(id: string): TaskState {
    return this.#tasks.get(id)?.state ?? { state: 'absent' };
  }

  /** Forgets a task, ending it when it still runs: the next `ensure` starts afresh. */
  clear(id: string): void {
    this.#tasks.get(id)?.abort.abort();
    this.#tasks.delete(id);
  }

  close(): void {
    for (const id of [...this.#tasks.keys()]) this.clear(id);
  }
}
